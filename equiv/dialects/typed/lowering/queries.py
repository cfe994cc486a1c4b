"""Queries in the core; GROUPING SETS as UNION ALL, DISTINCT ON and WITH TIES by row numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.aggregates import ordered, term, without_outer_aggregates
from equiv.dialects.typed.lowering.calls import LoweringPlace, Routines, State, constant_of
from equiv.dialects.typed.lowering.comparisons import sorts_otherwise
from equiv.dialects.typed.lowering.gathered import without_counted_lists
from equiv.dialects.typed.lowering.laterals import with_functions_in_from, without_laterals
from equiv.dialects.typed.lowering.sources import attach, choosing_recursions, may_choose, recursion
from equiv.dialects.typed.lowering.unknown import in_order, is_merged, merged
from equiv.dialects.typed.walks import children, found_in, fresh_numbers, mapped, numbers_in_from, parts_of
from equiv.graphs import depth_first_postorder
from equiv.names import UniqueNames


def _first_of_each(query: t.Select, place: LoweringPlace) -> exp.Expression:
    """DISTINCT ON: of the rows that agree on its keys the one that ORDER BY puts first."""
    keys = [each for each in query.distinct_on if not isinstance(each, t.TypedConstant)]
    return _numbered(query, place, function="ROW_NUMBER", partition=keys, wanted=b.number("1"), test=exp.EQ)


def with_ties(query: t.Select, place: LoweringPlace) -> exp.Expression:
    """FETCH FIRST n ROWS WITH TIES: the rows before which fewer than n stand."""
    limit = query.limit
    assert limit is not None
    count = constant_of(limit.count) if limit.count is not None else None
    if limit.offset is not None or count is None or count.text is None:
        raise UnsupportedError("Fetch", "WITH TIES with OFFSET, or with a count that is not a constant")
    if query.distinct or query.distinct_on:
        raise UnsupportedError("Fetch", "WITH TIES of DISTINCT rows")
    plain = replace(query, limit=None)
    return _numbered(plain, place, function="RANK", partition=[], wanted=b.number(count.text), test=exp.LTE)


def _numbered(
    query: t.Select,
    place: LoweringPlace,
    *,
    function: str,
    partition: list[t.Expr],
    wanted: exp.Expression,
    test: type[exp.Expression],
) -> exp.Expression:

    if query.group is not None and query.group.sets is not None:
        raise UnsupportedError("Group", "grouping sets under DISTINCT ON or WITH TIES")
    inner = block(query, place)
    names = b.unique([target.name for target in query.targets])
    values = [
        b.named(place.lowered(target.value), name) for target, name in zip(query.targets, names, strict=True)
    ]
    keys = [key for key in query.order if not isinstance(key.value, t.TypedConstant)]
    sorts = b.unique([*names, *["key"] * len(keys), "number"])[len(names) :]
    values += [
        b.named(in_order(place.lowered(key.value), key.value.type, place, "ORDER BY"), name)
        for key, name in zip(keys, sorts, strict=False)
    ]
    window: dict[str, object] = {}
    if partition:
        window["partition_by"] = [
            merged(place.lowered(each), each.type, place, "DISTINCT ON") for each in partition
        ]
    if keys:
        window["order"] = exp.Order(expressions=ordered(keys, place))
    values.append(b.named(exp.Window(this=b.call(function), **window), sorts[-1]))
    inner.set("expressions", values)
    alias = place.state.names.fresh("numbered")
    found = b.select([b.named(b.column(alias, name), name) for name in names])
    found.set("from_", exp.From(this=b.derived(inner, alias)))
    found.set("where", exp.Where(this=test(this=b.column(alias, sorts[-1]), expression=wanted)))
    if keys:
        terms = [
            term(b.column(alias, name), key.descending, key.nulls_first)
            for key, name in zip(keys, sorts, strict=False)
        ]
        found.set("order", exp.Order(expressions=terms))
    cut(found, query.limit, place)
    return found


_MOST = 32
"""More sets than these are not written out."""


def _over_sets(query: t.Select, place: LoweringPlace) -> exp.Expression:
    """A SELECT over grouping sets: its outer part reads the groups of all sets from a derived table.

    Raises:
        UnsupportedError: too many sets.
    """
    group = query.group
    assert group is not None
    assert group.sets is not None
    if len(group.sets) > _MOST:
        raise UnsupportedError("Group", f"more than {_MOST} grouping sets")
    outer = [target.value for target in query.targets] + [key.value for key in query.order]
    wanted = list(dict.fromkeys(found for each in outer for found in _of_groups(each)))
    names = b.unique(["g"] * len(wanted)) or ["g"]
    union: exp.Expression | None = None
    for chosen in group.sets:
        branch = _grouped(query, chosen, place, wanted=wanted, names=names)
        union = branch if union is None else exp.Union(this=union, expression=branch, distinct=False)
    assert union is not None
    _give_affinity([union], [each.type for each in wanted])
    alias = place.state.names.fresh("sets")
    known = {value: b.column(alias, name) for value, name in zip(wanted, names, strict=False)}
    around = replace(place, known={**place.known, **known})
    shown = b.unique(target.name for target in query.targets)
    values = [around.lowered(target.value) for target in query.targets]
    found = b.select([b.named(value, name) for value, name in zip(values, shown, strict=True)])
    found.set("from_", exp.From(this=b.derived(union, alias)))
    finish(found, query, around)
    return found


def _with_rows_once(part: Any, numbers: Iterator[int]) -> Any:
    """A SELECT over grouping sets whose only subquery is a common table expression, that all sets read."""
    match part:
        case t.Select(
            items=(t.DerivedTable(number, alias, columns, query, lateral=False),),
            where=None,
            group=t.GroupBy(sets=(_, _, *_)),
        ):
            table = t.CommonTable(next(numbers), alias, columns, query)
            use = t.CommonTableUse(number, alias, columns, table.number)
            return replace(part, items=(use,), ctes=(*part.ctes, table))
    return part


def _grouped(
    query: t.Select,
    chosen: tuple[int, ...],
    place: LoweringPlace,
    *,
    wanted: list[t.Expr],
    names: list[str],
) -> exp.Expression:
    """The groups of one set of keys; without keys one group, of no rows too."""
    group = query.group
    assert group is not None
    missing = frozenset(key for at, key in enumerate(group.keys) if at not in chosen)
    within = replace(place, missing=missing)
    bare = replace(query, group=None, having=None)
    found = block(bare, place)
    values = [within.lowered(each) for each in wanted] or [exp.Null()]
    shown = [b.named(value, name) for value, name in zip(values, names, strict=True)]
    if chosen:
        found.set(
            "group", exp.Group(expressions=_group_terms(query, [group.keys[at] for at in chosen], place))
        )
    else:
        shown.append(b.named(exp.Count(this=exp.Star()), "whole"))
    if chosen and any(not each for each in group.sets or ()):
        shown.append(b.named(exp.Count(this=exp.Star()), "whole"))
    found.set("expressions", shown)
    if query.having is not None:
        found.set("having", exp.Having(this=within.lowered(query.having)))
    return found


def _of_groups(value: t.Expr) -> Iterator[t.Expr]:
    """The parts of an expression that a group gives: keys, aggregates, GROUPING."""
    if isinstance(value, t.Grouped | t.AggregateCall | t.Grouping):
        yield value
        return
    if isinstance(value, t.NestedQuery):
        raise UnsupportedError("Group", "a subquery over grouping sets")
    if isinstance(value, t.SourceColumn):
        raise UnsupportedError("Group", "a column that is not a key of a grouping set")
    for each in _expressions_in(value):
        yield from _of_groups(each)


def _expressions_in(value: object) -> Iterator[t.Expr]:
    for each in children(value):
        if isinstance(each, t.Expr):
            yield each
        elif not isinstance(each, t.Select | t.SetQuery):
            yield from _expressions_in(each)


_OPERATORS = {"UNION": exp.Union, "INTERSECT": exp.Intersect, "EXCEPT": exp.Except}


def lower(
    query: t.TypedQuery,
    schema: Schema,
    routines: Mapping[str, Routines] = MappingProxyType({}),
    symbols: dict[str, t.Expr] | None = None,
) -> exp.Expression:
    """The query of the core that answers as a typed query does, wherever its engine raises no error.

    Args:
        schema: the tables and views.
        routines: by schema, what lowers calls of routines that are not PostgreSQL's.
        symbols: where the signatures of symbols are put, which calls without a meaning become; None: such
            a call is refused.

    Raises:
        UnsupportedError: there is none.
    """
    taken = [table.name for table in schema.tables] + [view.name for view in schema.views]
    query = without_counted_lists(with_functions_in_from(query))
    query = without_outer_aggregates(without_laterals(query))
    query = mapped(query, partial(_with_rows_once, numbers=fresh_numbers(query)))
    kinds = {(e.source, e.position): e.type for e in found_in(query, t.SourceColumn)}
    names = UniqueNames(), UniqueNames(taken)
    choosing = choosing_recursions(query)
    _require_one_evaluation(query)
    state = State(schema, *names, routines=routines, kinds=kinds, symbols=symbols, choosing=choosing)
    found = LoweringPlace(state).query(query)
    _require_single_choices(found)
    return found


def _require_one_evaluation(query: t.TypedQuery) -> None:
    """Make sure that no query which leaves a choice is evaluated anew for each of its readers.

    Raises:
        UnsupportedError: one is, since it is NOT MATERIALIZED.
    """
    tables = {each.number: each.query for each in found_in(query, t.CommonTable)}
    uses = Counter(each.cte for each in found_in(query, t.CommonTableUse))

    def read(number: int) -> Iterator[int]:
        return (each.cte for each in found_in(tables[number], t.CommonTableUse))

    for each in found_in(query, t.CommonTable):
        anew = each.materialized == _ANEW and uses[each.number] > 1
        if anew and any(may_choose(tables[number]) for number in depth_first_postorder([each.number], read)):
            raise UnsupportedError("With", "NOT MATERIALIZED: each of its readers has a choice of its own")


_ANEW = "2"
"""The mark of a common table expression that is NOT MATERIALIZED."""


def _require_single_choices(root: exp.Expression) -> None:
    """Make sure that no query which leaves a choice was written twice: each would choose for itself.

    Raises:
        UnsupportedError: one was.
    """
    seen = set[object]()
    for node in root.walk():
        if (chosen := node.meta.get("chosen")) is not None and chosen in seen:
            raise UnsupportedError("Subquery", "what leaves a choice would be written twice")
        seen.add(chosen)


def query_in(query: t.TypedQuery, place: LoweringPlace) -> exp.Expression:
    """A query within others, with its common table expressions."""
    place = LoweringPlace(place.state, known=place.known, missing=place.missing)
    ctes = []
    for cte in query.ctes:
        name = place.state.cte_names.fresh(cte.name)
        inner, said = recursion(cte, name, place) if cte.recursive else (place.query(cte.query), None)
        place.state.ctes[cte.number] = name, tuple(each.alias for each in b.outputs(inner))
        ctes.append(exp.CTE(this=inner, alias=exp.TableAlias(this=b.identifier(name))))
        ctes[-1].meta["recursion"] = said
    found = _set_query(query, place) if isinstance(query, t.SetQuery) else _select(query, place)
    if may_choose(query):
        numbers = frozenset(each.number for each in found_in(query, t.FromSource))
        # Those within it are smaller.
        found.meta["chosen"] = numbers, sum(1 for _ in parts_of(query))
    if ctes:
        found.set("with_", exp.With(expressions=ctes))
    return found


def _select(query: t.Select, place: LoweringPlace) -> exp.Expression:

    if query.limit is not None and query.limit.with_ties:
        return with_ties(query, place)
    if query.distinct_on:
        return _first_of_each(query, place)
    if query.group is not None and query.group.sets is not None:
        return _over_sets(query, place)
    found = block(query, place)
    names = b.unique(target.name for target in query.targets)
    values = [place.lowered(target.value) for target in query.targets]
    shown = [b.named(value, name) for value, name in zip(values, names, strict=True)]
    found.set("expressions", shown or [b.named(b.string(t.EMPTY_ROW), "nothing")])
    finish(found, query, place)
    return found


def block(query: t.Select, place: LoweringPlace) -> exp.Select:
    """FROM, WHERE, GROUP BY and HAVING of a SELECT."""
    if (
        query.having is not None
        and query.group is None
        and not _asks_rows((query.targets, query.order), query)
    ):
        return _of_one_group(query, place)
    found = b.select([])
    attach(found, query.items, place)
    if query.where is not None:
        found.set("where", exp.Where(this=place.lowered(query.where)))
    if query.group is not None:
        found.set("group", exp.Group(expressions=_group_terms(query, query.group.keys, place)))
    if query.having is not None:
        found.set("having", exp.Having(this=place.lowered(query.having)))
    return found


def _of_one_group(query: t.Select, place: LoweringPlace) -> exp.Select:
    """The one row of a group, of no rows too, of which HAVING alone asks something, if it does."""
    if not _asks_rows(query.having, query):
        return block(replace(query, items=(), where=query.having, having=None), place)
    inner = block(replace(query, having=None), place)
    assert query.having is not None
    inner.set("expressions", [b.named(place.lowered(query.having), "kept")])
    alias = place.state.names.fresh("grouped")
    found = b.select([])
    found.set("from_", exp.From(this=b.derived(inner, alias)))
    found.set("where", exp.Where(this=b.column(alias, "kept")))
    return found


def _asks_rows(part: object, query: t.Select) -> bool:
    """Whether a part of a query has an aggregate, or a column of its FROM."""
    own = numbers_in_from(query)
    return any(
        isinstance(each, t.AggregateCall) or (isinstance(each, t.SourceColumn) and each.source in own)
        for each in parts_of(part)
    )


def _group_terms(query: t.Select, keys: Sequence[t.Expr], place: LoweringPlace) -> list[exp.Expression]:
    """Terms of GROUP BY; what is one value for all rows groups nothing."""
    chosen = [key.type.name for key in keys if is_merged(key.type)]
    if chosen and not _is_of_any_row(query):
        raise UnsupportedError("Type", f"{chosen[0]} in GROUP BY with MIN, MAX, windows or grouping sets")
    return _grouped_by(keys, query, place, "GROUP BY")


def _grouped_by(
    keys: Sequence[t.Expr], query: t.Select, place: LoweringPlace, where: str
) -> list[exp.Expression]:
    free = [key for key in keys if not _is_fixed(key, query)]
    return [merged(place.lowered(key), key.type, place, where) for key in free] or [exp.Null()]


_EXTREMES = frozenset(("min", "max", "bool_and", "bool_or", "every"))


def _is_of_any_row(query: t.Select) -> bool:
    """Whether a bare column of a grouped SELECT is, in the core, that of any row of the group.

    So is the one of several equal keys that stands for a group.  Beside one MIN or MAX it is of its row.
    """
    parts = [*parts_of((query.targets, query.having, query.order))]
    return (query.group is None or query.group.sets is None) and not any(
        isinstance(each, t.Over) or (isinstance(each, t.AggregateCall) and each.routine.name in _EXTREMES)
        for each in parts
    )


def _is_fixed(value: t.Expr, query: t.Select) -> bool:
    """Whether an expression is one value for all rows: a constant, or columns of queries around alone.

    The core's ORDER BY and GROUP BY do not see queries around.
    """
    if isinstance(value, t.TypedConstant):
        return True
    parts = list(parts_of(value))
    if any(isinstance(each, t.AggregateCall | t.Over | t.NestedQuery) for each in parts):
        return False
    own = numbers_in_from(query)
    used = {each.source for each in parts if isinstance(each, t.SourceColumn)}
    return bool(used) and not used & own


def finish(found: exp.Select, query: t.Select, place: LoweringPlace) -> None:
    """DISTINCT, ORDER BY and LIMIT of a SELECT."""
    if query.distinct:
        values = [target.value for target in query.targets]
        chosen = [each.type.name for each in values if is_merged(each.type)]
        if not chosen or place.state.symbols is None:
            for each in values:
                merged(exp.Null(), each.type, place, "DISTINCT")
            found.set("distinct", exp.Distinct())
        elif query.group is not None or query.aggregates or not _is_of_any_row(query):
            raise UnsupportedError("Type", f"{chosen[0]} in DISTINCT with groups or windows")
        else:
            found.set("group", exp.Group(expressions=_grouped_by(values, query, place, "DISTINCT")))
    keys = [key for key in query.order if not _is_fixed(key.value, query)]
    if keys:
        found.set("order", exp.Order(expressions=ordered(keys, place)))
    cut(found, query.limit, place)


def cut(found: exp.Expression, limit: t.Limit | None, place: LoweringPlace) -> None:
    """LIMIT and OFFSET, of constants and parameters, of which a negative one raises an error."""
    if limit is None:
        return
    for name, clause, given in (("limit", exp.Limit, limit.count), ("offset", exp.Offset, limit.offset)):
        if given is None:
            continue
        constant, parameter = constant_of(given), b.parameter_of(given)
        if parameter is not None:
            found.set(name, clause(expression=exp.Parameter(this=parameter)))
            continue
        if constant is None:
            if any(isinstance(each, t.NestedQuery) for each in parts_of(given)):
                raise UnsupportedError(name.capitalize(), f"{name.upper()} with a non-constant")
            found.set(name, clause(expression=place.lowered(given)))
        elif constant.text is not None:
            if constant.text.startswith("-"):
                raise UnsupportedError(name.capitalize(), f"a negative {name.upper()}, which raises an error")
            found.set(name, clause(expression=b.number(constant.text)))


def _set_query(query: t.SetQuery, place: LoweringPlace) -> exp.Expression:
    found = _compound(query.body, place)
    types = query.body.types
    if any(not b.is_plain(types[at - 1]) or sorts_otherwise(types[at - 1]) for at, *_ in query.order):
        # A set operation is ordered by its columns alone.
        found = _selected(found, place)
    if query.order:
        terms = [
            term(
                in_order(_column(found, position), types[position - 1], place, "ORDER BY"), descending, first
            )
            for position, descending, first in query.order
        ]
        found.set("order", exp.Order(expressions=terms))
    cut(found, query.limit, place)
    return found


def _selected(found: exp.Expression, place: LoweringPlace) -> exp.Select:
    """The rows of a query, as a SELECT has them."""
    alias, names = place.state.names.fresh("combined"), [each.alias for each in b.outputs(found)]
    whole = b.select([b.named(b.column(alias, name), name) for name in names])
    whole.set("from_", exp.From(this=b.derived(found, alias)))
    return whole


def _column(found: exp.Expression, position: int) -> exp.Expression:
    """A column that a set operation is ordered by: by position, or by name where it became a SELECT."""
    return (
        b.outputs(found)[position - 1].this.copy()
        if isinstance(found, exp.Select)
        else b.number(str(position))
    )


def _compound(body: t.Compound | t.SetOperand, place: LoweringPlace) -> exp.Expression:
    if isinstance(body, t.SetOperand):
        return place.query(body.query)
    by_number = body.all and body.operator != "UNION"
    chosen = [] if body.all and not by_number else [each.name for each in body.types if is_merged(each)]
    if not body.all or by_number:
        for each in body.types:
            merged(exp.Null(), each, place, body.operator)
    if chosen and (by_number or body.operator != "UNION"):
        raise UnsupportedError("Type", f"{chosen[0]} in {body.operator}")
    sides = [_compound(_typed(side, body.types), place) for side in (body.left, body.right)]
    names = [each.alias for each in b.outputs(sides[0])]
    _rename(sides[1], names)
    _give_affinity(sides, body.types)
    if by_number:
        return _by_number(body.operator, sides, names, place)
    if not chosen:
        return _OPERATORS[body.operator](this=sides[0], expression=sides[1], distinct=not body.all)
    whole = _selected(exp.Union(this=sides[0], expression=sides[1], distinct=False), place)
    columns = zip(b.outputs(whole), body.types, strict=True)
    terms = [merged(each.this.copy(), kind, place, "UNION") for each, kind in columns]
    whole.set("group", exp.Group(expressions=terms))
    return whole


def _by_number(
    operator: str, sides: Sequence[exp.Expression], names: Sequence[str], place: LoweringPlace
) -> exp.Expression:
    """INTERSECT ALL or EXCEPT ALL: of rows that each have their number among those that are the same."""
    extra = b.unique([*names, "number"])[-1]
    numbered = []
    for side in sides:
        alias = place.state.names.fresh("side")
        columns = [b.column(alias, name) for name in names]
        partition = [each.copy() for each in columns]
        number_of = exp.Window(this=b.call("ROW_NUMBER"), partition_by=partition)
        shown = [b.named(each, name) for each, name in zip(columns, names, strict=True)]
        found = b.select([*shown, b.named(number_of, extra)])
        found.set("from_", exp.From(this=b.derived(side, alias)))
        numbered.append(found)
    both = _OPERATORS[operator](this=numbered[0], expression=numbered[1], distinct=True)
    kept = _selected(both, place)
    kept.expressions.pop()
    return kept


def _give_affinity(sides: Sequence[exp.Expression], types: Sequence[t.Type]) -> None:
    """Cast a column where it has no affinity in one operand alone: what compares with it is to be fixed."""
    operands = [select for side in sides for select in _operands(side)]
    for place, found in enumerate(types):
        values = [b.outputs(operand)[place] for operand in operands]
        bare = [each for each in values if not isinstance(each.this, exp.Column | exp.Cast)]
        if len(bare) == len(values):
            continue
        number = "INTEGER" if found.name in b.INTEGERS or found.name == "bool" else "REAL"
        for each in bare:
            each.set("this", b.cast(each.this, number if found.name in b.NUMBERS | {"bool"} else "TEXT"))


def _operands(query: exp.Expression) -> Iterator[exp.Expression]:
    if isinstance(query, exp.SetOperation):
        yield from _operands(query.this)
        yield from _operands(query.expression)
    else:
        yield query


def _rename(query: exp.Expression, names: Sequence[str]) -> None:
    """Give the columns of a query the names of another's."""
    while isinstance(query, exp.SetOperation):
        _rename(query.expression, names)
        query = query.this
    for each, name in zip(b.outputs(query), names, strict=True):
        each.set("alias", b.identifier(name))


