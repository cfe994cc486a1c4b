"""Canonical order and names: the last word of the normaliser.

Two queries that differ only in source aliases, derived column names, the
order of commutative operands, of inner-joined sources, of IN lists and GROUP
BY keys, or in the direction of comparisons, become the same tree.

Aliases are distinguished by colour refinement (each source sees how the rest of
the query uses it).  Sources that stay alike are tried in all orders up to a
bound; past it one of them after the other gets a colour of its own, and the
colours are refined again, which is canonical where what stays alike is
symmetric.  Where it is not, that loses completeness, never soundness, because
every step is a bijective renaming or a reordering that SQL semantics allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import permutations, product
from math import factorial, prod

from sqlglot import exp

from equiv.core.claims.blocks import tables_read
from equiv.core.claims.fingerprint import (
    COMMUTATIVE,
    MIRRORED,
    UNORDERED_COMPOUNDS,
    Fingerprint,
    chain,
    operands,
    sources,
)
from equiv.core.model import Context
from equiv.graphs import grouped_by, topological_order
from equiv.names import fold

MAX_ORDERS = 24
"""How many orders of indistinguishable sources are tried."""


def canonicalise(root: exp.Expression, ctx: Context) -> exp.Expression:
    """Order and name a resolved tree canonically; works in place and returns the root."""
    root = _strip_root_aliases(root)
    named = _named_sources(root)
    ctes: dict[str, exp.Expression] = {cte.alias: cte for cte in root.find_all(exp.CTE)}
    outputs = _outputs(named, ctes)
    colours = _distinct_colours(root, named, outputs)
    _rename_outputs(root, named, ctes, Fingerprint(colours, outputs))
    _rename_sources(root, named, ctes, colours)
    if ctes:
        _rename_ctes(root, named, ctx)
    return _sort(root, swappable=_compares_binary(root, ctx))


def _strip_root_aliases(root: exp.Expression) -> exp.Expression:
    """Drop output names where nothing can refer to them."""
    for query in root.find_all(exp.Select):
        if not _is_source(query) or query.arg_key == "expression":
            query.set("expressions", [x.unalias() for x in query.expressions])
    return root


def _is_source(query: exp.Expression) -> bool:
    """Whether a query's output columns are referred to by name: a derived table or a CTE."""
    parent = query.parent
    while isinstance(parent, exp.SetOperation):
        query, parent = parent, parent.parent
    if isinstance(parent, exp.CTE):
        return True
    return isinstance(parent, exp.Subquery) and isinstance(parent.parent, exp.From | exp.Join)


def _named_sources(root: exp.Expression) -> dict[str, exp.Expression]:
    """Every FROM/JOIN source of the query by its (unique) alias."""
    found = {}
    for clause in root.find_all(exp.From, exp.Join):
        found[clause.this.alias_or_name] = clause.this
    return found


def _projections(query: exp.Expression) -> list[exp.Expression]:
    """The projections that name a query's outputs; none for VALUES."""
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    return list(query.expressions) if isinstance(query, exp.Select) else []


def _defining_query(source: exp.Expression, ctes: dict[str, exp.Expression]) -> exp.Expression | None:
    """The query behind a derived table or a CTE reference; None for a base table."""
    if isinstance(source, exp.Subquery):
        inner: exp.Expression = source.this
        return inner
    cte = ctes.get(source.name)
    return cte.this if cte is not None else None


def _outputs(
    named: dict[str, exp.Expression], ctes: dict[str, exp.Expression]
) -> dict[tuple[str, str], exp.Expression]:
    """The projected expression behind each column of a derived source."""
    outputs = {}
    for alias, source in named.items():
        query = _defining_query(source, ctes)
        for projection in _projections(query) if query is not None else ():
            inner = projection.this if isinstance(projection, exp.Alias) else projection
            outputs[alias, projection.alias_or_name] = inner
    return outputs


