"""What the table of functions says to who reads it: the algebra, the solver, its page, whoever names one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from kit.function_calls import CALLED, KNOWN, MOST, counts
from kit.harness import World as Schematic
from sqlglot import exp

import equiv
from equiv.algebra.scalar_functions import CLASSES, STRICT
from equiv.algebra.terms import Aggregate, Apply, Case, First, Limited, Numbered, walk
from equiv.algebra.translate.query import translate
from equiv.algebra.world import REPRESENTATION, World
from equiv.answers.exact import exact
from equiv.commands.document import FUNCTIONS, page_of_functions
from equiv.core.functions.own import OWN
from equiv.core.functions.table import CALLS, TABLE, call, call_text, function_of, named, uncall
from equiv.core.functions.traits import (
    PREFIX,
    CallForm,
    Function,
    FunctionSort,
    Rounds,
    Solved,
)
from equiv.core.query import Query, UnsupportedError
from equiv.dialects.registry import reference
from equiv.smt.encoding.functions import ENCODINGS


def test_rows_that_claim_code_have_it() -> None:
    calls = [row for row in TABLE if row.is_call]
    assert set(CLASSES) == {row.name for row in calls if row.follows}
    assert set(ENCODINGS) == {row.name for row in calls if row.solved is Solved.MEANING}
    known = {row.name for row in calls if row.solved in (Solved.MEANING, Solved.SYMBOL)}
    assert known <= {r.name for r in calls if r.form is CallForm.CALL}
    assert not STRICT & {"REPLACE", "LIKE", "GLOB", "COALESCE"}
    assert set(get_args(get_type_hints(Aggregate)["function"])) == {
        "LINEAR", *(row.name for row in TABLE if row.form is CallForm.AGGREGATE)
    }  # fmt: skip
    for row in TABLE:
        rounded = exact(exp.select(sample(row)).from_("t")) if row.rounds is not Rounds.NO else None
        left = row.rounds is Rounds.DIGITS
        assert rounded is None or left or "equiv_" in rounded.sql().lower(), row.name


def sample(row: Function) -> exp.Expression:
    """A call of a function with as few arguments as it takes."""
    arguments = [exp.column(name) for name in "abcd"[: max(row.least, row.sort is FunctionSort.AGGREGATE)]]
    if row.sort is FunctionSort.OPERATOR and row.node is not None:
        return row.node(**dict(zip(row.places, arguments, strict=True)))
    return call(row.name, [*arguments])


def test_a_call_is_read_and_written_back(subtests: pytest.Subtests) -> None:
    for row in (row for row in TABLE if row.sort is not FunctionSort.INSTANT):
        with subtests.test(row.name):
            _a_call_is_read_and_written_back(row)


def _a_call_is_read_and_written_back(row: Function) -> None:
    if row.sort is FunctionSort.OPERATOR:
        assert function_of(sample(row)) is row
        return
    most = MOST if row.most is None else row.most
    for count in range(max(row.least, bool(row.places)), most + 1):
        arguments = [exp.column(name) for name in "abcd"[:count]]
        node = call(row.name, [*arguments])
        assert function_of(node) is row
        found = uncall(node)
        assert found is not None
        assert (found[0], found[1]) == (row.name, arguments)
        assert named(row.name.lower(), count) is row


def can_be_read(row: Function) -> bool:
    if row.sort is FunctionSort.INSTANT or row.name == "SQLITE_OFFSET":
        return False
    return row in CALLED or row.name in KNOWN


WORLD = Schematic("CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, r REAL, s TEXT)", "declared")


WHOLE = " OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"


def test_the_algebra_says_what_the_row_claims(subtests: pytest.Subtests) -> None:
    for row in filter(can_be_read, TABLE):
        with subtests.test(row.name):
            _the_algebra_says_what_the_row_claims(row)


def tree_of(query: str, row: Function) -> exp.Expression | None:
    """The tree of a query that calls a function; SQLite's own texts may call none of the core's."""
    schema = replace(WORLD.schema, dialect="another") if row in OWN else WORLD.schema
    with reference().engine.empty(WORLD.schema) as empty:
        found = reference().reader.read(query, schema, empty)
    return found.tree if isinstance(found, Query) else None


def _the_algebra_says_what_the_row_claims(row: Function) -> None:
    count = counts(row)[-1] if row.is_call else max(row.least, bool(row.places))
    text = call_text(row.name, count)
    names = (
        ("i", "s", "r", "id")
        if row.sort is not FunctionSort.WINDOW
        else ("2",)
        if row.name == "NTILE"
        else ("i", "2")
    )
    for name in names[:count]:
        text = text.replace("?", name, 1)
    query = f"SELECT {text}{WHOLE if row.sort is FunctionSort.WINDOW else ''} AS x FROM t"
    tree = tree_of(query, row)
    assert (tree is not None) == row.is_fixed
    if tree is None:
        return
    try:
        answer = translate(tree, World(WORLD.schema, WORLD.facts))
    except UnsupportedError:
        assert row.form is CallForm.NONE
        return
    called = {node.function for node in walk(answer) if isinstance(node, Apply | Aggregate)}
    kinds = {type(node) for node in walk(answer)}
    match row.form:
        case CallForm.CALL | CallForm.AGGREGATE:
            assert row.name in called
        case CallForm.CASE:
            assert row.name not in called
            assert Case in kinds
        case CallForm.CHOICE:
            assert Limited in kinds
        case CallForm.WINDOW:
            assert kinds & {Numbered, First} or "COUNT" in called
        case CallForm.NONE:
            raise AssertionError(called)


def test_the_page_is_fresh() -> None:
    page = FUNCTIONS.read_text(encoding="utf-8")
    assert page == page_of_functions(TABLE), "run python -m equiv.commands.document"


def test_calls_have_one_row_each() -> None:
    names = [(row.name, row.sort is FunctionSort.AGGREGATE) for row in TABLE]
    assert len(names) == len(set(names))
    assert set(CALLS) == {row.name for row in TABLE if row.is_call or row.sort is FunctionSort.INSTANT}


def named_in(path: Path) -> Iterator[str]:
    """The functions that a module names, in calls that it builds or matches."""
    text = path.read_text()
    if not any(sign in text for sign in ("Apply(", "call(", "function(")):
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(attr="Apply") | ast.Name(id="Apply"), args=[first, *_]):
                parts = [first]
            case ast.Call(
                func=ast.Name(id="call" | "function" | "within") | ast.Attribute(attr="call"),
                args=[first, *_],
            ):
                parts = [first] if "lowering" in path.parts or path.name == "symbols.py" else []
            case ast.MatchClass(cls=ast.Attribute(attr="Apply"), patterns=[first, *_]):
                parts = [each for each in ast.walk(first) if isinstance(each, ast.Constant)]
            case _:
                continue
        yield from (str(each.value) for each in parts if isinstance(each, ast.Constant))


def test_whatever_is_named_has_a_row() -> None:
    root = Path(equiv.__file__).parent
    # The two last stand for a value's representation, and for an output that is looked for.
    known = {row.name for row in TABLE} | {row.name.removeprefix(PREFIX) for row in OWN}
    known |= {REPRESENTATION, "TARGET"}
    modules = [
        each
        for room in ("algebra", "smt", "search", "proof", "dialects")
        for each in (root / room).rglob("*.py")
    ]
    found = {name: path for path in modules for name in named_in(path)}
    assert len(found) > 50
    assert {name: path for name, path in found.items() if name not in known} == {}
