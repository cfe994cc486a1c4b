"""Writes docs/coverage.md: what is known of each function, operator, aggregate, cast and type of each engine.

The entries are those of the engine's own catalogue, and what is said of one is what the readers ask: whether
the core has a meaning for it, else whether it may be a symbol.  Each is in one class, by its types.

Usage: ``python -m benchmarks.outcomes.coverage [FILE]``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill

from benchmarks import ROOT
from benchmarks.journal import head_of, markdown
from equiv.core.functions.catalogue import Known, entries, knowledge
from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.lowering.operators import FUNCTIONS
from equiv.dialects.duckdb.resolving.calls import AGGREGATES, SAMPLING
from equiv.dialects.duckdb.resolving.scope import Probe
from equiv.dialects.duckdb.resolving.tree import type_named
from equiv.dialects.duckdb.session import DuckdbSession
from equiv.dialects.postgres import server
from equiv.dialects.registry import OWN_NAMES, dialect_named
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.aggregates import NUMBERINGS, READERS
from equiv.dialects.typed.lowering.build import UniqueNames, is_plain
from equiv.dialects.typed.lowering.calls import LoweringPlace, State
from equiv.dialects.typed.lowering.expressions import lowered
from equiv.dialects.typed.lowering.operators import has_meaning
from equiv.dialects.typed.lowering.unknown import is_function, is_kept
from equiv.files import write_page
from equiv.graphs import grouped_by

PAGE = ROOT / "docs" / "coverage.md"
INTRODUCTION = head_of(__file__)
_LISTED = {
    name: text.strip().removesuffix(";")
    for part in Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split("-- ")[1:]
    for name, _, text in [part.partition("\n")]
}
"""What an engine is asked for the entries of its catalogue, by name."""
_CLASSES = (Known.MODELLED, Known.SYMBOL, Known.REFUSED)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of an engine's catalogue, and what is known of it."""

    kind: str
    name: str
    known: Known


def page(found: dict[str, list[Entry]]) -> str:
    """The page, as Markdown, of the entries of each dialect."""
    parts = [INTRODUCTION]
    for name, listed in found.items():
        engine = dialect_named(name)
        parts += [f"## {engine.title} {engine.engine.version}\n", _table(listed)]
        for known in _CLASSES:
            names = sorted({each.name for each in listed if each.known is known and each.kind != "casts"})
            text = fill(" ".join(names), 110, break_long_words=False, break_on_hyphens=False)
            if names:
                parts.append(f"{known.value.capitalize()}:\n\n```output\n{text}\n```\n")
    return "\n".join(parts)


def _table(listed: list[Entry]) -> str:
    rows = []
    for kind, members in (*grouped_by(lambda each: each.kind, listed).items(), ("all", listed)):
        counts = Counter(each.known for each in members)
        rows.append((kind, len(members), *(counts[known] for known in _CLASSES)))
    return "\n".join(markdown(("", "entries", *_CLASSES), rows)) + "\n"


def sqlite_entries() -> Iterator[Entry]:
    """What is known of SQLite's functions."""
    for each in entries():
        kind = "functions" if each.is_scalar else "aggregates and window functions"
        yield Entry(kind, each.name, knowledge(each.name, each.count, is_scalar=each.is_scalar))


_UNHELD = re.compile(r"internal|(event_)?trigger|cstring|.*_handler")
"""Types of which no query holds a value."""
_KINDS = {"f": "functions", "a": "aggregates", "w": "window functions", "p": "procedures"}


def postgres_entries() -> Iterator[Entry]:
    """What is known of PostgreSQL's own functions, operators, casts and types."""
    wire = server.borrow()
    try:
        routines, operators, casts, types = (
            [tuple(map(str, row)) for row in wire.execute(_LISTED[name]).rows]
            for name in ("routines", "operators", "casts", "types")
        )
    finally:
        server.give_back(wire)
    for name, kind, gives_rows, volatility, strict, given, result in routines:
        kinds = [_type(each) for each in given.split()]
        named = tuple(each.name for each in kinds)
        routine = t.Routine(name, named, volatility, _is_true(strict), returns_set=_is_true(gives_rows))
        what = "functions that return rows" if routine.returns_set else _KINDS[kind]
        yield Entry(what, name, _of_call(routine, kind, kinds, _type(result)))
    for name, volatility, strict, given in operators:
        routine = t.Routine(name, tuple(given.split()), volatility, _is_true(strict), operator=True)
        yield Entry("operators", name, _of_routine(routine))
    for source, target, method, function, volatility, strict in casts:
        one, two = _type(source), _type(target)
        routine = t.Routine(function, (one.name,), volatility, _is_true(strict))
        known = (
            _of_routine(routine) if method == "f" else _of_conversion(one, two, through_text=method == "i")
        )
        yield Entry("casts", f"{one.name}::{two.name}", known)
    for (spelt,) in types:
        yield Entry("types", _type(spelt).name, _of_type(_type(spelt)))


