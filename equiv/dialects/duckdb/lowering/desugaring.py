"""What DuckDB has of its own in the words of the typed tree."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.lowering.operators import FUNCTIONS
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.calls import CONTAINING
from equiv.dialects.duckdb.values import is_nested
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.comparisons import TURNED
from equiv.dialects.typed.lowering.gathered import LENGTHS, ListColumn, gathered_columns
from equiv.dialects.typed.walks import fresh_numbers, mapped


def compared_rows(value: d.RowCompared) -> t.Expr:
    """Rows compare by their first values that differ, and NULL as a value after all others."""
    if value.sign in ("=", "<>"):
        pairs = zip(value.routines, value.left, value.right, strict=True)
        same = t.joined("and", (_same(*each) for each in pairs))
        return same if value.sign == "=" else _not(same)
    sides = (value.left, value.right) if value.sign in ("<", "<=") else (value.right, value.left)
    ties: list[t.Expr] = []
    found: list[t.Expr] = []
    for routine, one, other in zip(value.routines, *sides, strict=True):
        found.append(t.joined("and", [*ties, _before(routine, one, other)]))
        ties.append(_same(routine, one, other))
    if value.sign in ("<=", ">="):
        found.append(t.joined("and", ties))
    return t.joined("or", found)


def _same(routine: t.Routine, one: t.Expr, other: t.Expr) -> t.Expr:
    return _not(t.IsDistinct(d.BOOLEAN, routine, one, other))


def _before(routine: t.Routine, one: t.Expr, other: t.Expr) -> t.Expr:
    less = t.RoutineCall(d.BOOLEAN, replace(routine, name="<"), (one, other))
    after = t.Logic(d.BOOLEAN, "or", (t.NullTest(d.BOOLEAN, other, False), less))
    return t.joined("and", (t.NullTest(d.BOOLEAN, one, True), after))


def _not(value: t.Expr) -> t.Expr:
    return t.Logic(d.BOOLEAN, "not", (value,))


def _is_constant(value: t.Expr, *, filled: bool = True) -> bool:
    """Whether a value is a constant, cast or not, and not NULL."""
    while isinstance(value, t.RoutineCall) and value.cast:
        value = value.arguments[0]
    return isinstance(value, t.TypedConstant) and (value.text is not None or not filled)


def nearest(value: d.AsofJoined, number: int) -> t.Joined:
    """An ASOF join as one with the least or greatest of the values that are allowed."""
    assert isinstance(value.right, t.TableUse)
    (nearer,) = (each for each in value.tests if each.routine.name != "=")
    field = nearer.arguments[1]
    assert isinstance(field, t.SourceColumn)
    own = [_of(each, number) for each in value.tests]
    routine = t.Routine("max" if ">" in nearer.routine.name else "min", (field.type.name,))
    best = t.AggregateCall(field.type, routine, (replace(field, source=number),))
    row = replace(value.right, number=number)
    inner = d.Qualified((t.ResultColumn(best, "nearest"),), (row,), t.joined("and", own), aggregates=True)
    found = t.NestedQuery(field.type, "scalar", inner)
    same = t.RoutineCall(d.BOOLEAN, d.comparison("=", field, found), (field, found))
    equal = [each for each in value.tests if each.routine.name == "="]
    return t.Joined(value.side, value.left, value.right, t.joined("and", [*equal, same]))


def _of(test: t.RoutineCall, number: int) -> t.RoutineCall:
    """A test of the row of another number."""
    one, other = test.arguments
    assert isinstance(other, t.SourceColumn)
    return replace(test, arguments=(one, replace(other, source=number)))


def _without_half_joins(value: d.Qualified) -> d.Qualified:
    """A SELECT with EXISTS for its SEMI and ANTI joins.

    Raises:
        UnsupportedError: one stands where its rows may be padded.
    """
    conditions: list[t.Expr] = []
    items = tuple(_whole(item, conditions) for item in value.items)
    if conditions:
        value = replace(value, items=items, where=t.all_of((value.where, *conditions)))
    return value


def _whole(item: t.FromItem, conditions: list[t.Expr]) -> t.FromItem:
    """An item without its SEMI and ANTI joins, whose conditions go to WHERE.

    That filters the rows of the left side, which only joins that keep them unpadded may stand above.
    """
    match item:
        case d.HalfJoined():
            left = _whole(item.left, conditions)
            shown = t.ResultColumn(t.TypedConstant(d.BIGINT, "1"), "found")
            inner = d.Qualified((shown,), (item.right,), item.condition)
            found: t.Expr = t.NestedQuery(d.BOOLEAN, "exists", inner)
            conditions.append(t.Logic(d.BOOLEAN, "not", (found,)) if item.anti else found)
            return left
        case t.Joined(side="INNER"):
            return replace(item, left=_whole(item.left, conditions), right=_whole(item.right, conditions))
        case t.Joined(side="LEFT"):
            _require_none(item.right)
            return replace(item, left=_whole(item.left, conditions))
        case t.Joined():
            _require_none(item.left)
            _require_none(item.right)
    return item


def _require_none(item: t.FromItem) -> None:
    if isinstance(item, d.HalfJoined):
        raise UnsupportedError("Join", "a SEMI or ANTI join inside an outer join")
    if isinstance(item, t.Joined):
        _require_none(item.left)
        _require_none(item.right)


def _stacked(value: d.Unpivoted) -> t.DerivedTable:
    """UNPIVOT as a UNION ALL with an operand for each column.

    Raises:
        UnsupportedError: the rows would be chosen anew for each.
    """
    types = (*(value.fields[place].type for place in value.kept), d.VARCHAR, value.kind)
    body: t.Compound | t.SetOperand | None = None
    for name, place in value.chosen:
        branch = t.SetOperand(_column_rows(value, name, place))
        body = branch if body is None else t.Compound("UNION", True, body, branch, types)
    assert body is not None
    query = body.query if isinstance(body, t.SetOperand) else t.SetQuery(body, value.columns)
    return t.DerivedTable(value.number, value.alias, value.columns, query)


def _column_rows(value: d.Unpivoted, name: str, place: int) -> t.Select:
    """The rows of one column that is unpivoted."""
    shown = value.fields[place]
    values = (*(value.fields[at] for at in value.kept), t.TypedConstant(d.VARCHAR, name), shown)
    return d.Qualified(
        tuple(t.ResultColumn(each, column) for each, column in zip(values, value.columns, strict=True)),
        (value.item,),
        None if value.nulls else t.NullTest(d.BOOLEAN, shown, True),
    )


_DIGITS = 18
_WHOLE = re.compile(r"(0|-?[1-9][0-9]*)\Z")
"""A whole number as DuckDB writes it."""


def desugared(query: t.TypedQuery) -> t.TypedQuery:
    """The same query without what PostgreSQL's typed tree lacks.

    Raises:
        UnsupportedError: a SEMI or ANTI join stands where its rows may be padded.
    """
    numbers = fresh_numbers(query)
    lists = gathered_columns(query)
    counted = mapped(query, lambda value: _filtered_elements(value, lists))
    found = mapped(counted, lambda value: _desugared(value, numbers))
    assert isinstance(found, t.Select | t.SetQuery)
    return found


def _desugared(value: object, numbers: Iterator[int]) -> object:
    match value:
        case d.ListFiltered(type=kind, routine=routine, arguments=arguments):
            return _expression(t.RoutineCall(kind, routine, arguments))
        case t.Expr():
            return _expression(value)
        case d.AsofJoined():
            return nearest(value, next(numbers))
        case d.Unpivoted():
            return _stacked(value)
        case d.Qualified():
            plain = _without_half_joins(value)
            return plain if plain.qualify is None else _filtered(plain, next(numbers))
    return value


def _filtered_elements(value: object, lists: Container[ListColumn]) -> object:
    """How many elements of a grouped table's list a lambda keeps, as a number of rows; NULL of no list."""
    match value:
        case t.RoutineCall(
            routine=t.Routine(name=name),
            arguments=(d.ListFiltered(arguments=(t.SourceColumn() as whole, *_)) as kept,),
        ) if name in LENGTHS and (whole.source, whole.position) in lists:
            return _kept_number(value.type, whole, kept)
    return value


