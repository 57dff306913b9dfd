"""Points of Hongxin hands: RULES.md section 8 clause by clause, and the cases that cannot be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import case_maker
from case_maker import Case, owed, refusal, types
from wuhan_core.scoring import CaseError, score_case
from wuhan_core.tiles import parse_tiles

# The bao is S (indicator E) unless said otherwise. Fourteen tiles each, won on the tile behind.
PINGHU = ("123m456p789s234s55p", "5p")
PENGPENGHU = ("111m333m999p777s55p", "5p")
QIDUI = ("1133m5577p2244s66s", "6s")
HAOHUA = ("1133m5577p2222s66s", "6s")
LAN = ("147m258p369sEWNCF", "F")
LAN_SEVEN = ("147m25p36sESWNCFP", "F")
YAO = ("199m1199p119sEEWW", "W")
YAO_SEVEN = ("19m19p119sESWNCFP", "F")


def make(
    hand: str,
    tile: str,
    melds: Iterable[str] = (),
    *,
    flown: int = 0,
    source: str = "self_draw",
    loser: int | None = None,
    indicator: str = "E",
    bao: str = "S",
    options: Case | None = None,
    players: dict[int, Case] | None = None,
    **win: Any,
) -> Case:
    """Build a case that seat 0 wins, with all the bao it has had; `flown` were discarded."""
    had = parse_tiles(hand).count(parse_tiles(bao)[0]) + flown
    others = players or {}
    own = {"bao_had": had, "wild_discards": flown} | others.get(0, {})
    return case_maker.make(
        hand,
        melds,
        tile,
        source,
        loser,
        rules="hongxin",
        options=options,
        indicator=indicator,
        players=others | {0: own},
        **win,
    )


def claimed(hand: str, tile: str, melds: Iterable[str] = (), **more: Any) -> Case:
    """Build a win on seat 1's discard."""
    return make(hand, tile, melds, source="discard", loser=1, **more)


def robbed(hand: str, tile: str, melds: Iterable[str] = (), **more: Any) -> Case:
    """Build a win on seat 1's added kong."""
    kong = f"added_kong {tile[0] * 4}{tile[1:]} 3"
    return make(hand, tile, melds, source="rob_kong", loser=1, players={1: {"melds": [kong]}}, **more)


def faults(case: Case) -> list[str]:
    with pytest.raises(CaseError) as caught:
        score_case(case)
    return caught.value.faults


# ---- bao, red dragon -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("indicator", "bao"),
    [
        *(("1m", "2m"), ("9m", "1m"), ("9p", "1p"), ("8s", "9s"), ("9s", "1s")),
        *(("E", "S"), ("S", "W"), ("W", "N"), ("N", "E"), ("C", "F"), ("F", "P"), ("P", "C")),
    ],
)
def test_s8_the_bao_is_the_next_in_its_ring(indicator: str, bao: str) -> None:
    case = make("234m456p678s345s55p", "5p", indicator=indicator, bao=bao)
    case["players"][0]["bao_had"] = parse_tiles("234m456p678s345s55p").count(parse_tiles(bao)[0])
    assert score_case(case | {"laizi": bao})["wins"]
    wrong = "3m" if bao != "3m" else "4m"
    assert faults(case | {"laizi": wrong})[0].startswith(f"laizi = '{wrong}', must be {bao}: it follows")


def test_s8_the_red_dragon_is_an_ordinary_tile() -> None:
    assert types(make("123m456p789sCCC55p", "5p")) == ["pinghu", "wubao"]
    assert types(make("123m456p789s234sCC", "C")) == ["pinghu", "wubao"]
    assert types(make("123m456p789s55p", "5p", ["pung CCC 2"])) == ["pinghu", "wubao"]
    assert types(claimed("123m456p789s234sC", "C")) == ["pinghu", "wubao"]


def test_s8_a_bao_is_in_no_meld_and_nothing_is_konged_singly() -> None:
    (fault,) = faults(make("123m456p789s55p", "5p", ["pung SSS 2"]))
    assert "has S, a wildcard, which is in no meld" in fault
    for name in "red_kongs", "wild_kongs", "skin_kongs":
        (fault,) = faults(make(*PINGHU, players={2: {name: 1}}))
        assert fault.startswith(f"players[2].{name} = 1, must be 0 under score.model = patterns")