def _is_true(shown: str) -> bool:
    return shown.lower().startswith("t")


def _type(spelt: str) -> t.Type:
    name, _, sort = spelt.rpartition(":")
    return t.Type(name, sort=sort)


def _of_type(kind: t.Type) -> Known:
    return Known.MODELLED if is_plain(kind) else Known.SYMBOL if is_kept(kind) else Known.REFUSED


def _of_conversion(one: t.Type, two: t.Type, *, through_text: bool) -> Known:
    if _is_lowered(t.Conversion(two, t.SourceColumn(one, 0, 1), through_text), 1):
        return Known.MODELLED
    return Known.REFUSED if Known.REFUSED in map(_of_type, (one, two)) else Known.SYMBOL


def _of_call(routine: t.Routine, kind: str, given: list[t.Type], result: t.Type) -> Known:
    """What is known of a function, an aggregate, a window function or a procedure."""
    if kind == "p" or any(_UNHELD.fullmatch(each.name) for each in (*given, result)):
        return Known.REFUSED
    if kind == "f":
        return _of_routine(routine)
    some = (t.Type("int4") if each.sort == "p" else each for each in given)
    arguments = tuple(t.SourceColumn(each, 0, at) for at, each in enumerate(some, 1))
    value: t.Expr = t.AggregateCall(result, routine, arguments, not given, False, (), None)
    if kind == "w":
        order = (t.SortKey(t.SourceColumn(t.Type("int4"), 0, 1), False, False),)
        frame = t.Frame("RANGE", "UNBOUNDED PRECEDING", "CURRENT ROW")
        value = t.Over(result, routine, arguments, False, None, (), order, frame)
    if _is_lowered(value, max(1, len(given))):
        return Known.MODELLED
    return Known.SYMBOL if kind == "a" and is_function(routine, _place(0)) else Known.REFUSED


def _of_routine(routine: t.Routine) -> Known:
    """What is known of a function or operator of single values, or of one that returns rows."""
    if not routine.returns_set and has_meaning(routine):
        return Known.MODELLED
    is_symbol = is_function(replace(routine, returns_set=False), _place(0))
    return Known.SYMBOL if is_symbol else Known.REFUSED


def _is_lowered(value: t.Expr, width: int) -> bool:
    """Whether the core has a meaning for an expression of columns."""
    try:
        lowered(value, _place(width))
    except UnsupportedError:
        return False
    return True


def _place(width: int) -> LoweringPlace:
    """A place in a query of one source, with so many columns."""
    names = tuple(f"c{at}" for at in range(width))
    return LoweringPlace(State(Schema(()), UniqueNames(), UniqueNames(), sources={0: ("s", names)}))


_DUCKDB_KINDS = {
    "scalar": ("functions", FUNCTIONS),
    "aggregate": ("aggregates", AGGREGATES),
    "window": ("window functions", NUMBERINGS | READERS),
    "table": ("functions that return rows", frozenset[str]()),
}


def duckdb_entries() -> Iterator[Entry]:
    """What is known of DuckDB's own functions and types."""
    with closing(dialect_named("duckdb").engine.empty(Schema((), dialect="duckdb"))) as session:
        assert isinstance(session, DuckdbSession)
        functions = session.database.execute(_LISTED["functions_of_duckdb"])
        types = session.database.execute(_LISTED["types_of_duckdb"])
        probe = Probe(session.database)
        is_known = {"scalar": probe.is_function, "aggregate": probe.is_aggregate}
        symbols = {each for each in functions if each[1] in is_known and is_known[each[1]](each[0])}
        symbols -= {(name, "aggregate") for name in SAMPLING}
    for name, sort in functions:
        kind, modelled = _DUCKDB_KINDS.get(sort, (f"{sort.replace('_', ' ')}s", frozenset()))
        otherwise = Known.SYMBOL if (name, sort) in symbols else Known.REFUSED
        yield Entry(kind, name, Known.MODELLED if name in modelled else otherwise)
    for (name,) in types:
        found = type_named(name.upper())
        otherwise = Known.SYMBOL if is_kept(found) else Known.REFUSED
        yield Entry("types", name, Known.MODELLED if is_plain(found) else otherwise)


ENTRIES = {"sqlite": sqlite_entries, "postgres": postgres_entries, "duckdb": duckdb_entries}
"""What lists the entries of an engine, by dialect."""


if __name__ == "__main__":
    write_page(page({name: list(ENTRIES[name]()) for name in OWN_NAMES}), PAGE)
