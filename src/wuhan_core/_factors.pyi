"""Compiled only: `score_factors` serves `_score`."""
