"""Compiled only: `score_win` and `ready` are for the engine's other rooms. Python calls `wuhan_core.scoring`."""
