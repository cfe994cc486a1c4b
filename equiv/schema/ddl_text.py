"""What only the text of DDL tells: CHECKs, collations, table options, a view's query.

SQLite's PRAGMAs do not report these.  A parser would print an expression
anew, and differently; what is cut out here is the user's own text, less its
comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from equiv.schema.model import View
from equiv.sqlite.lexer import Kind, Token, tokens, unquoted

_TABLE_CONSTRAINT = frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"})


@dataclass(frozen=True, slots=True)
class TableText:
    """What the text of a CREATE TABLE says beyond the PRAGMAs."""

    checks: tuple[str, ...] = ()
    collations: tuple[tuple[str, str], ...] = ()
    """Pairs of a column's name in lower case and its collation in upper case."""
    expressions: tuple[tuple[str, str], ...] = ()
    """Pairs of a generated column's name in lower case and what it computes."""
    without_rowid: bool = False
    strict: bool = False


def statements(text: str) -> Iterator[str]:
    """The statements of a script as they stand there, the last maybe incomplete or empty."""
    start, state = 0, "start"
    for token in tokens(text):
        state = _after(state, token)
        if state == "start" and token.word == ";":
            yield text[start : token.end]
            start = token.end
    yield text[start:]


_STATES: dict[str, dict[str, str]] = {
    "start": {";": "start", "EXPLAIN": "explain", "CREATE": "create"},
    "normal": {";": "start"},
    "explain": {";": "start", "CREATE": "create", "": "explain"},
    "create": {";": "start", "TEMP": "create", "TEMPORARY": "create", "TRIGGER": "trigger"},
    "trigger": {";": "semicolon", "": "trigger"},
    "semicolon": {";": "semicolon", "END": "end", "": "trigger"},
    "end": {";": "start", "": "trigger"},
}
"""Where a statement ends, after sqlite3_complete: a trigger has semicolons of its own.

For each state the next one by a token's word, '' for any other word; where that is missing, ``normal``.
"""


def _after(state: str, token: Token) -> str:
    word = token.word if token.kind in (Kind.NAME, Kind.SIGN) else "other"
    following = _STATES[state]
    return following.get(word) or following.get("", "normal")


def strip_comments(sql: str) -> str:
    """The text with a blank for each comment, and nothing before its first token or after its last."""
    parts = []
    for token, following in pairwise(tokens(sql)):
        gap = sql[token.end : following.start]
        parts += [sql[token.start : token.end], gap if not gap or gap.isspace() else " "]
    return "".join(parts).strip()


def bare(statement: str) -> str:
    """A statement without comments and without the semicolon at its end."""
    return strip_comments(statement).rstrip("; \t\r\n")


def name_of(sql: str, token: Token) -> str:
    """The name that a token of the text means."""
    source = sql[token.start : token.end]
    return unquoted(source) if token.kind in (Kind.QUOTED, Kind.STRING) else source


def closing_index(found: Sequence[Token], opening: int) -> int:
    """The index of the parenthesis that closes the one at ``opening``, or of the last token."""
    depth = 0
    for index in range(opening, len(found)):
        depth += {"(": 1, ")": -1}.get(found[index].word, 0)
        if depth == 0:
            return index
    return len(found) - 1


def read_table_text(ddl: str) -> TableText:
    """Read a CREATE TABLE statement that SQLite has accepted."""
    sql = strip_comments(ddl)
    found = tokens(sql)
    opening = next((i for i, token in enumerate(found) if token.word == "("), len(found) - 1)
    end = closing_index(found, opening)
    parts = list(_parts(found[opening + 1 : end]))
    options = [token.word for token in found[end + 1 :]]
    return TableText(
        checks=tuple(check for part in parts for check in _checks(sql, part)),
        collations=tuple(pair for part in parts for pair in _collation(sql, part)),
        expressions=tuple(pair for part in parts for pair in _expression(sql, part)),
        without_rowid="WITHOUT" in options,
        strict="STRICT" in options,
    )


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
