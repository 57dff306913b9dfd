"""`TableBatch`: the same hands as `Table` plays, the same observations, and nothing of what is hidden."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plain_encoding import BLOCKS, plain_number, plain_row
from wuhan_core import (
    ACTION_NAMES,
    FEATURES,
    HAND_DTYPE,
    Action,
    BatchError,
    EncodingError,
    RuleError,
    Table,
    TableBatch,
    decode_action,
    encode_action,
    load_rules,
    preset_names,
)
from wuhan_core._machine import Machine
from wuhan_core._wall import wall_of
from wuhan_core.actions import ACTIONS
from wuhan_core.policies import PolicyError
from wuhan_core.records import OUTCOMES

WIN = Action("win").code


def check_slot(batch: TableBatch, slot: int, table: Table) -> None:
    """A slot says what the table says, in the words of the plain twin."""
    seen = table.observation(table.seat)
    assert batch.seats[slot] == table.seat
    assert np.array_equal(batch.observations[slot], plain_row(seen))
    legal = table.legal()
    numbers = [plain_number(action) for action in legal]
    assert len(set(numbers)) == len(numbers)
    assert np.flatnonzero(batch.masks[slot]).tolist() == sorted(numbers)
    assert batch.legal(slot) == legal
    for number, action in zip(numbers, legal, strict=True):
        assert encode_action(action) == number
        assert batch.decode(slot, number) == action


def check_end(batch: TableBatch, slot: int, table: Table, hand: int) -> None:
    """The slot's record and rewards are those of the table, which is over."""
    assert batch.done[slot]
    assert batch.rewards[slot].tolist() == table.deltas
    record, result = batch.records[slot], table._machine.result()
    assert result is not None
    assert record["hand"] == hand
    assert record["turns"] == table._machine.state()["turns"]
    assert (record["winner"], record["loser"]) == (result["winner"], result["loser"])
    assert record["outcome"] == result["source"]
    assert record["types"] == result["types"]
    for name in ("owed", "capped"):
        assert record[name][: table.players].tolist() == result[name]
    assert record["points"][: table.players].tolist() == table.deltas


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("draws", ["wall", "seat"])
def test_same_actions_same_hands(preset: str, draws: str) -> None:
    n, first, ends = 6, 5, 0
    batch = TableBatch(preset, n, seed=3, first=first, dealer=1, draws=draws)

    def deal(hand: int) -> Table:
        return Table(batch.rules, 3, hand, 1, draws=draws, deal="fresh")

    hands = [first + slot for slot in range(n)]
    tables = [deal(hand) for hand in hands]
    for slot in range(n):
        check_slot(batch, slot, tables[slot])
    rng = random.Random(preset + draws)
    bots = ("greedy", "planner", "")  # with a random player, who opens and kongs
    while ends < 2 * n:
        actions = []
        answers = {bot: batch.bot_actions(bot).tolist() for bot in bots if bot}
        for slot, table in enumerate(tables):
            bot = bots[(slot + table.seat) % 3]
            action = table.choose(bot) if bot else rng.choice(table.legal())
            actions.append(encode_action(action))
            assert not bot or answers[bot][slot] == actions[slot]
            table.step(action)
        batch.step(actions)
        for slot, table in enumerate(tables):
            if table.done:
                check_end(batch, slot, table, hands[slot])
                ends += 1
                hands[slot] += n
                tables[slot] = deal(hands[slot])
            else:
                assert not batch.done[slot]
                assert not batch.rewards[slot].any()
            check_slot(batch, slot, tables[slot])
        assert batch.hands.tolist() == hands


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_same_actions_same_hands_at_length(preset: str) -> None:
    batch = TableBatch(preset, 16, seed=4, autoreset=False)
    for hand in range(0, 320, 16):
        tables = [Table(preset, 4, hand + slot, draws="wall", deal="fresh") for slot in range(16)]
        while not batch.done.all():
            actions = batch.random_actions(hand)
            for slot, table in enumerate(tables):
                if not table.done:
                    check_slot(batch, slot, table)
                    table.step(batch.decode(slot, int(actions[slot])))
            batch.step(actions)
            for slot, table in enumerate(tables):
                if table.done and batch.rewards[slot].any():
                    check_end(batch, slot, table, hand + slot)
        batch.reset()


