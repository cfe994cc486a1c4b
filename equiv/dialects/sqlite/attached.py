"""Several databases of one connection, also attached and temporary ones, as one schema.

SQLite finds a table by its name alone in ``temp``, then ``main``, then the attached databases in their order;
a view, and a foreign key, means what stands in its own database, unless it is temporary.  Source:
https://www.sqlite.org/lang_naming.html.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from equiv.core.connection import Connection
from equiv.core.lexer import Token, TokenKind, name_of, tokens
from equiv.core.model import PassedOver, Schema, Table, View
from equiv.core.query import Broken
from equiv.errors import InputError
from equiv.names import fold


def databases(connection: Connection) -> list[str]:
    """The names of a connection's databases, in the order in which SQLite looks for a table's name alone."""
    named = [fold(row[1]) for row in connection.execute("PRAGMA database_list")]
    return sorted(named, key=["temp", "main", *named].index)


def joined(found: Sequence[tuple[str, Schema]]) -> Schema:
    """One schema of several databases: of tables of one name, the one that the name alone means.

    Args:
        found: the name of each database and what stands in it, in the order of :func:`databases`.

    Raises:
        InputError: a trigger names what stands in another database.
    """
    if not any(_made(schema) or schema.withheld for home, schema in found if home != "main"):
        return next(schema for home, schema in found if home == "main")
    homes: dict[str, str] = {}
    for home, schema in found:
        homes = dict.fromkeys((*_made(schema), *schema.withheld), home) | homes
    parts = [_part(*each, homes) for each in sorted(found, key=lambda each: each[0] != "main")]
    return Schema(
        tuple(table for part in parts for table in part.tables),
        tuple(view for part in parts for view in part.views),
        parts[0].name,
        qualifiers=_qualifiers(homes),
        notes=tuple(note for part in parts for note in part.notes),
        passed=tuple(each for part in parts for each in part.passed),
        triggers=tuple(trigger for part in parts for trigger in part.triggers),
        withheld=tuple(name for part in parts for name in part.withheld),
    )


def _made(schema: Schema) -> set[str]:
    """The names of the tables and views."""
    return {fold(name) for name in (*(t.name for t in schema.tables), *(v.name for v in schema.views))}


def _qualifiers(homes: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{home}.{name}" for name, home in homes.items() if home != "main")


def _part(home: str, schema: Schema, homes: Mapping[str, str]) -> Schema:
    """What of a database the names alone mean, and what names the same where the tables of all stand in one.

    Raises:
        InputError: a trigger does not.
    """
    passed, views = list(schema.passed), list[View]()
    for name in sorted(name for name in _made(schema) if homes[name] != home):
        two = f"{homes[name]}.{name} and {home}.{name}"
        why = f"two tables are named {name}: {two}; the first alone is read"
        passed.append(PassedOver("table", f"{home}.{name}", why))
    for view in (view for view in schema.views if homes[fold(view.name)] == home):
        body = _without_names(view.sql, _qualifiers(homes), homes)
        if body is not None and _is_alike(view.sql, home, homes):
            views.append(replace(view, sql=body))
        else:
            why = "its query names what stands in another database"
            passed.append(PassedOver("view", f"{home}.{view.name}", why))
    for trigger in schema.triggers:
        alike = _is_alike(trigger, home, homes)
        if not alike or _without_names(trigger, _qualifiers(homes), homes) != trigger:
            start = " ".join(trigger.split())[:80]
            raise InputError(f"a trigger names what stands in another database: {start}")
    return replace(
        schema,
        tables=tuple(_at(home, table, homes) for table in schema.tables if homes[fold(table.name)] == home),
        views=tuple(views),
        passed=tuple(passed),
        withheld=(*schema.withheld, *(each.bare for each in passed)),
    )


def _at(home: str, table: Table, homes: Mapping[str, str]) -> Table:
    """A table of a database without its keys to tables that stand in another, which it does not mean."""
    kept = (key for key in table.foreign_keys if homes.get(fold(key.parent), home) == home)
    return replace(table, foreign_keys=tuple(kept))


def _is_alike(text: str, home: str, homes: Mapping[str, str]) -> bool:
    """Whether the names in a text of one database mean the same where the tables of all stand in one.

    Args:
        text: the query of a view, or a trigger.
        home: its database: names mean what stands there, but for ``temp``, which looks everywhere.
        homes: the database of each table and view.
    """
    names = [fold(name_of(text, token)) for token in tokens(text)]
    for before, dot, name in zip(["", "", *names], ["", *names], names, strict=False):
        said = before if dot == "." and before in {"main", *homes.values()} else ""
        if name in homes and homes[name] != (said or home) and (said or home != "temp"):
            return False
    return True


def unqualified(text: str, schema: Schema) -> str | None:
    """The text without the names of schemas that the DDL writes before its tables: ``public.t`` is ``t``.

    None where a CTE may hide the table, or the name may be that of a row source.
    """
    if not schema.qualifiers:
        return text
    return _without_names(text, schema.qualifiers, _made(schema))


def _without_names(text: str, qualifiers: Iterable[str], made: Container[str]) -> str | None:
    """:func:`unqualified`, of the names of the tables and views that are made."""
    found = tokens(text)
    bare_names = _names_alone(text, found)
    hidden = {fold(name_of(text, token)) for token, after in pairwise(found) if after.word in ("AS", "(")}
    hidden = hidden if any(token.word == "WITH" for token in found) else set()
    parts, position = [], 0
    for token, dot, after in zip(found, found[1:], found[2:], strict=False):
        name, table = (fold(name_of(text, each)) for each in (token, after))
        is_named = not {name, f"{name}.{table}"}.isdisjoint(qualifiers)
        if dot.word == "." and is_named and table in made:
            if name in bare_names or table in hidden:
                return None
            parts.append(text[position : token.start])
            position = after.start
    return "".join([*parts, text[position:]])


def _names_alone(text: str, found: Sequence[Token]) -> set[str]:
    """The names in a text, folded, behind which no point stands; one in single quotes where it may be one."""
    around = zip(found, found[1:], found[2:], strict=False)
    return {fold(name_of(text, token)) for token in found[:1]} | {
        fold(name_of(text, token))
        for before, token, after in around
        if after.word != "."
        and (token.kind is not TokenKind.STRING or before.kind is not TokenKind.SIGN or before.word == ")")
    }


def table_elsewhere(text: str, schema: Schema) -> Broken | None:
    """The failure of a text that looks in ``main`` for a table of another database; None if it does not."""
    homes = {each.partition(".")[2] for each in schema.qualifiers} - {""}
    found = tokens(text) if homes else []
    names = [fold(name_of(text, token)) for token in found]
    for main, dot, name in zip(names, names[1:], names[2:], strict=False):
        if (main, dot) == ("main", ".") and name in homes:
            is_source = "main" in _names_alone(text, found)
            return Broken("WITHHELD" if is_source else "NO_TABLE_OR_COLUMN", f"main has no table {name}")
    return None
