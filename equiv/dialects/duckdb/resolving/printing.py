"""Typed queries as DuckDB's text, each value's type written as a cast; whether two texts have one plan.

A cast to the type that a value has is none to DuckDB: if the plan of the text is that of the query as given,
names and types are what DuckDB makes of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.calls import template_of
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.reader import KEPT, TypedPrinter, bare_values
from equiv.dialects.typed.watching import WatchingPrinter
from equiv.names import quoted_name

_SILENT = frozenset(
    """query_location query_location_length alias ctename cte_name user_names column_names names
    bound_columns parameter_names input_table_names""".split()  # noqa: SIM905
)
"""What a plan says of the text alone."""


_NUMBERS = frozenset(
    (
        *("table_index", "group_index", "aggregate_index", "groupings_index", "unnest_index", "cte_index"),
        *("setop_index", "projection_index", "window_index", "mark_index"),
    )
)
"""Numbers that a plan gives to its steps: any others will do, if they are as many."""


def difference(one: Any, other: Any) -> str:
    """The first place where two plans differ, numbers of steps apart; '' if they do not differ."""
    return _difference(one, other, "", {}, {})


def _difference(one: Any, other: Any, place: str, there: dict[int, int], back: dict[int, int]) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = _folded(one), _folded(other)
        for key in sorted(one.keys() | other.keys()):
            values: tuple[Any, Any] = one.get(key), other.get(key)
            if key in _NUMBERS and all(isinstance(each, int) for each in values):
                if there.setdefault(*values) != values[1] or back.setdefault(*values[::-1]) != values[0]:
                    return str(key)
            elif key not in _SILENT:
                found = _difference(*values, str(key), there, back)
                if found:
                    return found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return place or "a list"
        pairs = zip(one, other, strict=True)
        return next((found for a, b in pairs if (found := _difference(a, b, place, there, back))), "")
    return "" if one == other else f"{place}: {str(one)[:40]!r} and {str(other)[:40]!r}"


def _folded(node: dict[str, Any]) -> dict[str, Any]:
    """A cast of a whole number as a number of the other type, which DuckDB makes of one that is written."""
    if node.get("type") == "LOGICAL_AGGREGATE_AND_GROUP_BY" and not node.get("grouping_sets"):
        # PIVOT leaves the one set of all groups out.
        every = list(range(len(node["groups"])))
        return {**node, "grouping_sets": [every] if every else []}
    if node.get("type") == "LOGICAL_PROJECTION":
        return _without_copies(node)
    if node.get("type") != "OPERATOR_CAST" or node.get("function_data", {}).get("try_cast"):
        return node
    (child,) = node["children"]
    if child.get("expression_class") == "BOUND_FUNCTION":
        child = _folded(child)
    value = child.get("value")
    if child.get("expression_class") != "BOUND_CONSTANT" or not isinstance(value, dict):
        return node
    source, target = value["type"]["id"], node["return_type"]["id"]
    if source not in _WHOLE or target not in _WIDER or not isinstance(value.get("value"), int):
        return node
    known = {"type": node["return_type"], "is_null": False, "value": value["value"]}
    return {"expression_class": "BOUND_CONSTANT", "type": "VALUE_CONSTANT", "value": known}


def _without_copies(node: dict[str, Any]) -> dict[str, Any]:
    """A projection without those above it that show its columns as they are."""
    (below,) = node["children"]
    while below["type"] == "LOGICAL_PROJECTION" and len(below["expressions"]) == len(node["expressions"]):
        places = [
            each["index"] if each["expression_class"] == "BOUND_REF" else -1 for each in node["expressions"]
        ]
        if places != list(range(len(places))):
            break
        node = below
        (below,) = node["children"]
    return node


_WHOLE = frozenset(("INTEGER", "BIGINT"))
_WIDER = frozenset(("INTEGER", "BIGINT", "HUGEINT", "DOUBLE"))


_JOINS = {"INNER": "JOIN", "LEFT": "LEFT JOIN", "RIGHT": "RIGHT JOIN", "FULL": "FULL JOIN"}


_PLAIN = (
    *(t.Array, t.TypedConstant, t.Logic, t.NullTest, t.IsDistinct, t.Compared),
    *(d.RowCompared, d.AnyElement),
)
"""What is printed without its type."""


class DuckdbPrinter(TypedPrinter):
    """Prints one typed query."""

    def __init__(self) -> None:
        self._columns: dict[int, tuple[str, ...]] = {}

    def cte(self, cte: t.CommonTable) -> str:
        names = ", ".join(f"c{place}" for place in range(1, len(cte.columns) + 1))
        return f"w{cte.number} ({names}) AS {KEPT[cte.materialized]}({self.query(cte.query)})"

    def targets(self, query: t.Select, places: tuple[int, ...]) -> str:
        numbers = places or range(1, len(query.targets) + 1)
        named = zip(numbers, query.targets, strict=True)
        return ", ".join(f"{self.expression(each.value)} AS o{place}" for place, each in named)

    def further(self, query: t.Select) -> list[str]:
        if isinstance(query, d.Qualified) and query.qualify is not None:
            return [f"QUALIFY {self.expression(query.qualify)}"]
        return []

    def group(self, group: t.GroupBy, query: t.Select) -> str:
        if group.sets is None:
            # GROUP BY ALL is bound after the terms that it groups by.
            return group.text or ", ".join(self.key(each, query) for each in group.keys)
        sets = (f"({', '.join(self.expression(group.keys[at]) for at in each)})" for each in group.sets)
        return f"GROUPING SETS ({', '.join(sets)})"

    def key(self, value: t.Expr, query: t.Select) -> str:
        """A key of GROUP BY, ORDER BY or DISTINCT ON: a result column by position, which no constant is."""
        for place, target in enumerate(query.targets, 1):
            if target.value == value:
                return str(place)
        return self.expression(value)

    def compound(self, body: t.Compound) -> str:
        kind = f"{body.operator} ALL" if body.all else body.operator
        kind += " BY NAME" * isinstance(body.right, d.NamedBranch)
        left = self.compound(body.left) if isinstance(body.left, t.Compound) else self.operand(body.left)
        return f"{left} {kind} {self.operand(body.right)}"

    def operand(self, body: t.Compound | t.SetOperand) -> str:
        if not isinstance(body, d.NamedBranch):
            return super().operand(body)
        assert isinstance(body.written, t.Select)
        return f"({self.select(body.written, tuple(place + 1 for place in body.places))})"

    def item(self, item: t.FromItem) -> str:
        if isinstance(item, t.Joined):
            left, right = self.item(item.left), self.item(item.right)
            right = f"({right})" if isinstance(item.right, t.Joined) else right
            if isinstance(item, d.AsofJoined):
                word = "ASOF LEFT JOIN" if item.side == "LEFT" else "ASOF JOIN"
            elif isinstance(item, d.HalfJoined):
                word = "ANTI JOIN" if item.anti else "SEMI JOIN"
            else:
                word = _JOINS[item.side] if item.condition is not None else "CROSS JOIN"
            condition = f" ON {self.expression(item.condition)}" if item.condition is not None else ""
            return f"{left} {word} {right}{condition}"
        alias = f"s{item.number}"
        names = tuple(f"c{place}" for place in range(1, len(item.columns) + 1))
        match item:
            case t.TableUse():
                self._columns[item.number] = tuple(map(quoted_name, item.columns))
                place = ".".join(map(quoted_name, (item.schema or "main").split(".")))
                return f"{place}.{quoted_name(item.name)} AS {alias}"
            case t.CommonTableUse():
                self._columns[item.number] = names
                return f"w{item.cte} AS {alias}"
            case t.DerivedTable(query=query):
                self._columns[item.number] = names
                values = None if query.ctes else bare_values(query)
                lateral = "LATERAL " if item.lateral and values is None else ""
                text = self.query(query) if values is None else self.rows_of(values)
                return f"{lateral}({text}) AS {alias} ({', '.join(names)})"
            case t.ValuesList():
                self._columns[item.number] = names
                return f"({self.rows_of(item)}) AS {alias} ({', '.join(names)})"
            case t.Called(functions=(t.CalledFunction(call=call),)):
                self._columns[item.number] = names
                text = (
                    f"{call.routine.name}({self.listed(call.arguments)})" + " WITH ORDINALITY" * item.numbered
                )
                return f"{text} AS {alias} ({', '.join(names)})"
            case d.Unpivoted():
                self._columns[item.number] = names
                return f"{self._unpivoted(item)} AS {alias} ({', '.join(names)})"
        raise UnsupportedError("From", type(item).__name__)

    def _unpivoted(self, found: d.Unpivoted) -> str:
        """UNPIVOT of a source whose columns have the names that it shows."""
        item, value = found.item, quoted_name(found.columns[-1] + " value")
        if isinstance(item, t.TableUse):
            source = self.item(item)
        else:
            names = {place: name for name, place in found.chosen}
            shown = (quoted_name(names.get(at, f"k{at}")) for at in range(len(found.fields)))
            inner = f"w{item.cte}" if isinstance(item, t.CommonTableUse) else ""
            inner = f"({self.query(item.query)})" if isinstance(item, t.DerivedTable) else inner
            source = f"{inner} AS s{item.number} ({', '.join(shown)})"
        kept = " INCLUDE NULLS" if found.nulls else ""
        chosen = ", ".join(quoted_name(name) for name, _ in found.chosen)
        return f"(FROM {source} UNPIVOT{kept} ({value} FOR {quoted_name('name')} IN ({chosen})))"

    def expression(self, value: t.Expr) -> str:
        """An expression; with its type, unless that of a literal or a condition."""
        found = super().expression(value)
        if isinstance(value, _PLAIN):
            return found
        if isinstance(value, t.RoutineCall) and (value.cast or value.type.name == "bool"):
            return found
        if isinstance(value.type, d.DuckType) and not value.type.is_known:
            return found
        return f"CAST({found} AS {d.spelling(value.type)})"

    def field(self, value: t.SourceColumn) -> str:
        """A column."""
        return f"s{value.source}.{self._columns[value.source][value.position - 1]}"

    def constant(self, value: t.TypedConstant) -> str:
        """A literal; NULL with its type."""
        if value.text is None and value.type.name != "unknown":
            return f"CAST(NULL AS {d.spelling(value.type)})"
        return d.literal(value)

    def call(self, value: t.RoutineCall) -> str:
        """A function, an operator or a cast."""
        arguments = [self.expression(each) for each in value.arguments]
        if isinstance(value, d.Implied):
            return arguments[0]
        if value.cast:
            return f"CAST({arguments[0]} AS {d.spelling(value.type)})"
        if value.routine.name == "try_cast":
            return f"TRY_CAST({arguments[0]} AS {d.spelling(value.type)})"
        template = template_of(value.routine.name, len(arguments), is_operator=value.routine.operator)
        return template.format(*arguments)

    def between(self, value: d.Between) -> str:
        """BETWEEN."""
        lower, upper = value.operands
        assert isinstance(lower, t.RoutineCall)
        assert isinstance(upper, t.RoutineCall)
        ends = self.expression(lower.arguments[1]), self.expression(upper.arguments[1])
        return f"({self.expression(lower.arguments[0])} BETWEEN {ends[0]} AND {ends[1]})"

    def not_distinct(self, value: d.NotDistinct) -> str:
        """IS NOT DISTINCT FROM."""
        (inner,) = value.operands
        assert isinstance(inner, t.IsDistinct)
        return f"({self.expression(inner.left)} IS NOT DISTINCT FROM {self.expression(inner.right)})"

    def compared(self, value: t.Compared) -> str:
        """IN of a list."""
        assert isinstance(value.array, t.Array)
        return f"({self.expression(value.value)} IN ({self.listed(value.array.elements)}))"

    def quantified(self, value: t.NestedQuery, inner: str) -> str:
        if len(value.left) > 1:
            return f"({self._row(value.left)} IN ({inner}))"
        return f"({self.expression(value.left[0])} {value.routines[0].name} ANY ({inner}))"

    def name(self, routine: t.Routine) -> str:
        return routine.name

    def _row(self, values: Iterable[t.Expr]) -> str:
        return f"row({self.listed(values)})"

    def rows(self, value: d.RowCompared) -> str:
        """A comparison of two rows."""
        return f"({self._row(value.left)} {value.sign} {self._row(value.right)})"

    def row_in(self, value: d.RowIn) -> str:
        """IN of rows."""
        tests = [each for each in value.operands if isinstance(each, d.RowCompared)]
        return f"({self._row(tests[0].left)} IN ({', '.join(self._row(each.right) for each in tests)}))"

    def rows_of_list(self, value: t.RowsOfFunction) -> str:
        """How many elements a list has, or the one of a number."""
        found = self.expression(value.function.call.arguments[0])
        return f"len({found})" if value.number is None else f"({found})[{self.expression(value.number)}]"

    def any_element(self, value: d.AnyElement) -> str:
        """A comparison with the elements of a list."""
        return f"({self.expression(value.value)} {value.routine.name} ANY ({self.expression(value.list)}))"


DuckdbPrinter.printers = {
    d.Between: DuckdbPrinter.between,
    d.NotDistinct: DuckdbPrinter.not_distinct,
    t.RoutineCall: DuckdbPrinter.call,
    d.Implied: DuckdbPrinter.call,
    d.TryCast: DuckdbPrinter.call,
    d.ListFiltered: DuckdbPrinter.call,
    d.RowCompared: DuckdbPrinter.rows,
    d.RowIn: DuckdbPrinter.row_in,
    d.AnyElement: DuckdbPrinter.any_element,
    t.RowsOfFunction: DuckdbPrinter.rows_of_list,
    t.Compared: DuckdbPrinter.compared,
    t.TypedConstant: DuckdbPrinter.constant,
    t.SourceColumn: DuckdbPrinter.field,
    t.Now: lambda _, v: v.word,
    t.Array: lambda p, v: f"[{p.listed(v.elements)}]",
}


class DuckdbWatcher(WatchingPrinter, DuckdbPrinter):
    """Prints a query as one in which DuckDB raises an error where the query has a choice that shows."""

    # The text of a struct may be that of another one.
    shown = "ROW(ROW({0}), CAST(ROW({0}) AS VARCHAR))"

    def group(self, group: t.GroupBy, query: t.Select) -> str:
        # ALL would take the columns that are watched for keys.
        return super().group(replace(group, text=""), query)

    def compound(self, body: t.Compound) -> str:
        if isinstance(body.right, d.NamedBranch):
            raise UnsupportedError("SetOperation", "BY NAME")
        return super().compound(body)

    def keys(self, value: t.AggregateCall) -> list[t.Expr]:
        return [value.arguments[1]] if value.routine.name in _BY_VALUE else super().keys(value)


_BY_VALUE = frozenset("arg_max arg_min argmax argmin max_by min_by".split())  # noqa: SIM905
"""Aggregates that take what stands beside the greatest or the least values of their second argument."""