def _distinct_colours(
    root: exp.Expression,
    named: dict[str, exp.Expression],
    outputs: dict[tuple[str, str], exp.Expression],
) -> dict[str, str]:
    """A colour for each source, all different, chosen by structure and not by alias."""
    colours = _refined(root, {alias: _base(source) for alias, source in named.items()}, outputs)
    while prod(factorial(len(aliases)) for aliases in _classes(colours).values()) > MAX_ORDERS:
        first = next(aliases for aliases in _classes(colours).values() if len(aliases) > 1)[0]
        colours = _refined(root, {**colours, first: f"{colours[first]}~"}, outputs)
    return _break_ties(root, colours, outputs)


def _classes(colours: Mapping[str, str]) -> dict[str, list[str]]:
    """The aliases of each colour, in the order of the colours, which the given order has no part in."""
    return grouped_by(colours.__getitem__, sorted(colours, key=colours.__getitem__))


def _refined(
    root: exp.Expression, colours: dict[str, str], outputs: dict[tuple[str, str], exp.Expression]
) -> dict[str, str]:
    """The colours split until another round splits none."""
    while True:
        shared = {colour for colour, aliases in _classes(colours).items() if len(aliases) > 1}
        finer = _refine(root, colours, shared, outputs) if shared else colours
        if len(set(finer.values())) == len(set(colours.values())):
            return colours
        colours = finer


def _base(source: exp.Expression) -> str:
    return fold(source.name) if isinstance(source, exp.Table) else "q"


def _refine(
    root: exp.Expression,
    colours: dict[str, str],
    shared: set[str],
    outputs: dict[tuple[str, str], exp.Expression],
) -> dict[str, str]:
    """Split shared colours by how the whole query looks from each source.

    Only what mentions a source looks otherwise from there.
    """
    texts: dict[int, str] = {}
    mentions = _mentions(root, outputs)
    if mentions is not None:
        Fingerprint(colours, outputs, texts).of(root)
    views = {}
    for alias, colour in colours.items():
        if colour in shared:
            seen = {**colours, alias: "@"}
            kept = None if mentions is None else _without(texts, mentions.get(alias, ()))
            views[alias] = colour, Fingerprint(seen, outputs, kept).of(root)
    ranks = {view: rank for rank, view in enumerate(sorted(set(views.values())))}
    return {a: f"{c}#{ranks[views[a]]}" if a in views else c for a, c in colours.items()}


def _without(texts: Mapping[int, str], nodes: Iterable[exp.Expression]) -> dict[int, str]:
    """The texts of all nodes but some and those around them."""
    kept, gone = dict(texts), set[int]()
    for node in nodes:
        around: exp.Expr | None = node
        while around is not None and id(around) not in gone:
            gone.add(id(around))
            kept.pop(id(around), None)
            around = around.parent
    return kept


def _mentions(
    root: exp.Expression, outputs: Mapping[tuple[str, str], exp.Expression]
) -> dict[str, list[exp.Expression]] | None:
    """By alias of a source, the tables and columns whose fingerprints have its colour.

    That of a column of a derived table has the colours of the expression behind it.  None where there is one
    behind itself, as in a recursion.
    """
    known: dict[tuple[str, str], frozenset[str] | None] = {}

    def behind(place: tuple[str, str]) -> frozenset[str] | None:
        if place not in outputs:
            return frozenset((place[0],))
        if place not in known:
            known[place] = None
            within = [aliases(node) for node in outputs[place].find_all(exp.Column, exp.Table)]
            if not any(each is None for each in within):
                known[place] = frozenset((place[0],)).union(*filter(None, within))
        return known[place]

    def aliases(node: exp.Expr) -> frozenset[str] | None:
        if isinstance(node, exp.Table):
            return frozenset((node.alias_or_name,))
        return behind((node.text("table"), node.name))

    found: dict[str, list[exp.Expression]] = {}
    for node in root.find_all(exp.Column, exp.Table):
        named = aliases(node)
        if named is None:
            return None
        for alias in named:
            found.setdefault(alias, []).append(node)
    return found


def _break_ties(
    root: exp.Expression,
    colours: dict[str, str],
    outputs: dict[tuple[str, str], exp.Expression],
) -> dict[str, str]:
    """Number the sources that still share a colour, by the order that prints least."""
    tied = [aliases for aliases in _classes(colours).values() if len(aliases) > 1]
    if not tied:
        return colours
    candidates = []
    for orders in product(*(permutations(aliases) for aliases in tied)):
        numbered = dict(colours)
        for order in orders:
            for number, alias in enumerate(order):
                numbered[alias] = f"{colours[alias]}~{number}"
        candidates.append((Fingerprint(numbered, outputs).of(root), numbered))
    return min(candidates, key=lambda candidate: candidate[0])[1]


