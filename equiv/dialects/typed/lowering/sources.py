"""FROM in the core: one source after another, each joined to all before it; no LATERAL.

The core has no LATERAL.  One row for each row beside is a subquery in an expression for each of its columns;
rows that are chosen by conditions alone are joined by these.  What else looks beside is refused later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from sqlglot import exp

from equiv.core.model import Earlier, Schema, Table
from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import all_of, column, derived, named, outputs, select, table, unique
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.tree import (
    AggregateCall,
    Called,
    CaseWhen,
    CommonTableUse,
    DerivedTable,
    Expr,
    FromItem,
    FromSource,
    Joined,
    Logic,
    NestedQuery,
    Over,
    ResultColumn,
    Select,
    SourceColumn,
    TableUse,
    Type,
    TypedConstant,
    TypedQuery,
    ValuesList,
    parts_of,
)
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
    return next((t for t in found if t is not None and t.namespace == namespace and t.name in wanted), None)


T = TypeVar("T")
_BOOL = Type("bool")
_ROUNDS = 20
"""How many of a SELECT's are rewritten at most."""


def without_laterals(query: TypedQuery) -> TypedQuery:
    """The query with as few subqueries that look beside as can be."""
    if not any(isinstance(each, DerivedTable) and each.lateral for each in parts_of(query)):
        return query
    return _everywhere(query)


def _everywhere(value: T) -> T:
    """A part of a query, each SELECT in it rewritten from the inside out."""
    found: Any = value
    if isinstance(found, tuple):
        return tuple(map(_everywhere, found))  # type: ignore[return-value]
    if is_dataclass(found) and not isinstance(found, type):
        changed = {each.name: _everywhere(getattr(found, each.name)) for each in fields(found)}
        found = replace(found, **changed)
    if isinstance(found, Select):
        for _ in range(_ROUNDS):
            again = _once(found)
            if again is None:
                break
            found = again
    return found  # type: ignore[no-any-return]


def _once(query: Select) -> Select | None:
    """The SELECT without one of its lateral subqueries; None if none can be written otherwise."""
    for place, item in enumerate(query.items):
        for beside, join in _laterals(item):
            known = _values_of(beside, join, query)
            if known is None:
                continue
            values, instead, condition = known
            left = _without(item, beside, instead, condition)
            items = (*query.items[:place], *left, *query.items[place + 1 :])
            whole = replace(query, items=items)
            if condition is not None and (join is None or not instead):
                both = condition if whole.where is None else Logic(_BOOL, "and", (whole.where, condition))
                whole = replace(whole, where=both)
            return _replaced(whole, beside.number, values)
    return None


def _laterals(item: FromItem) -> Iterator[tuple[DerivedTable, Joined | None]]:
    """The lateral subqueries of an item that look beside, each with the join whose right side it is."""
    if isinstance(item, DerivedTable) and _looks_beside(item):
        yield item, None
    if isinstance(item, Joined):
        # A RIGHT or FULL JOIN makes columns NULL that an expression in their place would not be.
        if item.side in ("INNER", "LEFT"):
            yield from (found for found in _laterals(item.left) if found[1] is not None)
        if isinstance(item.right, DerivedTable) and _looks_beside(item.right):
            yield item.right, item


def _looks_beside(derived: DerivedTable) -> bool:
    if not derived.lateral:
        return False
    parts = list(parts_of(derived.query))
    own = {each.number for each in parts if isinstance(each, FromSource | Joined)}
    return any(isinstance(each, SourceColumn) and each.source not in own for each in parts)


