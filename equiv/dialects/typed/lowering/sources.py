"""FROM in the core: one source after another, each joined to all before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.model import Earlier, Table
from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import all_of, column, derived, named, outputs, select, table
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.names import unique
from equiv.dialects.typed.table_names import core_table
from equiv.dialects.typed.tree import (
    Called,
    Derived,
    Expr,
    Item,
    Joined,
    Named,
    Relation,
    Source,
    Values,
)


@dataclass(frozen=True)
class Step:
    """A source and how it is joined; the condition is lowered when all sources are known."""

    node: exp.Expression
    side: str
    conditions: tuple[Expr, ...]


def attach(query: exp.Select, items: Sequence[Item], place: Place) -> None:
    """Give a SELECT its FROM clause, and make its sources known.

    Raises:
        UnsupportedError: a source that the core lacks.
    """
    if not items:
        return
    # A derived table does not see what stands beside it: all are lowered before any is known.
    nodes = {each.number: _node(each, place) for item in items for each in leaves(item)}
    for item in items:
        for each in leaves(item):
            _register(each, nodes[each.number], place)
        for join in _joins(item):
            place.state.joins[join.number] = join
    # One item whose joins keep unmatched rows of their right side has to come first.
    ordered = sorted(items, key=_is_chained)
    steps: list[Step] = []
    for item in ordered:
        found = _steps(item, nodes, place)
        if steps and any(step.side in ("RIGHT", "FULL") for step in found):
            found = [_as_one(item, nodes, place)]
        steps += found
    for index, step in enumerate(steps):
        if not index:
            query.set("from_", exp.From(this=step.node))
            continue
        query.append("joins", _join(step, place))


def _join(step: Step, place: Place) -> exp.Expression:
    on = all_of(_lowered(each, place) for each in step.conditions) if step.conditions else None
    return exp.Join(this=step.node, on=on, side=None if step.side == "INNER" else step.side)


def _lowered(value: Expr, place: Place) -> exp.Expression:
    from equiv.dialects.typed.lowering.expressions import lowered

    return lowered(value, place)


def leaves(item: Item) -> Iterator[Source]:
    """The sources of an item of FROM."""
    if isinstance(item, Joined):
        yield from leaves(item.left)
        yield from leaves(item.right)
    else:
        yield item


def _joins(item: Item) -> Iterator[Joined]:
    if isinstance(item, Joined):
        yield item
        yield from _joins(item.left)
        yield from _joins(item.right)


def _is_chained(item: Item) -> bool:
    """Whether a product with rows from before can be taken first, and the joins of the item after it."""
    return all(join.side in ("INNER", "LEFT") for join in _joins(item))


def _node(source: Source, place: Place) -> exp.Expression:
    """The rows of a source as the core reads them."""
    from equiv.dialects.typed.lowering.queries import query_in, rows_of

    alias = place.state.names.fresh(source.alias or "source")
    match source:
        case Relation():
            return _table(source, alias, place)
        case Named():
            return table(place.state.ctes[source.cte][0], alias)
        case Values():
            return derived(rows_of(source, place), alias)
        case Called(call=call):
            raise UnsupportedError(
                "From", f"the function {call.routine.name} in FROM, unless few rows of constants"
            )
        case Derived():
            return derived(query_in(source.query, place), alias)
    raise UnsupportedError("From", type(source).__name__)


def _table(source: Relation, alias: str, place: Place) -> exp.Expression:
    found = _core_table(source, place)
    if found is None or not (source.inherits or source.is_alone):
        raise UnsupportedError("From", f"the table {source.schema}.{source.name}")
    return table(found.name, alias)


def _core_table(source: Relation, place: Place) -> Table | None:
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
        why = "of which row-level security shows a materialised view the rows that its owner sees"
        raise UnsupportedError("From", f"the table {found.name}, {why}")
    return times.get(Earlier(found.name, left)) if left else found


def _register(source: Source, node: exp.Expression, place: Place) -> None:
    alias = node.args["alias"].name
    match source:
        case Relation():
            found = _core_table(source, place)
            assert found is not None
            known = [found.column(name) for name in source.columns]
            names = tuple(each.name if each is not None else "" for each in known)
        case Named():
            names = place.state.ctes[source.cte][1]
        case _:
            names = tuple(each.alias for each in outputs(node.this))
    place.state.sources[source.number] = alias, names


def _steps(item: Item, nodes: dict[int, exp.Expression], place: Place) -> list[Step]:
    if not isinstance(item, Joined):
        return [Step(nodes[item.number], "INNER", ())]
    left = _steps(item.left, nodes, place)
    conditions = () if item.condition is None else (item.condition,)
    if isinstance(item.right, Joined):
        right = _steps(item.right, nodes, place)
        if item.side == "INNER" and all(step.side == "INNER" for step in right):
            *most, last = right
            return [*left, *most, Step(last.node, "INNER", (*last.conditions, *conditions))]
        return [*left, Step(_as_one(item.right, nodes, place).node, item.side, conditions)]
    return [*left, Step(nodes[item.right.number], item.side, conditions)]


def _as_one(item: Item, nodes: dict[int, exp.Expression], place: Place) -> Step:
    """Joined sources as a derived table, whose columns stand for theirs from then on."""
    inner = select([])
    steps = _steps(item, nodes, place)
    for index, step in enumerate(steps):
        if not index:
            inner.set("from_", exp.From(this=step.node))
            continue
        inner.append("joins", _join(step, place))
    alias = place.state.names.fresh("joined")
    members = list(leaves(item))
    columns = [
        (each.number, *place.state.sources[each.number], name)
        for each in members
        for name in place.state.sources[each.number][1]
    ]
    names = unique([name for *_, name in columns])
    inner.set(
        "expressions",
        [named(column(old, name), new) for (_, old, _, name), new in zip(columns, names, strict=True)],
    )
    for each in members:
        mine = tuple(new for (number, *_), new in zip(columns, names, strict=True) if number == each.number)
        place.state.sources[each.number] = alias, mine
    return Step(derived(inner, alias), "INNER", ())
