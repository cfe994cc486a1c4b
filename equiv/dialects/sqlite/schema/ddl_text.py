"""Parts of a schema that only the DDL text has: CHECKs, collations, table options, a view's query.

SQLite's PRAGMAs do not report these.  A parser would print an expression
anew, and differently; what is cut out here is the user's own text, less its
comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from equiv.core.lexer import Token, bare, closing_index, name_of, strip_comments, tokens
from equiv.core.model import View

_TABLE_CONSTRAINT = frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"})


@dataclass(frozen=True, slots=True)
class TableText:
    """The parts of a CREATE TABLE that no PRAGMA shows."""

    checks: tuple[str, ...] = ()
    collations: tuple[tuple[str, str], ...] = ()
    """Pairs of a column's name in lower case and its collation in upper case."""
    expressions: tuple[tuple[str, str], ...] = ()
    """Pairs of a generated column's name in lower case and what it computes."""
    without_rowid: bool = False
    strict: bool = False


def read_table_text(ddl: str) -> TableText:
    """Read a CREATE TABLE statement that SQLite has accepted."""
    sql = strip_comments(ddl)
    stream = tokens(sql)
    opening = next((i for i, token in enumerate(stream) if token.word == "("), len(stream) - 1)
    end = closing_index(stream, opening)
    parts = list(_parts(stream[opening + 1 : end]))
    options = [token.word for token in stream[end + 1 :]]
    return TableText(
        checks=tuple(check for part in parts for check in _checks(sql, part)),
        collations=tuple(pair for part in parts for pair in _collation(sql, part)),
        expressions=tuple(pair for part in parts for pair in _expression(sql, part)),
        without_rowid="WITHOUT" in options,
        strict="STRICT" in options,
    )


def is_disordered(ddl: str) -> bool:
    """Whether a definition in a CREATE TABLE is empty, or a column follows a constraint of the table."""
    stream = tokens(ddl)
    opening = next((i for i, token in enumerate(stream) if token.word == "("), len(stream) - 1)
    parts = list(_parts(stream[opening + 1 : closing_index(stream, opening)]))
    constrains = [not part or part[0].word in _TABLE_CONSTRAINT for part in parts]
    return not all(parts) or constrains != sorted(constrains)


def read_view_text(name: str, ddl: str) -> View:
    """Read a CREATE VIEW statement that SQLite has accepted."""
    sql = bare(ddl)
    outer = list(_outer(tokens(sql)))
    as_index = next(i for i, token in enumerate(outer) if token.word == "AS")
    columns: tuple[str, ...] = ()
    if outer[as_index - 1].word == ")":
        body = sql[outer[as_index - 2].end : outer[as_index - 1].start]
        columns = tuple(name_of(body, token) for token in tokens(body)[:-1] if token.word != ",")
    return View(name, sql[outer[as_index].end :].strip(), columns)


def _parts(body: Sequence[Token]) -> Iterator[list[Token]]:
    """The definitions of a table's body: what its outermost commas separate."""
    part: list[Token] = []
    depth = 0
    for token in body:
        depth += {"(": 1, ")": -1}.get(token.word, 0)
        if token.word == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _outer(part: Sequence[Token]) -> Iterator[Token]:
    """The tokens outside parentheses, the outermost parentheses included."""
    depth = 0
    for token in part:
        depth -= token.word == ")"
        if depth == 0:
            yield token
        depth += token.word == "("


def _checks(sql: str, part: Sequence[Token]) -> Iterator[str]:
    outer = list(_outer(part))
    for i, token in enumerate(outer):
        if token.word == "CHECK":
            yield sql[outer[i + 1].end : outer[i + 2].start].strip()


def _collation(sql: str, part: Sequence[Token]) -> Iterator[tuple[str, str]]:
    if not part or part[0].word in _TABLE_CONSTRAINT:
        return
    for before, token in reversed(list(pairwise(_outer(part)))):
        if before.word == "COLLATE":
            yield name_of(sql, part[0]).lower(), name_of(sql, token).upper()
            return


def _expression(sql: str, part: Sequence[Token]) -> Iterator[tuple[str, str]]:
    if not part or part[0].word in _TABLE_CONSTRAINT:
        return
    outer = list(_outer(part))
    for i, token in enumerate(outer[:-2]):
        if token.word == "AS" and outer[i + 1].word == "(":
            yield name_of(sql, part[0]).lower(), sql[outer[i + 1].end : outer[i + 2].start].strip()
            return
