"""Bots in Python beside compiled ones: names, repeatability, failures and how they are told."""

from __future__ import annotations

import itertools
import json
import pickle
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from auditor import record
from machines import players_of
from processes import environment
from wuhan_core.actions import Action, IllegalAction
from wuhan_core.rules import load_rules, preset_names
from wuhan_sim import BotFailure, Result, Task, TaskError, play_records, replay, simulate
from wuhan_sim.arguments import read_rules
from wuhan_sim.bots import read_bots
from wuhan_sim.cli import command_line, main
from wuhan_sim.guests import Guest, GuestError, seated

Capture = pytest.CaptureFixture[str]
ME = __name__


class Cautious:
    """Discards its last tile, claims nothing, wins when it can."""

    def act(self, observation: Any, legal: list[Action]) -> Action:
        wins = [action for action in legal if action.verb == "win"]
        return (wins or legal)[-1] if wins or legal[0].verb != "pass" else legal[0]


class Counting:
    """A fresh object must have seen nothing of other hands and seats."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.seat, self.turns = -1, 0

    def act(self, observation: Any, legal: list[Action]) -> Action:
        assert self.seat in (-1, observation.seat)
        assert observation.turns >= self.turns
        self.seat, self.turns = observation.seat, observation.turns
        return legal[0]


class Failing:
    """What happens at its tenth question in a hand is decided by `way`."""

    way: Callable[[list[Action]], Any]

    def __init__(self) -> None:
        self.asked = 0

    def act(self, observation: Any, legal: list[Action]) -> Any:
        self.asked += 1
        return type(self).way(legal) if self.asked == 10 else legal[0]


def boom(legal: list[Action]) -> Action:
    raise LookupError("no idea what to do")


class Boom(Failing):
    way = staticmethod(boom)


class Cheat(Failing):
    way = staticmethod(lambda legal: Action("win"))


class Mute(Failing):
    way = staticmethod(lambda legal: None)


class Talker(Failing):
    way = staticmethod(lambda legal: str(legal[0]))


def leave(legal: list[Action]) -> Action:
    sys.exit(3)


class Leaves(Failing):
    way = staticmethod(leave)


class Untidy:
    """Takes its answer out of the list that it was given, and empties that."""

    def act(self, observation: Any, legal: list[Action]) -> Action:
        answer = legal.pop()
        legal.clear()
        return answer


class FirstOne:
    def act(self, observation: Any, legal: list[Action]) -> Action:
        return legal[0]


class Floating:
    """Answers with an action equal to the first one, in which the tile's number is no whole number."""

    def act(self, observation: Any, legal: list[Action]) -> Action:
        return Action(legal[0].verb, float(legal[0].kind))  # type: ignore[arg-type]


class NeedsMore:
    def __init__(self, depth: int) -> None: ...

    def act(self, observation: Any, legal: list[Action]) -> Action:
        return legal[0]


class NoBot:
    pass


cautious = Cautious()
SEATS = ["greedy", Cautious, "random", f"{ME}:Counting"]


# ---- names and identity


def test_a_bot_in_python_is_named_by_module_and_class() -> None:
    for bot in (f"{ME}:Cautious", Cautious, cautious, Cautious()):
        task = Task("yuanhang", ["greedy", bot, "greedy", "random"], 8)
        assert task.bots == ("greedy", f"{ME}:Cautious", "greedy", "random")
        assert task.to_dict()["bots"] == list(task.bots)
    assert Task("yuanhang", Cautious, 8).bots == (f"{ME}:Cautious",) * 4
    assert Task("hongzhong-2p", f"greedy, {ME}:cautious", 8).bots == ("greedy", f"{ME}:cautious")


def test_the_id_goes_by_the_names() -> None:
    ids = [Task("yuanhang", bot, 8).id for bot in (f"{ME}:Cautious", Cautious, cautious, Counting, "greedy")]
    assert ids[0] == ids[1] == ids[2]
    assert len(set(ids)) == 3


def test_what_sits_at_a_seat() -> None:
    task = Task("yuanhang", [Cautious, cautious, f"{ME}:Cautious", "greedy"], 8)
    assert seated(task.bots) == (Cautious, cautious, Cautious, "greedy")
    copy = pickle.loads(pickle.dumps(Task("yuanhang", Cautious, 8)))
    assert copy == Task("yuanhang", Cautious, 8)
    assert seated(copy.bots) == (Cautious,) * 4


