"""What Spider's evaluation reads (its ``process_sql.py``), and what only the text of a query shows.

Not read, as ESM+ (arXiv 2407.07313, appendix A.1 and section 7) says or as follows from its grammar:
INNER, LEFT, RIGHT or OUTER JOIN, a list after IN, an alias without AS or of a column, ``IS``, CASE,
functions beyond the five aggregates, WITH, columns of a subquery in FROM.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.lexer import GrammarError, Kind, tokens
from equiv.core.query import Query
from equiv.dialects.registry import reference

AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between, exp.In)
READ = (
    *(*AGGREGATES, *COMPARISONS, exp.Select, exp.Union, exp.Intersect, exp.Except, exp.From, exp.Table),
    *(exp.TableAlias, exp.Identifier, exp.Join, exp.Where, exp.And, exp.Or, exp.Not, exp.Subquery),
    *(exp.Column, exp.Literal, exp.Star, exp.Alias, exp.Distinct, exp.Group, exp.Having, exp.Order),
    *(exp.Ordered, exp.Limit, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg),
)
"""The nodes of Spider's grammar, in a resolved tree."""

UNREAD_JOINS = frozenset({"INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "NATURAL"})


def is_read(query: Query) -> bool:
    """Whether text and tree are within Spider's grammar."""
    assert query.tree is not None
    words = [token.word for token in tokens(query.core_sql) if token.kind is Kind.NAME]
    try:
        raw = reference().parse(query.core_sql)
    except GrammarError:
        return False
    if UNREAD_JOINS & set(words) or raw.find(exp.Alias, exp.CTE) or has_bare_alias(query.core_sql):
        return False
    nodes = list(query.tree.find_all(exp.Expression))
    lists = any(isinstance(node, exp.In) and node.expressions for node in nodes)
    return not lists and all(isinstance(node, READ) for node in nodes) and not _reads_derived(query.tree)


def _reads_derived(tree: exp.Expression) -> bool:
    """Whether a column of a subquery in FROM is read."""
    derived = {s.alias for s in tree.find_all(exp.Subquery) if isinstance(s.parent, exp.From | exp.Join)}
    return any(column.table in derived for column in tree.find_all(exp.Column))


def stars_in(sql: str) -> int:
    """How often ``*`` stands for all columns, as written; 0 where the text cannot be read."""
    try:
        return sum(
            1 for star in reference().parse(sql).find_all(exp.Star) if not isinstance(star.parent, exp.Count)
        )
    except GrammarError:
        return 0


def has_bare_alias(sql: str) -> bool:
    """Whether a table or subquery of FROM has an alias without AS, as written."""
    try:
        aliases = sum(1 for _ in reference().parse(sql).find_all(exp.TableAlias, exp.Alias))
    except GrammarError:
        return False
    words = [token.word for token in tokens(sql) if token.kind is Kind.NAME]
    return words.count("AS") - words.count("CAST") < aliases
