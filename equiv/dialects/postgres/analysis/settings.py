"""The settings of the session that a query has its meaning by.

PostgreSQL asks for some when it parses the text, of which it makes another tree under another value, and for
others when it calls a function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import difference, read_nodes
from equiv.dialects.postgres.analysis.printing import PostgresWatcher
from equiv.dialects.postgres.parameters import WATCHED, is_plain_text
from equiv.dialects.postgres.session_settings import CASES, OF_DATABASE, ORDER, STRINGS, TAKEN
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import parameter_of
from equiv.dialects.typed.reader import stated_otherwise
from equiv.dialects.typed.walks import found_in, parts_of
from equiv.dialects.typed.watching import watched_texts
from equiv.names import quoted_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from equiv.core.model import Schema
    from equiv.dialects.postgres.sandbox import Sandbox, Viewed

_OTHERS = {
    "TimeZone": ("Asia/Kathmandu", "Pacific/Apia"),
    "DateStyle": ("ISO, DMY", "ISO, YMD", "ISO, MDY"),
    "IntervalStyle": ("sql_standard", "postgres"),
    "transform_null_equals": ("on", "off"),
    STRINGS: ("off",),
}
"""Values: a text that depends on a setting means something else under some of them than under any one."""
_ZONED_CONSTANT = re.compile(r":consttype (?:1184|1185|1266|1270|3910|3911|4534)\b")
_DATED_CONSTANT = re.compile(
    r":consttype (?:1082|1182|1114|1115|1184|1185|1266|1270|3908|3909|3910|3911|3912|3913|453[346])\b"
)
_SPAN_CONSTANT = re.compile(r":consttype (?:1186|1187)\b")
_FIRM = re.compile(
    r"(?:\d{4,5}-\d{1,2}-\d{1,2}(?:[ T]\d\d?:\d\d(?::\d\d(?:\.\d*)?)?)?(?:Z|[+-]\d\d?(?::?\d\d)?)?"
    r"|\d+(?:\.\d+)?\s*(?:y|mon|w|d|h|m|s|q|c)[a-z]*|\D*)\Z",
    re.IGNORECASE,
)
"""A string that no order of day, month and year reads otherwise: of ISO's form, a plain span, or no digit."""
_HIDING = re.compile(r"""\$(?!\d)|--|/\*|\\|"[^"]*'""")
"""What may hold a string of another form, or a quote that begins none."""
_ZONED = frozenset(("timestamptz", "timetz", "_timestamptz", "_timetz", "tstzrange"))
_DATED = frozenset(("date", "timestamp", "timestamptz", "_date", "_timestamp", "_timestamptz"))
_TEXTS = frozenset(("text", "varchar", "bpchar", "unknown"))
_SPANS = frozenset(("interval", "_interval"))
_CLOCKS = frozenset(("now", "transaction_timestamp", "statement_timestamp", "clock_timestamp"))
_POLYMORPHIC = frozenset(
    ("any", "anyelement", "anyarray", "anynonarray", "anycompatible", "anycompatiblearray")
)
_OF_CASES = frozenset(("upper", "lower", "initcap", "~~*", "!~~*", "~*", "!~*"))
_CASED = re.compile(r"[iI]|[^\x00-\x7f]")
"""What locales differ about: the letters beyond ASCII, and I, which is not the capital of i everywhere."""
_INSTANTS = frozenset(("CURRENT_TIMESTAMP",))


def settings_of_literals(query: str, seen: Viewed, views: dict[str, str], sandbox: Sandbox) -> frozenset[str]:
    """The settings under other values of which PostgreSQL makes other constants of a text.

    Args:
        query: the text.
        seen: the same as PostgreSQL resolves it under the settings that the reader takes.
        views: the node trees of the views that it reads, whose constants were made of texts that are gone.
        sandbox: where it is resolved.
    """
    found = {"TimeZone"} if hang_on_zone(views) else set()
    if _ZONED_CONSTANT.search(seen.tree):
        found |= {"TimeZone"} if names_zone(query) else _changing("TimeZone", query, seen, sandbox)
    if _ABBREVIATED.search(query) or (_ZONED_CONSTANT.search(seen.tree) and names_zone(query)):
        found |= {"timezone_abbreviations"}
    if "\\" in query:
        found |= _changing(STRINGS, query, seen, sandbox)
    if _NULL.search(query):
        found |= _changing("transform_null_equals", query, seen, sandbox)
    strings = [each.strip() for each in query.split("'")[1::2]]
    may_hide = bool(_HIDING.search(query))
    if _DATED_CONSTANT.search(seen.tree) and (may_hide or not all(map(_FIRM.match, strings))):
        found |= _changing("DateStyle", query, seen, sandbox)
    if _SPAN_CONSTANT.search(seen.tree) and (may_hide or any(s.startswith("-") for s in strings)):
        found |= _changing("IntervalStyle", query, seen, sandbox)
    return frozenset(found)