# ---- patterns ------------------------------------------------------------------------------------

ALL = [PINGHU, PENGPENGHU, QIDUI, HAOHUA, LAN, LAN_SEVEN, YAO, YAO_SEVEN]
NAMES = (
    *("pinghu", "pengpenghu", "qidui", "haohuaqidui"),
    *("shisanlang", "qixingshisanlang", "jiuyao", "qixingjiuyao"),
)
VALUES = (1, 3, 3, 6, 1, 3, 1, 3)


@pytest.mark.parametrize(("won", "name", "value"), list(zip(ALL, NAMES, VALUES, strict=True)))
def test_s8_each_pattern_and_its_value(won: tuple[str, str], name: str, value: int) -> None:
    answer = score_case(make(*won))
    assert answer["types"] == [name, "wubao"]
    assert answer["hard"] is True
    assert answer["owed"] == [0, 4 * value, 4 * value, 4 * value]  # wubao, self_draw
    assert answer["deltas"] == [12 * value, -4 * value, -4 * value, -4 * value]
    assert answer["liable"] is None


@pytest.mark.parametrize("won", ALL)
@pytest.mark.parametrize("option", NAMES)
def test_s8_the_value_of_a_pattern_is_that_of_its_option(won: tuple[str, str], option: str) -> None:
    before, after = owed(make(*won)), owed(make(*won, options={f"value.{option}": 7}))
    own = NAMES[ALL.index(won)]
    # a narrower pattern fits where the wider one does: more for the wider one counts there too
    wider = {"pengpenghu": "pinghu", "haohuaqidui": "qidui", "qixingshisanlang": "shisanlang"}
    fits = option in (own, wider.get(own, own)) or (own, option) == ("qixingjiuyao", "jiuyao")
    assert after == ([0, 28, 28, 28] if fits else before)


def test_s8_pengpenghu_may_have_pungs_and_kongs() -> None:
    melds = ["pung 222m 1", "concealed_kong 4444p", "added_kong FFFF 2", "direct_kong 6666s 3"]
    assert types(make("99s", "9s", melds)) == ["dandiao", "pengpenghu", "wubao"]
    assert types(make("99s", "9s", [*melds[:3], "chow 567s 3"])) == ["dandiao", "pinghu", "wubao"]


FIVE: Case = {"indicator": "4s", "bao": "5s"}


@pytest.mark.parametrize(
    ("hand", "tile", "expected"),
    [
        ("123m456p789s24s55p5s", "5p", "pinghu"),
        ("123m456p79s24s55p55s", "5p", "pinghu"),
        ("1113m999p777sEE55s", "E", "pengpenghu"),
        ("1133m5577p2244s6s5s", "6s", "qidui"),
        ("1133m5577p222s66s5s", "6s", "haohuaqidui"),
        ("1133m5577p22s66s55s", "6s", "haohuaqidui"),  # four alike with two bao
        ("147m258p36sEWNCF5s", "F", "shisanlang"),
        ("147m258p36sEN5555s", "E", "shisanlang"),
        ("147m25p36sEWNCFP5s", "F", "qixingshisanlang"),
        ("37m37p28sEWNC5555s", "C", "qixingshisanlang"),
        ("199m1199p119sEEW5s", "W", "jiuyao"),
        ("19m199p119sEWNCF5s", "F", "jiuyao"),  # one bao for two honours
        ("19m19p119sEWNCFP5s", "F", "qixingjiuyao"),
        ("19m199p19sEWNCF55s", "F", "qixingjiuyao"),
    ],
)
def test_s8_bao_fill_any_pattern(hand: str, tile: str, expected: str) -> None:
    shape = {
        "pinghu": "standard",
        "pengpenghu": "standard",
        "qidui": "seven_pairs",
        "haohuaqidui": "seven_pairs",
    }
    lan_or_yao = "thirteen_lan" if expected.endswith("lang") else "nine_yao"
    only = {"win.shapes": [shape.get(expected, lan_or_yao)]}
    answer = score_case(make(hand, tile, options=only, **FIVE))
    assert [name for name in answer["types"] if name in NAMES] == [expected]
    assert answer["hard"] is False
    assert "wubao" not in answer["types"]


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        ("147m258p369sEEWNC", "C"),  # two alike
        ("146m258p369sEWNCF", "F"),  # two ranks apart
        ("135m258p369sEWNCF", "F"),
        ("37m37p37sEWNC5555s", "C"),  # suits full, three honours missing, four bao
        ("199m1199p129sEEWW", "W"),  # a 2
        ("1133m5577p2344s66s", "6s"),
        ("1133m5577p224s6s5s9m", "6s"),
        ("123m456p789s236s55p", "5p"),
    ],
)
def test_s8_no_shape(hand: str, tile: str) -> None:
    assert refusal(make(hand, tile, **FIVE)) == "no_shape"


