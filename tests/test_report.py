"""A run as one page: nothing but its own, everything that the tables say, the extreme hands found."""

import hashlib
import html
import importlib
import re
import sys
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser import CHROMIUM, Browser
from wuhan_core.rules import RuleSet, load_rules
from wuhan_sim import StoreError, Task, load_run, play_records, sequences, simulate
from wuhan_sim.analysis import Analysis
from wuhan_sim.cli import main
from wuhan_sim.estimates import estimate
from wuhan_sim.extremes import KINDS, Telling, extremes
from wuhan_sim.report import ReportError, find, report
from wuhan_sim.stats import NOTHING, measure

report_module = importlib.import_module("wuhan_sim.report")
Capture = pytest.CaptureFixture[str]
BOTS = ["greedy", "greedy", "greedy", "random"]
EVIL = "</script><img src=x onerror=alert(1)>'\"&"


class Page(HTMLParser):
    """The tags of a page, and the text of each kind of tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.setdefault(tag, []).append("")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.texts[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]


def stored(folder: Path, rules: Any = "yuanhang", bots: Any = BOTS, hands: int = 2000, **more: Any) -> Path:
    task = Task(rules, bots, hands, 5, first=more.pop("first", 0))
    simulate(task, out=folder, workers=1, progress=False, **more)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stored(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, str]:
    return {lang: report(load_run(folder), lang, workers=1, progress=False) for lang in ("en", "zh")}


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without pictures, which take most of the time, where a test is not about them."""
    monkeypatch.setattr(report_module, "svg", lambda picture, number: f"<svg>{number}</svg>")


