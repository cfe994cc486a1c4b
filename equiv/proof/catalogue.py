"""The catalogue of the algebra's rewrites, in the order of the passes that apply them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from equiv.proof.normal_form import EQUATIONS, PASSES, eliminate_contradictory_term
from equiv.proof.rewrite import Rewrite
from equiv.proof.rewrites.choices.limits import ANSWERS, CHOICES, CHOICES_OF_TERMS
from equiv.proof.rewrites.choices.offsets import convert_skipping_exists_to_count
from equiv.proof.rewrites.choices.order_keys import (
    eliminate_idle_order_key,
    eliminate_key_behind_outputs,
    eliminate_key_behind_partition,
    eliminate_key_of_partition,
    eliminate_place_of_nulls,
)
from equiv.proof.rewrites.choices.row_numbers import convert_rank_to_sort_keys
from equiv.proof.rewrites.distinct.outputs_of_fewer_rows import reduce_outputs_to_fewer_rows
from equiv.proof.rewrites.distinct.sets import eliminate_root_distinct
from equiv.proof.rewrites.exists import (
    eliminate_exists_of_any_row,
    eliminate_witnessed_exists,
    push_idle_rows_into_exists,
    split_branches_of_outer_rows,
    split_exists,
    split_outer_branches,
)
from equiv.proof.rewrites.expressions.calls import CALLS
from equiv.proof.rewrites.expressions.cases import CASES
from equiv.proof.rewrites.expressions.comparisons import COMPARISONS
from equiv.proof.rewrites.expressions.conditions import CONDITIONS
from equiv.proof.rewrites.expressions.conditions_in_scope import fold_known_value
from equiv.proof.rewrites.expressions.conversions import CONVERSIONS
from equiv.proof.rewrites.expressions.dates import convert_strftime_to_date, split_date_equality
from equiv.proof.rewrites.expressions.logic import JUNCTIONS, NEGATIONS, TRUTHS
from equiv.proof.rewrites.expressions.null_tests import NULL_TESTS, convert_is_null
from equiv.proof.rewrites.expressions.quotients import QUOTIENTS
from equiv.proof.rewrites.lookups.implied import eliminate_implied_lookup
from equiv.proof.rewrites.lookups.key_lookups import FOUND, LOOKUPS
from equiv.proof.rewrites.merged_terms import MERGING
from equiv.proof.rewrites.sources import SUBQUERIES
from equiv.proof.rewrites.sums.aggregates import (
    AGGREGATES,
    SUMS,
    convert_count_bound_to_exists,
    convert_first_of_sorted_to_extreme,
    reduce_sum_to_its_value,
)
from equiv.proof.rewrites.sums.bounded_extreme import eliminate_bound_of_extreme
from equiv.proof.rewrites.sums.complements import merge_complementary_sums
from equiv.proof.rewrites.sums.distinct import push_condition_into_distinct, split_sum_by_values
from equiv.proof.rewrites.sums.equated_values import OUTER_VALUES
from equiv.proof.rewrites.sums.existence import (
    eliminate_idle_row,
    inline_distinct_rows,
    inline_existing_row,
)
from equiv.proof.rewrites.sums.groups import eliminate_determined_group, push_outer_value_into_distinct
from equiv.proof.rewrites.sums.guards import eliminate_guard_of_sum
from equiv.proof.rewrites.sums.linear import eliminate_shown_exists, split_row_itself
from equiv.proof.rewrites.sums.parts import eliminate_part_of_sum
from equiv.proof.rewrites.sums.referring_rows import (
    convert_count_to_referred_rows,
    fold_exists_by_reference,
)


@dataclass(frozen=True, slots=True)
class Section:
    """Rewrites that are tried in turn at one kind of place."""

    title: str
    about: str
    rewrites: tuple[Rewrite[Any, Any, Any], ...]


_ABOUT = {
    "sources": "A variable over what is no more than its bag ranges over the bag's terms.",
    "numbers": "The number of a row says how many rows stand before it.",
    "ranks": "How many rows stand before a row says whether a LIMIT takes it.",
    "existence": "Under DISTINCT, EXISTS, MIN and MAX only which rows there are counts.",
    "extremes": "That no row is beyond says which has the MAX.",
    "parts": "Distinct rows of terms that have no row in common fall apart.",
    "distinct": "DISTINCT goes where rows differ anyway; of the rest goes what follows from other columns.",
    "determined": "A row that a key fixes is looked up, not summed over.",
    "partners": "Of two rows with one key, a term ranges over the one that refers to the other.",
    "groups": "A group of which a row is the first is that row.",
    "counts": "How many rows there are is said by which rows there are.",
}

CATALOGUE: tuple[Section, ...] = (
    Section("Answers", "A LIMIT is a source wherever it stands; an order that does not count goes.", ANSWERS),
    Section("Choices", "What is chosen is a row, of which outputs are computed outside.", CHOICES),
    Section("Choices of a term", "Choices of which little is read become less.", CHOICES_OF_TERMS),
    Section(
        "Comparisons with NULL and dates",
        "Before a comparison is decided.",
        (
            convert_is_null,
            reduce_sum_to_its_value,
            convert_count_bound_to_exists,
            split_date_equality,
            convert_strftime_to_date,
        ),
    ),
    Section("Comparisons", "Of simplified sides.", COMPARISONS),
    Section("NULL tests", "Of simplified values.", NULL_TESTS),
    Section("AND and OR", "In three-valued logic.", JUNCTIONS),
    Section("NOT", "In three-valued logic.", NEGATIONS),
    Section("IS TRUE", "In three-valued logic.", TRUTHS),
    Section("CASE", "Each branch is simplified under its condition first.", CASES),
    Section("Conversions", "CAST, and the affinity that a comparison applies.", CONVERSIONS),
    Section("Calls", "Operators and functions.", CALLS),
    Section("Rows found by a key", "Whether there is one.", FOUND),
    Section("Look-ups", "Which row it is.", LOOKUPS),
    Section("Knowledge", "What the conditions around say.", (fold_known_value,)),
    Section("Conditions", "Where only truth counts, FALSE and NULL are one.", CONDITIONS),
    Section("Conditions about quotients", "A quotient that is there has no divisor 0.", QUOTIENTS),
    Section("Equal values", "One name for what a condition equates.", EQUATIONS),
    *(Section(f"Terms: {each.name}", _ABOUT[each.name], each.rewrites) for each in PASSES),
    Section(
        "Bags",
        "Terms over the same rows are merged.",
        (
            eliminate_root_distinct,
            *MERGING,
            eliminate_contradictory_term,
            convert_rank_to_sort_keys,
            eliminate_idle_order_key,
            eliminate_place_of_nulls,
            eliminate_key_behind_outputs,
            eliminate_key_behind_partition,
            eliminate_key_of_partition,
        ),
    ),
    Section(
        "EXISTS",
        "Only whether there is a row counts.",
        (
            convert_skipping_exists_to_count,
            reduce_outputs_to_fewer_rows,
            push_idle_rows_into_exists,
            eliminate_witnessed_exists,
            eliminate_implied_lookup,
            fold_exists_by_reference,
            split_outer_branches,
            split_branches_of_outer_rows,
            split_exists,
            eliminate_exists_of_any_row,
        ),
    ),
    Section("Scalar subqueries", "Over a normal bag.", (*SUBQUERIES, convert_first_of_sorted_to_extreme)),
    Section(
        "Aggregates",
        "By a few primitives: exact sums, extremes, existence.",
        (
            eliminate_bound_of_extreme,
            *SUMS,
            *AGGREGATES,
            eliminate_guard_of_sum,
            merge_complementary_sums,
            eliminate_part_of_sum,
            convert_count_to_referred_rows,
        ),
    ),
    Section(
        "Rows of aggregates",
        "What multiplicity, or its absence, allows.",
        (
            eliminate_determined_group,
            push_outer_value_into_distinct,
            push_condition_into_distinct,
            split_sum_by_values,
            split_row_itself,
            eliminate_shown_exists,
            *OUTER_VALUES,
            inline_existing_row,
            inline_distinct_rows,
            eliminate_idle_row,
        ),
    ),
)

REWRITES: tuple[Rewrite[Any, Any, Any], ...] = tuple(
    each for section in CATALOGUE for each in section.rewrites
)
"""All rewrites, each once."""