def test_s8_ranks_of_one_suit_are_apart_those_of_two_suits_are_not_asked() -> None:
    assert types(make("18m18p147sESWNCFP", "P", indicator="4m", bao="5m")) == ["qixingshisanlang", "wubao"]
    assert types(make("258m147p369sEWNCF", "F")) == ["shisanlang", "wubao"]


@pytest.mark.parametrize(
    ("won", "shape"),
    list(zip(ALL[::2], ["standard", "seven_pairs", "thirteen_lan", "nine_yao"], strict=True)),
)
def test_s9_win_shapes(won: tuple[str, str], shape: str) -> None:
    rest = [name for name in ("standard", "seven_pairs", "thirteen_lan", "nine_yao") if name != shape]
    assert refusal(make(*won, options={"win.shapes": rest})) == "no_shape"
    assert refusal(make(*won, options={"win.shapes": [shape]})) is None


def test_s8_shapes_without_sets_have_no_meld() -> None:
    assert refusal(make("1133m5577p22sS", "2s", ["pung EEE 1"])) == "no_shape"
    assert refusal(make("119m1199p119sN", "N", ["pung EEE 1"])) == "no_shape"
    assert refusal(make("147m25p36sSWNC", "C", ["pung EEE 1"])) == "no_shape"


# ---- wildcards and discards ----------------------------------------------------------------------

SOFT_ON_3S = ("123m456p78s24s55pS", "3s")


def test_s8_a_bao_that_stands_for_another_tile_wins_by_self_draw_or_robbing_only() -> None:
    hand, tile = SOFT_ON_3S
    assert refusal(claimed(hand, tile)) == "wild_on_discard"
    assert types(make(hand + tile, tile)) == ["pinghu"]
    assert types(robbed(hand, tile)) == ["pinghu", "qianggang"]


def test_s8_a_bao_as_itself_may_win_on_a_discard() -> None:
    assert types(claimed("123m456p789s23sSS", "4s")) == ["pinghu", "wubao"]
    assert refusal(claimed("123m456p789s26sSS", "4s")) == "wild_on_discard"
    assert refusal(claimed("123m456p789s26sSS", "9m")) == "no_shape"


def test_s8_jiebao() -> None:
    # three had: two in the hand and one flown
    answer = score_case(claimed("123m456p789s23sSS", "S", flown=1))
    assert answer["types"] == ["jiebao", "pinghu"]
    assert answer["owed"] == [0, 8, 4, 4]  # feibao
    assert types(claimed("123m456p789s5pSSS", "S")) == ["jiebao", "pinghu"]
    assert refusal(claimed("123m456p789s23sSS", "S")) == "bao_not_claimable"
    assert refusal(claimed("123m456p789s23sSS", "S", flown=1, options={"claims.discard_win": False})) == (
        "no_discard_win"
    )
    assert refusal(claimed("147m258p369s14sSS", "S", flown=1)) == "no_shape"


def test_s8_jiebao_counts_also_where_the_bao_stands_for_itself() -> None:
    answer = score_case(claimed("123m456p789s55pSS", "S", flown=1))
    assert answer["types"] == ["jiebao", "pinghu", "wubao"]
    assert answer["owed"] == [0, 16, 8, 8]


def test_s8_refusals_in_order() -> None:
    junk = "147m258p369s14sSS"
    closed = {"win.open_melds": "chow_pung"}
    assert refusal(claimed(junk, "S", options=closed | {"claims.discard_win": False})) == "no_discard_win"
    assert refusal(claimed(junk, "S", options=closed)) == "bao_not_claimable"
    assert refusal(claimed(junk, "9m", options=closed)) == "not_open"
    assert refusal(claimed(junk, "9m")) == "no_shape"
    assert refusal(claimed(*SOFT_ON_3S)) == "wild_on_discard"


