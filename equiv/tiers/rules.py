"""Tier ``rules``: both queries normalise to one tree.

Where a relation lets any one permutation serve every database, result columns come in canonical order.
Normal forms are kept for the next tier and for the next prediction of the same question; where two part,
the smallest clauses in which they differ are told as SQL.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.claims.blocks import looks_beside
from equiv.core.claims.fingerprint import Fingerprint
from equiv.core.model import Context
from equiv.core.printing import key, to_sql
from equiv.facts import Watched
from equiv.relation import RELATIONS, Columns, Relation, Rows
from equiv.rewrite.canonical import canonicalise
from equiv.rewrite.normalise import Normalised, RuleSet, normalise
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.verdict import Derivation, Reason, Step, Tier
from equiv.workers.scheduler import Memory


def with_sorted_columns(tree: exp.Expression, ctx: Context) -> exp.Expression:
    """A canonical tree with its result columns in an order that their expressions fix.

    The operands of a set operation compare column by column, so that one permutation is applied to all of
    them; ORDER BY names the columns of a set operation by position, so that such a query keeps its order.
    """
    if isinstance(tree, exp.Select):
        columns = sorted(tree.expressions, key=Fingerprint({}).of)
        return tree if columns == tree.expressions else _permuted(tree, [columns])
    operands = _operands(tree)
    if not operands or len({len(operand.expressions) for operand in operands}) != 1:
        return tree
    places = range(len(operands[0].expressions))
    texts = [_texts(operand) for operand in operands]
    order = sorted(places, key=lambda place: sorted(own[place] for own in texts))
    if order == list(places):
        return tree
    moved = [[operand.expressions[place] for place in order] for operand in operands]
    return canonicalise(_permuted(tree, moved), ctx)


def _operands(tree: exp.Expression) -> list[exp.Select]:
    """The SELECTs of a set operation without ORDER BY, in order; none for anything else."""
    if isinstance(tree, exp.Select):
        return [tree]
    if not isinstance(tree, exp.SetOperation) or tree.args.get("order") is not None:
        return []
    first, last = _operands(tree.this), _operands(tree.expression)
    return [*first, *last] if first and last else []


def _texts(select: exp.Select) -> list[str]:
    """The projections with tables in place of aliases, which depend on the order of the operands."""
    bases = {table.alias_or_name: table.name for table in select.find_all(exp.Table)}
    found = []
    for projection in select.expressions:
        own = projection.unalias().copy()
        for column in own.find_all(exp.Column):
            column.set("table", exp.to_identifier(bases.get(column.table, column.table)))
        found.append(to_sql(own))
    return found


def _permuted(tree: exp.Expression, columns: Sequence[Sequence[exp.Expression]]) -> exp.Expression:
    copy = tree.copy()
    for operand, own in zip(_operands(copy), columns, strict=True):
        operand.set("expressions", [column.copy() for column in own])
    return copy


Parts = tuple[str, str]
"""A part of the one form, and what stands in its place in the other; '' where nothing does."""

_WRAPPERS = (exp.Subquery, exp.Paren, exp.Where, exp.Having, exp.From, exp.Join, exp.Exists, exp.Not, exp.In)
_DEEPEST = 200
_LONGEST = 240
_SHORT = 120
"""A query of so many characters is shown whole."""


def parting(left: exp.Expression, right: exp.Expression) -> Parts | None:
    """The parts in which two trees differ; None if they are one."""
    for _ in range(_DEEPEST):
        if key(left) == key(right):
            return None
        inner = _inner(left, right)
        if inner is None:
            break
        mine, theirs = inner
        if len(mine) != 1 or len(theirs) != 1:
            return _text(mine), _text(theirs)
        left, right = mine[0], theirs[0]
    return _text([left]), _text([right])


def _inner(
    left: exp.Expression, right: exp.Expression
) -> tuple[list[exp.Expression], list[exp.Expression]] | None:
    """The parts of two nodes in which they differ; None if it is best to show the nodes whole."""
    if isinstance(left, exp.And) or isinstance(right, exp.And):
        return _without_shared(_conjuncts(left), _conjuncts(right))
    if type(left) is not type(right) or not isinstance(left, (exp.Query, *_WRAPPERS)):
        return None
    names = [name for name in {**left.args, **right.args} if _keys(left, name) != _keys(right, name)]
    if len(names) != 1:
        return _clauses(left, right, names)
    mine, theirs = _nodes(left, names[0]), _nodes(right, names[0])
    return _without_shared(mine, theirs) if mine or theirs else None


def _clauses(
    left: exp.Expression, right: exp.Expression, names: Sequence[str]
) -> tuple[list[exp.Expression], list[exp.Expression]] | None:
    """The parts of several clauses in which two SELECTs differ; None where one of them would say nothing."""
    if not isinstance(left, exp.Select):
        return None
    mine, theirs = list[exp.Expression](), list[exp.Expression]()
    for name in names:
        one, other = _without_shared(_nodes(left, name), _nodes(right, name))
        mine += one
        theirs += other
    is_short = all(len(to_sql(side)) <= _SHORT for side in (left, right))
    return (mine, theirs) if len(mine) > 1 and len(theirs) > 1 and not is_short else None


def _conjuncts(node: exp.Expression) -> list[exp.Expression]:
    parts = node.flatten(unnest=False) if isinstance(node, exp.And) else (node,)
    return [part for part in parts if isinstance(part, exp.Expression)]


def _nodes(node: exp.Expression, name: str) -> list[exp.Expression]:
    value = node.args.get(name)
    return [
        each for each in (value if isinstance(value, list) else [value]) if isinstance(each, exp.Expression)
    ]


def _keys(node: exp.Expression, name: str) -> object:
    nodes = _nodes(node, name)
    return [key(each) for each in nodes] if nodes else node.args.get(name) or None


def _without_shared(
    left: Sequence[exp.Expression], right: Sequence[exp.Expression]
) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """Both lists less what they share."""
    keys = [[key(each) for each in side] for side in (left, right)]
    mine = [each for each, its_key in zip(left, keys[0], strict=True) if its_key not in keys[1]]
    theirs = [each for each, its_key in zip(right, keys[1], strict=True) if its_key not in keys[0]]
    return (mine, theirs) if mine or theirs else (list(left), list(right))


def _text(nodes: Sequence[exp.Expression]) -> str:
    text = " … ".join(" ".join(to_sql(node).split()) for node in nodes)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


_KEPT = 128
_VARIANTS = 8
"""So many forms of one tree are kept, from facts that give other answers."""
_PATIENCE = 200_000
"""To print so many characters costs less than to find a normal form once more."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A normal form, and what it was made from."""

    tree: exp.Expression
    ctx: Context
    facts: Watched
    normal: Normalised

    def serves(self, ctx: Context) -> bool:
        """Whether it is the form in another context: no step used what is different there."""
        if not self.facts.answered_as(ctx.facts):
            return False
        if ctx.rows is self.ctx.rows:
            return True
        if any((self.ctx.rows is asked) != (ctx.rows is asked) for asked in self.ctx.asked):
            return False
        if ctx.rows.implies(self.ctx.rows):
            return self.normal.under is Rows.LIST
        return not any(under.implies(ctx.rows) for under in self.normal.weaker)


