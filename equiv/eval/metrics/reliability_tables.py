"""TrustSQL's tables (arXiv 2403.15879): Table 3 with its cases, and the shares of Tables 8 to 13."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from equiv.eval.metrics.measured import Measured, pair_of, text_of
from equiv.eval.metrics.reliability import Case, case_of, reliability, with_threshold
from equiv.eval.metrics.shares import share
from equiv.records.record import Record
from equiv.show.page import Block, Grid


def reliability_blocks(
    records: Sequence[Record], measured: Measured, penalties: Sequence[str] = ("0", "10", "N")
) -> list[Block]:
    """The tables of TrustSQL, by system; right means that the metric says 1."""
    systems: dict[str, list[Record]] = {}
    for record in records:
        systems.setdefault(record["source"], []).append(record)
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
    columns = ("system", "N", *(f"RS({c})" for c in penalties), "coverage", "risk", *Case)
    return Grid(f"reliability, right by {measured.name}: percent", columns, tuple(rows))


def _details(name: str, records: Sequence[Record], measured: Measured) -> Grid:
    """Tables 8 to 13: shares of the questions of a kind, by hardness, seen or unseen, and type."""
    rows = [
        (what, *_place(key), _told(own, holds, measured))
        for what, counts, place, holds in DETAILS
        for key, own in _kinds([r for r in records if counts(r, measured)], place).items()
    ]
    return Grid(f"{name}: percent of questions of a kind", ("what", "kind", "percent"), tuple(rows))


def _place(key: tuple[str, ...]) -> tuple[str]:
    return (", ".join(part for part in key if part) or "all",)


def _kinds(
    records: Iterable[Record], place: Callable[[Record], tuple[str, ...]]
) -> dict[tuple[str, ...], list[Record]]:
    found: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        found.setdefault(place(record), []).append(record)
    return dict(sorted(found.items()))


def _told(records: Sequence[Record], holds: Holds, measured: Measured) -> str:
    ones = sum(holds(record, measured) for record in records)
    return f"{ones} of {len(records)}: {share(ones, len(records))}"


Holds = Callable[[Record, Measured], bool]


def _feasible(record: Record, _: Measured) -> bool:
    return record["feasible"] is not False


def _infeasible(record: Record, _: Measured) -> bool:
    return record["feasible"] is False


def _answers(record: Record, _: Measured) -> bool:
    return not record["abstained"]


def _abstains(record: Record, _: Measured) -> bool:
    return bool(record["abstained"])


def _query_is_known(record: Record, _: Measured) -> bool:
    return record["feasible"] is not False and bool(record["predicted_sql"].strip())


def _query_is_right(record: Record, measured: Measured) -> bool:
    """Whether the query is right, the system may abstain from it or not."""
    return measured.scores.get(pair_of(record)) is True


def _answer_is_right(record: Record, measured: Measured) -> bool:
    return case_of(record, measured) is Case.RIGHT


def _error_is_detected(record: Record, measured: Measured) -> bool:
    """Rightly answered, or abstained from a wrong query (the scoring of Table 12)."""
    return _query_is_right(record, measured) != bool(record["abstained"])


def _by_hardness(record: Record) -> tuple[str, ...]:
    seen = {True: "seen", False: "unseen", None: ""}[record["seen"]]
    return seen, text_of(record["difficulty"])


def _by_type(record: Record) -> tuple[str, ...]:
    return (text_of(record["question_type"]),)


DETAILS: tuple[tuple[str, Holds, Callable[[Record], tuple[str, ...]], Holds], ...] = (
    ("right, of all answers (Table 8)", _answers, lambda _: (), _answer_is_right),
    ("feasible and answered (Table 9)", _feasible, _by_hardness, _answers),
    ("infeasible and refused (Tables 10, 13)", _infeasible, _by_type, _abstains),
    ("feasible, query right whether given or not (Table 11)", _query_is_known, _by_hardness, _query_is_right),
    ("feasible, error detected (Table 12)", _query_is_known, _by_hardness, _error_is_detected),
)
"""What is told: of which records, by what kind, what holds."""
