"""Excerpts of a populated database: some of its rows, as they are, with those that they demand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from time import thread_time
from typing import cast

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.printing import to_sql
from equiv.core.reading.goals import Goal, Leaf, conjuncts
from equiv.core.runner import Guarded, Limits, Result
from equiv.facts import FactKind
from equiv.generate.database import Database, Link
from equiv.graphs import depth_first_postorder, grouped_by
from equiv.names import fold, folded, quoted

MOST_ROWS = 20_000
"""No excerpt has more rows."""

_SECONDS = 2.0
"""How long rows may be looked for in all, in seconds of the processor."""

_CAPS = Limits(seconds=_SECONDS, rows=200_000, bytes=64 * 1024 * 1024)

_KEYS_AT_ONCE = 200
"""So many values are looked for by one query."""


@dataclass
class Excerpt:
    """An excerpt of a populated database: rows that bear on the difference between two results of a pair.

    These are rows that meet a query's conditions on one table, rows that hold values of the differing rows of
    the results, and the first rows; then rows that join these, and those that foreign keys demand.  Rows with
    a NULL, which may lie anywhere, are looked for where those do not show the difference.
    """

    pair: Pair
    core: Guarded
    telling: list[Row]
    """Rows of the results that differ."""
    _kept: dict[str, dict[tuple[Cell, ...], None]] = field(default_factory=dict)
    """By table its rows, each after its number in a table that may hold one twice."""
    _exhausted: set[tuple[str, str, tuple[Cell, ...]]] = field(default_factory=set)
    """What has been asked of a table, and gave all the rows there are."""
    _seconds: float = _SECONDS
    """What is left to find rows in."""

    def grown(self, number: int) -> Database | None:
        """The excerpt with so many rows of a table for each reason; None if that is too much."""
        reading, grows = self.pair.reading, bool(self._kept)
        for slot, name in enumerate(reading.slots.tables):
            alias = f"s{slot}"
            values = dict.fromkeys(cell for row in self.telling for cell in row if cell is not None)
            marks = ", ".join("?" * len(values))
            named = [f"({alias}.{quoted(each)} IN ({marks}))" for each in reading.mentioned.get(name, ())]
            for goals in dict.fromkeys(reading.goals):
                own = (
                    " AND ".join(
                        f"({to_sql(cast(exp.Expression, leaf.node))})" for leaf in _of_slot(slot, goals)
                    )
                    or "1"
                )
                self._take(name, own, (), number, alias)
                if values and named:
                    told = f"{own} AND ({' OR '.join(named)}) ORDER BY {' + '.join(named)} DESC"
                    self._take(name, told, [*values] * (2 * len(named)), number, alias)
            self._take(name, "1", (), number, alias)
            for column in reading.mentioned.get(name, ()) if grows else ():
                if self.pair.facts.not_null(name, column) is None:
                    self._take(name, f"{alias}.{quoted(column)} IS NULL", (), number, alias)
        joined = [
            link
            for one, other in dict.fromkeys(reading.equal)
            for link in ((one[0], one[1:], other[0], other[1:]), (other[0], other[1:], one[0], one[1:]))
        ]
        for _ in range(2):
            for link in joined:
                self._follow(link, number)
        for _ in self.pair.schema.tables:
            followed = [self._follow(link) for link in demands(self.pair)]
            if not any(followed):
                break
        database = self._database()
        return database if self._seconds > 0 and database.size <= MOST_ROWS else None

    def _follow(self, link: Link, number: int = MOST_ROWS) -> bool:
        """Take the rows that a link leads to; whether there are new ones."""
        name, columns, other, others = link
        kept, width = self._kept.get(name, {}), len(self._columns(name))
        if not {*columns} <= {*self._columns(name)} or not {*others} <= {*self._columns(other)}:
            return False
        places = [self._columns(name).index(column) - width for column in columns]
        sought = dict.fromkeys(tuple(row[at] for at in places) for row in kept)
        keys = [key for key in sought if None not in key]
        before = len(self._kept.get(other, ()))
        named = ", ".join(f"t.{quoted(column)}" for column in others)
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            some = keys[start : start + _KEYS_AT_ONCE]
            marks = ", ".join(f"({', '.join('?' * len(columns))})" for _ in some)
            self._take(
                other, f"({named}) IN (VALUES {marks})", [cell for key in some for cell in key], number
            )
        return len(self._kept.get(other, ())) > before

    def _columns(self, name: str) -> list[str]:
        """The columns of a table that are stored."""
        table = self.pair.schema.table(name)
        return [column.name for column in table.columns if not column.generated] if table else []

    def _take(self, name: str, where: str, values: Sequence[Cell], number: int, alias: str = "t") -> None:
        """Take so many rows of a table that meet a condition."""
        table = self.pair.schema.table(name)
        asked = name, where, tuple(values)
        if table is None or self._seconds <= 0 or asked in self._exhausted:
            return
        columns = [f"{alias}.{quoted(column)}" for column in self._columns(name)]
        if not table.primary_key and not table.without_rowid:
            columns.insert(0, f"{alias}._rowid_")
        sql = f"SELECT {', '.join(columns)} FROM {quoted(name)} AS {alias} WHERE {where} LIMIT {number}"
        began = thread_time()
        found = self.core.run(sql, replace(_CAPS, seconds=self._seconds), values)
        self._seconds -= thread_time() - began
        if isinstance(found, Result):
            self._kept.setdefault(table.name, {}).update(dict.fromkeys(found.rows))
            if len(found.rows) < number:
                self._exhausted.add(asked)
        elif found.kind == "timeout":
            self._seconds = 0

    def _database(self) -> Database:
        """What has been taken, the rows that others refer to first."""
        parents = grouped_by(itemgetter(0), demands(self.pair))
        order = depth_first_postorder(
            self._kept, lambda name: [link[2] for link in parents.get(name, ()) if link[2] in self._kept]
        )
        widths = {name: len(self._columns(name)) for name in order}
        return Database.of(
            {
                name: (self._columns(name), [row[-widths[name] :] for row in self._kept[name]])
                for name in order
            }
        )


def _of_slot(slot: int, goals: Iterable[Goal]) -> Iterator[Leaf]:
    """What a row of a slot meets by itself."""
    for goal in goals:
        for leaf in conjuncts(goal):
            if isinstance(leaf, Leaf) and {each for each, _ in leaf.places} == {slot}:
                yield leaf


def demands(pair: Pair) -> list[Link]:
    """Which rows demand others by the facts of a pair."""
    facts = pair.facts.of(FactKind.INCLUSION)
    return [(fact.table, fact.columns, fact.parent, fact.parent_columns) for fact in facts]


def narrowed(database: Database, pair: Pair, kinds: Collection[FactKind]) -> Database:
    """The rows without the columns of which neither a query speaks nor a fact of such a kind."""
    told = {place for fact in pair.facts if fact.kind in kinds for place in fact.places}
    kept: dict[str, tuple[tuple[str, ...], list[Row]]] = {}
    for name, (columns, rows) in database.tables.items():
        named = folded(pair.reading.mentioned.get(name, ()))
        places = [
            at
            for at, column in enumerate(columns)
            if fold(column) in named or (fold(name), fold(column)) in told
        ] or [0]
        kept[name] = tuple(columns[at] for at in places), [tuple(row[at] for at in places) for row in rows]
    return Database.of(kept)
