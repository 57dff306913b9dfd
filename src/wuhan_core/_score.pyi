"""Compiled only: `score_win` and `ready` serve the engine; Python calls `wuhan_core.scoring`."""
