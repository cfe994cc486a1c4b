"""Reliability of systems that may abstain: TrustSQL's score, its tables and its execution accuracy.

Source: TrustSQL (arXiv 2403.15879).  Section 3.2, equation 1: a question x scores, with penalty c,

    phi_c(x) =  1 if x is feasible, the system answers, and rightly   (I)
                0 if x is feasible and the system abstains           (II)
               -c if x is feasible and it answers wrongly           (III)
               -c if x is infeasible and it answers                  (IV)
                1 if x is infeasible and it abstains                  (V)

and RS(c) is the mean over all N questions; c = N is the strictest that is used.  A record that does
not say whether its question is feasible is of a feasible one, and one that does not say that the
system abstains is an answer.  What "rightly" means is a metric's business (there: execution
accuracy); what that metric leaves open is no right answer.

The tables are Table 3 with its cases, and the shares of Tables 8 to 13.

Execution accuracy is that of its official script, on its three databases of one domain each:
``scoring_utils.py`` and ``postprocess_abstention.py`` of its repository.
The clock stands at the end of 2100, numbers count to three digits, and the first hundred rows of the sorted
results are compared.  Its questions on Spider are compared as ``ex-spider --no-distinct`` has it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from equiv.cells import Cell
from equiv.core.lexer import TokenKind, tokens
from equiv.core.runner import Result
from equiv.errors import InputError
from equiv.eval.metrics.metric import BothAnswers, Metric, MetricPair, Needs, same_results
from equiv.eval.metrics.scores import Measured, grouped, pair_of, share, text_of
from equiv.graphs import grouped_by
from equiv.records.record import Record
from equiv.show.page import Block, Grid

DATE, TIME = "2100-12-31", "23:59:00"
NOW = f"'{DATE} {TIME}'"
CLINICAL = "mimic_iv"
DATABASES = frozenset({"atis", "advising", CLINICAL})

ROWS = 100
DIGITS = 3

CLOCK: Mapping[str, str] = {
    "current_time": NOW,
    "'now'": NOW,
    "NOW()": NOW,
    "CURDATE()": f"'{DATE}'",
    "CURTIME()": f"'{TIME}'",
}
"""What stands for the present, and what it is; in the gold query ``current_time`` alone."""

FORMATS: Mapping[str, str] = {"%y": "%Y", "%j": "%J"}

VITALS: Mapping[str, tuple[float, float]] = {
    "temperature": (35.5, 38.1),
    "sao2": (95.0, 100.0),
    "heart_rate": (60.0, 100.0),
    "respiration": (12.0, 18.0),
    "systolic_bp": (90.0, 120.0),
    "diastolic_bp": (60.0, 90.0),
    "mean_bp": (60.0, 110.0),
}
"""The normal range of each vital sign, which its questions write as ``name_lower`` and ``name_upper``."""

_ANY = re.compile(r"\bcount\s*\([^()]*\)\s*>\s*0\s*from\b")
_YES_NO: Mapping[str, str] = {"N": "0", "No": "0", "Y": "1", "Yes": "1"}

TextRows = list[list[str]]


def prepared(sql: str, db_id: str, *, is_gold: bool) -> str:
    """A query as the script runs it: its clock and the bounds of vital signs written out."""
    if db_id != CLINICAL:
        return sql
    for name, value in CLOCK.items():
        if not is_gold or name == "current_time":
            sql = sql.replace(name, value)
    for vital, bounds in VITALS.items():
        for side, bound in zip(("lower", "upper"), bounds, strict=True):
            sql = sql.replace(f"{vital}_{side}", str(bound))
    for written, meant in FORMATS.items():
        sql = sql.replace(written, meant)
    return sql


def with_distinct(pred: str, gold: str) -> str:
    """The prediction with DISTINCT after its first word, if that is so of the gold query alone."""
    first = [[t for t in tokens(sql) if t.kind is TokenKind.NAME][:2] for sql in (pred, gold)]
    (pred_words, gold_words) = ([token.word for token in own] for own in first)
    if gold_words[1:] != ["DISTINCT"] or pred_words[:1] != ["SELECT"] or pred_words[1:] == ["DISTINCT"]:
        return pred
    end = first[0][0].end
    return f"{pred[:end]} DISTINCT{pred[end:]}"


def shown(result: Result, db_id: str) -> TextRows:
    """The first rows of a sorted result, as texts."""
    return sorted([_cell(cell, db_id) for cell in row] for row in result.rows)[:ROWS]


def _cell(cell: Cell, db_id: str) -> str:
    text = _YES_NO.get(cell, cell) if db_id == "advising" and isinstance(cell, str) else cell
    try:
        return str(round(float(text), DIGITS))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return str(text)


def counted(pred: TextRows, gold_sql: str) -> TextRows:
    """The prediction's rows where the gold query counts: no row is 0, and where it asks for any, 1 or 0."""
    text = gold_sql.lower()
    if "count" in text and not pred:
        return [["0.0"]]
    if not _ANY.search(text):
        return pred
    found = sorted({cell for row in pred for cell in row})
    if found == ["None"]:
        return [["0.0"]]
    return [found] if found in (["0.0"], ["1.0"]) else [[f"{len(found)}.0"]]


