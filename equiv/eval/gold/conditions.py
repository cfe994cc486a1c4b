"""Signs in conditions, calls and sorting, as the query stands, and texts taken as numbers or names.

In conditions and calls: precedence, repeated conditions, COUNT of an ELSE, whole-number division.  In
ORDER BY and LIMIT: ties that the schema allows, the wrong direction, text for numbers.  Elsewhere numbers
are taken as text, a text as a number, or a string for the column of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from sqlglot import exp

from equiv.answers.compare import match_rows
from equiv.answers.exact import sql_call
from equiv.cells import Cell, Row
from equiv.core.claims.blocks import (
    COMPARISONS,
    base_column,
    is_aggregate,
    is_literal,
    is_number,
    is_text,
    tables_read,
)
from equiv.core.claims.fingerprint import operands
from equiv.core.claims.value_types import WEAK, affinity, conforms
from equiv.core.lexer import tokens
from equiv.core.model import Affinity, Column, Context, Domain, Table, quoted
from equiv.core.printing import key, to_sql
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.core.single_values import sql_literal
from equiv.dialects.protocol import Session
from equiv.eval.gold.execution import QueryInDatabase, nodes_of, sign_in
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding
from equiv.eval.gold.joins import joined_tables, place_of
from equiv.eval.gold.wording import HIGHEST, LOWEST, superlatives_of
from equiv.names import fold
from equiv.tiers.data import CAPS

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


def precedence(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """AND and OR stand side by side without parentheses, so that AND binds first.

    No fault: that is what is meant.
    Example: ``WHERE a = 1 OR a = 2 AND b = 3`` for "those of kind 1 or 2 whose b is 3".
    """
    if any({"AND", "OR"} <= run for run in _runs(subject.gold.sql)):
        yield GoldFinding(
            GoldFault.PRECEDENCE, Basis.TEXT, "AND and OR stand side by side without parentheses"
        )


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


@sign_in(Basis.TEXT)
def repeated_condition(subject: QueryInDatabase) -> str | None:
    """One condition stands twice beside AND or OR: probably one of them was to be another.

    No fault: it is merely written twice.
    Example: ``WHERE a IS NULL OR a IS NULL``.
    """
    for node in subject.nodes(exp.And, exp.Or):
        if isinstance(node.parent, type(node)):
            continue
        texts = [key(part) for part in operands(node, type(node))]
        if len(set(texts)) < len(texts):
            return f"a condition stands twice in {to_sql(node.copy())}"
    return None


@sign_in(Basis.TEXT)
def self_equality(subject: QueryInDatabase) -> str | None:
    """A column is compared with itself, which is true, or NULL where it is NULL: probably another was meant.

    No fault: it is a test for NULL.
    Example: ``WHERE a.x = a.x``.
    """
    for node in subject.nodes(exp.EQ):
        if node.find(exp.Column) is not None and key(node.this) == key(node.expression):
            return f"{to_sql(node.copy())} compares a column with itself"
    return None


@sign_in(Basis.TEXT)
def counts_else(subject: QueryInDatabase) -> str | None:
    """COUNT of a CASE whose ELSE is a value counts every row.

    No fault: rows with a value are to be counted either way.
    Example: ``COUNT(CASE WHEN a > 1 THEN 1 ELSE 0 END)``.
    """
    for call in subject.nodes(exp.Count):
        other = call.this.args.get("default") if isinstance(call.this, exp.Case) else None
        if isinstance(call.this, exp.If):
            other = call.this.args.get("false")
        if other is not None and not isinstance(other, exp.Null):
            return f"{to_sql(call.copy())} counts its ELSE, too"
    return None


@sign_in(Basis.TEXT)
def whole_division(subject: QueryInDatabase) -> str | None:
    """Two whole numbers are divided, so that the fraction is cut off.

    No fault: it always divides evenly.
    Example: ``SUM(a = 1) / COUNT(*)``, which is 0 or 1.
    """
    for node in subject.nodes(exp.Div):
        sides = (node.this, node.expression)
        if all(conforms(side, Domain.INTEGER, subject.context) is not None for side in sides):
            return f"{to_sql(node.copy())} is cut to a whole number"
    return None


@sign_in(Basis.TEXT)
def negated_row(subject: QueryInDatabase) -> str | None:
    """The question says that something is not so, and the query takes each row where it is otherwise.

    That one row is otherwise does not say that none is so.
    No fault: there is one row for each thing.
    Example: "molecules without fluorine" by ``WHERE atom.element <> 'f'``.
    """
    if not _NEGATION.search(subject.gold.question):
        return None
    for node in subject.nodes(exp.NEQ, exp.Not):
        inner = node.this if isinstance(node, exp.Not) else node
        if isinstance(node, exp.NEQ) or (
            isinstance(inner, exp.Like | exp.In) and not inner.args.get("query")
        ):
            return f"{to_sql(node.copy())} holds of rows, not of all of them"
    return None


@sign_in(Basis.TEXT)
def excluded_by_value(subject: QueryInDatabase) -> str | None:
    """EXCEPT or NOT IN drops rows by a column that is no key, so that others of the same value go, too.

    No fault: equal values are one thing.
    Example: ``SELECT name FROM event EXCEPT SELECT name FROM event WHERE type = 'Game'``.
    """
    for node in subject.nodes(exp.Except, exp.In):
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
            part_of_key = {fold(c) for key_ in subject.engine.facts.keys(table.name) for c in key_.columns}
            foreign = {fold(c) for reference in table.foreign_keys for c in reference.columns}
            if fold(column.name) not in part_of_key | foreign:
                return f"rows are dropped by {table.name}.{column.name}, which is no key"
    return None


@sign_in(Basis.TEXT)
def idle_order(subject: QueryInDatabase) -> str | None:
    """A subquery is sorted without a LIMIT, which decides nothing.

    No fault: it is merely not needed.
    Example: ``SELECT day FROM (SELECT day FROM visit ORDER BY price DESC) ORDER BY day LIMIT 1``.
    """
    for select in subject.nodes(exp.Select):
        if (
            select is not subject.tree
            and select.args.get("order") is not None
            and select.args.get("limit") is None
        ):
            return "a subquery is sorted without a LIMIT, which decides nothing"
    return None


@sign_in(Basis.DATA)
def averages_zeros(subject: QueryInDatabase) -> str | None:
    """AVG, or a SUM that is divided, takes zeros of the data that may stand for missing values.

    No fault: zero is a value like others.
    Example: the average weight, where 0 is stored for a weight that is not known.
    """
    if subject.data is None:
        return None
    for call in subject.nodes(exp.Avg, exp.Sum):
        base = base_column(call.this, subject.context) if isinstance(call.this, exp.Column) else None
        if base is None or (isinstance(call, exp.Sum) and not call.find_ancestor(exp.Div)):
            continue
        table, column = (quoted(part.name) for part in base)
        found = subject.run(f"SELECT SUM({column} = 0), COUNT(*) FROM {table}")
        zeros, rows = found.rows[0] if isinstance(found, Result) else (0, 0)
        if isinstance(zeros, int) and isinstance(rows, int) and 0 < zeros < rows:
            return (
                f"{base[0].name}.{base[1].name} is 0 in {zeros} of {rows} rows, perhaps for what is missing"
            )
    return None


_TIMES = re.compile(r"date|time|year|birth|day|dob|month", re.IGNORECASE)
_RANKS = re.compile(r"rank|position|place|order|number|id\Z", re.IGNORECASE)


@sign_in(Basis.SCHEMA)
def may_tie(subject: QueryInDatabase) -> str | None:
    """A LIMIT keeps the first of rows that may tie on every sort key: the schema does not forbid it.

    No fault: any of them will do, or the data have no tie (with data, ``tie`` tells).
    Example: ``SELECT name FROM person ORDER BY age DESC LIMIT 1``.
    """
    if subject.data is not None:
        return None
    for select in _limited(subject):
        order = select.args.get("order")
        joined = joined_tables(select, subject.context)
        if order is None or joined is None:
            continue
        keys = [term.this for term in order.expressions]
        places = [place_of(term) for term in keys if isinstance(term, exp.Column)]
        if joined.tables.keys() - joined.determined(places):
            shown = ", ".join(to_sql(term.copy()) for term in keys)
            return f"several rows may share the first place by {shown}"
    return None


@sign_in(Basis.TEXT)
def unordered_limit(subject: QueryInDatabase) -> str | None:
    """A LIMIT without ORDER BY keeps any rows.

    No fault: any will do.
    Example: ``SELECT name FROM person LIMIT 5``.
    """
    if any(select.args.get("order") is None for select in _limited(subject)):
        return "a LIMIT without ORDER BY keeps any rows"
    return None


@sign_in(Basis.TEXT)
def direction(subject: QueryInDatabase) -> str | None:
    """The question asks for the highest, and the query sorts upwards and keeps the first; or the other way.

    No fault: the least value is the best one, as of ranks; keys named as times or ranks are left out.
    Example: "the highest score" by ``ORDER BY score LIMIT 1``.
    """
    words = superlatives_of(subject.gold.question)
    high, low = words & HIGHEST, words & LOWEST
    if bool(high) == bool(low):
        return None
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
            return f"the question has {min(high | low)!r}, and {named} is sorted {way}"
    return None


@sign_in(Basis.SCHEMA)
def sorted_text(subject: QueryInDatabase) -> str | None:
    """The question asks for an extreme, and that is sought among texts: '9' comes after '10'.

    No fault: texts of one length, or words, are sorted; names of times are left out.  With data,
    ``text_numbers`` tells.
    Example: ``ORDER BY speed DESC LIMIT 1``, where speed is declared TEXT.
    """
    if subject.data is not None or not superlatives_of(subject.gold.question):
        return None
    keys = [s.args["order"].expressions[0].this for s in _limited(subject) if s.args.get("order") is not None]
    if subject.tree is not None:
        keys += [call.this for call in subject.nodes(exp.Min, exp.Max)]
    for term in keys:
        base = base_column(term, subject.context) if isinstance(term, exp.Column) else None
        if base is not None and base[1].affinity is Affinity.TEXT and not _TIMES.search(base[1].name):
            return f"{base[0].name}.{base[1].name} is sorted as text"
    return None


def _limited(subject: QueryInDatabase) -> list[exp.Expression]:
    """The SELECTs that have a LIMIT."""
    return [select for select in subject.nodes(exp.Select) if select.args.get("limit") is not None]


AS_MEANT = "equiv_as_meant"
SHARE = 0.9
"""How much of a column's values must be numbers for it to be a column of numbers."""
VALUES = 20_000
"""How many of them are looked at."""

