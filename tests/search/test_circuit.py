"""Circuits, counts and the solver, against brute force."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv.search.circuit import FALSE, TRUE, Circuit, Counts, Literal, TooLargeError
from equiv.search.deepening import solve


def holds(circuit: Circuit, literal: Literal, model: frozenset[Literal]) -> bool:
    """The truth of a literal where exactly the variables of the model are true."""
    if literal < 0:
        return not holds(circuit, -literal, model)
    parts = circuit.parts(literal)
    return literal in model if parts is None else all(holds(circuit, part, model) for part in parts)


def models(variables: list[Literal]) -> list[frozenset[Literal]]:
    choices = product((False, True), repeat=len(variables))
    return [frozenset(v for v, on in zip(variables, choice, strict=True) if on) for choice in choices]


def test_constants_fold() -> None:
    circuit = Circuit(10)
    a, b = circuit.variable(), circuit.variable()
    assert circuit.both(a, TRUE) == a
    assert circuit.both(a, FALSE) == FALSE
    assert circuit.both(a, -a) == FALSE
    assert circuit.either(a, -a) == TRUE
    assert circuit.all([]) == TRUE
    assert circuit.any([]) == FALSE
    assert circuit.all([a, b, a]) == circuit.both(b, a)
    assert circuit.same(a, a) == TRUE


def test_the_budget_is_kept() -> None:
    circuit = Circuit(2)
    circuit.variable()
    circuit.variable()
    with pytest.raises(TooLargeError):
        circuit.variable()


@st.composite
def circuits(draw: st.DrawFn) -> tuple[Circuit, list[Literal], Literal]:
    """A circuit over a few variables, and one of its literals."""
    circuit = Circuit(1000)
    variables = [circuit.variable() for _ in range(4)]
    known = list(variables)
    for _ in range(draw(st.integers(1, 12))):
        chosen = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
        signed = [literal if draw(st.booleans()) else -literal for literal in chosen]
        combine: Callable[[list[Literal]], Literal] = circuit.all if draw(st.booleans()) else circuit.any
        known.append(combine(signed))
    return circuit, variables, known[-1]


@given(circuits())
def test_the_solver_finds_a_model_if_there_is_one(made: tuple[Circuit, list[Literal], Literal]) -> None:
    circuit, variables, root = made
    satisfiable = any(holds(circuit, root, model) for model in models(variables))
    solved = solve(circuit, [root], 100_000)
    assert solved.status == ("model" if satisfiable else "none")
    assert not satisfiable or holds(circuit, root, solved.model)


@given(st.lists(st.integers(0, 4), max_size=6), st.lists(st.integers(0, 4), max_size=6))
def test_counts(left: list[int], right: list[int]) -> None:
    circuit = Circuit(10_000)
    variables = [circuit.variable() for _ in range(4)]
    pool = [*variables, TRUE]
    counts = Counts(circuit)
    mine, yours = [pool[n] for n in left], [-pool[n] for n in right]
    exact, more = counts.exactly(mine), counts.more(mine, yours)
    two = counts.reach(mine, 2)
    for model in models(variables):
        number = sum(holds(circuit, literal, model) for literal in mine)
        other = sum(holds(circuit, literal, model) for literal in yours)
        assert [holds(circuit, literal, model) for literal in exact] == [
            n == number for n in range(len(exact))
        ]
        assert holds(circuit, more, model) == (number > other)
        assert holds(circuit, two, model) == (number >= 2)
