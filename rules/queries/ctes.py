"""CTEs: put where they are read.

A CTE is evaluated once, however often it is read.  What may choose (LIMIT
without a total order, a bare column, GROUP_CONCAT) must stay so: a CTE read
twice, or in a correlated subquery, is inlined only if it leaves no choice.
"""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from equiv.answers.choices import randomised
from equiv.answers.representatives import hands_on_any
from equiv.core.claims.blocks import ancestry
from equiv.core.model import Context
from equiv.core.query import Opaque
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import columns, is_limited, rename_apart


def references(root: exp.Expression, cte: exp.Expression) -> list[exp.Expression]:
    """The sources that read a CTE."""
    tables = (clause.this for clause in root.find_all(exp.From, exp.Join))
    return [t for t in tables if isinstance(t, exp.Table) and t.name.lower() == cte.alias.lower()]


def is_recursive(cte: exp.Expression) -> bool:
    """Whether a CTE reads itself."""
    return bool(references(cte, cte))


def leaves_no_choice(query: exp.Expression, ctx: Context) -> bool:
    """Whether a query has one possible answer on every database."""
    if is_limited(query) or hands_on_any(query, ctx):
        return False
    try:
        return randomised(query, ctx) is None
    except Opaque:
        return False


def source_leaves_no_choice(source: exp.Expression, ctx: Context) -> bool:
    """Whether a source may be evaluated again for each row of another: a table, a CTE, or without choice."""
    return not isinstance(source, exp.Subquery) or leaves_no_choice(source.this, ctx)


def is_evaluated_once(source: exp.Expression, query: exp.Expression) -> bool:
    """Whether no correlated subquery of a query, evaluated for each row, contains the source."""
    above = list(ancestry(source))
    inner = above[: next(n for n, node in enumerate(above) if node is query)]
    return all(is_uncorrelated(node) for node in inner if isinstance(node, exp.Query))


def is_uncorrelated(query: exp.Expression) -> bool:
    """Whether every column that a query reads is of a source inside it."""
    own = {clause.this.alias_or_name for clause in query.find_all(exp.From, exp.Join)}
    return all(column.text("table") in own for column in columns(query))


def expendable(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """The first CTE of a WITH clause that can be dropped or inlined."""
    clause = query.args.get("with_")
    for cte in clause.expressions if clause is not None else ():
        reads = references(query, cte)
        once = len(reads) < 2 and all(is_evaluated_once(table, query) for table in reads)
        if not is_recursive(cte) and (once or leaves_no_choice(cte.this, ctx)):
            return cast(exp.Expression, cte)
    return None


def has_cte(query: exp.Expression) -> bool:
    """WITH."""
    return query.args.get("with_") is not None


@rule(on=(exp.Select, exp.Union, exp.Intersect, exp.Except), shape=(has_cte,))
def inline_cte(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Put a CTE where it is read; drop it if it is not.

    Before:  WITH c AS (SELECT a.x FROM a WHERE a.y = 1) SELECT q.x FROM c AS q
    After:   SELECT q.x FROM (SELECT a.x FROM a WHERE a.y = 1) AS q
    Refuse:  recursion; a CTE read twice that leaves a choice, such as LIMIT without a total order
    Sound:   a CTE is its query; read once, or with one possible answer, it may be evaluated in place
    """
    cte = expendable(query, ctx)
    if cte is None:
        return None
    for number, table in enumerate(references(query, cte)):
        inner = cte.this.copy() if number == 0 else rename_apart(cte.this, query.root())
        alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
        table.replace(exp.Subquery(this=inner, alias=alias))
    clause = query.args["with_"]
    rest = [other for other in clause.expressions if other is not cte]
    clause.set("expressions", rest)
    if not rest:
        query.set("with_", None)
    return query


RULES = (inline_cte,)
