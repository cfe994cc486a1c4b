"""Hypothesis strategies: schemas, databases, queries, other texts of a query, and small changes to one.

They need the extra ``testing``.  What is drawn shrinks: to one table, few rows, a query without what it
can spare.

Other texts of a query keep what it answers on every database, under every fact policy: the engine's
rules, one by one, and small rewrites of one node.  Each of these says why it is sound.  Operators, their
NULLs, affinities and collations are SQLite's: the left operand's collation counts, so only a literal,
which has none, may change sides with a column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any, cast

from hypothesis import reject
from hypothesis import strategies as st
from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.nodes import Expr
from equiv.core.printing import to_sql
from equiv.engine.make import all_rules
from equiv.errors import InputError
from equiv.generate.database import Database
from equiv.names import fold, folded, quoted
from equiv.relation import RELATION_NAMES, Relation, Rows, resolve_relation
from equiv.testing.making.databases import TABLES, RandomDatabases, Schemas
from equiv.testing.making.mutants import drawn_mutants
from equiv.testing.making.queries import ALL, features_named, uses_only
from equiv.testing.schema_facts import QueryGround, ground_of, schema_of
from equiv.testing.trials import drawn_query

NodeRewrite = Callable[[Expr], exp.Expression | None]
"""What stands in place of a node of a resolved tree, which is not changed; None where it does not apply."""

_OPPOSITE: dict[type[exp.Expr], type[exp.Expression]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.LT: exp.GTE, exp.GTE: exp.LT, exp.GT: exp.LTE, exp.LTE: exp.GT,
}  # fmt: skip
_MIRRORED: dict[type[exp.Expr], type[exp.Expression]] = {
    exp.EQ: exp.EQ, exp.NEQ: exp.NEQ, exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.GTE: exp.LTE,
}  # fmt: skip


def swap_operands(node: exp.Expr) -> exp.Expression:
    """``p AND q`` is ``q AND p``: three-valued logic does not know an order."""
    return cast(exp.Expression, type(node)(this=node.expression.copy(), expression=node.this.copy()))


def negate_comparison(node: exp.Expr) -> exp.Expression:
    """``a < b`` is ``NOT a >= b``: both are NULL if either side is."""
    return exp.Not(this=_OPPOSITE[type(node)](this=node.this.copy(), expression=node.expression.copy()))


def mirror_comparison(node: exp.Expr) -> exp.Expression | None:
    """``c < 1`` is ``1 > c``: a literal has neither affinity nor collation; the column's count either way."""
    left, right = node.this, node.expression
    if not (isinstance(left, exp.Column) and isinstance(right, exp.Literal)):
        return None
    return _MIRRORED[type(node)](this=right.copy(), expression=left.copy())


def spread_between(node: exp.Expr) -> exp.Expression | None:
    """``c BETWEEN a AND b`` is ``c >= a AND c <= b``: SQLite's own definition, where ``c`` is a column."""
    low, high, value = node.args.get("low"), node.args.get("high"), node.this
    if not isinstance(value, exp.Column) or low is None or high is None:
        return None
    return exp.And(
        this=exp.GTE(this=value.copy(), expression=low.copy()),
        expression=exp.LTE(this=value.copy(), expression=high.copy()),
    )


def spread_list(node: exp.Expr) -> exp.Expression | None:
    """``c IN (1, 2)`` is ``c = 1 OR c = 2``, where the list holds literals alone: they have no affinity."""
    value, listed = node.this, node.args.get("expressions")
    if not isinstance(value, exp.Column) or not listed:
        return None
    if not all(isinstance(each, exp.Literal) for each in listed):
        return None
    equations: list[exp.Expression] = [exp.EQ(this=value.copy(), expression=each.copy()) for each in listed]
    return reduce(lambda one, two: exp.Or(this=one, expression=two), equations)


