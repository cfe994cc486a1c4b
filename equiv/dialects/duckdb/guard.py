"""What untrusted queries are let near, and plans with one answer, order apart, in which nothing rounds."""

from __future__ import annotations

from typing import Any

from equiv.core.model import Schema
from equiv.core.runner import Failure
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, nodes, one_line
from equiv.dialects.duckdb.lowering.operators import FUNCTIONS
from equiv.dialects.duckdb.macros import Tree
from equiv.dialects.duckdb.resolving.calls import AGGREGATES, NUMBERINGS, READERS
from equiv.dialects.duckdb.resolving.sources import called_table, is_small
from equiv.names import fold, folded

_CLOCK = frozenset(
    """now today current_timestamp current_date get_current_timestamp transaction_timestamp age current_time
    get_current_time localtime localtimestamp current_localtime current_localtimestamp""".split()  # noqa: SIM905
)
CHOOSING = frozenset(
    """any_value first last arbitrary arg_min arg_max min_by max_by mode list array_agg string_agg
    group_concat listagg approx_count_distinct histogram first_value fill now today current_timestamp
    current_date get_current_timestamp transaction_timestamp age""".split()  # noqa: SIM905
)
"""Harmless functions whose value depends on the order of rows, or on the clock."""
_HARMLESS = frozenset(
    """median quantile_cont quantile_disc product bit_and bit_or bit_xor corr covar_pop covar_samp skewness
    kurtosis entropy fsum kahan_sum favg count_if countif @ & | << >> ~ xor ~~~ !~~* ln log log2 log10 exp pi
    sin cos tan asin acos atan atan2 cot radians degrees cbrt even gcd lcm isnan isinf isfinite add subtract
    multiply divide nextafter ascii ord chr unicode concat_ws reverse split_part string_split str_split
    string_split_regex regexp_matches regexp_full_match regexp_replace regexp_extract regexp_extract_all
    strip_accents md5 sha256 hash to_base64 bit_length strlen octet_length levenshtein editdist3 hamming
    jaccard translate initcap to_days to_weeks to_months to_quarters to_years to_hours to_minutes to_seconds
    to_milliseconds to_microseconds trunc strptime try_strptime make_date make_time make_timestamp date_add
    date_sub datesub last_day dayname monthname week weekofyear yearweek isoyear era epoch epoch_ms epoch_us
    julian century decade millennium millisecond microsecond time_bucket row struct_pack struct_extract
    struct_insert list_value list_extract list_element list_contains list_has list_has_any list_has_all
    list_position list_indexof list_concat list_cat list_append list_prepend list_distinct list_unique
    list_sort list_reverse_sort list_reverse list_slice list_aggregate list_aggr list_sum list_min list_max
    list_count list_filter list_transform array_extract array_contains array_has array_has_any array_has_all
    array_length array_slice array_to_string array_position array_concat array_append array_sort
    array_distinct unnest flatten map map_keys map_values map_extract map_contains map_entries cardinality
    element_at json_extract json_extract_string json_array_length json_valid json_type -> ->> if iif typeof
    error_on_division_by_zero try __cast json_array json_contains json_exists json_extract_path
    json_extract_path_text json_keys json_merge_patch json_object json_quote json_structure json_value to_json
    row_to_json array_to_json json_pretty json_normalize list_intersect array_intersect list_zip array_zip
    list_select list_where array_where array_select list_grade_up list_pack array_value array_unique
    array_indexof list_reverse_sort array_reverse_sort array_cat struct_concat struct_extract_at struct_keys
    struct_values struct_contains struct_has struct_position struct_indexof struct_update map_concat
    map_from_entries map_extract_value union_extract union_tag union_value hex to_hex unhex from_hex bin
    to_binary unbin from_binary base64 from_base64 encode decode sha1 md5_number regexp_escape
    regexp_split_to_array split string_to_array str_split_regex url_encode url_decode parse_filename
    parse_path parse_dirname parse_dirpath make_timestamptz make_timestamp_ms make_timestamp_ns to_timestamp
    timezone timezone_hour timezone_minute epoch_ns nanosecond to_centuries to_decades to_millennia
    normalized_interval enum_code enum_first enum_last enum_range get_bit set_bit bit_count bit_position
    bitstring round_even roundbankers signbit gamma lgamma greatest_common_divisor least_common_multiple
    asinh acosh atanh sinh cosh tanh left_grapheme right_grapheme length_grapheme substring_grapheme
    nfc_normalize jaro_similarity jaro_winkler_similarity damerau_levenshtein mismatches overlay
    uuid_extract_timestamp uuid_extract_version ilike_escape not_ilike_escape switch fdiv fmod days_in_month
    array_append array_prepend array_push_back array_push_front array_pop_back array_pop_front
    array_reverse list_first list_last list_any_value list_avg list_bool_and list_bool_or
    list_product list_string_agg list_median list_mode map_contains_entry
    map_contains_value @> <@ &&""".split()  # noqa: SIM905
)
ALLOWED = FUNCTIONS | AGGREGATES | NUMBERINGS | READERS | CHOOSING | _HARMLESS
VOLATILE = frozenset(
    "random uuid uuidv4 uuidv7 gen_random_uuid nextval currval setseed current_query".split()  # noqa: SIM905
)
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
    """What no query is let near: writing CTEs, functions in FROM, files, tables that are not the schema's."""
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
        if kind == "TABLE_FUNCTION" and is_small(node):
            continue
        if "query_location" in node and "sample" in node and "cte_map" not in node and kind not in _SOURCES:
            found.append(str(kind).lower().replace("_", " "))
        if kind == "BASE_TABLE" and fold(called_table(node)) not in known:
            found.append(f"the table {node['table_name']}")
    return found