def _values_of(
    derived: DerivedTable, join: Joined | None, query: Select
) -> tuple[tuple[Expr, ...], tuple[FromItem, ...], Expr | None] | None:
    """What stands for the columns of a subquery, for its rows, and the condition that chooses them."""
    inner = derived.query
    if not isinstance(inner, Select) or inner.ctes or inner.distinct_on:
        return None
    side, given = ("INNER", None) if join is None else (join.side, join.condition)
    plain = not (inner.group or inner.having or inner.limit or inner.distinct)
    is_one = plain and inner.aggregates and side in ("INNER", "LEFT")
    is_first = side == "LEFT" and _is_first(inner) and _uses(query, derived.number) <= 1
    if is_one or (is_first and _is_true(given)):
        found = [_as_subquery(inner, target) for target in inner.targets]
        columns = tuple(value for value in found if value is not None)
        if len(columns) < len(found):
            return None
        if given is None or _is_true(given):
            return columns, (), None
        if side == "INNER":
            return columns, (), given
        holds = _replaced(given, derived.number, columns)
        return tuple(_where(holds, value) for value in columns), (), None
    if not plain or inner.aggregates or _has_windows(inner):
        return None
    values = tuple(target.value for target in inner.targets)
    if side == "INNER" and (inner.items or (inner.where is None and _is_true(given))):
        return values, inner.items, inner.where
    bare = all(isinstance(value, SourceColumn) for value in values)
    if side != "LEFT" or len(inner.items) != 1 or not isinstance(inner.items[0], TableUse) or not bare:
        return None
    own = {value.source for value in values if isinstance(value, SourceColumn)}
    return (values, inner.items, inner.where) if own <= {inner.items[0].number} else None


def _as_subquery(inner: Select, target: ResultColumn) -> Expr | None:
    """A column as a subquery in an expression; None if that may have another row than the whole.

    Of one group without GROUP BY, whose one row it is, a column without an aggregate is a value from beside.
    """
    if not inner.aggregates or inner.group or inner.having or _aggregates(target.value):
        return NestedQuery(target.value.type, "scalar", replace(inner, targets=(target,)))
    return target.value if inner.limit is None else None


def _where(condition: Expr, value: Expr) -> Expr:
    """A value where a condition holds, else NULL."""
    return CaseWhen(value.type, None, ((condition, value),), TypedConstant(value.type, None))


def _aggregates(value: object) -> bool:
    """Whether an aggregate stands in a value, subqueries apart."""
    if isinstance(value, AggregateCall):
        return True
    if isinstance(value, tuple):
        return any(map(_aggregates, value))
    if isinstance(value, NestedQuery) or not is_dataclass(value):
        return False
    return any(_aggregates(getattr(value, each.name)) for each in fields(value))


def _is_first(inner: Select) -> bool:
    """Whether a subquery is a query for one row at most."""
    from equiv.dialects.typed.lowering.calls import constant_of

    if inner.limit is None or inner.limit.with_ties or inner.limit.count is None:
        return False
    count = constant_of(inner.limit.count)
    return count is not None and count.text == "1"


def _uses(query: Select, number: int) -> int:
    """In how many places columns of a source are mentioned, or of a join, which may be its."""
    joins = {each.number for each in parts_of(query) if isinstance(each, Joined)}
    return sum(
        isinstance(each, SourceColumn) and each.source in {number, *joins} for each in _mentions(query)
    )


def _mentions(value: object) -> Iterator[object]:
    """The parts of a query without what the columns of joins stand for."""
    yield value
    if isinstance(value, tuple):
        for each in value:
            yield from _mentions(each)
    elif is_dataclass(value):
        for each in fields(value):
            if not (isinstance(value, Joined) and each.name == "merged"):
                yield from _mentions(getattr(value, each.name))


def _has_windows(query: Select) -> bool:
    return any(isinstance(each, Over) for target in query.targets for each in parts_of(target))


def _is_true(condition: Expr | None) -> bool:
    return condition is None or (isinstance(condition, TypedConstant) and condition.text == "true")


def _without(
    item: FromItem, derived: DerivedTable, instead: tuple[FromItem, ...], condition: Expr | None
) -> tuple[FromItem, ...]:
    """An item of FROM with other sources in the place of a subquery, joined by its condition."""
    if item is derived:
        return instead
    assert isinstance(item, Joined)
    if item.right is not derived:
        (left,) = _without(item.left, derived, instead, condition)
        return (replace(item, left=left),)
    if not instead:
        return (item.left,)
    found: FromItem = item.left
    both = [each for each in (condition, item.condition) if each is not None and not _is_true(each)]
    on = None if not both else both[0] if len(both) == 1 else Logic(_BOOL, "and", tuple(both))
    *first, last = instead
    for each in first:
        found = Joined("INNER", found, each, None)
    return (replace(item, left=found, right=last, condition=on),)


