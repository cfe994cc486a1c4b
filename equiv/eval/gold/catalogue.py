"""The kinds of faults with the functions that check for them, in the order of reports; a worker's task.

The last checks see a gold query in the light of what systems predicted, and of what a judge replied
beside predictions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from equiv.answers import choices as choice_functions
from equiv.cells import Row
from equiv.dialects.protocol import Session
from equiv.errors import InputError
from equiv.eval.gold import conditions, execution, joins, wording
from equiv.eval.gold.execution import Look, QueryInDatabase
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.eval.plan import Setting
from equiv.eval.worker import WORKER, SideWorker
from equiv.graphs import classes_of
from equiv.records.record import Record

REFUTED = "not_equivalent"


@dataclass(frozen=True)
class Predicted:
    """The predictions for one gold query as records, and where more can be asked of them."""

    gold: GoldQuery
    records: tuple[Record, ...]
    aside: SideWorker
    agreeing: int
    """How many systems must agree against the gold query."""

    @cached_property
    def classes(self) -> list[list[Record]]:
        """The refuted predictions, those together that are proven equivalent to the first of their class."""

        def same(one: Record, other: Record) -> bool:
            texts = one["predicted_sql"], other["predicted_sql"]
            return self.aside.proves_same(self.gold.db_id, self.gold.sql, *texts)

        return classes_of(same, (record for record in self.records if record["verdict"] == REFUTED))

    @property
    def same_rows(self) -> list[bool | None]:
        """Of each prediction, whether it returns the same set of rows on the given data; None if unknown."""
        gold = self.gold
        texts = [record["predicted_sql"] for record in self.records]
        return [self.aside.results(gold.db_id, text, gold.sql, "bird").equal for text in texts]

    @property
    def systems(self) -> list[str]:
        """Who predicted, each once."""
        return list(dict.fromkeys(record["source"] for record in self.records))


def unsolved(predicted: Predicted) -> Iterator[GoldFinding]:
    """None of at least two systems solves the question.

    Every prediction is refuted or no query at all and, where data are given, returns something else there;
    one that is undecided, or right by execution, counts as solving it.
    No fault: the question is hard; the more systems fail, the less likely that is.
    Example: six systems count all people, and the gold query counts those whose name is not NULL.
    """
    if len(predicted.systems) < 2 or any(r["verdict"] not in {REFUTED, "invalid"} for r in predicted.records):
        return
    if any(_is_right_on_data(predicted, record) for record in predicted.records):
        return
    detail = f"none of {len(predicted.systems)} systems solves it"
    yield GoldFinding(GoldFault.UNSOLVED, Basis.SYSTEMS, detail, systems=tuple(predicted.systems))


def outvoted(predicted: Predicted) -> Iterator[GoldFinding]:
    """Predictions of several systems are proven equivalent to one another, and a database refutes them.

    The largest such class is reported, if it has the predictions of at least as many systems as are asked
    for, with what tells it from the gold query.  With data, one that returns there what the gold query
    returns is none.
    No fault: systems that learnt from the same data share a misreading.
    Example: four of six systems use LEFT JOIN for "each person", and the gold query an inner join.
    """
    large = [own for own in predicted.classes if len(_sources(own)) >= max(predicted.agreeing, 2)]
    large.sort(key=lambda members: -len(_sources(members)))
    largest = next((own for own in large if not _is_right_on_data(predicted, own[0])), None)
    if largest is None:
        return
    systems = _sources(largest)
    example = largest[0]
    evidence = example["evidence"] or {}
    where = "the given data" if evidence.get("kind") == "execution" else "a database"
    among = f"{len(systems)} of {len(predicted.systems)} systems"
    yield GoldFinding(
        GoldFault.OUTVOTED,
        Basis.SYSTEMS,
        f"{among} agree on a query that {where} refutes ({example['difference'] or 'it differs'})",
        _rows(evidence.get("gold_rows")),
        other_sql=example["predicted_sql"],
        other_rows=_rows(evidence.get("pred_rows")),
        witness=evidence.get("sql") or "",
        systems=tuple(systems),
    )


def _is_right_on_data(predicted: Predicted, record: Record) -> bool:
    gold = predicted.gold
    return predicted.aside.results(gold.db_id, record["predicted_sql"], gold.sql).equal is True


def _sources(members: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(record["source"] for record in members))


def _rows(found: list[list[Any]] | None) -> tuple[Row, ...]:
    """Rows of a record, whose cells are JSON values already."""
    return tuple(map(tuple, found or ()))


NO_REASON = "no reason was given"


def replies_on_gold(records: Iterable[Record]) -> list[Record]:
    """The replies of a Refuter that say whether the gold query is correct."""
    replies = [reply for record in records if (reply := record["refuter_result"])]
    return [reply for reply in replies if isinstance(reply["gold_correct"], bool)]


def contradicted(records: Sequence[Record]) -> Iterator[GoldFinding]:
    """The Refuter of a judged run called it faulty (``gold_correct`` is false) at least once.

    No fault: the judge errs, or contradicts itself; the detail says how many of its replies agree.
    Example: "how many people" with a gold query that counts cities, seen so beside a prediction.
    """
    told = replies_on_gold(records)
    against = [reply for reply in told if not reply["gold_correct"]]
    if against:
        reason = next((reply["reason"] for reply in against if reply["reason"]), NO_REASON)
        detail = f"{len(against)} of {len(told)} replies call it faulty: {reason}"
        yield GoldFinding(GoldFault.CONTRADICTED, Basis.JUDGE, " ".join(detail.split()))


@dataclass(frozen=True, slots=True)
class OfQuery:
    """A kind that is looked for in one gold query on its database."""

    kind: GoldFault
    look: Look
    needs_data: bool


_NEED_DATA = frozenset({GoldFault.EMPTY, GoldFault.TIE, GoldFault.AVERAGES_ZEROS})

OF_QUERIES: dict[GoldFault, OfQuery] = {
    kind: OfQuery(kind, getattr(checks, kind), kind in _NEED_DATA)
    for kind in GoldFault
    for checks in (execution, conditions, joins, wording)
    if hasattr(checks, kind)
}

OF_SYSTEMS = {GoldFault.UNSOLVED: unsolved, GoldFault.OUTVOTED: outvoted}
"""Those that are looked for in what systems predicted."""

OF_JUDGES = {GoldFault.CONTRADICTED: contradicted}


def kinds_named(text: str) -> frozenset[GoldFault]:
    """The kinds that ``all`` or a list with commas names.

    Raises:
        InputError: there is no such kind.
    """
    if text == "all":
        return frozenset(GoldFault)
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in set(GoldFault)]:
        raise InputError(f"unknown kind {unknown[0]!r}; choose among all, {', '.join(GoldFault)}")
    return frozenset(map(GoldFault, names))


class _Desk:
    """The database that is open and the query that lies on it: the kinds of one query come together."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._data: Session | None = None
        self._subject: QueryInDatabase | None = None

    def subject(self, gold: GoldQuery) -> QueryInDatabase:
        """The gold query on its database, with the results that earlier checks computed."""
        if self._subject is None or self._subject.gold != gold:
            engine = WORKER.engine(gold.db_id)
            self._subject = QueryInDatabase(gold, engine, self._open(WORKER.settings[gold.db_id]))
        return self._subject

    def _open(self, setting: Setting) -> Session | None:
        path = setting.place.database
        if path != self._path:
            if self._data is not None:
                self._data.close()
            self._data = setting.dialect.engine.open(path) if path is not None else None
            if self._data is not None:
                choice_functions.register(self._data.core.connection)
            self._path = path
        return self._data


_DESK = _Desk()


def look(kinds: tuple[GoldFault, ...], gold: GoldQuery) -> tuple[tuple[GoldFinding, ...], ...]:
    """The findings of some checks on one gold query, for each of them."""
    subject = _DESK.subject(gold)
    return tuple(tuple(OF_QUERIES[kind].look(subject)) for kind in kinds)
