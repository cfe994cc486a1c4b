"""The grammar that ESM reads, and what of ESM and ESM+ can be switched off: rules, values, DISTINCT.

The switches are those of arXiv 2407.07313, sections 2.2 and 5.3; the grammar is that of Spider's evaluation
(its ``process_sql.py``). Not read, as ESM+ (arXiv 2407.07313, appendix A.1 and section 7) says or as
follows from its grammar: INNER, LEFT, RIGHT or OUTER JOIN, a list after IN, an alias without AS or of a
column, ``IS``, CASE, functions beyond the five aggregates, WITH, columns of a subquery in FROM.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.lexer import GrammarError, TokenKind, tokens
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.errors import InputError

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
    words = [token.word for token in tokens(query.core_sql) if token.kind is TokenKind.NAME]
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
    words = [token.word for token in tokens(sql) if token.kind is TokenKind.NAME]
    return words.count("AS") - words.count("CAST") < aliases


ALL_RULES = frozenset(range(1, 21))
"""The rules of ESM+ by number."""


@dataclass(frozen=True, slots=True)
class EsmSwitches:
    """What of ESM and ESM+ is switched off."""

    disabled: frozenset[int] = frozenset()
    """Rules of ESM+ by number."""
    values: bool = True
    """Whether the values that columns are compared with count."""
    distinct: bool = True
    """Whether DISTINCT counts."""


EVERYTHING_COUNTS = EsmSwitches()


def rules_named(text: str) -> frozenset[int]:
    """The rules that ``--disable-rules`` means: ``none``, ``all`` or numbers from 1 to 20.

    Raises:
        InputError: it is none of these.
    """
    if text in ("", "none"):
        return frozenset()
    if text == "all":
        return ALL_RULES
    numbers = [int(part) if part.strip().isdecimal() else 0 for part in text.split(",")]
    if not ALL_RULES.issuperset(numbers):
        raise InputError(f"--disable-rules takes none, all or numbers from 1 to 20, not {text!r}")
    return frozenset(numbers)


def seen(query: Query, switches: EsmSwitches) -> Query:
    """A query less what does not count."""
    if query.tree is None or (switches.values and switches.distinct):
        return query
    tree = query.tree.copy()
    if not switches.values:
        _mask_values(tree)
    if not switches.distinct:
        _drop_distinct(tree)
    return replace(query, tree=tree)


MASK = exp.Literal.string("value")


def _mask_values(tree: exp.Expression) -> None:
    """Write one value for every constant that something is compared with."""
    for comparison in tree.find_all(*COMPARISONS):
        if isinstance(comparison, exp.In) and comparison.expressions:
            comparison.set("expressions", [MASK.copy()])
        for side in list(comparison.iter_expressions()):
            value = side.this if isinstance(side, exp.Neg) else side
            if isinstance(value, exp.Literal):
                side.replace(MASK.copy())


def _drop_distinct(tree: exp.Expression) -> None:
    """Take DISTINCT out of every SELECT and aggregate."""
    for node in list(tree.find_all(exp.Select, exp.Distinct)):
        if isinstance(node, exp.Select):
            node.set("distinct", None)
        elif isinstance(node.parent, exp.AggFunc) and len(node.expressions) == 1:
            node.replace(node.expressions[0])