def test_json_is_read_without_importing_anything() -> None:
    """A run's folder may come from anywhere: only playing it imports its bots."""
    text = Task("yuanhang", Cautious, 8).to_json()
    assert Task.from_json(text) == Task("yuanhang", Cautious, 8)
    assert len(play_records(Task.from_json(text))) == 8
    gone = text.replace("Cautious", "Gone").replace(ME, "a_module_that_is_not_there")
    task = Task.from_json(gone)
    assert task.bots == ("a_module_that_is_not_there:Gone",) * 4
    assert task.to_json() == gone
    with pytest.raises(GuestError, match="a_module_that_is_not_there"):
        play_records(task)


def test_results_of_bots_that_are_not_there_can_be_added() -> None:
    gone = Task("yuanhang", Cautious, 8).to_json().replace(ME, "a_module_that_is_not_there")
    parts = []
    for first in (0, 8):
        totals = simulate(Task("yuanhang", Cautious, 8, first=first), 1).totals
        parts.append(Result(Task.from_json(gone).with_hands(first, 8), totals, ((first, first + 8),)))
    assert sum(parts).task == Task.from_json(gone).with_hands(0, 16)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("nowhere:Bot", "bots: 'nowhere:Bot' cannot be imported: ModuleNotFoundError"),
        (f"{ME}:Nobody", "AttributeError"),
        (f"{ME}:NoBot", "has no method act(observation, legal)"),
        (f"{ME}:boom", "has no method act(observation, legal)"),
        (f"{ME}:", "cannot be imported"),
        (":Bot", "cannot be imported"),
        ("..:Bot", "cannot be imported"),
        (NoBot(), "must be names such as greedy,random, or bots with act(observation, legal)"),
        (NoBot, "must be names"),
        (7, "bots = 7"),
        ("greedi", "the nearest is greedy"),
    ],
)
def test_what_is_no_bot(bot: object, words: str) -> None:
    (fault,) = read_bots([bot, Cautious, "greedy", "greedy"], 4)[1]
    assert words in fault
    with pytest.raises(TaskError) as caught:
        Task("yuanhang", ["greedy", "greedy", "greedy", bot], 0)
    assert len(caught.value.faults) == 2  # hands = 0 is named with it


@pytest.mark.parametrize("text", ["raise ValueError('two\\nlines')", "import sys; sys.exit(3)", "def (:"])
def test_a_module_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "broken_bots.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    (fault,) = read_bots("broken_bots:Bot", 4)[1]
    assert "cannot be imported" in fault
    assert "\n" not in fault


# ---- play


def test_any_workers_and_chunks_give_the_same_records() -> None:
    whole = play_records("yuanhang", bots=SEATS, seed=3, count=96)
    parts = [play_records("yuanhang", bots=SEATS, seed=3, first=at, count=12) for at in range(0, 96, 12)]
    assert np.array_equal(np.concatenate(parts), whole)
    task = Task("yuanhang", SEATS, 96, seed=3)
    results = [simulate(task, workers, shard_hands=size).to_dict() for workers, size in ((1, 96), (3, 8))]
    assert results[0] == results[1]


def test_a_compiled_bot_plays_the_same_beside_one_in_python() -> None:
    """Streams are apart: what the guest sees and does costs the others no number."""

    class First:
        def act(self, observation: Any, legal: list[Action]) -> Action:
            return legal[0]

    class Asking(First):
        def act(self, observation: Any, legal: list[Action]) -> Action:
            observation.to_dict()
            return super().act(observation, [*legal])

    one, other = (play_records("yuanhang", bots=[bot, *["random"] * 3], count=40) for bot in (First, Asking))
    assert np.array_equal(one, other)


def test_each_hand_and_seat_gets_a_new_object_of_a_class() -> None:
    Counting.made = 0
    play_records("yuanhang", bots=Counting, count=12)
    assert Counting.made == 4 * 12
    Counting.made = 0
    play_records("yuanhang", bots=["greedy", Counting, "greedy", "greedy"], count=12)
    assert Counting.made <= 12


def test_an_object_plays_in_all_hands() -> None:
    class Memory(Cautious):
        hands = 0

        def act(self, observation: Any, legal: list[Action]) -> Action:
            self.hands += observation.turns <= 4
            return super().act(observation, legal)

    bot = Memory()
    play_records("yuanhang", bots=[bot, "greedy", "greedy", "greedy"], count=12)
    assert bot.hands >= 10


@pytest.mark.parametrize("preset", preset_names())
def test_the_record_is_that_of_the_log(preset: str) -> None:
    rules = load_rules(preset)
    players = players_of(rules)
    bots = SEATS[:players]
    for row in play_records(rules, bots=bots, seed=4, first=3, count=9):
        hand = replay(rules, bots, 4, int(row["hand"]))
        derived = record(hand.to_dict(), rules.values)
        assert {name: row[name].tolist() for name in derived} == derived
        named = Task(rules, bots, 1).bots
        assert hand.bots == tuple(named[bot] for bot in row["bot"][:players])


