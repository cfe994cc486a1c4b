"""Calls of which the core has no meaning, as symbols: functions that are equal to themselves, and no more.

A symbol is a function of its arguments' *identity*, that is of their bytes, while the core knows when values
are equal.  ``1.0`` and ``1.00`` are equal numerics whose texts differ, ``-0.0`` equals ``0.0``, and of
``jsonb`` or ``interval`` equal values may show otherwise.  An argument is therefore of a type whose equal
values are identical, or of one whose equality the core does not know either: then it is a symbol as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import get_ident
from typing import Any, TypeVar
from weakref import ref

from sqlglot import exp

from equiv.cells import Cell
from equiv.core.functions.symbols import SYMBOL_WORDS, compute_symbol, symbol_signature
from equiv.core.functions.traits import MOST_ARGUMENTS, Nulls
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.dialect import TypedSession
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.comparisons import rank
from equiv.dialects.typed.walks import children, parts_of, with_children
from equiv.names import quoted_name

OF_CATALOGUE = (
    "pg_get_(expr|userbyid|[a-z_]*def|[a-z_]+def_[a-z]+|function_[a-z_]+|serial_sequence)"
    "|pg_[a-z_]+_is_(visible|updatable)|pg_(is_other_temp_schema|my_temp_schema)"
    "|pg_(char_to_encoding|encoding_to_char|options_to_table|typeof|has_role)|has_[a-z_]+_privilege"
)
"""Names of functions that ask the catalogue alone, which is part of the database."""
_OF_SERVER = re.compile(
    f"(?!({OF_CATALOGUE})$)(pg_|txid_|inet_|has_|row_security|currtid|statement_timestamp|lo_|.*to_xml)"
)
"""Stable functions that ask the server about itself, or the clock: two queries may get two answers."""
_OF_SESSION = {
    "CURRENT_CATALOG": "current_database",
    "CURRENT_ROLE": "current_user",
    "CURRENT_SCHEMA": "current_schema",
    "CURRENT_USER": "current_user",
    "SESSION_USER": "session_user",
    "USER": "current_user",
}
"""The functions that give what words ask of the session."""


def is_fixed(routine: t.Routine) -> bool:
    """Whether a routine has one answer for its arguments in any two queries of one transaction."""
    if routine.volatility != "s":
        return routine.volatility == "i"
    # The age of a transaction is told from the next one's number.
    return not _OF_SERVER.match(routine.name) and routine.arguments != ("xid",)


def symbol_of_unknown(value: t.Expr, place: LoweringPlace) -> exp.Expression | None:
    """The symbol that stands for an expression; None if none may.

    Args:
        value: an expression of which the core has no meaning.
        place: where it stands.

    Raises:
        UnsupportedError: the core has none for one of its arguments.
    """
    match value:
        case t.TypedConstant(text=str(text)) if not b.is_plain(value.type) and is_kept(value.type):
            return b.string(text)
        case t.Now(word=word) if word in _OF_SESSION:
            routine = t.Routine(_OF_SESSION[word], (), "s", strict=True)
            return symbol_of_unknown(t.RoutineCall(value.type, routine, ()), place)
        case t.RoutineCall(routine=t.Routine(operator=True)) if (other := turned(value)) is not None:
            call_of_it, is_negated = other
            found = symbol_of_unknown(call_of_it, place)
            return found if found is None or not is_negated else exp.Not(this=found)
        case t.RoutineCall(routine=routine, arguments=arguments) if is_function(routine, place):
            is_symmetric = routine.alike[0] == routine.name and len({*routine.arguments}) == 1
            written = _written(value)
            return symbol_of_values(
                value, written, arguments, place, strict=routine.strict, symmetric=is_symmetric
            )
        case t.Conversion(value=inner):
            return symbol_of_values(
                value, f"CAST({{0}} AS {value.type.signature})", (inner,), place, strict=True
            )
        case t.Array(elements=elements):
            return symbol_of_values(value, f"ARRAY[{places_of(elements)}]", elements, place)
        case t.Compared(routine=routine, value=one, array=array) if is_function(routine, place):
            shown = f"{{0}} {routine.name} {'ANY' if value.any else 'ALL'} ({{1}})"
            # NULL of an array that is NULL; a value that is NULL is in no array that is empty.
            is_there = isinstance(one, t.TypedConstant) and one.text is not None
            return symbol_of_values(value, shown, (one, array), place, strict=is_there)
        case t.WholeRow(values=values):
            # Where an outer join has none it is NULL, and not the row of which each field is NULL.
            return symbol_of_values(
                value, f"row of {value.type.signature}({places_of(values)})", values, place
            )
        case t.RowValue(values=values) if value.type.sort == "c":
            return symbol_of_values(value, f"ROW({places_of(values)})", values, place)
        case t.FieldAccess(value=inner, name=name):
            return symbol_of_values(value, f"({{0}}).{quoted_name(name)}", (inner,), place, strict=True)
        case t.GreatestLeast(arguments=arguments):
            name = "GREATEST" if value.greatest else "LEAST"
            return symbol_of_values(value, f"{name}({places_of(arguments)})", arguments, place)
    return None


_TOLD_BY = ("=", "<", "@>", "&&")
"""The operators by which others are told, where the catalogue says how."""
_WAYS = (True, False, True), (False, True, True)
"""Whether operands change places, and whether it is the opposite, of the operators that say the same."""


def turned(value: t.RoutineCall) -> tuple[t.RoutineCall, bool] | None:
    """The call that an operator is told by, and whether as its opposite; None of itself."""
    routine, arguments = value.routine, value.arguments
    if len(arguments) != 2 or routine.schema != "pg_catalog" or not routine.strict:
        return None
    ways = ((routine.name, False, False), *zip(routine.alike, *_WAYS, strict=True))

    def place(way: tuple[str, bool, bool]) -> tuple[int, str, tuple[str, ...], bool]:
        name, is_turned, is_negated = way
        kinds = routine.arguments[:: -1 if is_turned else 1]
        return _TOLD_BY.index(name) if name in _TOLD_BY else len(_TOLD_BY), name, kinds, is_negated

    name, is_turned, is_negated = min((way for way in ways if way[0]), key=place)
    if not is_turned and not is_negated:
        return None
    way = -1 if is_turned else 1
    # Its own others are those of the operator that it is told by, in another order.
    told = replace(routine, name=name, arguments=routine.arguments[::way], alike=_alike(routine, name))
    return replace(value, routine=told, arguments=arguments[::way]), is_negated


def _alike(routine: t.Routine, name: str) -> tuple[str, str, str]:
    """The operators that say the same as another of those that say the same as one."""
    turned_way, opposite, both = routine.alike
    if name == turned_way:
        return routine.name, both, opposite
    return (both, routine.name, turned_way) if name == opposite else (opposite, turned_way, routine.name)


def _written(value: t.RoutineCall) -> str:
    name, places = value.routine.name, places_of(value.arguments)
    if value.cast and value.routine.schema != "pg_catalog":
        return f"CAST({{0}} AS {value.type.signature})"
    if "{" in name:
        return name
    if not value.routine.operator:
        return f"{name}({'VARIADIC ' * value.variadic}{places})"
    return f"{{0}} {name} {{1}}" if len(value.arguments) == 2 else f"{name} {{0}}"


def places_of(arguments: Sequence[t.Expr]) -> str:
    """The places of arguments in the text of a symbol: ``{0}, {1}``."""
    return ", ".join(f"{{{at}}}" for at in range(len(arguments)))


def is_kept(found: t.Type) -> bool:
    """Whether the core may pass on values of a type, of which it knows nothing, as they are."""
    return found.sort in "bcderm" and found.name != "unknown"


_EXACT = frozenset(
    """bytea cidr inet macaddr macaddr8 bit varbit char oid pg_lsn xid8 int4range int8range daterange tsrange
    tstzrange int4multirange int8multirange datemultirange tsmultirange tstzmultirange""".split()  # noqa: SIM905
)
_EXACT_ELEMENTS = b.PLAIN - b.FLOATS - {"numeric", "bpchar", "unknown"} | _EXACT


def is_exact(found: t.Type) -> bool:
    """Whether values of a type that the core passes on are identical if its engine calls them equal."""
    return found.schema == "pg_catalog" and (
        found.name in _EXACT or (found.name.startswith("_") and found.name[1:] in _EXACT_ELEMENTS)
    )


def merged(value: exp.Expression, kind: t.Type, place: LoweringPlace, where: str) -> exp.Expression:
    """A value that is equal if and only if values of a type are: a symbol where equal is not identical.

    Raises:
        UnsupportedError: nothing is.
    """
    if b.is_plain(kind) or place.state.symbols is None or not is_kept(kind):
        b.require_plain(kind, where)
        return value
    return value if is_exact(kind) else _place_in_order(value, kind)


def in_order(value: exp.Expression, kind: t.Type, place: LoweringPlace, where: str) -> exp.Expression:
    """A value that sorts as the values of a type do.

    Raises:
        UnsupportedError: nothing is.
    """
    if b.is_plain(kind) or place.state.symbols is None or not is_kept(kind):
        b.require_ordered(kind, where)
        return rank(value, kind)
    return _place_in_order(value, kind)


def is_merged(kind: t.Type) -> bool:
    """Whether a type has equal values that are not identical, so that one of them stands for a group."""
    return not b.is_plain(kind) and is_kept(kind) and not is_exact(kind)


def _place_in_order(value: exp.Expression, kind: t.Type) -> exp.Expression:
    # Values that there are can be counted: a text for each, in the order of its class and one for equal ones.
    return b.call(
        "STRICT_TEXT_SYMBOL", b.string(symbol_signature("order of {0}", [kind.signature], "text")), value
    )


def is_identical(found: t.Type) -> bool:
    """Whether values of a type that the core takes for equal are identical.

    A ``numeric(p, s)`` shows ``s`` decimals whatever it is, and a ``character(n)`` is padded.  Values of a
    domain are compared as those of the type below.
    """
    found = found.base or found
    if found.name in b.FLOATS:
        return False
    if found.name == "numeric":
        return found.scale is not None
    if found.name == "bpchar":
        return found.length is not None
    return found.name in b.PLAIN or found.sort == "e" or is_kept(found)


def is_function(routine: t.Routine, place: LoweringPlace) -> bool:
    """Whether engine or schema says of a routine that it is a function of its arguments."""
    is_own = routine.schema in place.state.routines and routine.schema != t.SESSION
    # The operators that PostgreSQL does not have itself are those of its extensions.
    is_labelled = routine.bare != routine.name or (routine.operator and routine.schema != t.SESSION)
    if not (is_own or is_labelled or routine.schema == "pg_catalog") or routine.returns_set:
        return False
    return is_fixed(routine)


def _arguments_of(call: t.Expr) -> tuple[t.Expr, ...]:
    """The arguments of a call that may be a symbol."""
    if isinstance(call, t.RowsOfFunction):
        return (*call.function.call.arguments, *(() if call.number is None else (call.number,)))
    listed = (each if isinstance(each, tuple) else (each,) for each in children(call))
    return tuple(each for part in listed for each in part if isinstance(each, t.Expr))


def _with_arguments(call: t.Expr, given: Sequence[t.Expr]) -> t.Expr:
    """A call that may be a symbol with other arguments."""
    left = iter(given)

    def change(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(change, part))
        return next(left) if isinstance(part, t.Expr) else part

    match call:
        case t.RowsOfFunction(function=function):
            called = with_children(function.call, change)
            return replace(call, function=replace(function, call=called), number=next(left, None))
        case t.WholeRow():
            return t.RowValue(call.type, tuple(given))
    return with_children(call, change)


_Session = TypeVar("_Session", bound=TypedSession)


def let_compute(
    symbols: Mapping[str, t.Expr],
    session: _Session,
    constant: Callable[[Cell, t.Type], t.Expr],
    value_of: Callable[[_Session, t.Expr], Cell],
) -> None:
    """Let symbols have the values that an engine computes, while its session is open, in this thread alone.

    Args:
        symbols: the calls by signature.
        session: where they are computed.
        constant: a value of a type as an expression.
        value_of: what the engine makes of an expression of constants; NULL where it raises an error.
    """
    known, thread = ref(session), get_ident()

    def let(signature: str, call: t.Expr) -> None:
        values = dict[tuple[Cell, ...], Cell]()

        def compute(given: tuple[Cell, ...]) -> tuple[Cell] | None:
            found = known()
            if found is None or not found.is_open or get_ident() != thread:
                return None
            if given not in values:
                kinds = [each.type for each in _arguments_of(call)]
                constants = [constant(cell, kind) for cell, kind in zip(given, kinds, strict=True)]
                values[given] = value_of(found, _with_arguments(call, constants))
            return (values[given],)

        compute_symbol(signature, compute)

    for signature, found in symbols.items():
        # A constant stands for a recursion, which has no arguments: nothing computes it alone.
        if not isinstance(found, t.AggregateCall | t.Over | t.NestedQuery | t.TypedConstant):
            let(signature, found)


_OF_ROWS = (t.SourceColumn, t.NestedQuery, t.AggregateCall, t.Over)


def symbol_of_values(
    value: t.Expr,
    shown: str,
    arguments: tuple[t.Expr, ...],
    place: LoweringPlace,
    *,
    strict: bool = False,
    symmetric: bool = False,
    within: tuple[exp.Expression, ...] = (),
) -> exp.Expression | None:
    """The symbol that stands for a value computed from arguments; None if no symbol may stand for it.

    Args:
        shown: the symbol's text.
        arguments: the typed arguments from which the value is computed.
        place: where the value stands.
        strict: whether the value is NULL if an argument is.
        symmetric: whether the two arguments may change places.  Then the symbol's arguments are put in one
            order: the lesser before the greater, or one that rows change before one that no row changes.
        within: further arguments of the symbol, given in the core.
    """
    if not is_held(value.type):
        return None
    found = [identity_of(each, place) for each in arguments]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    values, kinds = tuple(each for each, _ in known), tuple(kind for _, kind in known)
    if symmetric and strict and len({*kinds}) == 1:
        # What no row changes says the same in both queries; how a column is called does not.
        one, other = (any(isinstance(part, _OF_ROWS) for part in parts_of(each)) for each in arguments)
        if one and other:
            values = tuple(b.call(name, *(each.copy() for each in values)) for name in ("MIN", "MAX"))
        elif other or (not one and repr(arguments[0]) > repr(arguments[1])):
            values = values[::-1]
    return symbol(value, shown, kinds, (*values, *within), place, strict=strict)


def is_held(kind: t.Type) -> bool:
    """Whether a symbol may have values of a type."""
    return b.is_plain(kind) or is_kept(kind)


def identity_of(value: t.Expr, place: LoweringPlace) -> tuple[exp.Expression, str] | None:
    """An argument of a symbol with its type; None if the core knows no more than what it equals.

    Raises:
        UnsupportedError: the core has no meaning for it.
    """
    if is_identical(value.type):
        return place.lowered(value), value.type.signature
    if isinstance(value, t.TypedConstant) and value.text is not None:
        # Its text says more than what it equals.
        return b.string(value.text), value.type.signature
    if isinstance(value, t.RoutineCall) and value.cast and len(value.arguments) == 1:
        (inner,) = value.arguments
        if inner.type.name in b.INTEGERS and value.type.name in b.NUMBERS:
            return place.lowered(value), value.type.signature
    return None


def symbol(
    value: t.Expr,
    shown: str,
    kinds: Sequence[str],
    given: Sequence[exp.Expression],
    place: LoweringPlace,
    *,
    strict: bool = False,
) -> exp.Expression | None:
    """The symbol that stands for an expression; None if the core cannot hold its value.

    Args:
        value: what it stands for.
        shown: its text, ``{0}`` for the first argument.
        kinds: the types that it is of.
        given: its arguments.
        place: where it stands.
        strict: whether it is NULL if an argument is.
    """
    kind = value.type
    if not is_held(kind) or len(given) >= MOST_ARGUMENTS:
        return None
    signature = symbol_signature(shown, kinds, kind.signature)
    assert place.state.symbols is not None
    place.state.symbols[signature] = value
    nulls = _NULLS[strict, is_sure(value)]
    return b.call(f"{_WORDS[nulls]}{sort_of(kind)}_SYMBOL", b.string(signature), *given)


_WORDS = {nulls: word for word, nulls in SYMBOL_WORDS.items()}
_NULLS = {
    (False, False): Nulls.ANY, (True, False): Nulls.AT_LEAST, (True, True): Nulls.EXACTLY,
    (False, True): Nulls.NEVER,
}  # fmt: skip
"""When a symbol is NULL, by whether it is where an argument is, and whether it is not where none is."""
SURE = frozenset(
    """ascii bit_length btrim cardinality char_length character_length chr current_database current_user
    decode encode family host initcap isempty json_array_length json_typeof jsonb_array_length jsonb_pretty
    jsonb_set jsonb_strip_nulls jsonb_typeof left length lower_inc lower_inf lpad ltrim masklen md5 netmask
    network octet_length overlay phraseto_tsquery plainto_tsquery position quote_ident quote_literal
    range_merge regexp_replace repeat replace reverse right rpad rtrim session_user set_masklen sha224 sha256
    sha384 sha512 split_part starts_with strpos substr text to_hex to_json to_jsonb to_tsquery to_tsvector
    translate ts_rank ts_rank_cd upper_inc upper_inf websearch_to_tsquery""".split()  # noqa: SIM905
)
"""Strict functions that are not NULL where no argument is, after PostgreSQL's documentation."""
NEVER_NULL = frozenset(
    """array_append array_prepend concat json_build_array json_build_object jsonb_build_array
    jsonb_build_object num_nonnulls num_nulls""".split()  # noqa: SIM905
)


