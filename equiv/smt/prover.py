"""Proof obligations: a claim, hypotheses from facts, and the SMT-LIB script whose unsatisfiability Z3 shows.

Facts (keys, NOT NULL, foreign keys, types, CHECK) are hypotheses about the rows of a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations

import z3

from equiv.algebra import terms as t
from equiv.algebra.kinds import column_kinds
from equiv.algebra.text import lines_of
from equiv.algebra.world import Claim, World
from equiv.core.functions.traits import NUMERIC
from equiv.core.model import Column
from equiv.core.query import UnsupportedError
from equiv.dialects.registry import reference
from equiv.facts import Fact, FactKind
from equiv.names import fold
from equiv.smt import logic as f
from equiv.smt.encoding.expressions import Encoder
from equiv.smt.encoding.values import (
    DerivedRow,
    Encoded,
    EncodedRow,
    LookedUpRow,
    ScannedRow,
    indistinguishable,
    not_distinct,
    same,
)
from equiv.smt.theories import theories
from equiv.verdict import Obligation


@dataclass(frozen=True, slots=True)
class _Broken:
    """When a row breaks a CHECK, over the variable that stands for the row, and the facts that say so."""

    row: t.Variable
    condition: t.Expression
    facts: tuple[Fact, ...]


class CheckReader:
    """Hypotheses from the CHECK facts of a schema; each CHECK is read once."""

    def __init__(self, world: World) -> None:
        self._world = World(world.schema, world.facts, world.names)
        self._broken: dict[Fact, _Broken | None] = {}

    def of(self, row: EncodedRow, encoder: Encoder) -> Iterator[f.Hypothesis]:
        """The hypotheses that no CHECK is false of a row, over the columns that occur in the proof."""
        for fact in encoder.world.facts.of(FactKind.CHECK, row.table):
            if fact not in self._broken:
                self._broken[fact] = self._read(fact)
            broken = self._broken[fact]
            condition = None if broken is None else _about(row, broken.row, broken.condition)
            if broken is not None and condition is not None:
                encoder.world.use((fact, *broken.facts))
                kept = f.implies(row.present, f.not_(encoder.truth(condition).true))
                yield f.Hypothesis(kept, f.HypothesisOrigin.FACT, str(fact))

    def _read(self, fact: Fact) -> _Broken | None:
        from equiv.algebra.translate.query import translate

        world = self._world
        world.used = {}
        query = reference().rows_breaking(fact.expression, world.table(fact.table))
        if query is None:
            return None
        try:
            answer = translate(query, world)
        except (UnsupportedError, RecursionError):
            return None
        if len(answer.bag.terms) != 1:
            return None
        (term,) = answer.bag.terms
        match term.bindings:
            case (binding,) if isinstance(binding.source, t.Scan):
                return _Broken(binding.row, term.condition, tuple(world.used))
        return None


def _about(row: EncodedRow, variable: t.Variable, condition: t.Expression) -> t.Expression | None:
    """The condition for one row; None if it mentions a column that does not occur."""
    names = {each.column for each in t.walk(condition) if isinstance(each, t.Field) and each.row == variable}
    if not all(isinstance(name, str) and fold(name) in row.columns for name in names):
        return None
    match row:
        case ScannedRow():
            return t.substitute(condition, lambda field: t.Field(row.variable, field.column))
        case LookedUpRow():
            return t.substitute(condition, lambda field: _looked_up(row, field))
    return None


def _looked_up(row: LookedUpRow, field: t.Field) -> t.Expression:
    names, values = zip(*row.pairs, strict=True)
    return t.Lookup(row.table, names, values, str(field.column))


MAX_ROWS = 48
"""How many rows one claim may speak of: what is said of each two of them grows with the square."""

_SKOLEM = 1_000_000_000


class RowFacts:
    """States the facts about the rows whose columns or presence occur in a query.

    Rows of one table are the same where they agree on a key; a row that a look-up can find is
    found; a row refers to a row of the parent table; a row of a derived table has rows behind it.
    """

    def __init__(self, encoder: Encoder, checks: CheckReader) -> None:
        self._encoder = encoder
        self._behind: dict[tuple[EncodedRow, int], tuple[list[f.Hypothesis], dict[Fact, None]]] = {}
        self._checks = checks
        self._fresh = 0

    def hypotheses(self, seen: dict[str, f.Symbol]) -> list[f.Hypothesis]:
        """The hypotheses about the rows that occur among some symbols.

        Raises:
            UninterpretableError: there are too many.
        """
        rows = list(dict.fromkeys(s.mark for s in seen.values() if isinstance(s.mark, EncodedRow)))
        if len(rows) > MAX_ROWS:
            raise f.UninterpretableError(f"{len(rows)} rows")
        hypotheses: list[f.Hypothesis] = []
        for row in rows:
            if isinstance(row, DerivedRow):
                hypotheses += self._rows_behind(row)
        tables: dict[str, list[EncodedRow]] = {}
        targets = [row for row in rows if isinstance(row, LookedUpRow)]
        for row in rows:
            if row.table:
                tables.setdefault(fold(row.table), []).append(row)
                hypotheses += self._referring(row, targets)
        for name, group in tables.items():
            hypotheses += self._one_table(name, group, seen)
        return hypotheses

    def _one_table(
        self, table: str, rows: Sequence[EncodedRow], seen: dict[str, f.Symbol]
    ) -> Iterator[f.Hypothesis]:
        for row in rows:
            yield from self._checks.of(row, self._encoder)
            if isinstance(row, LookedUpRow) and row.present != f.FALSE:
                hit = _agree([row.column(c) for c in row.key], row.values)
                yield f.Hypothesis(f.implies(row.present, hit), f.HypothesisOrigin.ROW, row.label)
                for other in rows:
                    if other is not row:
                        hit = _agree([other.column(c) for c in row.key], row.values)
                        formula = f.implies(f.and_(other.present, hit), row.present)
                        yield f.Hypothesis(formula, f.HypothesisOrigin.ROW, row.label)
        for left, right in combinations(rows, 2):
            both = f.and_(left.present, right.present)
            shared = [name for name in _occurring(left, seen) if name in _occurring(right, seen)]
            if shared:
                yield from self._same_row(table, left, right, both, shared)

    def _same_row(
        self, table: str, left: EncodedRow, right: EncodedRow, both: f.Formula, shared: list[str | int]
    ) -> Iterator[f.Hypothesis]:
        facts = {
            tuple(sorted(map(fold, fact.columns))): fact for fact in self._encoder.world.facts.keys(table)
        }
        for key, fact in facts.items():
            # UNIQUE allows several NULLs: rows agree on a key only where no column is NULL.
            agree = self._agree_on(left, right, key)
            if agree == f.FALSE:
                continue
            self._encoder.world.use((fact,))
            alike = [indistinguishable(left.column(c), right.column(c)) for c in shared]
            yield _by_fact(f.implies(f.and_(both, agree), f.and_(*alike)), fact)

    def _agree_on(self, left: EncodedRow, right: EncodedRow, key: Sequence[str]) -> f.Formula:
        """Whether two rows agree on a key as UNIQUE compares them: under the collations of its columns."""
        if isinstance(left, ScannedRow) and isinstance(right, ScannedRow):
            return _agree(*([self._compared(row, name) for name in key] for row in (left, right)))
        return _agree([left.column(c) for c in key], [right.column(c) for c in key])

    def _compared(self, row: ScannedRow, name: str) -> Encoded:
        match self._encoder.world.column(row.table, name):
            case Column(name=column, collation="NOCASE" | "RTRIM" as collation):
                return self._encoder.value(
                    t.Convert(collation, t.Field(row.variable, column), explicit=False)
                )
        return row.column(name)

    def _referring(self, row: EncodedRow, targets: Sequence[LookedUpRow]) -> Iterator[f.Hypothesis]:
        """A row to which another one refers is found, whatever key it is looked up by."""
        world = self._encoder.world
        for fact in world.facts.of(FactKind.INCLUSION, row.table):
            referred = {fold(name): own for name, own in zip(fact.parent_columns, fact.columns, strict=True)}
            for target in targets:
                apt = fact.refers_to(target.table) and referred.keys() >= set(target.key)
                if apt and target.present != f.FALSE and _compares_plainly(fact, self._encoder):
                    world.use((fact,))
                    # A foreign key with a NULL in any column refers to nothing.
                    complete = (f.not_(row.column(name).null) for name in fact.columns)
                    hit = _agree([row.column(referred[name]) for name in target.key], target.values)
                    yield _by_fact(f.implies(f.and_(row.present, *complete, hit), target.present), fact)

    def _rows_behind(self, row: DerivedRow) -> list[f.Hypothesis]:
        key = (row, len(row.columns))
        return self._encoder.remembered(self._behind, key, partial(self._new_rows_behind, row))

    def _new_rows_behind(self, row: DerivedRow) -> list[f.Hypothesis]:
        """The derived table's row comes from rows that make a term's condition true."""
        if isinstance(row.source, t.Scan):
            return []
        terms = row.source.bag.terms
        chosen: list[f.Formula] = []
        behind = []
        for number, term in enumerate(terms):
            choice = row.present
            if len(terms) > 1:
                label = f"{row.label} from term {number}"
                choice = self._encoder.script.declare((row, number), label, (), "Bool")
            chosen.append(choice)
            behind.append(f.implies(choice, self._one_behind(row, term, choice)))
        stated = [f.implies(row.present, f.or_(*chosen)), *behind]
        return [f.Hypothesis(each, f.HypothesisOrigin.ROW, row.label) for each in stated]

    def _one_behind(self, row: DerivedRow, term: t.Term, choice: f.Formula) -> f.Formula:
        encoder = self._encoder
        names: dict[t.Variable, t.Variable] = {}
        for binding in term.bindings:
            self._fresh += 1
            names[binding.row] = t.Variable(_SKOLEM + self._fresh, binding.row.label)
        copy = t.renamed(term, names)
        for binding in copy.bindings:
            encoder.bind(binding, choice)
        visible = getattr(row.source, "visible", len(copy.outputs))
        outputs = [
            not_distinct(row.column(place), encoder.value(output))
            for place, output in enumerate(copy.outputs[:visible])
            if place in row.columns
        ]
        return f.and_(encoder.truth(copy.condition).true, *outputs)


def _by_fact(formula: f.Formula, fact: Fact) -> f.Hypothesis:
    return f.Hypothesis(formula, f.HypothesisOrigin.FACT, str(fact))


def _agree(left: Sequence[Encoded], right: Sequence[Encoded]) -> f.Formula:
    """Whether values are equal one by one, none being NULL."""
    return f.and_(
        *(
            f.and_(f.not_(one.null), f.not_(other.null), same(one, other))
            for one, other in zip(left, right, strict=True)
        )
    )


def _occurring(row: EncodedRow, seen: dict[str, f.Symbol]) -> list[str | int]:
    """The columns of a row that matter in a query."""
    return [
        name
        for name, (value, _) in row.columns.items()
        if any(
            symbol in seen for part in (value.null, value.number, value.rank) for symbol in f.names_in(part)
        )
    ]


def _compares_plainly(fact: Fact, encoder: Encoder) -> bool:
    """Whether a reference is equality of values: no conversion, no collation but BINARY."""
    world = encoder.world
    for child, parent in zip(fact.columns, fact.parent_columns, strict=True):
        try:
            own, above = world.column(fact.table, child), world.column(fact.parent, parent)
        except KeyError:
            return False
        if own.collation.upper() != "BINARY" or above.collation.upper() != "BINARY":
            return False
        classes = [column_kinds(fact.table, child, world), column_kinds(fact.parent, parent, world)]
        alike = own.affinity is above.affinity or all(each <= NUMERIC for each in classes)
        if not alike and not all(each <= {"text", "null"} for each in classes):
            return False
    return True


@dataclass
class Z3Solver:
    """Decides scripts, each once; for the provers of one pair, or of one proof.

    A context costs more than a claim, so that there is one, made when a script comes.  It is not kept for the
    next pair: how many steps a script takes depends on what its context has seen, and verdicts must repeat.
    """

    _decided: dict[tuple[str, int], bool] = field(default_factory=dict)

    @cached_property
    def _context(self) -> z3.Context:
        return z3.Context()

    def refutes(self, script: str, budget: int) -> bool:
        """Whether a script is shown to be unsatisfiable; not if that takes too long, or it is malformed.

        Args:
            script: SMT-LIB declarations, definitions and assertions.
            budget: Z3's resource units.
        """
        asked = script, budget
        if asked not in self._decided:
            self._decided[asked] = self._refutes(script, budget)
        return self._decided[asked]

    def _refutes(self, script: str, budget: int) -> bool:
        solver = z3.SimpleSolver(ctx=self._context)
        solver.set("rlimit", budget)
        try:
            solver.from_string(script)
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False


UNITS_PER_EFFORT = 1_000
"""Z3's resource units for one claim, for each unit of effort: repeatable, unlike time."""

