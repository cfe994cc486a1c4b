"""The rows of an answer of the algebra on a database: the semantics that every rewrite must keep.

Sums of numbers that may round are SQLite's own; everything else is spelt out.  Choices (:class:`Limited`,
:class:`Numbered`, GROUP_CONCAT, which of 1 and 1.0 a merge keeps) are made by a seed: the same for equal rows
at one site, so that copies of a node choose alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from equiv.algebra.rounding import (
    MeaninglessError,
    Row,
    Value,
    exact_number,
    exact_sum,
    is_inexact_sum,
    runs_over,
)
from equiv.algebra.terms import (
    Aggregate,
    Answer,
    Bag,
    Binding,
    Direction,
    Exists,
    Expression,
    First,
    Limited,
    Numbered,
    Scan,
    Source,
    Squash,
    Term,
    conjuncts,
)
from equiv.algebra.values import Environment, Expressions
from equiv.core.model import Schema
from equiv.core.runner import Connection
from equiv.core.single_values import sort_key

__all__ = ["Environment", "Evaluator", "MeaninglessError", "Row", "TooMuchError", "Value"]


class TooMuchError(Exception):
    """A value takes more looking at rows than there is patience for."""


@dataclass
class Evaluator(Expressions):
    """Computes on one database.

    Args:
        tables: the rows of each table, by its name in the schema; each row by column name.
        seed: decides all choices.
        values: those of parameters, by name.
    """

    @staticmethod
    def of(
        connection: Connection,
        schema: Schema,
        seed: int = 0,
        values: Mapping[str, Value] | None = None,
    ) -> Evaluator:
        """An evaluator over the rows that a connection has for the tables of a schema."""
        tables: dict[str, list[Mapping[str, Value]]] = {}
        for table in schema.tables:
            names = [column.name for column in table.columns]
            listed = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
            quoted = table.name.replace('"', '""')
            rows = connection.execute(f'SELECT {listed} FROM "{quoted}"')
            tables[table.name] = [dict(zip(names, row, strict=True)) for row in rows]
        return Evaluator(tables, seed, values or {})

    def begin(self) -> None:
        """Forget what was rounded and how much was looked at."""
        self.rounded, self._looked_at = False, 0

    def answer(self, answer: Answer) -> list[Row]:
        """The rows of a query, in order, visible columns and keys."""
        found = self.ordered(self.bag(answer.bag), answer.visible, answer.directions, -1)
        return _cut(found, answer.limit, answer.offset)

    def rows(self, answer: Answer) -> list[Row]:
        """The rows of a query, in order, visible columns only."""
        return [row[: answer.visible] for row in self.answer(answer)]

    def bag(self, bag: Bag, around: Environment | None = None) -> list[Row]:
        """All rows of a bag, in no order that counts."""
        return list(self.rows_of(bag, around or {}))

    def rows_of(self, bag: Bag, around: Environment) -> Iterator[Row]:
        """The rows of a bag one by one, in no order that counts."""
        for term in bag.terms:
            yield from self.term(term, around)

    def term(self, term: Term, around: Environment) -> Iterator[Row]:
        """The rows of one summand."""
        for environment in self.choices(term.bindings, (term.condition,), around):
            yield tuple(self.value(output, environment) for output in term.outputs)

    def choices(
        self, bindings: Sequence[Binding], conditions: Iterable[Expression], around: Environment
    ) -> Iterator[Environment]:
        """All choices of rows for some variables for which all conditions are true."""
        waiting: list[list[Expression]] = [[] for _ in range(len(bindings) + 1)]
        own = {binding.row: place for place, binding in enumerate(bindings, 1)}
        for part in (part for condition in conditions for part in conjuncts(condition)):
            waiting[max((own.get(row, 0) for row in self.free(part)), default=0)].append(part)
        yield from self._choices(bindings, waiting, dict(around), 0)

    def _choices(
        self, bindings: Sequence[Binding], waiting: list[list[Expression]], around: Environment, place: int
    ) -> Iterator[Environment]:
        self._looked_at += 1
        if self._looked_at > self.patience:
            raise TooMuchError
        if not all(self.truth(part, around) for part in waiting[place]):
            return
        if place == len(bindings):
            yield around
            return
        binding = bindings[place]
        for row in self.source(binding.source, around):
            yield from self._choices(bindings, waiting, around | {binding.row: row}, place + 1)

    def source(self, source: Source, around: Environment) -> Sequence[Mapping[str, Value] | Row]:
        """The rows of a source."""
        match source:
            case Scan(table):
                return self.tables[table]
            case Squash(bag):
                return list(dict.fromkeys(self._shuffled(self.bag(bag, around), -2)))
            case Limited():
                return self.limited(source, around)
            case Numbered():
                return self._numbered(source, around)

    def limited(self, limited: Limited, around: Environment) -> list[Row]:
        """The chosen rows, visible columns only, in order."""
        rows = self.bag(limited.bag, around)
        found = self.ordered(rows, limited.visible, limited.directions, limited.site)
        return [row[: limited.visible] for row in _cut(found, limited.limit, limited.offset)]

    def _numbered(self, numbered: Numbered, around: Environment) -> list[Row]:
        rows = self.bag(numbered.bag, around)
        end = numbered.visible + numbered.partition
        counts: dict[Row, int] = {}
        found = []
        for row in self.ordered(rows, end, numbered.directions, numbered.site):
            part = row[numbered.visible : end]
            counts[part] = counts.get(part, 0) + 1
            found.append((*row[: numbered.visible], counts[part]))
        return found

    def ordered(self, rows: list[Row], start: int, directions: Sequence[Direction], site: int) -> list[Row]:
        """Rows by the keys that start at a column; ties as the site chooses."""
        found = self._shuffled(rows, site)
        for place in reversed(range(len(directions))):
            way = directions[place]
            present = [row for row in found if row[start + place] is not None]
            absent = [row for row in found if row[start + place] is None]
            present.sort(key=lambda row, at=start + place: sort_key(row[at]), reverse=way.descending)  # type: ignore[misc]
            found = absent + present if way.nulls_first else present + absent
        return found

    def _shuffled(self, rows: list[Row], site: int) -> list[Row]:
        """The rows in an order that is fixed by seed, site and the rows themselves."""
        found = sorted(rows, key=repr)
        Random(f"{self.seed} {site} {found!r}").shuffle(found)
        return found

    def on_exists(self, node: Exists, around: Environment) -> Value:
        return int(any(True for term in node.bag.terms for _ in self.term(term, dict(around))))

    def on_aggregate(self, node: Aggregate, around: Environment) -> Value:
        rows = self._shuffled(self.bag(node.bag, around), node.site)
        present = [row[0] for row in rows if row[0] is not None]
        match node.function:
            case "COUNT":
                return len(present)
            case "MIN":
                return min(present, key=sort_key, default=None)
            case "MAX":
                return max(present, key=sort_key, default=None)
            case "LINEAR":
                total = exact_sum(rows, whole=node.whole)
                total_value = int(total) if node.whole else float(total)
                self.rounded |= exact_number(total_value) != total or runs_over(total_value)
                return total_value
        arguments = "v, w" if node.function == "GROUP_CONCAT" else "v"
        result: Value = self._calculator.over(f"{node.function}({arguments})", rows)
        self.rounded |= node.function in ("SUM", "TOTAL", "AVG") and is_inexact_sum(node, rows, result)
        return result

    def on_first(self, node: First, around: Environment) -> Value:
        rows = self.limited(node.rows, around)
        return rows[0][0] if rows else None


Evaluator.ways = {
    **Expressions.ways,
    Exists: Evaluator.on_exists,
    Aggregate: Evaluator.on_aggregate,
    First: Evaluator.on_first,
}


def _cut(rows: list[Row], limit: int | None, offset: int) -> list[Row]:
    return rows[offset:] if limit is None else rows[offset : offset + limit]