def negate_null_test(node: exp.Expr) -> exp.Expression | None:
    """``c IS NULL`` is ``NOT c IS NOT NULL``: neither is ever NULL."""
    if not isinstance(node.expression, exp.Null):
        return None
    return exp.Not(this=exp.Not(this=node.copy()))


def ask_for_one(node: exp.Expr) -> exp.Expression | None:
    """``EXISTS (SELECT c …)`` is ``EXISTS (SELECT 1 …)``, where no aggregate, group or cut makes the rows."""
    select = node.this.this if isinstance(node.this, exp.Subquery) else node.this
    clauses = ("group", "having", "distinct", "limit", "offset", "order", "windows", "with_")
    if not isinstance(select, exp.Select) or any(select.args.get(clause) for clause in clauses):
        return None
    if any(each.find(exp.AggFunc, exp.Window) for each in select.expressions):
        return None
    shown = select.copy()
    shown.set("expressions", [exp.alias_(exp.Literal.number(1), "one")])
    return exp.Exists(this=shown)


def count_ones(node: exp.Expr) -> exp.Expression | None:
    """``COUNT(*)`` is ``COUNT(1)``: 1 is never NULL."""
    return exp.Count(this=exp.Literal.number(1)) if isinstance(node.this, exp.Star) else None


def negate_twice(node: exp.Expr) -> exp.Expression:
    """``WHERE p`` is ``WHERE NOT NOT p``: only whether it is true counts."""
    return exp.Where(this=exp.Not(this=exp.Paren(this=exp.Not(this=exp.Paren(this=node.this.copy())))))


def add_truth(node: exp.Expr) -> exp.Expression:
    """``WHERE p`` is ``WHERE p AND 1 = 1``: what is true stays true, and nothing else becomes it."""
    truth = exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(1))
    return exp.Where(this=exp.And(this=exp.Paren(this=node.this.copy()), expression=truth))


def join_in_where(node: exp.Expr) -> exp.Expression | None:
    """``JOIN u ON p`` is ``JOIN u … WHERE p``, where no outer join stands in the same FROM."""
    joins = node.args.get("joins") or ()
    conditions = [join for join in joins if join.args.get("on") is not None]
    if not conditions or any(join.text("side") or join.args.get("using") for join in joins):
        return None
    new = node.copy()
    moved = next(join for join in new.args["joins"] if join.args.get("on") is not None)
    added, where = exp.Paren(this=moved.args["on"].copy()), new.args.get("where")
    moved.set("on", None)
    whole = exp.And(this=exp.Paren(this=where.this.copy()), expression=added) if where is not None else added
    new.set("where", exp.Where(this=whole))
    return cast(exp.Expression, new)


REWRITES: tuple[tuple[tuple[type[exp.Expr], ...], NodeRewrite], ...] = (
    ((exp.And, exp.Or), swap_operands),
    (tuple(_OPPOSITE), negate_comparison),
    (tuple(_MIRRORED), mirror_comparison),
    ((exp.Between,), spread_between),
    ((exp.In,), spread_list),
    ((exp.Is,), negate_null_test),
    ((exp.Exists,), ask_for_one),
    ((exp.Count,), count_ones),
    ((exp.Where,), negate_twice),
    ((exp.Where,), add_truth),
    ((exp.Select,), join_in_where),
)
"""Which nodes each rewrite takes."""


TRIES = 8
"""How often a draw is made anew in place before hypothesis is told that it came to nothing."""


_STEPS = 100
"""Few: of ranges above 127, hypothesis draws small numbers more often than others."""


class Drawn(Random):
    """A :class:`random.Random` whose numbers are drawn by hypothesis.

    What is made of them shrinks, to the first of several options, and comes again.  A number between 0 and 1
    shrinks to the top: makers ask ``random() < probability`` for what is seldom.
    """

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        super().__init__(0)
        self._draw = draw

    def random(self) -> float:
        below_top: int = self._draw(st.integers(0, _STEPS - 1))
        return (_STEPS - 1 - below_top) / _STEPS

    def getrandbits(self, k: int, /) -> int:
        number: int = self._draw(st.integers(0, 2**k - 1))
        return number

    def _randbelow(self, n: int) -> int:
        number: int = self._draw(st.integers(0, n - 1))
        return number


