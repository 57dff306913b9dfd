"""Compiled only: `score_patterns` serves `_score`."""
