"""`sessions`: tables against a plain count, the same for any workers, coverage, the command line."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import wuhan_sim
from wuhan_core.actions import BotError
from wuhan_core.rules import load_rules
from wuhan_sim import (
    Interrupted,
    RunError,
    SessionError,
    SessionFailure,
    SessionPlan,
    Sessions,
    Task,
    sessions,
)
from wuhan_sim.cli import main
from wuhan_sim.progress import Progress
from wuhan_sim.session import SessionOrder, play_shard
from wuhan_sim.session_stats import measure_sessions
from wuhan_sim.shards import Stopped, sealed
from wuhan_sim.shards import play_shard as play_sealed
from wuhan_sim.stats import NOTHING

Capture = pytest.CaptureFixture[str]
GAME = Task("bianfeng", "greedy,random,random,greedy", 1, 4)
ALONE = Task("laizigang", "greedy", 1, 4, deal="fresh")
SECTIONS = ("sessions", "bankroll", "ruin", "drawdown", "money", "play")


@pytest.fixture(scope="module")
def result() -> Sessions:
    return sessions(GAME, 20, 900, 203, first=2, keep_records=True, stay=True, leave_above=3000, workers=1)


def seats(result: Sessions) -> pd.DataFrame:
    """One row per seat and session, from the records."""
    records = result.records
    rows = []
    for seat in range(result.plan.players):
        rows.append(
            pd.DataFrame(
                {
                    "bot": [result.plan.task.bots[bot] for bot in records[f"bot_{seat}"]],
                    "hands": records["hands"],
                    **{
                        name: records[f"{name}_{seat}"]
                        for name in ("end", "drawdown", "points", "fees", "unpaid", "missed", "wins", "deals")
                    },
                    "ruined_at": records[f"ruined_at_{seat}"],
                }
            )
        )
    return pd.concat(rows)


def values(result: Sessions) -> dict[tuple[str, str, str], float]:
    return {(r["section"], r["of"], r["name"]): r["value"] for r in result.table().to_dict("records")}


def test_tables_are_a_plain_count(result: Sessions) -> None:
    found, records, by_seat = values(result), result.records, seats(result)
    n = len(records)
    assert (n, result.count, result.blocks) == (203, 203, 52)
    assert records["session"].tolist() == list(range(2, 205))
    for code, name in enumerate(("played", "ruin", "left", "fled")):
        assert found["sessions", "sessions", name] == (records["ended"] == code).sum() / n
    ruined = records[[f"ruined_at_{seat}" for seat in range(4)]].max(axis=1) > 0
    assert found["sessions", "sessions", "ruin_share"] == ruined.mean() > 0
    assert math.isclose(found["sessions", "sessions", "hands"], records["hands"].mean())
    assert found["sessions", "hands", "exhausted_share"] == records["exhausted"].sum() / result.hands
    for bot, mine in by_seat.groupby("bot"):
        was_ruined = mine[mine["ruined_at"] > 0]
        for section, name, value in (
            ("bankroll", "mean", mine["end"].mean()),
            ("bankroll", "sd", mine["end"].std(ddof=0)),
            ("bankroll", "ahead_share", (mine["end"] > 900).mean()),
            ("bankroll", "behind_share", (mine["end"] < 900).mean()),
            ("bankroll", "q05", mine["end"].quantile(0.05, "lower")),
            ("bankroll", "q99", mine["end"].quantile(0.99, "higher")),
            ("ruin", "ruin_share", len(was_ruined) / len(mine)),
            ("ruin", "mean", was_ruined["ruined_at"].mean()),
            ("drawdown", "mean", mine["drawdown"].mean()),
            ("money", "points", mine["points"].mean()),
            ("money", "fees", mine["fees"].mean()),
            ("money", "unpaid", mine["unpaid"].mean()),
            ("money", "missed", mine["missed"].mean()),
            ("play", "points_per_hand", mine["points"].sum() / mine["hands"].sum()),
            ("play", "wins", mine["wins"].sum() / mine["hands"].sum()),
            ("play", "deals", mine["deals"].sum() / mine["hands"].sum()),
        ):
            assert math.isclose(found[section, str(bot), name], value, rel_tol=1e-12), (bot, name)
        for section, name, column in (
            ("bankroll", "q50", mine["end"]),
            ("ruin", "q50", was_ruined["ruined_at"]),
            ("drawdown", "q50", mine["drawdown"]),
        ):
            wanted = np.quantile(column, 0.5, method="inverted_cdf")
            assert found[section, str(bot), name] == wanted
    table = result.table()
    assert tuple(dict.fromkeys(table["section"])) == SECTIONS
    for section in SECTIONS:
        assert len(result.section(section)) == (table["section"] == section).sum()
    held = table[table["value"].notna() & table["low"].notna()]
    assert (held["low"] <= held["value"]).all()
    assert (held["value"] <= held["high"]).all()


def test_errors_are_over_blocks(result: Sessions) -> None:
    """The mean's interval against one worked out from the records."""
    records, bot = result.records, "random"
    y: dict[int, list[int]] = {}
    for row in records.to_dict("records"):
        for seat in range(4):
            if GAME.bots[row[f"bot_{seat}"]] == bot:
                y.setdefault(row["block"], []).append(row[f"end_{seat}"])
    totals = np.array([sum(held) for held in y.values()])
    sizes = np.array([len(held) for held in y.values()])
    mean = totals.sum() / sizes.sum()
    blocks = len(y)
    error = math.sqrt(blocks / (blocks - 1) * ((totals - mean * sizes) ** 2).sum()) / sizes.sum()
    (row,) = (
        result.table().query("section == 'bankroll' and name == 'mean' and of == 'random'").to_dict("records")
    )
    assert math.isclose(row["high"] - row["value"], 2.0076 * error, rel_tol=1e-3)  # Student's t, 51 degrees
    assert "blocks" in row["method"]


