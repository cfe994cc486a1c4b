"""Aggregates and windows of which the core has no meaning, as symbols of the bag or the list of their rows.

A function of a bag is written as one of a sum: of rows ``(x, y)`` as a symbol of
``SUM(CORE_ELEMENT(x, y))``.  Of ``CORE_ELEMENT`` a proof knows that it is an integer, never NULL, and the
same for identical arguments.  One of the functions that are so has sums that tell any two bags of a database
apart; what is proved for all of them is proved for that one.  A function of a list is one of
``GROUP_CONCAT(CORE_ELEMENT(x, y))``, whose order is the same choice as that of every GROUP_CONCAT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from sqlglot import exp

from equiv.core.functions.traits import MOST_ARGUMENTS
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.aggregates import filtered, windowed
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.numbers import NUMBERINGS, READERS
from equiv.dialects.typed.lowering.unknown import identity_of, is_function, is_identical, is_kept, symbol
from equiv.dialects.typed.walks import T, with_children

_IN_ANY_ORDER = frozenset(
    """avg bit_and bit_or bit_xor bool_and bool_or count every max min range_agg range_intersect_agg
    regr_count stddev stddev_pop stddev_samp sum var_pop var_samp variance""".split()  # noqa: SIM905
)
"""Aggregates that have one value for a bag, whatever the order of its rows; floats apart."""
_OF_SETS = frozenset(("bit_and", "bit_or"))
"""Of these those to which it does not matter how often a value is there."""
_OVER_NULLS = frozenset(
    """bit_and bit_or bit_xor corr covar_pop covar_samp kurtosis mad median mode percentile_cont
    percentile_disc product quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2
    regr_slope regr_sxx regr_sxy regr_syy skewness""".split()  # noqa: SIM905
)
"""Aggregates to which a row is as if it were not there if one of its values is NULL."""
_LISTING = frozenset(("group_concat", "listagg", "string_agg"))
"""Those to which it is if the first is."""


def symbol_of_rows(
    value: t.AggregateCall | t.Over | t.NestedQuery, place: LoweringPlace
) -> exp.Expression | None:
    """The symbol for an aggregate, one over a window, or ARRAY(SELECT …); None if none may stand for it.

    Raises:
        UnsupportedError: the core has no meaning for one of its arguments.
    """
    if isinstance(value, t.NestedQuery):
        return _array_of(value, place)
    name = value.routine.name
    if not is_function(value.routine, place):
        return None
    if isinstance(value, t.AggregateCall):
        return _of_group(value, place)
    if name in NUMBERINGS | READERS | {"fill"}:
        # They read the partition, whatever the frame is.
        return None
    if value.frame.unit != "ROWS" and not value.frame.exclusion and is_in_any_order(value):
        found = _of_partition(value, place)
        if found is not None:
            return found
    arguments = _Rows.of(value.arguments, (), place.inside())
    if arguments is None:
        return None
    rows = windowed(arguments.gathered(is_in_any_order(value)), value, place)
    return symbol(value, f"{name}({arguments.shown()})", arguments.kinds, (rows,), place)


def _of_group(value: t.AggregateCall, place: LoweringPlace) -> exp.Expression | None:
    name = value.routine.name
    keys = () if value.ordered_set or is_in_any_order(value) else value.order
    given = tuple(key.value for key in value.order) if value.ordered_set else value.arguments
    is_one = all(b.is_plain(each.type) and is_identical(each.type) for each in given)
    if value.distinct and not is_one:
        # Which of several equal values is kept may show.
        return None
    is_set = is_one and name in _OF_SETS
    rows = _Rows.of(given, keys, place.inside())
    direct = _Rows.of(value.direct, (), place)
    if rows is None or direct is None:
        return None
    is_bag = is_in_any_order(value) or _is_total(given, value.order if value.ordered_set else keys)
    shown = f"{'DISTINCT ' * (value.distinct and not is_set)}{rows.shown(len(direct.values))}"
    if value.ordered_set:
        ways = "".join(map(_way, value.order))
        shown = f"{direct.shown()}) WITHIN GROUP (ORDER BY {rows.shown(len(direct.values))}{ways}"
    gathered = filtered(
        rows.gathered(is_bag, distinct=value.distinct or is_set), _taken(value, given), place.inside()
    )
    return symbol(value, f"{name}({shown})", (*direct.kinds, *rows.kinds), (*direct.values, gathered), place)


def _taken(value: t.AggregateCall, given: Sequence[t.Expr]) -> t.Expr | None:
    """The condition on the rows that an aggregate takes: FILTER, and values where it passes over NULL."""
    name = value.routine.name
    told = given if name in _OVER_NULLS else given[: name in _LISTING]
    tests = [
        t.NullTest(t.Type("bool"), each, negated=True)
        for each in told
        if b.is_plain(each.type) and not isinstance(each, t.TypedConstant)
    ]
    return t.all_of((value.filter, *tests))


def without_idle_keys(part: T, shared: tuple[t.Expr, ...] = ()) -> T:
    """A part of a query whose aggregates are sorted by no key twice, and by none that all of a group share.

    Args:
        shared: the keys of the groups around.
    """
    if isinstance(part, t.Select) and part.group is not None and part.group.sets is None:
        shared += without_idle_keys(part.group.keys, shared)
    found = with_children(part, partial(without_idle_keys, shared=shared))
    if not isinstance(found, t.AggregateCall) or found.ordered_set:
        return found
    first = {key.value: key for key in reversed(found.order) if key.value not in shared}
    order = tuple(key for key in found.order if first.get(key.value) is key)
    return found if order == found.order else cast(T, replace(found, order=order))


def is_in_any_order(value: t.AggregateCall | t.Over) -> bool:
    """Whether the order of the rows does not show in the value."""
    if value.routine.name not in _IN_ANY_ORDER:
        return False
    kinds = [each.type for each in value.arguments]
    if value.routine.name in ("max", "min"):
        # The first of several equal ones is kept.
        return all(b.is_plain(each) and is_identical(each) for each in kinds)
    return value.routine.name == "regr_count" or b.FLOATS.isdisjoint(
        each.name for each in (value.type, *kinds)
    )


def _is_total(arguments: Sequence[t.Expr], keys: Sequence[t.SortKey]) -> bool:
    """Whether rows that the keys do not order have identical arguments."""
    sorted_by = {key.value for key in keys if b.is_plain(key.value.type) and is_identical(key.value.type)}
    return all(isinstance(each, t.TypedConstant) or each in sorted_by for each in arguments)


def _way(key: t.SortKey) -> str:
    nulls = "" if key.nulls_first is key.descending else f" NULLS {'FIRST' if key.nulls_first else 'LAST'}"
    return f"{' DESC' * key.descending}{nulls}"


@dataclass(frozen=True)
class _Rows:
    """What an aggregate reads of each row: its arguments, and the keys that order them."""

    values: tuple[exp.Expression, ...]
    kinds: tuple[str, ...]
    count: int
    keys: tuple[tuple[int, t.SortKey], ...]
    """With the place of each among the values."""

    @classmethod
    def of(cls, arguments: Sequence[t.Expr], keys: Sequence[t.SortKey], place: LoweringPlace) -> _Rows | None:
        """The arguments and keys of a call; None if one of the arguments is not known by identity."""
        found = [identity_of(each, place) for each in arguments]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        places = []
        for key in keys:
            if key.value in arguments:
                places.append(arguments.index(key.value))
                continue
            # Equal keys are in the same place, so that equality is enough.
            if not b.is_plain(key.value.type) and not is_kept(key.value.type):
                return None
            places.append(len(known))
            known.append((place.lowered(key.value), key.value.type.signature))
        if len(known) >= MOST_ARGUMENTS:
            return None
        values, kinds = tuple(each for each, _ in known), tuple(kind for _, kind in known)
        return cls(values, kinds, len(found), tuple(zip(places, keys, strict=True)))

    def shown(self, first: int = 0) -> str:
        """The arguments in the text of a symbol, by the places of what it is of."""
        order = ", ".join(f"{{{first + at}}}{_way(key)}" for at, key in self.keys)
        listed = ", ".join(f"{{{first + at}}}" for at in range(self.count))
        return listed + (f" ORDER BY {order}" if order else "")

    def gathered(self, is_bag: bool, *, distinct: bool = False) -> exp.Expression:
        """The bag or the list of the rows."""
        element = b.call("ELEMENT", *self.values) if self.values else b.call("ELEMENT", b.number("1"))
        if distinct:
            element = exp.Distinct(expressions=[element])
        return b.call("SUM" if is_bag else "GROUP_CONCAT", element)


def _of_partition(value: t.Over, place: LoweringPlace) -> exp.Expression | None:
    """An aggregate over a frame of peers as a symbol of the bag of the partition, and of the row's keys.

    None if the core has the frame itself, or an offset of it is not a constant.
    """
    frame = value.frame
    offsets = [each for each in (frame.start_offset, frame.end_offset) if each is not None]
    if not offsets or not all(
        isinstance(each, t.TypedConstant) and each.text is not None for each in offsets
    ):
        return None
    rows = _Rows.of(value.arguments, value.order, place.inside())
    if rows is None:
        return None
    whole = replace(frame, given=False, start_offset=None, end_offset=None)
    gathered = windowed(rows.gathered(is_bag=True), replace(value, order=(), frame=whole), place)
    here = [place.lowered(key.value) for key in value.order]
    bounds = [
        bound if offset is None else f"'{offset.text}'::{offset.type.signature} {bound}"  # type: ignore[attr-defined]
        for bound, offset in ((frame.start, frame.start_offset), (frame.end, frame.end_offset))
    ]
    name = f"{value.routine.name}({rows.shown()} {frame.unit} BETWEEN {' AND '.join(bounds)})"
    return symbol(value, name, rows.kinds, (gathered, *here), place)


def _array_of(value: t.NestedQuery, place: LoweringPlace) -> exp.Expression | None:

    query = value.query
    if value.form != "array" or not isinstance(query, t.Select):
        return None
    (target,) = query.targets
    if not is_identical(target.value.type) or query.distinct_on:
        return None
    keys = [key.value for key in query.order if key.value != target.value]
    if query.distinct and keys:
        return None
    is_bag = bool(query.order) and _is_total((target.value,), query.order)
    targets = (target, *(t.ResultColumn(each, "key") for each in keys))
    order = query.order if query.limit is not None else ()
    inner = place.query(replace(query, targets=targets, order=order))
    alias = place.state.names.fresh("listed")
    columns = tuple(b.column(alias, each.alias) for each in b.outputs(inner))
    kinds = tuple(each.value.type.signature for each in targets)
    places = [0 if key.value == target.value else 1 + keys.index(key.value) for key in query.order]
    rows = _Rows(columns, kinds, 1, tuple(zip(places, query.order, strict=True)))
    found = b.select([b.named(rows.gathered(is_bag), "list")])
    found.set("from_", exp.From(this=b.derived(inner, alias)))
    return symbol(value, f"ARRAY({rows.shown()})", kinds, (exp.Subquery(this=found),), place)
