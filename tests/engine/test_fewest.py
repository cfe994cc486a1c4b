"""The facts of a verdict: the proof is made from those alone, and does without none of them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from kit.harness import Case, World, all_cases, runs_of

import equiv
from equiv.algebra.terms import Binding, Compare, Constant, Field, Scan
from equiv.algebra.world import Claim
from equiv.algebra.world import World as Algebra
from equiv.answers.pair import Pair
from equiv.engine.make import make_engine, make_tiers
from equiv.engine.walk import Fewest
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.options import Options
from equiv.relation import Relation, Rows
from equiv.smt.prover import Z3Prover
from equiv.tiers import proof
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.tiers.proof import ProofAttempt, ProofTier, attempt
from equiv.verdict import Equivalent, Naming, Proof

EQUIVALENT = [
    case
    for case in all_cases()
    if case.command == "decide" and case.parts[2].startswith("equivalent")
    if case.world is not None and not case.world.dialect
]
SAMPLE = EQUIVALENT[::15]
RUNS = runs_of((case.path.stem, case) for case in SAMPLE)
NOT_FEWEST = {"proof_rows_and_counts: Counted over both tables, or in each"}
"""A known fault: each of five facts that the verdict names can be spared, and the search does not see it."""
WORLD = World(
    """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born INTEGER);
    CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES author (id),
      pages INTEGER)
    """
)


def checked(case: Case, naming: Naming) -> Equivalent:
    assert case.world is not None
    world = case.world
    options = Options(
        relation=case.option("relation", "sql"),
        facts=world.policy,
        assume=world.assume,
        rounding=world.rounding,
        tiers=tuple(case.option("tiers", "rules,data,generate,proof").split(",")),
    )
    with closing(make_engine(world.schema, None, options)) as engine:
        verdict = engine.check(case.parts[0], case.parts[1], naming=naming)
    assert isinstance(verdict, Equivalent)
    return verdict


def proves(case: Case, verdict: Equivalent, facts: list[Fact]) -> bool:
    """Whether the tier that gave a verdict proves as much from some facts."""
    assert case.world is not None
    world = case.world
    pair = world.pair(case.parts[0], case.parts[1])
    pair = replace(pair, facts=Facts(facts), relation=verdict.strongest or verdict.relation).for_proofs
    tiers = make_tiers(pair.schema, pair.facts, None)
    return isinstance(next(t for t in tiers if t.tier is verdict.tier).settle(pair, 0), Proved)


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_listed_facts_suffice_and_none_can_be_spared(
    run: tuple[Case, ...], subtests: pytest.Subtests
) -> None:
    for case in run:
        with subtests.test(case.name):
            verdict = checked(case, Naming.ENOUGH)
            assert proves(case, verdict, list(verdict.facts))
            verdict = checked(case, Naming.FEWEST)
            facts = list(verdict.facts)
            assert proves(case, verdict, facts)
            # That no error is raised is taken for granted of the queries, whatever proves them; what symbols
            # rest on is named in any case.
            assert case.world is not None
            labels = case.world.pair(case.parts[0], case.parts[1]).labels or ()
            asked = [fact for fact in facts if fact.kind is not FactKind.NO_ERROR and fact not in labels]
            spared = [f for f in asked if proves(case, verdict, [other for other in facts if other != f])]
            assert bool(spared) == (case.name in NOT_FEWEST), [str(fact) for fact in spared]


@pytest.mark.parametrize(
    ("pred", "gold", "facts"),
    [
        ("SELECT id FROM book WHERE pages > 3 AND 1", "SELECT id FROM book WHERE 3 < pages", []),
        (
            "SELECT DISTINCT b.id FROM book AS b JOIN author AS a ON a.id = b.author_id",
            "SELECT b.id FROM book AS b",
            ["inclusion(book.author_id -> author.id)", "not_null(book.author_id)"],
        ),
    ],
)
def test_facts_of_both_tiers(pred: str, gold: str, facts: list[str]) -> None:
    for tiers in (("rules", "generate"), ("proof", "generate")):
        verdict = equiv.check(pred, gold, schema=WORLD.ddl, tiers=tiers, timeout=None)
        assert verdict.name == "equivalent"
        assert set(facts) <= set(map(str, verdict.facts))
        if not facts:
            assert verdict.facts == ()


def fact(name: str) -> Fact:
    return next(each for each in WORLD.facts if str(each) == name)


NEEDED, IDLE, UNLISTED = fact("unique(book.id)"), fact("type(book.pages)"), fact("not_null(author.name)")
EXACT = Fact(FactKind.EXACT_ARITHMETIC, Grade.ASSUMED)


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        ([NEEDED, UNLISTED], [NEEDED, UNLISTED]),
        ([IDLE, NEEDED, UNLISTED], [NEEDED, UNLISTED]),
        ([IDLE, NEEDED], [NEEDED, UNLISTED]),
        ([], [NEEDED, UNLISTED]),
    ],
)
def test_what_is_idle_is_dropped_and_what_was_not_listed_is_found(
    listed: list[Fact], found: list[Fact]
) -> None:
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    evidence = Proof("", "", (), ())

    def prove(given: Pair) -> TierOutcome:
        return Proved(evidence) if {NEEDED, UNLISTED} <= set(given.facts) else Open()

    assert set(Fewest(pair, Proved(evidence, tuple(listed)), prove).find().facts) == set(found)


@pytest.mark.parametrize(
    ("listed", "named"),
    [
        ([IDLE, NEEDED, UNLISTED], {IDLE, NEEDED, UNLISTED}),
        ([IDLE, NEEDED, UNLISTED, EXACT], {IDLE, NEEDED, UNLISTED}),
        ([IDLE, NEEDED], None),
    ],
)
def test_enough_facts_are_no_fewer_than_suffice_and_say_no_more_than_they_must(
    listed: list[Fact], named: set[Fact] | None
) -> None:
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    evidence, made = Proof("", "", (), ()), list[Facts]()

    def prove(given: Pair) -> TierOutcome:
        made.append(given.facts)
        return Proved(evidence) if {NEEDED, UNLISTED} <= set(given.facts) else Open()

    found = set(Fewest(pair, Proved(evidence, tuple(listed)), prove).enough().facts)
    assert {NEEDED, UNLISTED} <= found
    assert named is None or found == named
    assert len(made) <= 10  # what suffices is sought for less than what is fewest


def test_a_weaker_proof_from_fewer_facts_is_none() -> None:
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book", Rows.SET)
    evidence = Proof("", "", (), ())

    def prove(given: Pair) -> TierOutcome:
        enough = given.relation.rows is Rows.SET or NEEDED in set(given.facts)
        return Proved(evidence) if enough else Open()

    strict = Proved(evidence, (NEEDED,), Relation(Rows.BAG))
    assert Fewest(pair, strict, prove).find().facts == (NEEDED,)


def test_what_served_both_queries_alike_is_left_out_at_once() -> None:
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    evidence = Proof("", "", (), ())
    asked: list[set[Fact]] = []

    def prove(given: Pair) -> TierOutcome:
        asked.append(set(given.facts))
        return Proved(evidence, tuple(given.facts)) if NEEDED in asked[-1] else Open()

    proved = Proved(evidence, (IDLE, NEEDED, UNLISTED), on_both_sides=frozenset((IDLE, UNLISTED)))
    assert Fewest(pair, proved, prove).find().facts == (NEEDED,)
    assert asked == [{NEEDED}, set()]


def test_a_proof_that_lists_too_few_facts_is_not_taken_at_its_word() -> None:
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    evidence = Proof("", "", (), ())

    def prove(given: Pair) -> TierOutcome:
        return Proved(evidence) if {NEEDED, UNLISTED} <= set(given.facts) else Open()

    proved = Proved(evidence, (IDLE, NEEDED, UNLISTED))
    assert set(Fewest(pair, proved, prove).find().facts) == {NEEDED, UNLISTED}


def test_facts_are_of_the_steps_that_are_taken() -> None:
    world = Algebra(WORLD.schema, WORLD.facts)
    outer = world.open_step()
    world.use((NEEDED,))
    for fact, is_taken in ((IDLE, False), (UNLISTED, True)):
        inner = world.open_step()
        world.use((fact,))
        assert world.close_step(inner, is_taken=is_taken) == (fact,)
    assert not world.used
    assert world.close_step(outer) == (NEEDED, UNLISTED)
    assert list(world.used) == [NEEDED, UNLISTED]


def test_a_pair_is_proved_once_from_the_same_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def attempt(given: Pair, _budget: int, *_: object, **_more: object) -> ProofAttempt:
        made.append(len(given.facts))
        return ProofAttempt(Proved(Proof("", "", (), ())) if given.facts else Open())

    monkeypatch.setattr(proof, "attempt", attempt)
    pair, other = (WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book") for _ in range(2))
    pair = replace(pair, relation=Relation(Rows.BAG))
    tier, few = ProofTier(), replace(pair, facts=Facts((NEEDED,)))
    looser, stricter = (replace(few, relation=Relation(rows)) for rows in (Rows.SET, Rows.LIST))
    for each in (pair, few, few, pair, looser, stricter, other):
        tier.settle(each, 0)
    assert made == [len(pair.facts), 1, 1, len(pair.facts)]


def test_a_proof_serves_facts_that_differ_in_nothing_it_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []

    def attempt(given: Pair, _budget: int, *_: object, strictest: bool, **_more: object) -> ProofAttempt:
        made.append(strictest)
        return ProofAttempt(
            Proved(Proof("", "", (), ())) if NEEDED in given.facts.of(NEEDED.kind) else Open()
        )

    monkeypatch.setattr(proof, "attempt", attempt)
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    pair = replace(pair, relation=Relation(Rows.BAG))
    few, none, idle = (replace(pair, facts=Facts(each)) for each in ((NEEDED,), (), (IDLE,)))
    assert NEEDED.kind is not IDLE.kind
    tier = ProofTier()
    for each in (few, replace(few, facts=Facts((IDLE, NEEDED)))):
        assert isinstance(tier.settle(each, 0), Proved)
        assert isinstance(tier.make_again(each, 0), Proved)
    assert made == [True]
    for each in (none, idle):
        assert isinstance(tier.make_again(each, 0), Open)
    assert made == [True, False]
    assert isinstance(tier.settle(idle, 0), Open)
    assert made == [True, False, True]


def test_effort_bounds_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[int] = []

    def attempt(_pair: Pair, budget: int, *_: object, **_more: object) -> ProofAttempt:
        budgets.append(budget)
        return ProofAttempt(Open())

    monkeypatch.setattr(proof, "attempt", attempt)
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    for effort in (0, 1, 60, 300, 6000):
        ProofTier().settle(pair, effort)
    assert budgets == [300_000, 60_000, 60_000, 300_000, 3_000_000]


def test_what_one_relation_relied_on_is_not_what_another_did() -> None:
    world = Algebra(WORLD.schema, WORLD.facts)
    first = world.attempt()
    first.use((NEEDED,))
    second = world.attempt()
    second.use((IDLE,))
    assert (list(world.used), list(first.used), list(second.used)) == ([], [NEEDED], [IDLE])


def test_a_claim_decided_before_is_recorded_where_it_is_asked() -> None:
    world = Algebra(WORLD.schema, WORLD.facts)
    row = world.names.variable("b")
    pages = Field(row, "pages")
    less, more = Constant("integer", "3"), Constant("integer", "4")
    bound = (Binding(row, Scan("book")),)
    claim = Claim(bound, (Compare("<", pages, less),), Compare("<", pages, more))
    first, second, third = (Z3Prover(world).within(world.attempt()) for _ in range(3))
    assert first.proves(claim)
    again, fresh = first.within(world.attempt()), world.attempt()
    assert again.obligations == ()
    assert first.within(fresh).proves(claim)
    assert list(fresh.used)
    assert again.proves(claim)
    assert again.obligations == first.obligations
    assert second.obligations == third.obligations == ()


def test_an_attempt_ends_at_its_limit_of_steps() -> None:
    pair = WORLD.pair(
        "SELECT DISTINCT b.id FROM book AS b JOIN author AS a ON a.id = b.author_id WHERE a.born > 3",
        "SELECT id FROM book WHERE EXISTS (SELECT 1 FROM author WHERE id = book.author_id AND born > 3)",
    )
    whole = attempt(pair)
    assert isinstance(whole.outcome, Proved)
    assert whole.work > 0
    assert isinstance(attempt(pair, limit=whole.work).outcome, Proved)
    cut = attempt(pair, limit=whole.work - 1)
    assert cut.is_cut_off
    assert isinstance(cut.outcome, Open)


def test_attempts_from_fewer_facts_may_take_twice_as_long_as_the_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[object] = []

    def attempt(_pair: Pair, _budget: int, *_: object, limit: int | None, **_more: object) -> ProofAttempt:
        limits.append(limit)
        return ProofAttempt(Proved(Proof("", "", (), ())), work=50_000)

    monkeypatch.setattr(proof, "attempt", attempt)
    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    tier = ProofTier()
    tier.settle(pair, 0)
    monkeypatch.setattr("equiv.facts.Watched.answered_as", lambda *_: False)
    tier.make_again(replace(pair, facts=Facts((NEEDED,))), 0)
    assert limits == [None, 102_000]


@pytest.mark.parametrize(("letters", "most"), [(10, 24), (100_000, 2)])
def test_a_proof_of_large_forms_is_made_again_less_often(letters: int, most: int) -> None:
    tried = 0

    def prove(_pair: Pair) -> TierOutcome:
        nonlocal tried
        tried += 1
        return Open()

    pair = WORLD.pair("SELECT id FROM book", "SELECT book.id FROM book")
    facts = tuple(WORLD.facts)
    Fewest(
        pair, Proved(Proof("x" * letters, "", (), ()), facts, Relation(Rows.BAG)), lambda _: Open(), prove
    ).find()
    assert tried <= most
