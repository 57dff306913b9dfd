"""Random finished hands of the Wuhan family, most of them wins or nearly so, and random option values.

Everything is drawn from a `random.Random`; the cases are possible ones (RULES.md section 10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from oracle import KINDS, KINDS_258, NAMES, RED, SUITS, WINDS
from oracle_points import following, skins

TYPES = (
    "pengpenghu",
    "qingyise",
    "fengyise",
    "jiangyise",
    "quanqiuren",
    "gangshanghua",
    "haidilao",
    "qianggang",
)
FACTORS = (1, 1, 2, 2, 3, 4)
HALVES = (1.0, 1.5, 1.5, 2.0, 2.5, 3.5)
CAPS = (0, 50, 100, 240, 250, 300, 400, 500, 700)

# Values for random rule sets: those that the points of a finished hand can depend on.
VALUES: dict[str, tuple[object, ...]] = {
    "deal.last_draws": (0, 4),
    "wild.skin_kinds": (0, 1, 2),
    "wild.skin_role": ("optional", "red"),
    "claims.chow": (True, True, True, False),
    "claims.discard_win": (True, True, True, False),
    "win.open_melds": ("none", "none", "chow_pung", "chow_pung_kong"),
    "win.small_wild_max": (0, 1, 2, 3, 4),
    "win.quanqiuren_self_draw": (True, False),
    "win.quanqiuren_head": ("258", "any_if_big"),
    "win.minimum": ("none", "none", "any_payer", "each_payer"),
    "win.minimum_points": (0, 8, 20, 32, 40, 64, 128),
    "score.stake": (1, 2, 5, 100),
    "score.open": ("per_meld", "once"),
    "score.kong_exposed": FACTORS,
    "score.kong_concealed": FACTORS,
    "score.kong_red": FACTORS,
    "score.kong_wild": FACTORS,
    "score.kong_skin": FACTORS,
    "score.wild_discard": FACTORS,
    "score.hard": FACTORS,
    "score.small_base": (1, 2, 3, 25, 200),  # a small win may pay more than a big one
    "score.small_self_draw": HALVES,
    "score.small_discarder": HALVES,
    "score.small_dealer": HALVES,
    "score.big_base": (1, 3, 8, 10, 25),
    "score.big_self_draw": HALVES,
    "score.big_discarder": HALVES,
    "score.big_stacking": ("double", "add"),
    "score.fengyise": FACTORS,
    "score.qianggang_is_big": (True, False),
    "cap.per_payer": CAPS,
    "cap.golden": CAPS,
    "cap.liable": CAPS,
    "liability.quanqiuren": ("none", "head_258", "not_ready"),
    "liability.rob_kong": ("konger_hand", "robber_hand"),
}


def random_options(rng: Random) -> dict[str, object]:
    """Overrides of a Wuhan preset, all of them legal; often none or few, at times many."""
    share = rng.choice((0, 0.05, 0.2, 0.6))
    chosen: dict[str, object] = {
        name: rng.choice(values) for name, values in VALUES.items() if rng.random() < share
    }
    if rng.random() < share:
        shapes = ("standard", "all_258", "all_winds")
        chosen["win.shapes"] = rng.sample(shapes, rng.randint(1, 3))
    if rng.random() < share:
        chosen["win.head_258_free"] = rng.choice(("all", rng.sample(TYPES, rng.randint(0, 8))))
    if rng.random() < share:
        chosen["liability.third_meld"] = rng.sample(TYPES, rng.randint(0, 8))
    return chosen


class OutOfTilesError(Exception):
    """The hand begun cannot be finished with the tiles that are left."""


class Pool:
    """The tiles that nobody has yet."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.left = [4] * len(KINDS)

    def take(self, *tiles: int) -> None:
        for tile in tiles:
            if not self.left[tile]:
                raise OutOfTilesError
            self.left[tile] -= 1

    def any(self, kinds: Sequence[int]) -> int:
        """One tile of these kinds, each tile as likely."""
        weights = [self.left[kind] for kind in kinds]
        if not any(weights):
            raise OutOfTilesError
        kind = self.rng.choices(kinds, weights)[0]
        self.take(kind)
        return kind