def test_every_sort_of_action_is_met() -> None:
    """Claims and kongs of each sort come up in the hands that are compared."""
    met: set[str] = set()
    for preset in preset_names():
        batch = TableBatch(preset, 300, seed=6)
        for _ in range(60):
            met |= {ACTION_NAMES[i].partition(" ")[0] for i in np.flatnonzero(batch.masks.any(axis=0))}
            batch.step(batch.random_actions(7))
    assert met == {"pass", "win", "pung", "kong", "chow", "discard", "own_kong", "single_kong"}


def test_robbed_kongs_and_last_rounds() -> None:
    """Phases too rare for the hands above: hands of a good bot that lets every other win pass."""
    rules, met = load_rules("yuanhang"), {"rob": 0, "last": 0}
    for number in range(400):
        machine = Machine(rules, wall_of(12, number), seed=12, hand=number)
        while not machine.done:
            code = machine.choose("greedy")
            if machine.phase in met:
                met[machine.phase] += 1
                assert np.array_equal(machine.row(machine.seat), plain_row(machine.observation(machine.seat)))
                numbers = sorted(plain_number(action) for action in machine.actions())
                assert np.flatnonzero(machine.mask()).tolist() == numbers == [0, 1]
            elif code == WIN:
                code = machine.legal()[1]
            machine.step(code)
    assert min(met.values()) >= 3, met


def hidden_dealt_anew(machine: Machine, seat: int, rng: random.Random) -> Machine:
    kinds = machine.hidden(seat)
    rng.shuffle(kinds)
    return machine.with_hidden(seat, kinds, rng.getrandbits(64))


@pytest.mark.parametrize("preset", preset_names())
def test_what_is_hidden_does_not_show(preset: str) -> None:
    rules, rng, changed = load_rules(preset), random.Random(preset), 0
    size = 112 if rules.get("deal.tiles") == "suits_red" else 136
    for number in range(6):
        machine = Machine(rules, wall_of(8, number, size), number % 2, True, 8, number)
        while not machine.done:
            for seat in range(rules.get("deal.players")):  # type: ignore[arg-type]
                other = hidden_dealt_anew(machine, seat, rng)
                assert np.array_equal(machine.row(seat), other.row(seat))
                assert np.array_equal(machine.row(seat), plain_row(machine.observation(seat)))
                changed += machine.hidden(seat) != other.hidden(seat)
            machine.step(rng.choice(machine.legal()))
    assert changed > 1000


def test_a_leak_would_be_found() -> None:
    """The tiles that are dealt anew do change what their owner sees."""
    machine = Machine(load_rules("yuanhang"), wall_of(8, 0, 136))
    other = hidden_dealt_anew(machine, 0, random.Random(1))
    assert not np.array_equal(machine.row(1), other.row(1))


def played(batch: TableBatch, hands: int) -> dict[int, tuple[list[bytes], bytes]]:
    """By hand, every row and mask and the record, of all hands below a number."""
    story: dict[int, list[bytes]] = {}
    ends: dict[int, tuple[list[bytes], bytes]] = {}
    while len(ends) < hands:
        before = batch.hands.copy()
        for slot, hand in enumerate(before.tolist()):
            story.setdefault(hand, []).append(
                batch.observations[slot].tobytes() + batch.masks[slot].tobytes() + bytes([batch.seats[slot]])
            )
        batch.step(batch.random_actions(11))
        for slot in np.flatnonzero(batch.done):
            if before[slot] < hands:
                ends[int(before[slot])] = story[int(before[slot])], batch.records[slot].tobytes()
    return ends


@pytest.mark.parametrize(
    "other", [{"n": 1}, {"n": 40}, {"n": 7, "threads": 3}, {"n": 3, "threads": 4}], ids=str
)
def test_a_hand_does_not_depend_on_the_batch(other: dict[str, int]) -> None:
    assert played(TableBatch("laizigang", 8, seed=9), 40) == played(
        TableBatch("laizigang", seed=9, **other), 40
    )


def test_the_last_first_hand_is_that_of_a_table() -> None:
    batch = TableBatch("yuanhang", 2, first=2**61 - 1)
    batch.reset()
    for slot in range(2):
        check_slot(batch, slot, Table("yuanhang", 0, 2**61 + 1 + slot, draws="wall", deal="fresh"))


