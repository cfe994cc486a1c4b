"""Tier ``rules``: both queries normalise to one tree."""

from __future__ import annotations

from equiv.normalise import RuleSet, normalise
from equiv.pair import Pair
from equiv.rule import Context
from equiv.sql import key, to_sql
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.verdict import Derivation, Reason, Tier


class RulesTier:
    """Settles as equivalent what the rules rewrite to one normal form."""

    tier = Tier.RULES

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Compare the normal forms, strictest relation first: a proof of it serves the looser ones too."""
        del effort
        if pair.pred.sql == pair.gold.sql:
            return Proved(Derivation((), (), pair.gold.sql))
        if pair.pred.tree is None or pair.gold.tree is None:
            return Open(Reason.UNSUPPORTED, _unsupported(pair))
        if pair.pred.columns != pair.gold.columns:
            return Open()
        ctx = Context(pair.schema, pair.facts, pair.relation.rows)
        pred = normalise(pair.pred.tree, self._rules, ctx)
        gold = normalise(pair.gold.tree, self._rules, ctx)
        if key(pred.tree) != key(gold.tree):
            return Open()
        traced_pred = normalise(pair.pred.tree, self._rules, ctx, trace=True)
        traced_gold = normalise(pair.gold.tree, self._rules, ctx, trace=True)
        facts = tuple(dict.fromkeys((*pred.facts, *gold.facts)))
        return Proved(Derivation(traced_pred.steps, traced_gold.steps, to_sql(pred.tree)), facts)

    def start_question(self) -> None:
        """Nothing is kept between pairs."""


def _unsupported(pair: Pair) -> str:
    for side, query in (("prediction", pair.pred), ("gold", pair.gold)):
        if query.unsupported is not None:
            return f"{side}: {query.unsupported.node}: {query.unsupported.why}"
    return ""