class Table:
    """One deal while its hands are made."""

    def __init__(self, rng: Random, options: Mapping[str, object]) -> None:
        self.rng, self.options = rng, options
        self.pool = Pool(rng)
        self.indicator = rng.choice(KINDS)
        self.pool.take(self.indicator)
        self.laizi = following(self.indicator)
        self.skins = sorted(skins(self.indicator, options["wild.skin_kinds"]))
        self.useless = {RED, *(self.skins if options["wild.skin_role"] == "red" else ())}

    def theme(self) -> frozenset[int]:
        """The kinds a hand is made of."""
        suit = frozenset(self.rng.choice(SUITS[:3]))
        themes = (frozenset(KINDS), suit, KINDS_258, WINDS, suit | WINDS)
        return self.rng.choices(themes, weights=(10, 5, 3, 2, 1))[0] - self.useless

    def random_set(self, theme: frozenset[int], pungs: bool) -> tuple[int, ...]:
        """A triplet or a chow of kinds of the theme; its tiles are not taken."""
        first = self.rng.choice(tuple(theme))
        if first in SUITS[3] or first % 9 > 6:
            return (first,) * 3
        chow = (first, first + 1, first + 2)
        return chow if not pungs and theme.issuperset(chow) and self.rng.random() < 0.7 else (first,) * 3

    def meld(self, seat: int, theme: frozenset[int], pungs: bool) -> dict:
        theme -= {self.laizi}
        if not theme:
            raise OutOfTilesError
        for _ in range(10):
            tiles = self.random_set(theme, pungs or not self.options["claims.chow"])
            if all(self.pool.left[tile] >= tiles.count(tile) for tile in tiles):
                break
        self.pool.take(*tiles)
        if tiles[0] != tiles[2]:
            return {"kind": "chow", "tiles": text(tiles), "from": (seat + 3) % 4}
        kind = "pung"
        if self.pool.left[tiles[0]] and self.rng.random() < 0.6:
            self.pool.take(tiles[0])
            tiles = (tiles[0],) * 4
            kind = self.rng.choice(("direct_kong", "added_kong", "concealed_kong"))
        if kind == "concealed_kong":
            return {"kind": kind, "tiles": text(tiles)}
        feeder = self.rng.choice([other for other in range(4) if other != seat])
        return {"kind": kind, "tiles": text(tiles), "from": feeder}

    def concealed(self, sets: int, theme: frozenset[int], pungs: bool) -> list[int]:
        """So many sets and a pair, some tiles replaced by wildcards, those among them that are gone."""
        rng, kinds = self.rng, tuple(theme)
        if not theme:
            raise OutOfTilesError
        if rng.random() < 0.25 and theme <= KINDS_258 | WINDS:  # no sets at all
            wanted = [rng.choice(kinds) for _ in range(3 * sets + 2)]
        else:
            if rng.random() < 0.2 and len(theme) > 20:  # sets in which a wildcard has to stand for a skin
                theme = theme.union(self.skins)
            wanted = [tile for _ in range(sets) for tile in self.random_set(theme, pungs)]
            heads = tuple(theme & KINDS_258) if rng.random() < 0.6 else kinds
            wanted += [rng.choice(heads or kinds)] * 2
        rng.shuffle(wanted)
        wild = rng.choices(range(5), weights=(8, 8, 4, 2, 1))[0]
        for place, tile in enumerate(wanted):
            if place < wild or not self.pool.left[tile] or tile in self.useless:
                wanted[place] = self.laizi
            self.pool.take(wanted[place])
        return wanted

    def extras(self, busy: bool) -> dict:
        """Kongs of single tiles and discarded wildcards of one seat."""
        found: dict[str, int] = {}
        for name, kinds in (
            ("red_kongs", [RED]),
            ("wild_kongs", [self.laizi]),
            ("wild_discards", [self.laizi]),
            ("skin_kongs", self.skins),
        ):
            count = 0
            while self.rng.random() < (0.2 if busy else 0.08) and any(self.pool.left[kind] for kind in kinds):
                self.pool.any(kinds)
                count += 1
            if count or self.rng.random() < 0.1:  # a count of 0 may be absent
                found[name] = count
        return found

    def player(
        self, seat: int, melds: int, theme: frozenset[int], pungs: bool
    ) -> tuple[list[int], list[dict]]:
        """A hand of four sets and a pair, melds among them: concealed tiles and melds."""
        made = [self.meld(seat, theme, pungs) for _ in range(melds)]
        return self.concealed(4 - melds, theme, pungs), made


