"""NL2SQLBench: what its tables say of one another, by the metrics of this project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.seeds.table import Basis, Cell, Paper, Table, absent, numbers, printed, rows_of, told
from equiv.eval.metrics.nl2sqlbench import CLASSES, Graded, QuestionGrade, rates, revision

PRINTED = printed(__file__)
COMMAND: str = PRINTED["absent"]["how"]

Change = tuple[QuestionGrade, QuestionGrade]


@dataclass(frozen=True, slots=True)
class Setting:
    """A data set with a model, and what the paper's tables print of it, a line a system."""

    name: str
    questions: int
    tables: tuple[int, int, int, int]
    """The numbers of the tables of generation, errors, revision and the end."""
    generation: str
    """CR, IR and ER of the first candidate."""
    errors: str
    """No table or column, no function, syntax, timeout, others, and the total."""
    revision: str
    """CI, I2C, E2C, C2I, C2E."""
    end: str
    """The correct rate in the end."""


def settings() -> Iterator[Setting]:
    """The settings of the paper, from the file beside this module."""
    for each in PRINTED["setting"]:
        yield Setting(**each)


def errors(setting: Setting) -> Table:
    """The error rates of Tables 5 and 6 and the totals of Tables 15 to 18, from the classes of errors."""
    stated = {name: numbers(words)[2] for name, words in rows_of(setting.generation)}
    cells = []
    for name, words in rows_of(setting.errors):
        *classes, total = numbers(words)
        found = rates(_results(setting, classes))
        cells += [
            Cell(name, f"Table {setting.tables[0]}, ER", stated[name], 100 * found.error),
            Cell(name, f"Table {setting.tables[1]}, total", total, 100 * found.error),
        ]
    return Table(cells=tuple(cells), basis=Basis.PAPER, **_told("errors", setting))


def _told(name: str, setting: Setting) -> dict[str, Any]:
    off_row = PRINTED["off_row"] if setting.name == "Science, 4o-mini" else ""
    values = asdict(setting) | {"command": COMMAND, "off_row": off_row, "one": 100 / setting.questions}
    return told(PRINTED[name], **values)


def _results(setting: Setting, classes: Sequence[float]) -> list[Graded]:
    counts = [round(rate * setting.questions / 100) for rate in classes]
    failed = [
        Graded(QuestionGrade.ERROR, kind) for kind, n in zip(CLASSES, counts, strict=True) for _ in range(n)
    ]
    return failed + [Graded(QuestionGrade.INCORRECT)] * (setting.questions - len(failed))


def revised(setting: Setting) -> Table:
    """CI, and the correct rate in the end, from the rates of generation and the moves of revision."""
    moves = {name: numbers(words) for name, words in rows_of(setting.revision)}
    first = {name: numbers(words) for name, words in rows_of(setting.generation)}
    end = {name: numbers(words)[0] for name, words in rows_of(setting.end)}
    cells = []
    for name, paper in end.items():
        changes = _changes(setting, first[name], moves.get(name, [0.0] * 5))
        after = rates([Graded(late) for _, late in changes]).correct
        if name in moves:
            ci = 100 * revision(changes).improvement
            cells.append(Cell(name, f"Table {setting.tables[2]}, CI", moves[name][0], ci))
        cells.append(Cell(name, f"Table {setting.tables[3]}, CR", paper, 100 * after))
    rounding = 0.08 if setting.questions > 1000 else 0.4
    return Table(cells=tuple(cells), rounding=rounding, basis=Basis.PAPER, **_told("revised", setting))


def _changes(setting: Setting, first: Sequence[float], moves: Sequence[float]) -> list[Change]:
    correct, incorrect, error = (round(rate * setting.questions / 100) for rate in first)
    _, i2c, e2c, c2i, c2e = (rate / 100 for rate in moves)
    moved = (
        (QuestionGrade.INCORRECT, QuestionGrade.CORRECT, round(i2c * incorrect), incorrect),
        (QuestionGrade.ERROR, QuestionGrade.CORRECT, round(e2c * error), error),
        (QuestionGrade.CORRECT, QuestionGrade.INCORRECT, round(c2i * correct), 0),
        (QuestionGrade.CORRECT, QuestionGrade.ERROR, round(c2e * correct), 0),
    )
    changes = [(before, after) for before, after, count, _ in moved for _ in range(count)]
    for outcome, total in (
        (QuestionGrade.CORRECT, correct),
        (QuestionGrade.INCORRECT, incorrect),
        (QuestionGrade.ERROR, error),
    ):
        gone = sum(before is outcome for before, _ in changes)
        changes += [(outcome, outcome)] * (total - gone)
    return changes


def gold_schemas() -> Table:
    """The gains that figure 2's text states."""
    stated = (("C3-SQL", 37.94, 45.63, 20.27), ("TA-SQL", 59.71, 69.10, 15.73))
    gains = ((name, gain, 100 * (after - before) / before) for name, before, after, gain in stated)
    cells = tuple(Cell(name, "gain", paper, ours) for name, paper, ours in gains)
    return Table(cells=cells, basis=Basis.PAPER, **PRINTED["gold_schemas"])


def tables() -> Iterator[Table]:
    """All tables with numbers."""
    yield gold_schemas()
    for setting in settings():
        yield errors(setting)
    for setting in settings():
        yield revised(setting)
    yield from absent(PRINTED["absent"])
    yield Table(**PRINTED["figures"])


PAPER = Paper("NL2SQLBench", "Hou et al., NL2SQLBench: A Modular Benchmarking Framework, PVLDB.", tables)
