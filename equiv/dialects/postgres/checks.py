"""The core's text of what DDL computes, by the dialect's own reader: as parts of a query of the table."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing.trees import to_sql
from equiv.core.query import Broken, Query
from equiv.dialects.postgres.read import read_query
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.session_settings import PINNED


class ByReader:
    """Translates by the dialect's reader.

    Args:
        schema: the schema without what is to be translated.
        session: an empty database of it.
    """

    def __init__(self, schema: Schema, session: PostgresSession) -> None:
        self._schema = schema
        self._session = session

    def condition(self, qualified: str, text: str) -> str | None:
        """See :class:`~equiv.dialects.postgres.conditions.Translate`."""
        tree = self._tree(f"SELECT 1 FROM {qualified} WHERE {text}")
        where = tree.args.get("where") if tree is not None else None
        return None if where is None else _own_text(where.this)

    def value(self, qualified: str, text: str) -> str | None:
        """See :class:`~equiv.dialects.postgres.conditions.Translate`."""
        tree = self._tree(f"SELECT {text} FROM {qualified}")
        return None if tree is None or tree.args.get("where") else _own_text(tree.expressions[0].this)

    def _tree(self, query: str) -> exp.Select | None:
        found = read_query(query, self._schema, self._session)
        tree = None if isinstance(found, Broken) or self._hangs(found, query) else found.tree
        return tree if isinstance(tree, exp.Select) else None

    def _hangs(self, found: Query, text: str) -> bool:
        """Whether what it says hangs on a setting that nobody states."""
        # A constant with a zone was made of a text that is gone.
        zone = ("TimeZone",) if "with time zone" in text else ()
        return not {*found.settings, *zone} <= PINNED | {name for name, _ in self._schema.settings}


def _own_text(node: exp.Expression) -> str | None:
    """The text of an expression over one table, its columns by their names alone; None if it asks more."""
    if node.find(exp.Select, exp.Window, exp.AggFunc, exp.Parameter):
        return None
    bare = node.copy()
    for column in [bare, *bare.find_all(exp.Column)]:
        if isinstance(column, exp.Column):
            column.set("table", None)
    return to_sql(bare)
