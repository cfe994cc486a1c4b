"""Tier ``rules``: both queries normalise to one tree."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.core.printing import key, to_sql
from equiv.relation import RELATIONS, Columns, Relation
from equiv.rewrite.normal_forms import NormalForms
from equiv.rewrite.normalise import Normalised, RuleSet
from equiv.rewrite.parting import parting
from equiv.tiers.column_order import with_sorted_columns
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.verdict import Derivation, Reason, Step, Tier

COLUMN_ORDER = "column_order"
"""The name in a derivation of putting result columns in canonical order, where any permutation will do."""


class RulesTier:
    """Settles as equivalent what the rules rewrite to one normal form."""

    tier = Tier.RULES

    def __init__(self, rules: RuleSet) -> None:
        self._forms = NormalForms(rules)

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Compare the normal forms under the pair's relation, and where they agree under stricter ones."""
        made = self.make_again(pair, effort)
        if isinstance(made, Open) and made.reason is Reason.NO_PROOF:
            return replace(made, parts=self._parts(pair))
        if not isinstance(made, Proved) or _is_itself(pair):
            return made
        assert made.strongest is not None
        strongest = self._strongest(_trees(pair), pair, made.strongest)
        return replace(self._shown(made, pair), strongest=strongest)

    def show_again(self, pair: Pair, effort: int) -> Outcome:
        """The outcome of :meth:`settle`, without a look for stricter relations."""
        made = self.make_again(pair, effort)
        return self._shown(made, pair) if isinstance(made, Proved) and not _is_itself(pair) else made

    def _shown(self, made: Proved, pair: Pair) -> Proved:
        """A derivation with its steps."""
        assert isinstance(made.evidence, Derivation)
        traced = [self._normal(tree, pair, pair.relation, trace=True) for tree in _trees(pair)]
        derivation = replace(made.evidence, pred_steps=traced[0].steps, gold_steps=traced[1].steps)
        return replace(made, evidence=derivation)

    def make_again(self, pair: Pair, effort: int) -> Outcome:
        """Whether the normal forms agree under the pair's relation, without the steps that lead to them."""
        del effort
        if _is_itself(pair):
            return Proved(Derivation((), (), pair.gold.sql), strongest=RELATIONS[0])
        if pair.unsupported or pair.pred.tree is None or pair.gold.tree is None:
            return Open(Reason.UNSUPPORTED, pair.unsupported)
        if pair.pred.columns != pair.gold.columns or pair.sums_apart:
            return Open()
        forms = self._same_form((pair.pred.tree, pair.gold.tree), pair, pair.relation)
        if forms is None:
            return Open()
        facts = tuple(dict.fromkeys((*forms[0].facts, *forms[1].facts, *pair.facts_of_sums)))
        return Proved(Derivation((), (), to_sql(forms[0].tree)), facts, _kept(forms, pair.relation))

    def _strongest(
        self, trees: tuple[exp.Expression, exp.Expression], pair: Pair, proved: Relation
    ) -> Relation:
        """The strictest relation under which there is a derivation."""
        for relation in RELATIONS:
            if relation == proved:
                break
            if relation.implies(proved) and (forms := self._same_form(trees, pair, relation)):
                return _kept(forms, relation)
        return proved

    def _same_form(
        self, trees: tuple[exp.Expression, exp.Expression], pair: Pair, relation: Relation
    ) -> tuple[Normalised, Normalised] | None:
        """Both normal forms for a comparison under a relation, if they are one."""
        pred, gold = (self._normal(tree, pair, relation) for tree in trees)
        return (pred, gold) if key(pred.tree) == key(gold.tree) else None

    def _parts(self, pair: Pair) -> tuple[str, str] | None:
        """The parts in which the normal forms differ."""
        if pair.pred.columns != pair.gold.columns:
            return None
        pred, gold = (self._normal(tree, pair, pair.relation).tree for tree in _trees(pair))
        return parting(pred, gold)

    def _normal(
        self, tree: exp.Expression, pair: Pair, relation: Relation, *, trace: bool = False
    ) -> Normalised:
        ctx = Context(pair.schema, pair.facts, relation.rows)
        found = self._forms.of(tree, ctx, trace=trace)
        return found if relation.columns is Columns.ORDERED else _with_sorted_columns(found, ctx)


def _trees(pair: Pair) -> tuple[exp.Expression, exp.Expression]:
    assert pair.pred.tree is not None
    assert pair.gold.tree is not None
    return pair.pred.tree, pair.gold.tree


def _is_itself(pair: Pair) -> bool:
    return pair.are_one_text and pair.pred.is_repeatable


def _kept(forms: tuple[Normalised, Normalised], relation: Relation) -> Relation:
    """The relation that two derivations preserve, which may be stricter than the one they were made for."""
    rows = forms[0].under if forms[1].under.implies(forms[0].under) else forms[1].under
    return replace(relation, rows=rows)


def _with_sorted_columns(found: Normalised, ctx: Context) -> Normalised:
    """A normal form with the columns of its result in canonical order: one permutation on every database."""
    tree = with_sorted_columns(found.tree, ctx)
    if tree is found.tree:
        return found
    step = (Step(COLUMN_ORDER, to_sql(found.tree), to_sql(tree)),) if found.traced else ()
    return replace(found, tree=tree, steps=found.steps + step)