def _kept_number(kind: t.Type, whole: t.SourceColumn, kept: d.ListFiltered) -> t.Expr:
    assert kept.element is not None
    unnest = replace(d.own("unnest", (whole,)), returns_set=True)
    rows = t.CalledFunction(t.RoutineCall(kept.element.type, unnest, (whole,)))
    number = t.AggregateCall(kind, t.Routine("count", (), "i", False), (), True, False, (), None)
    elements = t.Called(kept.element.source, "elements", ("element",), (rows,), lateral=True)
    inner = d.Qualified((t.ResultColumn(number, "number"),), (elements,), kept.condition, aggregates=True)
    absent = t.NullTest(d.BOOLEAN, whole, False), t.TypedConstant(kind, None)
    return t.CaseWhen(kind, None, (absent,), t.NestedQuery(kind, "scalar", inner))


def _expression(value: t.Expr) -> t.Expr:
    match value:
        case d.Between(operator=operator, operands=operands) | d.RowIn(operator=operator, operands=operands):
            return t.Logic(d.BOOLEAN, operator, operands)
        case d.RowCompared():
            return compared_rows(value)
        case d.TryCast(type=kind, routine=routine, arguments=arguments):
            return t.RoutineCall(kind, routine, arguments)
        case d.Implied(type=kind, routine=routine, arguments=(t.RoutineCall(),) as arguments):
            return t.RoutineCall(kind, routine, arguments, cast=True)
        case t.IsDistinct(
            left=t.RoutineCall(cast=True, arguments=(whole,)), right=t.TypedConstant(text=str(text))
        ) if _is_text_of(whole, value.left, text):
            number = t.TypedConstant(whole.type, text)
            return t.IsDistinct(d.BOOLEAN, d.comparison("=", whole, number), whole, number)
        case d.NotDistinct(operands=operands):
            return t.Logic(d.BOOLEAN, "not", operands)
        case d.AnyElement():
            return _any_element(value)
        case t.RoutineCall(routine=t.Routine(name=sign), arguments=(one, other)) if sign in TURNED:
            return _emptiness(sign, one, other) or _emptiness(TURNED[sign], other, one) or value
        case t.RoutineCall(routine=t.Routine(schema=schema), cast=False) if schema == d.SCHEMA:
            named = _named_alike(value)
            return _of_parts(named) if len(named.arguments) == 2 else named
        case t.Now():
            return replace(value, word=f"CURRENT_{'DATE' if value.type.name == 'date' else 'TIMESTAMP'}")
        case t.AggregateCall() | t.Over():
            return _aggregate(value)
    return value


