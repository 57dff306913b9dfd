"""Compiled only: `score_codes` and `pay_kongs` serve `_score`."""