def test_hands_of_a_rotated_deal_share_a_wall() -> None:
    batch = TableBatch("hongzhong", 8, seed=1, first=4, deal="rotated")
    assert (batch.observations[:4] == batch.observations[0]).all()
    assert not np.array_equal(batch.observations[0], batch.observations[4])
    for slot in range(8):
        check_slot(batch, slot, Table("hongzhong", 1, 4 + slot, draws="wall"))


def test_without_autoreset_a_slot_waits() -> None:
    batch = TableBatch("yuanhang", 5, seed=2, autoreset=False)
    assert (batch.records["hand"] == -1).all()
    while not batch.done.all():
        ended = batch.done.copy()
        batch.step(batch.random_actions())
        assert (batch.done >= ended).all()
        assert not batch.rewards[ended].any()
        assert (batch.seats == -1).tolist() == batch.done.tolist()
    assert batch.hands.tolist() == batch.records["hand"].tolist() == [0, 1, 2, 3, 4]
    assert not batch.observations.any()
    assert not batch.masks.any()
    assert batch.legal(0) == []
    assert batch.random_actions().tolist() == [-1] * 5
    batch.step([1000] * 5)  # nobody is asked
    batch.reset([True, False, True, False, False])
    assert batch.hands.tolist() == [5, 1, 7, 3, 4]
    assert batch.done.tolist() == [False, True, False, True, True]
    check_slot(batch, 0, Table("yuanhang", 2, 5, draws="wall", deal="fresh"))
    check_slot(batch, 2, Table("yuanhang", 2, 7, draws="wall", deal="fresh"))
    batch.reset()
    assert batch.hands.tolist() == [10, 6, 12, 8, 9]


def test_the_arrays_stay_the_same_objects() -> None:
    batch = TableBatch("qipi", 4)
    names = ("observations", "masks", "seats", "done", "hands", "rewards", "records")
    arrays = [getattr(batch, name) for name in names]
    where = [array.__array_interface__["data"] for array in arrays]
    shapes = [(4, 829), (4, 127), (4,), (4,), (4,), (4, 4), (4,)]
    assert [array.shape for array in arrays] == shapes
    assert batch.records.dtype == HAND_DTYPE
    before = batch.observations.copy()
    batch.observations[:] = 9  # whatever is written into them is written over
    batch.masks[:] = True
    for name in ("hands", "seats", "done"):  # what comes next hangs on them, and what errors say
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[0] = 1
    with pytest.raises(BatchError):
        batch.step([58] * 4)
    batch.step(batch.random_actions())
    assert batch.observations.max() < 137
    assert not np.array_equal(batch.observations, before)
    assert [array.__array_interface__["data"] for array in arrays] == where


def test_random_actions_are_legal_and_equally_likely() -> None:
    batch = TableBatch("yuanhang", 4000, seed=1)
    actions = batch.random_actions(5)
    assert batch.masks[np.arange(4000), actions].all()
    places = [np.flatnonzero(mask).tolist().index(a) for mask, a in zip(batch.masks, actions, strict=True)]
    shares = (np.array(places) + 0.5) / batch.masks.sum(axis=1)
    # the mean of 4000 uniform numbers: standard error 0.29 / 63
    assert abs(shares.mean() - 0.5) < 0.02
    assert np.array_equal(actions, batch.random_actions(5))
    assert not np.array_equal(actions, batch.random_actions(6))
    batch.step(actions)
    with pytest.raises(BatchError, match=r"seed = -1"):
        batch.random_actions(-1)


@pytest.mark.parametrize("bot", ["random", "careful", "search:playouts=4"])
def test_bots_answer_alike_in_any_batch(bot: str) -> None:
    one, other = TableBatch("qipi", 12, seed=5), TableBatch("qipi", 6, seed=5, first=3, threads=3)
    for _ in range(9):
        actions = one.bot_actions(bot, seed=6)
        assert one.masks[np.arange(12), actions].all()
        part = np.arange(6) % 2 == 0
        assert np.array_equal(other.bot_actions(bot, part, 6), np.where(part, actions[3:9], -1))
        one.step(actions)
        other.step(actions[3:9])


def test_faults_of_bots() -> None:
    batch = TableBatch("yuanhang", 2)
    with pytest.raises(PolicyError, match="gredy"):
        batch.bot_actions("gredy")
    with pytest.raises(BatchError, match=r"where: int(64|32) of shape"):
        batch.bot_actions("greedy", [1, 0])
    with pytest.raises(BatchError, match=r"seed = 1\.5"):
        batch.bot_actions("greedy", seed=1.5)  # type: ignore[arg-type]


