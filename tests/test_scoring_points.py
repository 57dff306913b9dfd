"""What a win brings: the clauses of RULES.md sections 4 to 6 one by one."""

from __future__ import annotations

from typing import Any

import pytest

from case_maker import QUAN, RAW, Case, make, owed, pungs, refusal, robbed, small
from wuhan_core.scoring import score_case

# ---- section 4: points ---------------------------------------------------------------------------
# `small` on a discard of seat 1, dealer seat 2: base 1 x open 2 x hard 2 = 4; discarder x 2, dealer x 2


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (small("discard", 1), [0, 8, 8, 4]),
        (small(), [0, 8, 16, 8]),
        (small(dealer=0), [0, 16, 16, 16]),
        (small("discard", 2), [0, 4, 16, 4]),
        (small("discard", 1, opens=3), [0, 32, 32, 16]),
        (small("discard", 1, players={0: {"red_kongs": 2}}), [0, 32, 32, 16]),
        (small("discard", 1, players={1: {"red_kongs": 1}}), [0, 16, 8, 4]),
        (small("discard", 1, players={0: {"wild_kongs": 1}}), [0, 32, 32, 16]),
        (small("discard", 1, players={3: {"wild_kongs": 1}}), [0, 8, 8, 16]),
        (small("discard", 1, players={0: {"wild_discards": 2}}), [0, 32, 32, 16]),
        (small("discard", 1, players={2: {"wild_discards": 1}}), [0, 8, 16, 4]),
        (small("discard", 1, players={3: {"melds": ["pung 999m 1", "chow 123s 2"]}}), [0, 8, 8, 16]),
        (small("discard", 1, players={3: {"melds": ["direct_kong 9999m 1"]}}), [0, 8, 8, 8]),
        (small("discard", 1, players={3: {"melds": ["added_kong 9999m 1"]}}), [0, 8, 8, 16]),
        (small("discard", 1, players={3: {"melds": ["concealed_kong 9999m"]}}), [0, 8, 8, 16]),
        (make("456m234p6755s", ["added_kong 1111m 3"], "8s", "discard", 1), [0, 16, 16, 8]),
        (make("234p6755s", ["chow 123m 3", "direct_kong 9999m 3"], "8s", "discard", 1), [0, 16, 16, 8]),
        (make("234p6755s", ["chow 123m 3", "concealed_kong 9999m"], "8s", "discard", 1), [0, 32, 32, 16]),
        (make("456m234pS755s", ["chow 123m 3"], "8s", "discard", 1), [0, 4, 4, 2]),
        (pungs(), [0, 60, 60, 60]),
        (pungs("discard", 1), [0, 60, 40, 40]),
        (pungs("discard", 1, dealer=0), [0, 60, 40, 40]),
        (pungs("discard", 1, opens=3), [0, 240, 160, 160]),
    ],
)
def test_s4_factors(case: Case, expected: list[int]) -> None:
    assert owed(case | {"set": RAW}) == expected


def test_s4_small_discarder_doubles_only_that_loser() -> None:
    assert owed(small("discard", 3, options=RAW)) == [0, 4, 8, 8]
    assert owed(small("discard", 3, options=RAW | {"score.small_discarder": 5})) == [0, 4, 8, 20]


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("score.small_base", 3, [0, 24, 24, 12]),
        ("score.hard", 3, [0, 12, 12, 6]),
        ("score.small_discarder", 3, [0, 12, 8, 4]),
        ("score.small_dealer", 3, [0, 8, 12, 4]),
        ("score.stake", 50, [0, 400, 400, 200]),
        ("score.small_self_draw", 7, [0, 8, 8, 4]),
        ("score.big_base", 70, [0, 8, 8, 4]),
    ],
)
def test_s4_an_option_changes_its_own_factor_only(option: str, value: int, expected: list[int]) -> None:
    assert owed(small("discard", 1, options=RAW | {option: value})) == expected


