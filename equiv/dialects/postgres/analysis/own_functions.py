"""Functions of the schema's own: what is known of them, and the bodies of SQL functions in place of calls.

PostgreSQL runs the body of a function in SQL when it meets a call, or puts it in the place of the call; the
value is that of the body for these arguments, of several rows the first, and NULL of none.  A body is read
as a subquery that looks at one row of arguments beside it: there names mean the columns of its own sources
before they mean parameters, as they do in a function.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.analysis.printing import Constants, PostgresPrinter, require_faithful
from equiv.dialects.postgres.analysis.queries import read_query
from equiv.dialects.postgres.analysis.scope import (
    BUILT_IN,
    CALLED,
    Catalogue,
    NodeReading,
    array_of,
    function_name,
    view_tree,
    views_of,
)
from equiv.dialects.postgres.analysis.settings import settings_of_literals
from equiv.dialects.postgres.definitions import QUESTIONS
from equiv.dialects.postgres.parameters import replaced
from equiv.dialects.postgres.statements import changing_word, require_no_today, statements, without_locks
from equiv.dialects.postgres.wire import Wire, WireError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.walks import exchanged, found_in, parts_of, with_children
from equiv.names import quoted, quoted_name

if TYPE_CHECKING:
    from equiv.dialects.postgres.sandbox import Sandbox, Viewed


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function of the schema's own that a query calls."""

    name: str
    """As facts name it."""
    label: str
    refused: str
    """Why no call of it is read, or ''."""
    gives_floats: bool


def own_functions(trees: Iterable[str], labels: Iterable[tuple[str, str]], server: Wire) -> list[OwnFunction]:
    """The functions of the schema's own that node trees call.

    Args:
        trees: of a query, and of the views that it reads.
        labels: of the functions, as facts name them.
        server: the connection that holds the schema.
    """
    called = {oid for tree in trees for oid in CALLED.findall(tree) if int(oid) >= BUILT_IN}
    found, known = [], dict(labels)
    rows = server.one(QUESTIONS["own_functions"], (array_of(called),)).rows if called else ()
    for namespace, bare, is_single, gives_floats in rows:
        name = function_name(str(namespace), str(bare))
        label = known.get(name, "volatile")
        refused = "" if is_single == "t" else "an aggregate or set of rows of the schema's own"
        if not refused and label == "volatile":
            refused = (
                "a function of the schema that is not declared IMMUTABLE or STABLE; if it behaves like one, "
                f"assume immutable({quoted(name)}) or stable({quoted(name)})"
            )
        found.append(OwnFunction(name, label, refused, gives_floats == "t"))
    return found


@dataclass(frozen=True)
class _Body:
    """A function in SQL: what it is made of, as its row of the catalogue says."""

    name: str
    label: str
    is_strict: bool
    result: str
    takes: list[tuple[str, str | None]]
    """For each parameter its type, and what it is where it is left out."""
    names: list[str]
    text: str

    def query(self) -> str:
        """A query of the value, over a row of arguments by name, the same by number, and the body.

        Raises:
            UnsupportedError: the body is not one query that changes and locks nothing.
        """
        given = {f"${place}": f'"equiv places"."{place}"' for place in range(1, len(self.takes) + 1)}
        found = [each.bare.rstrip() for each in statements(replaced(self.text, given))]
        if len(found) != 1 or changing_word(found[0]) or without_locks(found[0])[1]:
            raise UnsupportedError("Func", f"{self.name}: its body is not one query")
        nulls = ", ".join(f"({default or 'NULL'})::{kind}" for kind, default in self.takes)
        known = dict(enumerate(self.names))
        names = ", ".join(quoted_name(known.get(at) or f"equiv {at}") for at in range(len(self.takes)))
        places = ", ".join(f'"{place}"' for place in range(1, len(self.takes) + 1))
        rows = (quoted_name(self.name), names), ('"equiv places"', places)
        arguments = [f"(SELECT {nulls}) AS {alias} ({columns}), " for alias, columns in rows]
        lateral = f'LATERAL ({found[0]}\n) AS "equiv body" (value)'
        return (
            f'SELECT ("equiv body".value)::{self.result} FROM {"".join(arguments if nulls else ())}{lateral}'
        )


def _body_of(row: Sequence[str]) -> _Body:
    """A row of the catalogue as a function."""
    name, label, strict, result, takes, names, source, standard = row
    if standard.startswith("RETURN"):
        source = f"SELECT {standard.removeprefix('RETURN')}"
    elif standard:
        source = standard.removeprefix("BEGIN ATOMIC").removesuffix("END")
    return _Body(name, label, strict == "t", result, json.loads(takes), json.loads(names), source)