def _rename_outputs(
    root: exp.Expression,
    named: dict[str, exp.Expression],
    ctes: dict[str, exp.Expression],
    prints: Fingerprint,
) -> None:
    """Order and number the columns of derived tables and CTEs, and the references to them."""
    queries = {id(q): q for q in (_defining_query(s, ctes) for s in named.values()) if q is not None}
    renamed: dict[int, dict[str, str]] = {}
    for identity, query in queries.items():
        projections = _projections(query)
        if isinstance(query, exp.Select):
            projections.sort(key=prints.of)
            query.set("expressions", projections)
        names = {p.alias_or_name: f"c{number}" for number, p in enumerate(projections, 1)}
        for projection in projections:
            projection.set("alias", exp.to_identifier(names[projection.alias_or_name]))
        renamed[identity] = names
    new_names = {a: renamed.get(id(_defining_query(s, ctes)), {}) for a, s in named.items()}
    for column in root.find_all(exp.Column):
        name = new_names.get(column.table, {}).get(column.name)
        if name is not None:
            column.set("this", exp.to_identifier(name))


def _rename_sources(
    root: exp.Expression,
    named: dict[str, exp.Expression],
    ctes: dict[str, exp.Expression],
    colours: dict[str, str],
) -> None:
    """Name sources by the rank of their colour; a table may be called what a second ``t`` would be, t_2."""
    read = {a for a, s in named.items() if isinstance(s, exp.Table) and s.name in ctes}
    bases = {alias: "q" if alias in read else _base(source) for alias, source in named.items()}
    counts: Counter[str] = Counter()
    new_names = {}
    for alias in sorted(named, key=lambda a: colours[a]):
        base = bases[alias]
        counts[base] += 1
        while counts[base] > 1 and f"{base}_{counts[base]}" in bases.values():
            counts[base] += 1
        new_names[alias] = base if counts[base] == 1 else f"{base}_{counts[base]}"
    for alias, source in named.items():
        source.set("alias", exp.TableAlias(this=exp.to_identifier(new_names[alias])))
    for column in root.find_all(exp.Column):
        column.set("table", exp.to_identifier(new_names.get(column.table, column.table)))


def _rename_ctes(root: exp.Expression, named: dict[str, exp.Expression], ctx: Context) -> None:
    """Number the CTEs, under names that no table has."""
    prefix = "cte_"
    while any(fold(table.name).startswith(prefix) for table in ctx.schema.tables):
        prefix = f"_{prefix}"
    cte_names = {cte.alias: f"{prefix}{n}" for n, cte in enumerate(root.find_all(exp.CTE), 1)}
    for cte in root.find_all(exp.CTE):
        cte.set("alias", exp.TableAlias(this=exp.to_identifier(cte_names[cte.alias])))
    for source in named.values():
        if isinstance(source, exp.Table) and source.name in cte_names:
            source.set("this", exp.to_identifier(cte_names[source.name]))


def _compares_binary(root: exp.Expression, ctx: Context) -> bool:
    """Whether every comparison of the query uses BINARY, so that its sides may be swapped.

    With several collations the left operand's wins (https://sqlite.org/datatype3.html section 7.1).
    """
    if root.find(exp.Collate) is not None:
        return False
    tables = tables_read([root], ctx.schema)
    return all(column.collation.upper() == "BINARY" for table in tables for column in table.columns)