LEAST_EFFORT, MOST_EFFORT = 60, 3_000
"""Less effort than the one, and more than the other, change nothing for a claim."""

BUDGET = 300_000
"""The units for a claim that nobody chose an effort for."""


def budget_for(effort: int) -> int:
    """The resource units for one claim under an effort, which is a number of databases."""
    return UNITS_PER_EFFORT * min(max(effort, LEAST_EFFORT), MOST_EFFORT)


_STEPS = 100
"""A claim that is put to Z3 counts as so many steps of the algebra."""

_ROUNDS = 3
"""How often what is known about new symbols is asked for."""


@dataclass
class _Known:
    """The state that provers of one world share: the solver, CHECKs read, claims decided so far."""

    checks: CheckReader
    solver: Z3Solver
    answers: dict[Claim, tuple[bool, tuple[Fact, ...], Obligation | None]] = field(default_factory=dict)
    integers: dict[t.Expression, frozenset[int]] = field(default_factory=dict)


class Z3Prover:
    """Proves claims by asking Z3 for a counter-example; what it proves is kept as obligations.

    Args:
        world: schema and facts; facts that were used and claims that were proved are recorded there.
        budget: Z3's resource units for one claim.
        without: axioms that are not to be used.
        known: what another prover of the same schema, facts and names has decided.
        solver: decides what is left; by default, one of its own.
    """

    def __init__(
        self,
        world: World,
        budget: int = BUDGET,
        without: frozenset[f.Axiom] = frozenset(),
        known: _Known | None = None,
        solver: Z3Solver | None = None,
    ) -> None:
        self._world = world
        self._budget = budget
        self._without = without
        self._known = known or _Known(CheckReader(world), solver or Z3Solver())
        self._relied: dict[Claim, Obligation] = {}

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """The claims that a solver had to show, in the order in which they were first asked."""
        return tuple(self._relied.values())

    def within(self, world: World) -> Z3Prover:
        """See :class:`equiv.algebra.world.RecordingProver`."""
        return Z3Prover(world, self._budget, self._without, self._known)

    def proves(self, claim: Claim) -> bool:
        """See :class:`equiv.algebra.world.Prover`.

        Raises:
            InconsistentError: what holds of all rows contradicts itself, so that it would prove anything.
        """
        conditions = tuple(dict.fromkeys(part for each in claim.given for part in t.conjuncts(each)))
        lemmas = tuple(dict.fromkeys(part for each in claim.lemmas for part in t.conjuncts(each)))
        known = {*conditions, *lemmas}
        if t.FALSE in known or all(part in known for part in t.conjuncts(claim.goal)):
            return True
        asked = Claim(claim.rows, conditions, claim.goal, lemmas)
        if asked not in self._known.answers:
            self._known.answers[asked] = self._decide(asked)
        proved, used, obligation = self._known.answers[asked]
        self._world.use(used)
        if obligation is not None:
            self._relied.setdefault(asked, obligation)
        return proved

    def _decide(self, claim: Claim) -> tuple[bool, tuple[Fact, ...], Obligation | None]:
        self._world.meter.tick(_STEPS)
        encoder = Encoder(self._world, claim.rows)
        try:
            seen, stated = self._hypotheses(claim, encoder)
            goal = f.Hypothesis(f.not_(encoder.truth(claim.goal).true), f.HypothesisOrigin.GOAL)
        except (f.UninterpretableError, RecursionError):
            return False, (), None
        if not self._is_unsatisfiable(seen, [*stated, goal]):
            return False, (), None
        is_empty = claim.goal == t.FALSE or self._is_unsatisfiable(seen, stated)
        if is_empty:
            self._require_consistency(seen, stated)
        used = tuple(encoder.world.used)
        asserted = [*stated, goal]
        script = _body(seen, asserted)
        self._world.state("solver", claim)
        return True, used, _obligation(claim, asserted, used, script, is_empty=is_empty)

    def _require_consistency(self, seen: dict[str, f.Symbol], stated: list[f.Hypothesis]) -> None:
        """Conditions may contradict each other or a source: there are no such rows.  The rest may not."""
        always = [each for each in stated if each.origin in f.UNIVERSAL]
        if self._is_unsatisfiable(seen, always):
            names = ", ".join(sorted({each.label for each in always}))
            why = f"the assumptions about all rows contradict each other: {names}"
            facts = [each for each in always if each.origin is f.HypothesisOrigin.FACT]
            is_written = any(each.label.startswith(f"fact {FactKind.CHECK}(") for each in facts)
            if is_written and self._is_unsatisfiable(seen, facts):
                raise f.ContradictionError(why)
            raise f.InconsistentError(why)

    def _hypotheses(self, claim: Claim, encoder: Encoder) -> tuple[dict[str, f.Symbol], list[f.Hypothesis]]:
        """The symbols of a claim, and all that may be assumed of them."""
        goal = encoder.truth(claim.goal).true
        stated = [
            f.Hypothesis(encoder.truth(each).true, f.HypothesisOrigin.CONDITION) for each in claim.given
        ]
        stated += [f.Hypothesis(encoder.truth(each).true, f.HypothesisOrigin.LEMMA) for each in claim.lemmas]
        parts = (claim.goal, *claim.given, *claim.lemmas)
        numbers = sorted(set().union(*map(self._integers_in, parts)))
        rows = RowFacts(encoder, self._known.checks)
        asserted: dict[str, f.Hypothesis] = {}
        without = {which.name.lower() for which in self._without}

        def add(more: list[f.Hypothesis]) -> list[str]:
            new = []
            for each in more:
                if each.formula not in asserted and each.name not in without:
                    asserted[each.formula] = each
                    new.append(each.formula)
            return new

        seen: dict[str, f.Symbol] = {}
        new = [goal, *add(stated)]
        for _ in range(_ROUNDS):
            own = add(encoder.script.needed(new, seen))
            while own:
                own = add(encoder.script.needed(own, seen))
            new = add([*rows.hypotheses(seen), *theories(encoder, seen, numbers)])
            if not new:
                break
        encoder.script.needed(new, seen)
        return seen, [each for each in asserted.values() if each.formula != f.TRUE]

    def _integers_in(self, node: t.Expression) -> frozenset[int]:
        found = self._known.integers.get(node)
        if found is None:
            found = frozenset(_integers_compared(node))
            self._known.integers[node] = found
        return found

    def _is_unsatisfiable(self, seen: dict[str, f.Symbol], asserted: list[f.Hypothesis]) -> bool:
        return self._known.solver.refutes(_body(seen, asserted), self._budget)


