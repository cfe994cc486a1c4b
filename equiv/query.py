"""From SQL text to a query that can be compared, or to what is wrong with it.

An empty SQLite database with the schema decides whether a text is a query;
resolution then gives the tree that rules and provers work on.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from equiv.fidelity import Instruction, program
from equiv.grammar import read
from equiv.lexer import GrammarError, Kind, Token, tokens
from equiv.resolve import resolve
from equiv.resolve_scope import UnsupportedError
from equiv.schema.model import Schema
from equiv.sql import to_sql

MAX_BYTES = 100_000
"""The longest text, in bytes of UTF-8, that is read."""

MAX_DEPTH = 200
"""The deepest tree that rules and provers are given."""

Cause = Literal["EMPTY", "SYNTAX", "NO_TABLE_OR_COLUMN", "NO_FUNCTION", "NOT_A_QUERY"]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Why a query has no tree: the node's class name, and one line."""

    node: str
    why: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A text that is no query on the schema."""

    cause: Cause
    """EMPTY: nothing but white space and comments. NOT_A_QUERY: another statement, or several.
    NO_TABLE_OR_COLUMN, NO_FUNCTION: SQLite misses a name (or the number of arguments is wrong).
    SYNTAX: SQLite refuses it otherwise, or it is too long."""
    message: str


@dataclass(frozen=True)
class Query:
    """One query that SQLite can prepare on the schema."""

    sql: str
    """The text without closing semicolons and comments around it."""
    columns: int
    """The number of result columns."""
    tree: exp.Expression | None
    """The resolved tree, or None if the query is unsupported; never to be changed, only copied."""
    unsupported: Unsupported | None
    orders: bool
    """Whether ORDER BY stands at the top level."""


def read_query(sql: str, schema: Schema, probe: sqlite3.Connection) -> Query | Broken:
    """Read one query.

    Args:
        sql: any text, also a hostile one.
        schema: the tables and views.
        probe: an empty database of that schema.
    """
    try:
        size = len(sql.encode())
    except UnicodeEncodeError:
        return Broken("SYNTAX", "the text is not Unicode")
    if size > MAX_BYTES:
        return Broken("SYNTAX", f"query longer than {MAX_BYTES} bytes")
    found = tokens(sql)
    broken = _not_one_query(found)
    if broken is not None:
        return broken
    last = max(place for place, token in enumerate(found[:-1]) if token.word != ";")
    text = sql[found[0].start : found[last].end]
    try:
        original = program(probe, text)
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        return Broken(_cause(str(error)), str(error))
    tree, unsupported = _resolved(text, schema, probe, original)
    orders = _orders(found)
    columns = next(int(str(row[2])) for row in reversed(original) if row[0] == "ResultRow")
    return Query(text, columns, tree, unsupported, orders)


def _resolved(
    text: str, schema: Schema, probe: sqlite3.Connection, original: list[Instruction]
) -> tuple[exp.Expression | None, Unsupported | None]:
    try:
        tree = resolve(read(text), schema)
        if _depth(tree) > MAX_DEPTH:
            return None, Unsupported("Query", f"nested deeper than {MAX_DEPTH}")
        printed = to_sql(tree, verbatim=True)
        if program(probe, printed) != original:
            return None, Unsupported("resolution", "SQLite compiles the resolved query otherwise")
    except GrammarError as error:
        return None, Unsupported("grammar", str(error))
    except UnsupportedError as error:
        return None, Unsupported(error.node, error.why)
    except RecursionError:
        return None, Unsupported("Query", "nested too deeply")
    except sqlite3.Error as error:
        return None, Unsupported("resolution", f"SQLite does not take the resolved query: {error}")
    return tree, None


def _depth(tree: exp.Expression) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in node.iter_expressions()]
    return depth


def _not_one_query(found: list[Token]) -> Broken | None:
    words = [token.word for token in found[:-1]]
    while words and words[-1] == ";" :
        words.pop()
    if not words:
        return Broken("EMPTY", "the text is empty")
    if ";" in words:
        return Broken("NOT_A_QUERY", "more than one statement")
    first = _main_word(words)
    if first in ("SELECT", "VALUES"):
        return None
    if first in _STATEMENTS:
        return Broken("NOT_A_QUERY", f"a {first} statement")
    return Broken("SYNTAX", f"a query does not start with {words[0][:40]!r}")


_STATEMENTS = frozenset(
    """ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP END EXPLAIN INSERT PRAGMA REINDEX RELEASE
    REPLACE ROLLBACK SAVEPOINT UPDATE VACUUM""".split()
)


def _main_word(words: list[str]) -> str:
    """The word that says which statement it is: the first, or the first after a WITH clause."""
    if words[0] != "WITH":
        return words[0]
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0 and word in ("SELECT", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE"):
            return word
    return "WITH"


def _orders(found: list[Token]) -> bool:
    """ORDER BY outside all parentheses belongs to the query itself."""
    depth = 0
    for token, after in zip(found, found[1:], strict=False):
        depth += {"(": 1, ")": -1}.get(token.word, 0)
        if depth == 0 and token.word == "ORDER" and after.word == "BY" and token.kind is Kind.NAME:
            return True
    return False


_NO_NAME = re.compile(r"no such (table|column)")
_NO_FUNCTION = re.compile(r"no such function|wrong number of arguments")


def _cause(message: str) -> Cause:
    if _NO_NAME.match(message):
        return "NO_TABLE_OR_COLUMN"
    return "NO_FUNCTION" if _NO_FUNCTION.match(message) else "SYNTAX"
