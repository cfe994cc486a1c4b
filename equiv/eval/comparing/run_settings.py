"""The settings of a run as far as its records tell them: facts, versions, judge."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from equiv.records.record import Record

_ALWAYS_ASSUMED = frozenset({"exact_arithmetic", "no_overflow"})


@dataclass(slots=True)
class RunSettings:
    """What the records of a run say of its settings."""

    grades: set[str] = field(default_factory=set)
    """The grades of the facts that verdicts rest on."""
    assumed: set[str] = field(default_factory=set)
    """Facts that the caller stated."""
    dropped: dict[str, set[str]] = field(default_factory=dict)
    """By database, the facts that its data violates."""
    versions: dict[str, set[str]] = field(default_factory=dict)
    dialects: set[str] = field(default_factory=set)
    """What queries are written in; older records do not say."""
    judges: set[str] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Take in a record."""
        for fact in record["facts"]:
            self.grades.add(fact["grade"])
            if fact["grade"] == "assumed" and fact["kind"] not in _ALWAYS_ASSUMED:
                self.assumed.add(_text(fact))
        self.dropped.setdefault(record["db_id"], set()).update(map(_text, record["facts_dropped"]))
        for name, version in record["versions"].items():
            self.versions.setdefault(name, set()).add(str(version))
        self.dialects |= {record.get("dialect", "")} - {""}
        if judge := record["judge"]:
            self.judges.add(f"{judge['model']}, variant {judge['variant']}")


def _text(fact: Record) -> str:
    return json.dumps(fact, sort_keys=True)


def _against(one: set[str], other: set[str]) -> str:
    return " against ".join(", ".join(sorted(names)) or "none" for names in (one, other))


def differing_settings(one: RunSettings, other: RunSettings) -> list[str]:
    """What differs between the settings of two runs, a line each."""
    found = []
    if one.grades != other.grades:
        found.append(f"the facts differ in their grades: {_against(one.grades, other.grades)}; see --facts")
    if one.assumed != other.assumed:
        found.append(
            f"{len(one.assumed ^ other.assumed)} assumed facts are those of one run alone; see --assume"
        )
    if one.dialects and other.dialects and one.dialects != other.dialects:
        found.append(f"the dialect differs: {_against(one.dialects, other.dialects)}; see --gold-dialect")
    databases = [
        name for name in one.dropped if name in other.dropped and one.dropped[name] != other.dropped[name]
    ]
    if databases:
        some = ", ".join(databases[:5]) + (" and more" if len(databases) > 5 else "")
        found.append(f"the data violates other facts, on {some}: another database, or another --facts")
    found += [
        f"the version of {name} differs: {_against(one.versions[name], other.versions[name])}"
        for name in sorted(one.versions.keys() & other.versions.keys())
        if one.versions[name] != other.versions[name]
    ]
    if one.judges != other.judges:
        found.append(f"the judge differs: {_against(one.judges, other.judges)}")
    return found
