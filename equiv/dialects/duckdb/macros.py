"""Macros: the statements that make them, and calls as what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equiv.names import fold, quoted_name

Tree = dict[str, Any]
"""A node of DuckDB's own trees, of parsed texts and of plans."""


def nodes(tree: object) -> Iterator[Tree]:
    """All nodes of a tree."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield found
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)


def without_keys(tree: Any, keys: Collection[str]) -> Any:
    """A tree whose nodes lack some keys."""
    if isinstance(tree, dict):
        return {key: without_keys(each, keys) for key, each in tree.items() if key not in keys}
    return [without_keys(each, keys) for each in tree] if isinstance(tree, list) else tree


OF_CATALOGUE = """SELECT f.function_name, f.function_type, f.parameters, f.parameter_types,
    f.macro_definition, EXISTS (
    FROM duckdb_functions() own WHERE own.internal AND own.function_name = f.function_name)
    FROM duckdb_functions() f WHERE NOT f.internal AND f.function_type IN ('macro', 'table_macro')
    AND f.database_name = current_database() AND f.schema_name = 'main'"""
"""The macros, and whether one has the name of a function of DuckDB's own."""
_MOST_CALLS = 200


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: its parameters, what they are where they are left out, and an expression or a query."""

    parameters: tuple[str, ...]
    """In lower case."""
    casts: tuple[Tree | None, ...]
    """For each parameter with a type a cast to it, of anything."""
    defaults: Mapping[str, Tree]
    body: Tree

    def given(self, arguments: Sequence[Tree]) -> dict[str, Tree] | None:
        """The arguments of a call by parameter; None if they do not fit the macro's parameters."""
        named = {fold(str(each["name"])): each["expression"] for each in arguments if each["name"]}
        plain = [each["expression"] for each in arguments if not each["name"]]
        if any(each["name"] for each in arguments[: len(plain)]):
            return None
        given = dict(zip(self.parameters, plain, strict=False))
        if len(plain) > len(self.parameters) or given.keys() & named.keys():
            return None
        found = {**self.defaults, **given, **named}
        if found.keys() != {*self.parameters}:
            return None
        casts = dict(zip(self.parameters, self.casts, strict=True))
        # What has the type already is not converted.
        return {
            name: {**cast, "child": found[name]} if (cast := casts[name]) else found[name] for name in found
        }


Macros = dict[tuple[str, bool], list[Macro]]
"""The macros, by name in lower case and whether they are tables."""


def macros_of(
    rows: Iterable[tuple[Any, ...]],
    defaults: Mapping[str, Mapping[str, str]],
    parsed: Callable[[str], Tree],
) -> Macros:
    """The macros of a database, but for those of whose bodies DuckDB gives no tree.

    Args:
        rows: those of :data:`OF_CATALOGUE`.
        defaults: what parameters are where they are left out, by the macro's name in lower case.
        parsed: DuckDB's own tree of a text.

    Raises:
        ValueError: one has the name of a function of DuckDB's own.
    """

    def value(text: str) -> Tree:
        found: Tree = parsed(f"SELECT {text}")["statements"][0]["node"]["select_list"][0]
        return found

    found: Macros = {}
    for name, kind, parameters, kinds, body, is_hiding in rows:
        if is_hiding:
            raise ValueError(f"a macro replaces DuckDB's function {name}")
        is_table = kind == "table_macro"
        tree = parsed(body if is_table else f"SELECT {body}")
        if tree["error"]:
            continue
        node = tree["statements"][0]["node"]
        casts = tuple(value(f"CAST(NULL AS {each})") if each else None for each in kinds)
        known = {fold(each): value(text) for each, text in defaults.get(fold(name), {}).items()}
        shown = node if is_table else node["select_list"][0]
        macro = Macro(tuple(map(fold, parameters)), casts, known, shown)
        found.setdefault((fold(name), is_table), []).append(macro)
    return found


def defaults_of(statement: str, tokens: Sequence[tuple[int, str]]) -> tuple[str, dict[str, str]] | None:
    """The name of the macro that a statement makes, and what its parameters are where they are left out.

    None of another statement.
    """
    whole = statement.encode()
    found = [each for each in tokens if not each[1].startswith(("--", "/*"))]
    words = [word.upper() for _, word in found]
    start = words.index("(") + 1 if "(" in words else 0
    if words[:1] != ["CREATE"] or not {"MACRO", "FUNCTION"} & {*words[1 : max(start - 2, 0)]}:
        return None
    name, depth, known, before = found[start - 2][1], 0, dict[str, str](), start
    for place in range(start, len(found)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(words[place], 0)
        if depth < 0 or (not depth and words[place] == ","):
            sign = next((at for at in range(before, place) if words[at] in (":=", "=>")), None)
            if sign is not None:
                default = whole[found[sign + 1][0] : found[place][0]]
                known[fold(found[before][1].strip('"'))] = default.decode()
            before = place + 1
        if depth < 0:
            break
    return fold(name.strip('"')), known


def creating_macro(
    name: str, kind: str, ways: Sequence[Mapping[str, Any]], defaults: Mapping[str, str]
) -> str:
    """The statement that makes a macro.

    Args:
        kind: what the catalogue calls it.
        ways: a body for each number of parameters: these as ``p``, their types as ``t``, the body as ``b``.
        defaults: what parameters are where they are left out.
    """
    word = " AS TABLE " if kind == "table_macro" else " AS "

    def shown(parameter: str, found: str | None) -> str:
        default = defaults.get(fold(parameter))
        return quoted_name(parameter) + (f" {found}" if found else "") + (f" := {default}" if default else "")

    bodies = (f"({', '.join(map(shown, each['p'], each['t']))}){word}{each['b']}" for each in ways)
    return f"CREATE MACRO {quoted_name(name)}{', '.join(bodies)}"


class Expansion:
    """Puts the bodies of macros in the place of calls, as DuckDB's binder does."""

    def __init__(self, macros: Macros) -> None:
        self._macros = macros
        self._left = _MOST_CALLS

    def of(self, node: Any, given: Mapping[str, Tree] | None = None) -> Any:
        """A part of a tree, its parameters with what they are given."""
        if isinstance(node, list):
            return [self.of(each, given) for each in node]
        if not isinstance(node, dict):
            return node
        names = node.get("column_names") if node.get("class") == "COLUMN_REF" else None
        if given and names and len(names) == 1 and fold(str(names[0])) in given:
            return {**given[fold(str(names[0]))], "alias": node["alias"]}
        found = {key: self.of(each, given) for key, each in node.items()}
        if found.get("class") == "FUNCTION":
            body = self._body(found, is_table=False)
            return found if body is None else {**body, "alias": found["alias"]}
        if found.get("type") == "TABLE_FUNCTION" and found["with_ordinality"] == "WITHOUT_ORDINALITY":
            body = self._body(found["function"], is_table=True)
            # The call itself is no longer one that the query makes.
            kept = {key: each for key, each in found.items() if key != "function"}
            return found if body is None else {**kept, "type": "SUBQUERY", "subquery": {"node": body}}
        return found

    def _body(self, call: Tree, *, is_table: bool) -> Tree | None:
        """What a call of a macro stands for; None of another, or of one that fits several or none."""
        known = self._macros.get((fold(str(call["function_name"])), is_table), [])
        if not known or call.get("schema") or call.get("catalog") or not self._left:
            return None
        ways = [(each.body, each.given(call["arguments"])) for each in known]
        fitting = [(body, given) for body, given in ways if given is not None]
        if len(fitting) != 1:
            return None
        self._left -= 1
        expanded: Tree = self.of(*fitting[0])
        return expanded
