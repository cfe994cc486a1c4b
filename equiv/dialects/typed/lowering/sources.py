"""FROM in the core: one source after another, each joined to all before it.

What looks beside is LATERAL, which the core's runner lacks: for proofs alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.model import Earlier, Schema, Table
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.laterals import looks_beside
from equiv.dialects.typed.lowering.unknown_rows import rows_of_system_table, rows_of_unknown
from equiv.dialects.typed.walks import parts_of
from equiv.errors import InputError
from equiv.names import fold

DEFAULT = "public"


def core_names(found: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What the core calls tables and views, by the name of their schema and their own.

    One of the schema ``public`` has its bare name, if no other schema has a table of that name; any other is
    called ``schema.name``.

    Raises:
        InputError: a name holds a dot.
    """
    places = list(found)
    counts = Counter(fold(name) for _, name in places)
    for namespace, name in places:
        if "." in name or "." in namespace:
            raise InputError(f"not supported: a dot in the name {name!r} of the schema {namespace!r}")
    return {
        (namespace, name): name if namespace == DEFAULT and counts[fold(name)] == 1 else f"{namespace}.{name}"
        for namespace, name in places
    }


def core_table(schema: Schema, namespace: str, name: str) -> Table | None:
    """The table that a dialect has under a name of a schema (of none: ''), or None."""
    wanted = (name, f"{namespace}.{name}") if namespace in ("", DEFAULT) else (f"{namespace}.{name}",)
    found = (schema.table(each) for each in wanted)
    return next((e for e in found if e is not None and e.namespace == namespace and e.name in wanted), None)


@dataclass(frozen=True)
class JoinStep:
    """A source and how it is joined; the condition is lowered when all sources are known."""

    node: exp.Expression
    side: str
    conditions: tuple[t.Expr, ...]


def attach(query: exp.Select, items: Sequence[t.FromItem], place: LoweringPlace) -> None:
    """Give a SELECT its FROM clause, and make its sources known.

    Raises:
        UnsupportedError: a source that the core lacks.
    """
    if not items:
        return
    nodes: dict[int, exp.Expression] = {}
    for join in (join for item in items for join in _joins(item)):
        place.state.joins[join.number] = join
    found_leaves = [leaf for item in items for leaf in leaves(item)]
    beside = {each.number for each in found_leaves} | {join.number for item in items for join in _joins(item)}
    for each in found_leaves:
        nodes[each.number] = _node(each, place)
        if looks_beside(each, beside):
            if place.state.symbols is None:
                raise UnsupportedError("Lateral", "a lateral column")
            nodes[each.number].set("lateral", True)
        _register(each, nodes[each.number], place)
    # One item whose joins keep unmatched rows of their right side has to come first, if it can.
    ordered = sorted(items, key=lambda item: _is_chained(item) or _joins_by(item, nodes, place))
    steps: list[JoinStep] = []
    for item in ordered:
        found = _steps(item, nodes, place)
        if steps and any(step.side in ("RIGHT", "FULL") for step in found):
            found = [_as_one(item, nodes, place)]
        steps += found
    _read_from(query, steps, place)


def _read_from(query: exp.Expression, steps: Sequence[JoinStep], place: LoweringPlace) -> None:
    """Give a SELECT the sources of FROM, each but the first joined to those before it."""
    first, *others = steps
    query.set("from_", exp.From(this=first.node))
    for step in others:
        on = b.all_of(_lowered(each, place) for each in step.conditions) if step.conditions else None
        side = None if step.side == "INNER" else step.side
        query.append("joins", exp.Join(this=step.node, on=on, side=side))


def _lowered(value: t.Expr, place: LoweringPlace) -> exp.Expression:
    from equiv.dialects.typed.lowering.expressions import lowered

    return lowered(value, place)


def leaves(item: t.FromItem) -> Iterator[t.FromSource]:
    """The sources of an item of FROM."""
    if isinstance(item, t.Joined):
        yield from leaves(item.left)
        yield from leaves(item.right)
    else:
        yield item


def _joins(item: t.FromItem) -> Iterator[t.Joined]:
    if isinstance(item, t.Joined):
        yield item
        yield from _joins(item.left)
        yield from _joins(item.right)


def _is_chained(item: t.FromItem) -> bool:
    """Whether a product with rows from before can be taken first, and the joins of the item after it."""
    return all(join.side in ("INNER", "LEFT") for join in _joins(item))


def _joins_by(item: t.FromItem, nodes: Container[int], place: LoweringPlace) -> bool:
    """Whether a join in an item mentions columns of what FROM has beside it."""
    own = {each.number for each in leaves(item)} | {join.number for join in _joins(item)}
    conditions = [join.condition for join in _joins(item)]
    seen = {part.source for part in parts_of(tuple(conditions)) if isinstance(part, t.SourceColumn)} - own
    joins = (place.state.joins[source] for source in seen if source in place.state.joins)
    return any(source in nodes for source in seen) or any(
        leaf.number in nodes for join in joins for leaf in leaves(join)
    )