@pytest.mark.parametrize(
    ("option", "player", "factor"),
    [
        ("score.kong_red", {"red_kongs": 2}, 9),
        ("score.kong_wild", {"wild_kongs": 2}, 9),
        ("score.kong_skin", {"skin_kongs": 2}, 9),
        ("score.wild_discard", {"wild_discards": 2}, 9),
        ("score.kong_exposed", {"melds": ["direct_kong 9999m 1", "direct_kong 9999s 2"]}, 9),
        ("score.kong_concealed", {"melds": ["concealed_kong 9999m", "concealed_kong 9999s"]}, 9),
    ],
)
def test_s4_kongs_and_discarded_wildcards_count_each(option: str, player: Case, factor: int) -> None:
    options = RAW | {"wild.skin_kinds": 1, option: 3}
    assert owed(small("discard", 1, players={3: player}, options=options)) == [0, 8, 8, 4 * factor]


def test_s4_open_once_or_per_meld() -> None:
    for opens in 1, 2, 3:
        case = small("discard", 1, opens=opens, players={3: {"melds": ["pung 999m 1", "pung 999s 2"]}})
        each = owed(case | {"set": RAW | {"score.open": "per_meld"}})
        once = owed(case | {"set": RAW | {"score.open": "once"}})
        assert each == [0, 4 * 2**opens, 4 * 2**opens, 8 * 2**opens]
        assert once == [0, 8, 8, 8]


def test_s4_a_direct_kong_is_an_open_meld_with_chow_pung_kong_only() -> None:
    case = small("discard", 1, players={3: {"melds": ["direct_kong 9999m 1"]}})
    assert owed(case | {"set": RAW | {"win.open_melds": "chow_pung_kong"}}) == [0, 8, 8, 16]
    assert owed(case | {"set": RAW | {"win.open_melds": "none"}}) == [0, 8, 8, 8]


def test_s4_an_added_kong_is_the_open_meld_that_its_pung_was() -> None:
    before = small("discard", 1, players={3: {"melds": ["pung 999m 1"]}}, options=RAW)
    after = small("discard", 1, players={3: {"melds": ["added_kong 9999m 1"]}}, options=RAW)
    assert (owed(before)[3], owed(after)[3]) == (8, 16)


@pytest.mark.parametrize(("stacking", "bases"), [("double", [10, 20, 40]), ("add", [10, 20, 30])])
def test_s4_big_types_stack(stacking: str, bases: list[int]) -> None:
    options = RAW | {"score.big_stacking": stacking}
    hands = [
        pungs("discard", 1, options=options),
        make("333m999m777m5m", ["pung 111m 3"], "5m", "discard", 1, options=options),
        make(
            "5m",
            ["pung 111m 3", "pung 333m 2", "pung 999m 1", "pung 777m 2"],
            "5m",
            "discard",
            1,
            options=options,
        ),
    ]
    opens = [1, 1, 4]
    for hand, base, n in zip(hands, bases, opens, strict=True):
        assert owed(hand)[3] == base * 2**n * 2