def test_s8_no_opening_is_asked_unless_the_option_says_so() -> None:
    closed = {"win.open_melds": "chow_pung"}
    assert refusal(make(*PINGHU, options=closed)) == "not_open"
    assert refusal(make("456p789s234s55p", "5p", ["chow 123m 3"], options=closed)) is None
    kong = ["direct_kong 1111m 1"]
    assert refusal(make("456p789s234s55p", "5p", kong, options=closed)) == "not_open"
    assert refusal(make("456p789s234s55p", "5p", kong, options={"win.open_melds": "chow_pung_kong"})) is None


# ---- factors -------------------------------------------------------------------------------------

AS_ITSELF = ("123m456p789s345s66p", "6p")  # with the bao 5s
PAIRS_OF_CHOWS = ("112233m445566pSS", "S")
HANGING = "123m456p789s234sS"  # sets and a bao: any draw wins


def test_s8_wubao_is_the_hard_reading_also_without_a_bao_in_the_hand() -> None:
    assert types(make(*PINGHU)) == ["pinghu", "wubao"]
    assert types(make(*AS_ITSELF, **FIVE)) == ["pinghu", "wubao"]
    assert owed(make(*AS_ITSELF, **FIVE)) == [0, 4, 4, 4]


def test_s8_gangkai() -> None:
    case = make("456p789s234s55p", "5p", ["concealed_kong 1111m"], after_kong=True)
    assert types(case) == ["gangkai", "pinghu", "wubao"]
    assert owed(case) == [0, 8, 8, 8]


def test_s8_robbing_the_konger_pays_all_three_shares_and_counts_as_the_discarder() -> None:
    answer = score_case(robbed(*SOFT_ON_3S))
    assert answer["types"] == ["pinghu", "qianggang"]
    assert answer["owed"] == [0, 4, 2, 2]
    assert answer["liable"] == 1
    assert answer["deltas"] == [8, -8, 0, 0]


def test_s8_self_draw_doubles_every_loser_and_a_discard_the_discarder() -> None:
    assert owed(make(*PINGHU, options={"factor.self_draw": 5})) == [0, 10, 10, 10]
    answer = score_case(claimed(PINGHU[0][:-2] + "p", "5p", options={"factor.discarder": 5}))
    assert answer["owed"] == [0, 10, 2, 2]
    assert answer["deltas"] == [14, -10, -2, -2]
    assert answer["liable"] is None


def test_s8_baodiaotou() -> None:
    answer = score_case(make(HANGING + "9m", "9m"))
    assert answer["types"] == ["baodiaotou", "pinghu"]
    assert answer["owed"] == [0, 4, 4, 4]
    # the other bao are free
    assert types(make("123m456p789s24sSS9m", "9m")) == ["baodiaotou", "pinghu"]
    assert types(make("111m333p99sSSS77s5m", "5m", options={"win.shapes": ["standard"]})) == [
        "baodiaotou",
        "pengpenghu",
    ]
    # a bao that completes a set is none to spare
    assert types(make("123m456p789s24s55pS", "5p")) == ["pinghu"]
    # judged before the draw
    assert types(make("123m456p789s23s5p4sS", "4s")) == ["pinghu"]


def test_s8_baodiaotou_is_for_self_draws_of_pinghu_and_pengpenghu() -> None:
    assert refusal(claimed(HANGING, "9m")) == "wild_on_discard"
    assert types(robbed(HANGING, "9m")) == ["pinghu", "qianggang"]
    assert types(make(*PAIRS_OF_CHOWS, options={"value.haohuaqidui": 5})) == ["qidui", "wubao"]
    low = {"value.haohuaqidui": 1, "value.qidui": 1}
    assert types(make(*PAIRS_OF_CHOWS, options=low)) == ["baodiaotou", "pinghu", "wubao"]


def test_s8_baodiaotou_is_judged_whichever_reading_wins() -> None:
    answer = score_case(make(HANGING + "S", "S"))
    assert answer["types"] == ["baodiaotou", "pinghu", "wubao"]
    assert answer["owed"] == [0, 8, 8, 8]