@pytest.mark.parametrize("task", [GAME, ALONE])
def test_workers_and_shards_change_nothing(task: Task) -> None:
    settings: dict[str, Any] = {"first": 3, "flee": 0.001, "leave_below": 100, "progress": False}
    whole = sessions(task, 12, 800, 150, workers=1, **settings)
    for workers, shard in ((1, 4), (2, 8), (3, 12), (2, 400)):
        part = sessions(task, 12, 800, 150, workers=workers, shard_sessions=shard, **settings)
        assert part.totals == whole.totals
        assert part.table().equals(whole.table())
    kept = sessions(task, 12, 800, 150, workers=2, shard_sessions=8, keep_records=True, **settings)
    assert kept.records["session"].tolist() == list(range(3, 153))
    with pytest.raises(ValueError, match="keep_records"):
        _ = whole.records


def test_any_crew_plays_sessions() -> None:
    settings: dict[str, Any] = {"first": 3, "keep_records": True, "shard_sessions": 16}
    whole = sessions(GAME, 12, 800, 60, workers=1, **settings)
    part = sessions(GAME, 12, 800, 60, workers=2, scheduler="processes", **settings)
    assert part.totals == whole.totals
    assert part.records.equals(whole.records)
    with pytest.raises(RunError, match="scheduler = 'dask', must be threads, processes"):
        sessions(GAME, scheduler="dask")
    task = Task("yuanhang", ["greedy", Late, "greedy", "greedy"], 1)
    with pytest.raises(SessionFailure, match="tired") as caught:
        play_sealed(sealed(SessionOrder(SessionPlan(task, 7, 1000, 8))), range(8))
    assert caught.value.plan.count == 8


