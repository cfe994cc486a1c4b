"""Databases written down as scripts of PostgreSQL's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from equiv.cells import Cell, Row
from equiv.core.model import Column, Domain, Schema, Table, View
from equiv.dialects.postgres.ddl_statements import objects_of
from equiv.dialects.postgres.session_settings import OF_DATABASE, REFUSED, STRINGS, path_in
from equiv.dialects.postgres.statements import SqlStatement
from equiv.dialects.typed.lowering.sources import DEFAULT
from equiv.graphs import depth_first_postorder
from equiv.names import fold, quoted_name
from equiv.scratch import remembered

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled


_FEW = 100
_BATCH = 200
_WORDS = re.compile(r"[\w$]+")
_OF_LATER_ROWS = re.compile(r"\bNOT\s+VALID\b|\bVALIDATE\s+CONSTRAINT\b", re.IGNORECASE)
"""What a statement says that the rows of its time need not keep."""
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\Z")
_Slice = tuple[list[str], list[str]]
_sliced: dict[tuple[tuple[str, ...], frozenset[str], frozenset[str] | None, bool], _Slice] = {}
"""The statements that make tables and views, before and after their rows, by all statements and names, and by
all names that are needed with those of views.
"""


def native_name(relation: Table | View) -> str:
    """The name of a table or view with its schema."""
    namespace, _, name = relation.name.rpartition(".")
    return f"{quoted_name(namespace or DEFAULT)}.{quoted_name(name)}"


MadeBy = Callable[[Sequence[str], Sequence[str]], dict[str, tuple[str, ...]] | None]
"""How the catalogue defines what statements make, before and after rows; None if one is refused."""


def script(schema: Schema, tables: Iterable[str], filled: Filled, made_by: MadeBy) -> str:
    """The DDL of tables, their parents, views and functions, and an INSERT for each row.

    The DDL is the schema's own statements, without those that the tables and views do not need unless queries
    ask the catalogue.  Rows of an earlier time are there while materialised views are refreshed.
    """
    known = [schema.table(name) or schema.view(name) for name in {*tables, *filled}]
    known += [view for view in schema.native_views if view.name in {*tables}]
    known += [*schema.tables, *schema.native_views] if schema.is_asked_for else []
    names = {_bare(each) for each in known if each is not None}
    before, after = _making(schema, frozenset(names), made_by)
    first, last = _refreshing(schema, before, filled)
    rows = [*first, *_filling(schema, filled, ()), *last]
    statements = [*setting(schema), *before, *rows, *after]
    statements += filter(None, [path_of(schema)])
    return "".join(f"{statement};\n" for statement in statements)


def _bare(relation: Table | View) -> str:
    held = relation.earlier.table if isinstance(relation, Table) and relation.earlier else relation.name
    return held.rpartition(".")[2]


def _making(schema: Schema, names: frozenset[str], made_by: MadeBy) -> tuple[list[str], list[str]]:
    """The statements that make tables and views, and those that follow the rows."""
    views = names.intersection(map(_bare, schema.native_views))

    def make() -> _Slice:
        # Tables that are named or filled bring along those that they refer to, whichever are said.
        wanted = frozenset(_needed(schema.native, names)[0])
        key = schema.native, wanted, views, schema.is_asked_for
        return remembered(_sliced, key, lambda: _made_alike(schema, names, made_by))

    return remembered(_sliced, (schema.native, names, None, schema.is_asked_for), make)


def _made_alike(schema: Schema, names: frozenset[str], made_by: MadeBy) -> tuple[list[str], list[str]]:
    """The fewest statements that are found to make the tables and views as all of them do."""
    wanted, few = _needed(schema.native, names)
    meant = {qualified(table): table.native for table in schema.tables if _is_made(table, wanted)}
    queries = {qualified(view): (view.sql,) for view in schema.native_views if _bare(view) in names}
    for statements in (few, list(schema.native))[schema.is_asked_for :]:
        parted = _parted(statements)
        for parts in (parted, (statements, [])) if parted[1] else (parted,):
            made = made_by(*parts)
            if made is not None and all(made.get(key) == found for key, found in (meant | queries).items()):
                return parts
    return list(schema.native), []


def definitions(schema: Schema) -> dict[str, tuple[str, ...]]:
    """The statements that the catalogue gives for tables and views, by their names with schemas."""
    tables = {qualified(table): table.native for table in schema.tables if table.earlier is None}
    return tables | {qualified(view): (view.sql,) for view in schema.native_views}


def qualified(relation: Table | View) -> str:
    """The name of a table or view with its schema, without quotes."""
    namespace = relation.namespace if isinstance(relation, Table) else relation.name.rpartition(".")[0]
    return f"{namespace or DEFAULT}.{_bare(relation)}"


def _is_made(table: Table, wanted: set[str]) -> bool:
    return table.earlier is None and _bare(table) in wanted


def _parted(statements: list[str]) -> tuple[list[str], list[str]]:
    later = [each for each in statements if _is_of_later_rows(each)]
    return [each for each in statements if each not in later], later


def _is_of_later_rows(statement: str) -> bool:
    return SqlStatement(statement).words[:2] == ("ALTER", "TABLE") and bool(_OF_LATER_ROWS.search(statement))


def _needed(statements: tuple[str, ...], names: frozenset[str]) -> tuple[set[str], list[str]]:
    """What the statements define that is needed, by bare names, and the statements about any of it."""
    about, words, spelt = _named_in(statements)
    # A query may name a type that no table has, and call what none needs.
    free = (
        about[i]
        for i, each in enumerate(statements)
        if not _NAMED.isdisjoint(SqlStatement(each).words[1:4]) and not _OF_TRIGGERS.search(each)
    )
    wanted, taken = set(names).union(*free), set[int]()
    owned = {i for i, each in enumerate(statements) if _OWNED.match(each)}
    left = set(range(len(statements))) - owned
    while more := [i for i in sorted(left - taken) if not wanted.isdisjoint(about[i])]:
        taken.update(more)
        found = frozenset[str]().union(*(words[i] for i in more))
        wanted |= {name for name, parts in spelt.items() if parts <= found}
    taken |= {i for i in owned if all(name in wanted for name, parts in spelt.items() if parts <= words[i])}
    kept = [s for i, s in enumerate(statements) if i in taken or _is_always_needed(s, about[i])]
    return wanted, kept


_MAKES = re.compile(r"\s*CREATE\b", re.IGNORECASE)


@lru_cache(maxsize=8)
def _named_in(
    statements: tuple[str, ...],
) -> tuple[list[frozenset[str]], list[frozenset[str]], dict[str, frozenset[str]]]:
    """For each statement what it is about, and its words; for each of the former the words of its name."""
    about = [frozenset(objects_of(SqlStatement(each))) for each in statements]
    named = frozenset[str]().union(*(a for a, s in zip(about, statements, strict=True) if _MAKES.match(s)))
    for at, each in enumerate(statements):
        if SqlStatement(each).words[1:2] == ("INDEX",) and named.isdisjoint(about[at]):
            # PostgreSQL calls an index that has no name of its own after its table.
            about[at] |= {name for name in named for index in about[at] if index.startswith(f"{name}_")}
    words = [frozenset(_WORDS.findall(each)) | frozenset(_WORDS.findall(fold(each))) for each in statements]
    defined = frozenset[str]().union(*about)
    return about, words, {name: frozenset(_WORDS.findall(name)) for name in defined}


_NAMED = frozenset(("TYPE", "DOMAIN", "FUNCTION", "AGGREGATE", "ROUTINE", "SEQUENCE"))
"""Among the words behind the first: what a query names beside tables and views."""
_OF_TRIGGERS = re.compile(r"\bRETURNS\s+trigger\b", re.IGNORECASE)
"""In a function that no query may call."""
_OWNED = re.compile(r"\s*ALTER\s+SEQUENCE\b.*\bOWNED\s+BY\b", re.IGNORECASE | re.DOTALL)
"""Of a sequence that is needed it says which column takes it along when dropped: no need of that table."""


def _is_always_needed(statement: str, about: frozenset[str]) -> bool:
    return not about or SqlStatement(statement).words[:2] == ("CREATE", "EXTENSION")


def _refreshing(schema: Schema, made: list[str], filled: Filled) -> tuple[list[str], list[str]]:
    """The statements that fill materialised views: from rows that are gone afterwards; from those of now."""
    earlier = [t.earlier for t in schema.tables if t.earlier]
    if not earlier:
        return [], []
    present = frozenset[str]().union(*_named_in(tuple(made))[0])
    copies = [each for each in earlier if each.views[0].rpartition(".")[2] in present]
    # A view that reads another one alone has no table of its own.
    paths = dict.fromkeys(each.views[:end] for each in copies for end in range(1, len(each.views) + 1))
    # A view that another one reads is refreshed for that one first, and last for itself.
    direct = [path for path in paths if len(path) == 1]
    order = depth_first_postorder(direct, lambda p: (q for q in direct if (*p, *q) in paths))
    then = [path for path in reversed(order) if path[0] not in schema.fresh]
    first = [each for path in then for each in _refreshed(schema, path, [*paths], filled)]
    return first, [_refresh(path[0]) for path in order if path[0] in schema.fresh]


def _refreshed(
    schema: Schema, path: tuple[str, ...], paths: list[tuple[str, ...]], filled: Filled
) -> Iterator[str]:
    for inner in paths:
        if inner[:-1] == path:
            yield from _refreshed(schema, inner, paths, filled)
    rows = list(_filling(schema, filled, path))
    yield from rows
    yield _refresh(path[-1])
    if rows:
        tables = (_base(schema, name) for name in filled if _views(schema, name) == path)
        yield f"TRUNCATE {', '.join(native_name(table) for table in tables if table)} CASCADE"


def _refresh(view: str) -> str:
    namespace, _, name = view.partition(".")
    return f"REFRESH MATERIALIZED VIEW {quoted_name(namespace)}.{quoted_name(name)}"


def _views(schema: Schema, name: str) -> tuple[str, ...]:
    table = schema.table(name)
    return table.earlier.views if table is not None and table.earlier else ()


def _base(schema: Schema, name: str) -> Table | None:
    table = schema.table(name)
    return schema.table(table.earlier.table) if table is not None and table.earlier else table


def _filling(schema: Schema, filled: Filled, path: tuple[str, ...]) -> Iterator[str]:
    """The statements that insert rows, those of parents before the rows that refer to them."""
    given = {
        table.name: (table, *rows)
        for name, rows in filled.items()
        if _views(schema, name) == path and (table := _base(schema, name))
    }

    def parents(name: str) -> Iterator[str]:
        return (key.parent for key in given[name][0].foreign_keys if key.parent in given)

    order = depth_first_postorder(given, parents)
    done: set[str] = set()
    for name in order:
        done.add(name)
        if not done.issuperset(parents(name)):
            # Foreign keys are looked at when a statement ends.
            together = [s for each in order for s in _inserts(*given[each], at_once=True)]
            head = ", ".join(f"r{i} AS ({s})" for i, s in enumerate(together[:-1]))
            yield f"WITH {head} {together[-1]}"
            return
    for name in order:
        yield from _inserts(*given[name], at_once=name in parents(name))


def setting(schema: Schema) -> Iterator[str]:
    """The statements by which texts mean what they do under the settings of the schema's source."""
    for name, value in schema.settings:
        if name not in (*OF_DATABASE, STRINGS, REFUSED):
            yield f"SET {name} = {literal(value)}"


