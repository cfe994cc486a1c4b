"""The pieces of matching: choices paired one to one, orders, sets of rows, sums of terms."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kit.harness import World as Setting

from equiv.algebra.correspondences import without_sites
from equiv.algebra.terms import (
    TRUE,
    Answer,
    Apply,
    Bag,
    Binding,
    Compare,
    Convert,
    Direction,
    Exists,
    Expression,
    Field,
    Limited,
    Scan,
    Squash,
    Term,
    conjunction,
    integer,
    sites,
)
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.proof.match import sets as match_sets
from equiv.proof.match.answers import Match, equivalent
from equiv.proof.match.bags import Keyed, same_bag, same_ordered
from equiv.proof.match.matching import (
    BY_VALUE,
    IDENTICAL,
    CellEquality,
    Matching,
    MatchingScope,
    are_comparable,
    not_distinct,
    plain_assumption,
    repeated,
)
from equiv.proof.rewrites.choices.limits import uncut
from equiv.proof.rewrites.choices.order_keys import with_sorted_columns
from equiv.relation import Relation, Rows
from equiv.smt.prover import Z3Prover

DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), v INTEGER);
CREATE TABLE h (x INTEGER, y INTEGER);
"""
SETTING = Setting(DDL)


@pytest.fixture
def m() -> Matching:
    world = World(SETTING.schema, SETTING.facts)
    return Matching(world, Z3Prover(world))


def answer(m: Matching, sql: str) -> Answer:
    tree = SETTING.read(sql).tree
    assert tree is not None
    return translate(tree, m.world)


def bag(m: Matching, sql: str) -> Bag:
    return answer(m, sql).bag


def match(m: Matching, pred: str, gold: str, rows: Rows = Rows.BAG) -> Match | None:
    return equivalent(answer(m, pred), answer(m, gold), Relation(rows), m.world, Z3Prover(m.world))


# Choices


def limited(m: Matching) -> Limited:
    row = m.world.names.variable("t")
    inner = Term((Binding(row, Scan("t")),), TRUE, (Field(row, "a"),))
    return Limited(Bag((inner,)), 1, (), 1, 0, m.world.names.site())


def test_a_site_has_one_partner(m: Matching) -> None:
    one, two, three = (limited(m) for _ in range(3))
    assert m.pair_sites(one, two)
    assert m.pair_sites(one, two)
    assert not m.pair_sites(one, three)
    assert not m.pair_sites(three, two)
    assert m.paired == {two.site: one.site}


def test_sites_do_not_shape_a_node(m: Matching) -> None:
    one, two = limited(m), limited(m)
    assert one != two
    assert without_sites(one) == without_sites(two)


def test_one_choice_is_not_two(m: Matching) -> None:
    one = "SELECT q.a, q.a FROM u, (SELECT a FROM t LIMIT 1) AS q"
    two = "SELECT q.a, p.a FROM u, (SELECT a FROM t LIMIT 1) AS q, (SELECT a FROM t LIMIT 1) AS p"
    assert match(m, one, two) is None
    assert match(m, two, one) is None
    assert match(m, one, one.replace("u,", "u AS z,")) is not None


def test_a_choice_read_twice_is_compared_with_nothing(m: Matching) -> None:
    sql = "WITH c AS (SELECT a FROM t LIMIT 1) SELECT x.a, y.a FROM c AS x, c AS y"
    form = answer(m, sql)
    assert len(sites(form)) == 2
    assert not are_comparable(form, m.world, ())
    assert match(m, sql, sql) is None


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT (SELECT t.s FROM t WHERE t.a = u.v LIMIT 1) FROM u", False),
        ("SELECT (SELECT t.s FROM t WHERE t.a = u.id LIMIT 1) FROM u", True),
        ("SELECT (SELECT t.s FROM t LIMIT 1) FROM u", True),
        ("SELECT (SELECT t.s FROM t WHERE t.a = u.id LIMIT 1) FROM u, h", False),
        ("SELECT v, GROUP_CONCAT(id) FROM u GROUP BY v", True),
    ],
)
def test_a_choice_must_tell_the_rows_around_it_apart(m: Matching, sql: str, expected: bool) -> None:
    form = answer(m, sql)
    assert are_comparable(form, m.world, repeated(form)) is expected


def test_a_choice_made_anew_stays_so_when_it_mentions_rows_no_more(m: Matching) -> None:
    form = answer(m, "SELECT (SELECT t.s FROM t WHERE t.a = 3 LIMIT 1) FROM u")
    assert repeated(form) == frozenset()
    assert are_comparable(form, m.world, ())
    assert not are_comparable(form, m.world, sites(form))
    alone = answer(m, "SELECT (SELECT t.s FROM t WHERE t.a = 3 LIMIT 1)")
    assert are_comparable(alone, m.world, sites(alone))


def test_concatenations_of_one_block_are_one_choice(m: Matching) -> None:
    form = answer(m, "SELECT GROUP_CONCAT(s), GROUP_CONCAT(a) FROM t")
    assert len(sites(form)) == 2
    assert len(set(sites(form))) == 1


