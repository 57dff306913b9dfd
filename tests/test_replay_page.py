"""The page of a replay: self-contained, safe, and at work in a real browser."""

from __future__ import annotations

import hashlib
import html
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from browser import CHROMIUM, Browser
from machines import players_of
from wuhan_core.rules import RuleSet, load_rules, preset_names
from wuhan_core.tiles import format_tile
from wuhan_sim import HandLog, replay, replay_log
from wuhan_sim.replay_frames import frames_of
from wuhan_sim.tile_faces import tile_symbols

EVIL = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">&amp;"
BOTS = ["greedy", "random", "greedy", "random"]


class Tags(HTMLParser):
    """Every tag with its attributes, and the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open = tag
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open][-1] += data


def evil_hand() -> HandLog:
    """A hand whose rules and bots have names that would break out of a careless page."""

    class Plain:
        def act(self, observation: Any, legal: list[Any]) -> Any:
            return legal[0]

    Plain.__qualname__ = EVIL
    values = load_rules("yuanhang").values
    rules = RuleSet(values, load_rules("yuanhang").preset.__class__(EVIL))
    return replay(rules, ["greedy", Plain, "greedy", Plain], 1, 5)


def data_of(page: str) -> dict[str, Any]:
    """What the page's script reads."""
    found: dict[str, Any] = json.loads(Tags(page).texts["script"][0])
    return found


# ---- what is in the page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_needs_nothing_else(lang: Any) -> None:
    page = replay("yuanhang", BOTS, 1, 7).to_html(lang)
    tags = Tags(page)
    for tag, attributes in tags.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a"), tag
        for name, value in attributes.items():
            assert name not in ("src", "srcset", "action", "data", "style")
            assert not name.startswith("on")
            if name == "href":
                assert (value or "").startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg\b)", page)
    assert "import(" not in page
    assert "fetch(" not in page
    assert len(page) < 200_000
    assert dict(tags.tags)["html"]["lang"] == {"en": "en", "zh": "zh-Hans"}[lang]


def test_only_the_page_s_own_script_and_style_may_run() -> None:
    tags = Tags(replay("yuanhang", BOTS, 1, 7).to_html())
    (policy,) = [attributes["content"] for tag, attributes in tags.tags if "http-equiv" in attributes]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        text = tags.texts[tag][-1]
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_names_cannot_break_out_of_the_page() -> None:
    page = evil_hand().to_html()
    harmless = replay("yuanhang", BOTS, 1, 5).to_html()
    count = [tag for tag, _ in Tags(page).tags]
    assert {tag: count.count(tag) for tag in ("script", "img", "style")} == {
        "script": 2,
        "img": 0,
        "style": 1,
    }
    assert count.count("script") == [tag for tag, _ in Tags(harmless).tags].count("script")
    assert EVIL in data_of(page)["seats"][0] + data_of(page)["seats"][1]
    assert f"<h1>{html.escape(EVIL)}, hand 5, seed 1</h1>" in page


@pytest.mark.parametrize("preset", preset_names())
def test_the_data_are_the_frames_of_the_log(preset: str) -> None:
    rules = load_rules(preset)
    hand = replay(rules, BOTS[: players_of(rules)], 3, 8)
    data, frames = data_of(hand.to_html()), frames_of(hand.to_dict())
    assert len(data["frames"]) == len(frames) == len(hand.to_dict()["events"]) + 1
    held: dict[str, Any] = {}
    for number, (shown, frame) in enumerate(zip(data["frames"], frames, strict=True)):
        held |= shown["seats"]
        for seat, holding in enumerate(frame.seats):
            assert tuple(held[str(seat)]["hand"]) == holding.hand
            assert tuple(held[str(seat)]["river"]) == holding.river
        choices = [d for d in hand.decisions if d.after == number and d.special]
        assert len(shown["choices"]) == len(choices)
        over = frame.event is not None and frame.event["do"] in ("win", "codes", "exhausted")
        assert ("needs" in shown) is not over
    gains = [f"{points:+}" if points else "0" for points in hand.table.deltas]
    assert data["points"] == gains
    assert data["names"] == [format_tile(kind) for kind in range(34)]


def test_the_page_of_a_log_and_of_an_unfinished_hand() -> None:
    hand = replay("yuanhang", BOTS, 1, 7)
    log = hand.to_dict()
    page = replay_log(log).to_html()
    assert hand.scores[0].to_html() in page
    assert data_of(page)["seats"] == ["seat 0", "seat 1", "seat 2", "seat 3"]
    length = next(i for i, event in enumerate(log["events"], 1) if i >= 20 and event["do"] == "draw")
    cut = log | {"events": log["events"][:length], "result": None}
    page = replay_log(cut).to_html("zh")
    assert "本局到此为止。" in page
    assert len(data_of(page)["frames"]) == length + 1


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    hand = replay("yuanhang", BOTS, 1, 7)
    (frame,) = Tags(hand._repr_html_()).tags
    assert frame[0] == "iframe"
    assert frame[1]["srcdoc"] == hand.to_html()