def same(answers: BothAnswers, db_id: str, gold_sql: str) -> bool | None:
    """Whether two results are equal as the script has it; None where the gold query fails."""
    return same_results(
        answers, lambda pred, gold: counted(shown(pred, db_id), gold_sql) == shown(gold, db_id)
    )


def score(asked: MetricPair) -> bool | None:
    """TrustSQL's execution accuracy of a pair; None on other databases."""
    if asked.db_id not in DATABASES:
        return None
    gold = prepared(asked.gold, asked.db_id, is_gold=True)
    pred = with_distinct(prepared(asked.pred, asked.db_id, is_gold=False), gold)
    return same(asked.answers_on(asked.database, pred, gold), asked.db_id, gold)


EX_TRUSTSQL = Metric(
    name="ex-trustsql",
    needs=Needs.DATABASE,
    meaning="the same first 100 sorted rows, numbers to three digits, at a pinned time",
    source="TrustSQL, arXiv 2403.15879; `scoring_utils.py`",
    score=score,
    databases=DATABASES,
)


_PENALTY = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class PhiCase(StrEnum):
    """The five cases of equation 1, by their numbers in figure 1(c)."""

    RIGHT = "I"
    UNANSWERED = "II"
    WRONG = "III"
    ANSWERED_ALL_THE_SAME = "IV"
    REFUSED = "V"


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many questions fall into each case."""

    counts: dict[PhiCase, int]

    @property
    def total(self) -> int:
        """N."""
        return sum(self.counts.values())

    @property
    def right(self) -> int:
        """Utility: I and V."""
        return self.counts[PhiCase.RIGHT] + self.counts[PhiCase.REFUSED]

    @property
    def harmful(self) -> int:
        """Risk: III and IV."""
        return self.counts[PhiCase.WRONG] + self.counts[PhiCase.ANSWERED_ALL_THE_SAME]

    @property
    def generated(self) -> int:
        """Answers: I, III and IV."""
        return self.counts[PhiCase.RIGHT] + self.harmful

    def score(self, penalty: float) -> float:
        """RS(c), as a fraction; NaN without questions."""
        return (self.right - penalty * self.harmful) / self.total if self.total else float("nan")


def case_of(record: Record, measured: Measured) -> PhiCase:
    """Which case a record is."""
    feasible, abstained = record["feasible"] is not False, bool(record["abstained"])
    if not feasible:
        return PhiCase.REFUSED if abstained else PhiCase.ANSWERED_ALL_THE_SAME
    if abstained:
        return PhiCase.UNANSWERED
    return PhiCase.RIGHT if measured.scores.get(pair_of(record)) else PhiCase.WRONG


def reliability(records: Iterable[Record], measured: Measured) -> Reliability:
    """The cases of some records."""
    counts = dict.fromkeys(PhiCase, 0)
    for record in records:
        counts[case_of(record, measured)] += 1
    return Reliability(counts)


def penalties_named(text: str) -> tuple[str, ...]:
    """The penalties that a list names: numbers, or ``N`` for the number of questions.

    Raises:
        InputError: one is neither.
    """
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if name != "N" and not _PENALTY.fullmatch(name):
            raise InputError(f"--penalty takes numbers and N, separated by commas, not {text!r}")
    return names


def threshold(samples: Iterable[tuple[float, bool]]) -> float | None:
    """The least confidence at which answers are kept (TrustSQL, supplement C.2); None: no answer is kept.

    Answers are added up from the surest on, a right one as 1 and a wrong one as -1; the threshold is the
    confidence at which the sum is greatest for the first time.  Answers of equal confidence are kept or
    dropped together.
    """
    best, total, found = 0, 0, None
    ordered = sorted(samples, key=lambda sample: -sample[0])
    for confidence, own in groupby(ordered, key=lambda sample: sample[0]):
        total += sum(1 if right else -1 for _, right in own)
        if total > best:
            best, found = total, confidence
    return found


def with_threshold(records: Sequence[Record], measured: Measured) -> list[Record]:
    """The records with answers below a threshold taken back, as if the system had abstained.

    Each half of the questions has the threshold chosen on the other half, so that no answer helps to
    choose its own; halves are by hash of database and question.  Answers without a confidence stay.
    """
    halves = [[r for r in records if _half(r) == half] for half in (0, 1)]
    chosen = [threshold(_samples(half, measured)) for half in halves]
    return [_taken_back(record, chosen[1 - _half(record)]) for record in records]


def _half(record: Record) -> int:
    text = f"{record['db_id']} {record['question_id']}"
    return hashlib.sha256(text.encode()).digest()[0] % 2


def _samples(records: Iterable[Record], measured: Measured) -> list[tuple[float, bool]]:
    return [
        (record["confidence"], case_of(record, measured) is PhiCase.RIGHT)
        for record in records
        if record["confidence"] is not None and not record["abstained"]
    ]


def _taken_back(record: Record, least: float | None) -> Record:
    if record["confidence"] is None or (least is not None and record["confidence"] >= least):
        return record
    return record | {"abstained": True}


def is_about_abstention(records: Iterable[Record]) -> bool:
    """Whether the data knows infeasible questions or abstentions."""
    return any(record["feasible"] is not None or record["abstained"] is not None for record in records)


def reliability_blocks(
    records: Sequence[Record], measured: Measured, penalties: Sequence[str] = ("0", "10", "N")
) -> list[Block]:
    """The tables of TrustSQL, by system; right means that the metric says 1."""
    systems = grouped(records, "system")
    shown = dict(systems)
    for name, own in systems.items():
        if any(record["confidence"] is not None for record in own):
            shown[f"{name}, with threshold"] = with_threshold(own, measured)
    return [
        _scores(shown, measured, penalties),
        *(_details(name, own, measured) for name, own in shown.items()),
    ]


def _scores(shown: dict[str, list[Record]], measured: Measured, penalties: Sequence[str]) -> Grid:
    """Table 3 with the cases, the coverage (answered questions) and the risk (III and IV among answers)."""
    rows = []
    for name, records in shown.items():
        found = reliability(records, measured)
        values = [found.score(found.total if c == "N" else float(c)) for c in penalties]
        rows.append(
            (
                *(name, str(found.total), *(f"{100 * value:.1f}" for value in values)),
                *(share(found.generated, found.total), share(found.harmful, found.generated)),
                *(str(count) for count in found.counts.values()),
            )
        )
    columns = ("system", "N", *(f"RS({c})" for c in penalties), "coverage", "risk", *PhiCase)
    return Grid(f"reliability, right by {measured.name}: percent", columns, tuple(rows))


def _details(name: str, records: Sequence[Record], measured: Measured) -> Grid:
    """Tables 8 to 13: shares of the questions of a kind, by hardness, seen or unseen, and type."""
    rows = [
        (what, ", ".join(filter(None, key)) or "all", _told(own, holds, measured))
        for what, counts, place, holds in DETAILS
        for key, own in sorted(grouped_by(place, [r for r in records if counts(r, measured)]).items())
    ]
    return Grid(f"{name}: percent of questions of a kind", ("what", "kind", "percent"), tuple(rows))


def _told(records: Sequence[Record], holds: Holds, measured: Measured) -> str:
    ones = sum(holds(record, measured) for record in records)
    return f"{ones} of {len(records)}: {share(ones, len(records))}"


Holds = Callable[[Record, Measured], bool]


def _query_is_known(record: Record, _: Measured) -> bool:
    return record["feasible"] is not False and bool(record["predicted_sql"].strip())


def _query_is_right(record: Record, measured: Measured) -> bool:
    """Whether the query is right, the system may abstain from it or not."""
    return measured.scores.get(pair_of(record)) is True


def _error_is_detected(record: Record, measured: Measured) -> bool:
    """Rightly answered, or abstained from a wrong query (the scoring of Table 12)."""
    return _query_is_right(record, measured) != bool(record["abstained"])


def _by_hardness(record: Record) -> tuple[str, ...]:
    seen = {True: "seen", False: "unseen", None: ""}[record["seen"]]
    return seen, text_of(record["difficulty"])


DETAILS: tuple[tuple[str, Holds, Callable[[Record], tuple[str, ...]], Holds], ...] = (
    (
        "right, of all answers (Table 8)",
        lambda record, _: not record["abstained"],
        lambda _: (),
        lambda record, measured: case_of(record, measured) is PhiCase.RIGHT,
    ),
    (
        "feasible and answered (Table 9)",
        lambda record, _: record["feasible"] is not False,
        _by_hardness,
        lambda record, _: not record["abstained"],
    ),
    (
        "infeasible and refused (Tables 10, 13)",
        lambda record, _: record["feasible"] is False,
        lambda record: (text_of(record["question_type"]),),
        lambda record, _: bool(record["abstained"]),
    ),
    ("feasible, query right whether given or not (Table 11)", _query_is_known, _by_hardness, _query_is_right),
    ("feasible, error detected (Table 12)", _query_is_known, _by_hardness, _error_is_detected),
)
"""What is told: of which records, by what kind, what holds."""
