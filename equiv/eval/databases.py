"""The database or schema of each item of an evaluation; an item without one gets a record that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.eval.plan import Job
from equiv.options import Options
from equiv.records.item import Fault, FaultKind, Item
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.schema.locate import Place, SchemaSource, is_plain_name, named_database, places_for_eval
from equiv.verdict import FailureCode, Invalid, Reason, Tier, Undecided, Verdict

WITHOUT_A_PAIR = frozenset({FaultKind.UNREADABLE, FaultKind.NO_GOLD})
"""Faults that leave nothing to look a database up for."""


def places_found(
    names: Iterable[str], db_root: Path | None, schema: Path | None, dialect: str = ""
) -> tuple[dict[str, Place], dict[str, str]]:
    """The places of database names, and of the names that lead nowhere, why.

    A database file goes before a schema; items that name no database are on that of a DDL file.

    Raises:
        InputError: an option leads nowhere, or every name does.
    """
    wanted = list(dict.fromkeys(names))
    places_for_eval((), db_root, schema, dialect)
    source = SchemaSource(schema, dialect) if schema is not None else None
    places: dict[str, Place] = {}
    missing: dict[str, str] = {}
    for name in wanted:
        place = _place(name, db_root, source, dialect)
        if isinstance(place, Place):
            places[name] = place
        else:
            missing[name] = place
    if not places:
        troubles = [why for name, why in missing.items() if name] or list(missing.values())
        raise InputError(troubles[0] if len(troubles) == 1 else _all_missing(missing))
    return places, missing


def _place(name: str, db_root: Path | None, source: SchemaSource | None, dialect: str) -> Place | str:
    """The place of a name, or why there is none."""
    if not name:
        chosen = source.find(name) if source is not None and source.path.is_file() else None
        return Place(chosen.name, schema=chosen) if chosen is not None else "no db_id: no database is named"
    try:
        if db_root is not None and (path := named_database(name, [db_root], dialect)):
            return Place(name, path, dialect_named(dialect).loader.read_database(path))
        if source is not None and is_plain_name(name) and (chosen := source.find(name)):
            return Place(name, schema=chosen)
    except InputError as error:
        return str(error)
    except (OSError, ValueError):  # a name that no file system takes
        pass
    return f"no database or schema for db_id {name[:80]!r}"


def _all_missing(missing: Iterable[str], most: int = 12) -> str:
    names = [repr(name[:80]) for name in missing]
    tail = f" and {len(names) - most} more" if len(names) > most else ""
    return f"no database or schema for db_id {', '.join(names[:most])}{tail}"


def marked(item: Item, missing: Mapping[str, str]) -> Item:
    """The item, with a fault for it if a pair's database is missing; no more is said of what is no pair."""
    known = {fault.kind for fault in item.faults}
    if item.db_id not in missing or not item.is_pair or not WITHOUT_A_PAIR.isdisjoint(known):
        return item
    return replace(item, faults=(*item.faults, Fault(FaultKind.NO_DATABASE, missing[item.db_id])))


def record_of(job: Job, key: str, options: Options) -> Record:
    """The record of a pair without a place: the gold query can be prepared on no schema.

    So it is undecided, GOLD_INVALID without a failure code; a missing prediction is invalid all the same.
    """
    item = job.item
    relation = resolve_relation(options.relation, gold_orders=False)
    if not any(gold.strip() for gold in item.golds):
        code, detail = FailureCode.GOLD_EMPTY, "the text is empty"
        verdict: Verdict = Undecided(
            relation=relation, reason=Reason.GOLD_INVALID, failure_code=code, detail=detail
        )
    elif not item.predicted_sql.strip():
        code, detail = FailureCode.PRED_EMPTY, "the text is empty"
        verdict = Invalid(relation=relation, tier=Tier.PARSE, failure_code=code, message=detail)
    else:
        detail = next(
            (fault.text for fault in item.faults if fault.kind is FaultKind.NO_DATABASE), "no database"
        )
        verdict = Undecided(relation=relation, reason=Reason.GOLD_INVALID, detail=detail)
    return to_record(item, verdict, key, options.accepted_rows)