def _replaced(value: T, number: int, values: tuple[Expr, ...]) -> T:
    """A part of a query with values for the columns of a source."""
    found: Any = value
    if isinstance(found, SourceColumn) and found.source == number:
        found = values[found.position - 1]
    elif isinstance(found, tuple):
        found = tuple(_replaced(each, number, values) for each in found)
    elif is_dataclass(found) and not isinstance(found, type):
        changed = {each.name: _replaced(getattr(found, each.name), number, values) for each in fields(found)}
        found = replace(found, **changed)
    return found  # type: ignore[no-any-return]


@dataclass(frozen=True)
class JoinStep:
    """A source and how it is joined; the condition is lowered when all sources are known."""

    node: exp.Expression
    side: str
    conditions: tuple[Expr, ...]


def attach(query: exp.Select, items: Sequence[FromItem], place: LoweringPlace) -> None:
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
    steps: list[JoinStep] = []
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


def _join(step: JoinStep, place: LoweringPlace) -> exp.Expression:
    on = all_of(_lowered(each, place) for each in step.conditions) if step.conditions else None
    return exp.Join(this=step.node, on=on, side=None if step.side == "INNER" else step.side)


def _lowered(value: Expr, place: LoweringPlace) -> exp.Expression:
    from equiv.dialects.typed.lowering.expressions import lowered

    return lowered(value, place)


def leaves(item: FromItem) -> Iterator[FromSource]:
    """The sources of an item of FROM."""
    if isinstance(item, Joined):
        yield from leaves(item.left)
        yield from leaves(item.right)
    else:
        yield item


def _joins(item: FromItem) -> Iterator[Joined]:
    if isinstance(item, Joined):
        yield item
        yield from _joins(item.left)
        yield from _joins(item.right)


def _is_chained(item: FromItem) -> bool:
    """Whether a product with rows from before can be taken first, and the joins of the item after it."""
    return all(join.side in ("INNER", "LEFT") for join in _joins(item))


def _node(source: FromSource, place: LoweringPlace) -> exp.Expression:
    """The rows of a source as the core reads them."""
    from equiv.dialects.typed.lowering.queries import query_in, rows_of

    alias = place.state.names.fresh(source.alias or "source")
    match source:
        case TableUse():
            return _table(source, alias, place)
        case CommonTableUse():
            return table(place.state.ctes[source.cte][0], alias)
        case ValuesList():
            return derived(rows_of(source, place), alias)
        case Called(call=call):
            raise UnsupportedError(
                "From", f"the function {call.routine.name} in FROM, unless few rows of constants"
            )
        case DerivedTable():
            return derived(query_in(source.query, place), alias)
    raise UnsupportedError("From", type(source).__name__)


def _table(source: TableUse, alias: str, place: LoweringPlace) -> exp.Expression:
    found = _core_table(source, place)
    if found is None or not (source.inherits or source.is_alone):
        raise UnsupportedError("From", f"the table {source.schema}.{source.name}")
    return table(found.name, alias)


def _core_table(source: TableUse, place: LoweringPlace) -> Table | None:
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


def _register(source: FromSource, node: exp.Expression, place: LoweringPlace) -> None:
    alias = node.args["alias"].name
    match source:
        case TableUse():
            found = _core_table(source, place)
            assert found is not None
            known = [found.column(name) for name in source.columns]
            names = tuple(each.name if each is not None else "" for each in known)
        case CommonTableUse():
            names = place.state.ctes[source.cte][1]
        case _:
            names = tuple(each.alias for each in outputs(node.this))
    place.state.sources[source.number] = alias, names


def _steps(item: FromItem, nodes: dict[int, exp.Expression], place: LoweringPlace) -> list[JoinStep]:
    if not isinstance(item, Joined):
        return [JoinStep(nodes[item.number], "INNER", ())]
    left = _steps(item.left, nodes, place)
    conditions = () if item.condition is None else (item.condition,)
    if isinstance(item.right, Joined):
        right = _steps(item.right, nodes, place)
        if item.side == "INNER" and all(step.side == "INNER" for step in right):
            *most, last = right
            return [*left, *most, JoinStep(last.node, "INNER", (*last.conditions, *conditions))]
        return [*left, JoinStep(_as_one(item.right, nodes, place).node, item.side, conditions)]
    return [*left, JoinStep(nodes[item.right.number], item.side, conditions)]


def _as_one(item: FromItem, nodes: dict[int, exp.Expression], place: LoweringPlace) -> JoinStep:
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
    return JoinStep(derived(inner, alias), "INNER", ())
