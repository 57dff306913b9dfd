"""A score explained, as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

import html as markup
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .tiles import Style, format_tile, format_tiles
from .words import Lang, columns, word, written

if TYPE_CHECKING:
    from .explained import Factor, Note, Reading, Score, Share
    from .finished import Meld

_STYLES: dict[Lang, Style] = {"en": "ascii", "zh": "chinese"}
Rows = list[tuple[str, ...]]


def note_text(note: Note, lang: Lang) -> str:
    """Say a note."""
    return word(note.key, lang, **{name: _said(value, lang) for name, value in note.values.items()})


def _said(value: object, lang: Lang) -> object:
    if not isinstance(value, tuple):
        return value
    if value and isinstance(value[0], int):
        return format_tiles(value, _STYLES[lang])
    said = (word(each, lang) if isinstance(each, str) else each.text(lang) for each in value)
    return word("sep", lang).join(said)


def amount(factor: Factor) -> str:
    """Write value and count: ``2``, ``2^3``, ``3·2`` for a term."""
    value = written(factor.value)
    if factor.count == 1:
        return value
    return f"{factor.count}·{value}" if factor.adds else f"{value}^{factor.count}"


def product_text(factors: Sequence[Factor]) -> str:
    """Write a product out: ``10 × 2^3 × 1.5``."""
    terms = [amount(factor) for factor in factors if factor.adds]
    base = f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]
    return " × ".join([base, *(amount(factor) for factor in factors if not factor.adds)])


def text(score: Score, lang: Lang) -> str:
    """Write a score as plain text."""
    lines = [_title(score, lang)]
    for part in _parts(score, lang):
        lines += [part] if isinstance(part, str) else columns(part, "  ")
    return "\n".join(lines)


def html(score: Score, lang: Lang) -> str:
    """Write a score as HTML: a paragraph a line, a table for the factors of a seat."""
    parts = [f"<p><b>{markup.escape(_title(score, lang))}</b></p>"]
    for part in _parts(score, lang):
        if isinstance(part, str):
            parts.append(f"<p>{markup.escape(part)}</p>")
            continue
        rows = ("".join(f"<td>{markup.escape(cell)}</td>" for cell in row) for row in part)
        parts.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
    return "\n".join(parts)


def _title(score: Score, lang: Lang) -> str:
    game = score.game
    rules = game.rules.name
    if game.changes:
        rules += f" ({', '.join(f'{name}={written(game.rules.get(name))}' for name in game.changes)})"
    how = word(f"source.{game.source}", lang, seat=game.loser)
    for name, applies in (("after_kong", game.after_kong), ("last_draw", game.last_draw)):
        how += word(name, lang) if applies else ""
    key = "wins" if score.wins else "refused"
    return word(key, lang, rules=rules, seat=game.winner, how=how, tile=_tile(game.tile, lang))


def _tile(kind: int, lang: Lang) -> str:
    return format_tile(kind, _STYLES[lang])


def _parts(score: Score, lang: Lang) -> Iterator[str | Rows]:
    """Lines and tables, from top to bottom."""
    game, sep = score.game, word("sep", lang)
    line = word("game", lang, dealer=game.dealer, laizi=_tile(game.laizi, lang))
    if game.indicator is not None:
        line += word("indicator", lang, tile=_tile(game.indicator, lang))
    if game.codes:
        line += word("codes", lang, tiles=sep.join(_tile(kind, lang) for kind in game.codes))
    yield line
    if score.refusal:
        yield from _refusal(score, lang)
        return
    if score.reading:
        yield from reading_lines(score.reading, lang)
    if score.konger:
        known = score.konger.tile
        key = "reading.konger.none" if known is None else "reading.konger"
        tile = "" if known is None else _tile(known, lang)
        yield word(key, lang, seat=score.konger.seat, tile=tile)
        yield from reading_lines(score.konger, lang)
    yield from _shares(score, lang)
    if score.liability:
        found, why = score.liability, score.liability.why.text(lang)
        yield word("liable", lang, seat=found.seat, clause=_clause(found.section, lang), why=why)
    for kong in score.kongs:
        payers = sep.join(word("loser", lang, seat=payer) for payer in kong.payers)
        kind = word("meld", lang, kind=word(f"meld.{kong.kind}", lang), tiles=_tile(kong.tile, lang))
        gaps = {"seat": kong.seat, "points": kong.points, "option": kong.option}
        yield word("kong", lang, kind=kind, payers=payers, **gaps)
    gains = enumerate(score.answer["deltas"])
    yield word("gains", lang, gains=sep.join(word("gain", lang, seat=seat, points=n) for seat, n in gains))


def _clause(section: str, lang: Lang) -> str:
    return word("clause", lang, section=section)


def _refusal(score: Score, lang: Lang) -> Iterator[str | Rows]:
    found = score.refusal
    assert found is not None
    why = word(f"why.{found.rule}", lang)
    option = ""
    if found.option is not None and found.setting is not None:
        option = word("by", lang, option=found.option, setting=written(found.setting))
    yield word("why", lang, rule=found.rule, why=why, clause=_clause(found.section, lang), option=option)
    yield word("got", lang, got=found.got.text(lang))
    yield word("enough", lang, enough=found.enough.text(lang))
    if found.without:
        yield word("without", lang)
        yield from _parts(found.without, lang)


def reading_lines(reading: Reading, lang: Lang) -> Iterator[str]:
    """Write a reading: hard or soft, concealed tiles, melds, what wildcards stand for."""
    style, anything, sep = _STYLES[lang], word("any", lang), word("sep", lang)
    yield word("types", lang, types=sep.join(word(f"type.{name}", lang) for name in reading.types))
    if not reading.groups:
        return
    if reading.hard is not None:
        yield word("reading.hard" if reading.hard else "reading.soft", lang)
    groups = "  ".join(group.text(style, anything) for group in reading.groups)
    yield word("concealed", lang, groups=groups, shape=word(f"shape.{reading.shape}", lang))
    if reading.melds:
        yield word("melds", lang, melds=sep.join(meld_text(meld, lang) for meld in reading.melds))
    if reading.stands_for:
        kinds = (anything if kind is None else _tile(kind, lang) for kind in reading.stands_for)
        yield word("stands", lang, laizi=_tile(reading.laizi, lang), tiles=sep.join(kinds))


def meld_text(meld: Meld, lang: Lang) -> str:
    """Write a meld, with the seat whose discard it was made with."""
    source = "" if meld.feeder is None else word("meld.from", lang, seat=meld.feeder)
    kind, tiles = word(f"meld.{meld.kind}", lang), format_tiles(meld.tiles, _STYLES[lang])
    return word("meld", lang, kind=kind, tiles=tiles) + source


def _shares(score: Score, lang: Lang) -> Iterator[str | Rows]:
    """The factors of base and collector, then those of each loser with the product."""
    for carrier in ("base", "winner"):
        rows = [_row(factor, lang) for factor in score.factors if factor.carrier == carrier]
        if rows:
            own = carrier == "base" or score.konger is None
            yield word(f"carried.{carrier if own else 'konger'}", lang, seat=score.collector)
            yield rows
    for share in score.shares:
        yield _owes(score, share, lang)
        rows = [_row(factor, lang) for factor in share.factors if factor.carrier == "loser"]
        if rows:
            yield rows


def _row(factor: Factor, lang: Lang) -> tuple[str, ...]:
    sign, setting = "+" if factor.adds else "×", f"{factor.option} = {written(factor.setting)}"
    return f"{sign} {amount(factor)}", factor.name(lang), setting, factor.source


def _owes(score: Score, share: Share, lang: Lang) -> str:
    line = word("owes", lang, seat=share.seat, product=product_text(share.factors), owed=share.owed)
    if share.limit:
        line += word("limited", lang, limit=word(share.limit, lang), option=share.limit, capped=share.capped)
    if score.liability and score.liability.seat != share.seat:
        line += word("paid by", lang, seat=score.liability.seat)
    return line