# ---- failures


def failure(bot: object, **fields: Any) -> BotFailure:
    """How a run with this bot at one seat ends."""
    with pytest.raises(BotFailure) as caught:
        simulate(Task("yuanhang", ["greedy", bot, "greedy", "random"], 4000, **fields), 2, shard_hands=8)
    return caught.value


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (Boom, "LookupError: no idea what to do"),
        (Leaves, "SystemExit: 3"),
        (Cheat, "win is not legal for seat {seat}; allowed: "),
        (Mute, "None is not legal for seat {seat}; allowed: "),
        (Talker, "is not legal for seat {seat}; allowed: "),
        (NeedsMore, "TypeError"),
    ],
)
def test_a_failure_names_seat_hand_and_command(bot: type, words: str) -> None:
    error = failure(bot, seed=7)
    assert 0 <= error.hand < 4000
    assert error.bot == 1
    first, second = str(error).splitlines()
    assert first.startswith(f"{ME}:{bot.__qualname__}: bot 1 at seat {error.seat} of hand {error.hand}: ")
    assert words.format(seat=error.seat) in first
    bots = f"greedy,{ME}:{bot.__qualname__},greedy,random"
    command = f"wuhan replay --rules yuanhang --bots {bots} --seed 7 --hand {error.hand}"
    assert second == f"to replay it: {command}"


def test_what_a_bot_does_to_its_list_does_no_harm() -> None:
    task = Task("yuanhang", ["greedy", Untidy, "greedy", "random"], 200, seed=3)
    record = play_records(task)[123]
    log = replay(task.rules, ["greedy", Untidy, "greedy", "random"], seed=3, hand=123)
    result = log.to_dict()["result"]
    assert result.get("deltas", [0, 0, 0, 0]) == list(record["points"])


def test_an_answer_equal_to_a_legal_one_is_that_one() -> None:
    one, other = (play_records(Task("yuanhang", bot, 20, seed=3)) for bot in (FirstOne, Floating))
    assert np.array_equal(one, other)


def test_the_cause_is_kept() -> None:
    error = failure(Boom)
    assert isinstance(error.__cause__, LookupError)
    assert isinstance(failure(Cheat).error, IllegalAction)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.seat, copy.hand) == (str(error), error.seat, error.hand)


def test_a_failure_stops_all_threads() -> None:
    asked = itertools.count()

    class Late:
        def act(self, observation: Any, legal: list[Action]) -> Action:
            if next(asked) == 3000:
                raise RuntimeError("enough")
            return legal[0]

    with pytest.raises(BotFailure):
        simulate(Task("yuanhang", Late, 60_000), 3, shard_hands=20_000)
    after = next(asked)
    assert after < 1_000_000  # of several millions
    time.sleep(0.05)
    assert next(asked) == after + 1  # nobody plays on


def test_replay_of_a_failing_hand_goes_up_to_the_failure() -> None:
    error = failure(Boom, seed=2)
    with pytest.raises(BotFailure) as caught:
        replay("yuanhang", ["greedy", Boom, "greedy", "random"], 2, error.hand)
    again = caught.value
    assert (again.seat, again.hand, again.bot, str(again)) == (error.seat, error.hand, 1, str(error))
    log = again.log.to_dict()
    assert log["result"] is None
    assert again.log.table.seat == error.seat
    assert len(log["events"]) > 1
    assert log["wall"] == replay("yuanhang", "greedy", 2, error.hand).to_dict()["wall"]


def test_a_bot_that_cannot_be_named_on_a_command_line() -> None:
    class Local(Boom):
        pass

    error = failure(Local, seed=3)
    call = str(error).splitlines()[1].removeprefix("to replay it: ")
    task = Task("yuanhang", ["greedy", Local, "greedy", "random"], 4000, seed=3)
    with pytest.raises(BotFailure) as caught:
        eval(call, {"wuhan_sim": __import__("wuhan_sim"), "task": task})
    assert (caught.value.hand, caught.value.seat) == (error.hand, error.seat)


