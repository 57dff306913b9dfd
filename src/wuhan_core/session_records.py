"""The record of one session, many hands in a row at one table: one row of a structured numpy array.

=============  ========  =========================================================================
column         dtype     meaning
=============  ========  =========================================================================
session        int64     session number of the task
block          int64     sessions of one block were dealt the same walls
end            int64[4]  bankroll when the session ended (points); without bankrolls what the seat has
                         won less its fees, from 0
low            int64[4]  the lowest that it was, at the start or after a hand and its fee (points)
drawdown       int64[4]  its largest fall, from the start or a later height (points, 0 or more)
points         int64[4]  what the hands brought, as far as it was paid (points); sums to 0
fees           int64[4]  table fees paid (points); ``end`` is the start + ``points`` - ``fees``
unpaid         int64[4]  points that the seat lost and did not have
missed         int64[4]  points that the seat won and was not paid; sums to what is unpaid
ruined_at      int32[4]  hands played when the bankroll first was 0, from 1; -1 = never
wins           int32[4]  hands won; of several robbers of one kong each has won
deals          int32[4]  hands dealt
hands          int32     hands played, one that was run away from included
exhausted      int32     of them without a winner, one that was run away from included
ended          uint8     index into ``ENDINGS``
left           uint8[4]  1 = the seat stood up after the last hand, or ran away in it
bot            uint8[4]  index into the task's bots, by seat
=============  ========  =========================================================================
"""

from __future__ import annotations

import numpy as np

# All hands were played; a seat had nothing left; a seat stood up between hands; a seat ran away in a hand.
ENDINGS = ("played", "ruin", "left", "fled")

SESSION_DTYPE = np.dtype(  # in the machine's byte order, as the engine's struct
    [
        ("session", "i8"),
        ("block", "i8"),
        ("end", "i8", 4),
        ("low", "i8", 4),
        ("drawdown", "i8", 4),
        ("points", "i8", 4),
        ("fees", "i8", 4),
        ("unpaid", "i8", 4),
        ("missed", "i8", 4),
        ("ruined_at", "i4", 4),
        ("wins", "i4", 4),
        ("deals", "i4", 4),
        ("hands", "i4"),
        ("exhausted", "i4"),
        ("ended", "u1"),
        ("left", "u1", 4),
        ("bot", "u1", 4),
    ]
)
