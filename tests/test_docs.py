"""What the documents show is there: commands, options, presets, the examples and the option table."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import wuhan_core
import wuhan_sim
from wuhan_core.options import OPTIONS
from wuhan_core.records import TYPE_NAMES
from wuhan_core.rules import load_rules, preset_names
from wuhan_sim.cli import main
from wuhan_sim.metrics import METRICS

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("notebooks/*.md"),
    *ROOT.glob("examples/*.md"),
]
DOCS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
GUIDE = "docs/guide.md"  # test_pages.py runs it


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[list[str]]:
    """The commands that a document shows, split into words, comments left out."""
    lines = (line for block in blocks(text, "sh") for line in block.replace("\\\n", " ").splitlines())
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def test_readme_begins_with_the_two_commands() -> None:
    assert commands(DOCS["README.md"])[:2] == [["make", "demo"], ["make", "test"]]


def test_make_targets_shown_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"demo", "test"} <= targets
    shown = {
        f"{name}: make {target}": target
        for name, text in DOCS.items()
        for code in blocks(text, "sh") + re.findall(r"`([^`\n]+)`", text)
        for target in re.findall(r"(?:^|&& )(?:\w+=\S+ )*make (?:\w+=\S+ )*([a-z-]+)", code, re.MULTILINE)
    }
    assert len(shown) > 5
    assert not [where for where, target in shown.items() if target not in targets]


SMALL = {"--hands": "100", "--sessions": "8"}
PLAYS = (
    *("run", "duel", "tournament", "value", "sweep", "solve", "session", "tune", "what-if", "report"),
    "verify",
)
LONGER = {"duel": "120", "tournament": "120"}
SEARCHES = "24"  # hands: one takes a twentieth of a second


def with_options(words: list[str], changed: dict[str, str]) -> list[str]:
    """A command that plays, without progress and with other values of its options; others as they are."""
    if words[0] not in PLAYS:
        return words
    if words[0] != "run":
        changed = {name: value for name, value in changed.items() if name in words}
    if words[0] in LONGER and "--hands" in changed:
        changed["--hands"] = SEARCHES if "search" in words else LONGER[words[0]]
    if words[0] == "session":
        changed["--hands"] = "10"
    if "--first" in words:
        changed = changed | {"--first": changed["--hands"]}
    kept = [word for i, word in enumerate(words) if word not in changed and words[i - 1] not in changed]
    return [*kept, *(part for pair in changed.items() for part in pair), "--quiet"]


def test_commands_shown_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text(load_rules("qipi").to_toml(), encoding="utf-8")
    golden = (ROOT / "tests" / "golden" / "wuhan.jsonl").read_text(encoding="utf-8")
    Path("case.json").write_text(golden.splitlines()[0], encoding="utf-8")
    shown = [
        words[1:]
        for name, text in DOCS.items()
        for words in commands(text)
        if words[0] == "wuhan" and name != GUIDE
    ]
    assert len(shown) >= 4
    for words in shown:
        small = {"--hands": SMALL["--hands"]} if words[0] == "run" else SMALL
        assert main(with_options(words, small)) == 0, words


DEMO = next(words for words in commands(DOCS["README.md"]) if words[0] == "wuhan")


def test_rule_files_shown_load(tmp_path: Path) -> None:
    (text,) = blocks(DOCS["README.md"], "toml")
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    rules = load_rules(file)
    assert (rules.name, rules.diff(load_rules("yuanhang"))) == (
        "house",
        {"win.minimum_points": (10, 20), "cap.per_payer": (200, 300)},
    )


def test_demo_shown_is_the_demo() -> None:
    assert " ".join(DEMO) in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.slow
def test_demo_output_shown_is_real(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(with_options(DEMO[1:], {"--out": str(tmp_path / "demo")})) == 0
    lines = capsys.readouterr().out.splitlines()
    (shown,) = blocks(DOCS["README.md"].split("<!-- demo output -->")[1], "text")
    assert [line for line in shown.splitlines() if line not in lines] == []


def anchor(heading: str) -> str:
    """What a page calls a heading in a link."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_lead_somewhere() -> None:
    faults = []
    for name, text in DOCS.items():
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            file, _, part = link.partition("#")
            path = (ROOT / name).parent / file if file else ROOT / name
            there = path.exists() and (not part or part in map(anchor, headings(path)))
            faults += [] if there else [f"{name}: {link}"]
    assert not faults