def _node(source: t.FromSource, place: LoweringPlace) -> exp.Expression:
    """The rows of a source as the core reads them."""
    from equiv.dialects.typed.lowering.queries import query_in, rows_of

    alias = place.state.names.fresh(source.alias or "source")
    match source:
        case t.SystemTable():
            return b.derived(rows_of_system_table(source, place), alias)
        case t.TableUse():
            return _table(source, alias, place)
        case t.CommonTableUse():
            return b.table(place.state.ctes[source.cte][0], alias)
        case t.ValuesList():
            return b.derived(rows_of(source, place), alias)
        case t.Called():
            return b.derived(rows_of_unknown(source, place), alias)
        case t.DerivedTable():
            return b.derived(query_in(source.query, place), alias)
    raise UnsupportedError("From", type(source).__name__)


def _table(source: t.TableUse, alias: str, place: LoweringPlace) -> exp.Expression:
    found = _core_table(source, place)
    if found is None or not (source.inherits or source.is_alone):
        raise UnsupportedError("From", f"the table {source.schema}.{source.name}")
    return b.table(found.name, alias)


def _core_table(source: t.TableUse, place: LoweringPlace) -> Table | None:
    schema = place.state.schema
    found = core_table(schema, source.schema, source.name)
    if found is None or not source.refreshed:
        return found
    times = {each.earlier: each for each in schema.tables if each.earlier}
    then = times.get(Earlier(found.name, source.refreshed))
    # A fresh view reads others as they are now, whose rows are those of now if these are fresh as well.
    left = source.refreshed[len(source.fresh_in(schema)) :]
    if then is None or left == source.refreshed:
        return then
    if then.is_filtered:
        why = "whose row-level security hides rows, read by a materialised view as its owner"
        raise UnsupportedError("From", f"the table {found.name}, {why}")
    return times.get(Earlier(found.name, left)) if left else found


def _register(source: t.FromSource, node: exp.Expression, place: LoweringPlace) -> None:
    alias = node.args["alias"].name
    match source:
        case t.TableUse() if not isinstance(source, t.SystemTable):
            found = _core_table(source, place)
            assert found is not None
            known = [found.column(name) for name in source.columns]
            names = tuple(each.name if each is not None else "" for each in known)
        case t.CommonTableUse():
            names = place.state.ctes[source.cte][1]
        case _:
            names = tuple(each.alias for each in b.outputs(node.this))
    place.state.sources[source.number] = alias, names


def _steps(item: t.FromItem, nodes: dict[int, exp.Expression], place: LoweringPlace) -> list[JoinStep]:
    if not isinstance(item, t.Joined):
        return [JoinStep(nodes[item.number], "INNER", ())]
    left = _steps(item.left, nodes, place)
    conditions = () if item.condition is None else (item.condition,)
    if isinstance(item.right, t.Joined):
        right = _steps(item.right, nodes, place)
        if item.side == "INNER" and all(step.side == "INNER" for step in right):
            *most, last = right
            return [*left, *most, JoinStep(last.node, "INNER", (*last.conditions, *conditions))]
        return [*left, JoinStep(_as_one(item.right, nodes, place).node, item.side, conditions)]
    return [*left, JoinStep(nodes[item.right.number], item.side, conditions)]


def _as_one(item: t.FromItem, nodes: dict[int, exp.Expression], place: LoweringPlace) -> JoinStep:
    """Joined sources as a derived table, whose columns stand for theirs from then on."""
    inner = b.select([])
    _read_from(inner, _steps(item, nodes, place), place)
    alias = place.state.names.fresh("joined")
    members = list(leaves(item))
    columns = [
        (each.number, *place.state.sources[each.number], name)
        for each in members
        for name in place.state.sources[each.number][1]
    ]
    names = b.unique([name for *_, name in columns])
    inner.set(
        "expressions",
        [b.named(b.column(old, name), new) for (_, old, _, name), new in zip(columns, names, strict=True)],
    )
    for each in members:
        mine = tuple(new for (number, *_), new in zip(columns, names, strict=True) if number == each.number)
        place.state.sources[each.number] = alias, mine
    node = b.derived(inner, alias)
    if _joins_by(item, nodes, place) and place.state.symbols is None:
        raise UnsupportedError("Lateral", "a join on a lateral column")
    # Any of its parts may look at what stands before all.
    if _joins_by(item, nodes, place) or any(nodes[each.number].args.get("lateral") for each in members):
        node.set("lateral", True)
    return JoinStep(node, "INNER", ())
