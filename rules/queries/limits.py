"""LIMIT and OFFSET: dropped where they cut nothing.

A negative LIMIT means none, and OFFSET below zero means zero.  LIMIT 0 yields
nothing, not even the one row of an aggregate.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.context import Context
from equiv.rewrite.rule import rule
from rules.guards.selects import has_one_row, is_at_most_one_row, is_ungrouped

QUERIES = (exp.Select, exp.Union, exp.Intersect, exp.Except)


def integer(clause: exp.Expression | None) -> int | None:
    """The value of a LIMIT or OFFSET clause that is an integer literal."""
    value = clause.expression if clause is not None else None
    sign = -1 if isinstance(value, exp.Neg) else 1
    literal = value.this if isinstance(value, exp.Neg) else value
    if not isinstance(literal, exp.Literal) or literal.is_string or not literal.name.isdigit():
        return None
    return sign * int(literal.name)


def skips_nothing(query: exp.Expression) -> bool:
    """OFFSET of zero or less."""
    offset = integer(query.args.get("offset"))
    return offset is not None and offset <= 0


@rule(on=QUERIES, shape=(skips_nothing,))
def eliminate_offset_zero(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop OFFSET 0.

    Before:  SELECT a.x FROM a ORDER BY a.x LIMIT 2 OFFSET 0
    After:   SELECT a.x FROM a ORDER BY a.x LIMIT 2
    Refuse:  an OFFSET that is not a literal
    Sound:   no row is skipped
    """
    query.set("offset", None)
    return query


def limits_nothing(query: exp.Expression) -> bool:
    """A negative LIMIT."""
    limit = integer(query.args.get("limit"))
    return limit is not None and limit < 0 and query.args.get("offset") is None


@rule(on=QUERIES, shape=(limits_nothing,))
def eliminate_negative_limit(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a negative LIMIT.

    Before:  SELECT a.x FROM a LIMIT -1
    After:   SELECT a.x FROM a
    Refuse:  OFFSET, which needs its LIMIT
    Sound:   SQLite takes a negative LIMIT as none
    """
    query.set("limit", None)
    return query


def has_positive_limit(query: exp.Expression) -> bool:
    """LIMIT of at least one, without OFFSET."""
    limit = integer(query.args.get("limit"))
    return limit is not None and limit > 0 and query.args.get("offset") is None


@rule(on=exp.Select, shape=(has_positive_limit, has_one_row))
def eliminate_limit_of_one_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop the LIMIT of an aggregate without GROUP BY.

    Before:  SELECT COUNT(*) FROM a LIMIT 1
    After:   SELECT COUNT(*) FROM a
    Refuse:  LIMIT 0, OFFSET; GROUP BY: there may be several groups
    Sound:   there is exactly one row
    """
    select.set("limit", None)
    return select


@rule(on=exp.Select, shape=(has_positive_limit, is_ungrouped), needs=(is_at_most_one_row,))
def eliminate_limit_of_single_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop LIMIT where constants fix a key.

    Before:  SELECT a.x FROM a WHERE a.id = 1 LIMIT 1
    After:   SELECT a.x FROM a WHERE a.id = 1
    Refuse:  the column is not unique: several rows may match
    Sound:   there is at most one row
    """
    select.set("limit", None)
    return select


RULES = (
    eliminate_offset_zero,
    eliminate_negative_limit,
    eliminate_limit_of_one_row,
    eliminate_limit_of_single_row,
)
