"""How many sit at the table, for tests."""

from wuhan_core.rules import RuleSet


def players_of(rules: RuleSet) -> int:
    """The seats of a rule set."""
    players = rules.get("deal.players")
    assert isinstance(players, int)
    return players