_DEEPEST = 8
_MOST = 200_000


class BodyPlacement:
    """Replaces calls of functions that are written in SQL by their bodies.

    Args:
        sandbox: an empty database of the schema.
        labels: the schema's own functions by volatility, as facts name them (``immutable(f)``).
    """

    def __init__(self, sandbox: Sandbox, labels: Iterable[tuple[str, str]]) -> None:
        self._sandbox = sandbox
        self._oids = Catalogue(sandbox.wire, labels)
        self._numbers = count(1).__next__

    def placed(self, text: str, seen: Viewed, depth: int = 0) -> tuple[str, Viewed]:
        """A query, and as PostgreSQL resolves it, with the bodies in the place of calls.

        Returns:
            The same where it calls no such function, or where a value of it may depend on more than its
            arguments and the database, or might not be that of its body.
        """
        called = {oid for oid in CALLED.findall(seen.tree) if int(oid) >= BUILT_IN}
        rows = self._sandbox.wire.one(QUESTIONS["bodies"], (array_of(called),)).rows if called else ()
        bodies: dict[tuple[str, tuple[str, ...]], _Body] = {}
        for oid, *row in rows:
            routine = self._oids.routine(int(str(oid)))
            bodies[routine.name, routine.arguments] = _body_of([str(each or "") for each in row])
        if not bodies:
            return text, seen
        try:
            typed = self._read(text, seen)
            change = partial(self._changed, bodies, {}, depth)
            shown = PostgresPrinter().query(change(typed))
            found = self._sandbox.viewed(shown, len(seen.types)) if len(shown) < _MOST else seen
        except (UnsupportedError, WireError, RecursionError):
            return text, seen
        return (text, seen) if found is seen or found.types != seen.types else (shown, found)

    def _read(self, text: str, seen: Viewed) -> t.TypedQuery:
        """A query in which no literal means anything else under another setting.

        Raises:
            UnsupportedError: it cannot be read, or one may.
        """
        wire = self._sandbox.wire
        require_no_today(text)
        if settings_of_literals(text, seen, views_of(seen.tree, wire, BUILT_IN), self._sandbox):
            raise UnsupportedError("Const", "a literal that depends on settings")
        (node,) = read_nodes(seen.tree)
        assert isinstance(node, TreeNode)
        texts = Constants([seen.text], self._sandbox)
        reading = NodeReading(self._oids, lambda oid: view_tree(oid, wire), texts.text_of, self._numbers)
        typed = read_query(node, reading)
        require_faithful(typed, node, len(seen.types), self._sandbox)
        return typed

    def _changed(
        self,
        bodies: Mapping[tuple[str, tuple[str, ...]], _Body],
        known: dict[t.RoutineCall, t.Expr],
        depth: int,
        value: Any,
    ) -> Any:
        found = with_children(value, partial(self._changed, bodies, known, depth))
        if isinstance(found, t.Called):
            return _as_row(found, value)
        is_labelled = all(body.label != "v" for body in bodies.values())
        if isinstance(found, t.GroupBy) and found != value and is_labelled and _nests(found):
            raise UnsupportedError("Func", "a symbol is a better key of groups than a subquery")
        if not isinstance(found, t.RoutineCall) or found.routine.operator:
            return found
        body = bodies.get((found.routine.name, found.routine.arguments))
        if body is None:
            return found
        # A key of GROUP BY is found again by the text of a call alike.
        if found not in known:
            known[found] = found
            with suppress(UnsupportedError, WireError):
                known[found] = self._value(found, body, depth)
        return known[found]

    def _value(self, call: t.RoutineCall, body: _Body, depth: int) -> t.Expr:
        """The value of a call.

        Raises:
            UnsupportedError: it may be another than that of the body.
            WireError: PostgreSQL does not take the body so.
        """
        if depth >= _DEEPEST or call.variadic:
            raise UnsupportedError("Func", f"{body.name}: nested too deeply, or its arguments are an array")
        text = body.query()
        text, seen = self.placed(text, self._sandbox.viewed(text, 1), depth + 1)
        trees = (seen.tree, *views_of(seen.tree, self._sandbox.wire).values())
        found = {"s" if any("{SQLVALUEFUNCTION" in tree for tree in trees) else "i"}
        worst = max(found | {each.volatility for each in self._oids.called_in(trees)})
        # Of one without a label PostgreSQL asks the value anew for each row, and finds the same.
        if worst == "v" or worst > body.label:
            raise UnsupportedError("Func", f"{body.name}: its body depends on more than its label says")
        query = self._read(text, seen)
        assert isinstance(query, t.Select)
        if any(each.word.endswith(("USER", "ROLE")) for each in found_in(query, t.Now)):
            # Within a function that is SECURITY DEFINER it is the owner.
            raise UnsupportedError("Func", f"{body.name}: its body asks who runs it")
        (*rows, inner), arguments = query.items, call.arguments
        for row in rows[:1]:
            assert isinstance(row, t.DerivedTable)
            assert isinstance(row.query, t.Select)
            arguments += tuple(each.value for each in row.query.targets[len(arguments) :])
        assert isinstance(inner, t.DerivedTable)
        given = {(row.number, at): each for row in rows for at, each in enumerate(arguments, 1)}
        value = _substituted({(inner.number, 1): _first_value(inner.query)}, query.targets[0].value)
        _require_taken(arguments, value, given, is_strict=body.is_strict)
        value, null = _substituted(given, value), t.TypedConstant(query.targets[0].value.type, None)
        tests = tuple((t.NullTest(_BOOL, each, negated=False), null) for each in arguments)
        return t.CaseWhen(value.type, None, tests, value) if tests and body.is_strict else value


