"""Questions with several gold queries: a prediction is right if it meets one of them.

Each (prediction, gold) is checked like any other pair, and so is each gold query against the first ones, so
that golds which are proven equal are told.  The record of the item is then put together:

- equivalent if the prediction is proved equivalent to one of the golds, with that proof;
- invalid if the prediction is no query on the schema, whatever the golds are;
- not equivalent only if every gold has its own witness; the first one is shown;
- else undecided, for the reason of the first gold that is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace

from equiv.eval.pair_store import digest_of, packed, temporary_tables, unpacked
from equiv.eval.plan import Job, JobState, leaves_database
from equiv.records.record import UNSETTLED, Record

_TABLES = """
CREATE TABLE job (last INTEGER, job BLOB);
CREATE TABLE whole (key TEXT PRIMARY KEY, golds BLOB, parts INTEGER);
CREATE TABLE part (key TEXT PRIMARY KEY, whole TEXT, number INTEGER, record BLOB);
CREATE TABLE comparison (key TEXT PRIMARY KEY, golds BLOB, one INTEGER, other INTEGER, same INTEGER);
CREATE TABLE settled (key TEXT PRIMARY KEY, leaves INTEGER);
CREATE INDEX whole_by_golds ON whole (golds);
CREATE INDEX part_by_whole ON part (whole, number);
CREATE INDEX comparison_by_golds ON comparison (golds);
"""
_COMPLETE = """
SELECT key, golds FROM whole
WHERE parts = (SELECT count(record) FROM part WHERE whole = whole.key)
AND NOT EXISTS (SELECT 1 FROM comparison WHERE comparison.golds = whole.golds AND same IS NULL)
"""


class SeveralGolds:
    """Takes jobs apart by gold query, and puts the records together again; meanwhile all lies on disk.

    Args:
        jobs: the pairs of an evaluation.
        recall: gives the record at hand of a key; an item that has one is not put together again.
    """

    def __init__(self, jobs: Iterable[Job], recall: Callable[[str], Record | None]) -> None:
        self._tables = temporary_tables(_TABLES)
        for job in jobs:
            if len(job.item.golds) == 1:
                self._take([job])
            else:
                self._take_apart(job, recall(job.key))

    def jobs(self) -> Iterator[Job]:
        """The pairs to check.

        Comparisons of golds come last, so that what tells them apart is not tried on predictions: a resumed
        run may go without.
        """
        return (unpacked(job) for (job,) in self._tables.execute("SELECT job FROM job ORDER BY last, rowid"))

    def standing(self, key: str) -> JobState | None:
        """The state of a part by the record of its item; None without a record."""
        found = self._tables.execute("SELECT leaves FROM settled WHERE key = ?", (key,)).fetchone()
        if found is None:
            return None
        return JobState.REPEATED if found[0] else JobState.SETTLED

    def _take(self, jobs: Iterable[Job], *, last: bool = False) -> None:
        self._tables.executemany("INSERT INTO job VALUES (?, ?)", ((last, packed(job)) for job in jobs))

    def _take_apart(self, job: Job, record: Record | None) -> None:
        """Take the parts of an item, and the comparisons of its golds if they are not due already."""
        parts = [
            Job(replace(job.item, gold_sql=gold, alternatives=()), f"{job.key}:{number}")
            for number, gold in enumerate(job.item.golds)
        ]
        if record is not None:
            known = _settled_parts(parts, record)
            rows: Iterable[tuple[object, ...]] = ((key, leaves_database(own)) for key, own in known.items())
            self._tables.executemany("INSERT INTO settled VALUES (?, ?)", rows)
            self._take(part for part in parts if part.key in known)
            return
        golds = digest_of([job.item.db_id, job.item.golds])
        due = self._tables.execute("SELECT 1 FROM whole WHERE golds = ?", (golds,)).fetchone()
        self._tables.execute("INSERT INTO whole VALUES (?, ?, ?)", (job.key, golds, len(parts)))
        rows = ((part.key, job.key, number) for number, part in enumerate(parts))
        self._tables.executemany("INSERT INTO part VALUES (?, ?, ?, NULL)", rows)
        self._take(parts)
        if due is None:
            self._compare(job, golds)

    def _compare(self, job: Job, golds: bytes) -> None:
        texts = job.item.golds
        pairs = [(one, other) for other in range(1, len(texts)) for one in range(other)]
        for one, other in pairs:
            key = f"{job.key}:{one}={other}"
            self._tables.execute("INSERT INTO comparison VALUES (?, ?, ?, ?, NULL)", (key, golds, one, other))
            item = replace(job.item, predicted_sql=texts[other], gold_sql=texts[one], alternatives=())
            self._take([Job(item, key)], last=True)

    def together(self, records: Iterable[Record | None]) -> Generator[Record | None]:
        """The records of whole items as their parts come; a None is passed on."""
        for record in records:
            if record is None or not (self._compared(record) or self._came(record)):
                yield record
            else:
                yield from self._complete(record["key"])

    def _compared(self, record: Record) -> bool:
        """Whether a record is that of a comparison, which is noted."""
        proved = record["verdict"] == "equivalent"
        noted = "UPDATE comparison SET same = ? WHERE key = ?"
        return self._tables.execute(noted, (proved, record["key"])).rowcount > 0

    def _came(self, record: Record) -> bool:
        """Whether a record is that of a part, which is noted."""
        noted = "UPDATE part SET record = ? WHERE key = ?"
        return self._tables.execute(noted, (packed(record), record["key"])).rowcount > 0

    def _complete(self, key: str) -> Generator[Record]:
        """The records of the items that have all they need since the record of that key came."""
        concerned = (
            "AND (key = (SELECT whole FROM part WHERE key = ?1)"
            " OR golds = (SELECT golds FROM comparison WHERE key = ?1)) ORDER BY rowid"
        )
        for whole, golds in self._tables.execute(f"{_COMPLETE} {concerned}", (key,)).fetchall():
            query = "SELECT record FROM part WHERE whole = ? ORDER BY number"
            parts = [unpacked(found) for (found,) in self._tables.execute(query, (whole,))]
            self._tables.execute("DELETE FROM part WHERE whole = ?", (whole,))
            self._tables.execute("DELETE FROM whole WHERE key = ?", (whole,))
            yield put_together(parts, whole, self._same(golds))

    def _same(self, golds: bytes) -> set[tuple[int, int]]:
        return set(
            self._tables.execute("SELECT one, other FROM comparison WHERE golds = ? AND same", (golds,))
        )

    def close(self) -> None:
        """Drop what lies on disk."""
        self._tables.close()


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
