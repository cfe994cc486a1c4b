"""The normaliser: applies rules to a fixpoint, then orders and names canonically.

Rules fire bottom-up, in list order, until none does; canonical ordering may
bring equal parts together, so both are repeated until the tree stands still.
Every application can be recorded as a step.  A step limit bounds rules that
feed each other; past it the result is merely not as normal as it could be,
which can cost a proof, never make one.  So does doing without a rule that
makes a query which SQLite reads otherwise than it says, and without a step
after which something is compared under another collation, or converted
otherwise, than before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sqlglot import exp

from equiv.core.claims.blocks import TREE_MEMO, calls_of_aggregates, escapes
from equiv.core.claims.choices import skips_distinct_rows
from equiv.core.model import Context
from equiv.core.printing import key, to_sql
from equiv.facts import Fact
from equiv.relation import Rows
from equiv.rewrite.canonical import canonicalise
from equiv.rewrite.kept_comparisons import Stopped, Ways, change, is_plain, ways
from equiv.rewrite.rule import Rule
from equiv.verdict import Step

STEP_LIMIT = 400
"""How many rule applications one query may take."""

ROUNDS = 6
"""How many times rules and canonical order alternate."""

REFUSED_NODES = 4
"""After how many nodes on which it would change a comparison a query does without a rule."""

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
    stopped: tuple[Stopped, ...] = ()
    """The steps that were refused because they would have changed a comparison."""
    weaker: frozenset[Rows] = frozenset()
    """The relations that rules keep which had the root's shape, and keep too little for the comparison."""


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


RewritePlace = tuple[object, ...]
"""The key of a node, and of which kind of node it is a part."""


