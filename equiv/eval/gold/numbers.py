"""Gold queries that take numbers as text, a text as a number, or a string for the column of that name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlglot import exp

from equiv.answers.choices import sql_call
from equiv.answers.compare import match_rows
from equiv.cells import Cell, Row
from equiv.core.claims.blocks import COMPARISONS, base_column, is_aggregate, is_literal, is_number, is_text
from equiv.core.claims.value_types import WEAK, affinity, conforms
from equiv.core.model import Affinity, Column, Context, Domain, Schema, Table, quoted
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.core.single_values import sql_literal
from equiv.dialects.protocol import Session
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase, nodes_of
from equiv.tiers.data import CAPS

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


def text_numbers(subject: QueryInDatabase) -> Iterator[Finding]:
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
        yield Finding(
            Kind.TEXT_NUMBERS, Basis.TEXT, f"a text is compared with a number: {to_sql(text.copy())}"
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
            yield Finding(Kind.TEXT_NUMBERS, Basis.SCHEMA, detail)


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


def _on_data(subject: QueryInDatabase, tree: exp.Expression, data: Session) -> Iterator[Finding]:
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
        yield Finding(Kind.TEXT_NUMBERS, Basis.DATA, detail, tuple(here), other_rows=tuple(there))
    elif rows := _out_of_order(subject, tree):
        detail = f"{names}: numbers as text; these rows are out of order as numbers"
        yield Finding(Kind.TEXT_NUMBERS, Basis.DATA, detail, rows)


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


def quoted_name(subject: QueryInDatabase) -> Iterator[Finding]:
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
        columns = _letters_of_columns(subject.engine.schema)
        names = [name for name in query.quoted_strings if _letters(name) in columns]
    else:
        names = [text.name for text in query.tree.find_all(exp.Literal) if _is_misplaced(text, subject)]
    for name in dict.fromkeys(names):
        yield Finding(
            Kind.QUOTED_NAME, Basis.TEXT, f"{sql_literal(name)} is a string where a column is meant"
        )


def _is_misplaced(text: exp.Expression, subject: QueryInDatabase) -> bool:
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
    return _letters(text.name) in _letters_of_columns(subject.engine.schema, _tables(text))


def _is_of_numbers(call: exp.Expr | None) -> bool:
    return isinstance(call, _OF_NUMBERS) and is_aggregate(call)


def _tables(node: exp.Expression) -> set[str]:
    """The tables that the whole query reads, in lower case."""
    return {table.name.lower() for table in node.root().find_all(exp.Table)}


def _letters_of_columns(schema: Schema, tables: set[str] | None = None) -> set[str]:
    chosen = [t for t in schema.tables if tables is None or t.name.lower() in tables]
    return {_letters(column.name) for table in chosen for column in table.columns}


def _letters(name: str) -> str:
    """A name less its qualifier, case, blanks and signs."""
    return re.sub(r"[\W_]+", "", name.rpartition(".")[2]).lower()