def test_a_damaged_part_is_refused(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("pyarrow")
    (part,) = (stored(tmp_path, hands=400, keep_records=True) / "parts").iterdir()
    data = bytearray(part.read_bytes())
    data[len(data) // 3] ^= 1
    part.write_bytes(data)
    assert main(["report", str(tmp_path), "--quiet"]) == 2
    assert f"{part} is damaged: " in capsys.readouterr().err
    assert not (tmp_path / "report.html").exists()


# ---- the extreme hands


@pytest.mark.parametrize("rules", ["yuanhang", "hongxin", "hongzhong-2p"])
def test_the_extreme_hands_are_those_of_a_plain_search(rules: str) -> None:
    bots = ["greedy", "random"] if rules == "hongzhong-2p" else BOTS
    task = Task(rules, bots, 3000, 5, first=2)
    records = play_records(task)

    def of(hand: Any) -> dict[str, int | None]:
        won, owed = hand["outcome"] > 0, int(sum(map(int, hand["owed"])))
        gain, loss = max(map(int, hand["points"])), -min(map(int, hand["points"]))
        return {
            "gain": gain if gain > 0 else None,
            "loss": loss if loss > 0 else None,
            "owed": owed if won else None,
            "golden": owed if hand["golden"] else None,
            "types": bin(hand["types"]).count("1") or None,
            "longest": int(hand["turns"]) if won else None,
            "quickest": -int(hand["turns"]) if won else None,
            "liable": loss if hand["liable"] >= 0 else None,
        }

    best: dict[str, tuple[int, int]] = {}
    for hand in records:
        for kind, value in of(hand).items():
            if value is not None and (kind not in best or value > best[kind][1]):
                best[kind] = int(hand["hand"]), value
    gauge = Telling(task.rules, task.bots)
    size = task.hands_per_wall
    for cuts in ((3000,), (1, 998, 1001, 1000)):
        totals, at = NOTHING, 0
        for cut in cuts:
            totals += measure([records[at : at + cut]], size, gauge)
            at += cut
        found = {each.kind: (each.hand, each.value) for each in extremes(totals.peaks)}
        assert list(found) == [kind for kind in KINDS if kind in found]
        assert found == {kind: (hand, abs(value)) for kind, (hand, value) in best.items()}
    assert {"gain", "owed", "longest", "quickest"} <= set(best)


def test_numbers_near_the_largest_are_told_apart() -> None:
    records = play_records(Task("yuanhang", BOTS, 4, 5, first=2**62 - 8))
    records["owed"][1] = [0, 2**61, 2**61, 2**61]
    records["outcome"] = 1
    found = {
        each.kind: each
        for each in extremes(measure([records], 4, Telling(load_rules("yuanhang"), tuple(BOTS))).peaks)
    }
    assert (found["owed"].hand, found["owed"].value) == (2**62 - 7, 3 * 2**61)


def test_the_replays_are_of_hands_that_are_so(folder: Path) -> None:
    found = find(load_run(folder), workers=1, progress=False)
    assert found.hands
    assert not found.untold
    for log, kinds in found.hands:
        assert log is not None
        told = {each.kind: each.value for each in kinds}
        result = log.to_dict()["result"]
        assert log.to_dict()["hand"] == kinds[0].hand
        if "gain" in told:
            assert max(log.table.deltas) == told["gain"]
        if "loss" in told:
            assert -min(log.table.deltas) == told["loss"]
        assert result is not None


# ---- what is in the page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_needs_nothing_else(pages: dict[str, str], lang: str) -> None:
    text = pages[lang]
    page = Page(text)
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "object", "embed", "base", "form", "a"), tag
        for name, value in attributes.items():
            assert name not in ("src", "srcset", "action", "data", "style")
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.startswith("#")
    outside = re.sub(r"srcdoc='[^']*'", "", text)
    assert not re.search(r"https?://(?!www\.w3\.org/(2000/svg|1999/xlink)\b)", text)
    for word in ("@import", "import(", "fetch("):
        assert word not in text
    for found in re.findall(r"url\(([^)]*)", outside):
        assert found.startswith("#p")
    assert len(text) < 2_500_000
    assert page.all("html") == [{"lang": {"en": "en", "zh": "zh-Hans"}[lang]}]


def test_only_its_own_scripts_and_styles_may_run(pages: dict[str, str]) -> None:
    page = Page(pages["en"])
    (policy,) = [each["content"] for each in page.all("meta") if "http-equiv" in each]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    inside = Page(page.all("iframe")[0]["srcdoc"])
    for tag in ("script", "style"):
        for text in (page.texts[tag][-1], inside.texts[tag][-1]):
            digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy


def test_names_inside_are_all_different_and_there(pages: dict[str, str]) -> None:
    page = Page(pages["en"])
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    asked = {attributes["xlink:href"] for _, attributes in page.tags if "xlink:href" in attributes}
    asked |= set(re.findall(r"url\((#[^)]*)\)", re.sub(r"srcdoc='[^']*'", "", pages["en"])))
    asked |= {f"#{name}" for svg in page.all("svg") for name in svg["aria-labelledby"].split()}
    assert asked <= {f"#{name}" for name in ids}
    assert len(page.all("svg")) == len(page.all("figure")) == 9
    assert all(svg["role"] == "img" for svg in page.all("svg"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_estimate_of_the_run_is_in_a_table(folder: Path, pages: dict[str, str], lang: Any) -> None:
    table = load_run(folder).result.table()
    page = Page(pages[lang])
    keys = {each.get("data-key") for each in page.all("td")}
    values = table[(table["method"] != "fixed") & table["value"].notna() & (table["low"] < table["high"])]
    values = values[~((values["section"] == "caps") & ~values["of"].isin(["wins", "hands", "points owed"]))]
    missing = [row for row in values.to_dict("records") if str(row["value"]) not in keys]
    assert not missing
    found = find(load_run(folder), workers=1, progress=False)
    assert found.analysis is not None
    types = found.analysis.section("types")
    for value in types["value"][types["value"] > 0]:
        assert str(value) in keys
    assert len(page.all("section")) > 15


def test_the_facts_and_the_answers(folder: Path, pages: dict[str, str]) -> None:
    run = load_run(folder)
    for text in pages.values():
        for fact in (run.task.id, run.task.rules.id, "greedy x3, random", "2,000", "500"):
            assert fact in text
    values = run.result.table().set_index(["section", "of", "name"])["value"].to_dict()
    capped = 100 * values["caps", "wins", "capped_share"]
    assert f"Capped: {capped:.1f} %" in pages["en"]
    won = 100 * (1 - values["frequencies", "hands", "exhausted"])
    assert f"Of 2,000 hands, {won:.2f}"[:22] in pages["en"]
    assert "In brackets: 95 % intervals, made so that 95 of 100" in pages["en"]
    assert "括号内为95%区间" in pages["zh"]
    assert "wuhan replay --rules yuanhang --bots greedy,greedy,greedy,random --seed 5 --hand " in pages["en"]
    assert "Report: yuanhang (" in pages["en"]
    assert not re.search(
        r"\b(nan|None|inf)\b",
        re.sub(r"srcdoc='[^']*'|<svg.*?</svg>|<script.*", "", pages["en"], flags=re.DOTALL),
    )


def test_records_kept_or_played_again_give_the_same_page(folder: Path, tmp_path: Path, plain: None) -> None:
    kept, played = load_run(stored(tmp_path / "kept", keep_records=True, shard_hands=600)), load_run(folder)
    assert report(kept, workers=1, progress=False) == report(played, workers=1, progress=False)
    curves = [find(run, workers=1, progress=False).curve for run in (kept, played)]
    assert curves[0] is not None
    assert curves[1] is not None
    assert curves[0].table().equals(curves[1].table())
    assert curves[0].vary == {"cap.per_payer": (75, 150, 225, 300, 400)}


def test_a_sample_says_that_it_is_one(folder: Path, pages: dict[str, str], plain: None) -> None:
    text = report(load_run(folder), sample=400, workers=1, progress=False)
    assert "run&#x27;s first 400 hands (of 2,000)" in text
    assert "By win type (types overlap) *" in text
    assert "By win type (types overlap) *" not in pages["en"]
    found = find(load_run(folder), 400, workers=1, progress=False)
    records = play_records(Task("yuanhang", BOTS, 400, 5))
    assert found.analysis is not None
    assert found.analysis.totals.settled.sums["wins"] == int((records["outcome"] > 0).sum())
    assert max(each.hand for _, kinds in found.hands for each in kinds) < 400


def test_hands_apart_are_looked_at_all(tmp_path: Path, plain: None) -> None:
    """What a run without records has while it is not finished: ranges with gaps between."""
    run = load_run(stored(tmp_path / "run", hands=1201))
    parts = [simulate(Task("yuanhang", BOTS, 401, 5, first=first), workers=1) for first in (0, 800)]
    run.__dict__["ranges"] = ((0, 401), (800, 1201))
    run.__dict__["result"] = sum(parts)
    records = [play_records(Task("yuanhang", BOTS, 401, 5, first=first)) for first in (0, 800)]
    for sample, hands in (
        (None, np.concatenate(records)),
        (500, np.concatenate([records[0], records[1][:99]])),
    ):
        found = find(run, sample, workers=1, progress=False)
        assert found.analysis is not None
        assert found.analysis.task.hands == len(hands)
        assert found.analysis.totals.settled.sums["wins"] == int((hands["outcome"] > 0).sum())
    text = report(run, workers=1, progress=False)
    assert "802 (hands 0 to 400, hands 800 to 1200), not finished: 1,201 hands in all" in text


def test_a_run_that_stopped_early_has_intervals_of_a_sequence(tmp_path: Path, plain: None) -> None:
    run = load_run(stored(tmp_path / "run", hands=9000, until="exhausted_share<5%"))
    found = find(run, workers=1, progress=False)
    looked = run.result.looked
    assert looked is not None
    assert isinstance(found.analysis, Analysis)
    assert found.analysis.totals.settled.walls["hands"] == run.result.walls < 9000 // 4
    assert found.curve is not None
    assert found.curve.looks == found.analysis.looks == looked.spread
    assert "95 % confidence sequences" in str(found.analysis)
    table = found.analysis.table()
    fixed = Analysis(found.analysis.task, found.analysis.gauge, found.analysis.totals).table()
    for name, of in (("wins", "pihu"), ("capped", "pihu")):
        row = next(r for r in found.analysis.gauge.rows if (r.section, r.of, r.name) == ("types", of, name))
        mine = table[(table["section"] == "types") & (table["of"] == of) & (table["name"] == name)].iloc[0]
        assert (mine["low"], mine["high"]) == estimate(row, found.analysis.totals, looked.spread)[1:3]
    both = table["low"].notna() & fixed["low"].notna()
    assert (table["value"].fillna(0) == fixed["value"].fillna(0)).all()
    wide, narrow = (each["high"] - each["low"] for each in (table[both], fixed[both]))
    assert (wide >= narrow - 1e-9).mean() > 0.99
    text = report(run, workers=1, progress=False)
    assert "confidence sequences" in text
    assert "exhausted_share&lt;5%, met" in text
    cells = {each.get("data-key") for each in Page(text).all("td")}
    assert str(run.result.table()["value"].iloc[0]) in cells
    # a quantile's interval holds the values whose share a sequence cannot tell from the wanted one
    quantile = table[(table["section"] == "points") & (table["name"] == "q50")].iloc[0]
    spread = found.analysis.totals.spreads["owed"]
    how = partial(sequences.proportion, walls=run.result.walls, looks=looked.spread)
    shares = [spread.share(i, how) for i in range(-1, len(spread.bins))]
    inside = [
        int(value)
        for value, below, here in zip(spread.bins, shares[:-1], shares[1:], strict=True)
        if here.high >= 0.5 > below.low
    ]
    assert spread.width == 1
    assert quantile["low"] == inside[0]
    assert inside[-1] <= quantile["high"]


def test_every_kind_of_rules_has_a_page(tmp_path: Path, plain: None) -> None:
    for rules in ("hongxin", "hongzhong-2p"):
        bots = "greedy" if rules == "hongzhong-2p" else BOTS
        run = load_run(stored(tmp_path / rules, rules, bots, 300))
        text = report(run, "zh", workers=1, progress=False)
        assert "封顶占胡牌" not in text
        assert len(Page(text).all("iframe")) >= 3


def test_hands_that_nobody_wins_have_a_page(tmp_path: Path) -> None:
    run = load_run(stored(tmp_path / "run", bots="random", hands=4))
    assert run.result.totals.settled.sums["wins"] == 0
    text = report(run, workers=1, progress=False)
    assert "Of 4 hands, 0 % (0..98) were won and 100 % (2..100) exhausted" in text


def test_names_cannot_break_out_of_the_page(tmp_path: Path, plain: None) -> None:
    rules = load_rules("yuanhang")
    evil = RuleSet(rules.values, rules.preset.__class__(EVIL))
    run = load_run(stored(tmp_path / "run", evil, hands=40))
    text = report(run, workers=1, progress=False)
    page = Page(text)
    assert not page.all("img")
    assert len(page.all("script")) == 1
    assert html.escape(EVIL) in text
    for frame in page.all("iframe"):
        assert not Page(frame["srcdoc"]).all("img")


@pytest.mark.parametrize("kept", [False, True])
def test_bots_that_are_not_there_any_more(
    tmp_path: Path, plain: None, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """The run's own tables remain, and all of them where it kept its records."""
    (tmp_path / "passing_bot.py").write_text(
        "class Bot:\n    def act(self, seen, legal):\n        return legal[0]\n"
    )
    with monkeypatch.context() as context:
        context.syspath_prepend(str(tmp_path))
        run = stored(tmp_path / "run", bots=[*BOTS[:3], "passing_bot:Bot"], hands=8, keep_records=kept)
    sys.modules.pop("passing_bot", None)
    (tmp_path / "passing_bot.py").unlink()
    importlib.invalidate_caches()
    text = report(load_run(run), workers=1, progress=False)
    assert "Played again the hands could not be: " in text
    assert "How hands end" in text
    assert ("By all types of a win together" in text) is kept
    assert not Page(text).all("iframe")


# ---- the command


def test_the_command(folder: Path, pages: dict[str, str], capsys: Capture, tmp_path: Path) -> None:
    assert main(["report", str(folder), "--workers", "1", "--quiet"]) == 0
    assert (folder / "report.html").read_text("utf-8") == pages["en"]
    assert capsys.readouterr().err == f"wrote {folder / 'report.html'}\n"
    out = tmp_path / "x.html"
    assert main(["report", str(folder), "--lang", "zh", "--out", str(out), "--workers", "1", "--quiet"]) == 0
    assert out.read_text("utf-8") == pages["zh"]
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]
    assert main(["verify", str(folder), "--quiet"]) == 0  # the page is no fault of the run
    (folder / "report.html").unlink()


def test_the_command_names_every_fault(folder: Path, capsys: Capture, tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "x.html"
    assert main(["report", str(folder), "--sample", "0", "--out", str(nowhere), "--workers", "0"]) == 2
    err = capsys.readouterr().err
    for word in ("sample = 0", "out = ", "workers = 0"):
        assert word in err
    assert main(["report", str(tmp_path)]) == 2
    assert "must be a run's folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    for sample in (0, True, 1.5):
        with pytest.raises(ReportError, match="sample = "):
            report(load_run(folder), sample=sample)  # type: ignore[arg-type]
    with pytest.raises(ReportError, match="run = 'run', must be a Run, from load_run"):
        report("run")  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        report(load_run(tmp_path))


def test_without_matplotlib_it_is_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    real = importlib.import_module

    def absent(name: str, *rest: Any) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(importlib, "import_module", absent)
    assert main(["report", str(folder)]) == 2
    assert 'pip install "wuhan-core[plots]"' in capsys.readouterr().err
    assert not (folder / "report.html").exists()
    assert main(["report", str(folder / "nowhere")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "nowhere has no run.json" in first
    assert 'pip install "wuhan-core[plots]"' in second


# ---- in a browser

in_browser = pytest.mark.skipif(
    CHROMIUM is None,
    reason="NO CHROMIUM HERE: the report was not tested in a browser (Debian: apt-get install chromium)",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


@pytest.fixture(scope="module")
def files(pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for lang, text in pages.items():
        (folder / f"{lang}.html").write_text(text, encoding="utf-8")
    return {lang: folder / f"{lang}.html" for lang in pages}


@in_browser
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_sticks_out(browser: Browser, files: dict[str, Path], lang: str, width: int) -> None:
    browser.open(files[lang], width)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run("document.documentElement.lang") == {"en": "en", "zh": "zh-Hans"}[lang]
    boxes = browser.run(
        "[...document.querySelectorAll('figure svg, .box, details, li, dd')].map(e => {"
        "const b = e.getBoundingClientRect(); return [b.left, b.right, b.width, b.height]; })"
    )
    assert len(boxes) > 40
    for left, right, wide, high in boxes:
        assert 0 <= left < right <= width
        assert wide > 0
        assert high > 10
    # tables that are wider scroll in their own boxes
    wider = "[...document.querySelectorAll('.box')].filter(b => b.scrollWidth > b.clientWidth).length"
    assert browser.run(wider) >= (1 if width == 1280 else 5)
    letters = "document.querySelector('figure svg use').getBBox().height"
    assert browser.run(letters) > 0
    # what a picture draws is coloured: no attribute was lost on the way from its style
    assert (
        browser.run(
            'document.querySelectorAll(\'figure svg [fill="#0072b2"], figure svg [stroke="#0072b2"]\').length'
        )
        > 10
    )
    assert browser.complaints() == []


@in_browser
def test_tables_sort_by_click_and_by_key(browser: Browser, files: dict[str, Path]) -> None:
    browser.open(files["en"])
    column = (
        "[...document.querySelectorAll('.sheet')[0].querySelectorAll('tbody tr')]"
        ".map(r => r.cells[1].dataset.key)"
    )
    before = browser.run(column)
    heading = "document.querySelectorAll('.sheet')[0].querySelectorAll('th button')[1]"
    browser.run(f"{heading}.scrollIntoView(); {heading}.id = 'heading'")
    browser.click("#heading")

    def numbers() -> list[float]:
        return [float(key) for key in browser.run(column) if key]

    sort = f"{heading}.closest('th').getAttribute('aria-sort')"
    assert browser.run(sort) == "descending"
    assert numbers() == sorted(map(float, filter(None, before)), reverse=True)
    assert sorted(browser.run(column)) == sorted(before)
    assert browser.run(column)[-1] == ""  # nothing there: at the end
    browser.run(f"{heading}.focus()")
    for key in ("\r", " "):
        browser.send(
            "Input.dispatchKeyEvent",
            type="keyDown",
            key="Enter" if key == "\r" else " ",
            text=key,
            windowsVirtualKeyCode=13 if key == "\r" else 32,
        )
        browser.send(
            "Input.dispatchKeyEvent",
            type="keyUp",
            key="Enter" if key == "\r" else " ",
            windowsVirtualKeyCode=13 if key == "\r" else 32,
        )
        assert browser.run(sort) == ("ascending" if key == "\r" else "descending")
        assert numbers() == sorted(numbers(), reverse=key == " ")
    assert browser.run(column)[-1] == ""
    first = "document.querySelectorAll('.sheet')[0].querySelectorAll('th button')[0]"
    browser.run(f"{first}.click()")
    assert browser.run(column) == before
    assert browser.run(sort) == "none"
    assert browser.complaints() == []


@in_browser
@pytest.mark.parametrize("width", [1280, 400])
def test_a_link_opens_a_hand_and_its_replay_plays(
    browser: Browser, files: dict[str, Path], width: int
) -> None:
    browser.open(files["en"], width)
    hand = browser.run("document.querySelectorAll('details')[1].id")
    browser.open(files["en"], width, fragment=f"#{hand}")
    assert browser.run(f"document.getElementById('{hand}').open")
    inside = f"document.querySelector('#{hand} iframe').contentDocument"
    browser.run(
        "new Promise((done, never) => { let n = 0; const wait = () => "
        f"{inside}?.getElementById('count')?.textContent"
        " ? done() : n++ < 3000 ? setTimeout(wait, 20) : never();"
        "wait(); })"
    )
    browser.run(f"{inside}.getElementById('step').click()")
    assert browser.run(f"{inside}.getElementById('count').textContent").startswith("1 / ")
    assert browser.run(f"{inside}.querySelectorAll('.seat').length") == 4
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.complaints() == []