def hang_on_zone(views: dict[str, str]) -> bool:
    """Whether a view has an instant that was made of a literal under a zone about which nothing is known."""
    return any(map(_ZONED_CONSTANT.search, views.values()))


def names_zone(query: str) -> bool:
    """Whether a string may name a zone by an abbreviation, which the session's own zone may know first."""
    strings = query.split("'")[1::2]
    words = (word for each in strings if _DIGIT.search(each) for word in _LETTERS.findall(each))
    return any(word.lower()[:3] not in _OF_DATES for word in words)


_NULL = re.compile(r"(?i)=[\s(]*(?:--|/\*|null\b)|\bnull[\s)]*(?:=|--|/\*)")
_ABBREVIATED = re.compile(
    r"(?i)\bzone\b[\s(]*'(?!utc'|gmt')[a-z]{2,5}'|\btimezone\s*\(\s*'(?!utc'|gmt')[a-z]{2,5}'"
)
_DIGIT, _LETTERS = re.compile(r"\d"), re.compile(r"(?<![\w/])[A-Za-z]{2,}(?![\w/])")
_OF_DATES = frozenset(
    """jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun am pm ad bc utc gmt
    yea mon wee day hou min sec mil mic dec cen qua y d h m s ago""".split()  # noqa: SIM905
)


def _changing(name: str, query: str, seen: Viewed, sandbox: Sandbox) -> set[str]:
    """The setting, if another value of it makes another tree of the text, or none."""
    known = read_nodes(seen.tree)
    for value in _OTHERS[name]:
        try:
            with sandbox.wire.undoing(f"SET LOCAL {name} = '{value}'"):
                again = read_nodes(sandbox.viewed(query, len(seen.types)).tree)
        except WireError:
            return {name}
        if difference(known, again):
            return {name}
    return set()


def settings_of_calls(query: t.TypedQuery, *, are_listed: bool) -> frozenset[str]:
    """The settings that the functions ask which a resolved query calls, as far as these are read at all.

    Args:
        are_listed: whether CHECKs compare texts with constants.
    """
    found = frozenset(name for part in parts_of(query) for name in _asked(part))
    in_order = _compares_texts_in_order(query) or (are_listed and sorts_texts(query))
    return found | {ORDER} if in_order else found


def sorts_texts(query: t.TypedQuery) -> bool:
    """Whether a resolved query compares or sorts texts in their order, as MIN and MAX do."""
    return _compares_texts_in_order(query) or any(map(_sorted_text, parts_of(query)))


def _compares_texts_in_order(query: t.TypedQuery) -> bool:
    """Whether what is known of the order of single texts may bear on a query.

    Which order it is says nothing of columns that are sorted alone: only of what is compared by it, and of a
    sorted column that is also compared with constants, which are in that order to one another.
    """
    parts = list(parts_of(query))
    if any(map(_is_order_of_texts, parts)):
        return True
    keys = [key for each in parts for key in _sorted_text(each)]
    return bool(keys) and any(_equates_with_text(each) for each in parts) and not _are_apart(parts, keys)


def _is_order_of_texts(part: object) -> bool:
    match part:
        case t.Routine(name="<" | "<=" | ">" | ">=" | "~<~" | "~<=~" | "~>~" | "~>=~", arguments=arguments):
            return not _TEXTS.isdisjoint(arguments)
        case t.GreatestLeast(type=kind):
            return kind.name in _TEXTS
        case t.RowComparison(left=left):
            return any(each.type.name in _TEXTS for each in left)
    return False


def _sorted_text(part: object) -> list[t.Expr]:
    """The texts that a part sorts, or of which it takes the least or greatest."""
    match part:
        case t.SortKey(value=value):
            return [value] if value.type.name in _TEXTS else []
        case t.AggregateCall(routine=routine, arguments=arguments) if routine.name in ("min", "max"):
            return [each for each in arguments if each.type.name in _TEXTS]
        case t.Over(routine=routine, arguments=arguments) if routine.name in ("min", "max"):
            return [each for each in arguments if each.type.name in _TEXTS]
        case t.SetQuery(order=order, body=body):
            places = [body.types[abs(place) - 1] for place, *_ in order]
            return [t.Expr(each) for each in places if each.name in _TEXTS]
    return []


def _equates_with_text(part: object) -> bool:
    return isinstance(part, t.RoutineCall | t.Compared | t.IsDistinct | t.NullIf | t.CaseWhen) and any(
        each.type.name in _TEXTS for each in found_in(part, t.TypedConstant)
    )


def _are_apart(parts: list[object], keys: list[t.Expr]) -> bool:
    """Whether sorted texts are columns of tables that nothing compares with a constant or another text."""
    columns = {each.number: (each.name, each.schema) for each in parts if isinstance(each, t.TableUse)}

    def places(value: object) -> set[tuple[object, int]]:
        return {(columns.get(each.source, ""), each.position) for each in found_in(value, t.SourceColumn)}

    if not all(isinstance(key, t.SourceColumn) and key.source in columns for key in keys):
        return False
    equated = [
        each
        for each in parts
        if isinstance(each, t.RoutineCall | t.Compared | t.NestedQuery | t.IsDistinct | t.NullIf | t.CaseWhen)
    ]
    held = {place for each in equated if _has_text(each) for place in places(each)}
    return held.isdisjoint(place for key in keys for place in places(key))