def test_uncutting_makes_one_source_of_a_cut(m: Matching) -> None:
    form = uncut(answer(m, "SELECT a FROM t ORDER BY b LIMIT 2 OFFSET 1"), m.world)
    (term,) = form.bag.terms
    (binding,) = term.bindings
    assert isinstance(binding.source, Limited)
    assert (binding.source.limit, binding.source.offset) == (2, 1)
    assert (form.limit, form.offset, form.directions) == (None, 0, ())


# Lists


def test_an_offset_counts_where_one_row_is_left(m: Matching) -> None:
    one = "SELECT MAX(a) FROM t LIMIT 5"
    assert match(m, one, "SELECT MAX(a) FROM t", Rows.LIST) is not None
    assert match(m, f"{one} OFFSET 1", "SELECT MAX(a) FROM t", Rows.LIST) is None
    late = (
        "SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q"
        " JOIN t AS z ON z.id = q.t_id WHERE z.a > 3)"
    )
    assert match(m, f"{late} ORDER BY s", late, Rows.LIST) is not None
    assert match(m, f"{late} ORDER BY s LIMIT 5 OFFSET 1", late, Rows.LIST) is None


@pytest.mark.parametrize(
    ("keys", "others", "expected"),
    [
        ("a", "a + 1", True),
        ("a DESC", "-a NULLS LAST", True),
        ("a DESC", "-a", False),
        ("a", "a / 2", False),
        ("a, b", "a", False),
        ("a, id", "a, id, b", True),
        ("a, b", "b, a", False),
        ("a IS NULL, a", "a NULLS LAST", True),
    ],
)
def test_orders_are_compared_by_two_rows(m: Matching, keys: str, others: str, expected: bool) -> None:
    mine, theirs = (answer(m, f"SELECT s FROM t ORDER BY {each}") for each in (keys, others))
    sides = Keyed(mine.bag, mine.directions), Keyed(theirs.bag, theirs.directions)
    found = same_ordered(m, *sides, mine.visible, MatchingScope())
    assert (found is not None) is expected


def test_a_failed_comparison_of_orders_pairs_no_choices(m: Matching) -> None:
    def side(key: str) -> Keyed:
        row = m.world.names.variable("t")
        picked = m.world.names.variable("top")
        bindings = (Binding(row, Scan("t")), Binding(picked, limited(m)))
        return Keyed(Bag((Term(bindings, TRUE, (Field(picked, 0), Field(row, key))),)), (Direction(),))

    assert same_ordered(m, side("a"), side("b"), 1, MatchingScope()) is None
    assert m.paired == {}


# Sets


@pytest.mark.parametrize(
    ("small", "large", "expected"),
    [
        ("SELECT x FROM h WHERE x > 3", "SELECT x FROM h WHERE x > 2", True),
        ("SELECT x FROM h WHERE x > 2", "SELECT x FROM h WHERE x > 3", False),
        ("SELECT p.x FROM h AS p, h AS q WHERE p.y = q.y", "SELECT x FROM h", True),
        ("SELECT x FROM h", "SELECT p.x FROM h AS p, h AS q WHERE p.y = q.y", False),
        ("SELECT x FROM h WHERE y = y", "SELECT p.x FROM h AS p, h AS q WHERE p.y = q.y", True),
        ("SELECT x FROM h", "SELECT x FROM h WHERE y > 1 UNION ALL SELECT x FROM h WHERE y <= 1", False),
        ("SELECT x FROM h", "SELECT x FROM h WHERE y IS 1 UNION ALL SELECT x FROM h WHERE y IS NOT 1", True),
        ("SELECT x FROM h WHERE 1 = 0", "SELECT y FROM h", True),
        ("SELECT x FROM h", "SELECT q.x FROM (SELECT DISTINCT x, y FROM h) AS q", True),
        ("SELECT x FROM h LIMIT 1", "SELECT x FROM h", False),
    ],
)
def test_rows_of_one_bag_occur_in_another(m: Matching, small: str, large: str, expected: bool) -> None:
    mine, theirs = (uncut(answer(m, sql), m.world).bag for sql in (small, large))
    assert match_sets.included(m, mine, theirs, MatchingScope(), BY_VALUE) is expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT id FROM t", True),
        ("SELECT a FROM t", False),
        ("SELECT t.id FROM t, u", False),
        ("SELECT t.id, u.id FROM t, u", True),
        ("SELECT id FROM t UNION ALL SELECT id FROM t", False),
        ("SELECT q.x FROM (SELECT DISTINCT x, y FROM h) AS q", False),
        ("SELECT q.y, q.x FROM (SELECT DISTINCT x, y FROM h) AS q", True),
        ("SELECT q.id FROM (SELECT id FROM t LIMIT 2) AS q", False),
    ],
)
def test_a_bag_is_a_set_if_its_outputs_tell_its_rows_apart(m: Matching, sql: str, expected: bool) -> None:
    assert match_sets.is_set(m, bag(m, sql)) is expected