def _sort(root: exp.Expression, *, swappable: bool) -> exp.Expression:
    """Put commutative operands and inner-joined sources in canonical order, bottom-up."""
    prints = Fingerprint({})
    for node in reversed(list(root.find_all(exp.Expression))):
        kind = type(node)
        if kind in (exp.And, exp.Or):
            if type(node.parent) is not kind:
                root = _replace(root, node, chain(kind, sorted(operands(node, kind), key=prints.of)))
        elif kind in COMMUTATIVE or kind in MIRRORED:
            if (swappable or kind in (exp.Add, exp.Mul)) and not _tests_truth(node):
                _orient(node, prints)
        elif (kind is exp.In and node.expressions) or kind is exp.Group:
            node.set("expressions", sorted(node.expressions, key=prints.of))
        elif kind is exp.Window and node.args.get("partition_by"):
            node.set("partition_by", sorted(node.args["partition_by"], key=prints.of))
        elif kind is exp.Select:
            _sort_sources(node, prints)
        elif kind in UNORDERED_COMPOUNDS and swappable:
            _sort_operands(node, prints)
    return root


def _replace(root: exp.Expression, old: exp.Expression, new: exp.Expression) -> exp.Expression:
    if old is root:
        return new
    old.replace(new)
    return root


def _tests_truth(node: exp.Expression) -> bool:
    """Whether a node is ``x IS TRUE`` or its like, no comparison: 5 IS TRUE, but not TRUE IS 5."""
    return isinstance(node, exp.Is) and any(isinstance(side, exp.Boolean) for side in node.iter_expressions())


def _orient(node: exp.Expression, prints: Fingerprint) -> None:
    """Put the constant, or else the greater text, on the right, turning inequalities round."""
    left, right = node.this, node.expression

    def rank(side: exp.Expression) -> tuple[bool, str]:
        return (side.find(exp.Column) is None, prints.of(side))

    if rank(left) <= rank(right):
        return
    turned = MIRRORED.get(type(node))
    if turned is None:
        node.set("this", right)
        node.set("expression", left)
    else:
        node.replace(turned(this=right, expression=left))


def _sort_sources(select: exp.Expression, prints: Fingerprint) -> None:
    """Inner-joined sources first, by text; then LEFT JOINs, each after what its condition needs.

    Inner joins commute with each other, and with a LEFT JOIN whose condition does not mention them.
    RIGHT and FULL joins, and inner joins that carry a condition, are left where they stand; so are LEFT JOINs
    that need each other: SQLite refuses a condition about a later source only in what it does not skip.
    """
    joins = select.args.get("joins") or []
    sides = {join.side.upper() for join in joins}
    if not joins or sides - {"", "LEFT"} or any(j.args.get("on") and not j.side for j in joins):
        return
    inner = [select.args["from_"].this, *(join.this for join in joins if not join.side)]
    inner.sort(key=prints.of)
    own = {source.alias_or_name for source in sources(select)}
    left = {join.this.alias_or_name: join for join in sorted((j for j in joins if j.side), key=prints.of)}
    order = topological_order(list(left), lambda alias: _needs(left[alias], own) - {alias})
    if order is None:
        return  # Two LEFT JOINs that read each other's columns in ON: SQLite takes them as they stand.
    select.set("from_", exp.From(this=inner[0]))
    select.set("joins", [exp.Join(this=source) for source in inner[1:]] + [left[alias] for alias in order])


def _needs(join: exp.Expression, own: set[str]) -> set[str]:
    condition = join.args.get("on")
    if condition is None:
        return set()
    return {column.table for column in condition.find_all(exp.Column)} & own


def _sort_operands(node: exp.Expression, prints: Fingerprint) -> None:
    """Sort the operands of a UNION or INTERSECT that is the whole query.

    Elsewhere the first operand gives the columns their names and affinities.
    """
    if node.parent is not None:
        return
    kind, distinct = type(node), node.args.get("distinct")
    parts = []
    current = node
    while _continues(current, node):
        parts.append(current.expression)
        current = current.this
    parts.append(current)
    if any(isinstance(part, exp.SetOperation) for part in parts):
        return
    parts.sort(key=prints.of)
    chained = parts[0]
    for part in parts[1:-1]:
        chained = kind(this=chained, expression=part, distinct=distinct)
    node.set("this", chained)
    node.set("expression", parts[-1])


def _continues(current: exp.Expression, top: exp.Expression) -> bool:
    """Whether a set operation is the one at the top, without ORDER BY, LIMIT or WITH of its own below it."""
    if type(current) is not type(top) or current.args.get("distinct") != top.args.get("distinct"):
        return False
    return current is top or not any(current.args.get(a) for a in ("order", "limit", "offset", "with_"))
