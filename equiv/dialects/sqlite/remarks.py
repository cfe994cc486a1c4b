"""Remarks on two queries besides the verdict, and signs that a text is of another dialect than SQLite.

Of the signs the table comes first, since it names the construct; sqlglot's parsers decide what it does not
know.  Remarks say how SQLite says what other dialects have a function or a construct of their own for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from sqlglot import exp

from equiv.core.lexer import Token, TokenKind, depths, tokens
from equiv.core.model import Schema
from equiv.core.query import Broken, Query, Sign
from equiv.core.single_values import sql_literal
from equiv.dialects.sqlite.foreign import parsed_by
from equiv.dialects.sqlite.versions import CHANGES, changes_in, said_of
from equiv.names import fold
from equiv.verdict import Remark, RemarkKind

POSTGRES, MYSQL, TSQL, ORACLE, BIGQUERY = "PostgreSQL", "MySQL", "SQL Server", "Oracle", "BigQuery"
SNOWFLAKE, DUCKDB = "Snowflake", "DuckDB"
SEVERAL = "MySQL or PostgreSQL"


def _all(dialect: str, *constructs: str) -> dict[tuple[str, ...], str]:
    return {tuple(construct.split()): dialect for construct in constructs}


_CALLS: dict[tuple[str, ...], str] = {
    (name, "("): dialect
    for dialect, names in {
        POSTGRES: """DATE_TRUNC TO_CHAR TO_DATE TO_TIMESTAMP DATE_PART AGE ARRAY_AGG STRING_AGG SPLIT_PART
            REGEXP_REPLACE REGEXP_MATCHES GENERATE_SERIES UNNEST BOOL_AND BOOL_OR PERCENTILE_CONT MAKE_DATE
            POSITION ARRAY_LENGTH JSONB_ARRAY_ELEMENTS JSON_BUILD_OBJECT ANY""",
        MYSQL: """IF DATE_FORMAT CURDATE CURTIME STR_TO_DATE DATE_ADD DATE_SUB TIMESTAMPDIFF SUBSTRING_INDEX
            FIND_IN_SET FIELD LCASE UCASE MONTHNAME DAYNAME DAYOFWEEK DAYOFMONTH DAYOFYEAR FROM_UNIXTIME
            UNIX_TIMESTAMP REGEXP_LIKE LOCATE YEAR MONTH DAY HOUR MINUTE QUARTER WEEK LAST_DAY RAND""",
        TSQL: """GETDATE DATEADD DATEPART DATENAME EOMONTH CHARINDEX PATINDEX STUFF LEN ISNULL CONVERT
            TRY_CAST TRY_CONVERT SYSDATETIME DATEFROMPARTS""",
        ORACLE: "NVL NVL2 DECODE TO_NUMBER ADD_MONTHS MONTHS_BETWEEN LISTAGG",
        SNOWFLAKE: """IFF TO_VARCHAR TO_DECIMAL ZEROIFNULL NULLIFZERO DIV0 COUNT_IF TRY_TO_NUMBER TRY_TO_DATE
            TRY_TO_TIMESTAMP TO_TIMESTAMP_NTZ CONTAINS STARTSWITH ENDSWITH OBJECT_CONSTRUCT ARRAY_CONSTRUCT
            ARRAY_SIZE EDITDISTANCE PARSE_JSON SPLIT_TO_TABLE""",
        DUCKDB: "STRPTIME LIST_AGG LIST_VALUE EPOCH READ_CSV",
        BIGQUERY: "SAFE_CAST SAFE_DIVIDE COUNTIF DATE_DIFF TIMESTAMP_TRUNC PARSE_DATE FORMAT_DATE",
        SEVERAL: "NOW LEFT RIGHT CONCAT EXTRACT GREATEST LEAST LPAD RPAD DATEDIFF REPEAT REVERSE",
    }.items()
    for name in names.split()
}  # fmt: skip
IN_QUERIES: dict[tuple[str, ...], str] = {
    **_all(POSTGRES, ": :", "ILIKE", "SIMILAR TO", "DISTINCT ON", "LATERAL", "! ~", "~ *", "@ >"),
    **_all(
        POSTGRES,
        "FETCH FIRST",
        "ROWS ONLY",
        "LIMIT ALL",
        "FOR UPDATE",
        "GROUPING SETS",
        "WITHIN GROUP",
    ),
    **_all(MYSQL, "<= >", "DIV", "XOR", "RLIKE", "SEPARATOR", "STRAIGHT_JOIN", "WITH ROLLUP", "FORCE INDEX"),
    **_all(TSQL, "CROSS APPLY", "OUTER APPLY", "FETCH NEXT"),
    **_all(ORACLE, "ROWNUM", "SYSDATE", "CONNECT BY", "MINUS", "FROM DUAL"),
    **_all(BIGQUERY, "QUALIFY", "SELECT AS STRUCT", "* EXCEPT ("),
    **_CALLS,
}
_IN_DDL: dict[tuple[str, ...], str] = {
    **_all(POSTGRES, "SERIAL", "BIGSERIAL", "SMALLSERIAL", ": :", "NEXTVAL (", "CHARACTER VARYING", "BYTEA"),
    **_all(POSTGRES, "WITH TIME ZONE", "WITHOUT TIME ZONE", "AS IDENTITY", "USING BTREE", "TABLE ONLY"),
    **_all(POSTGRES, "AS ENUM", "CREATE EXTENSION", "OWNER TO", "TSVECTOR", "TIMESTAMPTZ"),
    **_all(MYSQL, "AUTO_INCREMENT", "ENGINE =", "CHARSET", "CHARACTER SET", "ENUM (", "MEDIUMTEXT"),
    **_all(MYSQL, "LONGTEXT", "USING HASH", "ON UPDATE CURRENT_TIMESTAMP", "UNIQUE KEY", "FULLTEXT"),
    **_all(TSQL, "IDENTITY (", "CLUSTERED", "NONCLUSTERED", "UNIQUEIDENTIFIER", "DATETIME2", "VARCHAR ( MAX"),
    **_all(ORACLE, "VARCHAR2", "NVARCHAR2"),
    **_all(BIGQUERY, "INT64", "FLOAT64", "STRUCT <", "ARRAY <"),
}
DEFAULTS = {"public": POSTGRES, "pg_catalog": POSTGRES, "dbo": TSQL}
"""Names of schemas that one product gives by default."""

_PARSERS = {
    "postgres": POSTGRES, "mysql": MYSQL, "tsql": TSQL, "oracle": ORACLE, "bigquery": BIGQUERY,
    "snowflake": SNOWFLAKE, "duckdb": DUCKDB,
}  # fmt: skip
_LONGEST = 20_000
_DEEPEST = 50


def sign_in_query(text: str, *, calls: bool = True) -> Sign | None:
    """The sign of another dialect in a query that SQLite does not take, or None.

    Args:
        text: the query.
        calls: whether functions count: not where SQLite misses a table, for it may know the function.
    """
    found = tokens(text)
    table = IN_QUERIES if calls else {words: d for words, d in IN_QUERIES.items() if words not in _CALLS}
    known = _known(found, table) or _spelt(text, found) or _qualified(text, found)
    return known or (_parsed(text, found) if calls else None)


def sign_in_ddl(text: str) -> Sign | None:
    """The sign of another dialect in a DDL statement, or None; SQLite takes almost any words as a type."""
    found = tokens(text)
    return _known(found, _IN_DDL) or _qualified(text, found)


def without_index_names(text: str) -> str:
    """The text without INDEXED BY and the name behind it."""
    found, parts, position = tokens(text), list[str](), 0
    for token, after, name in zip(found, found[1:], found[2:], strict=False):
        if (token.word, after.word) == ("INDEXED", "BY"):
            parts.append(text[position : token.start])
            position = name.end
    return "".join([*parts, text[position:]])


def unescaped_pattern(text: str) -> Sign | None:
    """A LIKE pattern with a backslash before a wildcard and no ESCAPE, or None: SQLite takes it literally."""
    if "\\%" not in text and "\\_" not in text:
        return None
    found = tokens(text)
    for like, pattern, after in zip(found, found[1:], found[2:], strict=False):
        source = text[pattern.start : pattern.end]
        escapes = "\\%" in source or "\\_" in source
        if like.word == "LIKE" and pattern.kind is TokenKind.STRING and escapes and after.word != "ESCAPE":
            return Sign(f"LIKE {source[:40]}, a backslash without ESCAPE,", SEVERAL)
    return None


def _known(found: Sequence[Token], table: dict[tuple[str, ...], str]) -> Sign | None:
    """The first construct of a table among the tokens."""
    bare = (TokenKind.NAME, TokenKind.SIGN, TokenKind.ILLEGAL)
    words = [token.word if token.kind in bare else "" for token in found]
    longest = max(map(len, table))
    for place, word in enumerate(words):
        if not word:
            continue
        for length in range(longest, 0, -1):
            dialect = table.get(tuple(words[place : place + length]))
            if dialect is not None and not _is_name(words, place, length):
                return Sign(shown(words[place : place + length]), dialect)
    return None


def _is_name(words: Sequence[str], place: int, length: int) -> bool:
    """Whether a single word may be a plain name here: qualified, an alias, or the name of a column."""
    if length > 1 or not place:
        return False
    return words[place - 1] in (".", "AS", ",", "(") or words[place + 1] == "."


def shown(words: Sequence[str]) -> str:
    """A construct as SQL writes it: ``IIF()``, ``FETCH FIRST``."""
    if not any(word.isidentifier() for word in words):
        return "".join(words)
    text = " ".join(words)
    return text.replace(" ( MAX", "(MAX)") if text.endswith("( MAX") else text.replace(" (", "()")


def _spelt(text: str, found: Sequence[Token]) -> Sign | None:
    """Constructs whose tokens have no fixed words."""
    for token, after in pairwise(found):
        adjacent = token.end == after.start
        source = text[token.start : token.end]
        match token.word, after.kind:
            case "ARRAY", TokenKind.QUOTED if adjacent:
                return Sign("ARRAY[…]", POSTGRES)
            case "TOP", TokenKind.NUMBER:
                return Sign("TOP", TSQL)
            case "INTERVAL", TokenKind.STRING | TokenKind.NUMBER:
                return Sign("INTERVAL", POSTGRES if after.kind is TokenKind.STRING else MYSQL)
            case "DATE" | "TIMESTAMP", TokenKind.STRING if token.kind is TokenKind.NAME:
                return Sign(f"{token.word} '…'", SEVERAL)
            case "E", TokenKind.STRING if adjacent:
                return Sign("E'…'", POSTGRES)
            case "N", TokenKind.STRING if adjacent:
                return Sign("N'…'", TSQL)
        if token.kind is TokenKind.STRING and source.endswith("\\'"):
            return Sign("the escape \\'", MYSQL)
    if any(token.word == "TOP" and after.word == "(" for token, after in pairwise(found)):
        return Sign("TOP", TSQL)
    return None


def _qualified(text: str, found: Sequence[Token]) -> Sign | None:
    for token, after in pairwise(found):
        name = fold(text[token.start : token.end].strip('"[]`'))
        if after.word == "." and name in DEFAULTS:
            return Sign(f"{name}.", DEFAULTS[name])
    return None


def _parsed(text: str, found: Sequence[Token]) -> Sign | None:
    """The first dialect whose parser takes a text that sqlglot's parser of SQLite refuses."""
    if len(text) > _LONGEST or max(depths(found)) > _DEEPEST or _parses(text, ("sqlite",)):
        return None
    dialect = _parses(text, _PARSERS)
    return Sign("its syntax", _PARSERS[dialect]) if dialect else None


