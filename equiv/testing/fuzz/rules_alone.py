"""The tier of rules, asked about many pairs of few queries, so that normal forms are kept."""

from __future__ import annotations

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.context import Context
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.normalise import Normalised, RuleSet, normalise
from equiv.tiers.rules import RulesTier


class KeptForms:
    """Normal forms under the rules, each made once: a pure function of tree and relation."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._forms: dict[tuple[int, Rows, bool], tuple[exp.Expression, Normalised]] = {}

    def of(self, tree: exp.Expression, pair: Pair, rows: Rows, *, trace: bool) -> Normalised:
        key = (id(tree), rows, trace)
        if key not in self._forms:
            if len(self._forms) > 500:
                self._forms.clear()
            context = Context(pair.schema, pair.facts, rows)
            self._forms[key] = tree, normalise(tree, self.rules, context, trace=trace)
        return self._forms[key][1]


class RulesAlone(RulesTier):
    """The tier with its normal forms kept."""

    def __init__(self, kept: KeptForms) -> None:
        super().__init__(kept.rules)
        self._kept = kept

    def _normal(
        self, tree: exp.Expression, pair: Pair, relation: Relation, *, trace: bool = False
    ) -> Normalised:
        if relation.columns is Columns.ANY:
            return super()._normal(tree, pair, relation, trace=trace)
        return self._kept.of(tree, pair, relation.rows, trace=trace)
