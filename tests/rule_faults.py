"""Rules that are loaded, or the faults that they are refused with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wuhan_core.rules import RuleError, RuleSet, load_rules


def faults(function: Callable[..., object], *arguments: object) -> list[str]:
    with pytest.raises(RuleError) as caught:
        function(*arguments)
    assert str(caught.value) == "\n".join(caught.value.faults)
    assert all(fault and "\n" not in fault and len(fault) < 600 for fault in caught.value.faults)
    return caught.value.faults


def loaded_or_faults(source: Any, overrides: Any = None) -> RuleSet | list[str]:
    try:
        return load_rules(source, overrides)
    except RuleError as error:
        return error.faults