def _has_text(part: object) -> bool:
    return any(each.type.name in _TEXTS for each in found_in(part, t.Expr))


def _asked(part: object) -> frozenset[str]:
    match part:
        case t.Now(type=kind, word=word) if kind.name != "name" and word.upper() not in _INSTANTS:
            return frozenset(("TimeZone",))
        case t.RoutineCall(routine=t.Routine(name=name), arguments=arguments) if (
            name in _OF_CASES and _has_case(arguments)
        ):
            return frozenset((CASES,))
        case t.RowComparison(left=left, right=right):
            # Each pair is compared by the operator of its types.
            zones = ({one.type.name, other.type.name} for one, other in zip(left, right, strict=True))
            mixed = any(not _ZONED.isdisjoint(pair) and not pair <= _ZONED for pair in zones)
            return frozenset(("TimeZone",)) if mixed else frozenset()
        case t.Routine("age", ("timestamptz", "timestamptz"), schema="pg_catalog"):
            # Labelled immutable, though the months between two instants are those of the session's calendar.
            return frozenset(("TimeZone",))
        case t.Routine(volatility="s", arguments=arguments) if not _ZONED.isdisjoint(arguments):
            return frozenset(("TimeZone",))
        case t.RoutineCall(routine=t.Routine(volatility="s") as routine, arguments=arguments, type=result):
            if routine.name in _CLOCKS:
                return frozenset()
            takes_any = not _POLYMORPHIC.isdisjoint(routine.arguments)
            own = {each.type.name for each in arguments} if takes_any else set[str]()
            zone = result.name in _ZONED or (routine.name == "age" and len(arguments) == 1)
            return _of_texts(own) | (frozenset(("TimeZone",)) if zone else frozenset())
        case t.Conversion(through_text=True, value=value, type=target) if parameter_of(part) is None:
            return _of_texts({value.type.name, target.name})
    return frozenset()


def _has_case(arguments: tuple[t.Expr, ...]) -> bool:
    texts = (part.text for part in found_in(arguments, t.TypedConstant))
    return any(text is not None and _CASED.search(text) for text in texts)


def _of_texts(types: set[str]) -> frozenset[str]:
    """The settings that the texts of values depend on, or what such texts are read as."""
    found = {"DateStyle"} if types & _DATED else set()
    found |= {"TimeZone"} if types & _ZONED else set()
    return frozenset(found | ({"IntervalStyle"} if types & _SPANS else set()))


_OTHER_UTC = re.compile(r"(?i)<?(?:utc|gmt)\b(?!\Z)")


def require_taken(asked: frozenset[str], schema: Schema) -> None:
    """Make sure that the settings which a query asks have the values under which the core answers alike.

    Raises:
        UnsupportedError: the schema's source says another.
    """
    for why in stated_otherwise(asked, schema, TAKEN).values():
        raise UnsupportedError(why.node, why.why)
    if _OTHER_UTC.match(dict(schema.settings).get("TimeZone", "")):
        raise UnsupportedError("Setting", "a time zone that calls another time UTC or GMT")


def fresh_views(typed: t.TypedQuery, views: Iterable[str], schema: Schema) -> frozenset[str]:
    """The materialised views whose queries are read over the tables of now.

    Args:
        typed: the query.
        views: the texts of all views that it reads.
        schema: the tables and views.

    Raises:
        UnsupportedError: what was chosen, or summed in one order, at the refresh of one may not be what is
            now; or the rows of another depend on the session in which it was refreshed.
    """
    stored = {".".join(map(quoted_name, view.stored.split("."))): view.stored for view in schema.native_views}
    parts = list(parts_of(typed)) if any(stored.values()) else []
    fresh = frozenset(v for each in parts if isinstance(each, t.TableUse) for v in each.fresh_in(schema))
    chooses = any(
        watched_texts(PostgresWatcher, each.query)[0] != ""
        for each in parts
        if isinstance(each, t.DerivedTable) and each.view
    )
    if fresh and (chooses or not all(is_plain_text(each, schema, WATCHED) for each in views)):
        raise UnsupportedError("From", f"{min(fresh)}, assumed fresh, in a view that picks or rounds")
    for each in parts:
        name = stored.get(each.view, "") if isinstance(each, t.DerivedTable) else ""
        if name and name not in schema.fresh and isinstance(each, t.DerivedTable):
            asked = settings_of_calls(each.query, are_listed=False) - OF_DATABASE
            if asked:
                why = f"{name}, whose rows depend on {min(asked)} at the time of its refresh"
                raise UnsupportedError("From", why)
    return fresh