def _typed(side: t.Compound | t.SetOperand, types: Sequence[t.Type]) -> t.Compound | t.SetOperand:
    """An operand with its columns of the types of the whole.

    Raises:
        UnsupportedError: a column would have to be converted where it cannot be.
    """
    own = side.types if isinstance(side, t.Compound) else t.columns_of(side.query)
    wanted = [_conversion(one, other) for one, other in zip(own, types, strict=True)]
    if not any(wanted):
        return side
    raise UnsupportedError(
        "SetOperation", f"a column that has type {own[wanted.index(True)].name} in only one operand"
    )


def _conversion(own: t.Type, wanted: t.Type) -> bool:
    """Whether values of a type are other cells than the same values of another type."""
    if own.name == wanted.name:
        return False
    pairs = {own.name, wanted.name}
    if pairs <= b.NUMBERS or pairs <= b.TEXTS or pairs <= b.STAMPS:
        return False
    if own.sort == "e" and wanted.name in b.TEXTS:
        return False
    return not (own.name == "bpchar" and wanted.name in b.TEXTS)


def rows_of(values: t.ValuesList, place: LoweringPlace) -> exp.Expression:
    """VALUES as a UNION ALL."""
    names = b.unique(values.columns)
    found: exp.Expression | None = None
    for row in values.rows:
        each = b.select([b.named(place.lowered(value), name) for value, name in zip(row, names, strict=True)])
        found = each if found is None else exp.Union(this=found, expression=each, distinct=False)
    assert found is not None
    _give_affinity([found], values.types)
    return found