def test_s4_fengyise_multiplies_the_base() -> None:
    # two types: 20 x fengyise x open 2 x hard 2, discarder x 1.5
    case = make("WWWNNNFFFE", ["pung PPP 3"], "E", "discard", 1, indicator="1m")
    for factor in 1, 2, 5:
        assert owed(case | {"set": RAW | {"score.fengyise": factor}}) == [
            0,
            *(80 * factor * n // 2 for n in (3, 2, 2)),
        ]
    assert owed(pungs("discard", 1, options=RAW | {"score.fengyise": 5})) == [0, 60, 40, 40]


def test_s4_one_and_a_half_is_not_truncated() -> None:
    soft = make("33mS999p777s5p", ["pung 111m 3"], "5p", "discard", 1)
    assert owed(soft | {"set": RAW | {"score.big_base": 1}}) == [0, 3, 2, 2]
    # a half is rounded up at the very end
    bare = RAW | {"win.open_melds": "none", "score.big_base": 1}
    none = make("111m333m99pS777s5p", [], "5p", "discard", 1, options=bare)
    assert owed(none) == [0, 2, 1, 1]  # 1.5
    assert owed(none | {"set": bare | {"score.stake": 2}}) == [0, 3, 2, 2]
    # two halves in one share: 1.5 x 1.5 x 3 = 6.75
    two = RAW | {
        "score.small_discarder": 1.5,
        "score.small_dealer": 1.5,
        "score.small_base": 3,
        "score.hard": 1,
    }
    two |= {"win.open_melds": "none"}
    assert owed(small("discard", 2, opens=0, options=two)) == [0, 3, 7, 3]
    # caps and the minimum are asked of the exact share
    assert (
        refusal(none | {"set": bare | {"win.minimum": "any_payer", "win.minimum_points": 2}})
        == "below_minimum"
    )
    assert refusal(none | {"set": bare | {"win.minimum": "any_payer", "win.minimum_points": 1}}) is None


def test_s4_factors_that_multiply_to_absurd_sizes_stop_at_2_to_the_60() -> None:
    most = dict.fromkeys(("score.kong_red", "score.kong_wild", "score.kong_skin", "score.wild_discard"), 16)
    most |= {"score.kong_concealed": 16, "score.stake": 1_000_000, "wild.skin_kinds": 1}
    players: dict[int, Case] = {
        0: {"red_kongs": 2, "wild_kongs": 2, "skin_kongs": 2},
        3: {"red_kongs": 2, "wild_discards": 2, "skin_kongs": 1, "melds": ["concealed_kong 9999m"]},
    }
    answer = score_case(small(players=players, options=RAW | most))
    assert answer["owed"] == [0, 8 * 16**6 * 10**6, 16 * 16**6 * 10**6, 2**60]
    assert sum(answer["deltas"]) == 0
    capped = score_case(small(players=players, options=most))
    assert capped["golden"] is True
    assert capped["deltas"] == [1_200_000_000, -400_000_000, -400_000_000, -400_000_000]


# ---- section 5: caps and the minimum -------------------------------------------------------------


def levels(**options: Any) -> Case:
    """Owe 280, 350, 900 before caps: base 10 x each loser's kongs and opens x what the discarder carries."""
    chosen = {
        "win.open_melds": "none",
        "score.kong_red": 7,
        "score.kong_wild": 5,
        "score.big_discarder": 9,
        "liability.third_meld": [],
    }
    players: dict[int, Case] = {
        1: {"red_kongs": 1, "melds": ["pung 999m 2", "pung 999s 2"]},
        2: {"red_kongs": 1, "wild_kongs": 1},
        3: {"wild_kongs": 1, "melds": ["pung 111p 2"]},
    }
    return make("111m333m99pS777s5p", [], "5p", "discard", 3, players=players, options=chosen | options)


def test_s5_each_share_is_capped_by_itself() -> None:
    answer = score_case(levels())
    assert (answer["owed"], answer["capped"], answer["golden"]) == (
        [0, 280, 350, 900],
        [0, 280, 300, 300],
        False,
    )
    assert answer["deltas"] == [880, -280, -300, -300]
    assert score_case(levels(**{"cap.per_payer": 320}))["capped"] == [0, 280, 320, 320]


def test_s5_golden_is_a_fixed_sum_for_all_three() -> None:
    # 10 x 2**3 open x hard 2 x red kong 2 = 320; the discarder x 1.5 x red kong 2 = 960
    players = {0: {"red_kongs": 1}, 1: {"red_kongs": 1}}
    case = pungs("discard", 1, opens=3, players=players)
    answer = score_case(case)
    assert (answer["owed"], answer["capped"], answer["golden"]) == (
        [0, 960, 320, 320],
        [0, 400, 400, 400],
        True,
    )
    assert answer["deltas"] == [1200, -400, -400, -400]
    # all three owe exactly the cap
    assert score_case(case | {"set": {"cap.per_payer": 320}})["golden"] is True
    assert score_case(case | {"set": {"cap.per_payer": 321}})["golden"] is False
    # 0 switches off
    assert score_case(case | {"set": {"cap.per_payer": 0}})["capped"] == [0, 960, 320, 320]
    off = score_case(case | {"set": {"cap.golden": 0}})
    assert (off["capped"], off["golden"]) == ([0, 300, 300, 300], False)
    # stake multiplies the caps too
    assert score_case(case | {"set": {"score.stake": 3}})["capped"] == [0, 1200, 1200, 1200]


def test_s5_with_somebody_liable_there_is_another_cap_and_no_golden() -> None:
    case = make("33355m", ["pung 111m 1", "added_kong 9999m 2", "chow 678m 3"], "5m")
    answer = score_case(case)
    # 10 x 2**3 open x kong 2 x hard 2 x self-draw 1.5 = 480 each
    assert answer["types"] == ["qingyise"]
    assert (answer["owed"], answer["capped"], answer["golden"]) == (
        [0, 480, 480, 480],
        [0, 400, 400, 400],
        False,
    )
    assert (answer["liable"], answer["deltas"]) == (3, [1200, 0, 0, -1200])
    assert score_case(case | {"set": {"cap.liable": 250}})["capped"] == [0, 250, 250, 250]
    assert score_case(case | {"set": {"cap.liable": 0}})["capped"] == [0, 480, 480, 480]
    free = score_case(case | {"set": {"liability.third_meld": [], "cap.golden": 350}})
    assert (free["capped"], free["golden"], free["liable"]) == ([0, 350, 350, 350], True, None)


def test_s5_the_minimum() -> None:
    case = small("discard", 1, opens=2)  # 16 16 8
    assert refusal(case) == "below_minimum"
    for points, any_payer, each_payer in [
        (8, True, True),
        (9, True, False),
        (16, True, False),
        (17, False, False),
    ]:
        for name, passes in [("any_payer", any_payer), ("each_payer", each_payer), ("none", True)]:
            options = {"win.minimum": name, "win.minimum_points": points, "score.stake": 3}
            assert refusal(case | {"set": options}) == (None if passes else "below_minimum")


def test_s5_the_minimum_is_asked_of_a_big_win_too() -> None:
    # 10, and the discarder 15: soft, not opened
    case = make("111m333m99pS777s5p", [], "5p", "discard", 1, options={"win.open_melds": "none"})
    assert refusal(case) == "below_minimum"
    assert refusal(case | {"set": {"win.open_melds": "none", "win.minimum_points": 15}}) is None


def test_s5_the_minimum_is_asked_after_caps_and_before_liability() -> None:
    case = pungs()  # 60 each
    assert refusal(case | {"set": {"cap.per_payer": 19, "cap.golden": 0}}) == "below_minimum"
    assert refusal(case | {"set": {"cap.per_payer": 19, "cap.golden": 20}}) is None
    # liable: one pays 3 x 15, but no share reaches 20
    feeding = make("33355m", ["pung 111m 1", "pung 999m 2", "chow 678m 3"], "5m", options={"cap.liable": 15})
    assert refusal(feeding) == "below_minimum"
    assert score_case(feeding | {"set": {"cap.liable": 20}})["deltas"] == [60, 0, 0, -60]


# ---- section 6: liability ------------------------------------------------------------------------


def test_s6_1_a_robbed_kong_charges_the_konger_what_it_would_have_collected() -> None:
    # the konger waits for 5s: 10 x open 2 x kong 2 x hard 2 x self-draw 1.5 = 120; the robber opened, x 2
    answer = score_case(robbed("123m456p789p5s"))
    assert answer["types"] == ["pihu"]
    assert (answer["big"], answer["hard"], answer["golden"]) == (False, True, False)
    assert (answer["owed"], answer["capped"]) == ([240, 0, 120, 120], [240, 0, 120, 120])
    assert (answer["liable"], answer["deltas"]) == (1, [480, -480, 0, 0])
    # each share is capped at cap.liable
    low = score_case(robbed("123m456p789p5s", options={"cap.liable": 130, "cap.per_payer": 10}))
    assert (low["owed"], low["capped"], low["deltas"][1]) == ([240, 0, 120, 120], [130, 0, 120, 120], -370)


@pytest.mark.parametrize(
    ("konger", "share"),
    [
        ("111m999p3334s", 240),  # 4s: all triplets, two types; 2s or 5s only a run
        ("123m456p789p9s", 120),  # 9s: gangshanghua frees the pair
        ("147m258p369p1s", 120),  # nothing wins: gangshanghua all the same, hard
        ("147m258p369pS", 60),  # ... soft
        ("123m456p789pC", 120),  # a red dragon: nothing wins
        ("SSS456p789p5s", 120),  # S S S as itself
        ("9999m", 240),  # with a fifth 9m, though none is left, 999m 99m
    ],
)
def test_s6_1_the_best_kind_for_the_konger(konger: str, share: int) -> None:
    more = ["pung 333p 3", "pung 777p 3"] if len(konger) == 5 else []
    case = robbed("", players={1: {"hand": konger, "melds": ["added_kong 8888s 3", *more]}}, options=RAW)
    share *= 2 ** len(more)
    assert owed(case) == [2 * share, 0, share, share]


def test_s6_1_the_robbers_hand_must_be_legal_but_for_the_minimum() -> None:
    # the robber's own 4 points are below the minimum of 20; the konger's shares are not
    assert refusal(robbed("123m456p789p5s")) is None
    # 60 120 60 for a konger that holds a wildcard
    assert refusal(robbed("147m258p369pS", options={"win.minimum_points": 120})) is None
    assert refusal(robbed("147m258p369pS", options={"win.minimum_points": 121})) == "below_minimum"
    players = {1: {"melds": ["added_kong 8888s 3"], "hand": "123m456p789p5s"}}
    wrong_pair = make("456m234p6799s", ["chow 123m 3"], "8s", "rob_kong", 1, players=players)
    assert refusal(wrong_pair) == "head_not_258"


def test_s6_1_robber_hand_pays_the_robbers_points_and_the_kong_does_not_stand() -> None:
    options = RAW | {"liability.rob_kong": "robber_hand"}
    for factor in 2, 16:  # the konger has a pung again: its kong's factor plays no part
        answer = score_case(robbed("123m456p789p5s", options=options | {"score.kong_exposed": factor}))
        # 1 x open 2 x hard 2 = 4; konger x open 2 x discarder 2; dealer x 2
        assert (answer["owed"], answer["liable"]) == ([0, 16, 8, 4], 1)
        assert answer["deltas"] == [28, -28, 0, 0]
    assert refusal(robbed("123m456p789p5s", options={"liability.rob_kong": "robber_hand"})) == "below_minimum"
    # other kongs of the konger stand
    players = {1: {"melds": ["added_kong 8888s 3", "added_kong 9999s 3"], "hand": "456p789p5s"}}
    assert owed(robbed("", players=players, options=options)) == [0, 64, 8, 4]


@pytest.mark.parametrize(
    ("tile", "liability", "discarder", "liable"),
    [
        ("5s", "head_258", "147m258p369p1sEW", 1),
        ("9s", "head_258", "147m258p369p1sEW", None),
        ("5s", "none", "147m258p369p1sEW", None),
        ("5s", "not_ready", "147m258p369p1sEW", 1),
        ("9s", "not_ready", "147m258p369p1sEW", 1),
    ],
)
def test_s6_2_quanqiuren_on_a_discard(tile: str, liability: str, discarder: str, liable: int | None) -> None:
    case = make(tile, QUAN, tile, "discard", 1, players={1: {"hand": discarder}})
    options = RAW | {"liability.quanqiuren": liability, "liability.third_meld": []}
    answer = score_case(case | {"set": options})
    assert "quanqiuren" in answer["types"]
    assert answer["liable"] == liable
    # rule 2 comes first, then rule 3: the third meld was seat 3's discard
    answer = score_case(case | {"set": options | {"liability.third_meld": ["pengpenghu"]}})
    assert answer["liable"] == (liable if liable is not None else 3)


@pytest.mark.parametrize(
    ("hand", "melds", "options", "is_ready"),
    [
        ("456m234p6755s", ["chow 234m 0"], {}, True),
        ("456m234p6799s", ["chow 234m 0"], {}, False),  # only with a wrong pair
        (
            "456m234p6799s",
            ["chow 234m 0"],
            {"win.head_258_free": ["haidilao"]},
            False,
        ),  # plain: not in the last round
        ("2456m234p6755s22p", [], {}, False),  # not opened
        ("456m234p6755s456s", [], {"win.open_melds": "none"}, True),
        ("456m234p675sC", ["chow 234m 0"], {}, False),
        ("456m24p67sS55s", ["chow 234m 0"], {}, True),  # with S drawn, or 3p, or 5s 8s
        ("456m24pSS655s", ["chow 234m 0"], {}, False),  # too many wildcards for a small win
        ("456m24pSS655s", ["chow 234m 0"], {"win.small_wild_max": 3}, True),
        ("2m5m8m2p5p8p2s5s8s8s", ["pung 555m 0"], {}, True),  # any 258 tile: a shape without sets
        ("2222p", ["pung 444m 0", "pung 666m 0", "pung 888m 0"], {}, True),  # a fifth 2p
        ("147m258p369p1s", ["chow 234m 0"], {}, False),
    ],
)
def test_s6_2_not_ready_is_asked_of_the_discarder_as_it_stands(
    hand: str, melds: list[str], options: Case, is_ready: bool
) -> None:
    players = {1: {"hand": hand, "melds": melds}}
    chosen = RAW | {"liability.quanqiuren": "not_ready", "liability.third_meld": []} | options
    case = make("5p", QUAN, "5p", "discard", 1, players=players, options=chosen)
    answer = score_case(case)
    assert answer["types"] == ["pengpenghu", "quanqiuren"]
    assert answer["liable"] == (None if is_ready else 1)


@pytest.mark.parametrize(
    ("melds", "liable"),
    [
        (["chow 123m 3", "pung 999m 1", "pung 777m 2"], 2),
        (["chow 123m 3", "pung 777m 2", "pung 999m 1"], 1),
        (["chow 123m 3", "pung 777m 2", "added_kong 9999m 1"], 1),  # keeps its place and its feeder
        (["chow 123m 3", "added_kong 7777m 2", "pung 999m 1"], 1),
        (["chow 123m 3", "direct_kong 7777m 2", "pung 999m 1"], 1),
        (["chow 123m 3", "pung 777m 2", "concealed_kong 9999m"], None),
        (["concealed_kong 9999m", "chow 123m 3", "pung 777m 2", "pung 666m 1"], 1),
        (["chow 123m 3", "pung 777m 2", "pung 999m 1", "pung 666m 2"], 1),
    ],
)
@pytest.mark.parametrize("source", ["self_draw", "discard"])
def test_s6_3_who_fed_the_third_exposed_meld_is_liable(
    melds: list[str], liable: int | None, source: str
) -> None:
    options = RAW | {"liability.quanqiuren": "none"}
    hand = ("444m" if len(melds) == 3 else "") + ("55m" if source == "self_draw" else "5m")
    loser = None if source == "self_draw" else 3
    answer = score_case(make(hand, melds, "5m", source, loser, options=options))
    assert "qingyise" in answer["types"]
    assert answer["liable"] == liable
    if liable is not None:
        assert answer["deltas"][liable] == -sum(answer["capped"])
    # only for the types in the list
    other = make(hand, melds, "5m", source, loser, options=options | {"liability.third_meld": ["fengyise"]})
    assert score_case(other)["liable"] is None


def test_s6_liability_is_weighed_with_each_decomposition() -> None:
    # soft: a qingyise, seat 1 is liable with at most 5 a share; hard: S S is an honour pair, nobody is liable
    options = {"win.minimum": "none", "cap.liable": 5, "score.hard": 1}
    melds = ["chow 123m 3", "pung 777m 2", "pung 999m 1"]
    answer = score_case(make("444mSS", melds, "4m", last_draw=True, options=options))
    assert (answer["types"], answer["liable"], answer["hard"]) == (["haidilao"], None, True)
    answer = score_case(make("444mSS", melds, "4m", last_draw=True, options=options | {"cap.liable": 0}))
    assert (answer["types"], answer["liable"], answer["hard"]) == (["haidilao", "qingyise"], 1, False)