_CALLED_OTHERWISE = {
    "list": "array_agg",
    "mean": "avg",
    "group_concat": "string_agg",
    "listagg": "string_agg",
}
"""Aggregates that the core has by another name."""
_CONTINUOUS = frozenset(
    ("int2", "int4", "int8", "float4", "float8", "numeric", "date", "time", "timestamp", "timestamptz")
)
"""Types of which MEDIAN takes the middle between two values, as QUANTILE_CONT does."""


def _aggregate(value: t.AggregateCall | t.Over) -> t.Expr:
    called = value.routine.name
    # What the core has no name for was looked up in the catalogue.
    of_duckdb = value.routine.schema == d.SCHEMA
    name = s.alias_of(called, aggregates=True) if of_duckdb else _CALLED_OTHERWISE.get(called, called)
    is_plain = isinstance(value, t.AggregateCall) and not value.distinct
    if name == "median" and is_plain and value.arguments[0].type.name in _CONTINUOUS:
        half = t.TypedConstant(d.type_named("DOUBLE"), "0.5")
        name, value = "quantile_cont", replace(value, arguments=(*value.arguments, half))
    value = replace(value, routine=replace(value.routine, name=name))
    if len(value.arguments) != 1 or not _adds_truths(value, value.arguments[0]):
        return value
    whole = t.RoutineCall(d.BIGINT, d.own("int8", value.arguments), value.arguments, cast=True)
    # Of no true or false value COUNT_IF too is NULL.
    routine = replace(value.routine, name="sum", arguments=("int8",))
    return replace(value, routine=routine, arguments=(whole,))


_NOTHING = {("=", "0"): "=", ("<", "1"): "=", ("<=", "0"): "="}
_SOMETHING = {("<>", "0"): "<>", (">", "0"): "<>", (">=", "1"): "<>"}


