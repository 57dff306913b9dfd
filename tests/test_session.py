"""The loop over sessions: RULES.md sections 2, 7, 8 (dealer passes) and 9 (fee, leaving, bankrolls)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import session_oracle
from machines import players_of
from session_oracle import Setting
from wuhan_core._play import play_hands
from wuhan_core._session import play_sessions, settle_hand
from wuhan_core.actions import BotError
from wuhan_core.errors import FaultError
from wuhan_core.records import OUTCOMES
from wuhan_core.rules import load_rules, preset_names
from wuhan_core.session_records import ENDINGS, SESSION_DTYPE

YUANHANG = load_rules("yuanhang")
MIXED = ("greedy", "random", "greedy", "random")
ALONE = ("greedy",) * 4


def compare(record: Any, expected: dict[str, Any], players: int) -> None:
    """One record against the plain session, column by column."""
    for name in SESSION_DTYPE.names or ():
        value = record[name]
        shown = [int(x) for x in value[:players]] if value.ndim else int(value)
        wanted = ENDINGS.index(expected[name]) if name == "ended" else expected[name]
        assert shown == wanted, (name, shown, wanted, int(record["session"]))
        if value.ndim:
            assert (value[players:] == (-1 if name == "ruined_at" else 0)).all(), name


def check(
    rules: Any, bots: Sequence[str], seed: int, first: int, count: int, setting: Setting, every: int
) -> set[str]:
    """Sessions against plain ones: records, snapshots, hands. Return what has happened."""
    fields = asdict(setting)
    hands = fields.pop("hands")
    sessions, paths, records = play_sessions(
        rules, bots, seed, first, count, hands, **fields, every=every, records=True
    )
    assert records is not None
    players, at, seen = len(bots), 0, set()
    for session, path in zip(sessions, paths, strict=True):
        wanted = session_oracle.play(rules, bots, seed, int(session["session"]), setting)
        compare(session, wanted, players)
        full = wanted["path"] + [wanted["end"]] * (hands - len(wanted["path"]))
        assert path.tolist() == full[every - 1 :: every][: hands // every]
        mine = records[at : at + len(wanted["path"])]
        assert mine["dealer"].tolist() == wanted["dealers"]
        assert mine["points"][:, :players].tolist() == wanted["deltas"]
        at += len(wanted["path"])
        seen |= wanted["seen"] | {wanted["ended"]}
    assert at == len(records)
    return seen


def some_setting(rng: random.Random, points: int) -> Setting:
    """A setting in which something happens: bankrolls of the size of a few hands."""
    bankroll = rng.choice((None, 1, rng.randint(1, 3 * points), rng.randint(points, 20 * points)))
    start = bankroll or 0
    return Setting(
        rng.randint(1, 16),
        bankroll,
        rng.choice(("rotated", "fresh")),
        rng.choice(("seat", "wall")),
        rng.random() < 0.5,
        rng.choice((None, rng.randint(0, start - 1) if start else -rng.randint(1, 3 * points))),
        rng.choice((None, start + rng.randint(1, 4 * points))),
        rng.choice((0.0, 0.0, 0.002, 0.05, 1.0)),
    )


def many_settings(preset: str, rounds: int, seed: int) -> set[str]:
    """Compare; return what has happened."""
    seen: set[str] = set()
    rng = random.Random(f"{preset} {seed}")
    factors = load_rules(preset).get("score.model") == "factors"
    for _ in range(rounds):
        points = 200 if factors else 8
        fee = rng.choice((0, 1, 3, points))
        dealer = rng.choice(("keep_on_win_or_exhausted", "winner"))
        rules = load_rules(preset, {"table.fee": fee, "deal.next_dealer": dealer})
        bots = [rng.choice(("greedy", "greedy", "random")) for _ in range(players_of(rules))]
        setting = some_setting(rng, points)
        first, every = rng.randrange(100), rng.randint(1, setting.hands)
        seen |= check(rules, bots, rng.randrange(1000), first, 5, setting, every)
    return seen


@pytest.mark.parametrize("preset", preset_names())
def test_sessions_are_those_of_the_oracle(preset: str) -> None:
    seen = many_settings(preset, 90, 1)
    assert seen >= {*ENDINGS, "unpaid", "short fee", "left above", "left below", "marks in a last hand"}
    if load_rules(preset).get("score.model") == "codes" and players_of(load_rules(preset)) > 2:
        assert "short among several" in seen


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_many_more_sessions_are_those_of_the_oracle(preset: str) -> None:
    many_settings(preset, 400, 2)


@pytest.mark.parametrize("deal", ["rotated", "fresh"])
@pytest.mark.parametrize("preset", preset_names())
def test_a_session_of_one_hand_is_a_plain_hand(preset: str, deal: str) -> None:
    rules = load_rules(preset)
    bots = MIXED[: players_of(rules)]
    sessions, _, records = play_sessions(rules, bots, 5, 7, 100, 1, deal=deal, records=True)
    plain = play_hands(rules, bots, 5, 7, 100, deal)
    assert records is not None
    assert np.array_equal(records, plain)
    assert np.array_equal(sessions["points"], plain["points"])
    assert np.array_equal(sessions["bot"], plain["bot"])


@pytest.mark.parametrize("bots", [MIXED, ALONE])
def test_a_session_begins_as_a_hand_of_plain_play(bots: Sequence[str]) -> None:
    _, _, records = play_sessions(YUANHANG, bots, 5, 0, 12, 30, records=True)
    assert records is not None
    for session, hand in enumerate(records[::30]):
        number = session // 4 * 30 * 4 + session % 4
        assert hand == play_hands(YUANHANG, bots, 5, number, 1)[0]
    numbers = records["hand"].reshape(12, 30)
    assert len(np.unique(numbers)) == 12 * 30  # no stream of random numbers is used twice
    walls = records["wall"].reshape(3, 4, 30)
    assert (walls == np.arange(90).reshape(3, 1, 30)).all()
    seats = records["bot"].reshape(12, 30, 4)
    assert (seats == seats[:, :1]).all()  # nobody changes seats in a session


def test_any_cut_of_the_sessions_gives_the_same_records() -> None:
    fields: dict[str, Any] = {"bankroll": 2000, "leave_above": 3000, "flee": 0.001, "every": 7}
    whole, paths, _ = play_sessions(YUANHANG, MIXED, 3, 0, 60, 25, **fields)
    for size in (1, 3, 8, 17):
        with ThreadPoolExecutor(3) as pool:
            futures = [
                pool.submit(play_sessions, YUANHANG, MIXED, 3, at, min(size, 60 - at), 25, **fields)
                for at in range(0, 60, size)
            ]
            parts = [future.result() for future in futures]
        assert np.array_equal(np.concatenate([part[0] for part in parts]), whole)
        assert np.array_equal(np.concatenate([part[1] for part in parts]), paths)


# The dealer


def played(preset: str, changes: dict[str, object], hands: int = 40, **fields: Any) -> tuple[Any, Any]:
    rules = load_rules(preset, changes)
    sessions, _, records = play_sessions(
        rules, MIXED[: players_of(rules)], 11, 0, 40, hands, records=True, **fields
    )
    assert records is not None
    return sessions, records


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("mode", ["keep_on_win_or_exhausted", "winner"])
def test_s2_s7_dealer_passes(preset: str, mode: str) -> None:
    sessions, records = played(preset, {"deal.next_dealer": mode})
    n = players_of(load_rules(preset))
    seen = set()
    for hands in records.reshape(40, 40):
        assert hands[0]["dealer"] == 0
        for hand, after in itertools.pairwise(hands):
            winner, dealer = int(hand["winner"]), int(hand["dealer"])
            if winner < 0 or winner == dealer:
                wanted = dealer
            elif mode == "winner":
                wanted = winner
            else:
                wanted = (dealer + 1) % n
            if OUTCOMES[hand["outcome"]] != "rob_kong":  # several may have won
                assert after["dealer"] == wanted
            seen.add((winner < 0, winner == dealer))
    assert {(False, True), (False, False)} <= seen
    assert (sessions["deals"].sum(axis=1) == 40).all()


def test_s8_several_robbers_the_first_after_the_konger_deals() -> None:
    robbed: dict[str, Any] = {"winner": 0, "winners": [0, 2], "loser": 1}
    rules = load_rules("hongxin").to_dict()
    assert session_oracle.next_dealer(rules, 3, robbed, 4) == 2  # what the sessions are compared with above


# Points among bankrolls


@pytest.mark.parametrize(
    ("points", "bankrolls", "gains", "unpaid", "missed"),
    [
        # nobody is short
        ((30, -10, -10, -10), (0, 10, 10, 10), (30, -10, -10, -10), (0, 0, 0, 0), (0, 0, 0, 0)),
        # a loser pays at most what it has, the rest is unpaid and missed
        ((30, -10, -10, -10), (0, 10, 4, 0), (14, -10, -4, 0), (0, 0, 6, 10), (16, 0, 0, 0)),
        # each in full before the next, in turn order after the short seat: 2, 3, then 0
        ((10, -30, 10, 10), (0, 25, 0, 0), (5, -25, 10, 10), (0, 5, 0, 0), (5, 0, 0, 0)),
        ((10, -30, 10, 10), (0, 12, 0, 0), (0, -12, 10, 2), (0, 18, 0, 0), (10, 0, 0, 8)),
        ((10, 10, 10, -30), (0, 0, 0, 15), (10, 5, 0, -15), (0, 0, 0, 15), (0, 5, 10, 0)),
        # a seat that gains nothing is passed over, one with nothing pays nothing
        ((0, -8, 0, 8), (5, 3, 5, 5), (0, -3, 0, 3), (0, 5, 0, 0), (0, 0, 0, 5)),
        ((0, -8, 0, 8), (5, 0, 5, 5), (0, 0, 0, 0), (0, 8, 0, 0), (0, 0, 0, 8)),
        # what the other loser pays in full fills up who is left
        ((-10, 10, -10, 10), (4, 0, 10, 0), (-4, 4, -10, 10), (6, 0, 0, 0), (0, 6, 0, 0)),
        ((-10, -10, 10, 10), (4, 10, 0, 0), (-4, -10, 10, 4), (6, 0, 0, 0), (0, 0, 0, 6)),
        # two seats
        ((7, -7), (0, 5), (5, -5), (0, 2), (2, 0)),
    ],
)
def test_s9_a_short_seat_pays_in_turn_order(
    points: Sequence[int],
    bankrolls: Sequence[int],
    gains: Sequence[int],
    unpaid: Sequence[int],
    missed: Sequence[int],
) -> None:
    assert settle_hand(points, bankrolls) == (list(gains), list(unpaid), list(missed))


@given(st.lists(st.tuples(st.integers(-400, 400), st.integers(0, 300)), min_size=1, max_size=3))
def test_s9_netted_points_are_paid_as_the_oracle_pays(seats: list[tuple[int, int]]) -> None:
    points = [gain for gain, _ in seats]
    points.append(-sum(points))
    bankrolls = [purse for _, purse in seats] + [150]
    gains, unpaid, missed = settle_hand(points, bankrolls)
    assert (gains, unpaid, missed) == session_oracle.pay(points, bankrolls)
    assert sum(gains) == 0
    assert sum(unpaid) == sum(missed)
    assert all(purse + gain >= 0 for purse, gain in zip(bankrolls, gains, strict=True))
    assert all(
        gain == won + short - lack
        for gain, won, short, lack in zip(gains, points, unpaid, missed, strict=True)
    )


def test_settle_hand_refuses_what_is_no_hand() -> None:
    for points, bankrolls in (
        ([1, 2], [3, 4]),
        ([1, -1], [1]),
        ([1, -1], [1, -1]),
        ([0] * 5, [0] * 5),
        ([], []),
    ):
        with pytest.raises(ValueError, match="must be of the same"):
            settle_hand(points, bankrolls)


def test_s9_without_bankrolls_all_is_paid_and_may_fall_below_0() -> None:
    sessions, records = played("yuanhang", {"table.fee": 3})
    assert (sessions["hands"] == 40).all()
    assert (sessions["ended"] == ENDINGS.index("played")).all()
    assert np.array_equal(sessions["points"], records["points"].reshape(40, 40, 4).sum(axis=1))
    assert (sessions["fees"] == 3 * 40).all()
    assert np.array_equal(sessions["end"], sessions["points"] - sessions["fees"])
    assert sessions["end"].min() < 0
    for name in ("unpaid", "missed"):
        assert (sessions[name] == 0).all()
    assert (sessions["ruined_at"] == -1).all()


# The fee


@pytest.mark.parametrize("preset", ["hongxin", "laizigang"])  # with exhausted hands
def test_s9_fee_after_each_hand_exhausted_ones_too(preset: str) -> None:
    sessions, records = played(preset, {"table.fee": 5}, bankroll=10**6)
    assert (records["outcome"] == 0).any()
    assert sessions["exhausted"].sum() == (records["outcome"] == 0).sum()
    assert (sessions["fees"] == 5 * sessions["hands"][:, None]).all()
    # fees are apart from points: the points are the same as without a fee
    free, _ = played(preset, {"table.fee": 0}, bankroll=10**6)
    assert np.array_equal(free["points"], sessions["points"])
    assert np.array_equal(free["end"], sessions["end"] + sessions["fees"])


def test_s9_fee_takes_what_there_is_and_never_below_0() -> None:
    sessions, _ = played("yuanhang", {"table.fee": 70}, bankroll=100, stay=True)
    assert sessions["low"].min() == 0
    assert (sessions["fees"] < 70 * 40).any()
    assert np.array_equal(sessions["end"], 100 + sessions["points"] - sessions["fees"])
    # in the end the fee has eaten all
    assert (sessions["end"].sum(axis=1) <= 400).all()
    assert (sessions["fees"].sum(axis=1) + sessions["end"].sum(axis=1) == 400).all()


def test_s9_the_fee_alone_ruins_and_comes_after_the_points() -> None:
    # the winner of the first hand can pay its fee from what it wins; who lost all pays none
    sessions, _ = played("yuanhang", {"table.fee": 1, "score.stake": 1000}, bankroll=1)
    winners = sessions["wins"][:, :4] > 0
    assert (sessions["hands"] == 1).all()
    assert set(sessions["end"][winners].tolist()) == {
        1,
        3,
    }  # 1 + 3 * 1 - 1, or 1 + 1 - 1 where one pays for all
    assert (sessions["fees"][winners] == 1).all()
    assert (sessions["fees"][~winners] <= 1).all()
    assert (sessions["ruined_at"][~winners] == 1).all()


# Ruin


def test_ruin_ends_the_session_for_all() -> None:
    sessions, _ = played("yuanhang", {}, bankroll=500)
    ruined = (sessions["ruined_at"] >= 0).any(axis=1)
    assert ruined.all()
    assert (sessions["ended"] == ENDINGS.index("ruin")).all()
    assert (sessions["ruined_at"].max(axis=1) == sessions["hands"]).all()
    assert ((sessions["end"] == 0) == (sessions["ruined_at"] > 0)).all()
    assert (sessions["end"].sum(axis=1) == 2000).all()
    assert sessions["unpaid"].sum() == sessions["missed"].sum() > 0


def test_ruined_seats_may_stay_and_pay_nothing() -> None:
    sessions, _ = played("yuanhang", {}, bankroll=500, stay=True)
    assert (sessions["hands"] == 40).all()
    assert (sessions["ended"] == ENDINGS.index("played")).all()
    ended, _ = played("yuanhang", {}, bankroll=500)
    first = np.where(sessions["ruined_at"] > 0, sessions["ruined_at"], 99).min(axis=1)
    assert np.array_equal(first, ended["hands"])  # the same sessions up to there
    back = (sessions["ruined_at"] > 0) & (sessions["end"] > 0)
    assert back.any()  # a seat that had nothing may win again
    assert (sessions["low"][sessions["ruined_at"] > 0] == 0).all()


# Leaving


def test_s9_a_seat_stands_up_at_its_mark() -> None:
    sessions, records = played("yuanhang", {"table.fee": 2}, bankroll=1000, leave_below=600, leave_above=1500)
    left = sessions["ended"] == ENDINGS.index("left")
    assert left.any()
    marks = (sessions["end"] <= 600) | (sessions["end"] >= 1500)
    assert np.array_equal(sessions["left"][left].astype(bool), marks[left])
    assert (sessions["left"][~left] == 0).all()
    # it has paid its fee for each hand, and no more
    assert (sessions["fees"] == 2 * sessions["hands"][:, None])[left].all()
    assert len(records) == sessions["hands"].sum()


def test_s9_running_away_exhausts_the_hand_and_costs_the_fee() -> None:
    sessions, records = played("yuanhang", {"table.fee": 2}, bankroll=10**5, flee=0.003)
    fled = sessions["ended"] == ENDINGS.index("fled")
    assert fled.sum() > 20
    assert (sessions["left"][fled].sum(axis=1) == 1).all()
    assert (sessions["fees"] == 2 * sessions["hands"][:, None]).all()
    last = records[np.cumsum(sessions["hands"]) - 1][fled]
    assert (last["outcome"] == 0).all()
    assert (last["winner"] == -1).all()
    assert (last["points"] == 0).all()
    assert len(np.unique(last["turns"])) > 10
    # up to there all went as it would have gone
    plain, all_records = played("yuanhang", {"table.fee": 2}, bankroll=10**5)
    starts = np.cumsum(sessions["hands"]) - sessions["hands"]
    for session, start in enumerate(starts):
        hands = int(sessions["hands"][session]) - bool(fled[session])
        whole = int(plain["hands"][:session].sum())
        assert np.array_equal(records[start : start + hands], all_records[whole : whole + hands])


def test_s9_running_away_pays_the_kongs_made() -> None:
    sessions, records = played("hongzhong", {}, flee=0.02)
    last = records[np.cumsum(sessions["hands"]) - 1][sessions["ended"] == ENDINGS.index("fled")]
    assert (last["outcome"] == 0).all()
    assert ((last["points"] != 0).any(axis=1) <= (last["kongs"] > 0).any(axis=1)).all()
    assert (last["points"] != 0).any()


def test_certain_flight_is_at_the_first_draw() -> None:
    sessions, records = played("yuanhang", {}, flee=1.0)
    assert (sessions["hands"] == 1).all()
    assert (records["turns"] == 1).all()
    assert (sessions["left"][:, 0] == 1).all()  # the dealer's


def test_another_thread_stops_the_loop() -> None:
    stop = np.zeros(1, np.uint8)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(play_sessions, YUANHANG, ALONE, 0, 0, 4, 10**6, stop=stop)
        stop[0] = 1
        with pytest.raises(InterruptedError):
            future.result()


# Bots in Python


class First:
    """Takes the first legal action."""

    def act(self, observation: Any, legal: list[Any]) -> Any:
        return legal[0]


class Broken(First):
    def act(self, observation: Any, legal: list[Any]) -> Any:
        raise RuntimeError("no idea")


def test_bots_in_python_sit_in_sessions() -> None:
    bots = ("greedy", First, "random", "greedy")
    sessions, _, records = play_sessions(YUANHANG, bots, 2, 0, 4, 5, 10_000, records=True)
    again, _, _ = play_sessions(YUANHANG, bots, 2, 0, 4, 5, 10_000)
    assert np.array_equal(sessions, again)
    one, _, _ = play_sessions(YUANHANG, bots, 2, 2, 1, 5, 10_000)
    assert sessions[2] == one[0]
    assert records is not None
    assert len(records) == 20
    with pytest.raises(BotError, match="no idea"):
        play_sessions(YUANHANG, ("greedy", Broken, "random", "greedy"), 2, 0, 4, 5)


def test_every_fault_is_named() -> None:
    with pytest.raises(FaultError) as caught:
        play_sessions(
            YUANHANG,
            ("greedy", "greedi"),
            -1,
            -2,
            -3,
            0,
            0,
            deal="balanced",
            draws="none",
            leave_below=1.5,  # type: ignore[arg-type]
            leave_above="x",  # type: ignore[arg-type]
            flee=float("nan"),
            every=-1,
        )
    words = (
        "bots, bots, deal, draws, seed, first, count, hands, every, bankroll, leave_below, leave_above, flee"
    )
    found = caught.value.faults
    assert all(
        fault.startswith((f"{word} = ", f"{word}: "))
        for fault, word in zip(found, words.split(", "), strict=True)
    ), found
    number: Any
    for number in (int, np.int64):  # the product does not fit into 64 bits
        with pytest.raises(FaultError, match="hands in all"):
            play_sessions(YUANHANG, ALONE, 0, number(2**61), number(1), number(10**6))


def test_no_sessions() -> None:
    sessions, paths, records = play_sessions(YUANHANG, ALONE, 0, 3, 0, 10, every=2, records=True)
    assert sessions.shape == (0,)
    assert paths.shape == (0, 5, 4)
    assert records is not None
    assert records.shape == (0,)


def test_points_beyond_all_bounds_stop_at_the_edge() -> None:
    options = load_rules("hongxin").to_dict()
    high = {name: 1000 for name in options if name.startswith(("factor.", "value."))}
    rules = load_rules("hongxin", {**high, "score.stake": 10**6})
    sessions, _, records = play_sessions(rules, ALONE, 0, 0, 40, 200, records=True)
    assert records is not None
    assert np.abs(records["points"]).max() > 2**60
    assert sessions["end"].max() == 2**61
    assert sessions["end"].min() == -(2**61)
    assert 2**61 < sessions["drawdown"].max() <= 2**62
    assert sessions["drawdown"].min() >= 0