def schemas(*, tables: int = 3) -> st.SearchStrategy[Schema]:
    """Schemas of one to so many tables, with the keys, references and types that queries trip over.

    Keys of one column, of two, of text, none; references to the tables before; NOT NULL, UNIQUE, CHECK,
    NOCASE; integers, reals, texts, dates, flags and columns without a type.

    Raises:
        InputError: there are no schemas of so many tables.
    """
    if not 1 <= tables <= len(TABLES):
        raise InputError(f"tables must be between 1 and {len(TABLES)}: {tables}")

    @st.composite
    def drawn(draw: st.DrawFn) -> Schema:
        return Schemas(Drawn(draw)).schema(tables)

    return drawn()


def databases(
    schema: Schema | str | Path | None = None,
    *,
    facts: str = "intended",
    assume: Sequence[str] = (),
    rows: int = 4,
) -> st.SearchStrategy[Database]:
    """Databases of a schema that its DDL takes and that keep all facts; up to so many rows a table.

    :func:`equiv.testing.schema_facts.open_database` makes an SQLite of one.

    Args:
        schema: a schema, DDL text, or the path of a DDL file; by default that of a small shop.
        facts: the policy, ``declared`` or ``intended``.  Under ``declared``, columns hold any storage class.
        assume: further facts, such as ``not_null(t.c)``.
        rows: the most rows a table.

    Raises:
        InputError: the schema or a fact cannot be used.
    """
    known_schema = schema_of(schema)
    in_force = ground_of(known_schema, facts, assume).facts

    @st.composite
    def drawn(draw: st.DrawFn) -> Database:
        for _ in range(TRIES):
            made = RandomDatabases(Drawn(draw), known_schema, in_force, rows).database()
            if made is not None:
                return made
        return reject()

    return drawn()


def queries(
    schema: Schema | str | Path | None = None, *, features: Iterable[str] = ALL
) -> st.SearchStrategy[str]:
    """Queries on a schema, as SQL, that use no more than some features; all of them can be prepared.

    Args:
        schema: as for :func:`databases`.
        features: names of :class:`~equiv.testing.making.queries.Feature`; none: one table, columns and
            conditions.

    Raises:
        InputError: the schema or a feature cannot be used.
    """
    known_schema, allowed = schema_of(schema), features_named(features)

    @st.composite
    def drawn(draw: st.DrawFn) -> str:
        for _ in range(TRIES):
            sql = drawn_query(Drawn(draw), known_schema, allowed)
            if uses_only(sql, allowed) and ground_of(known_schema).can_be_prepared(sql):
                return sql
        return reject()

    return drawn()


def equivalent_rewrites(
    query: str,
    schema: Schema | str | Path | None = None,
    *,
    relation: str = "sql",
    facts: str = "intended",
    assume: Sequence[str] = (),
) -> st.SearchStrategy[str]:
    """Other texts of a query that answer the same under a relation, on every database that the facts allow.

    Conditions said otherwise, tables and whole queries as derived ones, and what some of the engine's rules
    make of it, one after the other.  A query that is not modelled is given back as it is.

    Raises:
        InputError: the schema, a fact or the relation cannot be used.
    """
    if relation not in RELATION_NAMES:
        raise InputError(f"unknown relation {relation!r}; choose one of {', '.join(RELATION_NAMES)}")
    ground = ground_of(schema_of(schema), facts, assume)

    @st.composite
    def drawn(draw: st.DrawFn) -> str:
        return equivalent(query, ground, relation, Drawn(draw))

    return drawn()


