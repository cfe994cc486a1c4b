"""What sqlglot leaves for DuckDB to refuse in a query of SQLite's, said as DuckDB says it: named repairs.

Each was checked by hand against what SQLite does with the text as it is.  Where SQLite makes a free choice (a
column beside GROUP BY) or compares values of different types by their type alone, there is no repair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.model import Column, Domain, Schema, domain_of

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_PART_OF_DATE = re.compile(r"%[YmdHMSj]")
_DATES = frozenset(("DATE", "DATETIME", "TIMESTAMP"))


@dataclass(frozen=True)
class Text:
    """A query of SQLite's as sqlglot reads it, and the tables that its columns are of."""

    tree: exp.Expr
    schema: Schema

    def column(self, node: exp.Expr | None) -> Column | None:
        """The column of the schema that a node names; None if it names none, or several."""
        if not isinstance(node, exp.Column):
            return None
        found = {}
        for source in self.tree.find_all(exp.Table):
            table = self.schema.table(source.name)
            named = not node.table or node.table.lower() == source.alias_or_name.lower()
            if table is not None and named and (column := table.column(node.name)):
                found[table.name, column.name] = column
        return next(iter(found.values())) if len(found) == 1 else None

    def is_text(self, node: exp.Expr | None) -> bool:
        """Whether a node names a column of texts that are no dates."""
        column = self.column(node)
        if column is None or _is_date(column):
            return False
        return domain_of(column.declared_type) in (Domain.TEXT, Domain.ANY)


def _is_date(column: Column) -> bool:
    return column.declared_type.upper().partition("(")[0].strip() in _DATES


def number_of_date_part(text: Text) -> bool:
    """A part of a date that is computed with: SQLite takes its digits for a number."""
    places = [
        each
        for each in text.tree.find_all(exp.TimeToStr)
        if _PART_OF_DATE.fullmatch(each.text("format")) and isinstance(_outside(each), _ARITHMETIC)
    ]
    return _cast(places, exp.DType.BIGINT)


def number_of_text(text: Text) -> bool:
    """A column of texts that is added up, averaged or computed with: SQLite takes the number at its start."""
    places = [
        each
        for each in text.tree.find_all(exp.Column)
        if isinstance(_outside(each), (*_ARITHMETIC, exp.Sum, exp.Avg)) and text.is_text(each)
    ]
    return _cast(places, exp.DType.DOUBLE)


def text_of_date(text: Text) -> bool:
    """A date under LIKE or SUBSTR: SQLite keeps dates as texts."""
    places = [
        each
        for parent in text.tree.find_all(exp.Like, exp.Substring)
        if (column := text.column(each := parent.this)) is not None and _is_date(column)
    ]
    return _cast(places, exp.DType.VARCHAR)


def text_of_number(text: Text) -> bool:
    """A number that a column of texts is compared with: SQLite's affinity makes a text of it."""
    places = [
        other
        for node in text.tree.find_all(*_COMPARISONS, exp.Between, exp.In)
        for column, others in _compared(node)
        if text.is_text(column)
        for other in others
        if isinstance(other, exp.Literal) and other.is_number
    ]
    for place in places:
        place.replace(exp.Literal.string(place.name))
    return bool(places)


def columns_of_grouped_key(text: Text) -> bool:
    """Columns beside the GROUP BY of their table's key, which it determines: they join the GROUP BY."""
    changed = False
    for select in text.tree.find_all(exp.Select):
        group = select.args.get("group")
        if group is None or not group.expressions:
            continue
        keys = {each.sql() for each in group.expressions}
        sources = _sources(select)
        for alias, name in sources.items():
            table = text.schema.table(name)
            if table is None or not table.primary_key or not _has_key(group, alias, table.primary_key):
                continue
            for each in [column for column in _beside(select) if column.table.lower() == alias]:
                if each.sql() not in keys:
                    keys.add(each.sql())
                    group.append("expressions", each.copy())
                    changed = True
    return changed


REPAIRS: tuple[Callable[[Text], bool], ...] = (
    number_of_date_part,
    number_of_text,
    text_of_date,
    text_of_number,
    columns_of_grouped_key,
)


def repair(tree: exp.Expr, schema: Schema) -> list[str]:
    """The names of the repairs that change a tree, which is changed in place."""
    return [each.__name__ for each in REPAIRS if each(Text(tree, schema))]


def _outside(node: exp.Expr) -> exp.Expr | None:
    """What a node stands in, parentheses aside."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent


def _cast(places: Sequence[exp.Expr], kind: exp.DType) -> bool:
    for place in places:
        place.replace(exp.Cast(this=place.copy(), to=exp.DataType.build(kind)))
    return bool(places)


def _compared(node: exp.Expr) -> Iterator[tuple[exp.Expr, list[exp.Expr]]]:
    match node:
        case exp.Between():
            yield node.this, [node.args["low"], node.args["high"]]
        case exp.In():
            yield node.this, node.expressions
        case _:
            yield node.this, [node.expression]
            yield node.expression, [node.this]


def _sources(select: exp.Select) -> dict[str, str]:
    """The tables of a block by what they are called there, in small letters."""
    places = [select.args.get("from_"), *(select.args.get("joins") or ())]
    tables = [place.this for place in places if place is not None and isinstance(place.this, exp.Table)]
    return {table.alias_or_name.lower(): table.name for table in tables}


def _has_key(group: exp.Group, alias: str, key: tuple[str, ...]) -> bool:
    columns = [each for each in group.expressions if isinstance(each, exp.Column)]
    named = {each.name.lower() for each in columns if each.table.lower() == alias}
    return {name.lower() for name in key} <= named


def _beside(select: exp.Select) -> Iterator[exp.Column]:
    """The columns that a grouped block shows, filters or orders by outside of aggregates."""
    places = [*select.expressions, select.args.get("having"), select.args.get("order")]
    for place in filter(None, places):
        for column in place.find_all(exp.Column):
            if column.find_ancestor(exp.AggFunc) is None and column.parent_select is select:
                yield column
