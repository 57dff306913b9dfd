"""Random finished hands of the Wuhan family, most of them wins or nearly so, and random option values.

Everything is drawn from a `random.Random`; the cases are possible ones (RULES.md section 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from oracle import KINDS, KINDS_258, NAMES, RED, SUITS, WINDS
from oracle_points import Case, Options, following, skins

TYPES = (
    *("pengpenghu", "qingyise", "fengyise", "jiangyise", "quanqiuren", "gangshanghua", "haidilao"),
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

    def several(self, count: int) -> list[int]:
        """So many tiles of all kinds, each tile as likely."""
        tiles = [kind for kind in KINDS for _ in range(self.left[kind])]
        if count > len(tiles):
            raise OutOfTilesError
        chosen = self.rng.sample(tiles, count)
        self.take(*chosen)
        return chosen


class Table:
    """One deal of the Wuhan family while its hands are made."""

    sources: tuple[str, ...] = ("self_draw", "discard", "rob_kong", "rob_kong")
    winner_melds: tuple[int, ...] = (2, 4, 4, 4, 5)  # weights of 0 to 4 melds
    loser_melds: tuple[int, ...] = (5, 4, 3, 2, 1)
    wild_claims = 0.05  # chance that the discard won on may be the wildcard

    def __init__(self, rng: Random, options: Options) -> None:
        self.rng, self.options = rng, options
        self.pool = Pool(rng)
        self.seats = range(options["deal.players"])
        self.hands: dict[int, list[int]] = {}
        self.melds: dict[int, list[Case]] = {}
        self.extra: dict[int, dict[str, int]] = {}
        self.skins: list[int] = []
        self.useless: set[int] = set()  # kinds that no hand wants
        self.turn_up()

    def turn_up(self) -> None:
        """Set the indicator and what follows from it."""
        self.indicator = self.rng.choice(KINDS)
        self.pool.take(self.indicator)
        self.laizi = following(self.indicator)
        self.skins = sorted(skins(self.indicator, self.options["wild.skin_kinds"]))
        self.useless = {RED, *(self.skins if self.options["wild.skin_role"] == "red" else ())}

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

    def meld(self, seat: int, theme: frozenset[int], pungs: bool) -> Case:
        theme -= {self.laizi}
        if not theme:
            raise OutOfTilesError
        for _ in range(10):
            tiles = self.random_set(theme, pungs or not self.options["claims.chow"])
            if all(self.pool.left[tile] >= tiles.count(tile) for tile in tiles):
                break
        self.pool.take(*tiles)
        if tiles[0] != tiles[2]:
            return {"kind": "chow", "tiles": text(tiles), "from": (seat - 1) % len(self.seats)}
        kind = "pung"
        if self.pool.left[tiles[0]] and self.rng.random() < 0.6:
            self.pool.take(tiles[0])
            tiles = (tiles[0],) * 4
            kind = self.rng.choice(("direct_kong", "added_kong", "concealed_kong"))
        if kind == "concealed_kong":
            return {"kind": kind, "tiles": text(tiles)}
        feeder = self.other(seat)
        return {"kind": kind, "tiles": text(tiles), "from": feeder}

    def concealed(self, sets: int, theme: frozenset[int], pungs: bool) -> list[int]:
        """So many sets and a pair, some tiles replaced by wildcards."""
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
        return self.with_wildcards(wanted)

    def with_wildcards(self, wanted: list[int]) -> list[int]:
        """Take these tiles, wildcards in place of some of them and of those that are gone."""
        tiles = self.rng.sample(wanted, len(wanted))
        wild = self.rng.choices(range(5), weights=(8, 8, 4, 2, 1))[0]
        for place, tile in enumerate(tiles):
            if place < wild or not self.pool.left[tile] or tile in self.useless:
                tiles[place] = self.laizi
            self.pool.take(tiles[place])
        return tiles

    def extras(self, chance: float) -> dict[str, int]:
        """Kongs of single tiles and discarded wildcards of one seat."""
        counts = {
            "red_kongs": self.some([RED], chance),
            "wild_kongs": self.some([self.laizi], chance),
            "wild_discards": self.some([self.laizi], chance),
            "skin_kongs": self.some(self.skins, chance),
        }
        return {name: count for name, count in counts.items() if count or self.rng.random() < 0.1}

    def some(self, kinds: Sequence[int], chance: float) -> int:
        """Take tiles of these kinds as long as chance has it; return how many."""
        count = 0
        while self.rng.random() < chance and any(self.pool.left[kind] for kind in kinds):
            self.pool.any(kinds)
            count += 1
        return count

    def other(self, seat: int) -> int:
        return self.rng.choice([other for other in self.seats if other != seat])

    def complete(self, seat: int, melds: int, theme: frozenset[int]) -> None:
        """Give a seat four sets and a pair, so many melds among them."""
        pungs = self.rng.random() < 0.2
        self.melds[seat] = [self.meld(seat, theme, pungs) for _ in range(melds)]
        self.hands[seat] = self.concealed(4 - melds, theme, pungs)

    def last_tile(self, winner: int) -> Case:
        """The last tile of a complete hand, and how it came; a claimed one leaves the hand."""
        rng, hand = self.rng, self.hands[winner]
        source = rng.choice(self.sources)
        robbed = [k for k in hand if hand.count(k) == 1 and self.pool.left[k] == 3]
        robbed = [k for k in robbed if k != self.laizi and k not in self.useless]
        if source == "rob_kong" and not robbed:
            source = rng.choice(self.sources[:2])
        choice = robbed if source == "rob_kong" else hand
        if source == "discard" and rng.random() >= self.wild_claims:
            choice = [k for k in hand if k != self.laizi] or hand
        tile = rng.choice(choice)
        win = {"winner": winner, "tile": NAMES[tile], "source": source}
        if source != "self_draw":
            hand.remove(tile)
            win["from"] = self.other(winner)
        if source == "rob_kong":
            self.pool.take(tile, tile, tile)  # the konger's; its fourth is this one
        return win

    def lose(self, seat: int, win: Case) -> None:
        """Give a loser its hand."""
        rng = self.rng
        melds = rng.choices(range(5), self.loser_melds)[0]
        if rng.random() < (0.6 if win.get("from") == seat else 0.2):  # ready, or nearly
            self.complete(seat, melds, self.theme())
            dropped = self.hands[seat].pop(rng.randrange(len(self.hands[seat])))
            self.pool.left[dropped] += 1
        else:
            theme = self.theme()
            self.melds[seat] = [self.meld(seat, theme, False) for _ in range(melds)]
            self.hands[seat] = self.pool.several(13 - 3 * melds)

    def show_robbed_kong(self, win: Case) -> None:
        """Give the konger the kong, beside its melds or in place of one."""
        konger, tile = win["from"], NAMES.index(win["tile"])
        kong = {"kind": "added_kong", "tiles": text([tile] * 4), "from": self.other(konger)}
        melds = self.melds[konger]
        if len(melds) == 4 or (melds and self.rng.random() < 0.5):
            melds[self.rng.randrange(len(melds))] = kong
        else:
            hand = self.hands[konger]
            self.rng.shuffle(hand)
            for _ in range(3):
                self.pool.left[hand.pop()] += 1
            melds.insert(self.rng.randint(0, len(melds)), kong)

    def attempt(self) -> Case:
        rng = self.rng
        winner = rng.choice(self.seats)
        self.complete(winner, rng.choices(range(5), self.winner_melds)[0], self.theme())
        hand = self.hands[winner]
        if rng.random() < 0.12:  # one tile is another
            spoiled = rng.randrange(len(hand))
            self.pool.left[hand[spoiled]] += 1
            hand[spoiled] = self.pool.any(KINDS)
        win = self.last_tile(winner)
        for seat in self.seats:
            if seat != winner:
                self.lose(seat, win)
        if win["source"] == "rob_kong":
            self.show_robbed_kong(win)
        self.extra = {seat: self.extras(0.2 if seat == winner else 0.08) for seat in self.seats}
        players = [{"hand": text(self.hands[seat]), "melds": self.melds[seat]} for seat in self.seats]
        return self.described(win) | {"players": [players[seat] | self.extra[seat] for seat in self.seats]}

    def has_konged(self, seat: int) -> bool:
        return any(meld["kind"].endswith("kong") for meld in self.melds[seat]) or any(
            count for name, count in self.extra[seat].items() if name.endswith("kongs")
        )

    def described(self, win: Case) -> Case:
        """The case but for the players."""
        if win["source"] == "self_draw":
            if self.has_konged(win["winner"]) and self.rng.random() < 0.4:
                win["after_kong"] = True
            elif self.options["deal.last_draws"] and self.rng.random() < 0.2:
                win["last_draw"] = True
        found = {"indicator": NAMES[self.indicator], "dealer": self.rng.choice(self.seats), "win": win}
        return found | ({"laizi": NAMES[self.laizi]} if self.rng.random() < 0.8 else {})


def text(tiles: Sequence[int]) -> str:
    return "".join(NAMES[tile] for tile in sorted(tiles))


def finished_hand(rng: Random, options: Options, table: type[Table] = Table) -> Case:
    """A possible case (RULES.md section 10), but for `rules` and `set`, which are the caller's."""
    while True:
        try:
            return table(rng, options).attempt()
        except OutOfTilesError:
            continue
