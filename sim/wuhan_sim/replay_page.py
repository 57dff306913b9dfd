"""A replay as one HTML page that needs nothing else: no network, no fonts, no other file.

All that comes from a log or a bot's name gets into the page as JSON text or escaped; the policy in its head
lets no script or style run but the page's own.
"""

from __future__ import annotations

import html
import json
from string import Template
from typing import TYPE_CHECKING, Any

from wuhan_core.tiles import format_tile, parse_tile
from wuhan_core.words import Lang, check_lang, word

from .page import digest, source
from .replay_frames import Frame, Holding, Shown, frames_of
from .replay_needs import Need, Needs
from .replay_text import choice_text, ending, event_text, facts, heading, replay_text, seat_name
from .replay_words import STYLES, say
from .tile_faces import tile_symbols

if TYPE_CHECKING:
    from .replay import HandLog

MANY = 12  # useful kinds beyond this are counted, not shown
BUTTONS = ("first", "choice-back", "back", "play", "pause", "step", "choice-on", "last")


def replay_page(replayed: HandLog, lang: Lang) -> str:
    """Write the page.

    Parameters
    ----------
    replayed : HandLog
    lang : {"en", "zh"}

    Returns
    -------
    str
        HTML.
    """
    check_lang(lang)
    data = json.dumps(_data(replayed, lang), separators=(",", ":"), ensure_ascii=False)
    style, script = source("replay.css"), source("replay.js")
    return Template(source("replay.html")).substitute(
        lang="zh-Hans" if lang == "zh" else "en",
        title=html.escape(heading(replayed, lang)),
        style=style,
        style_hash=digest(style),
        script=script,
        script_hash=digest(script),
        symbols=tile_symbols(),
        text=html.escape(replay_text(replayed, lang)),
        score_title=say("score", lang),
        score=_score(replayed, lang),
        events_title=say("events", lang),
        keys=say("keys", lang),
        data=data.replace("<", "\\u003c"),  # no tag can begin in there
    )


def _score(replayed: HandLog, lang: Lang) -> str:
    if scores := replayed.scores:
        return "\n".join(score.to_html(lang) for score in scores)
    lines = ending(replayed, replayed.to_dict(), lang)
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines if line)


def _data(replayed: HandLog, lang: Lang) -> dict[str, Any]:
    """What the page's script reads."""
    log = replayed.to_dict()
    needs = Needs(log, replayed.table.rules)
    frames: list[dict[str, Any]] = []
    before: Frame | None = None
    for number, frame in enumerate(frames_of(log)):
        shown = {
            str(seat): _holding(held, lang)
            for seat, held in enumerate(frame.seats)
            if before is None or held != before.seats[seat]
        }
        frames.append(
            {
                "text": say("deal", lang) if frame.event is None else event_text(frame.event, lang),
                "left": say("left", lang, n=frame.left),
                "seats": shown,
                "choices": [
                    choice_text(decision, lang)
                    for decision in replayed.decisions
                    if decision.after == number and decision.special
                ],
                **_acting(frame),
            }
        )
        if not _is_over(frame):
            frames[-1]["needs"] = [_need(need, lang) for need in needs.of(frame)]
        before = frame
    return {
        "frames": frames,
        "seats": [seat_name(replayed, seat, lang) for seat in range(replayed.table.players)],
        "dealer": log["dealer"],
        "laizi": parse_tile(log["laizi"]),
        "idle": sorted(needs.blocked),
        "names": [format_tile(kind, STYLES[lang]) for kind in range(34)],
        "points": [f"{points:+}" if points else "0" for points in replayed.table.deltas],
        "facts": facts(log, lang),
        "words": {
            **{name: (say(f"{name}.short", lang), say(name, lang)) for name in BUTTONS},
            **{name: say(name, lang) for name in ("slider", "river")},
            "dealer": say("dealer.badge", lang),
        },
    }


def _is_over(frame: Frame) -> bool:
    return frame.event is not None and frame.event["do"] in ("win", "codes", "exhausted")


def _acting(frame: Frame) -> dict[str, int | None]:
    """The seat that has just acted, and the seat whose discard lies open."""
    event = frame.event or {}
    seat = event.get("seat")
    return {"seat": seat, "open": seat if event.get("do") == "discard" else None}


def _holding(held: Holding, lang: Lang) -> dict[str, Any]:
    melds: list[dict[str, Any]] = [
        {"tiles": meld.tiles, "label": _meld_label(meld, lang)} for meld in held.melds
    ]
    if held.singles:
        melds.append({"tiles": [tile for _, tile in held.singles], "label": say("kong.single", lang)})
    return {"hand": held.hand, "drawn": held.drawn, "melds": melds, "river": held.river}


def _meld_label(meld: Shown, lang: Lang) -> str:
    if meld.giver is None:
        return say("kong.hidden", lang)
    return f"←{meld.giver}"


def _need(need: Need, lang: Lang) -> dict[str, Any]:
    """In words: how far, what for, and what stands in the way."""
    key = {-1: "complete", 0: "ready"}.get(need.shanten, "away")
    where = say(key, lang, n=need.shanten)
    note = "" if need.why_not is None else say("but", lang, why=word(f"why.{need.why_not}", lang))
    if need.discards:
        what, tiles = say("need.discards", lang), need.discards
    elif need.wins:
        what, tiles = say("need.wins", lang), need.wins
    else:
        what, tiles = say("need.waits" if need.shanten == 0 else "need.useful", lang), need.useful
    if len(tiles) > MANY:
        what += " " + say("many", lang, kinds=len(tiles), tiles=sum(live for _, live in tiles))
        tiles = ()
    sign = "→ " if need.discards else "×"
    counted = [(kind, live, f"{sign}{live}") for kind, live in tiles]
    return {"label": f"{where} · {what}" if need.shanten >= 0 else where, "tiles": counted, "note": note}