def test_totals_add_in_any_order() -> None:
    plan = SessionPlan(GAME, 10, 700, 48)
    parts = [measure_sessions(plan, *play_shard(plan, at, 8)) for at in range(0, 48, 8)]
    whole = measure_sessions(plan, *play_shard(plan, 0, 48))
    for order in ((0, 1, 2, 3, 4, 5), (5, 2, 0, 4, 1, 3)):
        total = NOTHING
        for i in order:
            total += parts[i]
        assert total == whole
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_fan_and_ruin_curve(result: Sessions) -> None:
    fan, curve = result.fan(), result.ruin_curve()
    assert sorted(set(fan["hands"])) == list(range(1, 21))
    assert (fan["low"] <= fan["value"]).all()
    assert (fan["value"] <= fan["high"]).all()
    found = values(result)
    for row in fan[fan["hands"] == 20].to_dict("records"):
        assert row["value"] == found["bankroll", row["of"], f"q{round(row['quantile'] * 100):02}"]
    by_seat = seats(result)
    for row in curve.to_dict("records"):
        mine = by_seat[by_seat["bot"] == row["of"]]["ruined_at"]
        assert row["value"] == ((mine > 0) & (mine <= row["hands"])).mean()
        assert row["low"] <= row["value"] <= row["high"]
    assert len(sessions(GAME, 50, 700, 8).fan()["hands"].unique()) == 16  # every 3 hands
    assert sessions(GAME, 1, None, 8).fan()["hands"].unique().tolist() == [1]


def test_histogram(result: Sessions) -> None:
    by_seat = seats(result)
    for bars in (1, 7, 50):
        table = result.histogram(bars)
        for bot, mine in by_seat.groupby("bot"):
            rows = table[table["of"] == bot]
            assert len(rows) <= bars
            assert rows["n"].sum() == len(mine)
            for row in rows.to_dict("records"):
                assert row["n"] == mine["end"].between(row["least"], row["most"]).sum()
                assert row["share"] == row["n"] / len(mine)
                assert row["low"] <= row["share"] <= row["high"]


def test_a_histogram_has_bars(result: Sessions) -> None:
    for bars in (0, -3, 2.5):
        with pytest.raises(SessionError, match=f"bars = {bars}, must be a whole number, 1 or more"):
            result.histogram(bars)  # type: ignore[arg-type]


