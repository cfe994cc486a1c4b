"""Questions with several gold queries: a prediction is right if it meets one of them.

Each (prediction, gold) is checked like any other pair, and so is each gold query against the first ones, so
that golds which are proven equal are told.  The record of the item is then put together:

- equivalent if the prediction is proved equivalent to one of the golds, with that proof;
- invalid if the prediction is no query on the schema, whatever the golds are;
- not equivalent only if every gold has its own witness; the first one is shown;
- else undecided, for the reason of the first gold that is.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from equiv.eval.plan import Job
from equiv.records.record import UNSETTLED, Record

Golds = tuple[str, tuple[str, ...]]
"""Database and gold queries: what a comparison of golds is about."""


@dataclass(slots=True)
class _Whole:
    """An item on its way: its job, and the records of its parts by the number of the gold query."""

    job: Job
    parts: dict[int, Record] = field(default_factory=dict)


def _golds_of(job: Job) -> Golds:
    return job.item.db_id, job.item.golds


class Several:
    """Takes jobs apart by gold query, and puts the records together again.

    Args:
        jobs: the pairs of an evaluation.
        settled: records at hand, by key; an item that has one is not put together again.
    """

    def __init__(self, jobs: Iterable[Job], settled: Mapping[str, Record]) -> None:
        self.jobs: list[Job] = []
        """The pairs to check."""
        self.settled = dict(settled)
        """As given, with what the parts of settled items came to."""
        self._wholes: dict[str, _Whole] = {}
        self._part_of: dict[str, tuple[str, int]] = {}
        self._same: dict[Golds, dict[tuple[int, int], bool | None]] = {}
        self._comparison: dict[str, tuple[Golds, tuple[int, int]]] = {}
        comparisons: list[Job] = []
        for job in jobs:
            if len(job.item.golds) == 1:
                self.jobs.append(job)
            else:
                comparisons += self._take_apart(job, settled.get(job.key))
        # Last, so that what tells golds apart is not tried on predictions: a resumed run may go without.
        self.jobs += comparisons

    def _take_apart(self, job: Job, record: Record | None) -> list[Job]:
        """Add the parts of an item; the comparisons of its golds, if they are not due already."""
        parts = [
            Job(replace(job.item, gold_sql=gold, alternatives=()), f"{job.key}:{number}")
            for number, gold in enumerate(job.item.golds)
        ]
        golds = _golds_of(job)
        if record is not None:
            known = _settled_parts(parts, record)
            self.settled.update(known)
            self.jobs += [part for part in parts if part.key in known]
            return []
        self._wholes[job.key] = _Whole(job)
        self._part_of.update({part.key: (job.key, number) for number, part in enumerate(parts)})
        self.jobs += parts
        if golds in self._same:
            return []
        self._same[golds] = {}
        return self._comparisons(job, golds)

    def _comparisons(self, job: Job, golds: Golds) -> list[Job]:
        _, texts = golds
        found = []
        for second in range(1, len(texts)):
            for first in range(second):
                key = f"{job.key}:{first}={second}"
                self._same[golds][first, second] = None
                self._comparison[key] = golds, (first, second)
                item = replace(job.item, predicted_sql=texts[second], gold_sql=texts[first], alternatives=())
                found.append(Job(item, key))
        return found

    def together(self, records: Iterable[Record | None]) -> Generator[Record | None]:
        """The records of whole items as their parts come; a None is passed on."""
        for record in records:
            key = record["key"] if record is not None else ""
            if record is not None and key in self._comparison:
                golds, pair = self._comparison[key]
                self._same[golds][pair] = record["verdict"] == "equivalent"
                yield from self._complete()
            elif record is not None and key in self._part_of:
                whole, number = self._part_of[key]
                self._wholes[whole].parts[number] = record
                yield from self._complete([whole])
            else:
                yield record

    def _complete(self, keys: Sequence[str] | None = None) -> Generator[Record]:
        """The records of those items (or of all) that have all their parts now."""
        for key in list(self._wholes) if keys is None else keys:
            whole = self._wholes[key]
            same = self._same[_golds_of(whole.job)]
            if len(whole.parts) == len(whole.job.item.golds) and None not in same.values():
                del self._wholes[key]
                parts = [whole.parts[number] for number in sorted(whole.parts)]
                yield put_together(parts, key, {pair for pair, proved in same.items() if proved})


def put_together(parts: Sequence[Record], key: str, same: set[tuple[int, int]]) -> Record:
    """The record of an item from those of its parts, one for each gold query.

    Args:
        parts: in the order of the gold queries.
        key: that of the item.
        same: the pairs of numbers of golds that are proved equal.
    """
    golds = [
        {
            "sql": part["gold_sql"],
            **{name: part[name] for name in ("verdict", "tier", "reason", "difference")},
            "same_as": min((first for first, second in same if second == number), default=None),
        }
        for number, part in enumerate(parts)
    ]
    spent: dict[str, float] = {}
    for part in parts:
        for tier, ms in part["ms"].items():
            spent[tier] = round(spent.get(tier, 0.0) + ms, 3)
    return {**_chosen(parts), "key": key, "golds": golds, "ms": spent}


def _chosen(parts: Sequence[Record]) -> Record:
    """The part whose verdict, score and evidence are those of the item."""
    for part in parts:
        if part["verdict"] == "equivalent":
            return part
    for part in parts:
        if part["verdict"] == "invalid":
            return part
    open_parts = [part for part in parts if part["verdict"] == "undecided"]
    if not open_parts:
        return parts[0]
    return max(open_parts, key=_rank)


def _rank(part: Record) -> tuple[bool, bool, bool]:
    """Of undecided parts: what is accepted all the same, then what is tried again, then what can be."""
    reason = part["reason"]
    return part["score"] == 1, reason in UNSETTLED, reason != "GOLD_INVALID"


def _settled_parts(parts: Sequence[Job], record: Record) -> dict[str, Record]:
    by_text = {gold["sql"]: gold for gold in record.get("golds", ())}
    return {part.key: by_text[part.item.gold_sql] for part in parts if part.item.gold_sql in by_text}
