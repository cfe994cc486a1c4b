"""Partial credit: a query that returns a superset or a subset of the required columns is not worth nothing.

Source: NL2SQLBench (appendix A.6, "partial credit scoring (rewarding queries that return a superset or
subset of required columns)"), which gives no formula.  Ours: where the columns of the narrower result are,
one to one and in any order, columns of the wider one, such that both results are the same set of rows on
them, the credit is the number of these columns over that of the wider result; else it is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from equiv.cells import Row
from equiv.core.runner import Failure, Result
from equiv.eval.metrics.execution import MAX_PERMUTATIONS
from equiv.eval.metrics.measured import PairId, grouped, pair_of
from equiv.eval.metrics.metric import Asked
from equiv.eval.running.worker import WORKER
from equiv.graphs import perfect_matchings
from equiv.records.record import Record
from equiv.show.page import Grid

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Credit:
    """What a prediction is worth, and why."""

    value: Fraction
    kind: str
    """``same``, ``superset``, ``subset`` or ``none``."""


def credit(pred: Result, gold: Result) -> Credit:
    """The credit of a result against the gold result."""
    narrow, wide = sorted((pred, gold), key=lambda result: result.columns)
    if not any(_agree(narrow.rows, wide.rows, chosen) for chosen in _choices(narrow, wide)):
        return Credit(NOTHING, "none")
    value = Fraction(narrow.columns, wide.columns)
    if pred.columns == gold.columns:
        return Credit(value, "same")
    return Credit(value, "superset" if pred.columns > gold.columns else "subset")


def _choices(narrow: Result, wide: Result) -> Iterator[tuple[int, ...]]:
    """For each column of the narrow result one of the wide result with the same values, all different."""
    values = [{row[i] for row in wide.rows} for i in range(wide.columns)]
    wanted = [{row[i] for row in narrow.rows} for i in range(narrow.columns)]
    fits = [[j for j in range(wide.columns) if values[j] == own] for own in wanted]
    return islice(perfect_matchings(fits), MAX_PERMUTATIONS)


def _agree(narrow: Sequence[Row], wide: Sequence[Row], chosen: tuple[int, ...]) -> bool:
    return set(narrow) == {tuple(row[j] for j in chosen) for row in wide}


def credited(db_id: str, pred: str, golds: Sequence[str]) -> Credit | None:
    """The best credit of a prediction against its gold queries, inside a worker process.

    A prediction that fails has none; nothing is measured without a database or where no gold query runs.
    """
    if WORKER.settings[db_id].place.database is None:
        return None
    best = None
    for gold in golds:
        match Asked(db_id, pred, gold).answers:
            case Result() as ours, Result() as theirs:
                found = credit(ours, theirs)
            case Failure(), Result():
                found = Credit(NOTHING, "none")
            case _:
                continue
        best = found if best is None or found.value > best.value else best
    return best


def credit_grid(records: Sequence[Record], measured: Mapping[PairId, Credit]) -> Grid:
    """The mean credit of each system over *all* its pairs, and how many pairs have which kind."""
    rows = []
    for name, own in grouped(records, "system").items():
        found = [measured.get(pair_of(record)) for record in own]
        known = [one for one in found if one is not None]
        mean = 100 * float(sum((one.value for one in known), NOTHING) / len(own))
        kinds = [sum(one.kind == kind for one in known) for kind in ("same", "superset", "subset", "none")]
        rows.append((name, str(len(own)), f"{mean:.1f}", *map(str, kinds), str(found.count(None))))
    columns = ("system", "pairs", "mean, %", "same", "superset", "subset", "none", "open")
    return Grid("partial credit by columns (NL2SQLBench, A.6)", columns, tuple(rows))
