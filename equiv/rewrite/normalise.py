"""The normaliser: applies rules to a fixpoint, then orders and names canonically.

Rules fire bottom-up, in list order, until none does; canonical ordering may
bring equal parts together, so both are repeated until the tree stands still.
Every application can be recorded as a step.  A step limit bounds rules that
feed each other; past it the result is merely not as normal as it could be,
which can cost a proof, never make one.  So does doing without a rule that
makes a query which SQLite reads otherwise than it says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.skipped_distinct import skips_distinct_rows
from equiv.core.claims.standing import STANDING
from equiv.core.context import Context
from equiv.core.printing.trees import key, to_sql
from equiv.facts import Fact
from equiv.relation import Rows
from equiv.rewrite.canonical import canonicalise
from equiv.rewrite.rule import Rule
from equiv.verdict import Step

STEP_LIMIT = 400
"""How many rule applications one query may take."""

ROUNDS = 6
"""How many times rules and canonical order alternate."""

CANONICAL_ORDER = "canonical_order"
"""The name under which ordering and renaming appear in a derivation."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normal form, the facts that it rests on, and the steps that led to it (if traced)."""

    tree: exp.Expression
    facts: tuple[Fact, ...]
    steps: tuple[Step, ...]
    under: Rows
    """The weakest rows relation that the steps preserve."""
    traced: bool = False
    """Whether the steps were recorded."""


class RuleSet:
    """An ordered list of rules, indexed by the node types on which they fire."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._by_type: dict[type[exp.Expression], tuple[Rule, ...]] = {}

    def without(self, rule: Rule) -> RuleSet:
        """The others."""
        return RuleSet(each for each in self.rules if each is not rule)

    def on(self, kind: type[exp.Expression]) -> tuple[Rule, ...]:
        """The rules that may fire on a node of that type, in order."""
        if kind not in self._by_type:
            self._by_type[kind] = tuple(r for r in self.rules if issubclass(kind, r.on))
        return self._by_type[kind]


class _MisreadError(Exception):
    """SQLite does not read the query that a rule makes as it stands."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        super().__init__(rule.name)


class _Run:
    """One normalisation: the tree as it stands and what has been done to it."""

    def __init__(
        self, root: exp.Expression, rules: RuleSet, ctx: Context, *, trace: bool, patience: float
    ) -> None:
        self.root = root
        self.rules = rules
        self.ctx = ctx
        self.trace = trace
        self.patience = patience
        self.canonical: tuple[object, ...] | None = None
        """The key of the tree, if no rule has been applied since it was in canonical order."""
        self.settled: dict[int, exp.Expression] = {}
        """By identity, the nodes on which no rule fires, all of them tried since the tree last changed."""
        self.facts: dict[Fact, None] = {}
        self.steps: list[Step] = []
        self.applied = 0
        self.under = Rows.LIST
        self.shown = to_sql(root) if trace else ""
        self.skips = root.find(exp.Offset) is not None

    def sweep(self) -> bool:
        """Apply rules to every node once, children first; whether any fired."""
        before = self.applied
        STANDING.known, STANDING.root, STANDING.ctx = {}, self.root, self.ctx
        try:
            self._sweep()
        finally:
            STANDING.known, STANDING.root, STANDING.ctx = None, None, None
        return self.applied > before

    def _sweep(self) -> None:
        for node in reversed(list(self.root.find_all(exp.Expression))):
            if self.applied >= STEP_LIMIT:
                break
            if id(node) not in self.settled and self._attached(node):
                self._rewrite(node)

    def canonicalise(self) -> bool:
        """Order and name canonically; whether anything moved."""
        self.settled.clear()
        old = self.canonical or key(self.root)
        self.root = canonicalise(self.root, self.ctx)
        self.canonical = key(self.root)
        if self.canonical == old:
            return False
        self._trace(CANONICAL_ORDER)
        return True

    def _attached(self, node: exp.Expr) -> bool:
        while node.parent is not None:
            node = node.parent
        return node is self.root

    def _rewrite(self, node: exp.Expression) -> None:
        current: exp.Expression | None = node
        while current is not None and self.applied < STEP_LIMIT:
            for rule in self.rules.on(type(current)):
                new = self._apply(rule, current)
                if new is not None:
                    break
            else:
                self.settled[id(current)] = current
                return
            current = new

    def _apply(self, rule: Rule, node: exp.Expression) -> exp.Expression | None:
        if rule.under is not Rows.LIST and not (node is self.root and rule.under.implies(self.ctx.rows)):
            return None
        for shape in rule.shape:
            if not shape(node):
                return None
        facts: list[Fact] = []
        for need in rule.needs:
            found = need(node, self.ctx)
            if found is None:
                return None
            facts += found
        parent, was_root = node.parent, node is self.root
        new = self._built(rule, node)
        if new is None:
            return None
        if was_root:
            self.root = STANDING.root = new
            new.parent = None
        elif new is not node and node.parent is parent:
            node.replace(new)
        self._record(rule, facts)
        return new

    def _built(self, rule: Rule, node: exp.Expression) -> exp.Expression | None:
        """What the body of a rule builds; the tree is another from then on, unless that is nothing."""
        known, STANDING.known = STANDING.known, None
        new = rule.body(node, self.ctx)
        STANDING.known = known if new is None else {}
        return new

    def _record(self, rule: Rule, facts: Sequence[Fact]) -> None:
        self.applied += 1
        self.canonical = None
        self.settled.clear()
        if self.skips and skips_distinct_rows(self.root):
            raise _MisreadError(rule)
        self.facts.update(dict.fromkeys(facts))
        if self.under.implies(rule.under):
            self.under = rule.under
        self._trace(rule.name, tuple(facts), rule.under)

    def _trace(self, name: str, facts: tuple[Fact, ...] = (), under: Rows = Rows.LIST) -> None:
        """Record a step, unless the steps are not wanted or printing them has become too much."""
        if self.trace:
            before, self.shown = self.shown, to_sql(self.root)
            self.steps.append(Step(name, before, self.shown, facts, under.value))
            self.patience -= len(self.shown)
            self.trace = self.patience > 0


def normalise(
    tree: exp.Expression,
    rules: RuleSet,
    ctx: Context,
    *,
    trace: bool = False,
    patience: float = math.inf,
) -> Normalised:
    """The normal form of a resolved tree, which is left as it is.

    Args:
        tree: a resolved tree (see :mod:`equiv.core.query`).
        rules: the rules to apply.
        ctx: schema, facts and the rows relation of the comparison.
        trace: record every step with the whole query before and after; slower.
        patience: the characters of queries to print for that; once there were more, the steps are given up.
    """
    run = _Run(tree.copy(), rules, ctx, trace=trace, patience=patience)
    try:
        for _ in range(ROUNDS):
            while run.sweep():
                pass
            if not run.canonicalise():
                break
    except _MisreadError as error:
        return normalise(tree, rules.without(error.rule), ctx, trace=trace, patience=patience)
    return Normalised(run.root, tuple(run.facts), tuple(run.steps) if run.trace else (), run.under, run.trace)
