"""Compiled only: the state machine serves the engine; Python drives it through `_machine`."""
