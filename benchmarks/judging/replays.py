"""Recorded replies replayed over the verdicts of some pairs, in one process, under any savings.

The verdicts are the records that ``equiv eval`` wrote without a judge; which
predictions of a question are proven equivalent to one another is found once,
and kept in a file beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.command import evaluated
from benchmarks.journal import keep_line, kept_lines
from equiv.eval.plan import Setting, settings_of
from equiv.eval.questions import QuestionId, QuestionRecords, question_of
from equiv.eval.results import read_records
from equiv.eval.worker import SideWorker
from equiv.judge.options import JudgeOptions
from equiv.judge.setup import Chamber
from equiv.judge.triage.decide import Triage
from equiv.options import Options
from equiv.records.record import Record
from equiv.schema.locate import places_for_eval


@dataclass(frozen=True)
class Pairs:
    """Pairs whose verdicts are known, or are made known."""

    name: str
    file: Path
    verdicts: Path
    """Records without a judge; made, or completed, if some are missing."""
    db_root: Path | None = None
    schema: Path | None = None

    @cached_property
    def records(self) -> list[Record]:
        """The records of the pairs, without a judge."""
        evaluated([self.file], self.verdicts, schema=self.schema, db_root=self.db_root)
        return [record for record in read_records([self.verdicts]) if not record["judge"]]

    @cached_property
    def questions(self) -> list[QuestionRecords]:
        """The records by question, in order of appearance."""
        found: dict[QuestionId, list[Record]] = {}
        for record in self.records:
            found.setdefault(question_of(record), []).append(record)
        return [QuestionRecords(tuple(records)) for records in found.values()]

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """What each database is checked on."""
        names = [record["db_id"] for record in self.records]
        return settings_of(places_for_eval(names, self.db_root, self.schema), Options())

    def judged(self, options: JudgeOptions, triage: Triage | None = None) -> list[Record]:
        """The records as a judge scores them, in order; ``triage`` as in :mod:`equiv.judge.setup`."""
        proven = self.verdicts.with_suffix(".classes.jsonl")
        with (
            closing(Remembering(self.settings, proven)) as aside,
            Chamber(options, triage=triage) as chamber,
        ):
            found = by_pair(list(chamber.stage.scored(iter(self.questions), aside)))
        return [found[key] for key in by_pair(self.records)]


class Remembering(SideWorker):
    """Remembers in a file which predictions are proven equivalent to one another."""

    def __init__(self, settings: Mapping[str, Setting], file: Path) -> None:
        super().__init__(settings)
        self._known = {tuple(key): bool(proven) for *key, proven in kept_lines(file)}
        self._file = file

    def proves_same(self, db_id: str, gold: str, one: str, other: str) -> bool:
        """Whether two predictions for one gold query are proven equivalent; when in doubt, no."""
        key = (db_id, gold, one, other)
        if one == other:
            return True
        if key not in self._known:
            self._known[key] = super().proves_same(db_id, gold, one, other)
            keep_line(self._file, [*key, self._known[key]])
        return self._known[key]


def by_pair(records: Sequence[Record]) -> dict[str, Record]:
    """Records by what does not depend on the judge."""
    return {
        json.dumps([r["source"], r["question_id"], r["gold_sql"], r["predicted_sql"]]): r for r in records
    }


def changed(before: Sequence[Record], after: Sequence[Record]) -> Iterator[tuple[Record, Record]]:
    """The pairs whose score changes."""
    later = by_pair(after)
    for key, one in by_pair(before).items():
        if one["score"] != later[key]["score"]:
            yield one, later[key]
