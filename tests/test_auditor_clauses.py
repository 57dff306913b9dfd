"""The auditor and the engine against short scripts: what a clause of RULES.md allows, and what not."""

from __future__ import annotations

import re

import pytest

from auditor import Replay, audit
from hand_logs import follow, scripted, table_of
from scripts import CLAIMS, SOUND, UNSOUND, WINS
from wuhan_core.rules import RuleSet


def objections(rules: RuleSet, deal: list[str], indicator: str, plays: str) -> list[str]:
    """What the auditor has against a script, which may stop before the end."""
    faults = audit(scripted(rules, deal, indicator, plays), rules.values)
    return [re.sub(r"^event \d+: ", "", fault) for fault in faults if not fault.startswith("end: ")]


@pytest.mark.parametrize("name", SOUND)
def test_allowed(name: str) -> None:
    assert objections(*SOUND[name]) == []


@pytest.mark.parametrize("name", UNSOUND)
def test_objected_to(name: str) -> None:
    script, expected = UNSOUND[name]
    faults = objections(*script)
    assert len(faults) == len(expected), faults
    for fault, begins in zip(faults, expected, strict=True):
        assert fault.startswith(begins), faults


@pytest.mark.parametrize("name", WINS)
def test_how_it_was_won(name: str) -> None:
    script, expected = WINS[name]
    replay = Replay(scripted(*script), script[0].values)
    assert replay.faults == []
    win = replay.wins[-1][1]["win"]
    assert {key: win[key] for key in expected} == expected


# ---- the engine can play what is allowed, and nothing else


@pytest.mark.parametrize("name", SOUND)
def test_the_engine_allows(name: str) -> None:
    script = SOUND[name]
    assert follow(scripted(*script), script[0]) is None


@pytest.mark.parametrize("name", UNSOUND)
def test_the_engine_refuses(name: str) -> None:
    script, _ = UNSOUND[name]
    rules, log = script[0], scripted(*script)
    stopped, fault = follow(log, rules), audit(log, rules.values)[0]
    assert stopped is not None
    places = [int(re.sub(r"event (\d+):.*", r"\1", text)) for text in (stopped, fault)]
    # codes and robbers belong to more than one event
    assert abs(places[0] - places[1]) <= 1, (stopped, fault)


@pytest.mark.parametrize("name", WINS)
def test_the_engine_wins(name: str) -> None:
    script = WINS[name][0]
    assert follow(scripted(*script), script[0]) is None


@pytest.mark.parametrize("name", CLAIMS)
def test_who_gets_the_tile(name: str) -> None:
    script, dealer, wishes, expected = CLAIMS[name]
    rules, log = script[0], scripted(*script, dealer)
    table = table_of(log, rules)
    assert follow(log, rules, table) is None
    asked = []
    while len(events := table.log()["events"]) == len(log["events"]):
        asked.append(table.seat)
        table.step(wishes.get(table.seat, "pass"))
    assert set(asked) >= set(wishes)  # all could say what they want
    after = events[len(log["events"]) :]
    claims = [event for event in after if event["do"] not in ("draw", "codes")]
    assert [(event["seat"], event["do"]) for event in claims] == expected
    assert all(fault.startswith("end: ") for fault in audit(table.log(), rules.values))