def path_of(schema: Schema) -> str:
    """The statement by which names are found where the source finds them; '' if there is but one schema.

    A script's are found in the path that it states, then in any of its schemas.
    """
    if schema.path:
        return "SET search_path = " + ", ".join(map(quoted_name, schema.path))
    paths = (path_in(each) for each in reversed(schema.native) if each[:3].upper() == "SET")
    stated = next(filter(None, paths), [])
    names = dict.fromkeys([*stated, DEFAULT, *(table.namespace for table in schema.tables)])
    if len(names) == 1 and not any(statement[:3].upper() == "SET" for statement in schema.native):
        return ""
    return "SET search_path = " + ", ".join(quoted_name(name) for name in names)


def _inserts(table: Table, columns: tuple[str, ...], rows: Iterable[Row], *, at_once: bool) -> Iterator[str]:
    kept = [i for i, name in enumerate(columns) if not _is_derived(table, name)]
    known = [table.column(columns[i]) for i in kept]
    given = [(i, column) for i, column in zip(kept, known, strict=True) if column]
    names = [column.name for _, column in given]
    # The core leaves NULL where no value is given.
    names += [
        c.name for c in table.columns if c.has_native_default and not c.not_null and c.name not in names
    ]
    nulls = ["NULL"] * (len(names) - len(given))
    if not names:
        yield from (f"INSERT INTO {native_name(table)} DEFAULT VALUES" for _ in rows)
        return
    own = " OVERRIDING SYSTEM VALUE" if _IDENTITY in table.native[0] else ""
    head = f"INSERT INTO {native_name(table)} ({', '.join(map(quoted_name, names))}){own} VALUES "
    listed = list(rows)
    for few in [listed] if at_once and listed else _in_batches(listed):
        values = (", ".join([*(literal(row[i], column) for i, column in given), *nulls]) for row in few)
        yield f"{head}({'), ('.join(values)})"


_IDENTITY = "GENERATED ALWAYS AS IDENTITY"


def _in_batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows one by one, as a person reads them; those of a populated database many to an INSERT."""
    size = 1 if len(rows) <= _FEW else _BATCH
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _is_derived(table: Table, name: str) -> bool:
    column = table.column(name)
    return column is None or column.derived or column.generated


def literal(cell: Cell, column: Column | None = None) -> str:
    """A cell as a literal of the column's type."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"'\\x{cell.hex()}'::bytea"
        case int() if column is not None and column.domain is Domain.BOOLEAN and cell in (0, 1):
            return "TRUE" if cell else "FALSE"
        case int():
            return str(cell)
        case float():
            return repr(cell) if abs(cell) < float("inf") else f"'{cell}'".replace("inf", "Infinity")
    text = cell.replace("'", "''")
    if column is not None and column.native_type.endswith(" with time zone") and _INSTANT.match(text):
        # Whatever the zone of the session that inserts it.
        return f"'{text}+00'"
    return f"'{text}'" if "\\" not in text else "E'" + text.replace("\\", "\\\\") + "'"