def test_illegal_actions_are_named_and_nothing_changes() -> None:
    batch = TableBatch("yuanhang", 5, seed=1)
    before = batch.observations.copy(), batch.masks.copy(), batch.hands.copy()
    actions = batch.random_actions()
    actions[1], actions[3], actions[4] = 127, -1, 0
    with pytest.raises(BatchError) as caught:
        batch.step(actions)
    faults = caught.value.faults
    assert [fault.split(":")[0] for fault in faults] == [f"slot {i} (hand {i}, seat 0)" for i in (1, 3, 4)]
    assert "0 (pass) is not legal; allowed: " in faults[2]
    numbers = [int(part.split()[0]) for part in faults[1].split("allowed: ")[1].split(", ")]
    assert numbers == np.flatnonzero(batch.masks[3]).tolist()
    after = batch.observations, batch.masks, batch.hands
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert isinstance(caught.value, ValueError)


def test_many_illegal_actions_are_counted() -> None:
    batch = TableBatch("yuanhang", 300, seed=1)
    with pytest.raises(BatchError) as caught:
        batch.step(np.zeros(300, np.int8))
    assert len(caught.value.faults) == 300
    assert str(caught.value).endswith("and 200 more")


@pytest.mark.parametrize(
    "actions", [[0, 1], [[0], [1], [2]], [0.0] * 3, [True] * 3, ["pass"] * 3, 5, [], None], ids=str
)
def test_actions_that_are_none(actions: Any) -> None:
    batch = TableBatch("yuanhang", 3)
    with pytest.raises(BatchError, match=r"^actions: .*must be whole numbers of shape \(3,\)$"):
        batch.step(actions)


def test_rows_of_unlike_lengths() -> None:
    with pytest.raises(BatchError, match=r"^actions = \[\[1\], \[2, 3\]\], must be an array$"):
        TableBatch("yuanhang", 2).step([[1], [2, 3]])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, ">i4"])
def test_actions_of_any_whole_type(dtype: Any) -> None:
    batch, other = TableBatch("bianfeng", 9), TableBatch("bianfeng", 9)
    actions = batch.random_actions()
    batch.step(actions)
    other.step(np.repeat(actions.astype(dtype), 2)[::2])
    assert np.array_equal(batch.observations, other.observations)


def test_faults_of_a_batch() -> None:
    with pytest.raises(BatchError) as caught:
        TableBatch(
            "yuanhang",
            0,
            seed=-1,
            first=2**61,
            dealer=4,
            draws="x",
            deal="balanced",
            autoreset=1,  # type: ignore[arg-type]
            threads=True,
        )
    names = ["n", "seed", "first", "dealer", "threads", "draws", "deal", "autoreset"]
    assert [fault.split(" = ")[0] for fault in caught.value.faults] == names
    assert "n = 0, must be a whole number from 1 to 1048576" in caught.value.faults
    with pytest.raises(BatchError, match=r"^first = -1, must be a whole number from 0 to 2\*\*61 - 1$"):
        TableBatch("yuanhang", 1, first=np.int64(-1))  # type: ignore[arg-type]
    with pytest.raises(BatchError, match=r"dealer = 2, must be a whole number from 0 to 1"):
        TableBatch("hongzhong-2p", 1, dealer=2)
    with pytest.raises(RuleError):
        TableBatch("nowhere", 1)
    with pytest.raises(ValueError, match="seat = 4, must be 0 to 3"):
        Table("yuanhang").row(4)
    batch = TableBatch("yuanhang", 2)
    for mask in ([1, 0], [True], None if len(batch) != 2 else [[True, False]]):
        with pytest.raises(BatchError, match="mask"):
            batch.reset(mask)
    for slot in (-1, 2, True, "0"):
        with pytest.raises(BatchError, match="slot"):
            batch.legal(slot)  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [Table, lambda rules: TableBatch(rules, 1)], ids=["Table", "TableBatch"])
