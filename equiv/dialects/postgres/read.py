"""From the text of a query to a query that can be compared, or to what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from equiv.cells import Cell
from equiv.core.query import UNKNOWN, Broken, Cause, Query, Unsupported, UnsupportedError
from equiv.core.runner import Limits, Result
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.analysis.own_functions import BodyPlacement, own_functions
from equiv.dialects.postgres.analysis.printing import (
    Constants,
    PostgresPrinter,
    PostgresWatcher,
    folded,
    require_faithful,
)
from equiv.dialects.postgres.analysis.queries import read_query as typed_query
from equiv.dialects.postgres.analysis.queries import shown_lengths
from equiv.dialects.postgres.analysis.scope import (
    BUILT_IN,
    CALLED,
    Catalogue,
    NodeReading,
    array_of,
    asks_catalogue,
    hiding_call,
    reads_system,
    reads_tables,
    view_tree,
    views_of,
)
from equiv.dialects.postgres.analysis.settings import (
    fresh_views,
    hang_on_zone,
    names_zone,
    require_taken,
    settings_of_calls,
    settings_of_literals,
    sorts_texts,
)
from equiv.dialects.postgres.analysis.zones import with_instants, with_local_literals
from equiv.dialects.postgres.parameters import (
    WATCHED,
    family_of_parameter,
    is_plain_text,
    parameters_in,
    replaced,
    typed_places,
)
from equiv.dialects.postgres.session_settings import (
    HONOURED,
    ORDER,
    REFUSED,
    STRINGS,
    TAKEN,
    settings_of_text,
    writes_otherwise,
)
from equiv.dialects.postgres.statements import (
    changing_word,
    require_no_today,
    statements,
    without_locks,
)
from equiv.dialects.postgres.values import family_of
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import require_plain
from equiv.dialects.typed.lowering.operators import may_fail
from equiv.dialects.typed.lowering.unknown import is_fixed, is_kept, let_compute
from equiv.dialects.typed.reader import (
    CoreTranslation,
    beside,
    lowered,
    why_not,
    with_trees,
)
from equiv.dialects.typed.symbols import symbol, with_sort_keys, with_symbols
from equiv.dialects.typed.walks import parts_of
from equiv.dialects.typed.watching import watched_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from equiv.core.model import Schema
    from equiv.dialects.postgres.sandbox import Sandbox, Viewed
    from equiv.dialects.postgres.session import PostgresSession

_QUERIES = frozenset(("SELECT", "WITH", "VALUES", "TABLE", "("))
_ROUNDS = 3
_OPEN = ("42P18", "42P08")
"""Codes of errors by which PostgreSQL finds no type, or several, for a parameter."""


def read_query(text: str, schema: Schema, empty: PostgresSession) -> Query | Broken:
    """Read one query.

    Args:
        text: any text, also a hostile one.
        schema: the tables and views.
        empty: an empty database of that schema.
    """
    given = list(statements(text))
    if not given:
        return Broken("EMPTY", "the text is empty")
    if len(given) > 1:
        return Broken("NOT_A_QUERY", "more than one statement")
    query = given[0].bare.rstrip()
    if given[0].words[0] not in _QUERIES:
        return Broken("NOT_A_QUERY", f"a statement, not a query: {given[0].words[0]}")
    if given[0].words[0] == "WITH" and (word := changing_word(query)):
        return Broken("WITHHELD", f"{word} within a query: statements that change rows are not compared")
    given_text, (query, locks) = query, without_locks(query)
    parameters = tuple(dict.fromkeys(place.name for place in parameters_in(query)))
    try:
        shown, kinds, why = _with_typed_places(query, parameters, empty.sandbox)
        described = empty.sandbox.describe(shown)
    except WireError as error:
        return Broken(cause_of(error), str(error))
    try:
        seen = _settled(empty.sandbox.viewed(shown, len(described.names)), empty.sandbox)
    except WireError as error:
        found = _of_no_table(query, shown, len(described.names) or 1, error, empty.sandbox)
        # A parameter without a type is NULL there, whichever it is.
        return replace(found, performs=found.performs and why is None)
    asked: dict[str, Any] = {"sql": query, "asked": given_text if locks else "", "locks": locks}
    asked |= {"parameters": parameters, "parameter_types": kinds}
    placed = BodyPlacement(empty.sandbox, schema.functions).placed(shown, seen)
    read = _read_as(asked, (*placed, why), schema, empty, seen.tree)
    if placed[1] is seen or _has_meaning(read):
        return read
    # A call is a symbol where the body has no meaning.
    plain = _read_as(asked, (shown, seen, why), schema, empty, seen.tree)
    return plain if _has_meaning(plain) or isinstance(read, Broken) else read


def _has_meaning(found: Query | Broken) -> bool:
    return isinstance(found, Query) and (found.tree is not None or found.with_symbols is not None)


def _read_as(
    asked: Mapping[str, Any],
    given: tuple[str, Viewed, Unsupported | None],
    schema: Schema,
    empty: PostgresSession,
    tree: str,
) -> Query | Broken:
    """A query as it is read of a text, maybe with the bodies of functions in the place of calls.

    Args:
        asked: what is known of the query before, by the names of :class:`~equiv.core.query.Query`.
        given: the text, as PostgreSQL resolves it, and why a parameter has no type.
        schema: the tables and views.
        empty: an empty database of that schema.
        tree: the node tree of the query with its calls.
    """
    (shown, seen, why), wire = given, empty.sandbox.wire
    views = views_of(seen.tree, wire, BUILT_IN)
    trees = (seen.tree, *views.values())
    if hiding := hiding_call((tree, *trees), schema.hiding, wire) if schema.hiding else "":
        return Broken("WITHHELD", f"{hiding}: it may mean an object of the schema that was skipped")
    own = own_functions(trees, schema.functions, wire)
    called = own if seen.tree == tree else own_functions((tree, *trees), schema.functions, wire)
    if refused := next((f"{each.name}: {each.refused}" for each in own if each.refused), ""):
        return Broken("WITHHELD", refused)
    read = _compared((shown, seen, views), schema, empty, why)
    printed = seen.text.replace("current_setting", "parameter") if asked["parameters"] else seen.text
    allowed = WATCHED if read.is_plain else frozenset[str]()
    is_plain = all(is_plain_text(each, schema, allowed) for each in (asked["sql"], printed))
    # How a float rounds of which one is a part depends on the order of rows.
    is_plain = is_plain and not any(each.gives_floats for each in called)
    asks = asks_catalogue(trees, (seen.text, *views), schema.native if called else ())
    # What was skipped would stand there as well.
    is_plain = is_plain and not (asks and schema.passed)
    if read.tree is None:
        read = replace(read, settings=read.settings | settings_of_text(asked["sql"]))
    shows = read.tree is not None or not writes_otherwise(schema.settings, read.settings)
    known = {
        **asked,
        "labelled": frozenset((each.name, each.label) for each in own),
        "asks_catalogue": asks,
        "may_read_rows": bool(called) or reads_tables(trees),
        "is_plain": is_plain and shows,
        "is_plain_on_data": is_plain and not read.watched,
    }
    symbols = read.with_symbols and replace(read.with_symbols, **known)
    return replace(read, with_symbols=symbols, **known)


def _of_no_table(query: str, shown: str, columns: int, error: WireError, sandbox: Sandbox) -> Query:
    """A query of columns that no view has: of ``void``, what is called for its side effect, above all."""
    found = Query(query, columns, None, Unsupported("Query", str(error)), False, core_text="")
    try:
        tree = sandbox.viewed(f"SELECT count(*) FROM ({shown}) AS q", 1).tree
    except WireError:
        return replace(found, is_repeatable=False)
    varying = {each for each in Catalogue(sandbox.wire).called_in([tree]) if each.volatility == "v"}
    if not varying or "pseudo-type void" not in str(error):
        return replace(found, is_repeatable=not varying)
    names = ", ".join(sorted({each.name for each in varying}))
    why = Unsupported("Func", f"{names}: called for its side effect, not for a value")
    oids = array_of(set(CALLED.findall(tree)))
    performs = sandbox.wire.one(_ONLY_PERFORM, (oids,)).rows[0][0] == "t"
    # What such a function returns is nothing, so that the same calls of it do the same and return the same.
    shape = sha256(_PLACES.sub("", tree).encode()).hexdigest() if performs else ""
    return replace(found, unsupported=why, is_repeatable=False, performs=performs, shape=shape)


_ONLY_PERFORM = """SELECT bool_and(prorettype = 'void'::regtype) FROM pg_proc
    WHERE oid = ANY ($1::oid[]) AND provolatile = 'v'"""
_PLACES = re.compile(r" :(?:location|stmt_location|stmt_len|alias|eref) (?:-?\d+|\{ALIAS [^{}]*\}|<>)")
"""Where words stand in a text, and names of its sources."""


def _with_typed_places(
    query: str, parameters: tuple[str, ...], sandbox: Sandbox
) -> tuple[str, tuple[str, ...], Unsupported | None]:
    """The query with a typed expression for each parameter, their types, and why there are none.

    Raises:
        WireError: PostgreSQL refuses the query.
    """
    if not parameters:
        return query, (), None
    numbered = replaced(query, {name: f"${place}" for place, name in enumerate(parameters, 1)})
    try:
        oids = Catalogue(sandbox.wire)
        kinds = [oids.type(number) for number in sandbox.parameter_types(numbered)]
        families = tuple(map(family_of_parameter, kinds))
        return typed_places(query, dict(zip(parameters, kinds, strict=True))), families, None
    except WireError as error:
        if error.code not in _OPEN:
            raise
        why = Unsupported("Parameter", str(error))
    except UnsupportedError as error:
        why = Unsupported(error.node, error.why)
    return replaced(query, dict.fromkeys(parameters, "NULL")), (), why


def _settled(seen: Viewed, sandbox: Sandbox) -> Viewed:
    """The query as PostgreSQL resolves its own print: a cast of an array then stands with the elements."""
    for _ in range(_ROUNDS):
        if "{ARRAYCOERCEEXPR" not in seen.tree:
            break
        seen = sandbox.viewed(seen.text.rstrip().rstrip(";"), len(seen.types))
    return seen


def _compared(
    asked_for: tuple[str, Viewed, dict[str, str]],
    schema: Schema,
    empty: PostgresSession,
    refused: Unsupported | None,
) -> Query:
    """The query with its tree, which the core's reader takes from the core's text."""
    query, seen, views = asked_for
    oids = Catalogue(empty.sandbox.wire, schema.functions)
    trees = (seen.tree, *views.values())
    loose = {each for each in oids.called_in(trees) if each.volatility == "v"}
    if reads_system(trees):
        of_views = oids.called_in(views_of(seen.tree, empty.sandbox.wire).values())
        loose |= {each for each in of_views if not is_fixed(each)}
    if refused is not None:
        made = CoreTranslation(why=refused)
    elif loose:
        names = ", ".join(sorted({each.name for each in loose}))
        made = CoreTranslation(why=Unsupported("Func", f"{names}, which the database does not determine"))
    else:
        symbols: dict[str, t.Expr] = {}
        made = _translated(asked_for, schema, empty.sandbox, oids, symbols)
        let_compute(symbols, empty, _constant, _computed)
    found = Query(
        query,
        len(seen.types) or 1,
        None,
        made.why,
        made.orders,
        is_repeatable=not loose,
        is_plain=made.watched is not None and all(is_plain_text(each, schema, WATCHED) for each in views),
        core_text="",
        watched=made.watched or "",
        watched_order=made.watched_order,
        types=tuple(
            _family(number, name, length)
            for (number, name), length in zip_longest(seen.types, made.lengths[: len(seen.types)])
        )
        or ("row",),
    )
    return with_trees(found, made, schema, empty)


def _translated(
    asked_for: tuple[str, Viewed, dict[str, str]],
    schema: Schema,
    sandbox: Sandbox,
    oids: Catalogue,
    symbols: dict[str, t.Expr],
) -> CoreTranslation:
    """The query in the core's text, printed back and resolved again to the same tree on the way.

    Args:
        asked_for: the query, as it is and as PostgreSQL resolves it, and the views that it reads.
        schema: the tables and views.
        sandbox: an empty database of that schema.
        oids: what OIDs stand for.
        symbols: where the calls are put that become symbols, by signature.
    """
    query, seen, views = asked_for
    orders, watched, of_order = False, None, ""
    try:
        require_taken(frozenset((REFUSED,)), schema)
        (node,) = read_nodes(seen.tree)
        assert isinstance(node, TreeNode)
        orders = bool(node.nodes("sortClause"))
        texts = Constants([seen.text, *views], sandbox)
        typed = typed_query(node, NodeReading(oids, lambda oid: view_tree(oid, sandbox.wire), texts.text_of))
        require_faithful(typed, node, len(seen.types), sandbox)
        watched, of_order = watched_texts(PostgresWatcher, typed)
        require_no_today(query)
        literals = settings_of_literals(query, seen, views, sandbox)
        # No literal of an interval is read under another value, and no string with a backslash.
        require_taken(literals & {"IntervalStyle", STRINGS}, schema)
        fresh = fresh_views(typed, views, schema)
    except (UnsupportedError, RecursionError) as error:
        return CoreTranslation(why=why_not(error), orders=orders, watched=watched, watched_order=of_order)

    def made(
        read: t.TypedQuery, literals: frozenset[str], symbols: dict[str, t.Expr] | None = None
    ) -> CoreTranslation:
        found = _lowered(read, literals, query, schema, sandbox, symbols=symbols)
        fails = may_fail(typed) or not all(map(_never_raises, (symbols or {}).values()))
        return replace(
            found,
            orders=orders,
            lengths=shown_lengths(typed),
            may_fail=fails,
            fresh=fresh,
            watched=watched,
            watched_order=of_order,
        )

    found = made(typed, literals)
    if not found.settings and found.why is None:
        return found
    stated = dict(schema.settings)
    settled = {name for name, value in TAKEN.items() if stated.get(name) == value}
    try:
        read, kept = typed, literals
        if _ZONE in literals and _ZONE not in stated and not names_zone(query):
            read = with_local_literals(typed, lambda zone: _reread(zone, query, seen, oids, sandbox))
            kept = literals if hang_on_zone(views) else literals - {_ZONE}
        read = with_symbols(read, settled)
        if any(map(_INSTANT.search, (seen.tree, *views.values()))):
            symbolic = with_instants(read, sandbox.wire)
            read = with_instants(symbolic, sandbox.wire, stated.get(_ZONE, ""))
            # Which instants a clock shows less than a time at is what the zone that is stated says.
            kept |= {_ZONE} if read is not symbolic else frozenset()
        is_otherwise = stated.get(ORDER, TAKEN[ORDER]) != TAKEN[ORDER]
        if is_otherwise and not any(map(_OF_ITS_OWN.search, (seen.tree, *views.values()))):
            read = with_sort_keys(read)
        if read is typed and found.why is None:
            return found
        other = made(read, kept, None if found.why is None else symbols)
    except (UnsupportedError, RecursionError, WireError):
        return found
    return beside(found, other)


_OF_DOCUMENTS = frozenset(("->", "->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "jsonb_typeof"))
"""Operators of jsonb that are NULL or false where a key or place is wanting, and raise on no value."""


def _never_raises(symbol: t.Expr) -> bool:
    """Whether a call that became a symbol raises no error: of jsonb alone, a json may hold an escaped NUL."""
    return isinstance(symbol, t.RoutineCall) and all(
        isinstance(part, t.SourceColumn | t.TypedConstant | t.Routine | t.Type | tuple | str | int | None)
        or (
            isinstance(part, t.RoutineCall)
            and part.routine.schema == "pg_catalog"
            and part.routine.name in _OF_DOCUMENTS
            and "jsonb" in part.routine.arguments
        )
        for part in parts_of(symbol)
    )


_ZONE = "TimeZone"
_INSTANT = re.compile("type 1184 |SQLVALUEFUNCTION")
"""What a node tree has where an expression is an instant, or is made of the current one."""
_OF_ITS_OWN = re.compile(r":(?:input|var|result|const)collid 950\b")
"""A text that compares byte by byte, whatever the collation of the database."""


def _reread(zone: str, query: str, seen: Viewed, oids: Catalogue, sandbox: Sandbox) -> t.TypedQuery:
    """The query as PostgreSQL resolves it under a time zone.

    Raises:
        UnsupportedError: it cannot be read.
        WireError: PostgreSQL refuses it.
    """
    with sandbox.wire.undoing(f"SET LOCAL {_ZONE} = '{zone}'"):
        (node,) = read_nodes(_settled(sandbox.viewed(query, len(seen.types)), sandbox).tree)
        assert isinstance(node, TreeNode)
        texts = Constants([seen.text], sandbox)
        return typed_query(node, NodeReading(oids, lambda oid: view_tree(oid, sandbox.wire), texts.text_of))


def _lowered(
    typed: t.TypedQuery,
    literals: frozenset[str],
    query: str,
    schema: Schema,
    sandbox: Sandbox,
    *,
    symbols: dict[str, t.Expr] | None,
) -> CoreTranslation:
    """A resolved query in the core's text, and by which settings it has that meaning.

    Args:
        typed: the query, with symbols or without.
        literals: the settings that its literals depend on.
        query: its text.
        schema: the tables and views.
        sandbox: what computes calls of constants.
        symbols: where symbols are put for what has no meaning in the core; None: it is refused.
    """
    are_listed = any("'" in check for table in schema.tables for check in table.checks)
    asked = settings_of_calls(typed, are_listed=are_listed)
    honoured = HONOURED & dict(schema.settings).keys()
    try:
        require_taken(asked | ({ORDER} if sorts_texts(typed) else set()), schema)
        for each in t.columns_of(typed):
            if symbols is None or not is_kept(each):
                require_plain(each, "the result")
        plain = folded(typed, sandbox.wire)
        found = lowered(typed, plain, plain, schema, {t.SESSION: symbol}, symbols=symbols)
    except (UnsupportedError, RecursionError) as error:
        return CoreTranslation(why=why_not(error), settings=asked | literals)
    # Literals that one setting makes the same may differ under another.
    shape = found.shape + (query if literals | honoured else "")
    return replace(found, shape=shape, settings=asked | literals | honoured)


_OF_ONE_CALL = Limits(seconds=0.2, rows=1, bytes=100_000)


def _computed(empty: PostgresSession, call: t.Expr) -> Cell:
    """What PostgreSQL makes of a call of constants; NULL where it raises an error."""
    found = empty.sandbox.run(f"SELECT {PostgresPrinter().expression(call)}", _OF_ONE_CALL)
    return found.rows[0][0] if isinstance(found, Result) and found.rows else None


def _constant(value: Cell, kind: t.Type) -> t.Expr:
    return t.TypedConstant(kind, _constant_text(value, kind.name))


def _constant_text(value: Cell, kind: str) -> str | None:
    match value:
        case None:
            return None
        case bytes():
            return f"\\x{value.hex()}"
        case int() if kind == "bool":
            return "true" if value else "false"
    return str(value)


def _family(number: int, name: str, length: int | None) -> str:
    """The family of a type; of a character(n), which shows its blanks, with its length."""
    if length is not None:
        return f"{family_of(number)}({length})"
    if name == "bpchar":
        return f"{family_of(number)}{UNKNOWN}"
    return family_of(number) + name.removeprefix("character") * name.startswith("character(")


def cause_of(error: WireError) -> Cause:
    """The cause for which PostgreSQL refuses a query."""
    match error.code:
        case "42P01" | "42703" | "42704" | "3F000" | "42P10":
            return "NO_TABLE_OR_COLUMN"
        case "42883":
            return "NO_FUNCTION"
        case "42501":
            return "WITHHELD"
        case "57014" | "53000" | "53100" | "53200" | "53300" | "53400" | "54001":
            # It was late, or resources or the stack ran out, of which another server may have more.
            return "EXHAUSTED"
    return "SYNTAX"