def _integers_compared(node: t.Node) -> Iterator[int]:
    """The integer literals below a node, less the places that SUBSTR takes."""
    match node:
        case t.Constant("integer", text):
            yield int(text)
        case t.Apply("SUBSTR", (text, *_)):
            yield from _integers_compared(text)
        case _:
            for each in t.children(node):
                yield from _integers_compared(each)


def _body(seen: dict[str, f.Symbol], asserted: Iterable[f.Hypothesis]) -> str:
    """Declarations, definitions and assertions."""
    return "\n".join(f.text_of(seen, asserted))


def _obligation(
    claim: Claim,
    asserted: Iterable[f.Hypothesis],
    facts: Iterable[Fact],
    script: str,
    *,
    is_empty: bool,
) -> Obligation:
    """An obligation from its parts.

    Args:
        claim: what was proved.
        asserted: all that the solver was told.
        facts: those that the script rests on, in what it asserts and in how it writes values.
        script: the same as SMT-LIB.
        is_empty: whether the conditions are never true, so that the claim says nothing but that.
    """
    told = Counter(each.label for each in asserted if each.origin in f.UNIVERSAL)
    names = [f"{f.HypothesisOrigin.FACT} {fact!s}" for fact in facts]
    for name in names:
        told.setdefault(name, 1)
    before, then = lines_of(claim)
    lines = [
        *before,
        *(f"by {label}" + (f", {times} times" if times > 1 else "") for label, times in told.items()),
        then,
        *(["because there are no such rows"] if is_empty else []),
    ]
    rests = "".join(f"; rests on {' '.join(name.split())}\n" for name in names)
    return Obligation("\n".join(lines), f"(set-logic ALL)\n{rests}{script}\n(check-sat)\n")