def headings(path: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_presets_listed_exist() -> None:
    played = re.findall(r"^\| (.+?) \|.*\| yes \|$", DOCS["RULES.md"], re.MULTILINE)
    assert {name.strip("`") for name in played} == set(preset_names())
    line = next(line for line in DOCS["README.md"].splitlines() if "nine presets" in line)
    assert set(re.findall(r"`([a-z0-9-]+)`", line)) == set(preset_names())


def test_options_named_exist() -> None:
    sections = "|".join({name.split(".")[0] for name in OPTIONS})
    faults = []
    for name, text in DOCS.items():
        named = re.findall(rf"`((?:{sections})\.(?!py\b)[a-z0-9_]+)", text)
        faults += [f"{name}: {option}" for option in named if option not in OPTIONS]
    assert not faults


def test_glossaries_have_every_type_and_metric() -> None:
    pages = DOCS["docs/glossary.md"] + DOCS["RULES.md"].partition("## 11. Glossary")[2]
    metrics = {name for name in METRICS if name not in ("points", "turns")} | {
        "skill_edge",
        "luck_ratio",
        "ruin_share",
    }
    assert [name for name in (*TYPE_NAMES, *sorted(metrics)) if f"`{name}`" not in pages] == []
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", pages, re.MULTILINE)
    words = [row for row in rows if re.search(r"[\u4e00-\u9fff]", row[0])]
    assert len(words) > 80
    marks = [pinyin for _, pinyin in words if not re.search("[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]", pinyin)]
    assert not marks


def words_of(value: object) -> set[str]:
    """An option's value as the words for it in the table of RULES.md; the order of a list is free."""
    if isinstance(value, tuple):
        return set(value)
    return {f"{value:g}" if isinstance(value, float) else str(value).lower()}


def test_s9_table_is_what_the_code_has() -> None:
    lines = re.findall(r"^\| (option|[a-z]+\.\w+) \|(.+)\|$", DOCS["RULES.md"], re.MULTILINE)
    table = {name: [cell.strip() for cell in cells.split("|")][1:] for name, cells in lines}
    presets = table.pop("option")
    assert set(presets) == {
        name for name in preset_names() if load_rules(name).get("score.model") == "factors"
    }
    for column, preset in enumerate(presets):
        rules = load_rules(preset)
        written = {name: set(cells[column].split()) for name, cells in table.items()}
        assert written == {name: words_of(rules.get(name)) for name in rules.to_dict()}, preset


@pytest.mark.parametrize("name", [name for name, text in DOCS.items() if blocks(text, "pycon")])
def test_python_sessions_shown(name: str) -> None:
    """Sessions give the output that they show."""
    sessions = "\n".join(blocks(DOCS[name], "pycon"))
    test = doctest.DocTestParser().get_doctest(sessions, {}, name, name, 0)
    assert test.examples
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads the run that the commands above it have made."""
    monkeypatch.chdir(tmp_path)
    shown, code = DOCS["README.md"].split("## A run's folder\n")[1].split("```python\n", 1)
    for words in commands(shown):
        small = {"--hands": "100"} | ({"--first": "100"} if "--first" in words else {})
        assert main(with_options(words[1:], small if words[1] == "run" else {})) == 0, words
    exec(compile(code.split("```")[0], "README.md", "exec"), {"__name__": "__readme__"})


def test_python_of_the_findings_runs() -> None:
    (code,) = blocks(DOCS["docs/findings.md"], "python")
    small = re.sub(r"\b\d{6,}\b", "100", code)
    assert small != code
    exec(compile(small, "findings.md", "exec"), {"__name__": "__findings__"})


def test_every_public_name_has_its_place_in_the_reference() -> None:
    """Once, on one page; `LogError` is the same in both packages."""
    documented = []
    for page in sorted((ROOT / "docs" / "api").glob("*.rst")):
        text = page.read_text(encoding="utf-8")
        for package, names in re.findall(r"^\.\. public:: (\w+)\n\n((?:   \w+\n)+)", text, re.MULTILINE):
            documented += [f"{package}.{name}" for name in names.split()]
        documented += re.findall(r"^\.\. py:data:: (\S+)$", text, re.MULTILINE)
    public = [f"{package.__name__}.{name}" for package in (wuhan_core, wuhan_sim) for name in package.__all__]
    assert sorted(documented) == sorted(set(public) - {"wuhan_sim.LogError"})


def test_the_version_is_the_same_everywhere() -> None:
    def read(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8")

    (version,) = re.findall(r'^version = "(.+)"$', read("pyproject.toml"), re.MULTILINE)
    (cited,) = re.findall(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)
    released = dict(re.findall(r"^## (\S+) \((.+)\)$", read("CHANGELOG.md"), re.MULTILINE))
    assert cited == version
    assert f"date-released: {released[version]}" in read("CITATION.cff")