class _MisreadError(Exception):
    """SQLite does not read the query that a rule makes as it stands."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        super().__init__(rule.name)


class _ChangedError(Exception):
    """A rule, or the canonical order, has changed how something is compared."""

    def __init__(self, rule: Rule | None, place: RewritePlace, what: str) -> None:
        self.rule = rule
        self.place = place
        self.stopped = Stopped(rule.name if rule is not None else CANONICAL_ORDER, what)
        super().__init__(what)


@dataclass(slots=True)
class _Refusals:
    """What a normalisation does without, as earlier ones have shown.

    Trees are changed in place: a step that should not have been made costs a normalisation from the start.
    """

    checks: bool
    """Whether steps are checked at all."""
    watched: set[str] = field(default_factory=set)
    """The rules that have changed a comparison: their nodes are noted before they change them."""
    places: set[tuple[str, RewritePlace]] = field(default_factory=set)
    """Rules, each with a node that it is to leave as it is."""
    orders: bool = True
    """Whether the tree is put in canonical order."""
    stopped: list[Stopped] = field(default_factory=list)
    weaker: set[Rows] = field(default_factory=set)
    """See :class:`Normalised`."""

    def learn(self, error: _ChangedError, rules: RuleSet) -> RuleSet:
        """Take in that a step was refused; returns the rules with which to start again."""
        if error.rule is None:
            self.orders = False
        elif error.rule.name not in self.watched:
            self.watched.add(error.rule.name)
            return rules
        else:
            self.places.add((error.rule.name, error.place))
        self.stopped.append(error.stopped)
        mine = sum(name == error.stopped.rule for name, _ in self.places)
        return rules.without(error.rule) if error.rule is not None and mine >= REFUSED_NODES else rules


class _Run:
    """One normalisation: the tree as it stands and what has been done to it."""

    def __init__(
        self,
        root: exp.Expression,
        rules: RuleSet,
        ctx: Context,
        refusals: _Refusals,
        *,
        trace: bool,
        patience: float,
    ) -> None:
        self.root = root
        self.rules = rules
        self.ctx = ctx
        self.refusals = refusals
        self.ways: Ways | None = ways(root, ctx) if refusals.checks else None
        """The comparisons of the tree; None if every one is plain."""
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
        self.nests = len(list(islice(root.find_all(exp.Select), 2))) > 1

    def settle(self) -> None:
        """Apply rules and order until the tree stands still."""
        for _ in range(ROUNDS):
            while self.sweep():
                pass
            if not self.refusals.orders or not self.canonicalise():
                break

    def result(self) -> Normalised:
        """The normal form reached, with facts and steps."""
        steps = tuple(self.steps) if self.trace else ()
        stopped = tuple(self.refusals.stopped)
        weaker = frozenset(self.refusals.weaker)
        return Normalised(self.root, tuple(self.facts), steps, self.under, self.trace, stopped, weaker)

    def sweep(self) -> bool:
        """Apply rules to every node once, children first; whether any fired."""
        before = self.applied
        TREE_MEMO.known, TREE_MEMO.root, TREE_MEMO.ctx = {}, self.root, self.ctx
        try:
            self._sweep()
        finally:
            TREE_MEMO.known, TREE_MEMO.handed, TREE_MEMO.root, TREE_MEMO.ctx = None, None, None, None
        return self.applied > before

    def _sweep(self) -> None:
        for node in reversed(list(self.root.find_all(exp.Expression))):
            if self.applied >= STEP_LIMIT:
                break
            if id(node) not in self.settled and TREE_MEMO.holds(node):
                self._rewrite(node)

    def canonicalise(self) -> bool:
        """Order and name canonically; whether anything moved."""
        self.settled.clear()
        old = self.canonical or key(self.root)
        self.root = canonicalise(self.root, self.ctx)
        self.canonical = key(self.root)
        if self.canonical == old:
            return False
        self._check(None, ())
        self._trace(CANONICAL_ORDER)
        return True

    def _rewrite(self, node: exp.Expression) -> None:
        current: exp.Expression | None = node
        while current is not None and self.applied < STEP_LIMIT:
            new = self._fired(current)
            if new is None:
                self.settled[id(current)] = current
            current = new

    def _fired(self, node: exp.Expression) -> exp.Expression | None:
        """What the first rule that fires on a node makes of it; None if none does."""
        for rule in self.rules.on(type(node)):
            for shape in rule.shape:
                if not shape(node):
                    break
            else:
                new = self._apply(rule, node)
                if new is not None:
                    return new
        return None

    def _apply(self, rule: Rule, node: exp.Expression) -> exp.Expression | None:
        """What a rule makes of a node that has its shape; None if it does not apply."""
        if rule.under is not Rows.LIST:
            if node is not self.root:
                return None
            if not rule.under.implies(self.ctx.rows):
                self.refusals.weaker.add(rule.under)
                return None
        facts: list[Fact] = []
        for need in rule.needs:
            claim = need(node, self.ctx)
            if claim is None:
                return None
            facts += claim
        place: RewritePlace = ()
        if rule.name in self.refusals.watched:
            place = (key(node), type(node.parent).__name__)
            if (rule.name, place) in self.refusals.places:
                return None
        parent, was_root = node.parent, node is self.root
        new = self._built(rule, node)
        if new is None:
            return None
        if was_root:
            self.root = TREE_MEMO.root = new
            new.parent = None
        elif new is not node and node.parent is parent:
            node.replace(new)
        self._record(rule, facts, place)
        return new

    def _built(self, rule: Rule, node: exp.Expression) -> exp.Expression | None:
        """What the body of a rule builds; the tree is another from then on, unless that is nothing."""
        known, TREE_MEMO.known = TREE_MEMO.known, None
        TREE_MEMO.handed = known
        new = rule.body(node, self.ctx)
        TREE_MEMO.known, TREE_MEMO.handed = known if new is None else {}, None
        return new

    def _check(self, rule: Rule | None, place: RewritePlace) -> None:
        """Compare the tree with the one before the last step: its comparisons, and whose its aggregates are.

        Raises:
            _ChangedError: something is compared otherwise, or an aggregate has lost its last own column.
        """
        if not self.refusals.checks:
            return
        if self.nests and any(map(escapes, calls_of_aggregates(self.root))):
            raise _ChangedError(rule, place, "an aggregate that would move to an outer query")
        before, after = self.ways, ways(self.root, self.ctx, whole=self.ways is not None)
        what = change(before, after)
        if what:
            raise _ChangedError(rule, place, what)
        self.ways = None if after is None or is_plain(after) else after

    def _record(self, rule: Rule, facts: Sequence[Fact], place: RewritePlace) -> None:
        self.applied += 1
        self.canonical = None
        self.settled.clear()
        if self.skips and skips_distinct_rows(self.root):
            raise _MisreadError(rule)
        self._check(rule, place)
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
    checks: bool = True,
) -> Normalised:
    """The normal form of a resolved tree, which is left as it is.

    Args:
        tree: a resolved tree (see :mod:`equiv.core.query`).
        rules: the rules to apply.
        ctx: schema, facts and the rows relation of the comparison.
        trace: record every step with the whole query before and after; slower.
        patience: how many characters of queries the trace may print; beyond these the steps are given up.
        checks: refuse a step after which a value is compared under another collation or affinity than before.
    """
    refusals = _Refusals(checks)
    while True:
        run = _Run(tree.copy(), rules, ctx, refusals, trace=trace, patience=patience)
        try:
            run.settle()
        except _MisreadError as error:
            rules = rules.without(error.rule)
        except _ChangedError as error:
            rules = refusals.learn(error, rules)
        else:
            return run.result()
