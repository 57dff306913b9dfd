"""Random finished hands of Hongzhong and Hongxin, most of them wins or nearly, and random option values."""

from __future__ import annotations

from random import Random

from generate import OutOfTilesError, Table
from oracle import KINDS, NAMES, RED, SUITS
from oracle_others import ENDS, PATTERNS, bao_after, stand_apart
from oracle_points import Case

CODES: dict[str, tuple[object, ...]] = {
    "claims.chow": (False, True),
    "win.open_melds": ("none", "none", "chow_pung", "chow_pung_kong"),
    "win.shapes": (("standard",), ("standard", "seven_pairs"), ("seven_pairs",)),
    "score.stake": (1, 2, 100),
    "codes.count": (0, 1, 2, 4, 6, 9),
    "codes.all_in": (False, True),
    "codes.hit_points": (0, 1, 2, 5),
    "codes.no_wild_extra": (0, 1, 2, 4),
    "points.base": (0, 1, 2, 7),
    "points.multiple": (1, 2, 3),
    "points.kong_direct": (0, 1, 3),
    "points.kong_added": (0, 1, 2),
    "points.kong_concealed": (0, 2, 5),
}
FACTORS = (
    *("wubao", "gangkai", "qianggang", "jiebao", "baodiaotou", "baodiaowubao", "baodiaobao", "dandiao"),
    *("sigebao", "feibao", "touji", "self_draw", "discarder"),
)
PATTERN_VALUES: dict[str, tuple[object, ...]] = {
    "claims.chow": (True, True, False),
    "claims.discard_win": (True, True, False),
    "win.open_melds": ("none", "none", "chow_pung", "chow_pung_kong"),
    "score.stake": (1, 2, 100),
    "least.tianhu": (0, 16, 100),
    "least.dihu": (0, 16, 100),
    **{f"value.{name}": (1, 2, 3, 6) for name in PATTERNS},
    **{f"factor.{name}": (1, 2, 3, 4) for name in FACTORS},
}


def random_options(rng: Random, model: str) -> dict[str, object]:
    """Overrides of a preset of the model, all of them legal; often none or few, at times many."""
    share = rng.choice((0, 0.05, 0.2, 0.6))
    values = CODES if model == "codes" else PATTERN_VALUES
    chosen: dict[str, object] = {
        name: rng.choice(choices) for name, choices in values.items() if rng.random() < share
    }
    if model == "patterns" and rng.random() < share:
        shapes = ("standard", "seven_pairs", "thirteen_lan", "nine_yao")
        chosen["win.shapes"] = rng.sample(shapes, rng.randint(1, 4))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()}


class CodesTable(Table):
    """One deal of Hongzhong."""

    sources = ("self_draw", "self_draw", "self_draw", "rob_kong", "rob_kong", "rob_kong", "discard")
    winner_melds = (6, 4, 3, 3, 3)

    def turn_up(self) -> None:
        self.laizi = RED
        for kind in set(SUITS[3]) - {RED}:
            self.pool.left[kind] = 0

    def theme(self) -> frozenset[int]:
        suits = self.rng.sample(SUITS[:3], self.rng.choice((1, 2, 3, 3)))
        return frozenset(kind for suit in suits for kind in suit)

    def complete(self, seat: int, melds: int, theme: frozenset[int]) -> None:
        if melds or self.rng.random() < 0.4:
            super().complete(seat, melds, theme)
        else:
            self.melds[seat], self.hands[seat] = [], self.with_wildcards(seven_pairs(self.rng, theme))

    def extras(self, chance: float) -> dict[str, int]:
        flown = self.some([RED], chance)
        return {"wild_discards": flown} if flown else {}

    def described(self, win: Case) -> Case:
        winner, options = win["winner"], self.options
        if win["source"] == "self_draw" and self.has_konged(winner) and self.rng.random() < 0.4:
            win["after_kong"] = True
        count = options["codes.count"] + options["codes.no_wild_extra"] * (RED not in self.hands[winner])
        codes = [self.pool.any(KINDS) for _ in range(1 if options["codes.all_in"] else count)]
        return {
            "dealer": self.rng.choice(self.seats),
            "codes": [NAMES[code] for code in codes],
            "win": win,
        }


class PatternsTable(Table):
    """One deal of Hongxin."""

    winner_melds = (8, 2, 3, 3, 4)
    wild_claims = 0.3

    def turn_up(self) -> None:
        self.indicator = self.rng.choice(KINDS)
        self.pool.take(self.indicator)
        self.laizi = bao_after(self.indicator)
        if self.rng.random() < 0.1:  # a hand that may be over before anybody has claimed
            self.winner_melds = self.loser_melds = (1, 0, 0, 0, 0)

    def complete(self, seat: int, melds: int, theme: frozenset[int]) -> None:
        rng = self.rng
        if melds or rng.random() < 0.4:
            super().complete(seat, melds, theme)
            return
        shape = rng.choice(("seven_pairs", "thirteen_lan", "nine_yao"))
        if shape == "seven_pairs":
            tiles = seven_pairs(rng, theme)
        elif shape == "nine_yao":
            tiles = rng.sample([kind for kind in ENDS for _ in range(2)], 14)
            if rng.random() < 0.5:
                tiles = [*SUITS[3], *tiles[:7]]
        else:
            tiles = []
            kinds = list(KINDS)
            rng.shuffle(kinds)
            if rng.random() < 0.5:
                kinds.sort(key=lambda kind: kind not in SUITS[3])
            for kind in kinds:
                if len(tiles) < 14 and all(stand_apart(kind, tile) for tile in tiles):
                    tiles.append(kind)
            if len(tiles) < 14:
                raise OutOfTilesError
        self.melds[seat], self.hands[seat] = [], self.with_wildcards(tiles)

    def extras(self, chance: float) -> dict[str, int]:
        flown = self.some([self.laizi], 3 * chance)  # often enough for jiebao
        return {"wild_discards": flown} if flown else {}

    def described(self, win: Case) -> Case:
        rng, winner = self.rng, win["winner"]
        dealer = rng.choice(self.seats)
        if win["source"] == "self_draw" and self.has_konged(winner) and rng.random() < 0.4:
            win["after_kong"] = True
        if rng.random() < 0.4:
            win["skipped"] = rng.randrange(4)
        if not any(self.melds.values()) and not self.extra[winner] and rng.random() < 0.4:
            first = {"self_draw": ("tianhu", winner), "discard": ("dihu", win.get("from"))}
            win["first"], dealer = first[win["source"]]
            win.pop("skipped", None)
            for extra in self.extra.values():
                extra.clear()
        bao = self.hands[winner].count(self.laizi) + self.extra[winner].get("wild_discards", 0)
        if bao:
            self.extra[winner]["bao_had"] = bao
        return {"indicator": NAMES[self.indicator], "dealer": dealer, "win": win}


def seven_pairs(rng: Random, theme: frozenset[int]) -> list[int]:
    return [kind for kind in rng.choices(tuple(theme), k=7) for _ in range(2)]


TABLES = {"codes": CodesTable, "patterns": PatternsTable}