def _emptiness(sign: str, one: t.Expr, other: t.Expr) -> t.Expr | None:
    """Whether a text or a list is the empty one, in one of the ways in which that is said; None of others."""
    is_list = one.type.name.endswith("[]")
    if is_list and sign in ("=", "<>") and listed_elements(other) == ():
        given, asked = one, sign
    else:
        number = other.arguments[0] if isinstance(other, d.Implied) else other
        text = str(number.text) if isinstance(number, t.TypedConstant) else ""
        asked = (_NOTHING | _SOMETHING).get((sign, text), "")
        is_length = isinstance(one, t.RoutineCall) and one.routine.name in LENGTHS
        if not asked or not isinstance(one, t.RoutineCall) or not is_length or len(one.arguments) != 1:
            return None
        (given,) = one.arguments
    if given.type.name == "text":
        sides: tuple[t.Expr, t.Expr] = given, t.TypedConstant(d.VARCHAR, "")
    elif given.type.name.endswith("[]"):
        sides = _call(d.BIGINT, "len", given), _NO
    else:
        return None
    return t.RoutineCall(d.BOOLEAN, d.comparison(asked, *sides), sides)


def listed_elements(value: t.Expr) -> tuple[t.Expr, ...] | None:
    """The elements of a list that is written out, each cast where the list is; None of another."""
    match value:
        case t.RoutineCall(routine=t.Routine(name="list_value"), arguments=elements):
            return elements
        case t.RoutineCall(cast=True, type=d.DuckType(spelt=spelt), arguments=(inner,)) if spelt.endswith(
            "[]"
        ):
            found, kind = listed_elements(inner), d.type_named(spelt.removesuffix("[]"))
            return found and tuple(
                t.RoutineCall(kind, d.own(kind.name, (each,)), (each,), cast=True) for each in found
            )
    return None


def _any_element(value: d.AnyElement) -> t.Expr:
    """A comparison with the elements that are written out, or with what ``list_contains`` says of others."""
    elements = listed_elements(value.list)
    if elements is not None:
        if value.routine.name == "=" and elements:
            return _one_of(value.value, elements)
        tests = tuple(t.RoutineCall(d.BOOLEAN, value.routine, (value.value, each)) for each in elements)
        return t.Logic(d.BOOLEAN, "or", tests) if tests else t.TypedConstant(d.BOOLEAN, "false")
    if value.routine.name != "=":
        name = f"({{0}} {value.routine.name} ANY ({{1}}))"
        return _call(d.BOOLEAN, name, value.value, value.list, strict=False)
    length, count = (_call(d.BIGINT, name, value.list) for name in ("len", "list_count"))
    is_filled = t.RoutineCall(d.BOOLEAN, d.comparison(">", length, _NO), (length, _NO))
    has_null = t.RoutineCall(d.BOOLEAN, d.comparison("<", count, length), (count, length))
    is_absent = t.joined("and", (t.NullTest(d.BOOLEAN, value.value, False), is_filled))
    is_open: t.Expr = has_null
    if not _is_constant(value.value):
        is_open = t.Logic(d.BOOLEAN, "or", (is_absent, has_null))
    branches = (
        (_call(d.BOOLEAN, "list_contains", value.list, value.value), t.TypedConstant(d.BOOLEAN, "true")),
        (is_open, t.TypedConstant(d.BOOLEAN, None)),
    )
    return t.CaseWhen(d.BOOLEAN, None, branches, t.TypedConstant(d.BOOLEAN, "false"))


_NO = t.TypedConstant(d.BIGINT, "0")


def _call(kind: d.DuckType, name: str, *arguments: t.Expr, strict: bool = True) -> t.RoutineCall:
    return t.RoutineCall(kind, d.own(name, arguments, strict=strict), arguments)


def _one_of(value: t.Expr, elements: tuple[t.Expr, ...]) -> t.Expr:
    """IN of constants; where there is none it is NULL of NULL alone."""
    if elements:
        routine = d.comparison("=", value, elements[0])
        return t.Compared(d.BOOLEAN, routine, True, value, t.Array(value.type, elements))
    branches = ((t.NullTest(d.BOOLEAN, value, False), t.TypedConstant(d.BOOLEAN, None)),)
    return t.CaseWhen(d.BOOLEAN, None, branches, t.TypedConstant(d.BOOLEAN, "false"))


_SOME = frozenset(("&&", "list_has_any", "array_has_any"))
_EACH = frozenset(("@>", "list_has_all", "array_has_all"))


_ELEMENTS = (("MAP(", "map_extract_value"), ("STRUCT(", "struct_extract"))
"""What finds an element by its key in values of a type; in a list ``list_extract`` does."""


