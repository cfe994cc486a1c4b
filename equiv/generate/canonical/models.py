"""Z3's values for a few cells under conditions on them.

SQLite is asked whether a model is a solution, and a wrong one costs a try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from equiv.cells import Cell
from equiv.core.model import Column, Domain
from equiv.core.reading.goals import Place
from equiv.generate.canonical.encoding import Encoder, UnencodedError, any_letter
from equiv.generate.scratch import Condition

_RESOURCES, _RESOURCES_OF_TEXTS = 400_000, 120_000
"""Resource units of Z3 for one model, so that runs repeat; those of texts take longer."""

_MODELS = 3
_LARGEST = 10**7
_LONGEST = 40


def new_context() -> z3.Context:
    """A context of Z3 that nothing else uses."""
    return z3.Context()


def models(
    columns: Mapping[Place, Column], conditions: Sequence[Condition], context: object
) -> Iterator[dict[Place, Cell]]:
    """A few models of the conditions that can be encoded, each of another value of some cell."""
    assert isinstance(context, z3.Context)
    cells = {place: _cell(place, column, context) for place, column in columns.items()}
    texts = any(map(z3.is_string, cells.values()))
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", _RESOURCES_OF_TEXTS if texts else _RESOURCES)
    encoder = Encoder(cells, context)
    for cell in cells.values():
        for bound in _bounds(cell, context):
            solver.add(bound)
    encoded = 0
    for node, wanted in conditions:
        try:
            truth = encoder.truth(node)
        except (UnencodedError, z3.Z3Exception):
            continue
        if wanted is not None:
            encoded += 1
            solver.add(truth if wanted else z3.Not(truth))
    if not encoded:
        return
    for factor in (2, 1, None) if encoder.factors else (None,):
        solver.push()
        if factor is not None:
            # With one factor of each product known, what is left is linear and solved at once.
            solver.add(*(cell == factor for cell in encoder.factors))
        for _ in range(_MODELS):
            model = _model(solver)
            if model is None:
                break
            found = {place: model.eval(cell, model_completion=True) for place, cell in cells.items()}
            yield {place: _value(value) for place, value in found.items()}
            solver.add(z3.Or([cell != found[place] for place, cell in cells.items()]))
        solver.pop()


def _model(solver: z3.Solver) -> Any:
    """A model of what a solver holds, or None if none is found within its resources."""
    try:
        return solver.model() if solver.check() == z3.sat else None
    except z3.Z3Exception:
        return None


def _cell(place: Place, column: Column, context: z3.Context) -> Any:
    name = f"{place[0]}.{place[1]}"
    match column.domain:
        case Domain.INTEGER | Domain.BOOLEAN | Domain.ANY:
            return z3.Int(name, context)
        case Domain.NUMBER:
            return z3.Real(name, context)
        case Domain.TEXT:
            return z3.String(name, context)


def _bounds(cell: Any, context: z3.Context) -> Iterator[Any]:
    if z3.is_string(cell):
        yield z3.Length(cell) <= _LONGEST
        yield z3.InRe(cell, z3.Star(any_letter(context)))
    else:
        yield cell >= 0
        yield cell <= _LARGEST


def _value(value: Any) -> Cell:
    if z3.is_string_value(value):
        return str(value.as_string())
    if z3.is_int_value(value):
        return int(value.as_long())
    if z3.is_rational_value(value):
        return float(value.as_fraction())
    return None
