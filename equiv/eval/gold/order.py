"""Gold queries whose LIMIT cuts through tied rows, or keeps rows with a NULL sort key."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.cells import Row
from equiv.core.claims.nullness import never_null, rejected_nulls
from equiv.core.claims.sources import base_column
from equiv.core.claims.top_level import limits
from equiv.core.opaque_choices import Opaque
from equiv.core.printing.trees import key, to_sql
from equiv.core.query import Query
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase

INNER = "equiv_inner"
APPENDED = -1


def tie(subject: QueryInDatabase) -> Iterator[Finding]:
    """A LIMIT takes some of several tied rows that differ in the selected columns.

    Another query that takes another of them is as right, and counts as wrong where results are compared.
    In a subquery a tie is reported only if it was seen to change the answer of the whole.
    No fault: the question asks for any one of them.
    Example: ``SELECT name FROM person ORDER BY age DESC LIMIT 1``, where two are oldest.
    """
    for part, whole in subject.cutting:
        if not whole and not subject.varies:
            continue
        for taken, rows in _cut(subject, part):
            where = "its LIMIT" if whole else "the LIMIT of a subquery"
            among = "tied rows" if part.orders else "rows, without ORDER BY,"
            detail = f"{where} takes {taken} of {len(rows)} {among} of the data"
            yield Finding(Kind.TIE, Basis.DATA, detail, rows)


def _cut(subject: QueryInDatabase, part: Query) -> Iterator[tuple[int, tuple[Row, ...]]]:
    """How many rows are taken of which tied ones, where that is sure whatever else is left to choice."""
    found = subject.possible(part)
    if found is None or len(found.seen) > 1:
        return
    for group, taken in found.seen[0].slices():
        if taken < len(group) and len(set(group)) > 1:
            yield taken, group


def null_first(subject: QueryInDatabase) -> Iterator[Finding]:
    """An ascending ORDER BY with a LIMIT keeps rows whose first key is NULL, which sorts before all else.

    "The lowest" is then a row without a value.  With data, the rows kept show it; without, it is reported
    where the key is a column of a table that may be NULL and nothing in the query excludes that.
    No fault: rows without a value are wanted, or NULL stands for the lowest value.
    Example: ``SELECT name FROM person ORDER BY age LIMIT 1``, where somebody's age is not known.
    """
    for part, _ in subject.cutting:
        term = _first_ascending(part.tree)
        if term is None or part.tree is None:
            continue
        if subject.data is not None:
            if rows := _null_rows(subject, part.tree, term):
                detail = f"ORDER BY {_shown(term)} puts NULL first, and its LIMIT keeps {len(rows)} such rows"
                yield Finding(Kind.NULL_FIRST, Basis.DATA, detail, rows)
        elif _may_be_null(term, part.tree, subject):
            detail = (
                f"ORDER BY {_shown(term)} puts NULL first, the column may be NULL, and nothing excludes it"
            )
            yield Finding(Kind.NULL_FIRST, Basis.SCHEMA, detail)


def _first_ascending(tree: exp.Expression | None) -> exp.Expression | None:
    """The first sort key, if NULL comes first there; constants are no keys."""
    order = tree.args.get("order") if tree is not None else None
    if order is None:
        return None
    first = order.expressions[0]
    nulls_first = first.args.get("nulls_first")
    is_first = not first.args.get("desc") if nulls_first is None else nulls_first
    constant = isinstance(first.this, exp.Literal) and isinstance(tree, exp.Select)
    return first.this if is_first and not constant else None


def _null_rows(subject: QueryInDatabase, tree: exp.Expression, term: exp.Expression) -> tuple[Row, ...]:
    """The rows kept whose key is NULL, with the key as their last cell, if the LIMIT drops others."""
    try:
        start, stop = limits(tree)
    except Opaque:
        return ()
    keyed = tree.copy()
    position = _position(tree, term)
    if position is None:
        return ()
    if position == APPENDED:
        keyed.append("expressions", exp.alias_(term.copy(), INNER))
    rows = subject.rows(keyed)
    if rows is None or not any(row[position] is None for row in rows.rows):
        return ()
    total = _total(subject, tree)
    if stop is None or total is None or total <= max(stop, start):
        return ()
    return tuple(row for row in rows.rows if row[position] is None)


def _position(tree: exp.Expression, term: exp.Expression) -> int | None:
    """Which output the key is, or APPENDED if it may become one more; None if neither."""
    if isinstance(tree, exp.SetOperation):
        return int(term.name) - 1 if term.name.isdigit() else None
    if tree.args.get("distinct") is None:
        return APPENDED
    outputs = [key(x.unalias()) for x in tree.expressions]
    return outputs.index(key(term)) if key(term) in outputs else None


def _total(subject: QueryInDatabase, tree: exp.Expression) -> int | None:
    """How many rows there are without the LIMIT."""
    whole = tree.copy()
    for name in ("order", "limit", "offset"):
        whole.set(name, None)
    alias = exp.TableAlias(this=exp.to_identifier(INNER))
    counted = exp.Select(expressions=[exp.Count(this=exp.Star())])
    counted.set("from_", exp.From(this=exp.Subquery(this=whole, alias=alias)))
    found = subject.rows(counted)
    return int(str(found.rows[0][0])) if found is not None else None


def _may_be_null(term: exp.Expression, tree: exp.Expression, subject: QueryInDatabase) -> bool:
    """Whether a key is a column of a table that may be NULL in the rows that are sorted."""
    if not isinstance(term, exp.Column) or base_column(term, subject.context) is None:
        return False
    if never_null(term, subject.context) is not None:
        return False
    where = tree.args.get("where")
    inner = [join.args.get("on") for join in tree.args.get("joins") or () if not join.side]
    conditions = [where.this if where is not None else None, *inner]
    rejected = [rejected_nulls(condition) for condition in conditions if condition is not None]
    return not any((term.table, term.name) in found for found in rejected)


def _shown(term: exp.Expression) -> str:
    return to_sql(term.copy())
