"""The first group by its greatest value: the first row.

The group whose MAX(v) is the greatest holds the rows whose v is the greatest, so
``GROUP BY x ORDER BY MAX(v) DESC LIMIT 1`` shows what ``ORDER BY v DESC LIMIT 1``
does, ties included.  A second row may be of the same group, so only LIMIT 1.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import aggregates, home
from equiv.core.claims.value_types import Claim
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import group_keys, has_windows, order_terms, outputs
from equiv.rules.guards.selects import compares_binary, has_limit_one, is_distinct, is_root


def first_extreme(select: exp.Expression) -> exp.Expression | None:
    """The MAX of a column by which alone the groups are ordered, the greatest first and NULL last."""
    terms = order_terms(select)
    if len(terms) != 1 or not terms[0].args.get("desc") or terms[0].args.get("nulls_first"):
        return None
    call = terms[0].this
    plain = isinstance(call, exp.Max) and not call.expressions and isinstance(call.this, exp.Column)
    return call if plain and home(call.this) is select else None


def picks_first_group(select: exp.Expression) -> bool:
    """``SELECT k … GROUP BY k ORDER BY MAX(v) DESC LIMIT 1``; a whole query may show MAX(v)."""
    call = first_extreme(select)
    clauses = ("having", "with_", "qualify")
    if call is None or not has_limit_one(select) or is_distinct(select) or has_windows(select):
        return False
    if len(group_keys(select)) != 1 or any(select.args.get(name) is not None for name in clauses):
        return False
    shown = {key(x) for x in group_keys(select)} | ({key(call)} if is_root(select) else set())
    alone = all(key(found) == key(call) for found in aggregates(select))
    return alone and all(key(x) in shown for x in outputs(select))


def extreme_is_binary(select: exp.Expression, ctx: Context) -> Claim:
    """Values compare by BINARY, so that those that tie are equal."""
    call = first_extreme(select)
    return () if call is not None and compares_binary(call, ctx) else None


def keys_are_columns(select: exp.Expression) -> bool:
    """The group key is a plain column."""
    return all(isinstance(x, exp.Column) for x in group_keys(select))


def keys_are_binary(select: exp.Expression, ctx: Context) -> Claim:
    """Group keys compare by BINARY, so that equal ones are one value."""
    return () if all(compares_binary(x, ctx) for x in group_keys(select)) else None


@rule(
    on=exp.Select,
    shape=(picks_first_group, keys_are_columns),
    needs=(extreme_is_binary, keys_are_binary),
)
def convert_group_with_extreme_to_first_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write the group with the greatest MAX as the row with the greatest value.

    Before:  SELECT a.x FROM a GROUP BY a.x ORDER BY MAX(a.y) DESC LIMIT 1
    After:   SELECT a.x FROM a ORDER BY a.y DESC LIMIT 1
    Refuse:  LIMIT 2: two rows may be of one group; ORDER BY MIN(a.y): NULL comes first, and MIN skips it;
             ORDER BY MAX(a.y) ascending, the group whose greatest is least; HAVING; ORDER BY SUM(a.y)
    Sound:   the groups with the greatest MAX are those of the rows with the greatest value; NULL is last
    """
    call = first_extreme(select)
    if call is None:
        return None
    for value in [*select.expressions, *order_terms(select)]:
        for found in [node for node in value.find_all(type(call)) if key(node) == key(call)]:
            found.replace(call.this.copy())
    select.set("group", None)
    return select


RULES = (convert_group_with_extreme_to_first_row,)
