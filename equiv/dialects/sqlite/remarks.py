"""Remarks on two queries that a reader should know besides the verdict.

SQLite's way to say what other dialects have a function or a construct of their own for.
"""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.model import Schema
from equiv.core.query import Broken, Query, Sign
from equiv.core.single_values import sql_literal
from equiv.dialects.sqlite.foreign import POSTGRES, unescaped_pattern
from equiv.dialects.sqlite.versions import CHANGES, changes_in, said_of
from equiv.verdict import Remark, RemarkKind

_MOST_NOTES = 5


def remarks_on(pred: Query | Broken, gold: Query | Broken, schema: Schema) -> Iterator[Remark]:
    """The remarks that a schema and the texts of a pair call for."""
    if schema.foreign:
        text = f"{schema.foreign}; verdicts hold for SQLite, where LIKE ignores case and types are loose"
        text += _ADVICE if POSTGRES in schema.foreign else ""
        yield Remark(RemarkKind.DIALECT, "schema", text)
    yield from (Remark(RemarkKind.DIALECT, "schema", note) for note in schema.notes[:_MOST_NOTES])
    for side, query in (("pred", pred), ("gold", gold)):
        if side == "pred" and pred == gold:
            continue
        if isinstance(query, Query):
            yield from _of_query(side, query)
        elif query.sign is not None:
            sign = query.sign
            text = f"{sign}; the dialect here is SQLite{way_of(sign.construct)}{_advice(sign)}"
            yield Remark(RemarkKind.DIALECT, side, text)


_ADVICE = f"; --dialect postgres reads {POSTGRES}"


def _advice(sign: Sign) -> str:
    return _ADVICE if POSTGRES in sign.dialect else ""


def remarks_on_versions(pred: str, gold: str) -> Iterator[Remark]:
    """Remarks on constructs of one text that another version of SQLite may answer otherwise.

    What stands as often in both is passed over: mostly, both then answer otherwise alike.
    """
    of_pred, of_gold = changes_in(pred), changes_in(gold)
    for change in CHANGES:
        more = of_pred.get(change, 0) - of_gold.get(change, 0)
        if more:
            yield Remark(RemarkKind.VERSION, "pred" if more > 0 else "gold", said_of(change))


def _of_query(side: str, query: Query) -> Iterator[Remark]:
    for name in query.quoted_strings:
        text = f'"{name}" names no column; SQLite reads it as the string {sql_literal(name)}'
        yield Remark(RemarkKind.QUOTED_STRING, side, text)
    if query.asked:
        text = "tables are read without the name of the schema before them, which the DDL has too"
        yield Remark(RemarkKind.DIALECT, side, text)
    if sign := unescaped_pattern(query.sql):
        yield Remark(RemarkKind.DIALECT, side, f"{sign}; SQLite takes the backslash literally")


_PART = "CAST(strftime('%{}', d) AS INTEGER)"

