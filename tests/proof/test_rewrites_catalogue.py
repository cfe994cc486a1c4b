"""Every rewrite of the algebra is documented, tried and refused, and each of its needs is shown to be one."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from kit.harness import Case, all_cases
from kit.verbs import VERBS as VERBS_OF_RULES

from equiv.proof.catalogue import PAGE, REWRITES, document
from equiv.proof.rewrite import Rewrite
from equiv.rules import RULES
from equiv.rules.verification.verify import HEADINGS

VERBS = {*VERBS_OF_RULES, "split"}
"""A sum may fall into several, which a query does not."""

CASES = [case for case in all_cases() if case.command == "algebra"]

_TIES = "it speaks of ties, and of these no single run says anything"
_ORDER = "what is evaluated are rows, not in which order they stand"
_MIXED = "the translation refuses to read more of a DISTINCT over 1 and 1.0 than shows the difference"
_ROUNDED = "the evaluator computes exactly, as the fact promises"

BEYOND_EVALUATION = {
    ("convert_determined_row_to_lookup", "columns_are_unique"): "a look-up by what is no key has no meaning",
    ("convert_count_to_referred_rows", "columns_are_keys"): "a look-up by what is no key has no meaning",
    ("convert_key_of_lookup_to_row", "key_of_lookup_is_unique"): "a look-up by what is no key has no meaning",
    ("eliminate_key_behind_outputs", "tied_rows_look_alike"): _TIES,
    ("convert_first_group_to_first_row", "no_null_comes_first"): _TIES,
    ("convert_first_of_sorted_to_extreme", "keys_are_of_one_number_class"): _TIES,
    ("convert_skipped_row_to_bound", "sorted_column_is_a_key"): _TIES,
    ("convert_number_to_rank", "no_rows_tie"): _TIES,
    ("convert_first_of_partition_to_distinct", "columns_are_one_value_in_a_partition"): _MIXED,
    ("convert_first_of_partition_to_distinct", "first_key_is_an_extreme"): _TIES,
    ("convert_rank_to_choice", "rows_have_different_keys"): _TIES,
    ("convert_rank_to_choice", "keys_are_never_null"): "a LIMIT is taken for a choice, which is skipped",
    ("eliminate_choice_without_ties", "is_told_apart_by_keys"): _TIES,
    ("convert_rank_to_sort_keys", "keys_are_never_null"): _ORDER,
    ("eliminate_place_of_nulls", "key_is_never_null"): _ORDER,
    ("inline_single_row", "has_at_most_one_row"): _TIES,
    ("convert_single_row_to_case", "chooses_from_one_row"): _TIES,
    ("inline_distinct_in_set", "equal_rows_are_identical"): _MIXED,
    ("inline_distinct_rows", "columns_are_identical_or_compared"): _MIXED,
    ("push_condition_into_distinct", "conditions_are_alike_for_equal_rows"): _MIXED,
    ("push_semi_join_into_distinct", "distinct_has_no_choice"): _MIXED,
    ("push_condition_into_union", "distinct_has_no_choice"): _MIXED,
    ("eliminate_determined_column", "distinct_has_no_choice"): _MIXED,
    ("push_fixed_column_into_distinct", "distinct_has_no_choice"): _MIXED,
    ("convert_outer_value_to_column", "distinct_has_no_choice"): _MIXED,
    ("convert_outer_value_to_column", "value_is_identical_to_column"): "a typed dialect compares one class",
    ("convert_group_to_row_of_extreme", "distinct_keys_have_no_choice"): _MIXED,
    ("convert_rows_of_extreme_to_group", "distinct_keys_have_no_choice"): _MIXED,
    (
        "inline_distinct_on_key",
        "distinct_has_no_choice",
    ): "rows with a key are no duplicates",
    ("convert_distinct_to_table", "values_are_identical_to_keys"): "DISTINCT over 1 and 1.0 is no candidate",
    ("convert_row_to_partner", "key_is_identical_to_partner"): "what refers to a key is as the key is stored",
    ("convert_row_to_partner", "partner_is_found"): "only tried where halves merge then, or it is asked for",
    ("merge_lookups", "key_is_never_null"): "a key that may be NULL fixes no row in the first place",
    ("convert_key_column_to_value", "row_is_there_unless_null"): "who reads the column asks for the row",
    ("fold_key_of_found_row", "row_is_there"): "who compares the column asks for the row",
    ("convert_sum_to_exact_sum", "arguments_are_whole_or_real"): "without classes there are no parts to sum",
    ("convert_sum_to_exact_sum", "sum_is_exact"): _ROUNDED,
    ("reduce_sum_to_its_value", "numbers_add_exactly"): _ROUNDED,
    ("convert_average_to_exact_sums", "arithmetic_is_exact"): _ROUNDED,
    ("split_exact_sum", "arithmetic_is_exact"): _ROUNDED,
    ("merge_complementary_sums", "addition_is_exact"): _ROUNDED,
    ("eliminate_part_of_sum", "subtraction_is_exact"): _ROUNDED,
    ("eliminate_guard_of_sum", "factors_are_integers"): "the guard of a product asks for its other factors",
    ("reduce_extreme", "arguments_are_of_one_number_class"): "which of 1 and 1.0 MAX meets first is no fact",
}
"""Needs that no evaluation shows to be needed, each with the reason."""


def section(rewrite: Rewrite[Any, Any, Any], heading: str) -> str:
    """The text under a heading of a rewrite's documentation, on one line."""
    others = "|".join(HEADINGS)
    found = re.search(rf"{heading}(.*?)(?=\n\s*(?:{others})|\Z)", rewrite.doc, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def refusals(name: str) -> list[Case]:
    return [case for case in CASES if name in case.options.get("refuse", ())]


def test_names_are_unique_among_rewrites_and_rules() -> None:
    names = Counter([rewrite.name for rewrite in REWRITES])
    assert [name for name, count in names.items() if count > 1] == []
    assert names.keys().isdisjoint(rule.name for rule in RULES)


def test_names_are_verb_and_noun() -> None:
    words = {rewrite.name: rewrite.name.partition("_") for rewrite in REWRITES}
    assert [name for name, (verb, _, noun) in words.items() if verb not in VERBS or not noun] == []


def test_documentation_has_its_headings() -> None:
    missing = {
        each.name: [heading for heading in HEADINGS if not section(each, heading)] for each in REWRITES
    }
    assert {name: headings for name, headings in missing.items() if headings} == {}
    assert [each.name for each in REWRITES if not each.doc.partition("\n")[0].endswith(".")] == []


def test_every_rewrite_has_a_firing_case() -> None:
    fired = {name for case in CASES for name in case.options.get("expect", ())}
    assert [rewrite.name for rewrite in REWRITES if rewrite.name not in fired] == []


def test_every_rewrite_has_a_refusal() -> None:
    assert [rewrite.name for rewrite in REWRITES if not refusals(rewrite.name)] == []


def test_every_need_has_a_refusal_that_shows_it_or_a_reason_why_none_can() -> None:
    needs = {(rewrite.name, need.__name__) for rewrite in REWRITES for need in rewrite.needs}
    shown = {(rewrite.name, case.option("needs")) for rewrite in REWRITES for case in refusals(rewrite.name)}
    assert needs - shown == BEYOND_EVALUATION.keys()


def test_page_of_rewrites_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(), "run python -m equiv.proof.catalogue"