def test_every_tile_has_a_face_of_its_own() -> None:
    root = ElementTree.fromstring(f"<svg>{tile_symbols()}</svg>")
    assert [symbol.get("id") for symbol in root] == [f"k{kind}" for kind in range(34)]
    faces = []
    for kind, symbol in enumerate(root):
        *parts, label = symbol
        assert label.text == format_tile(kind)
        faces.append(b"".join(map(ElementTree.tostring, parts)))
        rank = kind % 9 + 1
        if 9 < kind < 18:
            assert len([part for part in parts if part.get("r")]) == 2 * rank
        elif 18 < kind < 27:
            assert len([part for part in parts if part.get("width") == "8"]) == rank
        elif kind < 9:
            assert [part.text for part in parts] == ["一二三四五六七八九"[kind], "萬"]
    assert len(set(faces)) == 34


# ---- in a browser

in_browser = pytest.mark.skipif(
    CHROMIUM is None,
    reason="NO CHROMIUM HERE: the replay page was not tested in a browser (Debian: apt-get install chromium)",
)
WIDTHS = (1280, 400)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


@pytest.fixture(scope="module")
def hand() -> HandLog:
    return replay("yuanhang", BOTS, 1, 7)


@pytest.fixture(scope="module")
def page(hand: HandLog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hand.html"
    path.write_text(hand.to_html(), encoding="utf-8")
    return path


def now(browser: Browser) -> int:
    """The moment that the page shows."""
    return int(browser.run("document.getElementById('count').textContent").split("/")[0])


@in_browser
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_shows_a_moment(browser: Browser, hand: HandLog, page: Path, width: int) -> None:
    frames = frames_of(hand.to_dict())
    for moment in (0, 38, len(frames) - 1):
        browser.open(page, width, fragment=f"#{moment}")
        assert now(browser) == moment
        shown = browser.run(
            "[...document.querySelectorAll('.seat')].map(s => [...s.querySelectorAll('.held > svg')]"
            ".map(t => t.getAttribute('aria-label')))"
        )
        for tiles, holding in zip(shown, frames[moment].seats, strict=True):
            assert sorted(tiles) == sorted(format_tile(kind) for kind in holding.hand)
        rivers = browser.run(
            "[...document.querySelectorAll('.river')].map(r => [...r.children]"
            ".map(t => t.getAttribute('aria-label')))"
        )
        assert rivers == [[format_tile(kind) for kind in held.river] for held in frames[moment].seats]
        assert browser.run("document.getElementById('score').hidden") is (moment != len(frames) - 1)
        assert browser.complaints() == []
    text = browser.run("document.getElementById('score').innerText")
    assert "seat 0 owes" in text or "seat 1 owes" in text
    points = browser.run("[...document.querySelectorAll('.points')].map(p => p.textContent)")
    assert [int(p) for p in points] == hand.table.deltas


@in_browser
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out_and_tiles_are_drawn(browser: Browser, page: Path, width: int) -> None:
    for fragment in ("#0", "#70", "#70.5", "#999"):
        browser.open(page, width, fragment=fragment)
        assert browser.run("document.documentElement.scrollWidth") == width
        sizes = browser.run(
            "[...document.querySelectorAll('#seats .tile')].map(t => { const b = t.getBoundingClientRect();"
            "return [b.width, b.height, b.left, b.right]; })"
        )
        assert len(sizes) >= 53
        for wide, high, left, right in sizes:
            assert wide >= 15
            assert high == pytest.approx(wide * 4 / 3, rel=0.02)
            assert 0 <= left < right <= width or wide < 21  # a row of useful tiles may scroll on a phone
        # the drawings behind the references are there
        assert browser.run("document.querySelector('.held use').getBBox().width") > 10
        buttons = browser.run(
            "[...document.querySelectorAll('button')].map(b => b.getBoundingClientRect().height)"
        )
        assert len(buttons) == 7
        assert min(buttons) >= 44  # a thumb


@in_browser
def test_buttons_keys_slider_and_list(browser: Browser, hand: HandLog, page: Path) -> None:
    browser.open(page)
    last = len(hand.to_dict()["events"])
    special = sorted({d.after for d in hand.decisions if d.special})
    assert now(browser) == 0
    steps: list[tuple[str, str, int]] = [
        ("#step", "ArrowRight", 1),
        ("#step", "ArrowRight", 2),
        ("#back", "ArrowLeft", 1),
        ("#choice-on", "ArrowDown", next(at for at in special if at > 1)),
        ("#choice-on", "ArrowDown", next(at for at in special if at > next(a for a in special if a > 1))),
        ("#choice-back", "ArrowUp", next(at for at in special if at > 1)),
        ("#last", "End", last),
        ("#step", "ArrowRight", last),
        ("#choice-back", "ArrowUp", max(at for at in special if at < last)),
        ("#first", "Home", 0),
        ("#back", "ArrowLeft", 0),
    ]
    for how in (0, 1):
        browser.open(page)
        for step in steps:
            browser.click(step[0]) if how == 0 else browser.press(step[1])
            assert now(browser) == step[2], step
    browser.run(
        "const s = document.getElementById('slider'); s.value = 30; s.dispatchEvent(new Event('input'))"
    )
    assert now(browser) == 30
    assert browser.run("location.hash") == "#30"
    browser.run("document.getElementById('events').children[12].click()")
    assert now(browser) == 12
    assert browser.run("document.querySelector('.here').textContent") == browser.run(
        "document.getElementById('said').textContent"
    )
    browser.run("document.getElementById('slider').focus()")
    browser.press("ArrowRight")
    assert now(browser) == 13  # one step, not the slider's own on top of it
    assert browser.complaints() == []


# the page's timer in our hands: a busy browser is late by any time
TIMER = """
    tick = null;
    setInterval = (step, wait) => { tick = step; pause = wait; return 1; };
    clearInterval = () => { tick = null; };
    0
"""
PLAY = "document.getElementById('play').getAttribute('aria-label')"


@in_browser
@pytest.mark.parametrize("start", ["key", "button"])
def test_play_and_pause(browser: Browser, page: Path, start: str) -> None:
    browser.open(page)
    browser.run(TIMER)

    def toggle() -> None:
        browser.press(" ") if start == "key" else browser.click("#play")

    assert browser.run(PLAY) == "Play"
    toggle()
    assert browser.run(PLAY) == "Pause"
    assert 300 < browser.run("pause") < 2000  # milliseconds
    assert now(browser) == 1
    browser.run("tick(); tick()")
    assert now(browser) == 3
    toggle()
    assert browser.run(PLAY) == "Play"
    assert browser.run("tick === null")
    assert now(browser) == 3
    browser.press("End")
    toggle()  # from the end it starts afresh
    assert now(browser) == 0
    toggle()
    assert browser.complaints() == []


@in_browser
def test_play_stops_at_the_end(browser: Browser, hand: HandLog, page: Path) -> None:
    last = len(hand.to_dict()["events"])
    browser.open(page, fragment=f"#{last - 2}")
    browser.run(TIMER)
    browser.press(" ")
    browser.run("tick()")
    assert now(browser) == last
    assert browser.run("tick === null")
    assert browser.run(PLAY) == "Play"


@in_browser
def test_the_acting_seat_is_in_view_on_a_phone(browser: Browser, hand: HandLog, page: Path) -> None:
    browser.open(page, 400, 700)
    for _ in range(24):
        browser.press("ArrowRight")
        top, bottom, low = browser.run(
            "(() => { const b = document.querySelector('.acts').getBoundingClientRect();"
            "return [b.top, b.bottom, document.getElementById('controls').getBoundingClientRect().top]; })()"
        )
        assert top >= 0
        assert bottom <= low


@in_browser
def test_names_stay_text_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    path.write_text(evil_hand().to_html(), encoding="utf-8")
    for fragment in ("", "#5", "#999", "#<img src=x onerror=alert(1)>"):
        browser.open(path, fragment=fragment)
        assert browser.run("document.title") == f"{EVIL}, hand 5, seed 1"
        assert (
            browser.run("document.querySelectorAll('img, script:not([id]):not(:last-of-type)').length") == 0
        )
        assert browser.complaints() == []


@in_browser
def test_every_kind_of_game_and_ending(browser: Browser, tmp_path: Path) -> None:
    for number, preset in enumerate(preset_names()):
        rules = load_rules(preset)
        hand = replay(rules, BOTS[: players_of(rules)], 11, number)
        path = tmp_path / f"{preset}.html"
        path.write_text(hand.to_html("zh"), encoding="utf-8")
        browser.open(path, WIDTHS[number % 2], fragment="#9999")
        assert now(browser) == len(hand.to_dict()["events"])
        assert browser.run("document.querySelectorAll('.seat').length") == hand.table.players
        assert browser.run("document.getElementById('score').innerText.length") > 5
        assert browser.complaints() == []


@in_browser
def test_the_page_works_inside_a_notebook_s_frame(browser: Browser, hand: HandLog, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{hand._repr_html_()}", encoding="utf-8")
    browser.open(path, 1000)
    inside = "document.querySelector('iframe').contentDocument"
    browser.run(f"{inside}.getElementById('step').click()")
    assert browser.run(f"{inside}.getElementById('count').textContent").startswith("1 / ")
    assert browser.run("scrollY") == 0