def is_sure(value: t.Expr) -> bool:
    """Whether a call is not NULL where no argument is, or never, if it is not strict."""
    match value:
        case t.RoutineCall(routine=t.Routine(schema="pg_catalog") as routine, variadic=False):
            # A path in JSON that leads nowhere is NULL, and so may be what is cast from null in JSON.
            if not {"jsonpath", "record"}.isdisjoint(routine.arguments) or not routine.strict:
                return routine.name in NEVER_NULL and not routine.operator
            if routine.operator:
                return value.type.name == "bool" or (routine.name, value.type.name) in _SURE_OPERATORS
            # Infinity has no time of day.
            is_cast = value.cast and {"json", "jsonb"}.isdisjoint(routine.arguments)
            return routine.name in SURE or (is_cast and value.type.name not in ("time", "timetz"))
        case t.Conversion(value=inner):
            return {inner.type.schema, value.type.schema} == {"pg_catalog"}
    return isinstance(value, t.Array)


_SURE_OPERATORS = {("||", "jsonb"), ("-", "jsonb"), ("#-", "jsonb"), ("||", "tsvector"), ("+", "inet")}


def sort_of(kind: t.Type) -> str:
    """The kind of the core's values, as symbols are called by it, that stand for those of a type."""
    if kind.name in b.INTEGERS or kind.name == "bool":
        return "WHOLE"
    return "NUMBER" if kind.name in b.NUMBERS else "TEXT"
