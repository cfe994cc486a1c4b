"""Textbook rewrite bugs are found at the default number of queries, with any seed; what is sound is not refuted.

All of them, on more schemas: ``python -m benchmarks.attacks.textbook``.
"""

# ruff: noqa: E501 - a list of names stands on few lines

from __future__ import annotations

from random import Random

import pytest
from textbook.rewriting import Rewriter
from textbook.schemas import SCHEMAS
from textbook.sound import SOUND
from textbook.unsound_clauses import (
    count_column_to_star,
    drop_distinct,
    else_zero,
    extreme_to_first_row,
    halve_by_real,
    left_join_to_join,
    on_filter_to_where,
    sum_to_zero,
    union_to_union_all,
)
from textbook.unsound_conditions import (
    equal_or_different_is_true,
    in_to_join,
    like_to_equals,
    not_exists_to_not_in,
    not_in_to_not_exists,
    scalar_to_left_join,
)
from textbook.unsound_others import CLASSICS

from equiv.testing import Report, check_rewrite
from equiv.testing.making.queries import ALL, Feature, features_of
from equiv.testing.making.traps import TRAPS, Traps
from equiv.testing.schema_facts import ground_of, schema_of
from equiv.testing.trials import AimedQueries

FOUND = (
    not_exists_to_not_in, equal_or_different_is_true, in_to_join, like_to_equals, scalar_to_left_join, left_join_to_join,
    on_filter_to_where, count_column_to_star, drop_distinct, union_to_union_all, extreme_to_first_row, halve_by_real, sum_to_zero,
    else_zero,
)  # fmt: skip


def tried(rewriter: Rewriter, schema: str, *, examples: int = 100, seed: int = 0, faults: int = 1) -> Report:
    """What comes of a rewriter if only databases are asked."""
    return check_rewrite(
        rewriter.on(schema),
        schema=schema,
        examples=examples,
        seed=seed,
        faults=faults,
        shrink=0,
        timeout=None,
        tiers=("generate",),
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("schema", ["nullable", "library"])
def test_not_in_as_not_exists_is_found_with_any_seed(schema: str, seed: int) -> None:
    assert tried(not_in_to_not_exists, SCHEMAS[schema], seed=seed).faults


@pytest.mark.parametrize("rewriter", FOUND, ids=lambda each: each.name)
def test_textbook_bugs_are_found(rewriter: Rewriter) -> None:
    assert tried(rewriter, SCHEMAS["library"], seed=1).faults


@pytest.mark.parametrize("number", range(len(CLASSICS)))
def test_what_is_denied_and_every_bound_is_tried_with_any_seed(number: int) -> None:
    assert tried(CLASSICS[number], SCHEMAS["library"], seed=number).faults


@pytest.mark.long
@pytest.mark.parametrize("rewriter", SOUND, ids=lambda each: each.name)
def test_sound_rewriters_are_not_refuted(rewriter: Rewriter) -> None:
    report = tried(rewriter, SCHEMAS["shop"], examples=25, seed=2)
    assert not report.faults


def test_a_rewriter_that_changes_few_queries_gets_more_of_their_sort() -> None:
    schema = schema_of(SCHEMAS["library"])
    shares = []
    for is_aimed in (True, False):
        drawn = AimedQueries(schema, ALL, 100, 3)
        found = 0
        for sql in drawn:
            found += " EXCEPT " in sql
            if is_aimed:
                drawn.learnt(is_changed=" EXCEPT " in sql)
        shares.append(found)
    assert shares[0] >= 2 * shares[1] > 0


@pytest.mark.long
def test_queries_depend_on_the_seed_and_on_what_is_changed_alone() -> None:
    one, two = (tried(drop_distinct, SCHEMAS["shop"], examples=40, faults=9) for _ in range(2))
    assert [each.before for each in one.tried] == [each.before for each in two.tried]


def test_another_layout_is_no_change() -> None:
    def spread(sql: str) -> str:
        return sql.replace(" FROM ", "\nFROM ")

    report = check_rewrite(spread, schema=SCHEMAS["nullable"], examples=10, timeout=None)
    assert len(report.tried) == 10
    assert not report.changed


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_trap_is_a_query_on_every_schema(name: str) -> None:
    schema = schema_of(SCHEMAS[name])
    ground = ground_of(schema)
    for number, trap in enumerate(Traps(Random(1), schema).shuffled()):
        assert ground.can_be_prepared(Traps(Random(number), schema).query(trap)), trap


def test_traps_use_no_more_than_the_features_allowed() -> None:
    allowed = frozenset({Feature.GROUPS, Feature.AGGREGATES})
    traps = Traps(Random(1), schema_of(None), allowed)
    found = [traps.query(trap) for trap in traps.shuffled()]
    assert len(found) > 5
    assert all(features_of(sql) <= allowed for sql in found)


def test_the_schema_decides_which_sorts_there_are() -> None:
    counts = [len(Traps(Random(1), schema_of(SCHEMAS[name])).sorts()) for name in ("nullable", "shop")]
    assert counts[1] == len(TRAPS) > counts[0]
