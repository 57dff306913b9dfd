"""Why a hand is worth what it is: the reading chosen, each factor, caps and liability; or the refusal."""

from __future__ import annotations

from typing import Any

from .explain_factors import explain_factors
from .explain_others import explain_codes, explain_patterns
from .explain_refusal import explain_refusal
from .explained import Factor, Liability, Reading, Refusal, Score, Share
from .finished import Finished, read
from .rules import load_rules
from .scoring import score_case

__all__ = ["Factor", "Liability", "Reading", "Refusal", "Score", "Share", "explain", "explain_case"]

_MODELS = {"factors": explain_factors, "codes": explain_codes, "patterns": explain_patterns}


def explain_case(case: dict[str, Any]) -> Score:
    """Judge and score one finished hand, and say why.

    Parameters
    ----------
    case : dict
        As for `score_case`.

    Returns
    -------
    Score
        The answer of `score_case` and what leads to it. ``print`` writes it; see `Score.to_text` (English and
        Chinese) and `Score.to_dict`.

    Raises
    ------
    CaseError
        For a case that cannot be, naming every fault.

    Notes
    -----
    The points are those of `score_case`, the one scoring path. The reading is found by a plain search for
    tiles that show the answer's types; where several do, the first one stands for all. It takes a few
    milliseconds, for some hands up to half a second.

    Examples
    --------
    >>> from wuhan_core import Table
    >>> table = Table("yuanhang", seed=1)
    >>> while not table.done:
    ...     table.step(table.choose("greedy"))
    >>> print(explain_case(table.case()))
    yuanhang: seat 1 wins on a discard of seat 3 with 5p
    dealer seat 0, wildcard S, indicator E
    types: pihu (small win)
    reading: soft, every wildcard free
    concealed: 999m  55p  88s[8s] (sets and a pair)
    melds: chow 567s (from seat 0), pung PPP (from seat 2)
    wildcards S stand for: 8s
    base:
      + 1  base of a small win  score.small_base = 1  yh bf lg
    carried by the winner, seat 1:
      × 2^2  open meld  score.open = per_meld  yh bf nw lg
      × 2    red kong   score.kong_red = 2     yh bf lg
    seat 0 owes 1 × 2^2 × 2 × 2 × 2 = 32
      × 2  open meld  score.open = per_meld   yh bf nw lg
      × 2  dealer     score.small_dealer = 2  yh bf lg
    seat 2 owes 1 × 2^2 × 2 × 2 = 16
      × 2  open meld  score.open = per_meld  yh bf nw lg
    seat 3 owes 1 × 2^2 × 2 × 2 × 2 = 32
      × 2  red kong   score.kong_red = 2         yh bf lg
      × 2  discarder  score.small_discarder = 2  yh bf lg
    points: seat 0 -32, seat 1 +80, seat 2 -16, seat 3 -32
    """
    return explain(case, score_case(case))


def explain(case: dict[str, Any], answer: dict[str, Any]) -> Score:
    """Explain the answer that `score_case` has given to a case.

    Raises
    ------
    RuntimeError
        If no reading or no factors lead to the answer: a defect, never a fault of the case.
    """
    game = read(case, load_rules(case["rules"], case.get("set")))
    if not answer["wins"]:
        without = None
        if answer["why_not"] == "below_minimum":
            without = explain_case({**case, "set": {**(case.get("set") or {}), "win.minimum": "none"}})
        return explain_refusal(game, answer["why_not"], without)
    try:
        score = _MODELS[str(game.rules.get("score.model"))](game, answer)
    except StopIteration as error:
        raise RuntimeError(f"no reading shows {answer}") from error
    _check(score, game)
    return score


def _check(score: Score, game: Finished) -> None:
    """An explanation that does not reach the points is not given."""
    reached = [0] * len(game.seats)
    for share in score.shares:
        # a least share stands in the answer as what is owed
        least = share.limit is not None and share.limit.startswith("least.")
        reached[share.seat] = share.capped if least else share.owed
    if reached != score.answer["owed"]:
        raise RuntimeError(f"factors lead to {reached}, not to {score.answer['owed']}")
