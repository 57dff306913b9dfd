"""One hand: reading it, asking it, and the command ``wuhan hand``."""

from __future__ import annotations

import argparse
import copy
import dataclasses
import json
import pickle
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import oracle
from random_hands import random_hands
from wuhan_core._shape import discard_array
from wuhan_core.hand import (
    DiscardOption,
    Hand,
    HandError,
    Meld,
    best_discards,
    is_complete,
    shanten,
    ukeire,
    waits,
)
from wuhan_core.tiles import KIND_NAMES, TileError, parse_tile, parse_tiles
from wuhan_sim.hand_command import add_hand_command


def names(kinds: list[int]) -> str:
    return " ".join(KIND_NAMES[kind] for kind in kinds)


def live(found: dict[int, int]) -> dict[str, int]:
    return {KIND_NAMES[kind]: n for kind, n in found.items()}


SIZES = "1, 2, 4, 5, 7, 8, 10, 11, 13, 14"
HONOUR_MELDS = "pung:EEE pung:SSS pung:WWW pung:NNN"

# ---- reading


def test_parse() -> None:
    hand = Hand.parse("5p321m9s", "chow:312p, concealed_kong:7777s", "9s")
    assert hand.concealed == (0, 1, 2, 13, 26)
    assert hand.melds == (Meld("chow", (9, 10, 11)), Meld("concealed_kong", (24,) * 4))
    assert (hand.laizi, hand.wildcards) == (26, 1)
    assert str(hand) == "123m5p9s chow:123p concealed_kong:7777s laizi:9s"


def test_parse_other_names() -> None:
    assert Hand.parse("一二三万 5筒5筒", "pung:中中中", "9条") == Hand.parse("123m55p", "pung:CCC", "9s")


def test_a_hand_is_a_value() -> None:
    hand = Hand.parse("123m55p", melds="chow:123p pung:777s", laizi="9s")
    for twin in (
        Hand.parse("55p123m", "chow:123p pung:777s", "9s"),
        pickle.loads(pickle.dumps(hand)),
        copy.deepcopy(hand),
    ):
        assert twin == hand
        assert hash(twin) == hash(hand)
        assert shanten(twin) == shanten(hand) == -1
    kinds: Any = parse_tiles("123m5p")  # a list: made a tuple
    assert dataclasses.replace(hand, concealed=kinds) == Hand.parse("123m5p", "chow:123p pung:777s", "9s")
    with pytest.raises(dataclasses.FrozenInstanceError):
        hand.laizi = 3  # type: ignore[misc]
    assert hand != Hand.parse("123m55p", melds="chow:123p pung:777s")


@pytest.mark.parametrize(
    ("text", "melds", "laizi", "faults"),
    [
        (
            "12x3m",
            "chow:124p pong:777s pung:77s foo kong:777s chow:89sE chow:EEE",
            "99s",
            [
                "hand: position 1: '12' has no suit; write m, p or s (万, 筒 or 条) after the ranks",
                "hand: position 3: 'x' is no tile; write ranks 1-9 with m, p or s, honours E S W N C F P, "
                "their Chinese names or Unicode tiles",
                "meld 'chow:124p': chow:124p must be three neighbours of one suit",
                "meld 'pong:777s': meld kind = 'pong', must be one of chow, pung, kong, direct_kong, "
                "added_kong, concealed_kong",
                "meld 'pung:77s': pung:77s must be 3 alike",
                "meld 'foo': must be kind:tiles such as pung:777s",
                "meld 'kong:777s': kong:777s must be 4 alike",
                "meld 'chow:89sE': chow:89sE must be three neighbours of one suit",
                "meld 'chow:EEE': chow:EEE must be three neighbours of one suit",
                "laizi: tile = '99s' has 2 tiles, must be exactly one",
            ],
        ),
        (
            "11111m222p",
            "chow:123s pung:333s pung:333s pung:111m pung:999s",
            "9s",
            [
                "5 melds, at most 4",
                "pung:999s holds the wildcard kind 9s, which takes part in no meld",
                "1m: 8 tiles in hand and melds, at most 4",
                "3s: 7 tiles in hand and melds, at most 4",
            ],
        ),
        ("123m", "", None, ["3 concealed tiles with 0 melds, must be one of " + SIZES]),
        ("", "", None, ["0 concealed tiles with 0 melds, must be one of " + SIZES]),
        ("123456789m123456p", "", None, ["15 concealed tiles with 0 melds, must be one of " + SIZES]),
        ("1234m", HONOUR_MELDS, None, ["4 concealed tiles with 4 melds, must be one of 1, 2"]),
        ("777s5p", "pung:777s", None, ["7s: 6 tiles in hand and melds, at most 4"]),
    ],
)
def test_every_fault_at_once(text: str, melds: str, laizi: str | None, faults: list[str]) -> None:
    with pytest.raises(HandError) as caught:
        Hand.parse(text, melds, laizi)
    assert caught.value.faults == faults
    assert isinstance(caught.value, ValueError)