WAYS = {
    "IFF()": "IIF(condition, a, b)",
    "IF()": "IIF(condition, a, b)",
    "DECODE()": "CASE x WHEN a THEN b ELSE c END",
    "NVL()": "IFNULL(a, b)",
    "ISNULL()": "IFNULL(a, b)",
    "NVL2()": "IIF(a IS NOT NULL, b, c)",
    "ZEROIFNULL()": "IFNULL(a, 0)",
    "GREATEST()": "MAX(a, b), which is NULL if one is",
    "LEAST()": "MIN(a, b), which is NULL if one is",
    "TO_VARCHAR()": "CAST(x AS TEXT), of a date strftime('%Y-%m', d)",
    "TO_CHAR()": "strftime('%Y-%m', d), of a number printf('%.2f', x)",
    "TO_NUMBER()": "CAST(x AS REAL)",
    "TO_DATE()": "date(d), of a text YYYY-MM-DD",
    "TO_TIMESTAMP()": "datetime(d)",
    "SAFE_CAST()": "CAST(x AS type)",
    "TRY_CAST()": "CAST(x AS type)",
    "CONVERT()": "CAST(x AS type)",
    "::": "CAST(x AS type)",
    "DATE_TRUNC()": "date(d, 'start of month') or date(d, 'start of year')",
    "DATE_FORMAT()": "strftime('%Y-%m', d)",
    "FORMAT_DATE()": "strftime('%Y-%m', d)",
    "YEAR()": _PART.format("Y"),
    "MONTH()": _PART.format("m"),
    "DAY()": _PART.format("d"),
    "HOUR()": _PART.format("H"),
    "MINUTE()": _PART.format("M"),
    "EXTRACT()": "CAST(strftime('%Y', d) AS INTEGER) for the year, %m, %d, %H, %M, %S for other parts",
    "DATE_PART()": "CAST(strftime('%Y', d) AS INTEGER) for the year, %m, %d, %H, %M, %S for other parts",
    "DATEPART()": "CAST(strftime('%Y', d) AS INTEGER) for the year, %m, %d, %H, %M, %S for other parts",
    "DATEDIFF()": "julianday(a) - julianday(b), in days",
    "DATE_DIFF()": "julianday(a) - julianday(b), in days",
    "DATE_ADD()": "date(d, '+1 day')",
    "DATE_SUB()": "date(d, '-1 day')",
    "DATEADD()": "date(d, '+1 day')",
    "ADD_MONTHS()": "date(d, '+1 month')",
    "LAST_DAY()": "date(d, 'start of month', '+1 month', '-1 day')",
    "EOMONTH()": "date(d, 'start of month', '+1 month', '-1 day')",
    "INTERVAL": "date(d, '+1 day')",
    "DATE '…'": "'…' alone, dates being texts",
    "TIMESTAMP '…'": "'…' alone, times being texts",
    "NOW()": "datetime('now')",
    "GETDATE()": "datetime('now')",
    "SYSDATE": "datetime('now')",
    "CURDATE()": "date('now')",
    "LEFT()": "substr(s, 1, n)",
    "RIGHT()": "substr(s, -n)",
    "LEN()": "length(s)",
    "CHARINDEX()": "instr(s, part)",
    "LOCATE()": "instr(s, part)",
    "POSITION()": "instr(s, part)",
    "STARTSWITH()": "substr(s, 1, length(part)) = part",
    "CONTAINS()": "instr(s, part) > 0",
    "CONCAT()": "a || b, which is NULL if one is",
    "LCASE()": "lower(s)",
    "UCASE()": "upper(s)",
    "STRING_AGG()": "group_concat(x, separator)",
    "LISTAGG()": "group_concat(x, separator)",
    "ARRAY_AGG()": "json_group_array(x)",
    "COUNTIF()": "COUNT(*) FILTER (WHERE condition)",
    "COUNT_IF()": "COUNT(*) FILTER (WHERE condition)",
    "BOOL_AND()": "MIN(condition)",
    "BOOL_OR()": "MAX(condition)",
    "SAFE_DIVIDE()": "CAST(a AS REAL) / NULLIF(b, 0)",
    "DIV0()": "IFNULL(CAST(a AS REAL) / NULLIF(b, 0), 0)",
    "RAND()": "random()",
    "ILIKE": "LIKE, which ignores the case of ASCII letters",
    "TOP": "LIMIT n, at the end",
    "FETCH FIRST": "LIMIT n",
    "FETCH NEXT": "LIMIT n",
    "LIMIT ALL": "no LIMIT",
    "MINUS": "EXCEPT",
    "FROM DUAL": "no FROM",
    "XOR": "(a <> 0) <> (b <> 0)",
    "DIV": "CAST(a / b AS INTEGER)",
    "<=>": "a IS b",
    "the escape \\'": "''",
    "QUALIFY": "WHERE around a subquery that selects the window function",
    "DISTINCT ON": "ROW_NUMBER() OVER (PARTITION BY …) = 1 around a subquery",
}
"""By what :class:`~equiv.core.query.Sign` shows; texts to start from, since types and NULL may differ."""


def way_of(construct: str) -> str:
    """``; in SQLite: …``, or '' where there is no short way."""
    way = WAYS.get(construct)
    return f"; in SQLite: {way}" if way else ""