@pytest.mark.parametrize(
    ("hand", "tile", "expected", "share"),
    [
        (HANGING + "9m", "9m", "baodiaotou", 4),  # neither applies
        (HANGING + "S", "S", "baodiaowubao", 16),  # hard, though the draw is a bao
        ("123m456p789s24sSSS", "S", "baodiaobao", 8),
        ("123m456p789s24s55pS", "5p", None, 2),  # not in the state any more
    ],
)
def test_s8_after_a_passed_win(hand: str, tile: str, expected: str | None, share: int) -> None:
    for skipped in 1, 2:
        answer = score_case(make(hand, tile, skipped=skipped))
        assert [name for name in answer["types"] if name.startswith("baodiao")] == [expected] * bool(expected)
        assert answer["owed"] == [0, share, share, share]
    assert not {"baodiaobao", "baodiaowubao"} & set(types(make(hand, tile)))


def test_s8_dandiao_is_one_tile_besides_four_melds_of_any_kind() -> None:
    melds = ["chow 123m 3", "pung 999m 1", "concealed_kong 4444p", "direct_kong 6666s 2"]
    assert types(make("55s", "5s", melds)) == ["dandiao", "pinghu", "wubao"]
    assert types(claimed("5s", "5s", melds)) == ["dandiao", "pinghu", "wubao"]
    assert types(make("S5s", "5s", melds)) == ["baodiaotou", "dandiao", "pinghu"]
    assert owed(make("S5s", "5s", melds)) == [0, 8, 8, 8]
    assert types(make("55s789s", "5s", melds[:3])) == ["pinghu", "wubao"]


def test_s8_sigebao_counts_flown_and_self_drawn_bao_but_no_claimed_one() -> None:
    assert types(make("123m456p7s2s55pSSSS", "S")) == ["pinghu", "sigebao"]
    assert types(make("123m456p789s23s55pS", "5p", flown=3)) == ["pinghu", "sigebao"]
    assert types(make(*PINGHU, flown=4)) == ["pinghu", "sigebao", "wubao"]
    assert types(make(*PINGHU, flown=3)) == ["pinghu", "wubao"]
    assert types(claimed("123m456p789s5pSSS", "S")) == ["jiebao", "pinghu"]


@pytest.mark.parametrize("flown", [0, 1, 2, 3])
def test_s8_feibao_for_each_bao_that_the_winner_discarded(flown: int) -> None:
    assert owed(make(*PINGHU, flown=flown)) == [0, *[4 * 2**flown] * 3]
    assert owed(make(*PINGHU, flown=flown, options={"factor.feibao": 3})) == [0, *[4 * 3**flown] * 3]
    assert owed(make(*PINGHU, players={1: {"wild_discards": flown}})) == [0, 4, 4, 4]


@pytest.mark.parametrize("skipped", [0, 1, 3])
def test_s8_touji_for_each_passed_win_in_whatever_win(skipped: int) -> None:
    three = {"factor.touji": 3}
    assert owed(make(*PINGHU, flown=1, skipped=skipped)) == [0, 8, 8, 8]
    assert owed(make(*PINGHU, flown=1, skipped=skipped, options=three)) == [0, *[8 * 3**skipped] * 3]
    assert types(make(*PINGHU, flown=1, skipped=skipped, options=three)) == ["pinghu", "wubao"]


def test_s8_tianhu_and_dihu_raise_each_share_to_the_least() -> None:
    tianhu: Case = {"first": "tianhu", "dealer": 0}
    dihu: Case = {"first": "dihu", "dealer": 1}
    answer = score_case(make(*PINGHU, **tianhu))
    assert (answer["types"], answer["owed"]) == (["pinghu", "tianhu", "wubao"], [0, 16, 16, 16])
    assert answer["deltas"] == [48, -16, -16, -16]
    answer = score_case(claimed("123m456p789s234s5p", "5p", **dihu))
    assert (answer["types"], answer["owed"]) == (["dihu", "pinghu", "wubao"], [0, 16, 16, 16])
    assert owed(make(*HAOHUA, **tianhu)) == [0, 24, 24, 24]
    assert owed(claimed("1133m5577p2222s6s", "6s", **dihu)) == [0, 24, 16, 16]


