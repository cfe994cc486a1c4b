"""A verdict as a record holds it, for what explains verdicts.

A record tells less than the verdict did: which tables a witness fills stands in its script alone, and of the
facts in force only those that the database could have broken are kept.  What is read here is shown, and
nothing is concluded from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from equiv.cells import Cell, Row
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.records.record import Record
from equiv.relation import RELATIONS, Relation
from equiv.verdict import (
    Attempt,
    Binding,
    Caveat,
    Derivation,
    Difference,
    Equivalent,
    Execution,
    FailureCode,
    Invalid,
    NotEquivalent,
    Obligation,
    Proof,
    Reason,
    Remark,
    RemarkKind,
    Step,
    Tier,
    Undecided,
    Verdict,
    Witness,
)


def verdict_of(record: Record) -> Verdict:
    """The verdict of a record.

    Raises:
        InputError: the record is damaged.
    """
    try:
        return _verdict(record)
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise InputError(f"record {record.get('key')}: damaged: {type(error).__name__}: {error}") from None


def _verdict(record: Record) -> Verdict:
    shared: dict[str, Any] = {
        "relation": _relation(record["relation"]),
        "tier": Tier(record["tier"]) if record["tier"] else None,
        "facts_dropped": _facts(record["facts_dropped"]),
        "attempts": tuple(_attempt(one) for one in record["attempts"] if one["tier"] in set(Tier)),
        "remarks": tuple(
            Remark(RemarkKind(one["kind"]), one["side"], one["text"]) for one in record.get("remarks", ())
        ),
    }
    shared["fragment"] = bool(record.get("fragment"))
    evidence = _evidence(record["evidence"])
    match record["verdict"]:
        case "equivalent" if isinstance(evidence, Derivation | Proof):
            return Equivalent(
                **shared,
                facts=_facts(record["facts"]),
                evidence=evidence,
                strongest=_relation_if_any(record["strongest"]),
                caveat=_caveat(record.get("caveat")),
                confirmed=record["confirmed"],
            )
        case "not_equivalent" if isinstance(evidence, Witness | Execution):
            weakest = _relation_if_any(record["weakest"])
            difference = Difference(record["difference"])
            return NotEquivalent(**shared, evidence=evidence, difference=difference, weakest=weakest)
        case "undecided":
            return Undecided(
                **shared,
                reason=Reason(record["reason"] or Reason.NO_PROOF),
                detail=record["detail"] or "",
                failure_code=_code(record),
                evidence=evidence if isinstance(evidence, Witness) else None,
                bounded=record["bounded"]["rows"] if record["bounded"] else None,
                parts=(parts["pred"], parts["gold"]) if (parts := record.get("parts")) else None,
                databases=record.get("databases") or 0,
            )
        case "invalid":
            code = _code(record) or FailureCode.PRED_SYNTAX
            return Invalid(**shared, failure_code=code, message=record["detail"] or "")
    raise ValueError(f"a verdict {record['verdict']!r} without its evidence")


def _code(record: Record) -> FailureCode | None:
    return FailureCode(record["failure_code"]) if record["failure_code"] else None


def _relation(text: str) -> Relation:
    return next(relation for relation in RELATIONS if str(relation) == text)


def _relation_if_any(text: str | None) -> Relation | None:
    """A relation that may not have been looked for; older records say ``None`` in words then."""
    return None if text is None or text == "None" else _relation(text)


def _attempt(found: Mapping[str, Any]) -> Attempt:
    return Attempt(Tier(found["tier"]), found["outcome"], found["reason"], found["ms"])


def _facts(found: Iterable[Mapping[str, Any]]) -> tuple[Fact, ...]:
    return tuple(
        Fact(
            FactKind(one["kind"]),
            Grade(one["grade"]),
            one["table"],
            tuple(one["columns"]),
            one.get("parent", ""),
            tuple(one.get("parent_columns", ())),
            one.get("expression", ""),
        )
        for one in found
    )


def _caveat(found: Mapping[str, Any] | None) -> Caveat | None:
    if not found:
        return None
    evidence = _evidence(found["evidence"])
    return Caveat(tuple(found["places"]), evidence if isinstance(evidence, Witness | Execution) else None)


def _evidence(found: Mapping[str, Any] | None) -> Derivation | Proof | Witness | Execution | None:
    if not found:
        return None
    match found["kind"]:
        case "derivation":
            return Derivation(
                _steps(found, "pred"),
                _steps(found, "gold"),
                found["normal_form"],
                tuple(found.get("on_trust", ())),
            )
        case "proof":
            return Proof(
                found["pred_form"],
                found["gold_form"],
                tuple(found["correspondences"]),
                tuple(Obligation(one["text"], one["smtlib"]) for one in found["obligations"]),
            )
        case "witness":
            return Witness(found["sql"], *_both_rows(found), **_beside(found))
        case "execution":
            return Execution(found["database"], *_both_rows(found), **_beside(found))
    return None


def _steps(found: Mapping[str, Any], side: str) -> tuple[Step, ...]:
    return tuple(
        Step(one["rule"], one["before"], one["after"], _facts(one["facts"]), one["under"])
        for one in found["steps"]
        if one["side"] == side
    )


def _both_rows(found: Mapping[str, Any]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    pred, gold = (tuple(tuple(map(_cell, row)) for row in found[name]) for name in ("pred_rows", "gold_rows"))
    return pred, gold


def _beside(found: Mapping[str, Any]) -> dict[str, Any]:
    """What older records may lack: the values of parameters, the names of columns, and errors."""
    columns = {name: tuple(found.get(name, ())) for name in ("pred_columns", "gold_columns")}
    errors = {name: found.get(name) or "" for name in ("pred_error", "gold_error")}
    return {"binding": _binding(found.get("binding")), **columns, **errors}


def _binding(found: Mapping[str, Any] | None) -> Binding | None:
    if not found:
        return None
    values = tuple((name, _cell(value)) for name, value in found["values"].items())
    return Binding(values, found["pred_sql"], found["gold_sql"])


def _cell(value: Any) -> Cell:
    """The inverse of :func:`equiv.records.record.json_cell`."""
    match value:
        case {"blob": str(digits)}:
            return bytes.fromhex(digits)
        case {"real": str(text)}:
            return float(text)
        case None | int() | float() | str():
            return value
    raise ValueError(f"no cell: {value!r}")
