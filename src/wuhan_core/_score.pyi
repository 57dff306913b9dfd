"""Compiled only: `score_win` and `score_exhausted` serve the engine; Python calls `wuhan_core.scoring`."""
