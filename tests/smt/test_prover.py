"""Claims that must be proved, and claims like them that must not."""

from __future__ import annotations

import pytest
from smt.random_claims.world import ABOVE, EXACT, FACTS, ONE, ROWS, SCHEMA, TWO

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    Found,
    IsNull,
    IsTrue,
    Lookup,
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
from equiv.smt.prover import Z3Prover

ID, N, I_, R, S, D, A, P = (Field(ONE, name) for name in ("id", "n", "i", "r", "s", "d", "a", "p"))
NAME, KEY = Field(ABOVE, "name"), Field(ABOVE, "id")


def _text(value: str) -> Constant:
    return Constant("text", value)


def _real(value: str) -> Constant:
    return Constant("real", value)


def _call(function: str, *arguments: Expression) -> Apply:
    return Apply(function, arguments)


def _cast(value: Expression, to: str = "INTEGER") -> Convert:
    return Convert(to, value, explicit=True)  # type: ignore[arg-type]


def _alike(left: Expression, right: Expression) -> Expression:
    """Whether two conditions filter alike."""
    return Compare("IS", IsTrue(left), IsTrue(right))


def _same(left: Expression, right: Expression) -> Expression:
    return Compare("IS", left, right)


def _equal(left: Expression, right: Expression) -> Expression:
    return Compare("=", left, right)


def _part(form: str, value: Expression = D) -> Expression:
    return _call("STRFTIME", _text(form), value)


def _start(value: Expression, length: int) -> Expression:
    return _call("SUBSTR", value, integer(1), integer(length))


def _prover(*more: Fact) -> Z3Prover:
    return Z3Prover(World(SCHEMA, Facts([*FACTS, *more])))


def _proves(goal: Expression, *given: Expression) -> bool:
    return _prover(*EXACT).proves(Claim(ROWS, given, goal))