def test_faults_of_the_parts() -> None:
    with pytest.raises(HandError) as caught:
        Hand((0, 34, None, True), (3,), "9s")  # type: ignore[arg-type]
    assert caught.value.faults == [
        "concealed[1] = 34, must be a kind from 0 to 33",
        "concealed[2] = None, must be a kind from 0 to 33",
        "concealed[3] = True, must be a kind from 0 to 33",
        "laizi = '9s', must be a kind from 0 to 33 or None",
        "melds[0] = 3, must be a Meld",
    ]
    with pytest.raises(TileError):
        Meld("pung", (34, 34, 34))
    with pytest.raises(HandError, match="must be text"):
        Hand.parse("1m", ["pung:777s"])  # type: ignore[arg-type]


# ---- asking


@pytest.mark.parametrize(
    ("text", "melds", "laizi", "answer"),
    [
        ("1111m9s", "", "9s", -1),  # 111 and 1 + wildcard, of which four more sets are not shown
        ("123456789m1111p", "", None, 1),
        ("123456789mEEEE", "", None, 1),
        ("123456789mEEEE", "", "9s", 0),
        ("245568m245568p77s", "", None, 2),
        ("222234m444p555s55p", "", None, -1),
        ("345m22344p123s88sE", "", "E", -1),
        ("4m4p4sNEEEE", "chow:123m pung:999p", "E", 0),
        ("11123m", "pung:EEE pung:SSS pung:WWW", None, -1),
        ("111123mEE", "pung:SSS pung:WWW", "E", -1),
        ("EE", "pung:SSS pung:WWW pung:NNN pung:CCC", "E", -1),
        ("147m258p369sESWN", "", None, 8),
    ],
)
def test_shanten(text: str, melds: str, laizi: str | None, answer: int) -> None:
    hand = Hand.parse(text, melds, laizi)
    assert shanten(hand) == answer
    assert is_complete(hand) == (answer == -1)


@pytest.mark.parametrize(
    ("text", "melds", "laizi", "answer"),
    [
        ("1113456666788s", "", None, "2s 5s 7s 8s"),
        ("123456789mEEEE", "", None, ""),
        ("123456789mEEEE", "", "9s", "9s"),  # no fifth E can be drawn
        ("123456789m1122p", "", "E", "1p 2p E"),
        ("123456789m112pE", "", "E", "1p 2p 3p 4p E"),
        ("123456789m1133p", "", None, "1p 3p"),
        ("EEEE", "pung:SSS pung:WWW pung:NNN", "9s", "9s"),
        ("1m", "pung:SSS pung:WWW pung:NNN pung:CCC", None, "1m"),
        ("147m258p369sESWN", "", "9s", ""),
        ("89s11p", "pung:777s pung:WWW pung:NNN", None, "7s"),
        (
            "7s",
            "pung:777s pung:WWW pung:NNN pung:CCC",
            None,
            "7s",
        ),  # none left, but for the hand's own four alone
    ],
)
def test_waits(text: str, melds: str, laizi: str | None, answer: str) -> None:
    assert names(waits(Hand.parse(text, melds, laizi))) == answer


def test_a_ready_hand_completes_on_a_drawn_wildcard() -> None:
    hand = Hand.parse("123456789m1122p", laizi="E")
    assert is_complete(Hand.parse("123456789m1122pE", laizi="E"))
    assert live(ukeire(hand)) == {"1p": 2, "2p": 2, "E": 4}


def test_live_tiles_are_neither_in_hand_nor_melded_nor_seen() -> None:
    hand = Hand.parse("89s11p", "pung:777s chow:123p pung:NNN")
    assert live(ukeire(hand)) == {"7s": 1}
    assert ukeire(hand, "7s") == {}
    pair = Hand.parse("1188p", "chow:123p pung:777s pung:NNN", "E")
    assert live(ukeire(pair)) == {"1p": 1, "8p": 2, "E": 4}
    assert live(ukeire(pair, "1p8pEE")) == {"8p": 1, "E": 2}
    with_wildcard = Hand.parse("118pE", "chow:123p pung:777s pung:NNN", "E")
    assert ukeire(with_wildcard)[parse_tile("E")] == 3


