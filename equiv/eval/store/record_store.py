"""Records of which tables need a part in memory; whole ones lie on disk, and are read when one is shown.

What stays is what is counted: texts of both queries, verdict, score, and of evidence the names of rules.
What goes is what only the page of a single pair tells: steps, witnesses, attempts, replies.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sys import intern
from typing import Any

from equiv.eval.store.results import records_in
from equiv.eval.store.temporary_tables import temporary_tables
from equiv.records.record import Record, to_json, worth

_TABLES = "CREATE TABLE record (key TEXT PRIMARY KEY, whole BLOB) WITHOUT ROWID"

SHOWN_ALONE = frozenset(
    {"attempts", "equivalent_if", "facts_dropped", "versions", "hint", "caveat"}
    | {"bounded", "confirmed", "strongest", "weakest", "fragment", "parts", "databases"}
)
"""Fields that no table counts."""

REPEATED = frozenset(
    {
        "source",
        "db_id",
        "dialect",
        "relation",
        "question",
        "gold_sql",
        "difficulty",
        "question_type",
        "verdict",
        "tier",
        "reason",
    }
    | {"detail", "difference", "failure_code", "score_by", "ex", "llm", "faults"}
)
"""Fields whose values many records share."""


class RecordStore(Mapping[str, Record]):
    """Records by key, in the order in which their keys came; of two of one key that worth more counts."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._tables = temporary_tables(_TABLES)
        self._parts: dict[str, Record] = {}
        self._shared: dict[str, Any] = {}
        for record in records:
            self.add(record)

    @classmethod
    def of_files(cls, files: Iterable[Path]) -> RecordStore:
        """The records of some results files.

        Raises:
            InputError: a file cannot be read, or holds something other than records.
        """
        return cls(record for path in files for record in records_in(path))

    def add(self, record: Record) -> None:
        """Put a record on the shelf."""
        key = record["key"]
        known = self._parts.get(key)
        if known is None or worth(record) >= worth(known):
            self._parts[key] = self._part(record)
            whole = zlib.compress(to_json(record).encode(), 1)
            self._tables.execute("INSERT OR REPLACE INTO record VALUES (?, ?)", (key, whole))

    def __getitem__(self, key: str) -> Record:
        return self._parts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def whole(self, record: Record) -> Record:
        """All of a record of which a part is here."""
        query = "SELECT whole FROM record WHERE key = ?"
        (found,) = self._tables.execute(query, (record["key"],)).fetchone()
        whole: Record = json.loads(zlib.decompress(found))
        return whole

    def close(self) -> None:
        """Drop what lies on disk."""
        self._tables.close()

    def _part(self, record: Record) -> Record:
        fields = {name: own for name, own in record.items() if name not in SHOWN_ALONE}
        fields["evidence"] = self._rules_alone(record["evidence"])
        fields["facts"] = [self._once({"kind": f["kind"], "grade": f["grade"]}) for f in record["facts"]]
        fields["remarks"] = [self._once({"kind": one["kind"]}) for one in record.get("remarks", ())]
        fields["golds"] = [self._once({"sql": gold["sql"]}) for gold in record.get("golds", ())]
        for name in ("prover_result", "refuter_result"):
            fields[name] = self._once(_decision(record[name]))
        fields["ms"] = {intern(str(tier)): ms for tier, ms in record["ms"].items()}
        if judge := record["judge"]:
            fields["judge"] = {intern(name): self._once(own) for name, own in judge.items()}
        return {
            intern(name): self._once(own) if name in REPEATED or own == [] else own
            for name, own in fields.items()
        }

    def _rules_alone(self, evidence: Mapping[str, Any] | None) -> Record | None:
        if not evidence or "steps" not in evidence:
            return None
        return {"steps": [self._once({"rule": str(step["rule"])}) for step in evidence["steps"]]}

    def _once(self, value: Any) -> Any:
        """The value, or an equal one that is here already."""
        name = value if isinstance(value, str) else json.dumps(value)
        return self._shared.setdefault(f"{type(value).__name__} {name}", value)


def _decision(reply: Mapping[str, Any] | None) -> Record | None:
    """A reply of a judge without its reasons."""
    if not reply:
        return None
    return {name: own for name, own in reply.items() if not isinstance(own, str) or name == "ambiguity"}
