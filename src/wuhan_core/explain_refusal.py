"""A refused win explained: what was found, and what would have been enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ._shape import Shape
from .explain_factors import Draw, ways
from .explained import Note, Refusal, Score, note
from .finished import KINDS_258, WINDS, Finished, open_kinds
from .reading import ENDS, stand_apart
from .tiles import RED

# refusal -> section of RULES.md (with the check), the option that asks for it
RULES: dict[str, tuple[str, str | None]] = {
    "no_discard_win": ("7", "claims.discard_win"),
    "tile_not_claimable": ("3.0", None),
    "holds_kong_tile": ("3.1", None),
    "not_open": ("3.2", "win.open_melds"),
    "no_shape": ("3.3", "win.shapes"),
    "head_not_258": ("3.4", "win.head_258_free"),
    "too_many_wild": ("3.5", "win.small_wild_max"),
    "below_minimum": ("5", "win.minimum"),
    "bao_not_claimable": ("8", None),
    "wild_on_discard": ("8", None),
}


def explain_refusal(game: Finished, rule: str, without: Score | None) -> Score:
    """Explain a refusal; `without` is the score with no minimum asked, for ``below_minimum``."""
    section, option = RULES[rule]
    if rule == "no_shape" and game.rules.get("score.model") != "factors":
        section = "7" if game.rules.get("score.model") == "codes" else "8"
    if rule in ("tile_not_claimable", "holds_kong_tile") and game.rules.get("wild.skin_kinds"):
        option = "wild.skin_role"
    setting = None if option is None else game.rules.get(option)
    got, enough = _got(game, rule, without), _enough(game, rule, without)
    found = Refusal(rule, section, option, setting, got, enough, without)
    return Score({"wins": False, "why_not": rule}, game, refusal=found)


def _got(game: Finished, rule: str, without: Score | None) -> Note:
    key, seat = f"got.{rule}", game.seats[game.winner]
    if rule == "tile_not_claimable":
        role = "wild" if game.tile == game.laizi else "red" if game.tile == RED else "skin"
        return note(key, tile=(game.tile,), role=(f"role.{role}",))
    if rule == "holds_kong_tile":
        return note(key, tiles=tuple(tile for tile in seat.concealed if tile in game.blocked))
    if rule == "no_shape":
        return note(key, shapes=tuple(_short(game)))
    if rule == "head_not_258":
        return note(key, pairs=tuple(_pairs(game)))
    if rule == "too_many_wild":
        return note(key, n=seat.concealed.count(game.laizi))
    if rule == "bao_not_claimable":
        return note(key, n=game.before().concealed.count(game.laizi) + seat.wild_discards)
    if rule == "below_minimum":
        assert without is not None
        return note(key, shares=", ".join(str(share.capped) for share in without.shares))
    return note(key)


def _enough(game: Finished, rule: str, without: Score | None) -> Note:
    key, rules = f"enough.{rule}", game.rules
    if rule == "not_open":
        return note(key, kinds=tuple(f"meld.{kind}" for kind in open_kinds(rules)))
    if rule == "head_not_258":
        free = rules.get("win.head_258_free")
        assert isinstance(free, tuple)
        return note(key, types=tuple(f"type.{name}" for name in free)) if free else note(f"{key}.none")
    if rule == "too_many_wild":
        return note(key, allowed=rules.get("win.small_wild_max"))
    if rule == "below_minimum":
        assert without is not None
        points, stake = rules.get("win.minimum_points"), rules.get("score.stake")
        assert isinstance(points, int)
        assert isinstance(stake, int)
        asked, shares = rules.get("win.minimum"), [share.capped for share in without.shares]
        points, best = points * stake, max(shares) if asked == "any_payer" else min(shares)
        return note(f"{key}.{asked}", points=points, best=best)
    return note(key)


def _pairs(game: Finished) -> Iterator[Note]:
    """Every pair that some decomposition has, each once."""
    seat = game.seats[game.winner]
    draw = Draw(game.source, game.after_kong, game.last_draw)
    pairs = {
        (way.pair.natural, len(way.pair.wild))
        for hard in (True, False)
        for way in ways(game, seat, draw, hard)
        if way.pair is not None
    }
    for natural, wild in sorted(pairs):
        yield note("pair.wild" if natural and wild else "pair", natural=natural, laizi=(game.laizi,) * wild)


def _short(game: Finished) -> Iterator[Note]:
    """What each shape lacks."""
    seat, shapes = game.seats[game.winner], game.rules.get("win.shapes")
    natural, wild = seat.split(game.laizi, hard=False)
    shown = (*natural, *seat.shown())
    assert isinstance(shapes, tuple)
    for shape in shapes:
        key = f"short.{shape}"
        if shape == "standard":
            counts = Counter(natural)
            found = Shape(bytes(counts[kind] for kind in range(34)), wild, 4 - len(seat.melds))
            yield note(key, n=found.shanten() + 1)
        elif shape in ("all_258", "all_winds"):
            fit = KINDS_258 if shape == "all_258" else WINDS
            yield note(key, tiles=tuple(sorted({tile for tile in shown if tile not in fit})))
        elif seat.melds:
            yield note(f"{key}.melds")
        elif shape == "seven_pairs":
            odd = sum(n % 2 for n in Counter(natural).values())
            yield note(key, n=(odd - wild) // 2)
        elif shape == "nine_yao":
            yield note(key, tiles=tuple(tile for tile in natural if tile not in ENDS))
        else:
            yield _short_lan(natural)


def _short_lan(natural: tuple[int, ...]) -> Note:
    clash = tuple(
        kind
        for i, kind in enumerate(natural)
        if any(not stand_apart(kind, other) for j, other in enumerate(natural) if i != j)
    )
    return note("short.thirteen_lan", tiles=clash) if clash else note("short.thirteen_lan.wild")