@pytest.mark.parametrize("form", ["list", "tuple", "iterator", "counter", "text"])
def test_forms_of_seen(form: str) -> None:
    hand = Hand.parse("123456789m1122p", laizi="E")
    kinds = parse_tiles("1pE5s")
    forms: dict[str, Iterable[int] | str] = {
        "list": kinds,
        "tuple": tuple(kinds),
        "iterator": iter(kinds),
        "counter": Counter(kinds),
        "text": "1pE5s",
    }
    assert live(ukeire(hand, forms[form])) == {"1p": 1, "2p": 2, "E": 3}


def test_seen_as_34_counts() -> None:
    hand = Hand.parse("123456789m1122p", laizi="E")
    counts = [0] * 34
    counts[9], counts[27] = 1, 4
    for seen in (counts, tuple(counts), np.array(counts), np.array(counts, np.uint8)):
        assert live(ukeire(hand, seen)) == {"1p": 1, "2p": 2}
    # 34 kinds, one of each, are no counts
    assert live(ukeire(hand, list(range(34)))) == {"1p": 1, "2p": 1, "E": 3}


@pytest.mark.parametrize(
    ("seen", "faults"),
    [
        ("1111m2m3p", ["seen[1m] = 4 with 1 in hand and melds, together at most 4"]),
        (
            "CC9s",
            [
                "seen[9s] = 1 with 4 in hand and melds, together at most 4",
                "seen[C] = 2 with 3 in hand and melds, together at most 4",
            ],
        ),
        ("1m2", ["seen: position 3: '2' has no suit; write m, p or s (万, 筒 or 条) after the ranks"]),
        (
            [0, 34, True, "1m"],
            [
                "seen holds 34, must be kinds from 0 to 33",
                "seen holds True, must be kinds from 0 to 33",
                "seen holds '1m', must be kinds from 0 to 33",
            ],
        ),
        (
            {0: 5, 1: -1, 40: 1},
            [
                "seen[1m] = 5, must be 0 to 4",
                "seen[2m] = -1, must be 0 to 4",
                "seen holds 40, must be kinds from 0 to 33",
            ],
        ),
        ([0, 0, 0, 0, 0], ["seen[1m] = 5 with 1 in hand and melds, together at most 4"]),
        (7, ["seen = 7, must be kinds, kind -> number, 34 counts or text"]),
    ],
)
def test_seen_that_cannot_be(seen: object, faults: list[str]) -> None:
    melds = "pung:CCC chow:123p"
    with pytest.raises(HandError) as caught:
        ukeire(Hand.parse("1m9999s88p", melds), seen)  # type: ignore[arg-type]
    assert caught.value.faults == faults
    with pytest.raises(HandError) as caught:
        best_discards(Hand.parse("1m9999s888p", melds), seen)  # type: ignore[arg-type]
    assert caught.value.faults == faults


def test_wrong_number_of_tiles() -> None:
    thirteen, fourteen = Hand.parse("123456789m1122p"), Hand.parse("123456789m11222p")
    with pytest.raises(HandError, match=r"waits: 123456789m11222p has 14 concealed tiles, must be 3n \+ 1"):
        waits(fourteen)
    with pytest.raises(HandError, match=r"ukeire: 123456789m11222p has 14 concealed tiles, must be 3n \+ 1"):
        ukeire(fourteen)
    with pytest.raises(
        HandError, match=r"best_discards: 123456789m1122p has 13 concealed tiles, must be 3n \+ 2"
    ):
        best_discards(thirteen)


def random_hand(row: tuple[np.ndarray, int, int, int], wild: bool) -> Hand:
    """A hand of tests/random_hands.py, its melds pungs of kinds that it has none of where there are such."""
    counts, wildcards, melds, laizi = row
    concealed = [kind for kind in range(34) for _ in range(counts[kind])] + [laizi] * wildcards * wild
    free = [kind for kind in range(34) if counts[kind] <= 1 and kind != laizi][:melds]
    return Hand(tuple(concealed), tuple(Meld("pung", (kind,) * 3) for kind in free), laizi if wild else None)