def _named_alike(value: t.RoutineCall) -> t.RoutineCall:
    """A call by the one of the names of its function of which the others are aliases.

    Of what is not nested only where the core knows no meaning by the name; and no operator: ``a <@ b`` is
    ``list_has_all(b, a)``, of which the catalogue calls it an alias.
    """
    if value.routine.operator:
        return value
    name, first = value.routine.name, value.arguments[0].type.name if value.arguments else ""
    nests = is_nested(first)
    if name == "array_extract" and nests:
        found = next((other for begin, other in _ELEMENTS if first.startswith(begin)), "list_extract")
        found = "list_extract" if first.endswith("]") else found
    elif name == "array_length" and nests and len(value.arguments) == 1:
        found = "length"
    else:
        # The name of a call with a lambda is the template of the call.
        word, *rest = name.partition("(")
        found = "".join((s.alias_of(word), *rest)) if nests or name not in FUNCTIONS else name
    arguments, kinds = value.arguments, value.routine.arguments
    if found in ("list_extract", "list_slice"):
        # A place that is written is a BIGINT, whether the function is written by its name or in brackets.
        arguments = tuple(replace(each, type=d.BIGINT) if _is_whole(each) else each for each in arguments)
        kinds = tuple(each.type.name for each in arguments)
    if (found, arguments) == (name, value.arguments):
        return value
    return replace(value, routine=replace(value.routine, name=found, arguments=kinds), arguments=arguments)


def _is_whole(value: t.Expr) -> bool:
    return isinstance(value, t.TypedConstant) and value.type.name in ("int4", "int8")


def _of_parts(value: t.RoutineCall) -> t.Expr:
    """What asks a list for elements by ``list_contains``, to which NULL among them is nothing; ``->>``."""
    name, (one, other) = value.routine.name, value.arguments
    if name == "->>":
        return replace(value, routine=replace(value.routine, name="json_extract_string", operator=False))
    if name in CONTAINING and one.type.name.endswith("[]"):
        elements = listed_elements(one)
        if elements is not None and all(_is_constant(each, filled=False) for each in elements):
            return _one_of(other, tuple(filter(_is_constant, elements)))
        return replace(value, routine=d.own("list_contains", (one, other), strict=value.routine.strict))
    if name == "<@":
        one, other, name = other, one, "@>"
    for asked, written in ((one, other), (other, one))[: 2 if name in _SOME else 1]:
        elements = listed_elements(written) if name in _SOME | _EACH and asked.type == written.type else None
        if elements and all(map(_is_constant, elements)):
            tests = tuple(_call(d.BOOLEAN, "list_contains", asked, each) for each in elements)
            return t.joined("and" if name in _EACH else "or", tests)
    return value


def _is_text_of(whole: t.Expr, shown: t.Expr, text: str) -> bool:
    """Whether a text is that of an integer, beside the text of an integer: then the integers compare."""
    is_text = whole.type.name in ("int2", "int4", "int8") and shown.type.name == "text"
    return is_text and len(text) < _DIGITS and _WHOLE.match(text) is not None


def _adds_truths(value: t.AggregateCall | t.Over, first: t.Expr) -> bool:
    return value.routine.name in ("sum", "count_if", "countif") and first.type.name == "bool"


def _filtered(query: d.Qualified, number: int) -> t.Select:
    """QUALIFY as a condition on a derived table, which computes the windows."""
    assert query.qualify is not None
    if query.distinct_on:
        raise UnsupportedError("Distinct", "DISTINCT ON with QUALIFY")
    targets = [*query.targets, t.ResultColumn(query.qualify, "qualify")]
    places = []
    for key in query.order:
        values = [each.value for each in targets]
        if key.value not in values:
            targets.append(t.ResultColumn(key.value, "key"))
            values.append(key.value)
        places.append(values.index(key.value))
    names = tuple(each.name for each in targets)
    inner = replace(
        query, targets=tuple(targets), qualify=None, distinct=False, order=(), limit=None, ctes=()
    )
    fields = [t.SourceColumn(each.value.type, number, place) for place, each in enumerate(targets, 1)]
    shown = len(query.targets)
    return d.Qualified(
        tuple(
            t.ResultColumn(field, each.name)
            for field, each in zip(fields[:shown], query.targets, strict=True)
        ),
        (t.DerivedTable(number, "qualified", names, inner),),
        fields[shown],
        distinct=query.distinct,
        order=tuple(
            t.SortKey(fields[place], key.descending, key.nulls_first)
            for place, key in zip(places, query.order, strict=True)
        ),
        limit=query.limit,
        ctes=query.ctes,
    )
