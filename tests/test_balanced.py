"""The balanced deal: every order of the bots over the seats once on each wall."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from wuhan_core import Action, Table, TableError, load_rules
from wuhan_core._play import play_hands
from wuhan_core._wall import arrangements
from wuhan_sim import Task, play_records, replay
from wuhan_sim.cli import main


class Passive:
    """Draws and throws away: it answers with the last thing it may do."""

    def act(self, observation: object, legal: list[Action]) -> Action:
        return legal[-1]


class Hasty:
    def act(self, observation: object, legal: list[Action]) -> Action:
        return legal[0]


ORDERS = {
    "greedy,greedy,random,random": ("aabb", "abab", "abba", "baab", "baba", "bbaa"),
    "random,greedy,greedy,greedy": ("abbb", "babb", "bbab", "bbba"),
    "greedy,random,greedy,greedy": ("aaab", "aaba", "abaa", "baaa"),
    "greedy": ("aaaa",),
}


@pytest.mark.parametrize("bots", ORDERS)
def test_hands_of_a_wall_have_every_order_once_in_the_order_documented(bots: str) -> None:
    task = Task("yuanhang", bots, 240, deal="balanced")
    letters = dict(zip(dict.fromkeys(task.bots), "ab", strict=False))
    assert task.hands_per_wall == len(ORDERS[bots])
    records = play_records(task)
    for row in records:
        seated = "".join(letters[task.bots[bot]] for bot in row["bot"])
        assert seated == ORDERS[bots][row["hand"] % task.hands_per_wall]
        assert sorted(row["bot"]) == [0, 1, 2, 3]
        assert task.seating(int(row["hand"])) == tuple(row["bot"])
        assert row["wall"] == row["hand"] // task.hands_per_wall


@pytest.mark.parametrize(("bots", "count"), [("aabc", 12), ("abca", 12), ("abcd", 24), ("ab", 2), ("aa", 1)])
def test_orders_are_the_permutations_of_a_multiset(bots: str, count: int) -> None:
    found = arrangements([bots.index(bot) for bot in bots])
    words = ["".join(bots[i] for i in order) for order in found]
    assert words == sorted(set(map("".join, permutations(bots))), key=lambda w: [bots.index(c) for c in w])
    assert len(words) == count
    for order in found:
        for bot in set(bots):
            assert [i for i in order if bots[i] == bot] == [i for i, c in enumerate(bots) if c == bot]


def test_two_seats_take_turns() -> None:
    records = play_records("hongzhong-2p", "greedy,random", count=6, deal="balanced")
    assert records["bot"][:, :2].tolist() == [[0, 1], [1, 0]] * 3


@pytest.mark.parametrize("preset", ["yuanhang", "hongzhong", "hongxin"])
def test_records_equal_those_of_a_rotated_deal_at_the_same_order_and_wall(preset: str) -> None:
    """Bots that draw no numbers play the same hand whatever its number; of equal bots any may be meant."""
    bots = ("greedy", "greedy", Passive, Passive)
    rotated = play_hands(load_rules(preset), bots, 3, 0, 400, "rotated")
    balanced = play_hands(load_rules(preset), bots, 3, 0, 600, "balanced")
    names = [name for name in rotated.dtype.names or () if name not in ("hand", "bot")]
    by_order = {(int(row["wall"]), *(row["bot"] // 2)): row[names] for row in balanced}
    assert len(by_order) == 600
    for row in rotated:
        assert row[names] == by_order[(int(row["wall"]), *(row["bot"] // 2))]


def test_bots_count_as_the_same_by_text_in_tasks_and_by_identity_in_the_loop() -> None:
    one, other = Passive(), Passive()
    task = Task("yuanhang", [one, "greedy", other, Hasty], 12, deal="balanced")
    assert (task.alike, task.hands_per_wall) == ((0, 1, 0, 3), 12)
    assert len({tuple(row) for row in play_records(task)["bot"]}) == 12
    loop = play_hands(task.rules, [one, "greedy", other, Hasty], 0, 0, 24, "balanced")
    assert (loop["wall"] == 0).all()
    assert Counter(map(tuple, loop["bot"])) == Counter(permutations(range(4)))


@pytest.mark.parametrize("cut", [1, 5, 24, 100])
@pytest.mark.parametrize("bots", ["greedy,greedy,random,random", "greedy,random,greedy,greedy"])
def test_any_cut_gives_the_same_records(bots: str, cut: int) -> None:
    whole = play_records("yuanhang", bots, seed=5, count=300, deal="balanced")
    pieces = [
        play_records("yuanhang", bots, seed=5, first=at, count=min(cut, 300 - at), deal="balanced")
        for at in range(0, 300, cut)
    ]
    assert np.array_equal(np.concatenate(pieces), whole)


def test_a_hand_is_replayed_from_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    bots = "greedy,random,random,random"
    task = Task("yuanhang", bots, 40, seed=4, deal="balanced")
    row = play_records(task)[37]
    hand = replay("yuanhang", bots, 4, 37, deal="balanced")
    assert hand.bots == tuple(task.bots[bot] for bot in row["bot"])
    assert hand.table.deltas == row["points"].tolist()
    command = task.replay_command(37)
    assert "--deal balanced" in command
    assert main([*command.split()[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == hand.to_dict()


def test_the_deal_is_part_of_a_tasks_id() -> None:
    deals = ("rotated", "fresh", "balanced")
    assert len({Task("yuanhang", "greedy,greedy,random,random", 12, deal=deal).id for deal in deals}) == 3


def test_a_table_takes_the_number_of_its_wall() -> None:
    table = Table("yuanhang", 4, 37, wall_number=9)
    assert table.log()["wall"] == Table("yuanhang", 4, 9, deal="fresh").log()["wall"]
    assert table.log()["hand"] == 37
    with pytest.raises(TableError, match=r"wall_number = -1, must be a whole number from 0 to 2\*\*62 - 1"):
        Table("yuanhang", 4, 37, wall_number=-1)
