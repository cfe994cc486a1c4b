"""What a solver is told: every axiom has a name and is needed, every assertion says where it comes from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from smt.random_claims.world import ABOVE, DERIVED, DISTINCT, EXACT, FACTS, ONE, ROWS, SCHEMA, TWO

from equiv.algebra.terms import (
    FALSE,
    Aggregate,
    And,
    Apply,
    Bag,
    Binding,
    Compare,
    Constant,
    Exists,
    Expression,
    Field,
    Found,
    IsNull,
    IsTrue,
    Not,
    Or,
    Scan,
    Squash,
    Term,
    Variable,
    integer,
)
from equiv.algebra.world import Claim, World
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.smt.encoding.expressions import Encoder
from equiv.smt.logic import FALSE as NEVER
from equiv.smt.logic import Axiom, HypothesisOrigin, InconsistentError
from equiv.smt.prover import RowFacts, Z3Prover

S, T, D, N, P, ID = (Field(ONE, name) for name in ("s", "t", "d", "n", "p", "id"))
_INNER = Variable(80, "inner")
_TIMESTAMP = Fact(FactKind.ISO_TIMESTAMP, Grade.ASSUMED, "child", ("t",))


def _text(text: str) -> Constant:
    return Constant("text", text)


def _call(name: str, *arguments: Expression) -> Expression:
    return Apply(name, arguments)


def _children(output: Expression) -> Bag:
    condition = Compare("=", Field(_INNER, "p"), P)
    return Bag((Term((Binding(_INNER, Scan("child")),), condition, (output,)),))


def _month() -> Expression:
    return _call("STRFTIME", _text("%m"), D)


COUNTED = Aggregate("LINEAR", _children(integer(1)), whole=True)
SUMMED = Aggregate("LINEAR", _children(Field(_INNER, "n")), whole=True)
SOME = Exists(_children(integer(1)))

NEEDED: dict[Axiom, Expression] = {
    Axiom.COUNT_IS_NOT_NEGATIVE: Compare("<=", integer(0), Aggregate("COUNT", _children(Field(_INNER, "i")))),
    Axiom.COUNT_IS_POSITIVE_IF_A_ROW_COUNTS: Compare("IS", Compare("<", integer(0), COUNTED), SOME),
    Axiom.SUM_OVER_NO_ROWS_IS_ZERO: Or((SOME, Compare("=", SUMMED, integer(0)))),
    Axiom.LENGTH_IS_NOT_NEGATIVE: Or((IsNull(S), Compare("<=", integer(0), _call("LENGTH", S)))),
    Axiom.PATTERN_BOUNDS_TEXT: Or(
        (Not(IsTrue(_call("GLOB", S, _text("ab*")))), Compare("<=", _text("ab"), S))
    ),
    Axiom.BEGINNING_BOUNDS_TEXT: Or(
        (
            Not(IsTrue(Compare("=", _call("SUBSTR", S, integer(1), integer(2)), _text("ab")))),
            Compare("<", S, _text("ac")),
        )
    ),
    Axiom.DATE_HAS_PARTS: Or((IsNull(D), Compare("<=", _month(), _text("12")))),
    Axiom.DATE_PART_IS_A_NUMBER: Compare(
        "IS",
        Compare("<", Apply("+", (_month(), integer(0))), integer(6)),
        Compare("<", _month(), _text("06")),
    ),
    Axiom.JULIANDAY_COUNTS_DAYS: Or(
        (
            *(IsNull(_call("JULIANDAY", date)) for date in (D, Field(TWO, "d"))),
            Compare(
                "IS",
                Compare("<", _call("JULIANDAY", D), _call("JULIANDAY", Field(TWO, "d"))),
                Compare("<", D, Field(TWO, "d")),
            ),
        )
    ),
    Axiom.DATES_ARE_DAYS: Compare(
        "IS", Compare("<", _text("1990-12-31"), D), Compare("<=", _text("1991-01-01"), D)
    ),
    Axiom.TIMESTAMPS_ARE_INSTANTS: Compare(
        "IS", Compare("<", _text("1990-12-31 23:59:59.999999"), T), Compare("<", _text("1991"), T)
    ),
    Axiom.CALL_ON_LITERAL_IS_EVALUATED: Or(
        (Not(IsTrue(Compare("=", S, _text("abc")))), Compare("=", _call("LENGTH", S), integer(3)))
    ),
}


def _prover(*without: Axiom) -> Z3Prover:
    return Z3Prover(World(SCHEMA, Facts([*FACTS, *EXACT, _TIMESTAMP])), without=frozenset(without))


def test_every_axiom_is_listed_here() -> None:
    assert set(NEEDED) == set(Axiom)


@pytest.mark.parametrize("axiom", Axiom, ids=lambda axiom: axiom.name.lower())
def test_each_axiom_is_needed_and_named_in_the_obligation(axiom: Axiom) -> None:
    claim = Claim(ROWS, (), NEEDED[axiom])
    prover = _prover()
    assert prover.proves(claim)
    assert f"by axiom {axiom.name.lower()}" in prover.obligations[0].text
    assert not _prover(axiom).proves(claim)


def test_each_assertion_says_where_it_comes_from() -> None:
    prover = _prover()
    goal = And((Found("parent", ("id",), (P,)), Compare("<=", integer(0), _call("LENGTH", S))))
    assert prover.proves(Claim(ROWS, (Not(IsNull(P)), Not(IsNull(S))), goal, lemmas=(Compare("<", N, ID),)))
    script = prover.obligations[0].smtlib
    labels = re.findall(r"^\(assert \(! .* :named \|(\d+) (\w+)[^|]*\|\)\)$", script, re.MULTILINE)
    assert len(labels) == script.count("(assert ")
    assert [int(number) for number, _ in labels] == list(range(1, len(labels) + 1))
    assert {origin for _, origin in labels} == {
        HypothesisOrigin.CONDITION,
        HypothesisOrigin.LEMMA,
        HypothesisOrigin.ROW,
        HypothesisOrigin.FACT,
        HypothesisOrigin.AXIOM,
        HypothesisOrigin.GOAL,
    }
    text = prover.obligations[0].text
    assert "knowing one.n < one.id" in text
    assert "by fact inclusion(child.p -> parent.id)" in text


def test_a_claim_with_no_such_rows_says_so() -> None:
    prover = _prover()
    both = (Compare("<", N, integer(0)), Compare("<", integer(0), N))
    assert prover.proves(Claim(ROWS, both, Compare("=", N, integer(7))))
    assert prover.obligations[0].text.endswith("because there are no such rows")


def test_a_variable_that_the_claim_does_not_bind_proves_nothing() -> None:
    loose = Field(Variable(99, "loose"), "id")
    assert not _prover().proves(Claim(ROWS, (), Compare("IS", loose, loose)))
    assert not _prover().proves(Claim((), (), Not(IsNull(ID))))


def test_rows_of_one_claim_are_not_there_for_another() -> None:
    """A row of an empty derived table is bound; that it contradicts itself says nothing of other claims."""
    prover = _prover()
    inner, row = Variable(81, "inner"), Variable(82, "row")
    never = And((Compare("<", Field(inner, "n"), integer(0)), Compare("<", integer(0), Field(inner, "n"))))
    empty = Binding(row, Squash(Bag((Term((Binding(inner, Scan("child")),), never, (Field(inner, "n"),)),))))
    counted = Term(
        (Binding(_INNER, Scan("child")),), Compare("=", Field(_INNER, "n"), Field(row, 0)), (integer(1),)
    )
    total = Aggregate("LINEAR", Bag((counted,)), whole=True)
    assert prover.proves(Claim((*ROWS, empty), (), Compare("=", total, integer(7))))
    assert not prover.proves(Claim(ROWS, (), Compare("=", COUNTED, integer(7))))
    assert not prover.proves(Claim(ROWS, (), FALSE))


def test_axioms_that_contradict_each_other_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: RowFacts, seen: object) -> list[object]:
        from equiv.smt.logic import Hypothesis

        del self, seen
        return [Hypothesis(NEVER, HypothesisOrigin.FACT, "unique(child.id)")]

    monkeypatch.setattr(RowFacts, "hypotheses", broken)
    with pytest.raises(InconsistentError, match=r"contradict each other: fact unique\(child.id\)"):
        _prover().proves(Claim(ROWS, (), Compare("=", N, integer(7))))


def test_an_encoder_binds_the_rows_of_its_claim_alone() -> None:
    encoder = Encoder(World(SCHEMA, Facts(FACTS)), ROWS)
    assert set(encoder.sources) == {ONE, TWO, ABOVE, DISTINCT}
    assert encoder.sources[DISTINCT] == DERIVED


def test_the_page_about_proofs_lists_every_axiom() -> None:
    page = (Path(__file__).parents[2] / "docs" / "proof.md").read_text(encoding="utf-8")
    for axiom in Axiom:
        assert f"| `{axiom.name.lower()}` | {axiom.value} |" in page