class NormalForms:
    """The normal forms of resolved trees under one set of rules.

    Trees must not be changed once they have been asked for.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._kept: Memory[list[_Form]] = Memory(_KEPT)

    def of(self, tree: exp.Expression, ctx: Context, *, trace: bool = False) -> Normalised:
        """The normal form of a tree; with ``trace``, its steps are sure to be there."""
        found = self._found(tree, ctx)
        if found is None or (trace and not found.traced):
            patience = math.inf if trace else _PATIENCE
            facts = Watched(ctx.facts)
            own = replace(ctx, facts=facts)
            found = normalise(tree, self._rules, own, trace=True, patience=patience)
            self._keep(_Form(tree, own, facts, found))
        return found

    def _keep(self, form: _Form) -> None:
        key = self._key(form.tree, form.ctx, form.ctx.rows)
        self._kept.keep(key, [form, *(self._kept.recall(key) or ())][:_VARIANTS])

    def _found(self, tree: exp.Expression, ctx: Context) -> Normalised | None:
        for rows in Rows:
            for form in self._kept.recall(self._key(tree, ctx, rows)) or ():
                if form.serves(ctx):
                    return form.normal
        return None

    def _key(self, tree: exp.Expression, ctx: Context, rows: Rows) -> tuple[object, ...]:
        # By identity; what is kept refers to both, so that no other object gets theirs.
        return (id(tree), id(ctx.schema), rows)


COLUMN_ORDER = "column_order"
"""The name in a derivation of putting result columns in canonical order, where any permutation will do."""


class RulesTier:
    """Settles as equivalent what the rules rewrite to one normal form."""

    tier = Tier.RULES

    def __init__(self, rules: RuleSet) -> None:
        self._forms = NormalForms(rules)

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Compare the normal forms under the pair's relation, and where they agree under stricter ones."""
        made = self.make_again(pair, effort)
        if isinstance(made, Open) and made.reason is Reason.NO_PROOF:
            return replace(made, parts=self._parts(pair))
        if not isinstance(made, Proved) or _is_itself(pair) or not pair.is_shown:
            return made
        assert made.strongest is not None
        return self.show_again(replace(pair, relation=self._strongest(pair, made.strongest)), effort)

    def show_again(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of :meth:`settle`, without a look for stricter relations."""
        made = self.make_again(pair, effort)
        return self._shown(made, pair) if isinstance(made, Proved) and not _is_itself(pair) else made

    def _shown(self, made: Proved, pair: Pair) -> Proved:
        """A derivation with its steps."""
        assert isinstance(made.evidence, Derivation)
        traced = [self._normal(tree, pair, pair.relation, trace=True) for tree in _trees(pair)]
        derivation = replace(made.evidence, pred_steps=traced[0].steps, gold_steps=traced[1].steps)
        return replace(made, evidence=derivation)

    def make_again(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether the normal forms agree under the pair's relation, without the steps that lead to them."""
        del effort
        if _is_itself(pair):
            return Proved(Derivation((), (), pair.gold.sql), strongest=RELATIONS[0])
        if pair.unsupported or pair.pred.tree is None or pair.gold.tree is None:
            return Open(Reason.UNSUPPORTED, pair.unsupported)
        if pair.pred.columns != pair.gold.columns or pair.sums_apart:
            return Open()
        if any(map(looks_beside, _trees(pair))):
            # Rules know no source that sees others.
            return Open()
        forms = self._same_form((pair.pred.tree, pair.gold.tree), pair, pair.relation)
        if forms is None:
            return Open()
        facts = tuple(dict.fromkeys((*forms[0].facts, *forms[1].facts, *pair.facts_of_sums)))
        return Proved(Derivation((), (), to_sql(forms[0].tree)), facts, _kept(forms, pair.relation))

    def _strongest(self, pair: Pair, proved: Relation) -> Relation:
        """The strictest relation that a derivation is made for and that implies one; else the pair's own."""
        for relation in RELATIONS:
            if relation == proved:
                break
            if relation.implies(proved) and self._same_form(_trees(pair), pair, relation):
                return relation
        return pair.relation

    def _same_form(
        self, trees: tuple[exp.Expression, exp.Expression], pair: Pair, relation: Relation
    ) -> tuple[Normalised, Normalised] | None:
        """Both normal forms for a comparison under a relation, if they are one."""
        pred, gold = (self._normal(tree, pair, relation) for tree in trees)
        return (pred, gold) if key(pred.tree) == key(gold.tree) else None

    def _parts(self, pair: Pair) -> tuple[str, str] | None:
        """The parts in which the normal forms differ."""
        if pair.pred.columns != pair.gold.columns or any(map(looks_beside, _trees(pair))):
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
    """Whether both queries are one that gives one answer, or does the same and answers nothing."""
    pred, gold = pair.pred, pair.gold
    does_the_same = pred.performs and pred.shape == gold.shape and not pair.is_across
    return does_the_same or (pair.are_one_text and pred.is_repeatable)


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
