"""The search through ever larger symbolic tables for one pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from equiv.algebra.terms import Answer
from equiv.algebra.translate.tree import translate
from equiv.algebra.world import World
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.unsupported import UnsupportedError
from equiv.generate.rows.row_combinations import Plan
from equiv.search.cells import Cells
from equiv.search.circuit import TRUE, Circuit, Literal, UncomputedError
from equiv.search.differ import Difference
from equiv.search.model import Solved, solve
from equiv.search.pools import Pools, narrow_pools
from equiv.search.rows import Made
from equiv.search.scale import scaled
from equiv.search.tables import SymbolicTables, columns_bound, columns_computed, columns_read
from equiv.search.values import Values

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
        self._cells = Cells()
        self._nodes = min(MAX_NODES, effort * NODES_PER_EFFORT)
        self._resources = effort * RESOURCES_PER_EFFORT
        self.detail = ""
        self.unsupported = ""
        """The parts of the queries that the search cannot compute on some cells."""
        self.bounded: int | None = None
        """So many rows a table, and no difference over the values of the pools."""

    def models(self) -> Iterator[Made]:
        """Databases on which the encoding says that the possible answers are disjoint, smaller ones first."""
        for factor, answers in scaled(self._answers):
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

    def _pools(self) -> Iterator[tuple[int, Pools]]:
        """Pools of each width, wide ones first; none twice."""
        before: Pools = {}
        for width in WIDTHS:
            pools = narrow_pools(self._plan, self._columns, width)
            if pools != before:
                yield width, pools
            before = pools

    def _built(self, answers: Sequence[Answer], rows: Mapping[str, int], pools: Pools) -> _Problem:
        """The symbolic tables of some size; they take at most half of the nodes that the pair has left."""
        circuit = Circuit(self._nodes // 2)
        try:
            values = Values(circuit, self._cells)
            symbolic = SymbolicTables(self._plan, self._columns, pools, values, self._computed)
            for table, count in rows.items():
                symbolic.add(table, count)
            symbolic.constrain()
            difference = Difference(values, symbolic.tables, self._pair.relation)
            roots = [difference.literal(*answers), *symbolic.rules]
        finally:
            self._nodes -= self._nodes // 2 - max(0, circuit.budget)
        determined = [literal for literal in difference.rules if literal != TRUE]
        return _Problem(circuit, symbolic, roots, determined)

    def _solved(self, problem: _Problem) -> Solved:
        """The solver's answer, for at most half of the resources that the pair has left."""
        solved = solve(problem.circuit, problem.roots, self._resources // 2 + 1)
        self._resources -= min(self._resources, solved.spent)
        return solved
