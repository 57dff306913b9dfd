from ._rules import CompiledRules

def score(case: object, compiled: CompiledRules | None, faults: list[str]) -> dict[str, object] | None:
    """Read a case (RULES.md section 10) and score it.

    Parameters
    ----------
    case : object
        What should be a case.
    compiled : CompiledRules or None
        None where the case's rules cannot be loaded: then what needs no rules is checked.
    faults : list of str
        Every fault of the case is appended.

    Returns
    -------
    dict or None
        The answer of RULES.md section 10; None for a case with faults, or without rules.
    """
