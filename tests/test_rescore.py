"""Stored hands under other options: logs exactly, records as far as they tell; refusals with their reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
import pytest

from case_maker import Case, make
from generate import finished_hand, random_options
from hand_logs import follow, scripted, table_of
from machines import players_of
from option_table import PRESETS
from scripts import SOUND
from wuhan_core._play import play_hands
from wuhan_core.hand_log import LogError, finished_cases
from wuhan_core.records import HAND_DTYPE, OUTCOMES, TYPE_NAMES
from wuhan_core.rescore import RescoreError, changed_play, exact_rows, rescore
from wuhan_core.rescore_records import untold
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.scoring import score_cases
from wuhan_core.table import Table

NO_MINIMUM = {"win.minimum": "none"}
CAP_NAMES = ("cap.per_payer", "cap.golden", "cap.liable")
CAPS = (0, 50, 100, 300, 400, 700)
Log = dict[str, Any]


def play(rules: RuleSet, hands: Iterable[int], bot: str | None = None, seed: int = 5) -> list[Log]:
    """Logs as they come out of a file; random and greedy bots in turn unless one is named."""
    logs = []
    for hand in hands:
        table = Table(rules, seed=seed, hand=hand)
        while not table.done:
            table.step(table.choose(bot or ("greedy", "random")[hand % 2]))
        logs.append(json.loads(json.dumps(table.log())))
    return logs


# ---- logs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", preset_names())
def test_a_log_scored_under_its_own_rules_has_its_own_result(preset: str) -> None:
    rules = load_rules(preset)
    logs = play(rules, range(80))
    assert rescore(logs, rules) == [log["result"] for log in logs]
    assert sum("wins" in log["result"] for log in logs if isinstance(log["result"], dict)) > 10


def test_a_robber_with_a_wildcard_has_the_codes_that_it_turned_up() -> None:
    rules: RuleSet
    script: Any
    rules, *script = SOUND["s7_both_robbers_win_and_one_turns_up_a_code_more"]
    table = table_of(log := scripted(rules, *script), rules)
    assert follow(log, rules, table) is None
    assert [len(case["codes"]) for case in finished_cases(table.log(), rules, rules)] == [5, 4]
    assert rescore([table.log()], rules) == [table.result()]


@pytest.mark.parametrize("preset", [name for name in preset_names() if name in PRESETS])
def test_the_case_of_a_log_is_that_of_the_table(preset: str) -> None:
    rules = load_rules(preset)
    found = 0
    for hand in range(60):
        table = Table(rules, seed=5, hand=hand)
        while not table.done:
            table.step(table.choose("greedy"))
        case = table.case()
        built = finished_cases(table.log(), rules, rules)
        assert len(built) == (case is not None)
        if case is not None:
            found += 1
            assert score_cases(built) == score_cases([case])
            assert (built[0]["players"], built[0]["win"]) == (case["players"], case["win"])
    assert found > 20


@pytest.mark.parametrize("preset", [name for name in preset_names() if name != "hongzhong-2p"])
def test_rare_ends_are_scored_from_their_logs(preset: str) -> None:
    """Replacements, last rounds, robbed kongs: the first of each among many hands."""
    rules = load_rules(preset)
    bots = ["greedy"] * players_of(rules)
    records = play_hands(rules, bots, 5, 0, 20_000)
    types = dict(zip(TYPE_NAMES, 1 << np.arange(len(TYPE_NAMES)), strict=True))
    rare = [records["outcome"] == OUTCOMES.index("rob_kong")]
    rare += [records["types"] & types[name] > 0 for name in ("gangshanghua", "haidilao", "quanqiuren")]
    hands = [int(hand) for each in rare for hand in records["hand"][each][:3]]
    assert hands
    for hand, log in zip(hands, play(rules, hands, "greedy"), strict=True):
        (result,) = rescore([log], rules)
        assert result == log["result"]
        first = result[0] if isinstance(result, list) else result
        assert records["owed"][hand].tolist()[: len(bots)] == first["owed"]


@pytest.mark.parametrize(
    "changes",
    [
        {"cap.per_payer": 60, "cap.golden": 80},
        {"score.big_stacking": "double", "score.hard": 3},
        {"liability.quanqiuren": "none", "cap.per_payer": 20, "cap.golden": 0},
        {"liability.rob_kong": "konger_hand", "score.stake": 7},
    ],
)
def test_s4_points_change_and_play_does_not(changes: dict[str, object]) -> None:
    played = load_rules("laizigang")
    rules = played.replace(changes)
    logs = play(played, range(60), "greedy")
    scored = rescore(logs, rules)
    cases = [case for log in logs for case in finished_cases(log, played, rules)]
    assert [answer for answer in scored if "wins" in answer] == score_cases(cases)
    assert all(answer["wins"] for answer in scored if "wins" in answer)
    assert scored != [log["result"] for log in logs]


def test_logs_of_rules_of_ones_own() -> None:
    own = load_rules("qipi").replace({"cap.per_payer": 120})
    logs = play(own, range(10), "greedy")
    for log in logs:
        base = load_rules("yuanhang")
        changed = {name: value for name, value in own.values.items() if base.values[name] != value}
        log |= {"rules": None, "set": {k: list(v) if isinstance(v, tuple) else v for k, v in changed.items()}}
    assert rescore(logs, own) == [log["result"] for log in logs]


def test_ignore_play_scores_hands_as_they_were_played() -> None:
    played = load_rules("yuanhang")
    strict = played.replace({"win.minimum_points": 10_000})
    logs = play(played, range(40), "greedy")
    with pytest.raises(RescoreError, match="minimum_points 20 -> 10000: it changes which hands may win"):
        rescore(logs, strict)
    scored = rescore(logs, strict, ignore_play=True)
    assert {answer["why_not"] for answer in scored if "wins" in answer} == {"below_minimum"}


# ---- what may have altered play ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "changes", "named"),
    [
        ("yuanhang", {"cap.per_payer": 200, "cap.golden": 0, "cap.liable": 20}, []),
        ("yuanhang", {"score.stake": 5, "table.fee": 2}, []),
        ("yuanhang", {"cap.per_payer": 19}, ["cap.per_payer 300 -> 19: with win.minimum = any_payer"]),
        ("yuanhang", {"cap.golden": 5}, ["cap.golden 400 -> 5"]),
        ("yuanhang", {"liability.third_meld": []}, []),
        ("yuanhang", {"liability.rob_kong": "robber_hand"}, ["liability.rob_kong"]),
        ("yuanhang", {"score.hard": 3, "score.open": "once"}, ["score.open", "score.hard 2 -> 3"]),
        ("yuanhang", {"win.minimum_points": 0}, ["win.minimum_points"]),
        ("yuanhang", {"wild.skin_kinds": 1, "claims.chow": False}, ["wild.skin_kinds", "claims.chow"]),
        ("yuanhang", {"deal.dead_wall": 0}, ["deal.dead_wall 10 -> 0: it changes the deal or the turn"]),
        ("laizigang", {"score.hard": 3, "liability.rob_kong": "konger_hand", "cap.per_payer": 1}, []),
        ("laizigang", {"win.minimum_points": 50}, []),
        ("laizigang", {"win.minimum": "any_payer"}, []),
        (
            "laizigang",
            {"score.qianggang_is_big": False},
            ["score.qianggang_is_big True -> False"],
        ),
        ("laizigang", {"win.shapes": ["standard"]}, ["win.shapes"]),
    ],
)
def test_changes_that_could_have_altered_play(
    preset: str, changes: dict[str, object], named: list[str]
) -> None:
    played = load_rules(preset)
    reasons = changed_play(played, played.replace(changes))
    assert len(reasons) == len(named)
    assert all(reason.startswith(start) for reason, start in zip(reasons, named, strict=True))


def test_caps_above_the_minimum_change_no_win() -> None:
    """What `changed_play` calls safe is safe: random hands win or not as before."""
    rng = Random("caps")
    won = changed = 0
    for preset in PRESETS:
        for _ in range(150):
            base = random_options(rng) | {"win.minimum": rng.choice(("any_payer", "each_payer"))}
            base |= {name: rng.choice((0, 200, 400)) for name in CAP_NAMES}
            new = base | {name: rng.choice((0, 150, 300, 700)) for name in CAP_NAMES}
            new |= {"liability.third_meld": rng.sample(TYPE_NAMES[:5], 2)}
            played, rules = (load_rules(preset, each) for each in (base, new))
            assert changed_play(played, rules) == []
            hand = finished_hand(rng, PRESETS[preset] | base)
            before, after = score_cases([{"rules": preset, "set": each} | hand for each in (base, new)])
            assert (before["wins"], before["why_not"]) == (after["wins"], after["why_not"])
            won += before["wins"]
            changed += before.get("capped") != after.get("capped")
    assert won > 200
    assert changed > 50


# ---- records -------------------------------------------------------------------------------------


def record_of(case: Case, answer: dict[str, Any], rules: RuleSet) -> np.ndarray[Any, Any]:
    """The record of a case, as far as `rescore` looks."""
    record = np.zeros(1, HAND_DTYPE)
    win = case["win"]
    record["winner"], record["loser"], record["liable"] = win["winner"], win.get("from", -1), -1
    record["outcome"] = OUTCOMES.index(win["source"])
    if answer["liable"] is not None:
        record["liable"] = answer["liable"]
    record["owed"], record["capped"], record["points"] = answer["owed"], answer["capped"], answer["deltas"]
    record["hard"], record["golden"] = answer["hard"], answer["golden"]
    record["types"] = sum(1 << TYPE_NAMES.index(name) for name in answer["types"] if name != "pihu")
    opening = {"chow", "pung", "added_kong"}
    opening |= {"direct_kong"} if rules.get("win.open_melds") == "chow_pung_kong" else set()
    for seat, player in enumerate(case["players"]):
        kinds = [meld["kind"] for meld in player["melds"]]
        record["opens"][0, seat] = sum(kind in opening for kind in kinds)
        record["kongs"][0, seat] = sum(kind.endswith("kong") for kind in kinds)
        record["kongs"][0, seat] += sum(player.get(f"{name}_kongs", 0) for name in ("red", "wild", "skin"))
    return record


def check_records(hands: int) -> None:
    rng = Random("records")
    certain = differ = halves = 0
    for number in range(hands):
        preset = rng.choice(tuple(PRESETS))
        base = (random_options(rng) if number % 2 else {}) | NO_MINIMUM
        if number % 4 == 2:  # small wins that bring more than big ones
            base |= {"score.small_base": rng.choice((25, 200)), "win.small_wild_max": 4}
        new = base | {name: rng.choice(CAPS) for name in CAP_NAMES}
        new |= {"score.stake": rng.choice((1, 1, 3))}
        played, rules = (load_rules(preset, each) for each in (base, new))
        hand = finished_hand(rng, PRESETS[preset] | base)
        before, after = score_cases([{"rules": preset, "set": each} | hand for each in (base, new)])
        if not before["wins"]:
            continue
        record = record_of(hand, before, played)
        if untold(record, played, rules):
            with pytest.raises(RescoreError, match="halves"):
                rescore(record, rules, played=played)
            halves += 1
            continue
        found = rescore(record, rules, played=played)
        winner = hand["win"]["winner"]
        same = (
            all(
                found[name][0].tolist() == after[key]
                for name, key in (("owed", "owed"), ("capped", "capped"), ("points", "deltas"))
            )
            and found["golden"][0] == after["golden"]
        )
        if exact_rows(record, rules, played)[0]:
            assert same, (played, rules, hand, before, after, found)
            certain += 1
        else:
            assert found["points"][0, winner] <= after["deltas"][winner]
        differ += not same
    assert certain > hands / 8
    assert differ  # some readings do change: what is not certain is not so for nothing
    assert halves


def test_s5_records_under_other_caps_are_as_scored_anew() -> None:
    check_records(2_000)


@pytest.mark.slow
def test_s5_many_records_under_other_caps_are_as_scored_anew() -> None:
    check_records(20_000)


@pytest.mark.parametrize(
    ("options", "changes", "chosen", "better"),
    [
        # the small reading brings more until the cap cuts the dealer's share
        (
            {"score.small_base": 8, "cap.per_payer": 0},
            {"cap.per_payer": 60, "cap.golden": 0},
            "pihu",
            "pengpenghu",
        ),
        # golden below the cap: the big reading is golden, the small one is not and brings more
        ({"cap.per_payer": 0}, {"cap.per_payer": 40, "cap.golden": 1}, "pengpenghu", "pihu"),
        ({"cap.per_payer": 40, "cap.golden": 1}, {"cap.per_payer": 0}, "pihu", "pengpenghu"),
    ],
)
def test_s3_a_record_does_not_know_the_other_reading(
    options: dict[str, object], changes: dict[str, object], chosen: str, better: str
) -> None:
    """111222333m is three triplets or three chows; the discarder is the dealer."""
    played = load_rules("yuanhang", NO_MINIMUM | options)
    rules = played.replace(changes)
    case = make("111222333m5p", ["pung 777s 1"], "5p", "discard", 1, dealer=1)
    before, after = score_cases(case | {"set": dict(each.overrides)} for each in (played, rules))
    assert (before["types"], after["types"]) == ([chosen], [better])
    record = record_of(case, before, played)
    assert rescore(record, rules, played=played)["points"][0, 0] < after["deltas"][0]
    assert not exact_rows(record, rules, played)[0]


@pytest.mark.parametrize(
    ("options", "changes", "chosen", "better"),
    [
        ({"cap.liable": 40, "cap.per_payer": 35}, {"cap.per_payer": 0}, "qingyise", "pihu"),
        ({"cap.liable": 40, "cap.per_payer": 0}, {"cap.liable": 60}, "pihu", "qingyise"),
        ({"cap.liable": 60, "cap.per_payer": 0}, {"cap.liable": 40}, "qingyise", "pihu"),
    ],
)
def test_s6_a_record_does_not_know_the_reading_with_other_liability(
    options: dict[str, object], changes: dict[str, object], chosen: str, better: str
) -> None:
    """Soft it is one suit and fed by seat 1, hard a small win; caps say which brings more."""
    base = NO_MINIMUM | {"cap.golden": 0, "win.small_wild_max": 3}
    played = load_rules("yuanhang", base | options)
    rules = played.replace(changes)
    case = make("55mSSS", ["chow 123m 3", "chow 456m 3", "pung 777m 1"], "5m")
    before, after = score_cases(case | {"set": dict(each.overrides)} for each in (played, rules))
    assert (before["types"], after["types"]) == ([chosen], [better])
    record = record_of(case, before, played)
    assert not exact_rows(record, rules, played)[0]
    assert exact_rows(record, played, played)[0]
    assert rescore(record, rules, played=played)["points"][0, 0] < after["deltas"][0]


def played_records(rules: RuleSet, hands: int) -> np.ndarray[Any, Any]:
    return play_hands(rules, ["greedy"] * 4, 5, 0, hands)


@pytest.mark.parametrize("preset", [name for name in preset_names() if name in PRESETS])
def test_records_and_logs_of_the_same_hands_agree(preset: str) -> None:
    played = load_rules(preset)
    rules = played.replace({"cap.per_payer": 40, "cap.golden": 60, "cap.liable": 30, "score.stake": 3})
    records = played_records(played, 80)
    assert (rescore(records, played, played=played) == records).all()
    scored = rescore(play(played, range(80), "greedy"), rules)
    found = rescore(records, rules, played=played)
    exact = exact_rows(records, rules, played)
    assert exact.mean() > 0.3
    for answer, record, certain in zip(scored, found, exact, strict=True):
        if certain:
            assert record["points"].tolist() == answer.get("deltas", [0] * 4)
            assert record["capped"].tolist() == answer.get("capped", [0] * 4)
    untouched = [
        name for name in HAND_DTYPE.names or () if name not in ("owed", "capped", "points", "golden")
    ]
    assert (found[untouched] == records[untouched]).all()


def test_s5_golden_is_a_fixed_sum_and_caps_cut_each_share() -> None:
    played = load_rules("yuanhang", NO_MINIMUM)
    record = np.zeros(2, HAND_DTYPE)
    record["winner"], record["outcome"], record["liable"] = 0, 1, -1
    record["owed"] = [[0, 320, 960, 320], [0, 280, 350, 900]]
    record["capped"] = [[0, 400, 400, 400], [0, 280, 300, 300]]
    record["points"] = [[1200, -400, -400, -400], [880, -280, -300, -300]]
    record["golden"] = [1, 0]
    found = rescore(record, played.replace({"cap.golden": 350, "cap.per_payer": 320}), played=played)
    assert found["capped"].tolist() == [[0, 350, 350, 350], [0, 280, 320, 320]]
    assert found["points"].tolist() == [[1050, -350, -350, -350], [920, -280, -320, -320]]
    assert found["golden"].tolist() == [1, 0]
    off = rescore(record, played.replace({"cap.per_payer": 0}), played=played)
    assert off["capped"].tolist() == record["owed"].tolist()
    assert not off["golden"].any()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"score.hard": 3}, "score.hard 2 -> 3: records do not hold what it takes"),
        ({"liability.third_meld": []}, "liability.third_meld .* records do not hold"),
        ({"win.open_melds": "none"}, "win.open_melds .* records do not hold"),
        ({"deal.dead_wall": 0}, "deal.dead_wall 10 -> 0: it changes the deal"),
    ],
)
def test_records_refuse_what_they_cannot_tell(changes: dict[str, object], reason: str) -> None:
    played = load_rules("yuanhang")
    with pytest.raises(RescoreError, match=reason):
        rescore(played_records(played, 4), played.replace(changes), played=played)


def test_records_refuse_shares_that_may_be_halves() -> None:
    played = load_rules("yuanhang", {"score.big_base": 1})
    with pytest.raises(RescoreError, match="halves"):
        rescore(played_records(played, 4), played.replace({"cap.per_payer": 30}), played=played)


def test_records_of_several_robbers_are_refused() -> None:
    played = load_rules("yuanhang")
    records = played_records(played, 40)
    won = int(np.flatnonzero(records["outcome"] > 0)[0])
    records["points"][won] *= 2
    with pytest.raises(RescoreError, match=f"1 records, the first of hand {won}: .*several"):
        rescore(records, played, played=played)


def test_records_ask_for_the_rules_they_were_played_by() -> None:
    with pytest.raises(RescoreError, match="played is missing"):
        rescore(np.zeros(1, HAND_DTYPE), load_rules("yuanhang"))
    with pytest.raises(RescoreError, match="must have HAND_DTYPE"):
        rescore(np.zeros(3), load_rules("yuanhang"))


def test_no_records_and_no_logs() -> None:
    rules = load_rules("yuanhang")
    assert rescore([], rules) == []
    assert len(rescore(np.zeros(0, HAND_DTYPE), rules, played=rules)) == 0


# ---- faulty logs ---------------------------------------------------------------------------------


def test_faulty_logs_are_named_all_at_once() -> None:
    rules = load_rules("yuanhang")
    logs: list[Any] = play(rules, range(6), "greedy")
    logs[1]["events"][3]["tile"] = "1z"
    logs[2]["rules_id"] = "0" * 64
    logs[3]["events"].pop()
    del logs[4]["deal"]
    logs[5] = 7
    with pytest.raises(LogError) as error:
        rescore(logs, rules)
    starts = [fault.split(":")[0] for fault in error.value.faults]
    assert starts == [f"logs[{number}]" for number in range(1, 6)]
    assert "events[3]" in error.value.faults[0]
    assert "is not over" in error.value.faults[2]


def test_a_tile_that_is_not_there_is_named() -> None:
    rules = load_rules("yuanhang")
    (log,) = play(rules, [0], "greedy")
    number = next(i for i, event in enumerate(log["events"]) if event["do"] == "discard")
    hand = log["deal"][log["events"][number]["seat"]] + log["events"][0]["tile"]
    missing = next(tile for tile in "ESWNFP" if tile not in hand)
    log["events"][number]["tile"] = missing
    with pytest.raises(LogError, match=rf"events\[{number}\].*the hand has no {missing}"):
        rescore([log], rules)


@pytest.mark.parametrize("seat", [-1, 4, True, "0", None])
@pytest.mark.parametrize("do", ["draw", "discard", "win"])
def test_an_event_is_of_a_seat(do: str, seat: Any) -> None:
    rules = load_rules("yuanhang")
    (log,) = play(rules, [0], "greedy")
    number = next(i for i, event in enumerate(log["events"]) if event["do"] == do)
    log["events"][number]["seat"] = seat  # the last seat, for Python, where it is -1
    wanted = (
        rf"events\[{number}\].*cannot be followed: seat = {re.escape(repr(seat))}, must be a whole number"
    )
    with pytest.raises(LogError, match=wanted):
        rescore([log], rules)


def test_logs_of_a_wrong_form_are_told_in_plain_words() -> None:
    rules = load_rules("yuanhang")
    with pytest.raises(LogError) as error:
        rescore([5, {"events": []}], rules, played=rules)  # type: ignore[list-item]
    assert error.value.faults[0] == "logs[0]: is no hand log: a value is of the wrong kind"
    assert error.value.faults[1] == "logs[1]: the log cannot be followed: laizi is missing"
