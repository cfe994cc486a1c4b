"""This module evaluates the algebra over symbolic tables: an expression to a value, a bag to guarded rows.

It has a three-valued logic over a circuit.  The logic of :mod:`equiv.smt.logic` is another on purpose: its
formulas are texts for a solver, and these are literals that share a circuit.  A truth value says here when it
is NULL, so that a value that is never NULL costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from equiv.algebra import terms
from equiv.algebra.terms import Bag, Expression, Source, Term, Variable
from equiv.core.query import UnsupportedError
from equiv.search.circuit import FALSE, TRUE, Circuit, Counts, Literal
from equiv.search.folds import Ranking, aggregate
from equiv.search.values import NumberedCells, Symbolic, SymbolicValues


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicRow:
    """A row that is there under a literal; scanned rows have their columns by name, others by position."""

    there: Literal
    fields: Mapping[str | int, Symbolic]


GuardedRows = list[tuple[Literal, tuple[Symbolic, ...]]]
"""The rows of a bag: under which literal each is there, and its outputs."""

RowsAround = Mapping[Variable, SymbolicRow]

_IMPLICIT = {"TEXT": "AS TEXT", "NOCASE": "AS NOCASE", "RTRIM": "AS RTRIM"}
_SHORT = 8


@dataclass
class TableEvaluator:
    """Evaluates over the rows of some tables.

    Args:
        values: over the circuit of the tables.
        tables: the rows of each table.
        backwards: whether free choices fall on the last of the tied rows instead of the first.

    Attributes:
        rules: literals that all hold where no free choice below the top level decides.
    """

    values: SymbolicValues
    tables: Mapping[str, Sequence[SymbolicRow]]
    backwards: bool = False
    rules: list[Literal] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.circuit: Circuit = self.values.circuit
        self.cells: NumberedCells = self.values.cells
        self.counts = Counts(self.circuit)
        self._ranking = Ranking(self.values, self.counts)
        self._free: dict[int, tuple[Variable, ...]] = {}
        self._known: dict[tuple[object, ...], object] = {}
        self._kept: list[object] = []
        """Nodes are known by their address, so they must not go away."""

    def bag(self, bag: Bag, around: RowsAround) -> GuardedRows:
        """The rows of a bag."""
        key = self._key("bag", bag, around)
        if key not in self._known:
            self._known[key] = [row for term in bag.terms for row in self._term(term, around)]
        return self._known[key]  # type: ignore[return-value]

    def value(self, node: Expression, around: RowsAround) -> Symbolic:
        """The value of an expression."""
        match node:
            case terms.Field(row, column):
                return around[row].fields[column]
            case terms.Constant():
                return self.values.constant(self.cells.constant(node))
        key = self._key("value", node, around)
        if key not in self._known:
            self._known[key] = self._compute(node, around)
        return self._known[key]  # type: ignore[return-value]

    def truth(self, node: Expression, around: RowsAround) -> _Truth:
        """The truth value of an expression."""
        key = self._key("truth", node, around)
        if key not in self._known:
            found = self._condition(node, around)
            self._known[key] = found or _as_truth(self.values, self.value(node, around))
        return self._known[key]  # type: ignore[return-value]

    def _key(self, kind: str, node: terms.Node, around: RowsAround) -> tuple[object, ...]:
        free = self._free.get(id(node))
        if free is None:
            free = tuple(sorted(terms.free(node), key=lambda variable: variable.number))
            self._free[id(node)] = free
            self._kept.append(node)
        return (kind, id(node), *(around[variable] for variable in free))

    def _term(self, term: Term, around: RowsAround) -> Iterator[tuple[Literal, tuple[Symbolic, ...]]]:
        stages = _stages(term)
        for held, inner in self._assignments(term, stages, 0, frozenset(), around):
            yield self.circuit.all(held), tuple([self.value(output, inner) for output in term.outputs])

    def _assignments(
        self,
        term: Term,
        stages: Sequence[Sequence[Expression]],
        depth: int,
        held: frozenset[Literal],
        around: RowsAround,
    ) -> Iterator[tuple[frozenset[Literal], RowsAround]]:
        """The choices of rows, each with the set of literals that must hold."""
        self.circuit.spend()
        for condition in stages[depth]:
            held = self._holding(held, self.truth(condition, around).true)
            if FALSE in held:
                return
        if depth == len(term.bindings):
            yield held, around
            return
        binding = term.bindings[depth]
        for row in self._rows(binding.source, around):
            here = self._holding(held, row.there)
            if FALSE not in here:
                yield from self._assignments(term, stages, depth + 1, here, {**around, binding.row: row})

    def _holding(self, held: frozenset[Literal], literal: Literal) -> frozenset[Literal]:
        """Some literals and one more, a short conjunction by its parts; FALSE if they contradict."""
        parts = self.circuit.parts(literal) if literal > TRUE else None
        added = parts if parts is not None and len(parts) <= _SHORT else (literal,)
        if FALSE in added or any(-each in held for each in added):
            return frozenset((FALSE,))
        return held.union(each for each in added if each != TRUE)

    def _rows(self, source: Source, around: RowsAround) -> Sequence[SymbolicRow]:
        if isinstance(source, terms.Scan):
            return self.tables[source.table]
        key = self._key("rows", source, around)
        if key not in self._known:
            guarded = self._derived(source, around)
            self._known[key] = [
                SymbolicRow(there, dict(enumerate(row))) for there, row in guarded if there != FALSE
            ]
        return self._known[key]  # type: ignore[return-value]

    def _derived(self, source: Source, around: RowsAround) -> GuardedRows:
        match source:
            case terms.Squash(bag):
                return self._squashed(self.bag(bag, around))
            case terms.Limited():
                return self._limited(source, around)
            case terms.Numbered(bag, visible, partition, directions):
                rows = self._to_order(bag, around)
                numbers = self._ranking.numbered(rows, visible, partition, directions, self.rules)
                return [(there, (*row[:visible], n)) for (there, row), n in zip(rows, numbers, strict=True)]
        raise UnsupportedError(type(source).__name__, "cannot be read from symbolic rows")

    def _to_order(self, bag: Bag, around: RowsAround) -> GuardedRows:
        """The rows of a bag, so turned that ties fall as they should."""
        rows = [(there, row) for there, row in self.bag(bag, around) if there != FALSE]
        return rows[::-1] if self.backwards else rows

    def _squashed(self, rows: GuardedRows) -> GuardedRows:
        distinct: dict[tuple[Symbolic, ...], list[Literal]] = {}
        for there, row in rows:
            distinct.setdefault(row, []).append(there)
        present = [(self.circuit.any(guards), row) for row, guards in distinct.items()]
        found: GuardedRows = []
        for at, (there, row) in enumerate(present):
            earlier = [self.circuit.both(t, self.values.alike(row, other)) for t, other in present[:at]]
            found.append((self.circuit.both(there, -self.circuit.any(earlier)), row))
        return found

    def _limited(self, node: terms.Limited, around: RowsAround) -> GuardedRows:
        rows = self._to_order(node.bag, around)
        stop = None if node.limit is None else node.offset + node.limit
        window = self._ranking.window(rows, node.visible, node.directions, node.offset, stop)
        self.rules.append(window.determined)
        return [(there, row[: node.visible]) for there, (_, row) in zip(window.there, rows, strict=True)]

    def _compute(self, node: Expression, around: RowsAround) -> Symbolic:
        match node:
            case terms.Apply(function, arguments):
                return self.values.apply(function, self._all(arguments, around))
            case terms.Convert(to, value, explicit):
                # Before a comparison INTEGER and REAL affinity do what NUMERIC does.
                function = f"CAST {to}" if explicit else _IMPLICIT.get(to, "AS NUMERIC")
                argument = self.value(value, around)
                return argument if not explicit and to == "BLOB" else self.values.apply(function, [argument])
            case terms.Case(branches, default):
                return self._case(branches, default, around)
            case terms.Aggregate(function, bag):
                return aggregate(function, self.bag(bag, around), self.values, self.counts)
            case terms.First(rows):
                return self._first(rows, around)
            case terms.Found() | terms.Lookup():
                raise UnsupportedError(type(node).__name__, "cannot be evaluated over symbolic rows")
        condition = self._condition(node, around)
        assert condition is not None
        return _of_truth(self.values, condition)

    def _all(self, nodes: Iterable[Expression], around: RowsAround) -> list[Symbolic]:
        return [self.value(node, around) for node in nodes]

    def _case(
        self, branches: Sequence[tuple[Expression, Expression]], default: Expression, around: RowsAround
    ) -> Symbolic:
        taken = []
        for condition, value in branches:
            holds = self.truth(condition, around).true
            if holds != FALSE:
                taken.append((holds, self.value(value, around)))
            if holds == TRUE:
                return self.values.choice(taken[:-1], taken[-1][1])
        return self.values.choice(taken, self.value(default, around))

    def _first(self, node: terms.Limited, around: RowsAround) -> Symbolic:
        if node.limit is None or node.limit > 1:
            node = replace(node, limit=1)
        rows = [(there, row[0]) for there, row in self._limited(node, around)]
        return self.values.choice(rows, self.values.constant(self.cells.null))

    def _condition(self, node: Expression, around: RowsAround) -> _Truth | None:
        """The truth value of an expression that has no other values; None for others."""
        circuit = self.circuit
        match node:
            case terms.And(parts):
                return _conjunction(circuit, [self.truth(part, around) for part in parts])
            case terms.Or(parts):
                opposites = [_negated(circuit, self.truth(part, around)) for part in parts]
                return _negated(circuit, _conjunction(circuit, opposites))
            case terms.Not(part):
                return _negated(circuit, self.truth(part, around))
            case terms.IsTrue(part):
                return _Truth(self.truth(part, around).true)
            case terms.IsNull(value):
                return _Truth(self.values.null(self.value(value, around)))
            case terms.Exists(bag):
                return _Truth(circuit.any([there for there, _ in self.bag(bag, around)]))
            case terms.Compare(operator, left, right):
                return _compared(self.values, operator, self.value(left, around), self.value(right, around))
        return None


def _stages(term: Term) -> list[list[Expression]]:
    """The conjuncts of a condition by how many variables must be bound before; cheap ones first."""
    place = {binding.row: at for at, binding in enumerate(term.bindings, 1)}
    stages: list[list[Expression]] = [[] for _ in range(len(term.bindings) + 1)]
    nested = []
    for conjunct in term.conjuncts:
        depth = max((place.get(variable, 0) for variable in terms.free(conjunct)), default=0)
        if any(isinstance(node, Bag) for node in terms.walk(conjunct)):
            nested.append((depth, conjunct))
        else:
            stages[depth].append(conjunct)
    for depth, conjunct in nested:
        stages[depth].append(conjunct)
    return stages


@dataclass(frozen=True, slots=True)
class _Truth:
    """A three-valued truth value as two literals: whether it is true, and whether it is NULL."""

    true: Literal
    null: Literal = FALSE


def _as_truth(values: SymbolicValues, value: Symbolic) -> _Truth:
    """A value as a condition."""
    is_true = values.cells.is_true
    true = values.circuit.any([literal for number, literal in value.cases.items() if is_true(number)])
    return _Truth(true, values.null(value))


def _of_truth(values: SymbolicValues, truth: _Truth) -> Symbolic:
    """A truth value as a value: 1, 0 or NULL."""
    cells, false = values.cells, values.circuit.both(-truth.true, -truth.null)
    return values.gather([(cells.one, truth.true), (cells.zero, false), (cells.null, truth.null)])


def _conjunction(circuit: Circuit, parts: Sequence[_Truth]) -> _Truth:
    """AND of some truth values."""
    true = circuit.all([part.true for part in parts])
    possible = circuit.all([circuit.either(part.true, part.null) for part in parts])
    return _Truth(true, circuit.both(possible, -true))


def _negated(circuit: Circuit, part: _Truth) -> _Truth:
    """NOT of a truth value."""
    return _Truth(circuit.both(-part.true, -part.null), part.null)


def _compared(values: SymbolicValues, operator: str, left: Symbolic, right: Symbolic) -> _Truth:
    """A comparison by one of the operators of the algebra: ``=``, ``<``, ``<=``, ``IS``."""
    circuit = values.circuit
    if operator == "IS":
        return _Truth(values.is_(left, right))
    null = circuit.either(values.null(left), values.null(right))
    match operator:
        case "=":
            return _Truth(values.equal(left, right), null)
        case "<":
            return _Truth(values.less(left, right), null)
    # Of two values that are not NULL one sorts before the other, or they are equal.
    return _Truth(circuit.both(-null, -values.less(right, left)), null)
