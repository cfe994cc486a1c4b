"""Names are one where engines take them for one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import apsw
import duckdb
import pytest

from equiv.names import NameMap, fold, is_same

NAMES = (
    "a",
    "A",
    "\u00e9",
    "\u00c9",
    "k",
    "K",
    "\u212a",
    "i",
    "\u0130",
    "\u0131",
    "s",
    "\u017f",
    "\u00df",
    "SS",
)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_two_names_are_one_where_a_table_cannot_have_both(engine: str) -> None:
    connection = apsw.Connection(":memory:") if engine == "sqlite" else duckdb.connect(":memory:")
    for number, (one, other) in enumerate(combinations(NAMES, 2)):
        try:
            connection.execute(f'CREATE TABLE t{number} ("{one}" INTEGER, "{other}" INTEGER)')
            are_two = True
        except (apsw.SQLError, duckdb.Error):
            are_two = False
        assert are_two != is_same(one, other), (one, other)
    connection.close()


def test_what_is_named_is_found_however_the_name_is_spelt() -> None:
    found = NameMap([("Person", 1), ("\u00c9", 2), ("PERSON", 3)])
    found.setdefault("person", 4)
    found.update({"A": 5, "a": 6})
    assert found.pop("A") == 6
    assert (found["person"], found.get("pErson"), found.get("\u00e9", 0), "\u00c9" in found) == (
        3,
        3,
        0,
        True,
    )
    assert list(found) == [fold("PERSON"), "\u00c9"]


ROOT = Path(__file__).parents[1]
OF_NAMES = {"name", "table", "column", "parent", "alias", "alias_or_name", "columns", "qualifier"}
"""What is called so in the code holds a name of something in a query or schema."""
LOWERED = re.compile(rf"\b({'|'.join(OF_NAMES)})\s*\.(lower|casefold)\(")
EXEMPT = ("which.name",)
"""Names of members of an enumeration."""
FOREIGN = ("names.py", "errors.py", "reading", "server", "replies", "show", "commands", "rewards", "judge")
"""Where names are what no engine compares: of files, of fields, of headers; and the one place."""


def lowered_names(path: Path) -> Iterator[str]:
    """Where a module puts a name into lower case itself; a comparison with a word of SQL is none."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text if LOWERED.search(text) else "")
    words = {
        id(node.left)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="lower" | "casefold")) if (
                id(node) not in words
            ):
                held = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
                if held in OF_NAMES and id(node) not in words and ast.unparse(value) not in EXEMPT:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def test_names_are_folded_in_one_place() -> None:
    modules = [*(ROOT / "equiv").rglob("*.py"), *(ROOT / "rules").rglob("*.py")]
    kept = [path for path in modules if not {*path.relative_to(ROOT).parts}.intersection(FOREIGN)]
    assert len(kept) > 200
    assert not [
        line for path in kept if path.name not in ("names.py", "errors.py") for line in lowered_names(path)
    ]
