"""One suite from its files to its folder, and its report: printed, and as JSON.

Its figures are the rivals that the databases kill, and agreement with the engine's verdicts.  The folders
are those in which BIRD's and Spider's scripts look for databases.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.metrics.scores import percent_of
from equiv.eval.suite.gather import SuiteOrder, checked, parts_of, predictions_of, settings_for
from equiv.eval.suite.part import SuitePart
from equiv.eval.suite.script import MUTATION, EvaluationScript, Layout, RivalKind, SuiteQuestion, questions_of
from equiv.eval.suite.worker import RivalMark
from equiv.files import FileErrors
from equiv.records.record import versions
from equiv.show.page import Block, Grid, Text

REPORT = "suite.json"
"""The report in the folder of a suite; it lists the suite's files."""
WORK = "work"
ENDINGS = (".sqlite", ".sql")
"""How the file of a database ends: SQLite's, and a script of another engine's."""


def open_folder(out: Path) -> Path:
    """Make the folder of a suite, and in it one to work in; what an earlier suite left there goes.

    Raises:
        InputError: it cannot be made, or holds databases that no suite put there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        _clear(out)
        shutil.rmtree(out / WORK, ignore_errors=True)
        (out / WORK).mkdir()
    except OSError as error:
        raise InputError(f"{error.filename or out}: {error.strerror or error}") from None
    return out / WORK


def _clear(out: Path) -> None:
    """Remove the files that the report of an earlier suite lists."""
    report = out / REPORT
    if not report.exists():
        stray = next((path for ending in ENDINGS for path in out.glob(f"*/*/*{ending}")), None)
        if stray is not None:
            raise InputError(f"{out} holds {stray.relative_to(out)}, which {REPORT} does not list")
        return
    try:
        files = [str(name) for name in json.loads(report.read_text(encoding="utf-8"))["files"]]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{report}: not the report of a suite") from None
    for name in files:
        path = out / name
        if path.resolve().is_relative_to(out.resolve()) and path.suffix in ENDINGS:
            path.unlink(missing_ok=True)
            _remove_empty(path.parent, out)
    report.unlink()


def _remove_empty(folder: Path, out: Path) -> None:
    """Remove a folder below another, and those between, if empty: a script would miss files there."""
    while folder != out and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def place_files(out: Path, parts: Sequence[SuitePart], layout: Layout) -> list[SuitePart]:
    """Move the files of all parts to where the script looks for them.

    For BIRD the n-th databases of all parts make the n-th root; a part that has fewer stands there
    with its first once more, so that every question can be asked on every root.
    """
    roots = max(len(part.kept) for part in parts)
    return [_placed(out, part, layout, roots) for part in parts]


def _placed(out: Path, part: SuitePart, layout: Layout, roots: int) -> SuitePart:
    kept, copies = [], []
    for number, each in enumerate(part.kept, 1):
        path = _target(out, part.db_id, layout, number, part.kept[0].path.suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept.append(replace(each, path=each.path.rename(path)))
    for number in range(len(kept) + 1, roots + 1 if layout is Layout.BIRD else 0):
        path = _target(out, part.db_id, layout, number, part.kept[0].path.suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept[0].path, path)
        copies.append(path)
    return replace(part, kept=tuple(kept), copies=tuple(copies))


def _target(out: Path, db_id: str, layout: Layout, number: int, suffix: str) -> Path:
    if layout is Layout.BIRD:
        return out / f"suite-{number}" / db_id / f"{db_id}{suffix}"
    ending = "" if number == 1 else f"-{number}"
    return out / "database" / db_id / f"{db_id}{ending}{suffix}"


REFUTED = (RivalKind.WRONG, RivalKind.STRICTER, RivalKind.MUTANT, RivalKind.INVALID)


@dataclass(frozen=True, slots=True)
class MadeSuite:
    """A suite, and what it was made of."""

    script: EvaluationScript
    parts: tuple[SuitePart, ...]
    unusable: int
    """Records without a database, or without a gold query that runs."""
    mutants: Mapping[str, int]
    """The mutants that were tried, by verdict."""

    def of(self, *kinds: RivalKind) -> list[tuple[SuitePart, RivalMark]]:
        """The rivals of some kinds."""
        return [
            (part, (place, at))
            for part in self.parts
            for place, question in enumerate(part.questions)
            for kind in kinds
            for at in question.of(kind)
        ]

    def share(self, *kinds: RivalKind, databases: int | None = None) -> tuple[int, int]:
        """How many rivals of some kinds the first databases of each part kill, and of how many."""
        rivals = self.of(*kinds)
        kills = {
            part.db_id: frozenset[RivalMark]().union(*(each.kills for each in part.kept[:databases]))
            for part in self.parts
        }
        return sum(mark in kills[part.db_id] for part, mark in rivals), len(rivals)

    @property
    def runs(self) -> int:
        """The most databases that one ``db_id`` has."""
        return max(len(part.kept) for part in self.parts)

    @property
    def survivors(self) -> list[tuple[SuitePart, RivalMark]]:
        """Refuted and invalid predictions and mutants that no database kills."""
        return [(part, mark) for part, mark in self.of(*REFUTED) if mark not in part.kills]


SHOWN = 20
"""How many rivals that no database kills are printed; the file has all."""

_TITLES = (
    ("refuted predictions", (RivalKind.WRONG, RivalKind.STRICTER)),
    ("- under the script's comparison", (RivalKind.WRONG,)),
    ("- under a stricter relation only", (RivalKind.STRICTER,)),
    ("refuted mutants", (RivalKind.MUTANT,)),
    ("predictions that are not query", (RivalKind.INVALID,)),
    ("undecided predictions", (RivalKind.OPEN,)),
    ("predictions proved right", (RivalKind.RIGHT,)),
)


def blocks_of(outcome: MadeSuite) -> list[Block]:
    """The report as it is printed."""
    rows = tuple(
        (title, str(total), str(killed), percent_of(killed, total))
        for title, kinds in _TITLES
        for killed, total in [outcome.share(*kinds)]
        if total
    )
    grids = [
        Grid("predictions that the suite calls wrong", ("queries", "all", "killed", "share"), rows),
        _by_database(outcome),
        _by_number(outcome),
        _per_question(outcome),
        _survivors(outcome),
    ]
    return [*(grid for grid in grids if grid.rows), Text(_also(outcome))]


def _by_database(outcome: MadeSuite) -> Grid:
    rows = tuple(
        (
            part.db_id,
            str(len(part.questions)),
            str(len(part.kept)),
            ", ".join(str(sum(kept.rows.values())) for kept in part.kept),
        )
        for part in outcome.parts
    )
    return Grid("databases", ("db_id", "questions", "databases", "rows"), rows)


def _by_number(outcome: MadeSuite) -> Grid:
    """What the first databases of each part kill together."""
    rows = []
    for number in range(1, outcome.runs + 1):
        shares = [
            outcome.share(*kinds, databases=number)
            for kinds in ((RivalKind.WRONG, RivalKind.STRICTER), (RivalKind.MUTANT,))
        ]
        rows.append((str(number), *(percent_of(*share) for share in shares)))
    title = "killed by the first databases of each db_id"
    return Grid(title, ("databases", "refuted predictions", "refuted mutants"), tuple(rows))


def _per_question(outcome: MadeSuite) -> Grid:
    """How many databases a question needs: by itself, and of the suite."""
    alone = Counter(number for part in outcome.parts for number in part.alone)
    needed = Counter(len(part.needs(place)) for part in outcome.parts for place in range(len(part.questions)))
    numbers = sorted(alone.keys() | needed.keys())
    rows = tuple((str(number), str(alone[number]), str(needed[number])) for number in numbers)
    columns = ("databases", "questions that need so many alone", "of the suite")
    return Grid("databases per question", columns, rows)


def _survivors(outcome: MadeSuite) -> Grid:
    rows = []
    for part, mark in outcome.survivors[:SHOWN]:
        question = part.questions[mark[0]]
        rival = question.rivals[mark[1]]
        rows.append((part.db_id, str(question.question_id), rival.kind.value, rival.name))
    return Grid("refuted, and killed by no database", ("db_id", "question", "kind", "name"), tuple(rows))


def _also(outcome: MadeSuite) -> str:
    others = sum(count for name, count in outcome.mutants.items() if name != "not_equivalent")
    remarks = [f"{others} mutants that were not refuted are left out."]
    if outcome.unusable:
        remarks.append(f"{outcome.unusable} records have no database or no gold query that runs.")
    if loose := sum(len(part.loose) for part in outcome.parts):
        remarks.append(f"{loose} gold queries leave their answer open on every database that was made.")
    if lost := sum(len(part.lost) for part in outcome.parts):
        remarks.append(f"{lost} queries did not return and were not measured.")
    if len(outcome.survivors) > SHOWN:
        remarks.append(f"All {len(outcome.survivors)} that no database kills are listed in {REPORT}.")
    return " ".join(remarks)


def write_report(outcome: MadeSuite, out: Path) -> None:
    """Write the report into the folder of a suite.

    Raises:
        InputError: it cannot be written.
    """
    path = out / REPORT
    text = json.dumps(_to_json(outcome, out), indent=1, ensure_ascii=True)
    with FileErrors(path):
        path.write_text(text + "\n", encoding="ascii")


def _to_json(outcome: MadeSuite, out: Path) -> dict[str, Any]:
    files = [path for part in outcome.parts for path in (*(k.path for k in part.kept), *part.copies)]
    return {
        "layout": outcome.script.layout.value,
        "keep_distinct": outcome.script.keep_distinct,
        "summary": {
            **{kind.value: _share(*outcome.share(kind)) for kind in RivalKind},
            "refuted": _share(*outcome.share(RivalKind.WRONG, RivalKind.STRICTER)),
            "unusable": outcome.unusable,
            "mutants": dict(outcome.mutants),
            "databases": sum(len(part.kept) for part in outcome.parts),
        },
        "databases": [
            _database(part, number, out) for part in outcome.parts for number in range(len(part.kept))
        ],
        "questions": [
            _question(part, place, out) for part in outcome.parts for place in range(len(part.questions))
        ],
        "files": sorted(str(path.relative_to(out)) for path in files),
        "versions": versions(),
    }


def _share(killed: int, total: int) -> dict[str, int]:
    return {"all": total, "killed": killed}


def _database(part: SuitePart, number: int, out: Path) -> dict[str, Any]:
    kept = part.kept[number]
    before = frozenset[RivalMark]().union(*(each.kills for each in part.kept[:number]))
    return {
        "db_id": part.db_id,
        "file": str(kept.path.relative_to(out)),
        "rows": dict(kept.rows),
        "kills": _by_kind(part, kept.kills),
        "kills_first": _by_kind(part, kept.kills - before),
    }


def _by_kind(part: SuitePart, marks: frozenset[RivalMark]) -> dict[str, int]:
    kinds = Counter(part.questions[place].rivals[at].kind.value for place, at in marks)
    return dict(sorted(kinds.items()))


def _question(part: SuitePart, place: int, out: Path) -> dict[str, Any]:
    question = part.questions[place]
    kills = {at for mark, at in part.kills if mark == place}
    return {
        "db_id": part.db_id,
        "question_id": question.question_id,
        "gold_sql": question.gold,
        "determined": place not in part.loose,
        "alone": part.alone[place],
        "needs": [str(part.kept[number].path.relative_to(out)) for number in part.needs(place)],
        "killed": {
            kind.value: _share(len(kills & set(own := question.of(kind))), len(own)) for kind in RivalKind
        },
        "survivors": [
            _named(question, at) for kind in REFUTED for at in question.of(kind) if at not in kills
        ],
        "lost": [_named(question, at) for mark, at in sorted(part.lost) if mark == place],
    }


def _named(question: SuiteQuestion, at: int) -> dict[str, str]:
    rival = question.rivals[at]
    return {"kind": rival.kind.value, "name": rival.name, "sql": rival.sql}


Say = Callable[[str], None]


def make_suite(order: SuiteOrder, say: Say) -> MadeSuite:
    """Make the suite that was ordered, and write its report.

    Args:
        order: what was asked for.
        say: is told what has been done, a line each.

    Raises:
        InputError: a file cannot be read or written, a database cannot be found, or there is no question.
    """
    work = open_folder(order.out)
    everything = predictions_of(order)
    settings = settings_for(everything, order)
    records = [record for record in everything if record["db_id"] in settings]
    more = checked(records, settings, order, say)
    questions, unusable = questions_of(records, more, order.script)
    if not questions:
        raise InputError("no question with a gold query that runs: there is nothing to make a suite of")
    parts = []
    for part in parts_of(order, settings, questions, work):
        say(f"{part.db_id}: {len(part.questions)} questions, {len(part.kept)} databases")
        parts.append(part)
    placed = place_files(order.out, sorted(parts, key=lambda part: part.db_id), order.script.layout)
    shutil.rmtree(work, ignore_errors=True)
    mutants = Counter(r["verdict"] for r in more if r["source"].startswith(MUTATION))
    outcome = MadeSuite(order.script, tuple(placed), len(unusable) + len(everything) - len(records), mutants)
    write_report(outcome, order.out)
    return outcome