def names_called(tree: Tree) -> frozenset[str]:
    """The names of all functions that a tree calls, but for those in FROM that have few rows."""
    small = {
        id(node["function"])
        for node in nodes(tree)
        if node.get("type") == "TABLE_FUNCTION" and is_small(node)
    }
    called = (node for node in nodes(tree) if "function_name" in node and id(node) not in small)
    return folded(str(node["function_name"]) for node in called)


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
    DEPENDENT_JOIN CROSS_PRODUCT UNION EXCEPT INTERSECT ORDER_BY DISTINCT CTE_REF MATERIALIZED_CTE
    RECURSIVE_CTE DUMMY_SCAN EMPTY_RESULT EXPRESSION_GET COLUMN_DATA_GET UNNEST DELIM_GET""".split()  # noqa: SIM905
)
"""Steps whose rows are, order apart, a function of the rows below: no LIMIT, window, sample, ASOF or
POSITIONAL join."""
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
        *("BOUND_LAMBDA", "BOUND_PARAMETER"),
    )
)
_FLOATS = frozenset(("FLOAT", "DOUBLE"))
_CHOSEN = frozenset(("min", "max", "greatest", "least", "__cast"))
"""What may give a float without computing one: an operand as it is, or the number that is nearest to it."""


def is_plain_plan(plan: Tree) -> bool:
    """Whether a plan, not optimised, holds nothing that chooses among rows, reads the clock or rounds.

    Whatever is not known counts as something that does.
    """
    return not plan["error"] and all(map(_is_plain, nodes(plan["plans"])))


def _is_plain(node: Tree) -> bool:
    kind, expression = str(node.get("type")), node.get("expression_class")
    if kind.startswith("LOGICAL_") and not (kind in _STEPS and _is_step(kind, node)):
        return False
    if any(each.get("id") in _APART for merged in _merged(kind, node) for each in nodes(merged)):
        return False
    if expression is None:
        return True
    if _is_collated(node):
        return False
    if expression in _CALLS:
        return _is_call(node)
    return expression in _EXPRESSIONS


_APART = frozenset(("INTERVAL", "TIME WITH TIME ZONE"))
"""Types with equal values that are not identical, ``30 days`` and ``1 month``: any of them stands for all."""


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
        case "BOUND_AGGREGATE" if _name(node) in ("min", "max") or node["aggregate_type"] == "DISTINCT":
            return [node["children"]]
    return []


def _is_collated(node: Tree) -> bool:
    """Whether texts that differ may be equal, so that any of them stands for all."""
    info = (node.get("return_type") or {}).get("type_info") or {}
    return bool(info.get("collation"))


def _is_step(kind: str, node: Tree) -> bool:
    if kind == "LOGICAL_DISTINCT":
        return node.get("distinct_type") == "DISTINCT"
    return kind != "LOGICAL_GET" or _name(node) == "seq_scan"


def _is_call(node: Tree) -> bool:
    name = _name(node)
    if name not in _BOUND and (fold(name) not in ALLOWED or fold(name) in CHOOSING):
        return False
    return node["return_type"]["id"] not in _FLOATS or name in _CHOSEN


def _name(node: Tree) -> str:
    path: list[Any] = (node.get("qname") or {}).get("path") or [""]
    return str(path[-1])