def test_points_that_int64_does_not_hold() -> None:
    """Sums stay exact where squares and products of points are beyond 64 bits; bins keep them few."""
    options = load_rules("hongxin").to_dict()
    high = {name: 1000 for name in options if name.startswith(("factor.", "value."))}
    task = Task(load_rules("hongxin", {**high, "score.stake": 999_983}), "greedy,random,random,greedy", 1, 4)
    result = sessions(task, 60, None, 40, keep_records=True)
    mine = seats(result)
    ends: Any = mine[mine["bot"] == "greedy"]["end"].to_numpy().astype(object)
    assert max(abs(ends)) > 2**58
    totals = result.totals
    assert totals.sums["end of greedy"] == ends.sum()
    assert totals.sums["end squared of greedy"] == (ends * ends).sum()
    found = values(result)
    mean = Fraction(int(ends.sum()), len(ends))
    assert found["bankroll", "greedy", "mean"] == float(mean)
    variance = Fraction(int((ends * ends).sum()), len(ends)) - mean**2
    assert found["bankroll", "greedy", "sd"] == math.sqrt(variance)
    assert found["bankroll", "greedy", "q50"] == sorted(ends)[len(ends) // 2 - 1]


def test_intervals_cover() -> None:
    """Of many short runs, about 95 of 100 intervals hold what a long run gives."""
    task = [Task("yuanhang", "greedy,greedy,random,random", 1, seed) for seed in range(81)]
    truth = values(sessions(task[80], 8, 400, 8000, progress=False))
    names = [
        ("sessions", "sessions", "ruin_share"),
        ("sessions", "sessions", "hands"),
        *(("bankroll", "greedy", name) for name in ("mean", "sd", "q50", "ahead_share")),
        *(("ruin", "random", name) for name in ("ruin_share", "mean", "q50")),
        ("drawdown", "greedy", "mean"),
        ("money", "random", "unpaid"),
    ]
    held = dict.fromkeys(names, 0)
    for one in task[:80]:
        for row in sessions(one, 8, 400, 160, progress=False, workers=1).table().to_dict("records"):
            name = row["section"], row["of"], row["name"]
            if name in held:
                held[name] += row["low"] <= truth[name] <= row["high"]
    for name, count in held.items():
        assert count >= 69, (name, count)  # P(fewer of 80 at 95 %) < 0.001


def test_what_cannot_be_is_0_without_error() -> None:
    table = sessions(ALONE, 5, None, 20).table().set_index(["section", "of", "name"])
    for name in ("ruin", "left", "fled", "ruin_share"):
        assert table.loc[("sessions", "sessions", name), "method"] == "fixed by the rules or the seating"
    assert table.loc[("money", "greedy", "fees"), "high"] == 0
    assert table.loc[("money", "greedy", "points"), "high"] == 0
    assert table.loc[("sessions", "sessions", "played"), "value"] == 1


def test_text_html_and_json(result: Sessions) -> None:
    text = str(result)
    assert text.startswith(
        "bianfeng: greedy x2, random x2; 203 sessions (2..204) on 52 blocks, up to 20 hands each"
    )
    assert "bankroll 900, ruined seats stay, leaving at 3,000 or above" in text
    for word in ("ruin share", "q05 (points)", "drawdown", "fees", "unpaid", "missed", "hands"):
        assert word in text, word
    assert result._repr_html_().count("<table>") == len(SECTIONS)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (data["count"], data["blocks"], data["id"]) == (203, 52, result.plan.id)
    for name in (*SECTIONS, "histogram", "fan", "ruin_curve"):
        assert data[name], name
    assert data["plan"]["bankroll"] == 900
    assert data["plan"]["task"]["bots"] == ["greedy", "random", "random", "greedy"]


def test_id_knows_all_that_decides() -> None:
    plan = SessionPlan(GAME, 10, 700, 48)
    assert SessionPlan(GAME, 10, 700, 5, first=7).id == plan.id
    assert (
        SessionPlan(Task("bianfeng", "greedy,random,random,greedy", 9, 4, first=3), 10, 700, 5).id == plan.id
    )
    others = [
        SessionPlan(ALONE, 10, 700, 48),
        SessionPlan(GAME, 11, 700, 48),
        SessionPlan(GAME, 10, None, 48),
        SessionPlan(GAME, 10, 700, 48, stay=True),
        SessionPlan(GAME, 10, 700, 48, leave_below=0),
        SessionPlan(GAME, 10, 700, 48, leave_above=701),
        SessionPlan(GAME, 10, 700, 48, flee=0.5),
    ]
    assert len({plan.id, *(other.id for other in others)}) == 8
    assert SessionPlan(GAME, 10, 0, 48) == SessionPlan(GAME, 10, None, 48)


def test_every_fault_is_named() -> None:
    with pytest.raises(SessionError) as caught:
        SessionPlan("game", 0, -1, 0, -1, 2, 1.5, "x", 2.0)  # type: ignore[arg-type]
    words = ("task", "hands", "bankroll", "count", "first", "stay", "leave_below", "leave_above", "flee")
    assert [fault.split(" = ")[0] for fault in caught.value.faults] == list(words)
    for changes, word in (
        ({"leave_below": 700}, "leave_below = 700, must be a whole number from 0 to 699"),
        ({"leave_above": 700}, "leave_above = 700, must be a whole number from 701 "),
        ({"flee": math.nan}, "flee = nan"),
        ({"hands": 10**6, "count": 2**50}, r"at most 2\*\*60"),
    ):
        fields: dict[str, Any] = {"task": GAME, "hands": 10, "bankroll": 700, "count": 48, **changes}
        with pytest.raises(SessionError, match=word):
            SessionPlan(**fields)
    with pytest.raises(RunError) as both:
        sessions(GAME, workers=0, shard_sessions=3)
    assert len(both.value.faults) == 2


class Late:
    """Plays the first legal action; at its table's 30th draw it gives up."""

    def act(self, observation: Any, legal: list[Any]) -> Any:
        if observation.left < 40:
            raise RuntimeError("tired")
        return legal[0]


def test_a_bot_that_fails_stops_all_and_is_named() -> None:
    task = Task("yuanhang", ["greedy", Late, "greedy", "greedy"], 1)
    with pytest.raises(SessionFailure, match="tired") as caught:
        sessions(task, 7, 1000, 400, workers=2)
    error = caught.value
    assert isinstance(error, BotError)
    assert f"hand {error.at} of session {error.session}" in str(error)
    assert error.plan.session_of(error.hand) == (error.session, error.at)
    again = pickle.loads(pickle.dumps(SessionFailure(error.plan, BotError(0, 9, 1, ValueError("x")))))
    assert again.session == 1
    assert error.command.startswith(f"wuhan session --rules yuanhang --bots greedy,{__name__}:Late,greedy,")
    assert f" --first {error.session} --sessions 1 " in error.command
    with pytest.raises(SessionFailure, match="tired"):  # the session alone fails as well
        sessions(task, 7, 1000, 1, first=error.session, workers=1)


def test_ctrl_c_stops_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: Progress, things: int, played: bool = True) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "update", stop)
    with pytest.raises(Interrupted, match=r"stopped after \d+ of 100,000 sessions"):
        sessions(GAME, 100, None, 100_000, workers=2, shard_sessions=8)
    with pytest.raises(Stopped):  # in the middle of a shard, too
        play_shard(SessionPlan(GAME, 10**6, None, 4), 0, 4, np.ones(1, np.uint8))


