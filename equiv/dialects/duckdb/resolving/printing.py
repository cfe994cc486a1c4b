"""Typed queries as DuckDB's text, each value's type written as a cast; whether two texts have one plan.

A cast to the type that a value has is none to DuckDB: if the plan of the text is that of the query as given,
names and types are what DuckDB makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from equiv.core.model import quoted_name
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.calls import template_of
from equiv.dialects.duckdb.resolving.expressions import literal
from equiv.dialects.duckdb.resolving.tree import (
    AsofJoined,
    Between,
    Contained,
    DuckType,
    HalfJoined,
    Implied,
    NamedBranch,
    NotDistinct,
    Qualified,
    RowCompared,
    RowIn,
    TryCast,
    Unpivoted,
    spelling,
)
from equiv.dialects.typed import tree as t

_SILENT = frozenset(
    (
        "query_location",
        "query_location_length",
        "alias",
        "ctename",
        "cte_name",
        "user_names",
        "column_names",
        "names",
        "bound_columns",
    )
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
    """Where two plans differ first, numbers of steps apart; '' if nowhere."""
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
_KEPT = {"0": "", "1": " MATERIALIZED", "2": " NOT MATERIALIZED"}


_PLAIN = (
    *(t.Array, t.TypedConstant, t.Logic, t.NullTest, t.IsDistinct, t.Compared),
    *(RowCompared, Contained),
)
"""What is printed without its type."""


class DuckdbPrinter:
    """Prints one typed query.

    Args:
        checked: whether the types of values are written.
    """

    def __init__(self, *, checked: bool = True) -> None:
        self._columns: dict[int, tuple[str, ...]] = {}
        self._checked = checked

    def query(self, found: t.TypedQuery) -> str:
        """A query, without what stands around it."""
        ctes = ", ".join(map(self._cte, found.ctes))
        body = self._select(found) if isinstance(found, t.Select) else self._set_query(found)
        return f"WITH {ctes} {body}" if ctes else body

    def _cte(self, cte: t.CommonTable) -> str:
        names = tuple(f"c{place}" for place in range(1, len(cte.columns) + 1))
        shown = f"w{cte.number} ({', '.join(names)})"
        return f"{shown} AS{_KEPT[cte.materialized]} ({self.query(cte.query)})"

    def _select(self, found: t.Select, named: tuple[int, ...] = ()) -> str:
        items = ", ".join(map(self._item, found.items))
        places = named or range(1, len(found.targets) + 1)
        targets = ", ".join(
            f"{self.value(each.value)} AS o{place}" for place, each in zip(places, found.targets, strict=True)
        )
        head = "SELECT DISTINCT" if found.distinct else "SELECT"
        if found.distinct_on:
            head = f"SELECT DISTINCT ON ({', '.join(self._key(each, found) for each in found.distinct_on)})"
        parts = [head, targets]
        parts += ["FROM", items] if items else []
        parts += ["WHERE", self.value(found.where)] if found.where is not None else []
        if found.group is not None:
            parts += ["GROUP BY", self._group(found.group, found)]
        parts += ["HAVING", self.value(found.having)] if found.having is not None else []
        if isinstance(found, Qualified) and found.qualify is not None:
            parts += ["QUALIFY", self.value(found.qualify)]
        if found.order:
            parts += ["ORDER BY", ", ".join(self._sort(each, found) for each in found.order)]
        return " ".join(parts) + self._limit(found.limit)

    def _group(self, group: t.GroupBy, query: t.Select) -> str:
        if group.sets is None:
            return ", ".join(self._key(each, query) for each in group.keys)
        sets = (f"({', '.join(self.value(group.keys[at]) for at in each)})" for each in group.sets)
        return f"GROUPING SETS ({', '.join(sets)})"

    def _key(self, value: t.Expr, query: t.Select) -> str:
        """A term that is a result column by its position, so that a constant is none."""
        for place, target in enumerate(query.targets, 1):
            if target.value == value:
                return str(place)
        return self.value(value)

    def _sort(self, key: t.SortKey, query: t.Select) -> str:
        return self._key(key.value, query) + _direction(key.descending, key.nulls_first)

    def _limit(self, limit: t.Limit | None) -> str:
        if limit is None:
            return ""
        found = ""
        if limit.count is not None:
            found += f" LIMIT {self.value(limit.count)}"
        return found + (f" OFFSET {self.value(limit.offset)}" if limit.offset is not None else "")

    def _set_query(self, found: t.SetQuery) -> str:
        text = self._compound(found.body)
        if found.order:
            terms = (f"{place}{_direction(down, first)}" for place, down, first in found.order)
            text += f" ORDER BY {', '.join(terms)}"
        return text + self._limit(found.limit)

    def _compound(self, body: t.Compound | t.SetOperand) -> str:
        if isinstance(body, NamedBranch):
            assert isinstance(body.written, t.Select)
            return f"({self._select(body.written, tuple(place + 1 for place in body.places))})"
        if isinstance(body, t.SetOperand):
            return f"({self.query(body.query)})"
        kind = f"{body.operator} ALL" if body.all else body.operator
        if isinstance(body.right, NamedBranch):
            kind += " BY NAME"
        left, right = self._compound(body.left), self._compound(body.right)
        return (
            f"{left} {kind} {right}" if isinstance(body.right, t.SetOperand) else f"{left} {kind} ({right})"
        )

    def _item(self, item: t.FromItem) -> str:
        if isinstance(item, t.Joined):
            left, right = self._item(item.left), self._item(item.right)
            right = f"({right})" if isinstance(item.right, t.Joined) else right
            if isinstance(item, AsofJoined):
                word = "ASOF LEFT JOIN" if item.side == "LEFT" else "ASOF JOIN"
            elif isinstance(item, HalfJoined):
                word = "ANTI JOIN" if item.anti else "SEMI JOIN"
            else:
                word = _JOINS[item.side] if item.condition is not None else "CROSS JOIN"
            condition = f" ON {self.value(item.condition)}" if item.condition is not None else ""
            return f"{left} {word} {right}{condition}"
        alias = f"s{item.number}"
        names = tuple(f"c{place}" for place in range(1, len(item.columns) + 1))
        match item:
            case t.TableUse():
                self._columns[item.number] = tuple(map(quoted_name, item.columns))
                return f"main.{quoted_name(item.name)} AS {alias}"
            case t.CommonTableUse():
                self._columns[item.number] = names
                return f"w{item.cte} AS {alias}"
            case t.DerivedTable(query=t.Select(items=(t.ValuesList() as values,)) as query) if _is_all(
                query, values
            ):
                self._columns[item.number] = names
                return f"({self._rows(values)}) AS {alias} ({', '.join(names)})"
            case t.DerivedTable():
                self._columns[item.number] = names
                lateral = "LATERAL " if item.lateral else ""
                return f"{lateral}({self.query(item.query)}) AS {alias} ({', '.join(names)})"
            case t.ValuesList():
                self._columns[item.number] = names
                return f"({self._rows(item)}) AS {alias} ({', '.join(names)})"
            case t.Called(call=call):
                self._columns[item.number] = names
                return f"{call.routine.name}({self._list(call.arguments)}) AS {alias} ({', '.join(names)})"
            case Unpivoted():
                self._columns[item.number] = names
                return f"{self._unpivoted(item)} AS {alias} ({', '.join(names)})"
        raise UnsupportedError("From", type(item).__name__)

    def _unpivoted(self, found: Unpivoted) -> str:
        """UNPIVOT of a source whose columns have the names that it shows."""
        item, value = found.item, quoted_name(found.columns[-1] + " value")
        if isinstance(item, t.TableUse):
            source = self._item(item)
        else:
            names = {place: name for name, place in found.chosen}
            shown = (quoted_name(names.get(at, f"k{at}")) for at in range(len(found.fields)))
            inner = f"w{item.cte}" if isinstance(item, t.CommonTableUse) else ""
            inner = f"({self.query(item.query)})" if isinstance(item, t.DerivedTable) else inner
            source = f"{inner} AS s{item.number} ({', '.join(shown)})"
        kept = " INCLUDE NULLS" if found.nulls else ""
        chosen = ", ".join(quoted_name(name) for name, _ in found.chosen)
        return f"(FROM {source} UNPIVOT{kept} ({value} FOR {quoted_name('name')} IN ({chosen})))"

    def _rows(self, values: t.ValuesList) -> str:
        return "VALUES " + ", ".join(f"({self._list(row)})" for row in values.rows)

    def _list(self, values: Iterable[t.Expr]) -> str:
        return ", ".join(map(self.value, values))

    def value(self, value: t.Expr) -> str:
        """An expression; with its type, unless that of a literal or a condition."""
        found = _PRINTERS[type(value)](self, value)
        if not self._checked or isinstance(value, _PLAIN):
            return found
        if isinstance(value, t.RoutineCall) and (value.cast or value.type.name == "bool"):
            return found
        if isinstance(value.type, DuckType) and not value.type.is_known:
            return found
        return f"CAST({found} AS {spelling(value.type)})"

    def field(self, value: t.SourceColumn) -> str:
        """A column."""
        return f"s{value.source}.{self._columns[value.source][value.position - 1]}"

    def constant(self, value: t.TypedConstant) -> str:
        """A literal; NULL with its type."""
        if value.text is None and value.type.name != "unknown":
            return f"CAST(NULL AS {spelling(value.type)})"
        return literal(value)

    def call(self, value: t.RoutineCall) -> str:
        """A function, an operator or a cast."""
        arguments = [self.value(each) for each in value.arguments]
        if isinstance(value, Implied):
            return arguments[0]
        if value.cast:
            return f"CAST({arguments[0]} AS {spelling(value.type)})"
        template = template_of(value.routine.name, len(arguments), is_operator=value.routine.operator)
        return template.format(*arguments)

    def logic(self, value: t.Logic) -> str:
        """AND, OR or NOT."""
        if value.operator == "not":
            return f"(NOT {self.value(value.operands[0])})"
        return "(" + f" {value.operator.upper()} ".join(map(self.value, value.operands)) + ")"

    def between(self, value: Between) -> str:
        """BETWEEN."""
        lower, upper = value.operands
        assert isinstance(lower, t.RoutineCall)
        assert isinstance(upper, t.RoutineCall)
        ends = self.value(lower.arguments[1]), self.value(upper.arguments[1])
        return f"({self.value(lower.arguments[0])} BETWEEN {ends[0]} AND {ends[1]})"

    def not_distinct(self, value: NotDistinct) -> str:
        """IS NOT DISTINCT FROM."""
        (inner,) = value.operands
        assert isinstance(inner, t.IsDistinct)
        return f"({self.value(inner.left)} IS NOT DISTINCT FROM {self.value(inner.right)})"

    def case(self, value: t.CaseWhen) -> str:
        """CASE."""
        branches = " ".join(f"WHEN {self.value(one)} THEN {self.value(two)}" for one, two in value.branches)
        return f"CASE {branches} ELSE {self.value(value.default)} END"

    def compared(self, value: t.Compared) -> str:
        """IN of a list."""
        assert isinstance(value.array, t.Array)
        return f"({self.value(value.value)} IN ({self._list(value.array.elements)}))"

    def nested(self, value: t.NestedQuery) -> str:
        """A subquery in an expression."""
        inner = self.query(value.query)
        match value.form:
            case "exists":
                return f"EXISTS ({inner})"
            case "scalar":
                return f"({inner})"
        if len(value.left) > 1:
            return f"({self._row(value.left)} IN ({inner}))"
        return f"({self.value(value.left[0])} {value.routines[0].name} ANY ({inner}))"

    def _row(self, values: Iterable[t.Expr]) -> str:
        return f"row({self._list(values)})"

    def rows(self, value: RowCompared) -> str:
        """A comparison of two rows."""
        return f"({self._row(value.left)} {value.sign} {self._row(value.right)})"

    def row_in(self, value: RowIn) -> str:
        """IN of rows."""
        tests = [each for each in value.operands if isinstance(each, RowCompared)]
        return f"({self._row(tests[0].left)} IN ({', '.join(self._row(each.right) for each in tests)}))"

    def contained(self, value: Contained) -> str:
        """Whether a list contains a value."""
        return f"{value.name}([{self._list(value.elements)}], {self.value(value.value)})"

    def aggregate(self, value: t.AggregateCall) -> str:
        """An aggregate."""
        inner = "*" if value.star else ("DISTINCT " if value.distinct else "") + self._list(value.arguments)
        if value.order:
            terms = (self.value(k.value) + _direction(k.descending, k.nulls_first) for k in value.order)
            inner += " ORDER BY " + ", ".join(terms)
        kept = f" FILTER (WHERE {self.value(value.filter)})" if value.filter is not None else ""
        return f"{value.routine.name}({inner}){kept}"

    def over(self, value: t.Over) -> str:
        """A window function."""
        inner = "*" if value.star else self._list(value.arguments)
        kept = f" FILTER (WHERE {self.value(value.filter)})" if value.filter is not None else ""
        parts = [f"PARTITION BY {self._list(value.partition)}"] if value.partition else []
        if value.order:
            terms = (self.value(k.value) + _direction(k.descending, k.nulls_first) for k in value.order)
            parts.append("ORDER BY " + ", ".join(terms))
        if value.frame.given:
            parts.append(self._frame(value.frame))
        return f"{value.routine.name}({inner}){kept} OVER ({' '.join(parts)})"

    def _frame(self, frame: t.Frame) -> str:
        ends = [
            words if offset is None else f"{self.value(offset)} {words}"
            for words, offset in ((frame.start, frame.start_offset), (frame.end, frame.end_offset))
        ]
        return f"{frame.unit} BETWEEN {ends[0]} AND {ends[1]}"


def _is_all(query: t.Select, values: t.ValuesList) -> bool:
    """Whether a query shows VALUES as they are."""
    fields = [t.SourceColumn(kind, values.number, place) for place, kind in enumerate(values.types, 1)]
    bare = query.where is None and query.group is None and not query.distinct
    last = not query.order and query.limit is None and not query.ctes and query.having is None
    return bare and last and [each.value for each in query.targets] == fields


def _direction(descending: bool, nulls_first: bool) -> str:
    return f" {'DESC' if descending else 'ASC'} NULLS {'FIRST' if nulls_first else 'LAST'}"


_PRINTERS: dict[type, Callable[[DuckdbPrinter, Any], str]] = {
    t.AggregateCall: DuckdbPrinter.aggregate,
    Between: DuckdbPrinter.between,
    NotDistinct: DuckdbPrinter.not_distinct,
    t.RoutineCall: DuckdbPrinter.call,
    Implied: DuckdbPrinter.call,
    TryCast: lambda p, v: f"TRY_CAST({p.value(v.arguments[0])} AS {spelling(v.type)})",
    RowCompared: DuckdbPrinter.rows,
    RowIn: DuckdbPrinter.row_in,
    Contained: DuckdbPrinter.contained,
    t.CaseWhen: DuckdbPrinter.case,
    t.Coalesce: lambda p, v: f"COALESCE({p._list(v.arguments)})",  # noqa: SLF001
    t.Compared: DuckdbPrinter.compared,
    t.TypedConstant: DuckdbPrinter.constant,
    t.GreatestLeast: lambda p, v: f"{'greatest' if v.greatest else 'least'}({p._list(v.arguments)})",  # noqa: SLF001
    t.SourceColumn: DuckdbPrinter.field,
    t.Grouping: lambda p, v: f"GROUPING({p._list(v.keys)})",  # noqa: SLF001
    t.Grouped: lambda p, v: p.value(v.value),
    t.IsDistinct: lambda p, v: f"({p.value(v.left)} IS DISTINCT FROM {p.value(v.right)})",
    t.NullTest: lambda p, v: f"({p.value(v.value)} IS {'NOT ' if v.negated else ''}NULL)",
    t.Logic: DuckdbPrinter.logic,
    t.NestedQuery: DuckdbPrinter.nested,
    t.Now: lambda p, v: "today()" if v.word == "TODAY" else "current_date",
    t.NullIf: lambda p, v: f"NULLIF({p.value(v.value)}, {p.value(v.other)})",
    t.Over: DuckdbPrinter.over,
    t.Array: lambda p, v: f"[{p._list(v.elements)}]",  # noqa: SLF001
}
