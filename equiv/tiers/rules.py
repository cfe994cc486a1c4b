"""Tier ``rules``: both queries normalise to one tree."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.fingerprint import Fingerprint
from equiv.normalise import Normalised, RuleSet, normalise
from equiv.pair import Pair
from equiv.relation import Columns
from equiv.rule import Context
from equiv.sql import key, to_sql
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.verdict import Derivation, Reason, Step, Tier

COLUMN_ORDER = "column_order"
"""The name in a derivation of putting result columns in canonical order, where any permutation will do."""


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
        pred, gold = self._normal(pair.pred.tree, pair), self._normal(pair.gold.tree, pair)
        if key(pred.tree) != key(gold.tree):
            return Open()
        traced_pred = self._normal(pair.pred.tree, pair, trace=True)
        traced_gold = self._normal(pair.gold.tree, pair, trace=True)
        facts = tuple(dict.fromkeys((*pred.facts, *gold.facts)))
        return Proved(Derivation(traced_pred.steps, traced_gold.steps, to_sql(pred.tree)), facts)

    def _normal(self, tree: exp.Expression, pair: Pair, *, trace: bool = False) -> Normalised:
        ctx = Context(pair.schema, pair.facts, pair.relation.rows)
        found = normalise(tree, self._rules, ctx, trace=trace)
        return found if pair.relation.columns is Columns.ORDERED else _with_sorted_columns(found, trace=trace)


def _with_sorted_columns(found: Normalised, *, trace: bool) -> Normalised:
    """A normal form with the columns of its result in canonical order: one permutation on every database.

    A set operation keeps its order, because ORDER BY names its columns by position.
    """
    if not isinstance(found.tree, exp.Select):
        return found
    columns = sorted(found.tree.expressions, key=Fingerprint({}).of)
    if columns == found.tree.expressions:
        return found
    tree = found.tree.copy()
    tree.set("expressions", [column.copy() for column in columns])
    step = (Step(COLUMN_ORDER, to_sql(found.tree), to_sql(tree)),) if trace else ()
    return replace(found, tree=tree, steps=found.steps + step)


def _unsupported(pair: Pair) -> str:
    for side, query in (("prediction", pair.pred), ("gold", pair.gold)):
        if query.unsupported is not None:
            return f"{side}: {query.unsupported.node}: {query.unsupported.why}"
    return ""
