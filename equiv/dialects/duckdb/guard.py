"""Which untrusted queries may run, and whether a plan has one answer, order apart, and rounds nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from equiv.core.model import Schema
from equiv.core.runner import Failure
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, one_line
from equiv.dialects.duckdb.lowering.operators import FUNCTIONS
from equiv.dialects.duckdb.macros import Tree, nodes
from equiv.dialects.duckdb.resolving.calls import AGGREGATES
from equiv.dialects.duckdb.resolving.sources import called_table, is_let
from equiv.dialects.typed.lowering.numbers import NUMBERINGS, READERS
from equiv.names import fold, folded

_CALLS_BY_SORT = tomllib.loads((Path(__file__).parent / "calls.toml").read_text(encoding="utf-8"))
_CLOCK, CHOOSING, _HARMLESS, VOLATILE = (
    frozenset(_CALLS_BY_SORT[sort].split()) for sort in ("clock", "choosing", "harmless", "volatile")
)
"""Functions that read the clock; whose value depends on the order of rows, or on the clock; harmless ones;
those that have a value, or do something, at each call."""
ALLOWED = FUNCTIONS | AGGREGATES | NUMBERINGS | READERS | CHOOSING | _HARMLESS
_QUERIES = frozenset(("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"))
_SOURCES = frozenset(
    ("EMPTY", "BASE_TABLE", "SUBQUERY", "EXPRESSION_LIST", "JOIN", "CTE", "PIVOT", "COLUMN_DATA")
)


def refusal_of(text: str, database: DuckdbDatabase, schema: Schema) -> Failure | None:
    """Why an untrusted text is not run; None if it is."""
    try:
        found = database.kinds(text)
    except (DuckdbError, RuntimeError, ValueError) as error:
        return Failure("error", one_line(error))
    if len(found) != 1 or found[0][0] != "SELECT":
        return Failure("error", "not one query")
    tree = database.parsed(text)
    if tree["error"]:
        return Failure("error", one_line(tree["error_message"]))
    asked = forbidden(tree, schema) + sorted(names_called(tree) - ALLOWED)
    # It may be a query that DuckDB answers: no failure of its own.
    return Failure("resource", f"not run, because it uses {asked[0]}") if asked else None


def forbidden(tree: Tree, schema: Schema) -> list[str]:
    """The reasons to refuse a query: writing CTEs, functions in FROM, files, tables that the schema lacks."""
    known = folded(table.name for table in schema.tables)
    known |= folded(view.name for view in schema.native_views)
    found = []
    for node in nodes(tree):
        if "cte_map" in node:
            known |= folded(str(each["key"]) for each in (node["cte_map"] or {}).get("map") or ())
    for node in nodes(tree):
        kind = node.get("type")
        if str(kind) not in _QUERIES and ("cte_map" in node or str(kind).endswith("_QUERY_NODE")):
            found.append("a statement that writes")
        if kind == "TABLE_FUNCTION" and is_let(node):
            continue
        if "query_location" in node and "sample" in node and "cte_map" not in node and kind not in _SOURCES:
            found.append(str(kind).lower().replace("_", " "))
        if kind == "BASE_TABLE" and fold(called_table(node)) not in known:
            found.append(f"the table {node['table_name']}")
    return found


def macros_lost(called: Iterable[str], skipped: Iterable[str]) -> list[str]:
    """The macros that are called of those that are skipped, in whose place DuckDB may have a function."""
    return [f"the macro {name}" for name in sorted(folded(called) & folded(skipped))]


def calls_in(tree: Tree, let: frozenset[int] = frozenset()) -> frozenset[str]:
    """The names of all functions that a tree calls, folded, but for calls by their identity."""
    called = (node for node in nodes(tree) if "function_name" in node and id(node) not in let)
    return folded(str(node["function_name"]) for node in called)


def names_called(tree: Tree) -> frozenset[str]:
    """The same but for those in FROM that queries may call."""
    known = (node for node in nodes(tree) if node.get("type") == "TABLE_FUNCTION")
    return calls_in(tree, frozenset(id(node["function"]) for node in known if is_let(node)))


def asks_time(tree: Tree) -> bool:
    """Whether a query may read the clock, whose instant its plan may hold as a constant."""
    words = (
        str(each.get("function_name") or (each.get("column_names") or [""])[-1])
        for each in nodes(tree)
        if "function_name" in each or each.get("class") == "COLUMN_REF"
    )
    return not folded(words).isdisjoint(_CLOCK)


_STEPS = frozenset(
    f"LOGICAL_{name}"
    for name in """PROJECTION FILTER GET AGGREGATE_AND_GROUP_BY COMPARISON_JOIN ANY_JOIN DELIM_JOIN
    DEPENDENT_JOIN CROSS_PRODUCT UNION EXCEPT INTERSECT ORDER_BY DISTINCT CTE_REF MATERIALIZED_CTE WINDOW
    RECURSIVE_CTE DUMMY_SCAN EMPTY_RESULT EXPRESSION_GET COLUMN_DATA_GET UNNEST DELIM_GET""".split()  # noqa: SIM905
)
"""Steps whose rows are, order apart, a function of the rows below: no LIMIT, sample, ASOF or POSITIONAL
join, and a window only as :func:`_is_window` says."""
_WATCHED = frozenset(("LOGICAL_LIMIT", "LOGICAL_DISTINCT", "LOGICAL_WINDOW"))
"""Steps that may choose among rows, but show it to whoever watches them."""
_ROUNDING = frozenset(("WINDOW_PERCENT_RANK", "WINDOW_CUME_DIST", "WINDOW_FILL"))
"""Window functions that compute floats."""
_BOUND = frozenset(
    (
        *("__cast", "=", "<>", "!=", "<", "<=", ">", ">=", "IS NOT DISTINCT FROM", "IS DISTINCT FROM"),
        *("unpivot_list", "array_slice", "and", "or", "not"),
    )
)
"""Functions that DuckDB makes of other words, besides those that a query may call."""
_CALLS = frozenset(("BOUND_FUNCTION", "BOUND_AGGREGATE"))
_EXPRESSIONS = _CALLS | frozenset(
    (
        *("BOUND_REF", "BOUND_COLUMN_REF", "BOUND_CONSTANT", "BOUND_OPERATOR", "BOUND_CASE"),
        *("BOUND_CONJUNCTION", "BOUND_BETWEEN", "BOUND_COMPARISON", "BOUND_CAST", "BOUND_UNNEST"),
        *("BOUND_LAMBDA", "BOUND_PARAMETER", "BOUND_WINDOW"),
    )
)
_FLOATS = frozenset(("FLOAT", "DOUBLE"))
_CHOSEN = frozenset(("min", "max", "greatest", "least", "__cast"))
"""What may give a float without computing one: an operand as it is, or the number that is nearest to it."""


def is_plain_plan(plan: Tree, schema: Schema, *, watched: bool = False) -> bool:
    """Whether a plan, not optimised, holds nothing that chooses among rows, reads the clock or rounds.

    Whatever is not known counts as something that does; where it is ``watched`` a choice may stand, see
    :mod:`equiv.dialects.typed.watching`.
    """
    if plan["error"]:
        return False
    every = [*nodes(plan["plans"])]
    own = {id(part) for each in every for part in (*_numbering(each), *_kept_beside(each))}
    # Of a row around it a subquery merges values that are equal, which no text watches.
    around = any(str(each.get("type")) in _AROUND or _is_of_delim(each) for each in every)
    apart = _APART if watched is around else _APART - _FLOATS if around else frozenset[str]()
    return all(id(each) in own or _is_plain(each, schema, apart, watched=watched) for each in every)


def scans_tables(plan: Tree) -> bool:
    """Whether a plan reads rows of tables, or is none that says so."""
    return bool(plan["error"]) or any(_name(each) == "seq_scan" for each in nodes(plan["plans"]))


def _numbering(node: Tree) -> list[Tree]:
    """The window by which DuckDB numbers the rows around a subquery, and joins its answers to them again."""
    if not _is_of_delim(node):
        return []
    below: Tree = (node["children"][0].get("children") or [{}])[0]
    expressions = below.get("expressions", [])
    is_own = below.get("type") == "LOGICAL_WINDOW" and [each["alias"] for each in expressions] == [_OWN]
    return [below, *expressions] if is_own else []


def _is_of_delim(node: Tree) -> bool:
    return str(node.get("ctename", "")).startswith("__duckdb_delim_")


_AROUND = frozenset(("LOGICAL_DELIM_JOIN", "LOGICAL_DELIM_GET", "LOGICAL_DEPENDENT_JOIN"))
_OWN = "limit_rownum"
"""An alias that no window of a query has: theirs have none."""


def _kept_beside(node: Tree) -> list[Tree]:
    """The calls of FIRST by which DuckDB keeps the columns around a subquery that aggregates an UNNEST.

    Its groups tell the rows around it apart, or hold all columns that it reads of them: FIRST has one value
    in each group.
    """
    if node.get("type") != "LOGICAL_AGGREGATE_AND_GROUP_BY":
        return []
    (below,) = node["children"]
    while below["type"] == "LOGICAL_FILTER" and not below.get("projection_map"):
        (below,) = below["children"]
    if below["type"] != "LOGICAL_GET" or _name(below) != "unnest" or not below.get("projected_input"):
        return []
    scan: Tree = (below["children"][0].get("children") or [{}])[0]
    scanned = scan.get("bound_columns") or [""]
    is_around = all(str(each).startswith("__duckdb_delim_scan_") for each in scanned)
    if not is_around or below.get("projection_ids") or below.get("source_ordinality") != "WITHOUT_ORDINALITY":
        return []
    around = range(len(below["names"]), len(below["names"]) + len(below["projected_input"]))
    if not any(each["type"] == "BOUND_REF" and each["index"] in around for each in node["groups"]):
        return []
    calls = (each for each in node.get("expressions", []) if _name(each) == "first")
    return [each for each in calls if all(part.get("index") in around for part in each["children"])]


def _is_plain(node: Tree, schema: Schema, apart: frozenset[str], *, watched: bool) -> bool:
    kind, expression = str(node.get("type")), node.get("expression_class")
    is_step = (watched and kind in _WATCHED) or (kind in _STEPS and _is_step(kind, node, schema))
    if kind.startswith("LOGICAL_") and not is_step:
        return False
    if any(each.get("id") in apart for merged in _merged(kind, node) for each in nodes(merged)):
        return False
    if expression is None:
        return True
    if _is_collated(node):
        return False
    if expression in _CALLS or kind == "WINDOW_AGGREGATE":
        return _is_call(node, watched=watched)
    return expression in _EXPRESSIONS and kind not in _ROUNDING


_APART = _FLOATS | {"INTERVAL", "TIME WITH TIME ZONE"}
"""Types with equal values that are not identical, ``30 days`` and ``1 month``: any of them stands for all."""
_OF_RANKS = frozenset("min max quantile quantile_disc quantile_cont median mad".split())  # noqa: SIM905
"""Aggregates that give a value because of its place in an order."""


def _merged(kind: str, node: Tree) -> list[Any]:
    """The expressions of which a step or an aggregate keeps one of several equal values."""
    match kind:
        case "LOGICAL_DISTINCT":
            return [node["distinct_targets"]]
        case "LOGICAL_AGGREGATE_AND_GROUP_BY":
            return [node["groups"]]
        case "LOGICAL_INTERSECT" | "LOGICAL_EXCEPT":
            # It does not say which columns it has.
            return [node["children"]]
        case "LOGICAL_RECURSIVE_CTE" if not node["union_all"]:
            return [node["internal_types"]]
        case "BOUND_AGGREGATE" | "WINDOW_AGGREGATE" if (
            _name(node) in _OF_RANKS or node.get("aggregate_type") == "DISTINCT" or node.get("distinct")
        ):
            return [node["children"]]
    return []


def _is_collated(node: Tree) -> bool:
    """Whether texts that differ may be equal, so that any of them stands for all."""
    info = (node.get("return_type") or {}).get("type_info") or {}
    return bool(info.get("collation"))


def _is_step(kind: str, node: Tree, schema: Schema) -> bool:
    if kind == "LOGICAL_DISTINCT":
        return node.get("distinct_type") == "DISTINCT"
    if kind == "LOGICAL_WINDOW":
        key = _places_of_key(node["children"][0], schema)
        return all(_is_window(each, key) for each in node["expressions"])
    return kind != "LOGICAL_GET" or _name(node) in ("seq_scan", "unnest")


_RANKS = frozenset(("WINDOW_RANK", "WINDOW_RANK_DENSE"))
_BY_KEY = _RANKS.union(
    f"WINDOW_{name}"
    for name in "AGGREGATE ROW_NUMBER LEAD LAG FIRST_VALUE LAST_VALUE NTILE".split()  # noqa: SIM905
)
_OF_PEERS = frozenset(("UNBOUNDED_PRECEDING", "UNBOUNDED_FOLLOWING", "CURRENT_ROW_RANGE", "NO_OTHER"))
"""Where a frame begins and ends that has all rows or none of those that ORDER BY leaves tied."""


def _is_window(node: Tree, key: frozenset[int | None]) -> bool:
    """Whether a window gives each row one value: rows tied there have one, or a key leaves none tied."""
    kind, frame = node["type"], (node.get("start"), node.get("end"), node.get("exclude_clause"))
    if node.get("arg_orders"):
        return False
    sorted_by = [*node.get("partitions", []), *(each["expression"] for each in node.get("orders", []))]
    if key and key <= {each.get("index") for each in sorted_by if each["type"] == "BOUND_REF"}:
        return kind in _BY_KEY
    return kind in _RANKS or (kind == "WINDOW_AGGREGATE" and _OF_PEERS.issuperset(frame))


def _places_of_key(read: Tree, schema: Schema) -> frozenset[int | None]:
    """The places of the columns of its primary key in the rows of a table; none of rows of another kind."""
    while read["type"] == "LOGICAL_FILTER" and not read.get("projection_map"):
        (read,) = read["children"]
    path = ((read.get("function_data") or {}).get("qualified_name") or {}).get("path") or []
    table = schema.table(path[2]) if len(path) == 3 and path[:2] == ["memory", "main"] else None
    if table is None or read.get("projection_ids") or [each.name for each in table.columns] != read["names"]:
        return frozenset()
    places = {each["index"]: place for place, each in enumerate(read.get("column_indexes", []))}
    key = {places.get(at) for at, name in enumerate(read["names"]) if name in table.primary_key}
    return frozenset(key) if None not in key and len(key) == len(table.primary_key) else frozenset()


def _is_call(node: Tree, *, watched: bool) -> bool:
    name = _name(node)
    refused = _CLOCK if watched else CHOOSING
    if name not in _BOUND and (fold(name) not in ALLOWED or fold(name) in refused):
        return False
    return node["return_type"]["id"] not in _FLOATS or name in _CHOSEN or fold(name) in CHOOSING


def _name(node: Tree) -> str:
    path: list[Any] = (node.get("qname") or {}).get("path") or [""]
    return str(path[-1])