def test_rules_are_what_load_rules_takes(make: Callable[[Any], Table | TableBatch], tmp_path: Path) -> None:
    for wrong in (None, 3, b"yuanhang", ["yuanhang"], {}):
        with pytest.raises(RuleError) as caught:
            make(wrong)
        assert str(caught.value).startswith(f"unknown preset {wrong!r}; there are yuanhang, ")
    file = tmp_path / "mine.toml"
    file.write_text('extends = "qipi"\n', encoding="utf-8")
    for rules in (file, str(file), load_rules(file)):
        assert make(rules).rules == load_rules("qipi")


def test_the_table_of_actions() -> None:
    assert len(ACTION_NAMES) == len(set(ACTION_NAMES)) == len(BLOCKS) == 127
    numbers = {}
    for action in filter(None, ACTIONS):
        if action.verb == "chow" and (action.kind >= 27 or action.kind % 9 > 6):
            with pytest.raises(EncodingError, match="no chow begins there"):
                encode_action(action)
            continue
        number = numbers[action] = encode_action(action)
        assert number == plain_number(action)
        assert decode_action(number, [action]) == action
        verb, *tile = ACTION_NAMES[number].split()
        assert verb == action.verb or (verb == "own_kong" and action.verb in ("added_kong", "concealed_kong"))
        assert tile in ([], [action.tile])
    assert set(numbers.values()) == set(range(127))
    legal = [Action("pass"), Action("pung", 5)]
    for wrong in (1, 127, -1, True, "pass", 2.0, None, np.True_, np.array([0, 2])):
        with pytest.raises(EncodingError, match=r"allowed: 0 \(pass\), 2 \(pung\)"):
            decode_action(wrong, legal)  # type: ignore[arg-type]
    assert decode_action(np.int8(2), legal) == legal[1]  # type: ignore[arg-type]


def test_texts_of_actions_have_numbers() -> None:
    for action in filter(None, ACTIONS):
        if action.verb != "chow" or (action.kind < 27 and action.kind % 9 < 7):
            assert encode_action(str(action)) == encode_action(action)


@pytest.mark.parametrize(
    "wrong",
    [
        *("pas", "", "discard", "discard 10m", "pass 1m", "chow 8m"),
        *(None, 3, b"pass", ["pass"]),
        *(Action("discard", 34), Action("discard"), Action("own"), Action("pass", 5), Action("pung", [])),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_what_is_no_action_has_no_number(wrong: Any) -> None:
    with pytest.raises(EncodingError):
        encode_action(wrong)


@pytest.mark.parametrize("wrong", [None, 3, "pass", ["pass"], [Action("discard", 34)]], ids=repr)
def test_legal_actions_are_actions(wrong: Any) -> None:
    with pytest.raises(EncodingError, match=r"^legal = .*, must be a sequence of Action$"):
        decode_action(0, wrong)


def test_numbers_are_shown_as_they_are_written() -> None:
    with pytest.raises(EncodingError, match=r"^-1 is not legal; allowed: 0 \(pass\)$"):
        decode_action(np.int64(-1), [Action("pass")])  # type: ignore[arg-type]
    batch = TableBatch("yuanhang", 1)
    with pytest.raises(BatchError, match=r"^slot 0 \(hand 0, seat 0\): -1 is not legal; allowed: "):
        batch.step(np.array([-1]))


def test_the_table_of_features() -> None:
    start = 0
    for name, feature in FEATURES.items():
        assert (feature.name, feature.start) == (name, start)
        start = feature.stop
    assert start == 829
    rows = np.arange(2 * 829).astype(np.uint8).reshape(2, 829)
    assert FEATURES["melds"].of(rows).shape == (2, 4, 4, 3)
    assert FEATURES["melds"].of(rows[1]).base is not None  # a view
    assert np.array_equal(FEATURES["left"].of(rows[0]), rows[0, 523:524])
    assert len(OUTCOMES) == 4
    cut = rows[:, :600]
    for wrong in (cut, rows.T, FEATURES["counts"].of(rows), np.zeros(0), np.uint8(3), [[0] * 829], None):
        for feature in FEATURES.values():
            with pytest.raises(EncodingError, match=r"must be an array of shape \(\.\.\., 829\)$"):
                feature.of(wrong)  # type: ignore[arg-type]


def test_a_batch_is_shown_in_a_line_and_not_copied() -> None:
    batch = TableBatch("hongxin", 3, seed=1)
    assert repr(batch) == "<TableBatch hongxin, 3 slots, 3 being played>"
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make another one with the same parameters"):
            copied(batch)
