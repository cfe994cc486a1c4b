"""From the text of a query to a query that can be compared, or to what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.core.query import Broken, Cause, Query
from equiv.core.unsupported import Unsupported
from equiv.dialects.postgres.statements import statements
from equiv.dialects.postgres.values import family_of
from equiv.dialects.postgres.wire import WireError
from equiv.files import MAX_QUERY_BYTES

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.dialects.postgres.session import PostgresSession

_QUERIES = frozenset(("SELECT", "WITH", "VALUES", "TABLE", "("))


def read_query(text: str, _schema: Schema, empty: PostgresSession) -> Query | Broken:
    """Read one query.

    Args:
        text: any text, also a hostile one.
        _schema: the tables and views.
        empty: an empty database of that schema.
    """
    if len(text) > MAX_QUERY_BYTES:
        return Broken("SYNTAX", f"query longer than {MAX_QUERY_BYTES} bytes")
    found = list(statements(text))
    if not found:
        return Broken("EMPTY", "the text is empty")
    if len(found) > 1:
        return Broken("NOT_A_QUERY", "more than one statement")
    query = found[0].bare.rstrip()
    if found[0].words[0] not in _QUERIES:
        return Broken("NOT_A_QUERY", f"a statement, not a query: {found[0].words[0]}")
    try:
        seen = empty.sandbox.viewed(query)
    except WireError as error:
        return Broken(_cause(error), str(error))
    orders = False
    why = Unsupported("Query", "not translated")
    types = tuple(family_of(number).value for number, _ in seen.types)
    return Query(query, len(seen.types), None, why, orders, core_text="", types=types)


def _cause(error: WireError) -> Cause:
    match error.code:
        case "42P01" | "42703" | "3F000" | "42P10":
            return "NO_TABLE_OR_COLUMN"
        case "42883":
            return "NO_FUNCTION"
        case "42501":
            return "WITHHELD"
    return "SYNTAX"
