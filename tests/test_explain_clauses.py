"""Explanations, clause by clause of RULES.md: readings, factors, caps, liability, refusals; and words."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from case_maker import QUAN, RAW, Case, make, pungs, robbed, small
from oracle import parse
from wuhan_core.explain import explain_case
from wuhan_core.explained import Reading
from wuhan_core.options import OPTIONS
from wuhan_core.tiles import format_tiles
from wuhan_core.words import WORDS, word
from wuhan_core.words_options import DOCS_ZH

# ---- readings ------------------------------------------------------------------------------------


def reading_of(case: Case) -> Reading:
    reading = explain_case(case).reading
    assert reading is not None
    return reading


def test_s3_reading_says_what_each_wildcard_stands_for() -> None:
    # indicator E: S is the wildcard
    reading = reading_of(make("22m234p67sS", ["chow 123m 3", "chow 456m 3"], "7s", options=RAW))
    assert sorted(group.text() for group in reading.groups) == ["22m", "234p", "67s[5s]"]
    assert reading.stands_for == (22,)
    assert reading.pair == (1, 1)
    assert reading.hard is False


def test_s3_hard_reading_keeps_the_wildcard_as_itself() -> None:
    reading = reading_of(
        make("234pSSS55s", ["chow 123m 3", "chow 456m 3"], "5s", options=RAW | {"win.small_wild_max": 3})
    )
    assert reading.hard is True
    assert reading.stands_for == ()
    assert format_tiles([28] * 3) in [group.text() for group in reading.groups]


def test_s3_no_sets_shape_has_no_pair() -> None:
    reading = reading_of(make("2258m258p258sS", ["pung 555m 1"], "8s", options=RAW))
    assert (reading.shape, reading.pair, reading.stands_for) == ("all_258", None, (None,))
    assert "[any]" in reading.groups[0].text()


# ---- factors, section 4 --------------------------------------------------------------------------


def factors(case: Case) -> dict[str, tuple[float, int, str, int | None]]:
    found = explain_case(case).factors
    return {f.option: (f.value, f.count, f.carrier, f.seat) for f in found if f.carrier != "loser"}


def test_s4_winner_carries_its_open_melds_each() -> None:
    found = factors(small(opens=2, options=RAW))
    assert found["score.open"] == (2, 2, "winner", 0)
    once = factors(small(opens=2, options=RAW | {"score.open": "once"}))
    assert once["score.open"] == (2, 1, "winner", 0)


def test_s4_base_of_big_wins_doubles_or_adds() -> None:
    case = pungs("discard", 1, opens=4, options=RAW)  # pengpenghu and quanqiuren
    assert factors(case)["score.big_stacking"] == (2, 1, "base", None)
    hand = ["pung EEE 1", "pung SSS 1", "pung WWW 1"]
    winds = make(
        "FFFPP", hand, "P", after_kong=True, indicator="8m", options=RAW, players={0: {"red_kongs": 1}}
    )
    assert explain_case(winds).answer["types"] == ["fengyise", "gangshanghua", "pengpenghu"]
    assert factors(winds)["score.big_stacking"] == (2, 2, "base", None)
    assert factors(winds)["score.fengyise"] == (2, 1, "base", None)
    winds["set"] = RAW | {"score.big_stacking": "add"}
    assert factors(winds)["score.big_stacking"] == (3, 1, "base", None)


def test_s4_losers_carry_their_own_factors() -> None:
    case = small("discard", 1, dealer=1, options=RAW, players={3: {"red_kongs": 2}})
    own = {
        share.seat: {f.option: f.count for f in share.factors if f.carrier == "loser"}
        for share in explain_case(case).shares
    }
    assert own == {
        1: {"score.small_discarder": 1, "score.small_dealer": 1},
        2: {},
        3: {"score.kong_red": 2},
    }
    dealer = explain_case(small(dealer=0, options=RAW)).shares
    assert all("score.small_dealer" in {f.option for f in share.factors} for share in dealer)


def test_s4_stake_stands_in_the_base() -> None:
    assert "score.stake" not in factors(small(options=RAW))
    assert factors(small(options=RAW | {"score.stake": 5}))["score.stake"] == (5, 1, "base", None)


def test_s4_halves_are_rounded_half_up_at_the_end() -> None:
    case = pungs(options=RAW | {"score.big_base": 1, "score.hard": 1, "score.big_self_draw": 2.5})
    shares = explain_case(case).shares
    assert [share.owed for share in shares] == [5, 5, 5]  # 1 x 2 x 2.5
    case["set"] = RAW | {
        "score.big_base": 1,
        "score.hard": 1,
        "score.open": "once",
        "score.big_self_draw": 1.5,
    }
    case["players"][0] |= {"melds": [], "hand": "111333m55999p777s"}
    case["set"]["win.open_melds"] = "none"
    assert [share.owed for share in explain_case(case).shares] == [2, 2, 2]  # 1.5


def test_s4_robbed_kong_is_a_pung_again_for_a_robber_hand() -> None:
    case = robbed("123m456p789m5s", options=RAW | {"liability.rob_kong": "robber_hand"})
    score = explain_case(case)
    own = {f.option for f in score.shares[0].factors if f.seat == 1}
    assert (score.collector, score.konger) == (0, None)
    assert own == {"score.open", "score.small_discarder"}


# ---- caps, section 5 -----------------------------------------------------------------------------


def limits(case: Case) -> list[str | None]:
    return [share.limit for share in explain_case(case).shares]


def test_s5_the_cap_that_applies_is_named() -> None:
    assert limits(pungs(options=RAW)) == [None] * 3
    each = {"win.minimum": "none", "cap.per_payer": 50, "cap.golden": 0}
    assert limits(pungs(options=each)) == ["cap.per_payer"] * 3
    assert limits(pungs(options=each | {"cap.golden": 70})) == ["cap.golden"] * 3
    fed = make("999m22m", ["pung 333m 3", "pung 555m 3", "pung 777m 1"], "9m", options={"cap.liable": 60})
    assert limits(fed) == ["cap.liable"] * 3
    assert "paid by seat" not in str(explain_case(fed))
    assert "; seat 1 pays it" in str(explain_case(fed))


# ---- liability, section 6 ------------------------------------------------------------------------


def liability(case: Case) -> tuple[int, str, str | None] | None:
    found = explain_case(case).liability
    return None if found is None else (found.seat, found.section, found.option)


def test_s6_1_konger_pays_what_it_would_have_collected() -> None:
    score = explain_case(robbed("123m456p789m5s", options=RAW))
    assert liability(robbed("123m456p789m5s", options=RAW)) == (1, "6.1", "liability.rob_kong")
    assert score.collector == 1
    assert score.konger is not None
    assert score.konger.tile == parse("5s")[0]
    assert {share.seat for share in score.shares} == {0, 2, 3}
    assert "had its kong stood and 5s been the replacement" in str(score)


def test_s6_1_konger_that_no_replacement_helps_counts_as_gangshanghua() -> None:
    score = explain_case(robbed("1m4m7m1p4p7p9pEWN", options=RAW))
    assert score.konger is not None
    assert (score.konger.tile, score.konger.groups) == (None, ())
    assert score.konger.types == ("gangshanghua",)
    assert "no replacement completes its hand" in str(score)
    assert "补任何牌都不胡" in score.to_text("zh")


def test_s6_2_discarder_of_a_258_to_quanqiuren() -> None:
    case = make("5s", QUAN, "5s", "discard", 3)
    assert liability(case) == (3, "6.2", "liability.quanqiuren")
    assert "it discarded 5s, a 258, to quanqiuren" in str(explain_case(case))


def test_s6_2_discarder_that_was_not_ready() -> None:
    far = {3: {"hand": "1m4m7m1p4p7p9p1s4sEEWN"}}
    ready = {3: {"melds": ["chow 123p 2"], "hand": "456p789pEEE2s"}}
    for players, expected in ((far, (3, "6.2", "liability.quanqiuren")), (ready, None)):
        assert liability(make("5s", QUAN, "5s", "discard", 3, rules="bianfeng", players=players)) == expected


def test_s6_3_feeder_of_the_third_exposed_meld() -> None:
    melds = ["pung 333m 3", "concealed_kong 1111m", "pung 555m 2", "pung 777m 1"]
    case = make("22m", melds, "2m")
    assert liability(case) == (1, "6.3", "liability.third_meld")
    found = explain_case(case).liability
    assert found is not None
    assert found.why.text() == "it fed the third exposed meld (777m) of qingyise (one suit)"


def test_s6_3_when_the_discarder_was_ready_and_fed_the_third_meld() -> None:
    # clause 2 does not hold for seat 3, so clause 3 names it
    melds = ["chow 123m 3", "chow 456m 3", "pung 777m 3", "pung 999m 1"]
    ready = {3: {"melds": ["chow 123p 2"], "hand": "456p789pEEE2s"}}
    case = make("5m", melds, "5m", "discard", 3, rules="bianfeng", players=ready)
    assert "quanqiuren" in explain_case(case).answer["types"]
    assert liability(case) == (3, "6.3", "liability.third_meld")


def test_s6_3_feeder_who_is_not_the_ready_discarder() -> None:
    # seat 3 discards and is ready, seat 1 fed the third meld and is not
    melds = ["chow 123m 3", "chow 456m 3", "pung 777m 1", "pung 999m 2"]
    players: dict[int, Case] = {
        3: {"melds": ["chow 123p 2"], "hand": "456p789pEEE2s"},
        1: {"hand": "1p4p7p1s4s7sFPWN2p5p8p"},
    }
    case = make("5m", melds, "5m", "discard", 3, rules="bianfeng", players=players)
    assert liability(case) == (1, "6.3", "liability.third_meld")


# ---- refusals ------------------------------------------------------------------------------------


def refused(case: Case, rule: str, section: str) -> tuple[str, str]:
    """What was found and what would have been enough, in English."""
    score = explain_case(case)
    assert score.refusal is not None
    assert (score.refusal.rule, score.refusal.section) == (rule, section)
    assert score.refusal.got.text() in str(score)
    assert score.refusal.enough.text("zh") in score.to_text("zh")
    return score.refusal.got.text(), score.refusal.enough.text()


def test_s2_refusal_no_discard_win() -> None:
    case = small("discard", 1, options={"claims.discard_win": False})
    assert refused(case, "no_discard_win", "7")[1] == "a self-draw, or robbing an added kong"


@pytest.mark.parametrize(
    ("tile", "rules", "got"),
    [
        ("S", "yuanhang", "S is a wildcard"),
        ("C", "yuanhang", "C is a red dragon"),
        ("E", "qipi", "E is a skin in the role of a red dragon"),
    ],
)
def test_s3_0_refusal_tile_not_claimable(tile: str, rules: str, got: str) -> None:
    case = make("456m234p6755s", ["chow 123m 3"], tile, "discard", 1, rules=rules)
    assert refused(case, "tile_not_claimable", "3.0")[0] == got


def test_s3_1_refusal_holds_kong_tile() -> None:
    case = make("456m234p55sCCC", ["chow 123m 3"], "5s")
    assert refused(case, "holds_kong_tile", "3.1")[0] == "holds CCC"


def test_s3_2_refusal_not_open() -> None:
    case = small(opens=0)
    assert refused(case, "not_open", "3.2")[1] == "one open meld: chow, pung, added kong"
    case["rules"] = "laizigang"
    assert refused(case, "not_open", "3.2")[1].endswith("direct kong")


def test_s3_3_refusal_no_shape() -> None:
    case = make("456m23p9p67855s", ["chow 123m 3"], "8s")
    got, _ = refused(case, "no_shape", "3.3")
    assert got.startswith("sets and a pair: tiles short 1, all 258: 13")


def test_s3_4_refusal_head_not_258() -> None:
    got, enough = refused(make("456m234p67833s", ["chow 123m 3"], "8s"), "head_not_258", "3.4")
    assert got == "pair was 33s"
    assert enough.startswith("a pair of 258 tiles")
    assert "qingyise (one suit)" in enough
    wild = make("456m234p6783sS", ["chow 123m 3"], "8s", options={"win.head_258_free": []})
    got, enough = refused(wild, "head_not_258", "3.4")
    assert got == "pair was 3s with wildcard S"
    assert "one of" not in enough


def test_s3_5_refusal_too_many_wild() -> None:
    case = make("45m23p67855sSS", ["chow 123m 3"], "8s")
    assert refused(case, "too_many_wild", "3.5") == ("wildcards held: 2", "at most 1, or a big type")


def test_s5_refusal_below_minimum() -> None:
    case = small()
    got, enough = refused(case, "below_minimum", "5")
    assert got == "shares of the best reading: 8, 16, 8"
    assert enough == "20 points from at least one payer; best share 16"
    score = explain_case(case)
    assert score.refusal is not None
    assert score.refusal.without is not None
    assert score.refusal.without.answer["owed"] == [0, 8, 16, 8]
    assert "with no minimum it would have been:" in str(score)
    each = small(options={"win.minimum": "each_payer", "win.minimum_points": 10, "score.stake": 3})
    assert refused(each, "below_minimum", "5")[1] == "30 points from each payer; lowest share 24"


HONGXIN_BAO: Case = {"indicator": "1m", "rules": "hongxin"}  # 2m is the bao


def test_s8_refusal_bao_not_claimable() -> None:
    case = make("22m456m789m55s12p", [], "2m", "discard", 1, **HONGXIN_BAO, players={0: {"bao_had": 2}})
    case["players"][0]["hand"] = "22456789m55s123p"
    assert refused(case, "bao_not_claimable", "8") == ("bao held in this hand: 2", "three bao held (jiebao)")


def test_s8_refusal_wild_on_discard() -> None:
    case = make("2456789m55s1239p", [], "9p", "discard", 1, **HONGXIN_BAO, players={0: {"bao_had": 1}})
    got, enough = refused(case, "wild_on_discard", "8")
    assert got.startswith("won on a discard")
    assert enough == "a self-draw, or robbing an added kong"


def test_s8_refusal_no_shape_names_every_shape() -> None:
    case = make("1346789m55s1235p9p", [], "9p", **HONGXIN_BAO)
    got, _ = refused(case, "no_shape", "8")
    assert [part.split(":")[0] for part in re.split(r", (?=[a-z]+ )", got)] == [
        "sets and a pair",
        "seven pairs",
        "thirteen lan",
        "nine yao",
    ]


# ---- words ---------------------------------------------------------------------------------------


def test_every_word_is_there_in_both_languages_with_the_same_gaps() -> None:
    for key, texts in WORDS.items():
        gaps = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in texts]
        assert gaps[0] == gaps[1], key
        assert all(texts), key


def test_every_option_is_explained_in_chinese() -> None:
    assert DOCS_ZH.keys() == OPTIONS.keys()
    assert all(DOCS_ZH.values())


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="lang = 'fr', must be en or zh"):
        explain_case(small()).to_text("fr")  # type: ignore[arg-type]


def test_html_is_escaped() -> None:
    score = explain_case(small(options=RAW))
    assert "<table>" in score._repr_html_()
    object.__setattr__(score.game.rules, "preset", type(score.game.rules.preset)("<b>"))
    assert "&lt;b&gt;" in score._repr_html_()
    assert "<b><b>" not in score._repr_html_()


def test_chinese_text_has_chinese_tiles() -> None:
    text = explain_case(small(options=RAW)).to_text("zh")
    assert "55条" in text
    assert word("type.pihu", "zh") in text
