"""The record of one played hand: one row of a structured numpy array.

=============  ========  =========================================================================
column         dtype     meaning
=============  ========  =========================================================================
hand           int64     hand number of the task
wall           int64     wall number; hands that share it were dealt the same tiles
owed           int64[4]  points each seat owes before caps; 0 for the winner (where a robbed konger pays what
                         it would have collected: what they would have owed it, 0 for the konger)
capped         int64[4]  points after caps, before liability moves them
points         int64[4]  what each seat gains (points); sums to 0
types          uint32    win types, patterns and factors, bit i for ``TYPE_NAMES[i]``; 0 in a won hand is pihu
ready_turn     int16[4]  draws made in the hand when the seat first stood ready (standard shape, any
                         pair, wildcards free); -1 = never
dealer         int8      seat
indicator      int8      kind turned up to find the wildcard, -1 without one
laizi          int8      the wildcard kind
outcome        uint8     index into ``OUTCOMES``
winner         int8      seat, -1 in an exhausted hand
loser          int8      discarder or konger, else -1
liable         int8      seat that pays all shares, else -1
win_tile       int8      kind won on, else -1
hard           uint8     1 = won with every tile as itself
golden         uint8     1 = all three shares reached the cap and each pays ``cap.golden``
turns          uint8     draws until the end, replacements and last round included
opens          uint8[4]  open melds by seat (as ``win.open_melds`` counts them)
kongs          uint8[4]  kongs of all sorts by seat
start_shanten  int8[4]   shanten of the 13 tiles dealt (standard shape, any pair)
start_wild     uint8[4]  wildcards among the 13 tiles dealt
bot            uint8[4]  index into the task's bots, by seat
=============  ========  =========================================================================
"""

from __future__ import annotations

import numpy as np

OUTCOMES = ("exhausted", "self_draw", "discard", "rob_kong")
TYPE_NAMES = (
    "pengpenghu",
    "qingyise",
    "fengyise",
    "jiangyise",
    "quanqiuren",
    "gangshanghua",
    "haidilao",
    "qianggang",
    "pinghu",
    "qidui",
    "haohuaqidui",
    "shisanlang",
    "qixingshisanlang",
    "jiuyao",
    "qixingjiuyao",
    "wubao",
    "gangkai",
    "jiebao",
    "baodiaotou",
    "baodiaowubao",
    "baodiaobao",
    "dandiao",
    "sigebao",
    "tianhu",
    "dihu",
)
BIG_TYPES = TYPE_NAMES[:8]  # those of the model "factors"

HAND_DTYPE = np.dtype(  # in the machine's byte order, as the engine's struct
    [
        ("hand", "i8"),
        ("wall", "i8"),
        ("owed", "i8", 4),
        ("capped", "i8", 4),
        ("points", "i8", 4),
        ("types", "u4"),
        ("ready_turn", "i2", 4),
        ("dealer", "i1"),
        ("indicator", "i1"),
        ("laizi", "i1"),
        ("outcome", "u1"),
        ("winner", "i1"),
        ("loser", "i1"),
        ("liable", "i1"),
        ("win_tile", "i1"),
        ("hard", "u1"),
        ("golden", "u1"),
        ("turns", "u1"),
        ("opens", "u1", 4),
        ("kongs", "u1", 4),
        ("start_shanten", "i1", 4),
        ("start_wild", "u1", 4),
        ("bot", "u1", 4),
    ]
)
