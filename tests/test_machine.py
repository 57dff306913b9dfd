"""The state machine of one hand: conservation, legality, turn order, walls. RULES.md section 2."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from machines import dealt, players_of
from wuhan_core._machine import Machine
from wuhan_core._wall import seating, wall_of
from wuhan_core.actions import VERBS
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.tiles import parse_tiles

RED = 31
BOTS = ("random", "greedy", "planner", "careful")
YUANHANG = load_rules("yuanhang")


def act(verb: str, tile: str = "1m") -> int:
    return VERBS.index(verb) * 64 + parse_tiles(tile)[0]


PASS, WIN = act("pass"), act("win")


def tiles_in_game(rules: RuleSet) -> Counter[int]:
    """Four of each kind that the game is played with."""
    kinds = [*range(27), RED] if rules.get("deal.tiles") == "suits_red" else range(34)
    return Counter(dict.fromkeys(kinds, 4))


def made_wall(hands: list[str], indicator: str, draws: str, tail: str = "") -> list[int]:
    """A wall that deals these hands (dealer first), then these draws; `tail`: replacements, in order."""
    head = [kind for hand in hands for kind in parse_tiles(hand)]
    assert [len(parse_tiles(hand)) for hand in hands] == [13] * len(hands)
    head += parse_tiles(indicator) + order(draws)
    end = order(tail)[::-1]
    rest = Counter(dict.fromkeys(range(34), 4))
    rest.subtract(head + end)
    assert min(rest.values()) >= 0, {k: n for k, n in rest.items() if n < 0}
    return head + sorted(rest.elements()) + end


def order(text: str) -> list[int]:
    """Kinds in the order written, tiles parted by blanks."""
    return [parse_tiles(tile)[0] for tile in text.split()]


def everything(state: dict[str, Any], wall: list[int]) -> Counter[int]:
    """Every tile of the game, wherever it is."""
    tiles: Counter[int] = Counter(wall[i] for i in state["free"])
    if state["indicator"] >= 0:
        tiles[state["indicator"]] += 1
    for seat in state["seats"]:
        tiles.update({kind: n for kind, n in enumerate(seat["counts"]) if n})
        tiles.update(seat["river"])
        for kind, tile, _ in seat["melds"]:
            if kind == "chow":
                tiles.update([tile, tile + 1, tile + 2])
            else:
                tiles.update([tile] * (3 if kind == "pung" else 4))
        tiles.update({RED: seat["red_kongs"]})
        tiles.update({state["wild"]: seat["wild_kongs"]})
    return tiles


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("seat_queues", [False, True])
def test_s1_all_tiles_are_there_at_every_step(preset: str, bot: str, seat_queues: bool) -> None:
    rules = load_rules(preset)
    for number in range(30):
        wall = dealt(rules, 3, number)
        assert Counter(wall) == tiles_in_game(rules)
        machine = Machine(rules, wall, number % players_of(rules), seat_queues, 3, number)
        while True:
            state = machine.state()
            tiles = everything(state, wall)
            lost = tiles_in_game(rules) - tiles
            # skins konged singly are counted, not named
            assert sum(lost.values()) == sum(seat["skin_kongs"] for seat in state["seats"])
            assert max(tiles.values()) <= 4
            assert state["left"] == len(state["free"])
            for seat in state["seats"]:
                assert seat["tiles"] == sum(seat["counts"])
                extra = seat["tiles"] + 3 * len(seat["melds"]) - 13
                asked = state["seats"][state["seat"]] is seat and state["phase"] in ("turn", "last")
                assert extra in ((1,) if asked else (0, 1) if state["last_left"] or machine.done else (0,))
            if machine.done:
                break
            machine.step(machine.choose(bot))


@pytest.mark.parametrize("preset", preset_names())
def test_derived_state_follows_the_counts(preset: str) -> None:
    rules = load_rules(preset)
    for number in range(20):
        machine = Machine(rules, dealt(rules, 4, number), 0, False, 4, number)
        while not machine.done:
            state = machine.state()
            barred = {RED} if rules.get("score.model") == "factors" else set()
            if rules.get("wild.skin_role") == "red":
                barred |= skins_of(state["indicator"], rules)
            for seat in state["seats"]:
                keys = [0, 0, 0, 0]
                at_least = [0, 0, 0, 0]
                blocked = seat["blocked"]
                for kind, n in enumerate(seat["counts"]):
                    if kind == state["wild"]:
                        assert seat["wild"] == n
                    elif kind in barred:
                        blocked -= n
                    else:
                        keys[kind // 9] += n * 5 ** (kind % 9)
                        for i in range(n):
                            at_least[i] |= 1 << kind
                assert (blocked, seat["keys"], seat["at_least"]) == (0, keys, at_least)
            machine.step(machine.choose("random"))


def result_of(machine: Machine) -> dict[str, Any]:
    """Of a hand that is over."""
    result = machine.result()
    assert result is not None
    return result


def skins_of(indicator: int, rules: RuleSet) -> set[int]:
    ring = [27, 28, 29, 30, 32, 33]
    if indicator < 27:
        before = indicator - 1 if indicator % 9 else indicator + 8
    elif indicator == RED:
        before = 30
    else:
        before = ring[ring.index(indicator) - 1]
    kinds = rules.get("wild.skin_kinds")
    assert isinstance(kinds, int)
    return {*(indicator, before)[:kinds]} - {RED}


@pytest.mark.parametrize("preset", preset_names())
def test_every_action_a_bot_takes_is_legal_and_others_are_refused(preset: str) -> None:
    rules = load_rules(preset)
    rng = random.Random(5)
    for number in range(20):
        machine = Machine(rules, dealt(rules, 5, number), 0, True, 5, number)
        while not machine.done:
            legal = machine.legal()
            assert legal
            assert len(set(legal)) == len(legal)
            for bot in BOTS:
                assert machine.choose(bot) in legal
            before = machine.state()
            wrong = rng.choice([a for a in range(9 * 64) if a not in legal])
            with pytest.raises(ValueError, match="not legal"):
                machine.step(wrong)
            assert machine.state() == before
            machine.step(rng.choice(legal))


@pytest.mark.parametrize("preset", preset_names())
def test_points_sum_to_zero(preset: str) -> None:
    rules = load_rules(preset)
    wins = 0
    for number in range(150):
        machine = Machine(rules, dealt(rules, 6, number), 0, False, 6, number)
        while not machine.done:
            machine.step(machine.choose("greedy"))
        result = result_of(machine)
        assert sum(result["deltas"]) == 0
        if result["winner"] >= 0:
            wins += 1
            assert result["deltas"][result["winner"]] > 0 or rules.get("score.model") == "codes"
        elif rules.get("score.model") != "codes":  # there kongs are paid all the same
            assert not any(result["deltas"])
    assert wins > 0


# ---- made walls: who is asked, in which order


def test_s2_the_indicator_is_out_of_play_and_the_wildcard_follows_it() -> None:
    hands = ["147m258p369sESWN", "258m369p147sESWN", "369m147p258sESWN", "147m369p258sESWP"]
    machine = Machine(YUANHANG, made_wall(hands, "9m", "1s"))
    state = machine.state()
    assert (state["indicator"], state["wild"]) == (8, 0)
    assert state["left"] == 136 - 53 - 1
    assert state["seat"] == 0
    assert state["drawn"] == parse_tiles("1s")[0]


@pytest.mark.parametrize(
    ("indicator", "wild"),
    [("1m", "2m"), ("9p", "1p"), ("E", "S"), ("N", "F"), ("F", "P"), ("P", "E"), ("C", "F")],
)
def test_s2_wildcard_kind(indicator: str, wild: str) -> None:
    wall = wall_of(1, 1)
    kind = parse_tiles(indicator)[0]
    place = wall.index(kind)
    wall[52], wall[place] = wall[place], wall[52]
    assert Machine(YUANHANG, wall).state()["wild"] == parse_tiles(wild)[0]


def test_s2_a_pung_goes_before_a_chow() -> None:
    hands = ["19m19p19sESWNFP5p", "46p1378m2468sWNF", "55p1379m1357sSWN", "2468m2479p68sEFP"]
    machine = Machine(YUANHANG, made_wall(hands, "3s", "E"))
    machine.step(act("discard", "5p"))
    assert machine.seat == 1
    assert act("chow", "4p") in machine.legal()
    machine.step(act("chow", "4p"))
    assert machine.seat == 2
    assert act("pung", "5p") in machine.legal()
    machine.step(act("pung", "5p"))
    state = machine.state()
    assert (state["phase"], state["seat"]) == ("turn", 2)
    assert state["seats"][2]["melds"] == [("pung", parse_tiles("5p")[0], 0)]
    assert state["seats"][0]["river"] == []
    assert PASS not in machine.legal()
    assert WIN not in machine.legal()


def test_s2_a_chow_is_for_the_next_seat_only() -> None:
    hands = ["19m19p19sESWNFP5p", "2468m2479p68sEFP", "46p1378m2468sWNF", "13579m13579p1sSW"]
    machine = Machine(YUANHANG, made_wall(hands, "3s", "E"))
    machine.step(act("discard", "5p"))
    assert (machine.phase, machine.seat) == ("turn", 1)


def test_s2_a_discarded_wildcard_is_claimed_by_nobody() -> None:
    hands = ["194m199p19sESWNF", "4m35m1378p2468sWW", "2468m2479p68sEFP", "13579m13579p1sSW"]
    machine = Machine(YUANHANG, made_wall(hands, "3m", "E"))
    assert machine.state()["wild"] == parse_tiles("4m")[0]
    machine.step(act("discard", "4m"))
    assert (machine.phase, machine.seat) == ("turn", 1)
    assert machine.state()["seats"][0]["wild_discards"] == 1


def test_s2_red_dragon_is_konged_singly_or_kept_never_discarded() -> None:
    hands = ["194m199p19sESWNC", "147m1378p2468sWW", "2468m2479p68sEFP", "13579m13579p1sSW"]
    machine = Machine(YUANHANG, made_wall(hands, "3m", "E", tail="9s"))
    legal = machine.legal()
    assert act("discard", "C") not in legal
    assert act("single_kong", "C") in legal
    machine.step(act("single_kong", "C"))
    state = machine.state()
    assert (state["seat"], state["drawn"], state["after_kong"]) == (0, parse_tiles("9s")[0], True)
    assert state["seats"][0]["red_kongs"] == 1


def test_s2_no_kong_at_14_left_and_one_at_15() -> None:
    """Counted on every hand: a kong is on offer only while 15 or more are left."""
    seen = set()
    for number in range(300):
        machine = Machine(YUANHANG, wall_of(8, number), 0, False, 8, number)
        while not machine.done:
            kongs = [a for a in machine.legal() if VERBS[a >> 6].endswith("kong")]
            left = machine.state()["left"]
            if kongs:
                assert left >= 15
                seen.add(left)
            machine.step(machine.choose("random"))
    assert 15 in seen


def test_s2_last_round_four_draws_no_discards_and_ten_tiles_left() -> None:
    exhausted = 0
    for number in range(100):
        machine = Machine(YUANHANG, wall_of(9, number), 0, bool(number % 2), 9, number)
        while not machine.done:
            machine.step(machine.choose("random"))
        if result_of(machine)["winner"] < 0:
            exhausted += 1
            assert machine.state()["left"] == 10
            assert machine.next_dealer == 0
    assert exhausted > 50


def test_s2_without_last_draws_the_hand_ends_at_the_dead_wall() -> None:
    rules = load_rules("yuanhang", {"deal.dead_wall": 7, "deal.last_draws": 0})
    exhausted = 0
    for number in range(60):
        machine = Machine(rules, wall_of(9, number), 0, bool(number % 2), 9, number)
        while not machine.done:
            machine.step(machine.choose("random"))
        if result_of(machine)["winner"] < 0:
            exhausted += 1
            assert machine.state()["left"] == 7
    assert exhausted > 30


def robbing(rules: RuleSet) -> Machine:
    """Seat 0 has added the fourth 5p to its pung; seat 1, open, waits for a 5p."""
    hands = ["55p19m19s147mESWN", "46p222m888s55s99pF", "3579m3579s13pSWN", "2468m2679s79pEFP"]
    machine = Machine(rules, made_wall(hands, "3s", "9p E 5p P N 6p 5p", tail="1s"))

    def go(*actions: int) -> None:
        for action in actions:
            machine.step(action)
        while (
            machine.phase == "claim"
            and WIN not in machine.legal()
            and act("pung", "9p") not in machine.legal()
        ):
            machine.step(PASS)

    go(act("discard", "9p"))
    go(act("pung", "9p"), act("discard", "F"))
    go(act("discard", "E"))
    assert machine.seat == 3
    machine.step(act("discard", "5p"))
    assert machine.seat == 0
    machine.step(act("pung", "5p"))
    assert machine.seat == 1
    assert WIN in machine.legal()
    machine.step(PASS)  # binds to nothing: it may rob later
    assert act("added_kong", "5p") not in machine.legal()
    for tile in ("W", "P", "N", "6p"):
        go(act("discard", tile))
    assert (machine.seat, machine.phase) == (0, "turn")
    machine.step(act("added_kong", "5p"))
    return machine


def test_s2_an_added_kong_may_be_robbed_before_its_replacement() -> None:
    machine = robbing(load_rules("laizigang"))
    assert (machine.phase, machine.seat) == ("rob", 1)
    assert machine.legal() == [WIN, PASS]
    passed = machine.copy()
    left = machine.state()["left"]
    machine.step(WIN)
    result = result_of(machine)
    assert (result["winner"], result["loser"], result["source"], result["liable"]) == (1, 0, 3, 0)
    assert machine.state()["left"] == left
    passed.step(PASS)
    state = passed.state()
    assert (state["phase"], state["seat"], state["after_kong"], state["left"]) == ("turn", 0, True, left - 1)
    assert state["drawn"] == parse_tiles("1s")[0]


def test_s6_a_robbed_konger_pays_for_all_three() -> None:
    machine = robbing(load_rules("laizigang"))
    machine.step(WIN)
    deltas = result_of(machine)["deltas"]
    assert deltas[1] == -deltas[0] > 0
    assert deltas[2:] == [0, 0]


def test_s2_kong_after_claim_option() -> None:
    hands = ["19m19p19sESWNFP5p", "46p1378m2468sWNF", "55p1379m1357sSWC", "2468m2479p68sEFP"]
    for allowed in (True, False):
        rules = load_rules("yuanhang", {"claims.kong_after_claim": allowed})
        machine = Machine(rules, made_wall(hands, "3s", "E"))
        machine.step(act("discard", "5p"))
        machine.step(PASS)
        machine.step(act("pung", "5p"))
        assert (act("single_kong", "C") in machine.legal()) is allowed


def test_s2_chow_can_be_switched_off() -> None:
    hands = ["19m19p19sESWNFP5p", "46p1378m2468sWNF", "3579m1357s35pSWN", "2468m2479p68sEFP"]
    for allowed in (True, False):
        machine = Machine(load_rules("yuanhang", {"claims.chow": allowed}), made_wall(hands, "3s", "E"))
        machine.step(act("discard", "5p"))
        assert (machine.phase == "claim") is allowed


def test_s2_dealer_passes_unless_it_wins_or_nobody_does() -> None:
    wins: Counter[bool] = Counter()
    for number in range(400):
        dealer = number % 4
        machine = Machine(YUANHANG, wall_of(11, number), dealer, False, 11, number)
        while not machine.done:
            machine.step(machine.choose("greedy"))
        winner = result_of(machine)["winner"]
        if winner in (-1, dealer):
            assert machine.next_dealer == dealer
        else:
            assert machine.next_dealer == (dealer + 1) % 4
        wins[winner == dealer] += winner >= 0
    assert min(wins.values()) > 0


def test_s2_seat_queues_take_every_fourth_tile() -> None:
    wall = wall_of(12, 0)
    machine = Machine(YUANHANG, wall, 2, True)
    taken: dict[int, list[tuple[int, bool]]] = {seat: [] for seat in range(4)}
    free = set(range(53, 136))
    while not machine.done:
        state = machine.state()
        gone = free - set(state["free"])
        free -= gone
        if state["phase"] == "turn" and state["drawn"] >= 0 and len(gone) == 1:
            position = gone.pop()
            assert wall[position] == state["drawn"]
            taken[state["seat"]].append((position, state["after_kong"]))
        machine.step(machine.choose("random"))
    for seat, positions in taken.items():
        turn = (seat - 2) % 4
        draws = [p for p, tail in positions if not tail]
        assert draws[:10] == [53 + 4 * j + turn for j in range(len(draws[:10]))]
        replacements = [p for p, tail in positions if tail]
        assert replacements[:4] == [135 - (4 * k + turn) for k in range(len(replacements[:4]))]


def test_an_unknown_bot_is_named() -> None:
    machine = Machine(YUANHANG, wall_of(1, 1))
    for bot in ("clever", None):
        with pytest.raises(ValueError, match=r"allowed are random, greedy"):
            machine.choose(bot)  # type: ignore[arg-type]


def test_no_array_is_written_past_its_end() -> None:
    with pytest.raises(ValueError, match="size = 137, must be 136 or 112"):
        wall_of(1, 0, 137)
    with pytest.raises(ValueError, match="players = 5, must be 1 to 4"):
        seating(1, 0, 0, 5)
    with pytest.raises(ValueError, match="137 tiles, at most 136"):
        Machine(YUANHANG, [*wall_of(1, 0), 0])