def test_s8_the_least_is_an_option_of_each_and_times_stake() -> None:
    tianhu: Case = {"first": "tianhu", "dealer": 0}
    dihu: Case = {"first": "dihu", "dealer": 1}
    options = {"least.tianhu": 30, "least.dihu": 40, "score.stake": 100}
    assert owed(make(*PINGHU, **tianhu, options=options)) == [0, 3000, 3000, 3000]
    assert owed(claimed("123m456p789s234s5p", "5p", **dihu, options=options)) == [0, 4000, 4000, 4000]
    assert owed(make(*PINGHU, options=options)) == [0, 400, 400, 400]
    assert owed(make(*PINGHU, **tianhu, options={"least.tianhu": 0})) == [0, 4, 4, 4]


# a win, and the factors that apply in it
APPLY: list[tuple[Case, set[str]]] = [
    (make(*PINGHU), {"wubao", "self_draw"}),
    (claimed("123m456p789s234s5p", "5p"), {"wubao", "discarder"}),
    (make("123m456p789s24sS55p", "5p"), {"self_draw"}),
    (
        make("456p789s234s55p", "5p", ["added_kong 1111m 1"], after_kong=True),
        {"wubao", "gangkai", "self_draw"},
    ),
    (robbed(*SOFT_ON_3S), {"qianggang", "discarder"}),
    (claimed("123m456p789s23sSS", "S", flown=1), {"jiebao", "feibao", "discarder"}),
    (make(HANGING + "9m", "9m"), {"baodiaotou", "self_draw"}),
    (make(HANGING + "9m", "9m", skipped=1), {"baodiaotou", "touji", "self_draw"}),
    (make("123m456p789s24sSSS", "S", skipped=1), {"baodiaobao", "touji", "self_draw"}),
    (make(HANGING + "S", "S", skipped=1), {"wubao", "baodiaowubao", "touji", "self_draw"}),
    (
        claimed("5s", "5s", ["chow 123m 3", "pung 999m 1", "pung 444p 2", "pung 666s 2"]),
        {"wubao", "dandiao", "discarder"},
    ),
    (make("123m456p7s2s55pSSSS", "S"), {"sigebao", "self_draw"}),
    (make(*QIDUI, flown=2), {"wubao", "feibao", "self_draw"}),
]


@pytest.mark.parametrize("case", [case for case, _ in APPLY])
def test_s8_each_factor_is_its_option_and_touches_nothing_else(case: Case) -> None:
    expected = next(names for other, names in APPLY if other is case)
    before = score_case(case)
    for name in sorted(set().union(*(names for _, names in APPLY))):
        value = {"baodiaowubao": 4, "baodiaobao": 4, "touji": 1}.get(name, 2)
        after = score_case(case | {"set": {f"factor.{name}": 1000 * value if value == 1 else 250 * value}})
        times = 1000 if value == 1 else 250
        if name == "baodiaobao" and "baodiaowubao" in before["types"]:
            assert after["types"] == ["baodiaobao", "pinghu"]  # so much that the soft reading is better
            continue
        if name not in expected:
            assert after == before, name
        elif name == "discarder":
            assert after["owed"] == [before["owed"][0], times * before["owed"][1], *before["owed"][2:]]
        elif name == "feibao":
            flown = case["players"][0]["wild_discards"]
            assert after["owed"] == [times**flown * share for share in before["owed"]]
        else:
            assert after["owed"] == [times * share for share in before["owed"]], name
        assert after["types"] == before["types"]


def test_s8_stake_multiplies_all() -> None:
    assert owed(make(*PINGHU, options={"score.stake": 1000})) == [0, 4000, 4000, 4000]


def test_shares_end_at_2_to_the_60() -> None:
    most = {f"factor.{name}": 1000 for name in ("wubao", "feibao", "self_draw", "sigebao", "touji")}
    case = make(
        *PINGHU, flown=4, skipped=136, options=most | {"score.stake": 1_000_000, "value.pinghu": 1000}
    )
    answer = score_case(case)
    assert answer["owed"] == [0, 2**60, 2**60, 2**60]
    assert answer["deltas"] == [3 * 2**60, -(2**60), -(2**60), -(2**60)]


# ---- which reading and pattern counts --------------------------------------------------------------

