"""Sessions as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wuhan_core.errors import one_line

from . import show
from .session_plan import SessionPlan

if TYPE_CHECKING:
    from .session_result import Sessions

_EXPLANATION = (
    "In brackets: 95 % intervals, made so that 95 of 100 such intervals hold the true value; "
    "sessions dealt the same walls count as one draw."
)
_BY_BOT = ("bankroll", "ruin", "drawdown", "money", "play")


def text(sessions: Sessions) -> str:
    """Write sessions as aligned plain text."""
    return show.text_of(title(sessions), grids(sessions), (), _EXPLANATION)


def html(sessions: Sessions) -> str:
    """Write sessions as HTML tables."""
    return show.html_of(title(sessions), grids(sessions), (), _EXPLANATION)


def title(sessions: Sessions) -> str:
    """Name game, settings, sessions, seed and id in one line."""
    plan = sessions.plan
    head = f"{show.game(plan.task)}; {show.counted(sessions.count, 'session')}"
    head += f" ({plan.first}..{plan.first + plan.count - 1})" if plan.first else ""
    return one_line(
        f"{head} on {show.counted(sessions.blocks, 'block')}, {settings(plan)}, "
        f"{show.counted(sessions.hands, 'hand')} played, seed {plan.task.seed}, id {plan.id[:12]}"
    )


def settings(plan: SessionPlan) -> str:
    """Name what sessions are made of."""
    parts = [
        f"up to {show.counted(plan.hands, 'hand')} each",
        f"bankroll {plan.bankroll:,}" if plan.bankroll else "no bankrolls",
    ]
    parts += ["ruined seats stay"] if plan.stay else []
    parts += [] if plan.leave_below is None else [f"leaving at {plan.leave_below:,} or below"]
    parts += [] if plan.leave_above is None else [f"leaving at {plan.leave_above:,} or above"]
    parts += [f"running away {plan.flee:g} a draw"] if plan.flee else []
    return ", ".join(parts)


def grids(sessions: Sessions) -> list[show.Grid]:
    """Lay out every estimate."""
    rows = sessions.table().to_dict("records")
    return [
        show.grid_of("sessions", [row for row in rows if row["section"] == "sessions"], "name", "of", "of "),
        *(
            show.grid_of(section, [row for row in rows if row["section"] == section], "name", "of")
            for section in _BY_BOT
        ),
    ]
