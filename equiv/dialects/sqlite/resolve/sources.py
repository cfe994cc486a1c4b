"""Resolving FROM clauses: tables, views, CTEs, nested queries, NATURAL and USING."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from equiv.core.functions.table import SETS
from equiv.core.query import UnsupportedError
from equiv.dialects.sqlite.grammar.queries import read
from equiv.dialects.sqlite.resolve.namespace import (
    Namespace,
    OutputColumn,
    VisibleSource,
    alias_node,
    column_node,
    expression,
    in_sources,
    opened,
)
from equiv.names import NameMap, UniqueNames, fold, folded


@dataclass
class KnownCte:
    """A common table expression, resolved when it is first referred to."""

    raw: exp.Expression
    outer: Namespace
    """The namespace around the query that has the WITH clause; its ``ctes`` are those seen by the body."""
    home: Ctes
    name: str = ""
    outputs: tuple[OutputColumn, ...] = ()
    """Those of its first operand, as soon as that is resolved: the others may read them."""
    busy: bool = False


@dataclass
class Ctes:
    """The common table expressions of one WITH clause, and of those around it."""

    members: NameMap[KnownCte] = field(default_factory=NameMap)
    outer: Ctes | None = None
    used: list[exp.Expression] = field(default_factory=list)
    """The resolved ones, each after those it refers to."""

    def find(self, name: str) -> KnownCte | None:
        """The innermost of that name."""
        level: Ctes | None = self
        while level is not None:
            if name in level.members:
                return level.members[name]
            level = level.outer
        return None


@dataclass(frozen=True)
class ResolvedSource:
    """One member of a FROM clause as read, with how it is joined to those before it."""

    node: exp.Expression
    """A table, a nested query, or parentheses around several members."""
    join: exp.Expression | None = None


def items(first: exp.Expression, joins: Sequence[exp.Expression]) -> Iterator[ResolvedSource]:
    """The members of a FROM clause, without parentheses that SQLite's parser drops too.

    These are the ones around a single member, and around the first members of a FROM clause.
    """
    yield from _opened(first, None)
    for join in joins:
        yield from _opened(join.this, join)


def _opened(node: exp.Expression, join: exp.Expression | None) -> Iterator[ResolvedSource]:
    if not _is_group(node):
        yield ResolvedSource(node, join)
        return
    inner = list(items(node.this.this, node.args["joins"]))
    alias = node.args.get("alias")
    if len(inner) > 1 and (alias or join is not None):
        yield ResolvedSource(node, join)
        return
    first = inner[0].node
    if alias:
        first = first.copy()
        first.set("alias", alias.copy())
    yield ResolvedSource(first, join)
    yield from inner[1:]


def _is_group(node: exp.Expression) -> bool:
    return isinstance(node, exp.Subquery) and isinstance(node.this, exp.From)


def resolve_sources(
    select: exp.Expression, namespace: Namespace
) -> list[tuple[VisibleSource, exp.Expression, ResolvedSource]]:
    """The sources of a SELECT, each with its resolved node; ON conditions are resolved later.

    Args:
        select: as read.
        namespace: without sources: what nested queries in FROM see.
    """
    resolved: list[tuple[VisibleSource, exp.Expression, ResolvedSource]] = []
    clause = select.args.get("from_")
    if clause is None:
        return resolved
    members = list(items(clause.this, select.args.get("joins") or ()))
    sides = {item.join.args.get("side") for item in members if item.join is not None}
    if any(isinstance(item.node.this, exp.Anonymous) for item in members) and sides & {"RIGHT", "FULL"}:
        raise UnsupportedError("Join", "RIGHT or FULL JOIN beside a function in FROM")
    for item in members:
        before = [source for source, _, _ in resolved]
        seen = namespace
        if item.node.args.get("lateral") or isinstance(item.node.this, exp.Anonymous):
            beside = replace(namespace, sources=before)
            seen = Namespace(namespace.session, namespace.ctes, outer=beside)
        source, node = _source(item.node, seen)
        source = _joined(source, item, before)
        resolved.append((namespace.session.add(source), node, item))
    if (
        len(resolved) > 1
        and any(_is_merged(item) for item in members)
        and any(s.members for s, _, _ in resolved)
    ):
        raise UnsupportedError("Join", "USING or NATURAL with a join in parentheses")
    return resolved


def _is_merged(item: ResolvedSource) -> bool:
    """Whether a member is joined by USING or NATURAL."""
    return item.join is not None and bool(item.join.args.get("using") or item.join.args.get("method"))


def _joined(source: VisibleSource, item: ResolvedSource, before: Sequence[VisibleSource]) -> VisibleSource:
    """The source with its side and the names that it is joined on."""
    if item.join is None:
        return source
    names = [column.name for column in item.join.args.get("using") or ()]
    if item.join.args.get("method"):
        names = [o.name for o in source.outputs if any(left.find(o.name) is not None for left in before)]
    return replace(source, side=item.join.args.get("side") or "", using=folded(names))


def _source(node: exp.Expression, namespace: Namespace) -> tuple[VisibleSource, exp.Expression]:
    alias = node.args["alias"].name if node.args.get("alias") else ""
    if _is_group(node):
        return _group_source(node, alias, namespace)
    if isinstance(node, exp.Subquery):
        nested = _nested_source(node.this, (), alias, alias or "q", namespace)
        if node.args.get("lateral"):
            nested[1].set("lateral", True)
        return nested
    if isinstance(node.this, exp.Anonymous):
        return _function_source(node.this, alias, namespace)
    name = node.name
    cte = namespace.ctes.find(name) if isinstance(namespace.ctes, Ctes) and not node.args.get("db") else None
    if cte is not None:
        return _cte_source(cte, alias or name, namespace)
    if fold(node.text("db")) not in ("", "main"):
        raise UnsupportedError("Table", f"another database: {node.text('db')}")
    view = namespace.session.schema.view(name)
    if view is not None:
        inside = Namespace(namespace.session, Ctes())
        nested = _nested_source(read(view.sql), tuple(view.columns), alias or view.name, view.name, inside)
        nested[1].meta["view"] = True
        return nested
    table = namespace.session.schema.table(name)
    if table is None:
        raise UnsupportedError("Table", f"no such table in the schema: {name}")
    source = VisibleSource(fold(alias or table.name), namespace.session.alias(table.name), table)
    return source, _table_node(table.name, source.alias)


def _function_source(
    call: exp.Anonymous, alias: str, namespace: Namespace
) -> tuple[VisibleSource, exp.Expression]:
    """A function in FROM, which sees the sources before it."""
    columns = tuple(OutputColumn(name, name) for name in SETS[call.name])
    name = fold(alias or call.name)
    source = VisibleSource(name, namespace.session.alias(name), None, columns)
    node = exp.Table(this=expression(call, namespace), alias=exp.TableAlias(this=alias_node(source.alias)))
    return source, node


def _table_node(name: str, alias: str) -> exp.Expression:
    return exp.Table(this=alias_node(name), alias=exp.TableAlias(this=alias_node(alias)))


def _nested_source(
    raw: exp.Expression, columns: tuple[str, ...], name: str, base: str, namespace: Namespace
) -> tuple[VisibleSource, exp.Expression]:
    from equiv.dialects.sqlite.resolve.trees import query

    resolved = query(raw, namespace, columns)
    source = VisibleSource(fold(name), namespace.session.alias(base), None, resolved.outputs)
    alias = exp.TableAlias(this=alias_node(source.alias))
    return source, exp.Subquery(this=resolved.tree, alias=alias)


def _group_source(
    node: exp.Expression, name: str, namespace: Namespace
) -> tuple[VisibleSource, exp.Expression]:
    """Parentheses around several members: SQLite makes a nested query of them, which shows all their columns.

    Outside, these columns can be named as inside: by the names of the members.
    """
    from equiv.dialects.sqlite.resolve.trees import joined

    raw = exp.Select(from_=node.this, joins=node.args["joins"])
    tree, inner = joined(raw, namespace)
    if any(source.using for source in inner):
        raise UnsupportedError("Join", "USING or NATURAL inside a join in parentheses")
    used = UniqueNames()
    members: list[VisibleSource] = []
    alias = namespace.session.alias(name or "q")
    for source in inner:
        outputs = tuple(OutputColumn(each.name, used.fresh(each.name)) for each in source.outputs)
        columns = zip(outputs, source.outputs, strict=True)
        for output, result in columns:
            projection = exp.Alias(this=column_node(source, result.column), alias=alias_node(output.column))
            tree.append("expressions", projection)
        members += _members(source, outputs, alias)
    nested = tuple(output for member in members for output in member.nested)
    if name and len(folded(output.name for output in nested)) < len(nested):
        raise UnsupportedError("Join", "an aliased join in parentheses with repeated column names")
    source = VisibleSource(fold(name), alias, None, nested, members=() if name else tuple(members))
    subquery = exp.Subquery(this=tree, alias=exp.TableAlias(this=alias_node(alias)))
    subquery.meta["group"] = True
    return source, subquery


def in_parentheses(tree: exp.Expression) -> exp.Expression:
    """A resolved tree, to print it verbatim: columns of joins in parentheses are those of their members."""
    if not any(node.meta.get("group") for node in tree.find_all(exp.Subquery)):
        return tree
    tree = tree.copy()
    for group in [node for node in tree.find_all(exp.Subquery) if node.meta.get("group")]:
        inside = {each.alias: each.this for each in group.this.expressions}
        for column in list(tree.find_all(exp.Column)):
            if column.text("table") == group.alias:
                column.replace(inside[column.name].copy())
    return tree


def _members(source: VisibleSource, outputs: tuple[OutputColumn, ...], alias: str) -> list[VisibleSource]:
    """What a member of a join in parentheses is outside of these: itself, or in its turn its members."""
    if not source.members:
        return [VisibleSource(source.name, alias, None, outputs)]
    members, left = [], list(outputs)
    for member in source.members:
        own, left = left[: len(member.nested)], left[len(member.nested) :]
        renamed = zip(member.nested, own, strict=True)
        nested = tuple(OutputColumn(inner.name, outer.column) for inner, outer in renamed)
        members.append(VisibleSource(member.name, alias, None, nested))
    return members


def _cte_source(cte: KnownCte, name: str, namespace: Namespace) -> tuple[VisibleSource, exp.Expression]:
    from equiv.dialects.sqlite.resolve.trees import query

    if not cte.busy:
        cte.busy = True
        declared = cte.raw.args["alias"]
        columns = tuple(column.name for column in declared.args.get("columns") or ())
        cte.name = namespace.session.cte_name(declared.name)

        def show(outputs: tuple[OutputColumn, ...]) -> None:
            cte.outputs = outputs

        resolved = query(cte.raw.this, cte.outer, columns, show)
        found = exp.CTE(this=resolved.tree, alias=exp.TableAlias(this=alias_node(cte.name)))
        found.meta["hint"] = cte.raw.meta["hint"]
        cte.home.used.append(found)
    if not cte.outputs:
        raise UnsupportedError("With", f"a recursion that begins with its own rows: {name}")
    source = VisibleSource(fold(name), namespace.session.alias(cte.name), None, cte.outputs)
    return source, _table_node(cte.name, source.alias)


def condition(
    index: int, sources: Sequence[VisibleSource], item: ResolvedSource, namespace: Namespace
) -> exp.Expression | None:
    """The resolved ON condition of a join: what ON, USING or NATURAL says."""
    assert item.join is not None
    on = item.join.args.get("on")
    if on is not None:
        return expression(on, namespace)
    conjunction: exp.Expression | None = None
    right = sources[index]
    names = [output.name for output in right.outputs if fold(output.name) in right.using]
    using = [column.name for column in item.join.args.get("using") or ()]
    for name in using or names:
        equal = _equality(sources[:index], right, name, any(s.side in ("RIGHT", "FULL") for s in sources))
        conjunction = equal if conjunction is None else exp.And(this=conjunction, expression=equal)
    return conjunction


def _equality(
    before: Sequence[VisibleSource], right: VisibleSource, name: str, one_sided: bool
) -> exp.Expression:
    holders = [source for source in before if source.find(name) is not None]
    column = right.find(name)
    if not holders or column is None:
        raise UnsupportedError("Join", f"cannot join using column {name}")
    if one_sided and len(holders) > 1:
        raise UnsupportedError("Join", "USING or NATURAL over several tables with RIGHT or FULL JOIN")
    left = holders[0].find(name)
    assert left is not None
    return exp.EQ(this=column_node(holders[0], left), expression=column_node(right, column))


def star(groups: Sequence[VisibleSource], table: str) -> Iterator[tuple[str, exp.Expression]]:
    """The columns that a star stands for, with their names.

    ``*`` shows a column that USING joins once; ``t.*`` shows all of ``t``.
    """
    sources = opened(groups)
    for index, source in enumerate(sources):
        if table and source.name != fold(table):
            continue
        later = sources[index + 1 :]
        merged = any(s.side in ("RIGHT", "FULL") for s in later)
        for output in source.outputs:
            name = fold(output.name)
            if not table and name in source.using:
                continue
            if merged and any(name in s.using for s in later):
                columns = in_sources(sources, output.name)
                assert columns is not None
                yield output.name, columns
            else:
                yield output.name, column_node(source, output.column)