def command(capsys: Capture, *arguments: str) -> str:
    assert main(["session", *arguments]) == 0
    return capsys.readouterr().out


def test_command_prints_what_the_call_gives(capsys: Capture) -> None:
    words = "--rules bianfeng --bots greedy,random,random,greedy --seed 4 --hands 20 --sessions 203 --first 2"
    more = "--stay --leave-above 3000 --bankroll 900 --workers 2 --quiet"
    out = command(capsys, *words.split(), *more.split())
    assert out == f"{sessions(GAME, 20, 900, 203, first=2, stay=True, leave_above=3000)}\n"
    few = ("--sessions", "8", "--leave-below=-50", "--json", "--quiet", "--bankroll")
    data = json.loads(command(capsys, *few, "none"))
    assert data["plan"]["bankroll"] is None
    assert data["plan"]["leave_below"] == -50
    assert data["plan"]["task"]["deal"] == "fresh"  # all bots alike
    assert json.loads(command(capsys, *few, "0")) == data
    assert SessionPlan(Task("yuanhang", "greedy", 1, 7), 5, 50, 3, flee=0.5).command(2) == (
        "wuhan session --rules yuanhang --bots greedy,greedy,greedy,greedy --seed 7 --hands 5 --first 2 "
        "--sessions 1 --bankroll 50 --flee=0.5 --deal rotated"
    )


def test_command_names_every_fault(capsys: Capture) -> None:
    words = (
        "--rules nowhere --set foo --bots greedi --seed x --hands 0 --sessions 0 --bankroll much --first=-1 "
        "--leave-below y --leave-above=-1 --flee often --workers 0 --draws none --deal round --unknown"
    )
    assert main(["session", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    for word in (
        *(
            "nowhere",
            "foo",
            "greedi",
            "seed = 'x'",
            "hands = 0",
            "sessions = 0",
            "bankroll = 'much'",
            "first = -1",
        ),
        *(
            "leave_below = 'y'",
            "flee = 'often'",
            "workers = 0",
            "draws = 'none'",
            "deal = 'round'",
            "--unknown",
        ),
    ):
        assert word in err, word
    assert "Traceback" not in err


def test_names_for_users() -> None:
    assert {"sessions", "Sessions", "SessionPlan", "SessionError", "SessionFailure"} <= set(wuhan_sim.__all__)