def _parses(text: str, dialects: Iterable[str]) -> str:
    """The first of some dialects in which a text is a query, or ''."""
    return next((name for name, tree in parsed_by(dialects, text) if isinstance(tree, exp.Query)), "")


_MOST_NOTES = 5


def remarks_on(pred: Query | Broken, gold: Query | Broken, schema: Schema) -> Iterator[Remark]:
    """The remarks that a schema and the texts of a pair call for."""
    if schema.foreign:
        text = f"{schema.foreign}; verdicts hold for SQLite (LIKE ignores case, types are loose)"
        text += _ADVICE if POSTGRES in schema.foreign else _NO_ADVICE
        yield Remark(RemarkKind.DIALECT, "schema", text)
    yield from (Remark(RemarkKind.DIALECT, "schema", note) for note in schema.notes[:_MOST_NOTES])
    for side, query in (("pred", pred), ("gold", gold)):
        if side == "pred" and pred == gold:
            continue
        if isinstance(query, Query):
            yield from _of_query(side, query)
        elif query.sign is not None:
            sign = query.sign
            text = f"{sign}; the queries are read as SQLite{way_of(sign.construct)}{_advice(sign)}"
            yield Remark(RemarkKind.DIALECT, side, text)


_ADVICE = f"; --dialect postgres reads {POSTGRES}"
_NO_ADVICE = "; no --dialect reads that"


