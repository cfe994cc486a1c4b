"""FROM in the core: one source after another, each joined to all before it.

What looks beside is LATERAL, which the core's runner lacks: for proofs alone.  Rows of which the core has no
meaning (functions in FROM, recursive common table expressions, the engine's own catalogue) are numbered up to
a number, which is a symbol, as is each of their columns: its place distinguishes a row from others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.building import numbered
from equiv.core.model import Earlier, Schema, Table
from equiv.core.query import UnsupportedError
from equiv.core.recursion import ColumnSymbol, Recursion
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.laterals import looks_beside
from equiv.dialects.typed.lowering.unknown import (
    is_function,
    is_held,
    is_merged,
    places_of,
    sort_of,
    symbol,
    symbol_of_values,
)
from equiv.dialects.typed.walks import found_in, parts_of
from equiv.errors import InputError
from equiv.names import fold, quoted_name

_NUMBER = t.Type("int8")


def _rows_of_unknown(source: t.Called, place: LoweringPlace) -> exp.Expression:
    """The rows of functions in FROM: those up to a number, which is a symbol, as is each of their columns.

    The order of rows is a function of the arguments, as their number is: a row's place distinguishes it.

    Raises:
        UnsupportedError: a function may be no symbol.
    """
    first = source.functions[0]
    names = b.unique(source.columns)
    if source.functions == (t.CalledFunction(first.call),) and not first.call.routine.returns_set:
        row = (place.lowered(first.call), b.number("1"))
        return b.select([b.named(value, name) for value, name in zip(row, names, strict=False)])
    alias = place.state.names.fresh("numbers")
    within = b.column(alias, "n")
    ends: list[exp.Expression] = []
    shown: list[exp.Expression] = []
    for function in source.functions:
        routine = function.call.routine
        if place.state.symbols is None or not is_function(replace(routine, returns_set=False), place):
            why = f"the function {routine.name} in FROM, unless few rows of constants"
            raise UnsupportedError("From", why)
        end = b.number("1")
        if routine.returns_set:
            end = _part(t.RowsOfFunction(_NUMBER, function), (), place)
        ends.append(exp.LTE(this=within.copy(), expression=end))
        for at in range(1, function.width + 1):
            kind = place.state.kinds.get((source.number, len(shown) + 1))
            cell: exp.Expression = exp.Null()
            if kind is not None:
                asked = t.RowsOfFunction(kind, function, at, t.TypedConstant(_NUMBER, None))
                cell = _part(asked, (within.copy(),), place)
            # The rows of one that has none left are NULL beside those of others.
            shown.append(
                cell if len(source.functions) == 1 else b.case([(ends[-1].copy(), cell)], exp.Null())
            )
    shown += [within.copy()] * source.numbered
    return numbered(alias, shown, names, b.all_of(ends, exp.Or))


def recursion(cte: t.CommonTable, name: str, place: LoweringPlace) -> tuple[exp.Expression, Recursion]:
    """The body of a recursive common table expression, which reads itself, and what its columns are.

    Raises:
        UnsupportedError: there are no symbols, or it has values that may be none.
    """
    whole, state = cte.query, place.state
    assert isinstance(whole, t.SetQuery)
    body, kinds = whole.body, whole.body.types
    if state.symbols is None:
        raise UnsupportedError("With", "WITH RECURSIVE")
    if not all(map(is_held, kinds)):
        raise UnsupportedError("With", "WITH RECURSIVE over values of this type")
    first = place.query(_operand(body.left, whole))
    state.ctes[cte.number] = name, tuple(each.alias for each in b.outputs(first))
    step = place.query(_operand(body.right, whole))
    columns = tuple(ColumnSymbol(sort_of(kind), kind.signature) for kind in kinds)
    # No engine computes it: it is a constant there.
    state.symbols[f"recursion {name}"] = t.TypedConstant(_NUMBER, None)
    found = exp.Union(this=first, expression=step, distinct=not body.all)
    return found, Recursion(columns, not any(map(is_merged, kinds)), state.choosing.get(cte.number))


def _rows_of_system_table(source: t.SystemTable, place: LoweringPlace) -> exp.Expression:
    """The rows of a table or view of the engine's own: up to a number, which is a symbol, as are columns.

    A column that is never NULL is the same as COALESCE of it, by which that is said.

    Raises:
        UnsupportedError: there are no symbols.
    """
    name = f"{source.schema}.{source.name}"
    if place.state.symbols is None:
        raise UnsupportedError("From", f"the table {name}")
    alias = place.state.names.fresh("numbers")
    within = b.column(alias, "n")

    def part(what: str, kind: t.Type, *given: exp.Expression) -> exp.Expression:
        # What cannot be held is mentioned by a join alone, which lists all columns: nothing else takes it.
        held = kind if is_held(kind) else t.Type("text")
        found = symbol(t.TypedConstant(held, None), f"{what} of {name}", (), given, place)
        assert found is not None
        return found

    shown: list[exp.Expression] = []
    for at, is_required in enumerate(source.required, 1):
        kind = place.state.kinds.get((source.number, at))
        cell = exp.Null() if kind is None else part(f"column {at}", kind, within.copy())
        if kind is not None and is_required:
            other = b.string("") if sort_of(kind) == "TEXT" else b.number("0")
            cell = exp.Coalesce(this=cell, expressions=[other])
        shown.append(cell)
    test = exp.LTE(this=within, expression=part("rows", _NUMBER))
    return numbered(alias, shown, b.unique(source.columns), test)


def _operand(side: t.Compound | t.SetOperand, around: t.SetQuery) -> t.TypedQuery:
    """An operand of a recursion as a query of its own; without LIMIT the order of its rows says nothing."""
    if isinstance(side, t.Compound):
        return t.SetQuery(side, around.names, (), None, around.ctes)
    found = replace(side.query, ctes=(*around.ctes, *side.query.ctes))
    # Both sorts of queries have an order, of another type, and no order is of both.
    return found if found.limit is not None else replace(found, order=())  # type: ignore[arg-type]


def choosing_recursions(query: t.TypedQuery) -> dict[int, int]:
    """The recursive common table expressions that may choose among rows, by number, counted from 1.

    A choice is made anew wherever such an expression is evaluated: it has to stand where that is once.

    Raises:
        UnsupportedError: one does not.
    """
    found = dict[int, int]()
    for each in parts_of(query):
        if not isinstance(each, t.CommonTable) or not each.recursive:
            continue
        if not (may_choose(each.query) or any(found_in(each.query, t.AggregateCall))):
            continue
        if each not in query.ctes or each.query.ctes:
            raise UnsupportedError("With", "WITH RECURSIVE in a subquery whose rows are not determined")
        found[each.number] = len(found) + 1
    return found


_DETERMINED = frozenset(("count", "sum", "avg", "min", "max", "bool_and", "bool_or", "every"))
"""Aggregates that ask for no order of rows."""


def may_choose(query: t.TypedQuery) -> bool:
    """Whether the rows of a query, or of one within it, may be others for the same database."""
    return any(map(_chooses, parts_of(query)))


def _chooses(part: object) -> bool:
    match part:
        case t.AggregateCall(type=kind, routine=t.Routine(name=name)):
            return name not in _DETERMINED or is_merged(kind)
        case t.Limit() | t.Over() | t.NestedQuery(form="array"):
            return True
        case t.Select(distinct_on=(_, *_)):
            return True
        case t.Select(group=t.GroupBy(keys=keys)) if any(is_merged(each.type) for each in keys):
            return True
        case t.Select(distinct=True) | t.Compound(all=False):
            kinds = part.types if isinstance(part, t.Compound) else t.columns_of(part)
            return any(map(is_merged, kinds))
    return False


def _part(
    value: t.RowsOfFunction, within: tuple[exp.Expression, ...], place: LoweringPlace
) -> exp.Expression:
    """The symbol of a column of a function's row, or of how many rows it has."""
    call, defined = value.function.call, value.function.defined
    listed = ", ".join(f"{quoted_name(name)} {kind.signature}" for name, kind in defined)
    what = f"{f'column {value.column}' if value.column else 'rows'} of {call.routine.name}"
    name = f"{what}({'VARIADIC ' * call.variadic}{places_of(call.arguments)})" + f" AS ({listed})" * bool(
        listed
    )
    found = symbol_of_values(value, name, call.arguments, place, strict=call.routine.strict, within=within)
    if found is None:
        raise UnsupportedError("From", f"the function {call.routine.name} in FROM, of such values")
    return found


