from .rules import RuleSet

class CompiledRules:
    """A rule set compiled into the struct that the engine reads; it does not change any more.

    Parameters
    ----------
    ruleset : RuleSet
    """

    def __init__(self, ruleset: RuleSet) -> None: ...
    def special(self, indicator: int | None) -> tuple[int, frozenset[int]]: ...