TRUTHS = {
    "a date's year is its first four characters": _alike(
        _equal(_part("%Y"), _text("1990")), _call("LIKE", D, _text("1990%"))
    ),
    "a year is a range of dates": _alike(
        _equal(_part("%Y"), _text("1990")),
        And((Compare("<=", _text("1990-01-01"), D), Compare("<=", D, _text("1990-12-31")))),
    ),
    "a year as a number": _alike(
        Compare("<", integer(1990), _cast(_part("%Y"))), Compare("<=", _text("1991-01-01"), D)
    ),
    "year and month": _alike(
        _equal(_part("%Y-%m"), _text("1990-05")),
        And((_equal(_part("%Y"), _text("1990")), _equal(_part("%m"), _text("05")))),
    ),
    "no date lies between two days": _alike(
        Compare("<", _text("1990-12-31"), D), Compare("<=", _text("1991-01-01"), D)
    ),
    "the age in years": _same(
        _call("-", _part("%Y", Apply("NOW_TIMESTAMP")), _part("%Y")),
        _call("-", _cast(_part("%Y", Apply("NOW_DATE"))), _cast(_start(D, 4))),
    ),
    "GLOB respects case": _alike(_equal(_start(S, 3), _text("abc")), _call("GLOB", S, _text("abc*"))),
    "LIKE does not": _alike(
        _call("LIKE", S, _text("%abc%")), _call("LIKE", _call("UPPER", S), _text("%ABC%"))
    ),
    "sums commute": _same(_call("+", N, I_), _call("+", I_, N)),
    "products distribute": _same(
        _call("*", _call("/", _cast(N, "REAL"), ID), integer(100)),
        _call("/", _call("*", _cast(N, "REAL"), integer(100)), ID),
    ),
    "remainders": _same(
        _call("%", N, integer(3)), _call("-", N, _call("*", integer(3), _call("/", N, integer(3))))
    ),
    "NOT IN a range": _alike(
        Not(And((Compare("<=", integer(1), I_), Compare("<=", I_, integer(5))))),
        Or((Compare("<", I_, integer(1)), Compare("<", integer(5), I_))),
    ),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_truths_are_proved(name: str) -> None:
    assert _proves(TRUTHS[name])


REFUSALS = {
    "LIKE ignores case where SUBSTR does not": _alike(
        _equal(_start(S, 3), _text("abc")), _call("LIKE", S, _text("abc%"))
    ),
    "LIKE reads up to a NUL character": _alike(_equal(S, _text("12")), _call("LIKE", S, _text("12"))),
    "a text that is not a date has no year": _alike(
        _equal(_part("%Y", S), _text("1990")), _call("LIKE", S, _text("1990%"))
    ),
    "a month has two digits": _alike(_equal(_part("%m"), _text("5")), _equal(_cast(_part("%m")), integer(5))),
    "integers divide to integers": _same(_call("/", N, integer(2)), _call("/", N, _real("2.0"))),
    "NULL is not equal to NULL": _equal(I_, I_),
    "equal is not indistinguishable": Or(
        (Not(IsTrue(_equal(A, I_))), _same(_call("LENGTH", A), _call("LENGTH", I_)))
    ),
    "text is not a number": Or((Not(IsTrue(_equal(_cast(S), I_))), _same(_cast(I_, "TEXT"), S))),
    "SUM over nothing is NULL": Not(IsNull(Aggregate("SUM", Bag(())))),
    "an unknown function may return anything": _equal(_call("MYSTERY", N), _call("MYSTERY", ID)),
    "infinity is not a number": Compare("<", R, _real("9e999")),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_near_truths_are_refused(name: str) -> None:
    assert not _proves(REFUSALS[name])


def test_contradictions_prove_anything() -> None:
    assert _proves(FALSE, Compare("<", I_, integer(1)), Compare("<", integer(1), I_))
    assert _proves(FALSE, _equal(S, _text("a")), _equal(S, _text("b")))
    assert not _proves(FALSE, Compare("<", R, integer(1)), Compare("<", integer(0), R))
    assert not _proves(NULL)
    assert _proves(TRUE)


def test_arithmetic_needs_its_facts() -> None:
    whole = _same(_call("-", _call("+", N, I_), I_), Case(((IsNull(I_), NULL),), N))
    real = _same(_call("-", _call("+", R, R), R), R)
    exact, bounded = EXACT
    assert not _prover().proves(Claim(ROWS, (), whole))
    assert not _prover(exact).proves(Claim(ROWS, (), whole))
    assert _prover(bounded).proves(Claim(ROWS, (), whole))
    assert not _prover(bounded).proves(Claim(ROWS, (), real))
    assert _prover(exact).proves(Claim(ROWS, (), real))


def test_used_facts_are_recorded_when_a_proof_succeeds() -> None:
    prover = _prover(*EXACT)
    world = prover._world
    assert not prover.proves(Claim(ROWS, (), _equal(_part("%Y", S), _text("1990"))))
    assert not world.used
    assert prover.proves(Claim(ROWS, (), TRUTHS["year and month"]))
    assert FactKind.ISO_DATE in {fact.kind for fact in world.used}
    assert FactKind.NO_OVERFLOW not in {fact.kind for fact in world.used}


# Rows


def _lookup(value: Expression, column: str) -> Lookup:
    return Lookup("parent", ("id",), (value,), column)


def test_equal_keys_make_one_row() -> None:
    other = Field(TWO, "id")
    assert _proves(_same(S, Field(TWO, "s")), _equal(ID, other))
    assert not _proves(_same(S, Field(TWO, "s")), _equal(P, Field(TWO, "p")))
    assert not _proves(_same(S, Field(TWO, "s")))


def test_references_are_found() -> None:
    found = Found("parent", ("id",), (P,))
    assert _proves(found, Not(IsNull(P)))
    assert not _proves(found)
    assert not _proves(Found("parent", ("id",), (N,)))
    assert _proves(Found("parent", ("id",), (_lookup(P, "g"),)), Not(IsNull(_lookup(P, "g"))))
    assert _proves(Not(found), IsNull(P))


def test_lookups_are_functions_of_the_key() -> None:
    assert _proves(_same(_lookup(P, "name"), NAME), _equal(P, KEY))
    assert _proves(_same(_lookup(P, "name"), _lookup(Field(TWO, "p"), "name")), _same(P, Field(TWO, "p")))
    assert _proves(_same(_lookup(KEY, "name"), NAME))
    assert not _proves(_same(_lookup(P, "name"), _lookup(Field(TWO, "p"), "name")))
    assert _proves(_same(_lookup(P, "id"), P))
    assert _proves(IsNull(_lookup(N, "name")), Not(Found("parent", ("id",), (N,))))


def test_inclusion_needs_plain_comparison() -> None:
    """A text that refers to an integer key is equal to it only after conversion."""
    kept = [fact for fact in FACTS if fact.kind is not FactKind.INCLUSION]
    text = Fact(FactKind.INCLUSION, Grade.INTENDED, "child", ("s",), "parent", ("id",))
    prover = Z3Prover(World(SCHEMA, Facts([*kept, text])))
    assert not prover.proves(Claim(ROWS, (Not(IsNull(S)),), Found("parent", ("id",), (S,))))


def test_checks_hold_of_rows() -> None:
    check = Fact(FactKind.CHECK, Grade.DECLARED, "child", expression="n < 5 OR s IN ('x', 'y')")
    prover = _prover(check)
    seven = (_equal(N, integer(7)), Compare("<", S, _text("y")))
    assert prover.proves(Claim(ROWS, seven, _equal(S, _text("x"))))
    assert prover.proves(Claim(ROWS, (_equal(S, _text("z")),), Compare("<", N, integer(5))))
    assert not prover.proves(Claim(ROWS, (IsNull(S),), Compare("<", N, integer(5))))


def test_a_derived_row_comes_from_rows_that_pass() -> None:
    inner, row = Variable(70, "inner"), Variable(71, "row")
    bag = Bag(
        (
            Term(
                (Binding(inner, Scan("child")),),
                Compare("<", integer(3), Field(inner, "n")),
                (Field(inner, "n"), Field(inner, "p")),
            ),
        )
    )
    rows = (Binding(row, Squash(bag)),)
    prover = _prover(*EXACT)
    assert prover.proves(Claim(rows, (), Compare("<", integer(2), Field(row, 0))))
    assert prover.proves(
        Claim(rows, (Not(IsNull(Field(row, 1))),), Found("parent", ("id",), (Field(row, 1),)))
    )
    assert not prover.proves(Claim(rows, (), Compare("<", integer(4), Field(row, 0))))


def test_a_variable_means_what_the_rows_of_the_claim_say() -> None:
    prover = _prover(*EXACT)
    goal = Not(IsNull(N))
    assert prover.proves(Claim(ROWS, (), goal))
    assert not prover.proves(Claim((), (), goal))
    assert not prover.proves(Claim((Binding(ONE, Scan("parent")),), (), goal))
    assert prover.proves(Claim(ROWS, (), goal))


# Nested bags


def _bag(number: int, *, column: str = "n") -> Bag:
    row = Variable(number, "x")
    condition = _equal(Field(row, "p"), KEY)
    return Bag((Term((Binding(row, Scan("child")),), condition, (Field(row, column),)),))


def test_nested_bags_are_equal_up_to_names_of_variables() -> None:
    assert _proves(_same(Aggregate("SUM", _bag(80)), Aggregate("SUM", _bag(81))))
    assert not _proves(_same(Aggregate("SUM", _bag(80)), Aggregate("SUM", _bag(81, column="i"))))
    assert not _proves(_same(Aggregate("SUM", _bag(80)), Aggregate("TOTAL", _bag(81))))


def test_aggregates_know_whether_there_are_rows() -> None:
    some = Exists(_bag(80))
    assert _proves(some, Compare("<", integer(0), Aggregate("COUNT", _bag(81))))
    assert _proves(Not(IsNull(Aggregate("MAX", _bag(81)))), some)
    assert not _proves(Not(IsNull(Aggregate("MAX", _bag(81, column="i")))), some)
    assert _proves(Compare("<=", integer(0), Aggregate("COUNT", _bag(81))))


def test_a_nested_bag_is_a_function_of_the_fields_from_outside() -> None:
    here = _bag(80)
    outer = Term(here.terms[0].bindings, _equal(Field(Variable(80), "p"), P), here.terms[0].outputs)
    assert _proves(_same(Aggregate("SUM", here), Aggregate("SUM", Bag((outer,)))), _equal(P, KEY))
    assert not _proves(_same(Aggregate("SUM", here), Aggregate("SUM", Bag((outer,)))))


# Obligations


def test_obligations_tell_what_was_shown() -> None:
    prover = _prover(*EXACT)
    prover.proves(Claim(ROWS, (Compare("<", N, integer(5)),), Compare("<=", N, integer(5))))
    prover.proves(Claim(ROWS, (Compare("<", N, integer(5)),), Compare("<=", N, integer(5))))
    (found,) = prover.obligations
    assert "then one.n ≤ 5" in found.text
    assert found.smtlib.startswith("(set-logic ALL)\n")
    assert found.smtlib.endswith("(check-sat)\n")


def test_little_budget_refuses() -> None:
    prover = Z3Prover(World(SCHEMA, Facts([*FACTS, *EXACT])), budget=1)
    assert not prover.proves(Claim(ROWS, (), TRUTHS["products distribute"]))
