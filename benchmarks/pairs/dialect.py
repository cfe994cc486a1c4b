"""Small changes to published SQL that keep its meaning and let SQLite read it.

The published rewrite pairs are written in the SQL of Calcite, MySQL or of papers.  What SQLite lacks only
the notation for is written anew, text by text and never for single items:

* an identifier that holds ``$`` is quoted;
* ``OFFSET n ROWS`` and ``FETCH NEXT n ROWS ONLY`` become LIMIT and OFFSET;
* ``(query) AS t (X, Y)`` becomes a subquery whose CTE names the columns;
* a parenthesised operand of a set operation becomes ``SELECT * FROM (…)``, an operand that is a table's bare
  name ``SELECT * FROM name``, and parentheses round the whole statement go;
* ``IF(a, b, c)`` becomes IIF.

Everything else stays as published: operators, casts and functions mean what they mean in SQLite.  ``/`` of
two integers is one of them: MySQL's division differs; so are set operations side by side, which SQLite
takes from left to right.  What SQLite then cannot prepare is not expressible, and :func:`refusal` says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from equiv.core.runner import Connection, RunnerError

_TOKEN = re.compile(
    r"(?P<space>(?:\s+|--[^\n]*|/\*.*?\*/)*)"
    r"(?P<text>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|<>|[<>!=|]=|\|\||\S|$)",
    re.DOTALL,
)
_SET_OPERATORS = ("UNION", "EXCEPT", "INTERSECT")
_QUERY_STARTS = ("SELECT", "VALUES", "WITH")


@dataclass(slots=True)
class _Token:
    space: str
    text: str

    @property
    def word(self) -> str:
        return self.text.upper()

    @property
    def is_name(self) -> bool:
        return re.match(r'[A-Za-z_$"`]', self.text) is not None


def to_sqlite(sql: str) -> str:
    """The text with the changes of this module, otherwise as it was."""
    tokens = [_Token(match["space"], match["text"]) for match in _TOKEN.finditer(sql) if match["text"]]
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    for change in _CHANGES:
        tokens = change(tokens)
    return "".join(token.space + token.text for token in tokens).strip()


def _quote_dollars(tokens: list[_Token]) -> list[_Token]:
    for token in tokens:
        if "$" in token.text and re.match(r"[\w$]", token.text):
            token.text = f'"{token.text}"'
    return tokens


def _rename_if(tokens: list[_Token]) -> list[_Token]:
    for token, after in pairwise(tokens):
        if token.word == "IF" and after.text == "(":
            token.text = "IIF"
    return tokens


def _limit(tokens: list[_Token]) -> list[_Token]:
    """OFFSET and FETCH of the standard as LIMIT and OFFSET."""
    made: list[_Token] = []
    at = 0
    while at < len(tokens):
        words = [token.word for token in tokens[at : at + 8]]
        offset = words[1] if len(words) > 2 and words[0] == "OFFSET" and words[2] in ("ROW", "ROWS") else None
        start = 3 if offset else 0
        number = (
            words[start + 2] if words[start : start + 1] == ["FETCH"] and len(words) > start + 4 else None
        )
        if not offset and not number:
            made.append(tokens[at])
            at += 1
            continue
        tail = f" OFFSET {offset}" if offset else ""
        made.append(_Token(" ", f"LIMIT {number or -1}{tail}"))
        at += start + (5 if number else 0)
    return made


def _name_columns(tokens: list[_Token]) -> list[_Token]:
    """``(query) AS t (X, Y)`` as a subquery over a CTE that names its columns."""
    for close in range(len(tokens) - 1, 0, -1):
        found = _column_list(tokens, close)
        if found is None:
            continue
        name, columns, end = found
        open_ = _opening(tokens, close)
        if tokens[open_ + 1].word not in _QUERY_STARTS:
            continue
        inner = f'"{name.strip(chr(34))} named"'
        head = _Token(tokens[open_].space, f"(WITH {inner} ({', '.join(columns)}) AS (")
        tail = _Token("", f") SELECT * FROM {inner}) AS {name}")
        body = _name_columns(tokens[open_ + 1 : close])
        return _name_columns([*tokens[:open_], head]) + body + [tail] + tokens[end + 1 :]
    return tokens


def _column_list(tokens: list[_Token], close: int) -> tuple[str, list[str], int] | None:
    """The alias and the column names after a closing parenthesis, and where the list ends."""
    at = close + 1
    if tokens[close].text != ")" or at >= len(tokens):
        return None
    at += 1
    if at + 1 >= len(tokens) or tokens[at - 1].word != "AS" or tokens[at + 1].text != "(":
        return None
    names: list[str] = []
    end = at + 2
    while end + 1 < len(tokens) and tokens[end].is_name and tokens[end + 1].text in (",", ")"):
        names.append(tokens[end].text)
        if tokens[end + 1].text == ")":
            return tokens[at].text, names, end + 1
        end += 2
    return None


def _operands(tokens: list[_Token]) -> list[_Token]:
    """Operands of set operations that are parenthesised or bare names, as SELECTs."""
    if tokens and tokens[0].text == "(" and _closing(tokens, 0) == len(tokens) - 1:
        return _operands(tokens[1:-1])
    made = [_Token(token.space, token.text) for token in tokens]
    for at, token in enumerate(tokens):
        before = tokens[at - 1].word if at else "("
        before = tokens[at - 2].word if before in ("ALL", "DISTINCT") and at > 1 else before
        follows = before in _SET_OPERATORS
        if token.text == "(" and _starts_query(tokens, at):
            close = _closing(tokens, at)
            leads = before in ("(", ")") and _word(tokens, close + 1) in _SET_OPERATORS
            if follows or leads:
                made[at].text = "SELECT * FROM ("
        elif token.is_name and token.word not in (*_QUERY_STARTS, "ALL", "DISTINCT"):
            ends = _word(tokens, at + 1) in (*_SET_OPERATORS, ")", "")
            if ends and (follows or (before == "(" and _word(tokens, at + 1) in _SET_OPERATORS)):
                made[at].text = f"SELECT * FROM {token.text}"
    return made


def _starts_query(tokens: list[_Token], at: int) -> bool:
    while _word(tokens, at) == "(":
        at += 1
    return _word(tokens, at) in _QUERY_STARTS


def _word(tokens: list[_Token], at: int) -> str:
    return tokens[at].word if at < len(tokens) else ""


def _closing(tokens: list[_Token], open_: int) -> int:
    depth = 0
    for at in range(open_, len(tokens)):
        depth += (tokens[at].text == "(") - (tokens[at].text == ")")
        if depth == 0:
            return at
    return len(tokens)


def _opening(tokens: list[_Token], close: int) -> int:
    depth = 0
    for at in range(close, -1, -1):
        depth += (tokens[at].text == ")") - (tokens[at].text == "(")
        if depth == 0:
            return at
    return 0


_CHANGES: tuple[Callable[[list[_Token]], list[_Token]], ...] = (
    _quote_dollars,
    _rename_if,
    _limit,
    _operands,
    _name_columns,
)

_CONSTRUCTS = (
    ("GROUPING SETS, ROLLUP, CUBE", r"\b(GROUPING|ROLLUP|CUBE)\b"),
    ("EXCEPT ALL, INTERSECT ALL", r"\b(EXCEPT|INTERSECT)\s+ALL\b"),
    ("LATERAL", r"\bLATERAL\b"),
    ("comparison with ANY, ALL", r"[=<>]\s*(ANY|ALL|SOME)\s*\("),
    ("EXTRACT, INTERVAL, DATE literals", r"\b(EXTRACT\s*\(|INTERVAL\s|(DATE|TIMESTAMP)\s*')"),
    ("* as an operand", r"\*\s*(=|<>|<|>)"),
    ("CAST TO UNSIGNED and other types of MySQL", r"\bCAST\s*\([^()]* AS (UNSIGNED|SIGNED)\b"),
)
_MESSAGES = (
    (r"no such function: (\w+)", "function {}"),
    (r"wrong number of arguments to function (\w+)", "{} of several columns"),
    (r"no such column: .*", "unknown column"),
    (r"no such table: .*", "unknown table"),
    (r"ambiguous column name: .*", "ambiguous column"),
    (r".*syntax error|unrecognized token.*|incomplete input", "other syntax"),
)


def refusal(sql: str, connection: Connection) -> str:
    """Why SQLite cannot prepare a query on the tables of a connection; '' if it can."""
    try:
        connection.execute(f"EXPLAIN {sql}")
    except RunnerError as error:
        found = next((name for name, form in _CONSTRUCTS if re.search(form, sql, re.IGNORECASE)), None)
        return found or _by_message(str(error))
    return ""


def _by_message(message: str) -> str:
    for form, name in _MESSAGES:
        match = re.match(form, message)
        if match:
            return name.format(*(group.upper() for group in match.groups()))
    return message
