"""The catalogue of the algebra's rewrites, in the order of the passes that apply them.

``python -m equiv.proof.catalogue [FILE]`` writes docs/algebra.md from the rewrites themselves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiv.files import write_page
from equiv.proof.normal_form import EQUATIONS, PASSES, eliminate_contradictory_term
from equiv.proof.rewrite import Rewrite
from equiv.proof.rewrites.choices.limits import ANSWERS, CHOICES, CHOICES_OF_TERMS
from equiv.proof.rewrites.choices.order_keys import (
    convert_skipping_exists_to_count,
    eliminate_idle_order_key,
    eliminate_key_behind_outputs,
    eliminate_key_behind_partition,
    eliminate_key_of_partition,
    eliminate_place_of_nulls,
)
from equiv.proof.rewrites.choices.row_numbers import convert_rank_to_sort_keys
from equiv.proof.rewrites.lookups import FOUND, LOOKUPS
from equiv.proof.rewrites.rows.determined import eliminate_implied_lookup
from equiv.proof.rewrites.rows.distinct import eliminate_root_distinct, reduce_outputs_to_fewer_rows
from equiv.proof.rewrites.rows.exists import (
    eliminate_exists_of_any_row,
    eliminate_witnessed_exists,
    push_idle_rows_into_exists,
    split_branches_of_outer_rows,
    split_exists,
    split_outer_branches,
)
from equiv.proof.rewrites.rows.merged_terms import MERGING
from equiv.proof.rewrites.rows.sources import SUBQUERIES
from equiv.proof.rewrites.scalars.calls import (
    CALLS,
    CONVERSIONS,
    QUOTIENTS,
    convert_strftime_to_date,
    split_date_equality,
)
from equiv.proof.rewrites.scalars.comparisons import COMPARISONS
from equiv.proof.rewrites.scalars.conditions import CASES, CONDITIONS
from equiv.proof.rewrites.scalars.logic import (
    JUNCTIONS,
    NEGATIONS,
    NULL_TESTS,
    TRUTHS,
    convert_is_null,
    fold_known_value,
)
from equiv.proof.rewrites.sums.aggregates import (
    AGGREGATES,
    SUMS,
    convert_count_bound_to_exists,
    convert_first_of_sorted_to_extreme,
    reduce_sum_to_its_value,
)
from equiv.proof.rewrites.sums.existence import (
    eliminate_idle_row,
    inline_distinct_rows,
    inline_existing_row,
    push_condition_into_distinct,
    split_sum_by_values,
)
from equiv.proof.rewrites.sums.extremes import eliminate_bound_of_extreme
from equiv.proof.rewrites.sums.groups import (
    OUTER_VALUES,
    eliminate_determined_group,
    push_outer_value_into_distinct,
)
from equiv.proof.rewrites.sums.linear import eliminate_guard_of_sum, eliminate_shown_exists, split_row_itself
from equiv.proof.rewrites.sums.parts import eliminate_part_of_sum, merge_complementary_sums
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


PAGE = Path(__file__).parents[2] / "docs" / "algebra.md"
INTRODUCTION = """\
# Rewrites of the algebra

Written by `python -m equiv.proof.catalogue`; change the docstrings in `equiv/proof/` instead. The proof tier
reads a query as a sum of terms (docs/proof.md) and brings it into a normal form by these rewrites; sections
and rewrites stand in the order in which they are tried at one place. Each application is recorded with the
facts that it rests on: `equiv explain --algebra` shows them. *On* is the kind of node; *keeps* is what stays
as it was on all databases that the facts allow: the value of an expression, NULL included; its truth only;
the rows of a term or bag, each as often; which rows there are (only where duplicates do not count); the
possible answers.

`Σ t ∈ a [condition] → (outputs)` has a row for each row `t` of `a` for which the condition is true; `(∃ …)`
asks whether there is one; `SUM0{…}` is an exact sum, 0 over no rows; `a[id = x].y` is column `y` of the row
of `a` with that key, NULL if there is none, and `a[id = x] ≠ ∅` asks whether there is one; `r.#1` is the
first column of `r`; `{p: x; else y}` is a CASE; what follows a bar is an order.
"""


def document(sections: Iterable[Section] = CATALOGUE) -> str:
    """The page on some sections, as Markdown."""
    sections = tuple(sections)
    number = sum(len(section.rewrites) for section in sections)
    parts = [INTRODUCTION, f"{number} rewrites.\n"]
    for section in sections:
        parts += [f"## {section.title}\n", f"{section.about}\n"]
        parts += [_entry(each) for each in section.rewrites]
    return "\n".join(parts)


def _entry(rewrite: Rewrite[Any, Any, Any]) -> str:
    return entry_of(rewrite.name, rewrite.doc, rewrite.needs, f"On: {rewrite.on}. Keeps: {rewrite.keeps}.")


def entry_of(name: str, doc: str, needs: Iterable[Callable[..., object]], keeps: str, more: str = "") -> str:
    """The entry of a rule or rewrite: the sentence of its docstring, the rest as it stands, what it needs."""
    sentence, _, rest = inspect.cleandoc(doc).partition("\n\n")
    needed = ", ".join(f"`{need.__name__}`" for need in needs) or "nothing"
    return f"### {name}\n\n{sentence}\n\n```\n{rest}\n```\n\n{keeps} Needs: {needed}.{more}\n"


if __name__ == "__main__":
    write_page(document(), PAGE)