BOTH: Case = {
    "hand": "11123m999m888p777s",
    "tile": "8p",
    "indicator": "1m",
    "bao": "2m",
}  # hard pinghu, soft pengpenghu


@pytest.mark.parametrize(
    ("wubao", "expected"), [(2, ["pengpenghu"]), (3, ["pengpenghu"]), (4, ["pinghu", "wubao"])]
)
def test_s8_most_points_then_the_higher_value(wubao: int, expected: list[str]) -> None:
    assert types(make(**BOTH, options={"factor.wubao": wubao})) == expected


def test_s8_then_wubao() -> None:
    answer = score_case(make(*AS_ITSELF, **FIVE, options={"factor.wubao": 1}))
    assert (answer["types"], answer["hard"]) == (["pinghu", "wubao"], True)


def test_s8_then_the_order_of_the_list() -> None:
    all_honours = ("EESSWWNNCCFFPP", "P")
    assert types(make(*all_honours, **FIVE)) == ["qidui", "wubao"]
    assert types(make(*all_honours, **FIVE, options={"value.qixingjiuyao": 4})) == ["qixingjiuyao", "wubao"]
    assert types(make(*PENGPENGHU, options={"value.pinghu": 3})) == ["pinghu", "wubao"]


# ---- cases that cannot be ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("had", "flown", "right"), [(0, 0, 1), (2, 0, 1), (1, 1, 2), (None, 0, 1), (4, 1, 2), (1, 3, 4)]
)
def test_s10_bao_had_is_the_bao_in_hand_and_those_flown(had: int | None, flown: int, right: int) -> None:
    case = make("123m456p789s24sS55p", "5p")
    case["players"][0] |= {"bao_had": had, "wild_discards": flown}
    if had is None:
        del case["players"][0]["bao_had"]
    (fault,) = faults(case)
    assert fault.startswith(f"players[0].bao_had = {had or 0}, must be {right}: ")


def test_s10_bao_had_is_read_for_the_winner_only() -> None:
    case = make(*PINGHU, players={1: {"bao_had": 3}})
    assert score_case(case) == score_case(make(*PINGHU))


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (make(*PINGHU, first="tianhu"), "win.first = 'tianhu', must be the dealer's self-draw"),
        (make(*PINGHU, first="dihu", dealer=1), "win.first = 'dihu', must be on the dealer's discard"),
        (make(*PINGHU, flown=1, first="tianhu", dealer=0), "must be null once a wildcard has been discarded"),
        (make(*PINGHU, skipped=1, first="tianhu", dealer=0), "win.skipped = 1, must be 0: nobody has drawn"),
        (
            make("456p789s234s55p", "5p", ["pung 111m 1"], first="tianhu", dealer=0),
            "must be null once there are melds or kongs",
        ),
        (make(*PINGHU, last_draw=True), "must be false with deal.last_draws = 0"),
        (make(*PINGHU, skipped=137), "win.skipped = 137, must be a whole number from 0 to 136"),
        (make(*PINGHU) | {"codes": ["1m"]}, "must be absent: score.model = patterns turns up no codes"),
    ],
)
def test_s10_cases_that_cannot_be(case: Case, expected: str) -> None:
    (fault,) = faults(case)
    assert expected in fault


def test_s10_a_first_discard_may_be_a_bao() -> None:
    case = claimed("123m456p789s5pSSS", "S", first="dihu", dealer=1)
    case["players"][1]["wild_discards"] = 1
    assert types(case) == ["dihu", "jiebao", "pinghu"]


def test_s10_the_answer_has_the_fields_of_hongxin() -> None:
    assert set(score_case(make(*PINGHU))) == {
        *("wins", "why_not", "types", "owed", "liable", "deltas", "hard")
    }
    assert score_case(make(*PINGHU, options={"win.shapes": ["nine_yao"]})) == {
        "wins": False,
        "why_not": "no_shape",
    }


def test_s9_any_rule_set_may_take_the_model() -> None:
    options = {
        "score.model": "patterns",
        "wild.ring": "split",
        "win.shapes": ["standard"],
        "win.open_melds": "none",
    }
    assert owed(make(*PINGHU) | {"rules": "yuanhang", "set": options}) == [0, 4, 4, 4]
