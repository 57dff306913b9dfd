"""The hand loop: streams, records, repeatability: hand h is a function of (rules, bots, seed, h)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from machines import dealt, players_of
from wuhan_core._machine import Machine
from wuhan_core._play import play_hands
from wuhan_core._wall import stream_block, wall_of
from wuhan_core.errors import FaultError
from wuhan_core.records import HAND_DTYPE, OUTCOMES
from wuhan_core.rules import load_rules, preset_names
from wuhan_core.tiles import format_tile

YUANHANG = load_rules("yuanhang")
MIXED = ("greedy", "random", "greedy", "random")


@pytest.mark.parametrize(("number", "stream"), [(0, 0), (1, 0), (12345678901, 5), (2**63 + 7, 3)])
def test_streams_are_philox_blocks(number: int, stream: int) -> None:
    key = np.array([0x0123456789ABCDEF, 0xFEDCBA9876543210], dtype=np.uint64)
    # numpy's generator counts up before its first block
    counter = np.array([(number - 1) % 2**64, (stream - (number == 0)) % 2**64, 0, 0], dtype=np.uint64)
    if number == 0 and stream == 0:
        counter[2:] = 2**64 - 1
    reference = np.random.Philox(key=key, counter=counter)
    assert stream_block([int(k) for k in key], number, stream) == [int(x) for x in reference.random_raw(4)]


def test_golden_walls() -> None:
    """The same seed and number deal this wall for ever, or STREAM_VERSION changes."""
    lines = (Path(__file__).parent / "golden" / "walls.txt").read_text().splitlines()
    assert len(lines) == 6
    for line in lines:
        seed, number, tiles = line.split(maxsplit=2)
        assert " ".join(format_tile(kind) for kind in wall_of(int(seed), int(number))) == tiles


def test_walls_are_fair() -> None:
    counts = np.zeros((34, 136))
    for number in range(4000):
        counts[wall_of(1, number), np.arange(136)] += 1
    expected = 4000 * 4 / 136
    # each position by itself: chi-square of 34 kinds, 33 degrees of freedom
    chi = ((counts - expected) ** 2 / expected).sum(axis=0)
    assert chi.max() < 85  # P(one of 136 beyond) < 1e-3
    assert abs(chi.mean() - 33) < 3


@pytest.mark.parametrize("deal", ["rotated", "fresh"])
@pytest.mark.parametrize("draws", ["seat", "wall"])
def test_any_chunks_and_threads_give_the_same_records(deal: str, draws: str) -> None:
    whole = play_hands(YUANHANG, MIXED, 7, 0, 3000, deal, draws)
    assert whole.dtype == HAND_DTYPE
    for size in (1, 7, 500, 1024):
        starts = range(0, 3000, size) if size > 1 else range(100)
        parts = [play_hands(YUANHANG, MIXED, 7, at, min(size, 3000 - at), deal, draws) for at in starts]
        joined = np.concatenate(parts)
        assert np.array_equal(joined, whole[: len(joined)])
    for workers in (2, 3):
        with ThreadPoolExecutor(workers) as pool:
            parts = list(
                pool.map(lambda at: play_hands(YUANHANG, MIXED, 7, at, 250, deal, draws), range(0, 3000, 250))
            )
        assert np.array_equal(np.concatenate(parts), whole)


def test_rotated_walls_seat_every_bot_everywhere() -> None:
    records = play_hands(YUANHANG, MIXED, 7, 0, 1200)
    assert np.array_equal(records["wall"], np.arange(1200) // 4)
    by_wall = records["bot"].reshape(300, 4, 4)
    assert (np.sort(by_wall, axis=1) == np.arange(4)[None, :, None]).all()
    assert (np.sort(by_wall, axis=2) == np.arange(4)).all()
    assert (records["indicator"].reshape(300, 4) == records["indicator"][::4, None]).all()
    assert len({tuple(row) for row in by_wall[:, 0]}) == 24


def test_the_wall_depends_on_seed_and_number_alone() -> None:
    one = play_hands(YUANHANG, ["random"] * 4, 7, 0, 40)
    other = play_hands(load_rules("laizigang"), ["greedy"] * 4, 7, 0, 40)
    for column in ("indicator", "laizi", "start_wild", "start_shanten"):
        assert np.array_equal(one[column], other[column])
    assert not np.array_equal(one["indicator"], play_hands(YUANHANG, ["random"] * 4, 8, 0, 40)["indicator"])


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("draws", ["seat", "wall"])
def test_records_say_what_the_machine_did(preset: str, draws: str) -> None:
    rules = load_rules(preset)
    players = players_of(rules)
    records = play_hands(rules, MIXED[:players], 9, 0, 120, "rotated", draws)
    for record in records:
        number, hand = int(record["wall"]), int(record["hand"])
        machine = Machine(rules, dealt(rules, 9, number), 0, draws == "seat", 9, hand)
        turns = 1
        left = machine.state()["left"]
        while not machine.done:
            machine.step(machine.choose(MIXED[record["bot"][machine.seat]]))
        state, result = machine.state(), machine.result()
        assert result is not None
        turns += left - state["left"]
        assert record["turns"] == turns
        assert record["winner"] == result["winner"]
        assert OUTCOMES[record["outcome"]] == OUTCOMES[result["source"]]
        assert list(record["points"][:players]) == result["deltas"]
        assert list(record["opens"][:players]) == [seat["opens"] for seat in state["seats"]]
        if result["winner"] >= 0:
            for column in ("owed", "capped"):
                assert list(record[column][:players]) == result[column]
            assert record["win_tile"] == result["tile"]
            for column in ("loser", "types", "hard", "golden", "liable"):
                assert record[column] == result[column]
        else:
            assert (record["loser"], record["liable"], record["win_tile"], record["types"]) == (-1, -1, -1, 0)


@pytest.mark.parametrize("preset", preset_names())
def test_points_sum_to_zero_and_fit_the_outcome(preset: str) -> None:
    rules = load_rules(preset)
    konger_pays = rules.get("score.model") == "factors" and rules.get("liability.rob_kong") == "konger_hand"
    codes = rules.get("score.model") == "codes"
    records = play_hands(rules, MIXED[: players_of(rules)], 10, 0, 4000)
    assert (records["points"].sum(axis=1) == 0).all()
    won = records["outcome"] > 0
    assert won.any()
    assert (records["winner"][~won] == -1).all()
    assert codes or (records["points"][~won] == 0).all()
    winners = records[won]
    rows = np.arange(len(winners))
    assert codes or (winners["points"][rows, winners["winner"]] > 0).all()
    robbed = winners["outcome"] == OUTCOMES.index("rob_kong")
    assert (winners["owed"][rows, winners["winner"]][~robbed] == 0).all()
    assert (winners["owed"][rows, winners["loser"]][robbed] == 0).all() or not konger_pays
    assert ((winners["loser"] >= 0) == (winners["outcome"] > 1)).all()
    assert (winners["loser"] != winners["winner"]).all()


def test_every_fault_of_a_call_is_named() -> None:
    huge = -(10**5000)  # Python refuses to print it
    with pytest.raises(FaultError) as caught:
        play_hands(YUANHANG, ["random", "clever", "greedy"], huge, np.int64(-1), 1.5, "x", np.zeros(2))  # type: ignore[arg-type]
    assert [fault.split(", must be")[0] for fault in caught.value.faults if "clever" not in fault] == [
        "bots: 3 names",
        "deal = 'x'",
        "draws = array([0., 0.])",
        "seed = <int that cannot be printed>",
        "first = -1",
        "count = 1.5",
    ]
    assert len(play_hands(YUANHANG, MIXED, 0, 0, 0)) == 0
