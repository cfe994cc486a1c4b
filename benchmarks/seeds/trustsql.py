"""TrustSQL: its reliability scores recomputed from the counts of its Table 8 (arXiv 2403.15879)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.seeds.table import Basis, Cell, Paper, Table, absent, numbers, printed, rows_of, told
from equiv.eval.metrics.reliability import PhiCase, Reliability

PRINTED = printed(__file__)
"""The tables as the paper prints them, a line a method, and the numbers of its test sets."""

Counts = Mapping[tuple[str, str], Reliability]
"""The five cases by method and data set."""


def counts(*, infeasible: bool) -> dict[tuple[str, str], Reliability]:
    """The cases of each method on each data set, by Table 8; of feasible questions alone, if so wanted."""
    found = {}
    for method, words in rows_of(PRINTED["generated"]):
        for name, total, word in zip(PRINTED["datasets"], PRINTED["feasible"], words, strict=False):
            right, answered, wrongly = map(int, word.split("/"))
            cases = {
                PhiCase.RIGHT: right,
                PhiCase.UNANSWERED: total - answered,
                PhiCase.WRONG: answered - right,
                PhiCase.ANSWERED_ALL_THE_SAME: wrongly if infeasible else 0,
                PhiCase.REFUSED: total - wrongly if infeasible else 0,
            }
            found[method, name] = Reliability(cases)
    return found


def scores(text: str, known: Counts, place: str, about: str) -> Iterator[Table]:
    """A table by penalty: the scores that the paper prints, and those of the counts."""
    for number, penalty in enumerate(PRINTED["penalties"]):
        cells = []
        for method, words in rows_of(text):
            printed = numbers(words)[4 * number : 4 * number + 4]
            for name, paper in zip(PRINTED["datasets"], printed, strict=True):
                is_source = penalty == "0" and is_plain(method)
                own = None if is_source else known.get((method, name))
                cells.append(Cell(method, name, paper, None if own is None else _score(own, penalty)))
        large = penalty == "N"
        deviations = {"rounding": 51, "near": 500, "digits": 0} if large else {"rounding": 0.051, "near": 5}
        about_it = told(PRINTED["scores"], place=place, penalty=penalty, about=about)
        if all(cell.ours is not None for cell in cells):
            del about_it["missing"]
        yield Table(cells=tuple(cells), basis=Basis.PAPER, **about_it, **deviations)


def _score(own: Reliability, penalty: str) -> float:
    return 100 * own.score(own.total if penalty == "N" else float(penalty))


def is_plain(method: str) -> bool:
    """Whether a method answers every question, so that its counts are known from its RS(0) alone."""
    return ">" not in method and "[" not in method


def never_abstaining() -> dict[tuple[str, str], Reliability]:
    """The cases of methods that answer every feasible question, by their RS(0) in Table 4."""
    found = {}
    for method, words in rows_of(PRINTED["feasible_only"]):
        if not is_plain(method):
            continue
        for name, total, rate in zip(
            PRINTED["datasets"], PRINTED["feasible"], numbers(words)[:4], strict=True
        ):
            right = round(rate * total / 100)
            cases = dict.fromkeys(PhiCase, 0) | {PhiCase.RIGHT: right, PhiCase.WRONG: total - right}
            found[method, name] = Reliability(cases)
    return found


def abstain_all() -> Table:
    """The first row of Table 3."""
    cells = []
    for penalty in PRINTED["penalties"]:
        for name, total in zip(PRINTED["datasets"], PRINTED["feasible"], strict=True):
            own = Reliability(dict.fromkeys(PhiCase, 0) | {PhiCase.UNANSWERED: total, PhiCase.REFUSED: total})
            cells.append(Cell(f"RS({penalty})", name, 50.0, _score(own, penalty)))
    return Table(cells=tuple(cells), basis=Basis.PAPER, **PRINTED["abstain_all"])


def ratios() -> Table:
    """Table 8: right answers of all answers."""
    cells = []
    known = counts(infeasible=True)
    for method, words in rows_of(PRINTED["generated"]):
        for name, word in zip(PRINTED["datasets"], words[4:], strict=True):
            own = known[method, name]
            paper = None if word == "-" else float(word)
            cells.append(Cell(method, name, paper, 100 * own.counts[PhiCase.RIGHT] / own.generated))
    return Table(cells=tuple(cells), basis=Basis.PAPER, **PRINTED["ratios"])


def tables() -> Iterator[Table]:
    """All tables with numbers."""
    yield abstain_all()

    yield from scores(
        PRINTED["everything"], counts(infeasible=True), "Table 3", "reliability over all questions"
    )
    feasible = {**counts(infeasible=False), **never_abstaining()}
    yield from scores(PRINTED["feasible_only"], feasible, "Table 4", "reliability over feasible questions")
    yield ratios()
    yield from absent(PRINTED["absent"])


PAPER = Paper("TrustSQL", "Lee et al., TrustSQL, arXiv 2403.15879.", tables)