def test_the_command_describes_the_task() -> None:
    """Read by the command's own parser, it gives the same task back."""
    rng = Random(0)
    for number in range(200):
        rules = load_rules(rng.choice(preset_names()))
        changes: dict[str, Any] = {"score.stake": rng.choice((1, 7)), "table.fee": rng.choice((0, 3))}
        if rules.get("score.model") == "factors":
            changes |= {"score.big_self_draw": rng.choice((1.5, 2.5)), "win.head_258_free": ()}
            changes |= {"win.shapes": rng.choice((["standard"], ["standard", "all_258", "all_winds"]))}
        if rules.get("score.model") == "codes":
            changes |= {"codes.all_in": rng.random() < 0.5}
        rules = rules.replace(changes)
        n = players_of(rules)
        bots = [rng.choice(("greedy", "random", f"{ME}:Cautious")) for _ in range(n)]
        deal, draws = rng.choice(("rotated", "fresh")), rng.choice(("seat", "wall"))
        task = Task(rules, bots, 5, rng.randrange(2**128), deal, draws)
        words = shlex.split(task.replay_command(number))
        options = command_line().parse_args(words[1:])
        faults: list[str] = []
        again = read_rules(options.rules, options.set, faults)
        assert faults == []
        assert again is not None
        fields = (options.bots, 5, int(options.seed), options.deal, options.draws)
        assert (Task(again, *fields).id, options.hand) == (task.id, str(number))


# ---- the command line

BOTS = """
class Good:
    def act(self, observation, legal):
        return legal[0]

class Bad:
    def __init__(self):
        self.asked = 0
    def act(self, observation, legal):
        self.asked += 1
        if self.asked == 10:
            raise KeyError("what now?")
        return legal[0]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with a module of bots; nothing of it stays behind."""
    (tmp_path / "mymodule.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mymodule", raising=False)
    yield tmp_path
    sys.modules.pop("mymodule", None)


def test_run_with_a_bot_of_the_current_folder(here: Path, capsys: Capture) -> None:
    path = list(sys.path)
    arguments = ["run", "--bots", "greedy,mymodule:Good,greedy,random", "--hands", "40", "--json", "--quiet"]
    assert main(arguments) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["task"]["bots"] == ["greedy", "mymodule:Good", "greedy", "random"]
    assert {row["of"] for row in answer["strategies"]} >= {"mymodule:Good"}
    assert sys.path == path


def test_run_names_faults_of_bots_with_all_others(here: Path, capsys: Capture) -> None:
    assert main(["run", "--bots", "greedy,mymodule:None,greedy,nomodule:X", "--hands", "0"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 3
    assert "'mymodule:None'" in err
    assert "'nomodule:X'" in err


def test_commands_without_traceback_say_where_a_bot_failed(here: Path, capsys: Capture) -> None:
    assert main(["run", "--bots", "mymodule:Good", "--hands", "4", "--out", "run", "--quiet"]) == 0
    failing = BOTS.replace("class Good", "class Other").replace("class Bad", "class Good")
    (here / "mymodule.py").write_text(failing)
    sys.modules.pop("mymodule")
    capsys.readouterr()
    tuned = ["tune", "planner", "--parameters", "fear", "--opponents", "mymodule:Good", "--budget", "9000"]
    for words in ([*tuned, "--candidates", "2", "--quiet"], ["verify", "run", "--quiet"]):
        assert main(words) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("mymodule:Good: ")
        assert "KeyError: 'what now?'\nto replay it: wuhan replay " in err


def test_a_failing_bot_stops_the_run_and_the_command_it_names_shows_the_hand(
    here: Path, capsys: Capture
) -> None:
    arguments = ["run", "--bots", "greedy,mymodule:Bad,greedy,random", "--hands", "4000", "--seed", "5"]
    arguments += ["--set", "cap.per_payer=200", "--workers", "2", "--quiet", "--out", "run"]
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    first, second = err.splitlines()
    assert "KeyError: 'what now?'" in first
    assert not (here / "run" / "summary.json").exists()
    command = shlex.split(second.removeprefix("to replay it: "))
    assert command[:2] == ["wuhan", "replay"]

    assert main(command[1:]) == 1  # the same bot fails at the same place
    shown, told = capsys.readouterr()
    assert told == err
    assert "is dealt" in shown
    assert "The hand stops here." in shown
    hand = command[command.index("--hand") + 1]
    assert main(["replay", "run", "--hand", hand, "--json"]) == 1
    shown, told = capsys.readouterr()
    assert told == err
    assert json.loads(shown)["result"] is None
    assert main([*command[1:], "--html", "hand.html"]) == 1
    assert "wrote hand.html" in capsys.readouterr().err
    assert "The hand stops here." in (here / "hand.html").read_text("utf-8")

    assert main([*arguments[:-2], "--traceback"]) == 1
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert 'raise KeyError("what now?")' in err


def test_as_a_process_without_the_folder_on_the_path(here: Path) -> None:
    """The installed command's own folder comes first on the path, not the current one."""
    code = "import sys; sys.path.remove(''); from wuhan_sim.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", "--bots", "mymodule:Good", "--hands", "8", "--quiet"],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "mymodule:Good" in done.stdout


def test_guest_is_its_name() -> None:
    guest = Guest("a:B", cautious)
    assert guest == "a:B"
    assert json.dumps([guest]) == '["a:B"]'
    assert type(str(guest)) is str