_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_EXTREMES = (exp.Min, exp.Max)
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*\Z", re.ASCII)
_DATE = re.compile(r"(1[5-9]|20)\d\d((0[1-9]|1[0-2])([0-2]\d|3[01])?)?\Z")
"""A year, or a year and a month, or these and a day, of one length each."""


def text_numbers(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query sorts or compares numbers as text, or compares a text with a number.

    '9' comes after '10'.  Reported are a column of text whose values are numbers (nine in ten of the data's),
    sorted or compared by < and the like, by MIN or MAX, if the answer is another once they count as numbers;
    without data, such a column that is compared with a number; and a text without affinity (STRFTIME,
    SUBSTR) that is compared with a number, to which it is never equal and always greater.
    No fault: texts of one length sort as numbers do.  With data they are not reported, and without it no
    number that reads as a date of the last centuries (2013, 201301, 20130131).
    Example: ``SELECT MAX(score) FROM game``, where score is declared TEXT.
    """
    tree = subject.tree
    if tree is None:
        return
    for text in _blind(tree, subject.context):
        yield GoldFinding(
            GoldFault.TEXT_NUMBERS, Basis.TEXT, f"a text is compared with a number: {to_sql(text.copy())}"
        )
    if subject.data is not None:
        yield from _on_data(subject, tree, subject.data)
        return
    for comparison in nodes_of(tree, *_ORDERING):
        sides = list(comparison.iter_expressions())
        numbers = [side for side in sides if is_number(side) and not _DATE.match(to_sql(side.copy()))]
        if numbers and any(_text_column(side, subject.context) for side in sides):
            told = to_sql(comparison.copy())
            detail = f"a column of text is compared with a number, digit by digit: {told}"
            yield GoldFinding(GoldFault.TEXT_NUMBERS, Basis.SCHEMA, detail)


def _blind(tree: exp.Expression, ctx: Context) -> Iterator[exp.Expression]:
    """Comparisons of a text with a number, neither of which gives the other its affinity."""
    for node in nodes_of(tree, *COMPARISONS, exp.Between, exp.In):
        sides = [side for side in node.iter_expressions() if not isinstance(side, exp.Query)]
        texts = [side for side in sides if affinity(side, ctx) in WEAK and _is_text(side, ctx)]
        if texts and any(map(is_number, sides)):
            yield node


def _is_text(node: exp.Expression, ctx: Context) -> bool:
    return not isinstance(node, exp.Literal) and conforms(node, Domain.TEXT, ctx) is not None


def _text_column(node: exp.Expression, ctx: Context) -> tuple[Table, Column] | None:
    base = base_column(node, ctx) if isinstance(node, exp.Column) else None
    return base if base is not None and base[1].affinity is Affinity.TEXT else None


def _on_data(subject: QueryInDatabase, tree: exp.Expression, data: Session) -> Iterator[GoldFinding]:
    changed = tree.copy()
    columns = _count_as_numbers(changed, subject.context, data)
    if not columns:
        return
    data.core.connection.create_function(AS_MEANT, 1, as_meant, deterministic=True)
    results = subject.rows(changed)
    if results is None or not isinstance(subject.answer, Result):
        return
    names = ", ".join(columns)
    here, there = match_rows(_as_numbers(subject.answer.rows), _as_numbers(results.rows))
    if here or there:
        detail = f"{names}: numbers as text; as numbers the answer is another"
        yield GoldFinding(GoldFault.TEXT_NUMBERS, Basis.DATA, detail, tuple(here), other_rows=tuple(there))
    elif rows := _out_of_order(subject, tree):
        detail = f"{names}: numbers as text; these rows are out of order as numbers"
        yield GoldFinding(GoldFault.TEXT_NUMBERS, Basis.DATA, detail, rows)


def _count_as_numbers(tree: exp.Expression, ctx: Context, data: Session) -> list[str]:
    """Make what is sorted and compared in a tree count as numbers, in place; which columns that changes."""
    parents = nodes_of(tree, exp.Ordered, *_EXTREMES, *_ORDERING)
    places = [place for node in parents for place in node.iter_expressions()]
    wanted = {}
    for place in places:
        column = _text_column(place, ctx)
        if column is not None and _holds_numbers(data, *column):
            wanted[id(place)] = f"{column[0].name}.{column[1].name}"
    beside = {id(place) for place in places if any(id(other) in wanted for other in _beside(place))}
    for place in places:
        if id(place) in beside or id(place) in wanted:
            place.replace(sql_call(AS_MEANT, place.copy()))
    return list(dict.fromkeys(wanted.values()))


def _beside(place: exp.Expression) -> list[exp.Expression]:
    """What a place is compared with."""
    parent = place.parent
    return list(parent.iter_expressions()) if isinstance(parent, _ORDERING) else []


def _holds_numbers(data: Session, table: Table, column: Column) -> bool:
    name = quoted(column.name)
    found = data.core.run(
        f"SELECT DISTINCT {name} FROM {quoted(table.name)} WHERE {name} <> '' LIMIT {VALUES}", CAPS
    )
    if not isinstance(found, Result) or not found.rows:
        return False
    numbers = sum(isinstance(as_meant(cell), int | float) for (cell,) in found.rows)
    return numbers >= SHARE * len(found.rows)


def as_meant(cell: Cell) -> Cell:
    """A cell as a number if it is a plain decimal text; any other cell unchanged."""
    if not isinstance(cell, str) or not _NUMBER.match(cell):
        return cell
    try:
        return int(cell)
    except ValueError:
        return float(cell)


def _as_numbers(rows: Sequence[Row]) -> list[Row]:
    return [tuple(map(as_meant, row)) for row in rows]


def _out_of_order(subject: QueryInDatabase, tree: exp.Expression) -> tuple[Row, ...]:
    """Two rows of an ordered answer whose first keys stand the wrong way round as numbers, if there are."""
    order = tree.args.get("order")
    if order is None or not isinstance(tree, exp.Select) or tree.args.get("distinct") is not None:
        return ()
    first = order.expressions[0]
    if _text_column(first.this, subject.context) is None:
        return ()
    keyed = tree.copy()
    keyed.append("expressions", exp.alias_(first.this.copy(), AS_MEANT))
    results = subject.rows(keyed)
    rows = [row for row in results.rows if isinstance(as_meant(row[-1]), int | float)] if results else []
    for one, other in pairwise(rows):
        before, after = as_meant(one[-1]), as_meant(other[-1])
        assert isinstance(before, int | float)
        assert isinstance(after, int | float)
        if before < after if first.args.get("desc") else before > after:
            return one, other
    return ()


_OF_NUMBERS = (exp.Sum, exp.Avg, exp.Min, exp.Max)


def quoted_name(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query has a string where only a column makes sense, mostly a misspelt name in double quotes.

    SQLite reads a name in double quotes that names no column as a string, without a word.  Reported is one
    that is selected, sorted or grouped by, aggregated, or compared with a constant; or whose letters are
    those of a column of the tables that are read; and a string in single quotes as a key or in SUM, AVG, MIN
    or MAX.  ``city = "Paris"`` is a string in SQLite and meant as one, so it is not reported.
    No fault: a constant that is to label the rows.
    Example: ``SELECT name FROM person ORDER BY "brith date"``: every row has the same key.
    """
    query = subject.query
    if not isinstance(query, Query):
        return
    if query.tree is None:
        columns = _letters_of_columns(subject.engine.schema.tables)
        names = [name for name in query.quoted_strings if _letters(name) in columns]
    else:
        columns = _letters_of_columns(tables_read([query.tree], subject.engine.schema))
        names = [text.name for text in query.tree.find_all(exp.Literal) if _is_misplaced(text, columns)]
    for name in dict.fromkeys(names):
        yield GoldFinding(
            GoldFault.QUOTED_NAME, Basis.TEXT, f"{sql_literal(name)} is a string where a column is meant"
        )


def _is_misplaced(text: exp.Expression, columns: set[str]) -> bool:
    if not is_text(text):
        return False
    parent = text.parent
    if isinstance(parent, exp.Ordered | exp.Group) or _is_of_numbers(parent):
        return True
    if not text.meta.get("misread"):
        return False
    if isinstance(parent, exp.Alias) or (parent is not None and is_aggregate(parent)):  # type: ignore[arg-type]
        return True
    if isinstance(parent, COMPARISONS) and all(map(is_literal, parent.iter_expressions())):
        return True
    return _letters(text.name) in columns


def _is_of_numbers(call: exp.Expr | None) -> bool:
    return isinstance(call, _OF_NUMBERS) and is_aggregate(call)


def _letters_of_columns(tables: Iterable[Table]) -> set[str]:
    return {_letters(column.name) for table in tables for column in table.columns}


def _letters(name: str) -> str:
    """A name less its qualifier, case, blanks and signs."""
    return re.sub(r"[\W_]+", "", name.rpartition(".")[2]).lower()