_BOOL = t.Type("bool")
_ONE = t.TypedConstant(t.Type("int8"), "1")


def _substituted(given: Mapping[tuple[int, int], t.Expr], value: Any) -> Any:
    """A part of a tree with expressions in the place of columns, by source and position."""

    def instead(found: Any) -> t.Expr | None:
        return given.get((found.source, found.position)) if isinstance(found, t.SourceColumn) else None

    return exchanged(value, instead)


def _first_value(query: t.TypedQuery) -> t.Expr:
    """The value in the first row of a query of one column.

    Raises:
        UnsupportedError: it is not known to take that row alone.
    """
    (found,) = t.columns_of(query)
    limit = query.limit
    if isinstance(query, t.Select):
        if query.aggregates and query.group is None:
            return t.NestedQuery(found, "scalar", query)
        (target,) = query.targets
        if query == t.Select(query.targets):
            return target.value
    if limit is None or limit.count is None:
        limit = t.Limit(_ONE, None if limit is None else limit.offset)
    elif not (isinstance(limit.count, t.TypedConstant) and limit.count.text == "1") or limit.with_ties:
        raise UnsupportedError("Func", "a body that takes a number of rows")
    return t.NestedQuery(found, "scalar", replace(query, limit=limit))


def _require_taken(
    arguments: Iterable[t.Expr], value: t.Expr, given: Mapping[tuple[int, int], t.Expr], *, is_strict: bool
) -> None:
    """Make sure that arguments mean in the place of parameters what they mean in the call.

    Raises:
        UnsupportedError: one may make a choice of its own in each place, or belong to the query around.
    """
    nests = _nests(value)
    asked = Counter(
        given[at] for each in found_in(value, t.SourceColumn) if (at := (each.source, each.position)) in given
    )
    for each in arguments:
        chooses = any(isinstance(part, t.NestedQuery | t.AggregateCall | t.Over) for part in parts_of(each))
        if chooses and asked[each] + is_strict > 1:
            raise UnsupportedError("Func", "an argument that may choose among rows, read in several places")
        for part in parts_of(each, queries=False):
            of_group = isinstance(part, t.AggregateCall | t.Over | t.Grouping | t.RowsOfFunction)
            returns_set = isinstance(part, t.RoutineCall) and part.routine.returns_set
            if returns_set or (nests and of_group):
                raise UnsupportedError(
                    "Func", "an argument of rows of the query around, in a body with a query"
                )


def _nests(value: object) -> bool:
    return any(isinstance(each, t.NestedQuery) for each in parts_of(value))


def _as_row(found: t.Called, before: t.Called) -> t.FromSource:
    """A function in FROM, or the row of the value that stands for its call.

    Raises:
        UnsupportedError: it stands beside others.
    """
    values: list[Any] = [each.call for each in found.functions]
    called = [each.call.routine for each in before.functions]
    if [each.routine for each in values if isinstance(each, t.RoutineCall)] == called:
        return found
    if len(values) != 1 or found.numbered or found.functions[0].defined:
        raise UnsupportedError("Func", "one of several functions in FROM")
    row = t.Select((t.ResultColumn(values[0], found.columns[0]),))
    return t.DerivedTable(found.number, found.alias, found.columns, row, found.lateral)