def test_without_facts_a_key_may_be_null() -> None:
    setting = Setting("CREATE TABLE k (code TEXT PRIMARY KEY)", "declared")
    world = World(setting.schema, setting.facts)
    tree = setting.read("SELECT code FROM k").tree
    assert tree is not None
    assert not match_sets.is_set(Matching(world, Z3Prover(world)), translate(tree, world).bag)


def test_columns_of_distinct_rows_have_one_order(m: Matching) -> None:
    one = answer(m, "SELECT q.x, q.y FROM (SELECT DISTINCT x, y FROM h) AS q WHERE q.x > 1")
    two = answer(m, "SELECT q.x, q.y FROM (SELECT DISTINCT y, x FROM h) AS q WHERE q.x > 1")
    assert one.bag != two.bag
    assert without_sites(with_sorted_columns(one)) == without_sites(with_sorted_columns(two))
    swapped = answer(m, "SELECT q.y, q.x FROM (SELECT DISTINCT x, y FROM h) AS q WHERE q.x > 1")
    assert without_sites(with_sorted_columns(one)) != without_sites(with_sorted_columns(swapped))


# Sums of terms


def union(m: Matching, *parts: tuple[str, bool]) -> Bag:
    """A sum over h of x, under conditions as SQL; as REAL where that is said."""
    terms = []
    for condition, as_real in parts:
        (term,) = bag(m, f"SELECT x FROM h WHERE {condition}").terms
        output: Expression = term.outputs[0]
        terms.append(replace(term, outputs=(Convert("REAL", output, explicit=True) if as_real else output,)))
    return Bag(tuple(terms))


def test_terms_balance_in_sum(m: Matching) -> None:
    left = union(m, ("x > 0", False), ("y > 0", False))
    right = union(m, ("x > 0 OR y > 0", False), ("x > 0 AND y > 0", False))
    less = union(m, ("x > 0 OR y > 0", False), ("x > 0 AND y > 1", False))
    assert same_bag(m, left, right, MatchingScope()) is not None
    assert same_bag(m, left, less, MatchingScope()) is None


def test_terms_balance_by_storage_class_where_that_counts(m: Matching) -> None:
    left = union(m, ("x > 0", False), ("y > 0", False))
    right = union(m, ("x > 0 OR y > 0", True), ("x > 0 AND y > 0", True))
    assert same_bag(m, left, right, MatchingScope(), BY_VALUE) is not None
    assert same_bag(m, left, right, MatchingScope(), IDENTICAL) is None
    alike = union(m, ("x > 0 OR y > 0", False), ("x > 0 AND y > 0", False))
    assert same_bag(m, left, alike, MatchingScope(), IDENTICAL) is not None


def test_part_of_the_columns_does_not_balance(m: Matching) -> None:
    left = union(m, ("x > 0", False), ("y > 0", False))
    right = union(m, ("x > 0 OR y > 0", False), ("x > 0 AND y > 0", False))
    assert same_bag(m, left, right, MatchingScope(), CellEquality(not_distinct, 1)) is None


def test_choices_do_not_balance(m: Matching) -> None:
    def side(*conditions: str) -> Bag:
        terms = []
        for term in union(m, *((each, False) for each in conditions)).terms:
            row = m.world.names.variable("top")
            terms.append(replace(term, bindings=(*term.bindings, Binding(row, limited(m)))))
        return Bag(tuple(terms))

    left, right = side("x > 0", "y > 0"), side("x > 0 OR y > 0", "x > 0 AND y > 0")
    assert same_bag(m, left, right, MatchingScope()) is None


# What is known where atoms are compared


def test_an_assumption_says_what_both_conditions_imply(m: Matching) -> None:
    row = m.world.names.variable("h")
    x, y = Field(row, "x"), Field(row, "y")
    shared, mine, theirs = (
        Compare("<", x, y),
        Compare("=", x, integer(1)),
        Compare("=", y, integer(2)),
    )
    found = plain_assumption(conjunction([shared, mine]), conjunction([theirs, shared]))
    assert shared in found
    assert mine not in found
    assert theirs not in found
    assert plain_assumption(conjunction([shared, mine]), shared) == [shared]


def test_a_condition_moves_into_distinct_rows_with_its_columns(m: Matching) -> None:
    def side(column: str) -> Bag:
        inner, row = m.world.names.variable("h"), m.world.names.variable("distinct")
        outputs = (Field(inner, "x"), Apply("+", (Field(inner, "y"), integer(1))))
        kept = Compare("<", Field(inner, column), integer(3)) if column == "x" else TRUE
        outside = TRUE if column == "x" else Compare("<", Field(row, 0), integer(3))
        source = Squash(Bag((Term((Binding(inner, Scan("h")),), kept, outputs),)))
        return Bag((Term((Binding(row, source),), outside, (Field(row, 1),)),))

    assert same_bag(m, side("x"), side("y"), MatchingScope()) is not None


def test_exists_is_not_a_count(m: Matching) -> None:
    rows = bag(m, "SELECT 1 FROM h WHERE x > 3")
    hollow = Exists(Bag(tuple(replace(term, outputs=()) for term in rows.terms)))
    once = Bag((Term((), hollow, (TRUE,)),))
    assert same_bag(m, once, rows, MatchingScope()) is None