def mutants(query: str, schema: Schema | str | Path | None = None) -> st.SearchStrategy[str]:
    """The query with a small change or two, which mostly changes what it means, and not always.

    Raises:
        InputError: the schema cannot be used, or the query cannot be read on it.
    """
    known_schema = schema_of(schema)
    ground = ground_of(known_schema)
    tree = ground.tree(query)
    if tree is None:
        raise InputError(f"no query on this schema is supported: {query}")

    @st.composite
    def drawn(draw: st.DrawFn) -> str:
        for mutant in drawn_mutants(tree, known_schema, Drawn(draw), TRIES):
            if ground.can_be_prepared(mutant):
                return mutant
        return reject()

    return drawn()


_ROWIDS = ("rowid", "oid", "_rowid_")
_MOST = 4
"""How many rewrites are applied one after the other."""


def equivalent(sql: str, ground: QueryGround, relation: str, random: Random) -> str:
    """A query that answers the same under a relation on every database that the facts allow.

    It is the query itself where nothing applied.
    """
    for _ in range(random.randint(1, _MOST)):
        new = _rewritten(sql, ground, relation, random)
        if ground.tree(new) is not None:
            sql = new
    return sql


def _rewritten(sql: str, ground: QueryGround, relation: str, random: Random) -> str:
    tree = ground.tree(sql)
    if tree is None:
        return sql
    compared = resolve_relation(relation, gold_orders=ground.orders(sql))
    way = random.choice(("node", "node", "node", "source", "whole", "rules"))
    if way == "rules":
        return ground.normal_form(sql, relation, [rule for rule in all_rules() if random.random() < 0.5])
    if way == "whole":
        return _whole(sql, tree, compared, ground, random)
    changed = tree.copy()
    return to_sql(_source(changed, ground.schema, random) if way == "source" else _node(changed, random))


def _node(tree: exp.Expression, random: Random) -> exp.Expression:
    """The tree with one node rewritten."""
    places = [(node, rewrite) for node in tree.walk() for kinds, rewrite in REWRITES if type(node) in kinds]
    if not places:
        return tree
    node, rewrite = random.choice(places)
    new = rewrite(node)
    if new is None:
        return tree
    if node is tree:
        return new
    # A connective is of one level in the tree; parentheses keep what the text says.
    node.replace(exp.Paren(this=new) if isinstance(new, exp.Connector | exp.Not) else new)
    return tree


def _source(tree: exp.Expression, schema: Schema, random: Random) -> exp.Expression:
    """The tree with one base table as a derived one: ``SELECT *`` hands on affinities and collations."""
    names = folded(cte.alias for cte in tree.find_all(exp.CTE))
    tables = [t for t in tree.find_all(exp.Table) if schema.table(t.name) and fold(t.name) not in names]
    if not tables or any(fold(column.name) in _ROWIDS for column in tree.find_all(exp.Column)):
        return tree
    table = random.choice(tables)
    inner = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=table.this.copy())))
    alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name, quoted=True))
    table.replace(exp.Subquery(this=inner, alias=alias))
    return tree


def _whole(sql: str, tree: exp.Expression, compared: Relation, ground: QueryGround, random: Random) -> str:
    """The query inside another one; where order counts, none that orders its rows."""
    texts = [sql]
    name = _fresh(sql)
    if compared.rows is not Rows.LIST or not ground.orders(sql):
        texts.append(f"SELECT * FROM ({sql}) AS {name}")
        if tree.args.get("with_") is None:
            texts.append(f"WITH {name} AS ({sql}) SELECT * FROM {name}")
    if compared.rows is Rows.SET:
        texts.append(f"SELECT DISTINCT * FROM ({sql}) AS {name}")
    return random.choice(texts[1:] or texts)


def _fresh(sql: str) -> str:
    """A name that a text does not hold."""
    number = 1
    while f"w{number}" in fold(sql):
        number += 1
    return quoted(f"w{number}")
