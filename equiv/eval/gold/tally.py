"""The summary of an audit: counts by kind, then the cases, as blocks to show and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from equiv.core.single_values import sql_literal
from equiv.eval.gold.audit import Looked
from equiv.eval.gold.finding import SIGNS, FaultKind, GoldFinding, GoldQuery, to_record
from equiv.eval.gold.ranking import Ranked
from equiv.eval.metrics.measured import text_of
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text

ROWS_SHOWN, CELLS_WIDE = 3, 40
RANKED_SHOWN = 4


@dataclass
class FindingTally:
    """Counts over what was looked for; :meth:`add` takes one look in."""

    golds: int
    asked: Counter[FaultKind] = field(default_factory=Counter)
    unasked: Counter[FaultKind] = field(default_factory=Counter)
    """Gold queries for which a kind could not be looked for."""
    unfinished: Counter[FaultKind] = field(default_factory=Counter)
    """Those of which nothing is known, since the worker was killed or failed."""
    troubles: list[tuple[str, str, str, str]] = field(default_factory=list)
    """The kind, database, question and reason of each of these."""
    found: dict[FaultKind, list[tuple[GoldQuery, GoldFinding]]] = field(default_factory=dict)
    ranking: tuple[Ranked, ...] = ()
    """The gold queries by the probability that they are faulty, if that was estimated."""

    def add(self, looked: Looked) -> None:
        """Count one look."""
        self.asked[looked.kind] += looked.asked
        self.unasked[looked.kind] += not looked.asked
        if looked.trouble:
            self.unfinished[looked.kind] += 1
            place = looked.gold.db_id, text_of(looked.gold.question_id)
            self.troubles.append((looked.kind, *place, looked.trouble))
        cases = self.found.setdefault(looked.kind, [])
        cases += [(looked.gold, finding) for finding in looked.findings]

    def queries(self, kind: FaultKind) -> int:
        """How many gold queries a kind was found in."""
        return len({gold.identity for gold, _ in self.found.get(kind, ())})

    @property
    def suspects(self) -> int:
        """How many gold queries something was found in that may be their fault."""
        telling = self.found.keys() - SIGNS - {FaultKind.UNSUPPORTED}
        cases = [case for kind in telling for case in self.found[kind]]
        return len({gold.identity for gold, _ in cases})

    def blocks(self, shown: int) -> list[Block]:
        """The likeliest faults, the table by kind, and the first cases of each."""
        listed = [kind for kind in FaultKind if self.found.get(kind) and not (self.ranking and kind in SIGNS)]
        cases = [self._cases(kind, shown) for kind in listed] if shown else []
        if self.troubles and shown:
            what = ("kind", "database", "question", "why")
            cases.append(Grid("unfinished, the first", what, tuple(self.troubles[:shown])))
        first = [self._ranking(shown)] if self.ranking and shown else []
        return [Text(self.headline), *first, self.grid(), *cases]

    @property
    def headline(self) -> str:
        """How many gold queries there are, and in how many something was found."""
        return f"{self.golds} gold queries; something was found in {self.suspects} of them."

    def grid(self) -> Grid:
        """The counts by kind; a sign that was found nowhere is left out."""
        kinds = [
            kind for kind in FaultKind if self.found.get(kind) or (kind in self.found and kind not in SIGNS)
        ]
        rows = tuple((kind, *map(str, self._counts(kind)), _says(kind)) for kind in kinds)
        columns = ("kind", "found in", "asked of", "not asked", "unfinished", "gold queries that")
        return Grid("gold queries by kind", columns, rows)

    def _ranking(self, shown: int) -> Grid:
        """The likeliest faults; four times as many as there are cases of a kind."""
        rows = tuple(
            (f"{one.probability:.2f}", one.gold.db_id, text_of(one.gold.question_id), "; ".join(one.reasons))
            for one in self.ranking[: RANKED_SHOWN * shown]
        )
        columns = ("probability", "database", "question", "because")
        return Grid(f"likeliest to be faulty, the first {len(rows)}", columns, rows)

    def _counts(self, kind: FaultKind) -> tuple[int, int, int, int]:
        return self.queries(kind), self.asked[kind], self.unasked[kind], self.unfinished[kind]

    def to_json(self) -> Record:
        """The counts and every finding as one JSON object."""
        names = ("found_in", "asked", "not_asked", "unfinished")
        kinds = {
            kind: dict(zip(names, self._counts(kind), strict=True))
            for kind in FaultKind
            if kind in self.found
        }
        known = {one.gold.identity: one.probability for one in self.ranking}
        cases = [case for kind in FaultKind for case in self.found.get(kind, ())]
        cases.sort(key=lambda case: -known.get(case[0].identity, 0))
        records = [
            {**to_record(gold, finding), "probability": known.get(gold.identity)} for gold, finding in cases
        ]
        return {
            "golds": self.golds,
            "found_in": self.suspects,
            "kinds": kinds,
            "ranking": [one.to_record() for one in self.ranking],
            "findings": records,
        }

    def _cases(self, kind: FaultKind, shown: int) -> Grid:
        cases = self.found[kind]
        tail = f", the first {shown}" if len(cases) > shown else ""
        rows = tuple(
            (gold.db_id, text_of(gold.question_id), finding.basis, told(finding))
            for gold, finding in cases[:shown]
        )
        return Grid(
            f"{kind}: {len(cases)} findings{tail}", ("database", "question", "basis", "finding"), rows
        )


def _says(kind: FaultKind) -> str:
    return f"sign: {kind.says}" if kind in SIGNS else kind.says


def told(finding: GoldFinding) -> str:
    """A finding in one line, with the first rows that show it."""
    parts = [finding.detail]
    if finding.rows:
        parts.append(_rows(finding.rows))
    if finding.other_rows:
        parts.append(f"against {_rows(finding.other_rows)}")
    return "; ".join(parts)


def _rows(rows: tuple[tuple[object, ...], ...]) -> str:
    shown = [f"({', '.join(map(_cell, row))})" for row in rows[:ROWS_SHOWN]]
    return ", ".join([*shown, "…"] if len(rows) > ROWS_SHOWN else shown)


def _cell(cell: object) -> str:
    literal = sql_literal(cell) if isinstance(cell, int | float | str | bytes | None) else str(cell)
    return literal if len(literal) <= CELLS_WIDE else f"{literal[: CELLS_WIDE - 1]}…"
