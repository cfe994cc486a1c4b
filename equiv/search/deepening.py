"""This module has the search through ever larger symbolic tables for one pair.

:class:`TableSearch` builds a circuit that is true if the possible answers of the two queries are disjoint,
and :func:`solve` asks Z3's SAT solver for a model of it.  Where that finds nothing, LIMITs and counts of the
queries are divided by a factor, so that a few rows stand for many: ``COUNT(*) > 15`` needs sixteen rows where
``COUNT(*) > 3`` needs four; if every row of one table is then there five times, every count of its rows is
five times as large, and the thresholds are met as before.  Replay on the queries themselves decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations
from math import gcd
from typing import Literal as OneOf

import z3

from equiv.algebra import terms
from equiv.algebra.terms import Aggregate, Answer, Compare, Constant, Field, Limited, Node
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.query import UnsupportedError
from equiv.generate.templates import Plan
from equiv.relation import Columns, Relation, Rows
from equiv.search.circuit import FALSE, TRUE, Circuit, Counts, Literal, UncomputedError, dimacs
from equiv.search.evaluate import SymbolicRow, TableEvaluator
from equiv.search.folds import CutRows, Ranking
from equiv.search.tables import (
    CellPools,
    Made,
    SymbolicTables,
    columns_bound,
    columns_computed,
    columns_read,
    narrow_pools,
)
from equiv.search.values import NumberedCells, Symbolic, SymbolicValues

NODES_PER_EFFORT = 700
"""How many nodes the circuits of a pair may have in all, for each unit of effort."""

MAX_NODES = 1_500_000
RESOURCES_PER_EFFORT = 8_000
"""How many resource units Z3 may use for a pair in all, for each unit of effort."""

WIDTHS = (14, 8, 5, 3)
"""How many cells a pool has; narrower ones are tried where wide ones take too long."""

MAX_ROWS = 6
"""How many free rows a table has at most."""

_MAX_SCALED_ROWS = 3

_EASIER = 0.8
"""After the solver gave up, only circuits that are this much smaller are tried at the same size."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """A question to the solver."""

    circuit: Circuit
    symbolic: SymbolicTables
    roots: list[Literal]
    determined: list[Literal]
    """Further constraints under which no free choice below the top level decides."""


class TableSearch:
    """One pair's search.

    Raises:
        UnsupportedError: the algebra cannot express a query.
    """

    def __init__(self, pair: Pair, plan: Plan, effort: int) -> None:
        assert pair.pred.tree is not None
        assert pair.gold.tree is not None
        self._pair = pair
        self._plan = plan
        world = World(pair.schema, pair.facts)
        self._answers = translate(pair.pred.tree, world), translate(pair.gold.tree, world)
        read = columns_read(self._answers)
        self._columns = columns_bound(read, plan)
        self._computed = columns_computed(read, plan)
        self._cells = NumberedCells()
        self._nodes = min(MAX_NODES, effort * NODES_PER_EFFORT)
        self._resources = effort * RESOURCES_PER_EFFORT
        self.detail = ""
        self.unsupported = ""
        """The parts of the queries that the search cannot compute on some cells."""
        self.bounded: int | None = None
        """So many rows a table, and no difference over the values of the pools."""

    def models(self) -> Iterator[Made]:
        """Databases on which the encoding says that the possible answers are disjoint, smaller ones first."""
        for factor, answers in _scaled(self._answers):
            yield from (Made(rows, factor) for rows in self._rows(answers, _MAX_SCALED_ROWS))
        self.detail, self.unsupported, self.bounded = "", "", None
        yield from map(Made, self._rows(self._answers, MAX_ROWS))

    def _rows(self, answers: Sequence[Answer], most: int) -> Iterator[Mapping[str, list[dict[str, Cell]]]]:
        for rows in self._sizes(most):
            settled = False
            hard = MAX_NODES
            for width, pools in self._pools():
                try:
                    problem = self._built(answers, rows, pools)
                except UncomputedError as reason:
                    self.detail = self.detail or f"{reason} at {max(rows.values())} rows"
                    continue
                except UnsupportedError as reason:
                    self.unsupported = str(reason)
                    continue
                if len(problem.circuit) > _EASIER * hard:
                    continue
                solved = self._solved(problem)
                if solved.status == "unknown":
                    hard = len(problem.circuit)
                    continue
                if solved.status == "model":
                    yield problem.symbolic.database(solved.model)
                    yield from self._determined(problem)
                elif width == WIDTHS[0]:
                    self._note(rows)
                settled = True
                break
            if not settled:
                break

    def _determined(self, problem: _Problem) -> Iterator[Mapping[str, list[dict[str, Cell]]]]:
        """Where a model did not replay: one on which no free choice below the top level decides."""
        if problem.determined:
            solved = self._solved(replace(problem, roots=[*problem.roots, *problem.determined]))
            if solved.status == "model":
                yield problem.symbolic.database(solved.model)

    def _note(self, rows: Mapping[str, int]) -> None:
        """Keep how many rows every table had where no database was found."""
        fewest = min(rows.values(), default=0)
        if fewest == (self.bounded or 0) + 1:
            self.bounded = fewest

    def _sizes(self, most: int) -> Iterator[dict[str, int]]:
        """How many free rows each table has: ever more, tables that others refer to lagging behind."""
        tables = self._columns
        parents = {r.parent for table in tables for r in self._plan.specs[table].references}
        for rows in range(1, most + 1):
            yield dict.fromkeys(tables, rows)
            more = {table: rows + (table not in parents) for table in tables}
            if rows > 1 and len(set(more.values())) > 1:
                yield more

    def _pools(self) -> Iterator[tuple[int, CellPools]]:
        """Pools of each width, wide ones first; none twice."""
        before: CellPools = {}
        for width in WIDTHS:
            pools = narrow_pools(self._plan, self._columns, width)
            if pools != before:
                yield width, pools
            before = pools

    def _built(self, answers: Sequence[Answer], rows: Mapping[str, int], pools: CellPools) -> _Problem:
        """The symbolic tables of some size; they take at most half of the nodes that the pair has left."""
        circuit = Circuit(self._nodes // 2)
        try:
            values = SymbolicValues(circuit, self._cells)
            symbolic = SymbolicTables(self._plan, self._columns, pools, values, self._computed)
            for table, count in rows.items():
                symbolic.add(table, count)
            symbolic.constrain()
            difference = _Difference(values, symbolic.tables, self._pair.relation)
            roots = [difference.literal(*answers), *symbolic.rules]
        finally:
            self._nodes -= self._nodes // 2 - max(0, circuit.budget)
        determined = [literal for literal in difference.rules if literal != TRUE]
        return _Problem(circuit, symbolic, roots, determined)

    def _solved(self, problem: _Problem) -> _Solved:
        """The solver's answer, for at most half of the resources that the pair has left."""
        solved = solve(problem.circuit, problem.roots, self._resources // 2 + 1)
        self._resources -= min(self._resources, solved.spent)
        return solved


_MAX_PERMUTATIONS = 24
"""How many permutations of columns a difference is asked to hold under; replay looks at the others."""

_Row = tuple[Symbolic, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One query's rows, cut by its LIMIT."""

    answer: Answer
    rows: list[tuple[Literal, _Row]]
    """With their keys, before the cut."""
    visible: list[_Row]
    window: CutRows

    @property
    def is_cut(self) -> bool:
        return self.window.there is not self.window.certain


class _Difference:
    """Compares two answers under a relation."""

    def __init__(
        self, values: SymbolicValues, tables: Mapping[str, Sequence[SymbolicRow]], relation: Relation
    ) -> None:
        self._values = values
        self._circuit = values.circuit
        self._counts = Counts(values.circuit)
        self._ranking = Ranking(values, self._counts)
        self._evaluators = [TableEvaluator(values, tables, backwards) for backwards in (False, True)]
        self._relation = relation

    def literal(self, pred: Answer, gold: Answer) -> Literal:
        """Whether the answers differ, also where free choices fall on the last of tied rows, not the first.

        Among three tied rows that is not every choice: replay looks at the others.
        """
        lefts, rights = (self._sides(answer) for answer in (pred, gold))
        return self._circuit.all([self._differ(left, right) for left in lefts for right in rights])

    @property
    def rules(self) -> list[Literal]:
        """The constraints under which no free choice below the top level decides."""
        return [literal for evaluator in self._evaluators for literal in evaluator.rules]

    def _sides(self, answer: Answer) -> list[_Side]:
        ways = self._evaluators if terms.sites(answer) else self._evaluators[:1]
        return [self._side(answer, evaluator) for evaluator in ways]

    def _differ(self, left: _Side, right: _Side) -> Literal:
        if self._relation.columns is Columns.ORDERED:
            return self._apart(left, right)
        orders = islice(permutations(range(right.answer.visible)), _MAX_PERMUTATIONS)
        turned = ([tuple(row[at] for at in order) for row in right.visible] for order in orders)
        return self._circuit.all([self._apart(left, replace(right, visible=rows)) for rows in turned])

    def _side(self, answer: Answer, evaluator: TableEvaluator) -> _Side:
        found = evaluator.bag(answer.bag, {})
        rows = [(there, row) for there, row in found if there != FALSE]
        stop = None if answer.limit is None else answer.offset + answer.limit
        window = self._ranking.window(rows, answer.visible, answer.directions, answer.offset, stop)
        return _Side(answer, rows, [row[: answer.visible] for _, row in rows], window)

    def _apart(self, left: _Side, right: _Side) -> Literal:
        circuit = self._circuit
        both = circuit.both(left.window.determined, right.window.determined)
        parts = [circuit.both(both, self._unequal(left, left.window.there, right, right.window.there))]
        if left.is_cut or right.is_cut:
            parts.append(self._unequal(left, left.window.certain, right, right.window.possible))
            parts.append(self._unequal(right, right.window.certain, left, left.window.possible))
        if self._relation.rows is not Rows.SET:
            more = self._counts.more
            parts.append(more(left.window.there, right.window.there))
            parts.append(more(right.window.there, left.window.there))
        elif not (left.is_cut or right.is_cut):
            parts.append(self._unequal(right, right.window.there, left, left.window.there))
        else:
            parts.append(
                circuit.both(both, self._unequal(right, right.window.there, left, left.window.there))
            )
        if self._relation.rows is Rows.LIST:
            parts.append(self._misplaced(left, right))
        return circuit.any(parts)

    def _unequal(
        self, left: _Side, taken: Sequence[Literal], right: _Side, matched: Sequence[Literal]
    ) -> Literal:
        """Whether the left side has a row more often than the right one; for sets, one that it lacks."""
        circuit = self._circuit
        mine, yours = self._grouped(left, taken), self._grouped(right, matched)
        literals = []
        for row in mine:
            there = circuit.any(mine[row])
            theirs = list(self._copies(row, yours))
            if self._relation.rows is Rows.SET:
                literals.append(circuit.both(there, -circuit.any(theirs)))
            else:
                more = self._counts.more(list(self._copies(row, mine)), theirs)
                literals.append(circuit.both(there, more))
        return circuit.any(literals)

    def _grouped(self, side: _Side, taken: Sequence[Literal]) -> dict[_Row, list[Literal]]:
        """The literals of rows by what they hold: rows with the very same values are compared once."""
        found: dict[_Row, list[Literal]] = {}
        for row, there in zip(side.visible, taken, strict=True):
            if there != FALSE:
                found.setdefault(row, []).append(there)
        return found

    def _copies(self, row: _Row, rows: dict[_Row, list[Literal]]) -> Iterator[Literal]:
        for other, guards in rows.items():
            self._circuit.spend()
            same = self._values.alike(row, other)
            if same != FALSE:
                yield from (self._circuit.both(there, same) for there in guards)

    def _misplaced(self, left: _Side, right: _Side) -> Literal:
        """Whether some position holds different rows, neither of which may stand elsewhere."""
        circuit = self._circuit
        mine, yours = self._placed(left), self._placed(right)
        found = []
        for position in set(mine) & set(yours):
            for there, row in mine[position]:
                for other_there, other in yours[position]:
                    both = circuit.both(there, other_there)
                    found.append(circuit.both(both, -self._values.alike(row, other)))
        return circuit.any(found)

    def _placed(self, side: _Side) -> dict[int, list[tuple[Literal, _Row]]]:
        answer = side.answer
        positions = self._ranking.positions(side.rows, answer.visible, answer.directions)
        found: dict[int, list[tuple[Literal, _Row]]] = {}
        for (there, _), row, (exact, fixed) in zip(side.rows, side.visible, positions, strict=True):
            for position, literal in enumerate(exact):
                at = position - answer.offset
                here = self._circuit.all([there, fixed, literal])
                if here != FALSE and at >= 0 and (answer.limit is None or at < answer.limit):
                    found.setdefault(at, []).append((here, row))
        return found


@dataclass(frozen=True, slots=True)
class _Solved:
    """The solver's answer: a model (the set of its true variables), none, or unknown in the time given."""

    status: OneOf["model", "none", "unknown"]
    model: frozenset[Literal] = frozenset()
    spent: int = 0
    """Resource units of Z3 that were used."""


def solve(circuit: Circuit, roots: Iterable[Literal], rlimit: int) -> _Solved:
    """A model in which all roots hold, sought within a number of Z3's resource units, so that runs repeat."""
    text = dimacs(circuit, roots)
    if not text:
        return _Solved("none")
    solver = z3.SolverFor("QF_FD")
    solver.set("rlimit", rlimit)
    solver.from_string(text)
    before = _used(solver)
    answer = solver.check()
    spent = _used(solver) - before
    if answer != z3.sat:
        return _Solved("none" if answer == z3.unsat else "unknown", spent=spent)
    model = solver.model()
    true = (int(each.name().removeprefix("k!")) for each in model.decls() if z3.is_true(model[each]))
    return _Solved("model", frozenset(true), spent)


def _used(solver: z3.Solver) -> int:
    """The resource units that were used in this process so far."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


_SMALLEST = 4
"""Sizes below this need no help."""

_LARGEST = 2_000
"""Sizes above this make databases that are too large."""


def _scaled(answers: Sequence[Answer]) -> Iterator[tuple[int, tuple[Answer, ...]]]:
    """Factors, larger ones first, and the answers with all sizes divided by them; none if none is large."""
    sizes = {size for answer in answers for size in _sizes(answer)}
    common = gcd(*sizes)
    if not sizes or max(sizes) > _LARGEST or common < 2:
        return
    for factor in dict.fromkeys((common, common // 2 if common % 2 == 0 else common)):
        if factor > 1:
            yield factor, tuple(_divided(answer, factor) for answer in answers)


def _sizes(answer: Answer) -> Iterator[int]:
    for node in terms.walk(answer):
        match node:
            case Compare(left=left, right=right):
                sides = ((left, right), (right, left))
                yield from (int(b.text) for a, b in sides if _counts(a) and _is_size(b))  # type: ignore[union-attr]
            case Limited(limit=limit, offset=offset) | Answer(limit=limit, offset=offset):
                yield from (size for size in (limit, offset) if size is not None and size >= _SMALLEST)


def _counts(node: Node) -> bool:
    """Whether a value may be a count: it has one inside, or is a column of a derived table."""
    if isinstance(node, Field):
        return isinstance(node.column, int)
    return isinstance(node, Aggregate) and node.function == "COUNT"


def _is_size(node: Node) -> bool:
    return isinstance(node, Constant) and node.kind == "integer" and int(node.text) >= _SMALLEST


def _divided(answer: Answer, factor: int) -> Answer:
    def divided(node: Node) -> Node:
        node = terms.map_children(node, divided)
        match node:
            case Compare(left=left, right=right) if _counts(left) and _is_size(right):
                return replace(node, right=_less(right, factor))
            case Compare(left=left, right=right) if _counts(right) and _is_size(left):
                return replace(node, left=_less(left, factor))
            case Limited(limit=limit, offset=offset) | Answer(limit=limit, offset=offset):
                cut = limit // factor if limit is not None and limit >= _SMALLEST else limit
                return replace(node, limit=cut, offset=offset // factor if offset >= _SMALLEST else offset)
        return node

    smaller = divided(answer)
    assert isinstance(smaller, Answer)
    return smaller


def _less(size: Node, factor: int) -> Constant:
    assert isinstance(size, Constant)
    return terms.integer(int(size.text) // factor)