@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize("tiles", [13, 14])
def test_random_hands_against_the_oracle(wild: bool, tiles: int) -> None:
    rng = np.random.default_rng(47)
    asked = 0
    for row in zip(*random_hands(rng, 120, tiles), strict=True):
        counts, wildcards, melds, laizi = (part.tolist() for part in row)
        if wildcards and not wild:
            continue
        asked += 1
        hand = random_hand((row[0], wildcards, melds, laizi), wild)
        kind = laizi if wild else None
        now = oracle.shanten(counts, wildcards, melds, wild)
        assert shanten(hand) == now
        assert is_complete(hand) == oracle.is_complete(counts, wildcards, melds, wild)
        left = Counter(dict.fromkeys(range(34), 4)) - Counter(hand.concealed)
        for meld in hand.melds:
            left -= Counter(meld.tiles)
        if tiles == 13:
            assert waits(hand) == oracle.waits(counts, wildcards, melds, kind)
            assert ukeire(hand) == {
                k: left[k] for k in oracle.useful(counts, wildcards, melds, kind) if left[k]
            }
            continue
        options = []
        for discard in sorted(set(hand.concealed)):
            rest, wilds = list(counts), wildcards
            if discard == kind:
                wilds -= 1
            else:
                rest[discard] -= 1
            useful = tuple(k for k in oracle.useful(rest, wilds, melds, kind) if left[k])
            after = oracle.shanten(rest, wilds, melds, wild)
            options.append(DiscardOption(discard, after, useful, sum(left[k] for k in useful)))
        options.sort(key=lambda option: option.discard, reverse=True)
        options.sort(key=lambda option: option.live, reverse=True)
        options.sort(key=lambda option: option.shanten)
        assert best_discards(hand) == options
        # the compiled bots' choice is the best of the natural tiles
        natural = [option.discard for option in options if option.discard != kind]
        seen = np.zeros((1, 34), np.uint8)
        for meld in hand.melds:
            seen[0, meld.tiles[0]] = 3
        arrays = (np.array([counts], np.uint8), np.array([wildcards], np.uint8), np.array([melds], np.uint8))
        assert discard_array(*arrays, seen, kind)[0] == (natural[0] if natural else kind)
    assert asked > 20


def test_best_discards_read_like_a_table() -> None:
    options = best_discards(Hand.parse("123456789m1122pE", laizi="9s"), "1p")
    assert options[0] == DiscardOption(27, 0, (9, 10, 26), 7)
    assert [KIND_NAMES[option.discard] for option in options[:3]] == ["E", "2p", "9m"]


# ---- the command


def command(*words: str) -> None:
    parser = argparse.ArgumentParser("wuhan")
    add_hand_command(parser.add_subparsers(required=True))
    options = parser.parse_args(["hand", *words], argparse.Namespace(faults=[]))
    options.run(options)


def test_command_on_a_hand_to_draw(capsys: pytest.CaptureFixture[str]) -> None:
    command("123456789m1122p", "--laizi", "E", "--seen", "11p")
    assert capsys.readouterr().out.splitlines() == [
        "123456789m1122p  laizi E",
        "ready",
        "waits (live tiles): 1p(0) 2p(2) E(4); 3 kinds, 6 live",
    ]
    command("245568m245568p7s")
    title, standing, useful = capsys.readouterr().out.splitlines()
    assert (title, standing) == ("245568m245568p7s", "shanten 3")
    assert useful.startswith("useful (live tiles): 1m(4) 2m(3) 3m(4)")


def test_command_on_a_hand_to_discard(capsys: pytest.CaptureFixture[str]) -> None:
    command(
        "123m56p", "--melds", "chow:123p pung:777s", "--laizi", "9s", "--melds", "pung:EEE", "--seen", "4p"
    )
    assert capsys.readouterr().out.splitlines() == [
        "123m56p  chow:123p  pung:777s  pung:EEE  laizi 9s",
        "ready",
        "",
        "discard  shanten  live  kinds  useful",
        "6p             0     7      2  5p 9s",
        "5p             0     7      2  6p 9s",
        "1m             1    30      9  1m 2m 3m 4m 4p 5p 6p 7p 9s",
        "3m             1    26      8  1m 2m 3m 4p 5p 6p 7p 9s",
        "2m             1    26      8  1m 2m 3m 4p 5p 6p 7p 9s",
    ]


def test_command_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    command("123456789m1122pE", "--laizi", "9s", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert {key: answer[key] for key in ("hand", "melds", "laizi", "shanten", "complete")} == {
        "hand": "123456789m1122pE",
        "melds": [],
        "laizi": "9s",
        "shanten": 0,
        "complete": False,
    }
    assert answer["discards"][0] == {"discard": "E", "shanten": 0, "live": 8, "useful": ["1p", "2p", "9s"]}
    command("EEEE", "--laizi", "9s", "--melds", "pung:SSS pung:WWW pung:NNN", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert (answer["waits"], answer["useful"], answer["melds"][0]) == ({"9s": 4}, {"9s": 4}, "pung:SSS")


def test_command_names_every_fault(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(HandError) as caught:
        command("123m55q", "--melds", "pung:7s", "--seen", "0m")
    assert [fault.split(":")[0] for fault in caught.value.faults] == ["hand", "hand", "meld 'pung", "seen"]
    assert capsys.readouterr().out == ""
