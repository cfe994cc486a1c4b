"""Typed queries as texts that raise an error where their engine has a choice that shows in the rows.

Where there is none, such a text returns the rows of the query, in whatever order.  What chooses: LIMIT,
OFFSET and DISTINCT ON among rows that are tied; an aggregate or a window function that takes rows in an order
that is not total; and whatever keeps one of several equal values that are not identical, ``1 mon`` and
``30 days`` or ``1.0`` and ``1.00``: MAX, MIN, DISTINCT, GROUP BY and the set operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.bags import is_in_any_order
from equiv.dialects.typed.lowering.build import is_plain
from equiv.dialects.typed.lowering.unknown import is_exact, is_identical
from equiv.dialects.typed.reader import TypedPrinter, direction, way_of
from equiv.dialects.typed.walks import parts_of

_OF_PEERS = frozenset(("rank", "dense_rank", "percent_rank", "cume_dist"))
"""Window functions that give tied rows the same value."""


def _has_equal_values_apart(kind: t.Type) -> bool:
    """Whether a type may have equal values that are not identical."""
    return not (is_exact(kind) or (is_plain(kind) and is_identical(kind)))


class WatchingPrinter(TypedPrinter):
    """Prints a query as one that raises an error where the query has a choice that shows.

    It stands before the printer of an engine.

    Of the rows that come next to each other in the order asked for, those that are tied are *peers*.  Which
    of them are kept, or come first, is a choice only if they do not all show alike.

    Attributes:
        watches: how many clauses are watched.
    """

    shown: ClassVar[str]
    """What is equal of two rows just if nothing distinguishes them; ``{0}`` stands for their values."""
    watches = 0

    def order_of(self, query: t.TypedQuery) -> str:
        """A text that raises an error if rows which ORDER BY leaves tied do not show alike; '' without it."""
        if not query.order:
            return ""
        if isinstance(query, t.Select):
            width = len(query.targets)
            rows = self.query(_beside_keys(query))
            by = [f"c{width + n + 1}" for n in range(len(query.order))]
        else:
            width, by = len(query.names), [f"c{place}" for place, *_ in query.order]
            rows = self.query(query)
        names = _columns(max(width, *(int(each[1:]) for each in by)))
        alike = f"{_count_rows(by)} = {self._count_texts([_columns(width)], by)}"
        return f"SELECT {_raising(alike)} FROM ({rows}) AS r ({names})"

    def item(self, item: t.FromItem) -> str:
        # What a view chooses is watched as well.
        return super().item(replace(item, view="") if isinstance(item, t.DerivedTable) else item)

    def cte(self, cte: t.CommonTable) -> str:
        query = cte.query
        if not cte.recursive or not isinstance(query, t.SetQuery):
            return super().cte(cte)
        body, name = query.body, f"w{cte.number}"
        # A step that has no choice makes the same rows of the same rows.
        if body.all or not any(map(_has_equal_values_apart, body.types)):
            return super().cte(cte)
        if query.ctes:
            raise UnsupportedError("With", "common table expressions of a recursion that merges rows")
        self.watches += 1
        names = _columns(len(body.types))
        # Texts distinguish rows, too: without equal ones that show otherwise, it makes the same.
        first, step = (
            f"SELECT {names}, {self.shown.format(names)} FROM {self.operand(each)} AS q ({names})"
            for each in (body.left, body.right)
        )
        alike = self._all_alike(f"SELECT {names} FROM {name}", len(body.types))
        rows = f"WITH RECURSIVE {name} ({names}, shown) AS ({first} UNION {step}) "
        return f"{name} ({names}) AS ({rows}SELECT {names} FROM {name} WHERE {alike})"

    def select(self, query: t.Select, places: tuple[int, ...] = ()) -> str:
        limit = None if query.limit is None or query.limit.with_ties else query.limit
        if query.limit is not None and query.limit.with_ties and query.limit.offset is not None:
            raise UnsupportedError("Fetch", "WITH TIES together with OFFSET")
        if limit is None and not query.distinct_on:
            return self._told_apart(query, places)
        width, keys = len(query.targets), len(query.order)
        asked = replace(_beside_keys(query, *query.distinct_on), order=(), limit=None, distinct_on=())
        rows, columns = self._told_apart(asked, places), len(asked.targets)
        ways = [way_of(key) for key in query.order]
        if query.distinct_on:
            rows = self._watched(
                rows,
                (width, columns),
                [f"c{width + n + 1}{way}" for n, way in enumerate(ways)],
                [f"c{width + keys + n + 1}" for n in range(len(query.distinct_on))],
                ("1", "0"),
            )
        if limit is not None:
            order = [f"c{width + n + 1}{way}" for n, way in enumerate(ways)]
            rows = self._watched(rows, (width, columns), order, [], self._bounds(limit))
        return f"SELECT {_columns(width)} FROM ({rows}) AS w"

    def _told_apart(self, query: t.Select, places: tuple[int, ...]) -> str:
        """The rows of a query without LIMIT; an error where DISTINCT merges rows that show otherwise."""
        kinds = [each.value.type for each in query.targets]
        if not query.distinct or not any(map(_has_equal_values_apart, kinds)):
            return super().select(query, places)
        if query.limit is not None:
            raise UnsupportedError("Fetch", "WITH TIES of DISTINCT")
        self.watches += 1
        names = _columns(len(kinds))
        rows = super().select(replace(query, distinct=False, order=()), places)
        alike = self._all_alike(f"SELECT {names} FROM l", len(kinds))
        return (
            f"SELECT {names} FROM (WITH l ({names}) AS MATERIALIZED ({rows}) "
            f"SELECT DISTINCT {names} FROM l WHERE {alike}) AS w"
        )

    def further(self, query: t.Select) -> list[str]:
        keys = () if query.group is None else query.group.keys
        merged = [self.expression(key) for key in keys if _has_equal_values_apart(key.type)]
        self.watches += bool(merged)
        checks = [_raising(f"{self._count_texts([key])} <= 1") for key in merged]
        begins = ["HAVING" if query.having is None else "AND", " AND ".join(checks)] if checks else []
        return [*begins, *super().further(query)]

    def compound(self, body: t.Compound) -> str:
        is_kept = body.all and body.operator == "UNION"
        if is_kept or not any(map(_has_equal_values_apart, body.types)):
            return super().compound(body)
        self.watches += 1
        names = _columns(len(body.types))
        word = body.operator + (" ALL" if body.all else "")
        both = f"SELECT {names} FROM l UNION ALL SELECT {names} FROM r"
        return (
            f"SELECT {names} FROM (WITH l ({names}) AS MATERIALIZED ({self.operand(body.left)}), "
            f"r ({names}) AS MATERIALIZED ({self.operand(body.right)}) "
            f"SELECT {names} FROM (SELECT {names} FROM l {word} SELECT {names} FROM r) AS q "
            f"WHERE {self._all_alike(both, len(body.types))}) AS w"
        )

    def compound_query(self, query: t.SetQuery) -> str:
        if query.limit is None:
            return super().compound_query(query)
        if query.limit.with_ties:
            raise UnsupportedError("Fetch", "WITH TIES of a set operation")
        width = len(query.names)
        order = [f"c{place}{direction(down, first)}" for place, down, first in query.order]
        return self._watched(self.compound(query.body), (width, width), order, [], self._bounds(query.limit))

    def aggregate(self, value: t.AggregateCall) -> str:
        shown = super().aggregate(value)
        given = [key.value for key in value.order] if value.ordered_set else list(value.arguments)
        keys = self.keys(value)
        if value.distinct and not set(keys) <= set(given):
            raise UnsupportedError(
                "AggFunc", "DISTINCT with ORDER BY of an expression that is not an argument"
            )
        if value.routine.name in ("max", "min") or is_in_any_order(value):
            keys = given
            if not any(_has_equal_values_apart(each.type) for each in given):
                return shown
            if value.routine.name == "count" or not (value.routine.name in ("max", "min") or value.distinct):
                return shown
        self.watches += 1
        only = self._filter(value.filter)
        by, rows = [self.expression(each) for each in keys], [self.expression(each) for each in given]
        alike = f"{_count_rows(by)}{only} = {self._count_texts(rows, by)}{only}"
        if value.routine.name == "mode":
            # Of values that are as frequent the first in the order is taken.
            last = super().aggregate(replace(value, order=_turned(value.order)))
            alike += f" AND {shown} IS NOT DISTINCT FROM {last}"
        return f"(CASE WHEN {_raising(alike)} THEN {shown} END)"

    def over(self, value: t.Over) -> str:
        shown = super().over(value)
        name = value.routine.name
        if name in _OF_PEERS or (value.frame.unit != "ROWS" and is_in_any_order(value)):
            return shown
        self.watches += 1
        part = f"PARTITION BY {self.listed(value.partition)}" if value.partition else ""
        up, down = (f" {self.order(keys)}" if keys else "" for keys in (value.order, _turned(value.order)))
        # How many different keys a partition has: the places of a key from both ends, which share it.
        keys = f"dense_rank() OVER ({part}{up}) + dense_rank() OVER ({part}{down}) - 1"
        return f"(CASE WHEN {_raising(f'count(*) OVER ({part}) = {keys}')} THEN {shown} END)"

    def nested(self, value: t.NestedQuery) -> str:
        shown, query = super().nested(value), value.query
        if value.form != "array":
            return shown
        if not isinstance(query, t.Select) or query.distinct:
            raise UnsupportedError("Array", "over the rows of a set operation or DISTINCT")
        self.watches += 1
        names = [f"c{n + 1}" for n in range(1 + len(query.order))]
        rows = self.query(_beside_keys(query))
        alike = f"{_count_rows(names[1:])} = {self._count_texts(names[:1], names[1:])}"
        found = f"SELECT {alike} FROM ({rows}) AS r ({', '.join(names)})"
        return f"(CASE WHEN {_raising(f'({found})')} THEN {shown} END)"

    def keys(self, value: t.AggregateCall) -> list[t.Expr]:
        """The values by which an aggregate orders rows, or picks some."""
        return [key.value for key in value.order]

    def _bounds(self, limit: t.Limit) -> tuple[str, str]:
        """How many rows are taken at most, or NULL, and how many are left out before them."""
        for value in (limit.count, limit.offset):
            if any(isinstance(part, t.SourceColumn | t.NestedQuery) for part in parts_of(value)):
                raise UnsupportedError("Limit", "LIMIT or OFFSET computed from rows")
        count = "NULL::bigint" if limit.count is None else self.expression(limit.count)
        return count, "0" if limit.offset is None else f"COALESCE({self.expression(limit.offset)}, 0)"

    def _watched(
        self, rows: str, widths: tuple[int, int], order: list[str], parts: list[str], bounds: tuple[str, str]
    ) -> str:
        """The rows of a text that a clause keeps of each part; an error where it has a choice of them.

        Args:
            rows: the text of a query.
            widths: how many of its columns show, and how many there are, which are called c1, c2 and so on.
            order: the terms by which the rows of a part are sorted.
            parts: the columns that the rows of a part share.
            bounds: how many rows are kept, and how many are left out before them.
        """
        self.watches += 1
        shown, width = widths
        if not shown:
            raise UnsupportedError("Limit", "LIMIT of rows without columns")
        names = _columns(width)
        row = self.shown.format(_columns(shown))
        by = f"PARTITION BY {', '.join(parts)} " if parts else ""
        by += f"ORDER BY {', '.join(order)}" if order else ""
        peers = f"OVER ({by} RANGE BETWEEN CURRENT ROW AND CURRENT ROW)"
        (count, skipped), end = bounds, f"({bounds[1]}) + ({bounds[0]})"
        return (
            f"SELECT {names} FROM (SELECT {names}, row_number() OVER ({by}) AS n, rank() OVER ({by}) AS f, "
            f"rank() OVER ({by}) + count(*) {peers} - 1 AS l, "
            f"min({row}) {peers} = max({row}) {peers} AS a FROM ({rows}) AS r ({names})) AS v "
            f"WHERE CASE WHEN l <= {skipped} OR f > {end} THEN false "
            f"WHEN f > {skipped} AND (l <= {end} OR ({count}) IS NULL) THEN true "
            f"WHEN {_raising('a')} THEN n > {skipped} AND (n <= {end} OR ({count}) IS NULL) END"
        )

    def _count_texts(self, values: Iterable[str], keys: Sequence[str] = ()) -> str:
        """How many rows there are that are not equal by their keys, or do not show alike."""
        return f"count(DISTINCT ROW({', '.join([*keys, self.shown.format(', '.join(values))])}))"

    def _all_alike(self, rows: str, width: int) -> str:
        """A condition that holds if equal rows show alike, and raises an error if not."""
        names = [f"c{n + 1}" for n in range(width)]
        return _raising(
            f"(SELECT {_count_rows(names)} = {self._count_texts(names, names)} FROM ({rows}) AS e)"
        )


def watched_texts(printer: type[WatchingPrinter], typed: t.TypedQuery) -> tuple[str | None, str]:
    """``watched`` and ``watched_order`` of a :class:`~equiv.core.query.Query`, as an engine prints them.

    The first is None if what the query chooses is not known.
    """
    first = printer()
    try:
        text = first.query(typed)
        return text if first.watches else "", printer().order_of(typed)
    except UnsupportedError:
        return None, ""


def _beside_keys(query: t.Select, *further: t.Expr) -> t.Select:
    """A SELECT with columns for the terms of its ORDER BY, and for further ones, behind its own.

    Raises:
        UnsupportedError: DISTINCT would tell apart what it merges.
    """
    keys = (*(each.value for each in query.order), *further)
    # A key that stands beside its column is the same expression, which DISTINCT finds there.
    if query.distinct and not set(keys) <= {each.value for each in query.targets}:
        raise UnsupportedError("Order", "DISTINCT in the order of what is no result column")
    return replace(query, targets=(*query.targets, *(t.ResultColumn(each, "") for each in keys)))


def _turned(order: Iterable[t.SortKey]) -> tuple[t.SortKey, ...]:
    """The keys of the reverse order."""
    return tuple(
        replace(key, descending=not key.descending, nulls_first=not key.nulls_first) for key in order
    )


def _columns(width: int) -> str:
    return ", ".join(f"c{n + 1}" for n in range(width))


def _count_rows(keys: Sequence[str]) -> str:
    """How many rows there are that are not equal; of no keys one, if there is any."""
    return f"count(DISTINCT ROW({', '.join(keys) or '1'}))"


def _raising(condition: str) -> str:
    """A condition that raises an error where it is false; what it says is never unknown."""
    return f"CAST(CASE WHEN {condition} THEN 'true' ELSE 'a choice' END AS BOOLEAN)"
