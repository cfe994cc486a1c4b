"""Signs in conditions, calls and sorting, as the query stands.

In conditions and calls: precedence, repeated conditions, COUNT of an ELSE, whole-number division. In ORDER
BY and LIMIT: ties that the schema allows, the wrong direction, text for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.blocks import base_column
from equiv.core.claims.fingerprint import operands
from equiv.core.claims.value_types import conforms
from equiv.core.lexer import tokens
from equiv.core.model import Affinity, Domain, quoted
from equiv.core.printing import key, to_sql
from equiv.core.runner import Result
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase, nodes_of
from equiv.eval.gold.signs.joins import joined_tables, place_of
from equiv.eval.gold.signs.wording import HIGHEST, LOWEST, superlatives_of

_NEGATION = re.compile(r"n't|\b(?:not|without|no|never|except)\b", re.IGNORECASE)
_ENDS = frozenset(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "GROUP",
        "HAVING",
        "ORDER",
        "LIMIT",
        "JOIN",
        "ON",
        "UNION",
        "INTERSECT",
        "EXCEPT",
        "WHEN",
        "THEN",
        "ELSE",
    ]
)


def precedence(subject: QueryInDatabase) -> Iterator[Finding]:
    """AND and OR stand side by side without parentheses, so that AND binds first.

    No fault: that is what is meant.
    Example: ``WHERE a = 1 OR a = 2 AND b = 3`` for "those of kind 1 or 2 whose b is 3".
    """
    if any({"AND", "OR"} <= run for run in _runs(subject.gold.sql)):
        yield Finding(Kind.PRECEDENCE, Basis.TEXT, "AND and OR stand side by side without parentheses")


def _runs(sql: str) -> Iterator[set[str]]:
    """The connectives of each condition at one depth of parentheses; AND of a BETWEEN is none."""
    open_runs: list[set[str]] = [set()]
    between = [0]
    for token in tokens(sql):
        word = token.word
        if word == "(":
            open_runs.append(set())
            between.append(0)
        elif word == ")" and len(open_runs) > 1:
            yield open_runs.pop()
            between.pop()
        elif word in _ENDS or word == ",":
            yield open_runs[-1]
            open_runs[-1] = set()
        elif word == "BETWEEN":
            between[-1] += 1
        elif word == "AND" and between[-1]:
            between[-1] -= 1
        elif word in {"AND", "OR"}:
            open_runs[-1].add(word)
    yield from open_runs


def repeated_condition(subject: QueryInDatabase) -> Iterator[Finding]:
    """One condition stands twice beside AND or OR: probably one of them was to be another.

    No fault: it is merely written twice.
    Example: ``WHERE a IS NULL OR a IS NULL``.
    """
    for node in nodes_of(subject.tree, exp.And, exp.Or) if subject.tree is not None else ():
        if isinstance(node.parent, type(node)):
            continue
        texts = [key(part) for part in operands(node, type(node))]
        if len(set(texts)) < len(texts):
            detail = f"a condition stands twice in {to_sql(node.copy())}"
            yield Finding(Kind.REPEATED_CONDITION, Basis.TEXT, detail)
            return


def self_equality(subject: QueryInDatabase) -> Iterator[Finding]:
    """A column is compared with itself, which is true, or NULL where it is NULL: probably another was meant.

    No fault: it is a test for NULL.
    Example: ``WHERE a.x = a.x``.
    """
    for node in nodes_of(subject.tree, exp.EQ) if subject.tree is not None else ():
        if node.find(exp.Column) is not None and key(node.this) == key(node.expression):
            detail = f"{to_sql(node.copy())} compares a column with itself"
            yield Finding(Kind.SELF_EQUALITY, Basis.TEXT, detail)
            return


def counts_else(subject: QueryInDatabase) -> Iterator[Finding]:
    """COUNT of a CASE whose ELSE is a value counts every row.

    No fault: rows with a value are to be counted either way.
    Example: ``COUNT(CASE WHEN a > 1 THEN 1 ELSE 0 END)``.
    """
    for call in nodes_of(subject.tree, exp.Count) if subject.tree is not None else ():
        other = call.this.args.get("default") if isinstance(call.this, exp.Case) else None
        if isinstance(call.this, exp.If):
            other = call.this.args.get("false")
        if other is not None and not isinstance(other, exp.Null):
            yield Finding(Kind.COUNTS_ELSE, Basis.TEXT, f"{to_sql(call.copy())} counts its ELSE, too")
            return


def whole_division(subject: QueryInDatabase) -> Iterator[Finding]:
    """Two whole numbers are divided, so that the fraction is cut off.

    No fault: it always divides evenly.
    Example: ``SUM(a = 1) / COUNT(*)``, which is 0 or 1.
    """
    for node in nodes_of(subject.tree, exp.Div) if subject.tree is not None else ():
        sides = (node.this, node.expression)
        if all(conforms(side, Domain.INTEGER, subject.context) is not None for side in sides):
            yield Finding(Kind.WHOLE_DIVISION, Basis.TEXT, f"{to_sql(node.copy())} is cut to a whole number")
            return


def negated_row(subject: QueryInDatabase) -> Iterator[Finding]:
    """The question says that something is not so, and the query takes each row where it is otherwise.

    That one row is otherwise does not say that none is so.
    No fault: there is one row for each thing.
    Example: "molecules without fluorine" by ``WHERE atom.element <> 'f'``.
    """
    if subject.tree is None or not _NEGATION.search(subject.gold.question):
        return
    for node in nodes_of(subject.tree, exp.NEQ, exp.Not):
        inner = node.this if isinstance(node, exp.Not) else node
        if isinstance(node, exp.NEQ) or (
            isinstance(inner, exp.Like | exp.In) and not inner.args.get("query")
        ):
            yield Finding(
                Kind.NEGATED_ROW, Basis.TEXT, f"{to_sql(node.copy())} holds of rows, not of all of them"
            )
            return


def excluded_by_value(subject: QueryInDatabase) -> Iterator[Finding]:
    """EXCEPT or NOT IN drops rows by a column that is no key, so that others of the same value go, too.

    No fault: equal values are one thing.
    Example: ``SELECT name FROM event EXCEPT SELECT name FROM event WHERE type = 'Game'``.
    """
    for node in nodes_of(subject.tree, exp.Except, exp.In) if subject.tree is not None else ():
        if isinstance(node, exp.In) and not (isinstance(node.parent, exp.Not) and node.args.get("query")):
            continue
        first = (
            node.this.expressions
            if isinstance(node, exp.Except) and isinstance(node.this, exp.Select)
            else [node.this]
        )
        columns = [output.unalias() for output in first]
        bases = [base_column(column, subject.context) for column in columns if isinstance(column, exp.Column)]
        if len(bases) == len(columns) == 1 and bases[0] is not None:
            table, column = bases[0]
            part_of_key = {c.lower() for key_ in subject.engine.facts.keys(table.name) for c in key_.columns}
            foreign = {c.lower() for reference in table.foreign_keys for c in reference.columns}
            if column.name.lower() not in part_of_key | foreign:
                detail = f"rows are dropped by {table.name}.{column.name}, which is no key"
                yield Finding(Kind.EXCLUDED_BY_VALUE, Basis.TEXT, detail)
                return


def idle_order(subject: QueryInDatabase) -> Iterator[Finding]:
    """A subquery is sorted without a LIMIT, which decides nothing.

    No fault: it is merely not needed.
    Example: ``SELECT day FROM (SELECT day FROM visit ORDER BY price DESC) ORDER BY day LIMIT 1``.
    """
    for select in nodes_of(subject.tree, exp.Select) if subject.tree is not None else ():
        if (
            select is not subject.tree
            and select.args.get("order") is not None
            and select.args.get("limit") is None
        ):
            yield Finding(
                Kind.IDLE_ORDER, Basis.TEXT, "a subquery is sorted without a LIMIT, which decides nothing"
            )
            return


def averages_zeros(subject: QueryInDatabase) -> Iterator[Finding]:
    """AVG, or a SUM that is divided, takes zeros of the data that may stand for missing values.

    No fault: zero is a value like others.
    Example: the average weight, where 0 is stored for a weight that is not known.
    """
    if subject.data is None or subject.tree is None:
        return
    for call in nodes_of(subject.tree, exp.Avg, exp.Sum):
        base = base_column(call.this, subject.context) if isinstance(call.this, exp.Column) else None
        if base is None or (isinstance(call, exp.Sum) and not call.find_ancestor(exp.Div)):
            continue
        table, column = (quoted(part.name) for part in base)
        found = subject.run(f"SELECT SUM({column} = 0), COUNT(*) FROM {table}")
        zeros, rows = found.rows[0] if isinstance(found, Result) else (0, 0)
        if isinstance(zeros, int) and isinstance(rows, int) and 0 < zeros < rows:
            detail = (
                f"{base[0].name}.{base[1].name} is 0 in {zeros} of {rows} rows, perhaps for what is missing"
            )
            yield Finding(Kind.AVERAGES_ZEROS, Basis.DATA, detail)
            return


_TIMES = re.compile(r"date|time|year|birth|day|dob|month", re.IGNORECASE)
_RANKS = re.compile(r"rank|position|place|order|number|id\Z", re.IGNORECASE)


def may_tie(subject: QueryInDatabase) -> Iterator[Finding]:
    """A LIMIT keeps the first of rows that may tie on every sort key: the schema does not forbid it.

    No fault: any of them will do, or the data have no tie (with data, ``tie`` tells).
    Example: ``SELECT name FROM person ORDER BY age DESC LIMIT 1``.
    """
    if subject.data is not None:
        return
    for select in _limited(subject):
        order = select.args.get("order")
        joined = joined_tables(select, subject.context)
        if order is None or joined is None:
            continue
        keys = [term.this for term in order.expressions]
        places = [place_of(term) for term in keys if isinstance(term, exp.Column)]
        if joined.tables.keys() - joined.determined(places):
            shown = ", ".join(to_sql(term.copy()) for term in keys)
            yield Finding(Kind.MAY_TIE, Basis.SCHEMA, f"several rows may share the first place by {shown}")
            return


def unordered_limit(subject: QueryInDatabase) -> Iterator[Finding]:
    """A LIMIT without ORDER BY keeps any rows.

    No fault: any will do.
    Example: ``SELECT name FROM person LIMIT 5``.
    """
    if any(select.args.get("order") is None for select in _limited(subject)):
        yield Finding(Kind.UNORDERED_LIMIT, Basis.TEXT, "a LIMIT without ORDER BY keeps any rows")


def direction(subject: QueryInDatabase) -> Iterator[Finding]:
    """The question asks for the highest, and the query sorts upwards and keeps the first; or the other way.

    No fault: the least value is the best one, as of ranks; keys named as times or ranks are left out.
    Example: "the highest score" by ``ORDER BY score LIMIT 1``.
    """
    words = superlatives_of(subject.gold.question)
    high, low = words & HIGHEST, words & LOWEST
    if bool(high) == bool(low):
        return
    for select in _limited(subject):
        order = select.args.get("order")
        if order is None:
            continue
        first = order.expressions[0]
        named = to_sql(first.this.copy())
        if (
            bool(first.args.get("desc")) != bool(high)
            and not _TIMES.search(named)
            and not _RANKS.search(named)
        ):
            way = "downwards" if first.args.get("desc") else "upwards"
            yield Finding(
                Kind.DIRECTION,
                Basis.TEXT,
                f"the question has {min(high | low)!r}, and {named} is sorted {way}",
            )
            return


def sorted_text(subject: QueryInDatabase) -> Iterator[Finding]:
    """The question asks for an extreme, and that is sought among texts: '9' comes after '10'.

    No fault: texts of one length, or words, are sorted; names of times are left out.  With data,
    ``text_numbers`` tells.
    Example: ``ORDER BY speed DESC LIMIT 1``, where speed is declared TEXT.
    """
    if subject.data is not None or not superlatives_of(subject.gold.question):
        return
    keys = [s.args["order"].expressions[0].this for s in _limited(subject) if s.args.get("order") is not None]
    if subject.tree is not None:
        keys += [call.this for call in nodes_of(subject.tree, exp.Min, exp.Max)]
    for term in keys:
        base = base_column(term, subject.context) if isinstance(term, exp.Column) else None
        if base is not None and base[1].affinity is Affinity.TEXT and not _TIMES.search(base[1].name):
            yield Finding(Kind.SORTED_TEXT, Basis.SCHEMA, f"{base[0].name}.{base[1].name} is sorted as text")
            return


def _limited(subject: QueryInDatabase) -> list[exp.Expression]:
    """The SELECTs that have a LIMIT."""
    if subject.tree is None:
        return []
    return [select for select in nodes_of(subject.tree, exp.Select) if select.args.get("limit") is not None]
