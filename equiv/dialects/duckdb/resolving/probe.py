"""What DuckDB makes of one call: the types that it converts arguments to, and that of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import Database, DuckdbError, one_line
from equiv.dialects.duckdb.resolving.types import BOOLEAN, DuckType, type_of

_MOST = 20_000
_SIGNS = frozenset(("~~", "!~~", "~~*", "!~~*", "~~~"))
_known: dict[str, Bound | str]


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound expression: its type, and the types of its parts."""

    type: DuckType
    parts: tuple[DuckType, ...]
    kind: str


_known = {}


class Probe:
    """Asks DuckDB, each question once for all databases, since none reads a table.

    Args:
        database: where to ask.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._types: dict[str, DuckType] = {}

    def bound(self, template: str, operands: Sequence[str | DuckType]) -> Bound:
        """How an expression is bound.

        Args:
            template: its text, ``{0}`` for the first operand.
            operands: each a literal, or the type of a value that is none.

        Raises:
            UnsupportedError: DuckDB refuses it.
        """
        shown, columns = [], []
        for place, each in enumerate(operands):
            if isinstance(each, str):
                shown.append(each)
            else:
                shown.append(f"s.c{place}")
                columns.append(f"CAST(NULL AS {each.spelt}) AS c{place}")
        source = f" FROM (SELECT {', '.join(columns)}) AS s" if columns else ""
        text = f"SELECT {template.format(*shown)}{source}"
        if text not in _known:
            if len(_known) >= _MOST:
                _known.clear()
            _known[text] = self._asked(text)
        found = _known[text]
        if isinstance(found, str):
            raise UnsupportedError("resolution", f"DuckDB does not take a part by itself: {found}")
        return found

    def type_called(self, name: str) -> DuckType:
        """The type of a name, which may be that of a type of this database's own.

        Raises:
            UnsupportedError: DuckDB refuses it.
        """
        if name not in self._types:
            found = self._asked(f"SELECT CAST(NULL AS {name})")
            if isinstance(found, str):
                raise UnsupportedError("resolution", f"DuckDB does not take a part by itself: {found}")
            self._types[name] = found.type
        return self._types[name]

    def names(self, test: str, pattern: str, name: str) -> bool:
        """Whether a name passes a test of two texts.

        Raises:
            UnsupportedError: DuckDB refuses the pattern.
        """
        call = f"? {test} ?" if test in _SIGNS else f"{test}(?, ?)"
        try:
            ((found,),) = self._database.execute(f"SELECT {call}", [name, pattern])
        except DuckdbError as error:
            raise UnsupportedError("Star", one_line(error)) from None
        return bool(found)

    def _asked(self, text: str) -> Bound | str:
        plan = self._database.planned(text)
        if plan["error"]:
            return str(plan["error_message"])
        node = plan["plans"][0]
        while node["type"] == "LOGICAL_PROJECTION" and node["children"]:
            below = node["children"][0]
            if below["type"] not in ("LOGICAL_AGGREGATE_AND_GROUP_BY", "LOGICAL_WINDOW"):
                break
            node = below
        return _read(node["expressions"][0])


def _read(bound: dict[str, Any]) -> Bound:
    if bound["expression_class"] == "BOUND_CASE":
        parts = [part for check in bound["case_checks"] for part in (check["when_expr"], check["then_expr"])]
        parts.append(bound["else_expr"])
    elif bound["expression_class"] == "BOUND_CONJUNCTION":
        parts = [part for each in bound["children"] for part in each["children"]]
    else:
        further = (bound.get(each) for each in ("offset_expr", "default_expr"))
        parts = [*bound.get("children", []), *(part for part in further if part is not None)]
    return Bound(_type(bound), tuple(map(_type, parts)), str(bound["type"]))


def _type(bound: dict[str, Any]) -> DuckType:
    """The type of an expression; AND and OR have none of their own, a constant that of its value."""
    if bound["expression_class"] == "BOUND_CONJUNCTION":
        return BOOLEAN
    return type_of(bound["return_type"] if "return_type" in bound else bound["value"]["type"])
