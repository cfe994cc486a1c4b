"""Other texts of a query that keep what it answers: small rewrites and the engine's rules, one by one."""

from __future__ import annotations

from random import Random

from sqlglot import exp

from equiv.core.identifiers import quoted
from equiv.core.model import Schema
from equiv.core.printing.trees import to_sql
from equiv.engine.make import all_rules
from equiv.relation import Relation, Rows, resolve_relation
from equiv.testing.making.node_rewrites import REWRITES
from equiv.testing.schema_facts import Ground

_ROWIDS = ("rowid", "oid", "_rowid_")
MOST = 4
"""How many rewrites are applied one after the other."""


def equivalent(sql: str, ground: Ground, relation: str, random: Random) -> str:
    """A query that answers the same under a relation on every database that the facts allow.

    It is the query itself where nothing applied.
    """
    for _ in range(random.randint(1, MOST)):
        new = _rewritten(sql, ground, relation, random)
        if ground.tree(new) is not None:
            sql = new
    return sql


def _rewritten(sql: str, ground: Ground, relation: str, random: Random) -> str:
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
    names = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    tables = [t for t in tree.find_all(exp.Table) if schema.table(t.name) and t.name.lower() not in names]
    if not tables or any(column.name.lower() in _ROWIDS for column in tree.find_all(exp.Column)):
        return tree
    table = random.choice(tables)
    inner = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=table.this.copy())))
    alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name, quoted=True))
    table.replace(exp.Subquery(this=inner, alias=alias))
    return tree


def _whole(sql: str, tree: exp.Expression, compared: Relation, ground: Ground, random: Random) -> str:
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
    while f"w{number}" in sql.lower():
        number += 1
    return quoted(f"w{number}")