def _advice(sign: Sign) -> str:
    return _ADVICE if POSTGRES in sign.dialect else ""


def remarks_on_versions(pred: str, gold: str) -> Iterator[Remark]:
    """Remarks on constructs of one text that another version of SQLite may answer otherwise.

    What stands as often in both is skipped: mostly, both then answer otherwise alike.
    """
    of_pred, of_gold = changes_in(pred), changes_in(gold)
    for change in CHANGES:
        more = of_pred.get(change, 0) - of_gold.get(change, 0)
        if more:
            yield Remark(RemarkKind.VERSION, "pred" if more > 0 else "gold", said_of(change))


def _of_query(side: str, query: Query) -> Iterator[Remark]:
    for name in query.quoted_strings:
        text = f'"{name}" is not a column; SQLite reads it as the string {sql_literal(name)}'
        yield Remark(RemarkKind.QUOTED_STRING, side, text)
    plain = without_index_names(query.asked)
    if plain != query.asked:
        yield Remark(
            RemarkKind.DIALECT, side, "INDEXED BY is ignored: whether there is the index is not checked"
        )
    if _dots(plain) > _dots(query.sql) and query.asked:
        text = "the schema names before tables are ignored, as in the DDL"
        yield Remark(RemarkKind.DIALECT, side, text)
    if sign := unescaped_pattern(query.sql):
        yield Remark(RemarkKind.DIALECT, side, f"{sign}; SQLite takes the backslash literally")


def _dots(text: str) -> int:
    return sum(token.word == "." for token in tokens(text))


WAYS = dict(
    row.split("\t", 1)
    for row in (Path(__file__).parent / "ways.tsv").read_text(encoding="utf-8").splitlines()
)
"""By what :class:`~equiv.core.query.Sign` shows; texts to start from, since types and NULL may differ."""


def way_of(construct: str) -> str:
    """``; in SQLite: …``, or '' where there is no short way."""
    way = WAYS.get(construct)
    return f"; in SQLite: {way}" if way else ""