def text(tiles: tuple[int, ...] | list[int]) -> str:
    return "".join(NAMES[tile] for tile in sorted(tiles))


def attempt(rng: Random, options: Mapping[str, object]) -> dict:
    table = Table(rng, options)
    pool, seats = table.pool, range(4)
    winner = rng.choice(seats)
    source = rng.choice(("self_draw", "discard", "rob_kong"))
    pungs = rng.random() < 0.2
    theme = table.theme()
    hands: dict[int, list[int]] = {}
    melds: dict[int, list[dict]] = {}
    count = rng.choices(range(5), weights=(2, 4, 4, 4, 5))[0]
    hands[winner], melds[winner] = table.player(winner, count, theme, pungs)

    if rng.random() < 0.12:  # one tile is another
        spoiled = rng.randrange(len(hands[winner]))
        pool.left[hands[winner][spoiled]] += 1
        hands[winner][spoiled] = pool.any(KINDS)
    hand = hands[winner]
    robbed = [k for k in hand if hand.count(k) == 1 and pool.left[k] == 3]
    robbed = [k for k in robbed if k != table.laizi and k not in table.useless]
    if source == "rob_kong" and not robbed:
        source = rng.choice(("self_draw", "discard"))
    if source == "rob_kong":
        tile = rng.choice(robbed)
    else:
        claimable = [k for k in hand if k != table.laizi]
        tile = rng.choice(claimable if claimable and source == "discard" and rng.random() < 0.97 else hand)
    win: dict = {"winner": winner, "tile": NAMES[tile], "source": source}
    loser = rng.choice([seat for seat in seats if seat != winner])
    if source != "self_draw":
        hand.remove(tile)
        win["from"] = loser
    extras = {winner: table.extras(busy=True)}

    for seat in seats:
        if seat == winner:
            continue
        count = rng.choices(range(5), weights=(5, 4, 3, 2, 1))[0]
        first: list[dict] = []
        if source == "rob_kong" and seat == loser:
            pool.take(tile, tile, tile)  # the fourth is the winner's last tile
            feeder = rng.choice([other for other in seats if other != seat])
            first = [{"kind": "added_kong", "tiles": text([tile] * 4), "from": feeder}]
            count = max(0, count - 1)
        if rng.random() < (0.6 if seat == loser else 0.2):  # ready, or nearly
            theme = table.theme()
            hands[seat], made = table.player(seat, count + len(first), theme, rng.random() < 0.2)
            if first:
                made[rng.randrange(len(made))] = first[0]
            dropped = hands[seat].pop(rng.randrange(len(hands[seat])))
            pool.left[dropped] += 1
        else:
            theme = frozenset(KINDS) - table.useless
            made = first + [table.meld(seat, theme, False) for _ in range(count)]
            rng.shuffle(made)
            hands[seat] = [pool.any(KINDS) for _ in range(13 - 3 * len(made))]
        melds[seat] = made
        extras[seat] = table.extras(busy=False)

    konged = any(meld["kind"].endswith("kong") for meld in melds[winner]) or any(
        extras[winner].get(name) for name in ("red_kongs", "wild_kongs", "skin_kongs")
    )
    if source == "self_draw" and konged and rng.random() < 0.4:
        win["after_kong"] = True
    elif source == "self_draw" and options["deal.last_draws"] and rng.random() < 0.2:
        win["last_draw"] = True
    return {
        "indicator": NAMES[table.indicator],
        **({"laizi": NAMES[table.laizi]} if rng.random() < 0.8 else {}),
        "dealer": rng.choice(seats),
        "players": [{"hand": text(hands[s]), "melds": melds[s]} | extras[s] for s in seats],
        "win": win,
    }


def finished_hand(rng: Random, options: Mapping[str, object]) -> dict:
    """A possible case (RULES.md section 10), but for `rules` and `set`, which are the caller's."""
    while True:
        try:
            return attempt(rng, options)
        except OutOfTilesError:
            continue