DEFAULT = "public"


def core_names(found: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The core's names of tables and views, by the name of their schema and their own.

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
                raise UnsupportedError("Lateral", "a column of another item of FROM")
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
        on = b.all_of(place.lowered(each) for each in step.conditions) if step.conditions else None
        side = None if step.side == "INNER" else step.side
        query.append("joins", exp.Join(this=step.node, on=on, side=side))


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
    seen = {part.source for part in found_in(tuple(conditions), t.SourceColumn)} - own
    joins = (place.state.joins[source] for source in seen if source in place.state.joins)
    return any(source in nodes for source in seen) or any(
        leaf.number in nodes for join in joins for leaf in leaves(join)
    )


def _node(source: t.FromSource, place: LoweringPlace) -> exp.Expression:
    """The rows of a source as the core reads them."""
    from equiv.dialects.typed.lowering.queries import rows_of

    alias = place.state.names.fresh(source.alias or "source")
    match source:
        case t.SystemTable():
            return b.derived(_rows_of_system_table(source, place), alias)
        case t.TableUse():
            return _table(source, alias, place)
        case t.CommonTableUse():
            return b.table(place.state.ctes[source.cte][0], alias)
        case t.ValuesList():
            return b.derived(rows_of(source, place), alias)
        case t.Called():
            return b.derived(_rows_of_unknown(source, place), alias)
        case t.DerivedTable():
            return b.derived(place.query(source.query), alias)
    raise UnsupportedError("From", type(source).__name__)


def _table(source: t.TableUse, alias: str, place: LoweringPlace) -> exp.Expression:
    found = _core_table(source, place)
    if found is None:
        lack = "the rows at a materialised view's last refresh" if source.refreshed else "no such table"
        raise UnsupportedError("From", f"{source.schema}.{source.name}: the schema has {lack}")
    if not (source.inherits or source.is_alone):
        why = "rows without those of its child tables are not modelled"
        raise UnsupportedError("From", f"ONLY {source.name}: {why}")
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
        raise UnsupportedError("Lateral", "a join on a column of another item of FROM")
    # Any of its parts may look at what stands before all.
    if _joins_by(item, nodes, place) or any(nodes[each.number].args.get("lateral") for each in members):
        node.set("lateral", True)
    return JoinStep(node, "INNER", ())
