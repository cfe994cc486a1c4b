"""A verdict as plain JSON and back: the part of a result record that does not depend on the pair's origin.

What a tier did not run for is null or empty.  A record tells less than the verdict did: which tables a
witness fills stands in its script alone, and of the facts in force only those that the database could have
broken are kept.  What is read back is shown, and nothing is concluded from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from equiv.core.model import REFERENCE
from equiv.core.runner import VERSION
from equiv.dialects.crossing.dialect import sides_of
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.records.forms import (
    ANY,
    CELL,
    MILLISECONDS,
    RELATION,
    ROWS,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    JsonForm,
    list_of,
    object_of,
    or_null,
    plain,
    shape_of,
    values_of,
    word,
)
from equiv.relation import Relation
from equiv.schema.policy import format_fact
from equiv.verdict import (
    Attempt,
    Binding,
    Caveat,
    Condition,
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

Record = dict[str, Any]
"""One result record; the keys are those of :func:`equiv.records.record.to_record`."""


@cache
def versions(dialect: str = "") -> dict[str, str]:
    """Versions of what a verdict may depend on, found without importing any of it.

    Args:
        dialect: the name of the dialect whose engine has the last word.
    """
    sides = sides_of(dialect_named(dialect)) if dialect not in ("", REFERENCE) else ()
    own = {side.name: side.engine.version for side in sides if side.name != REFERENCE}
    return {
        "equiv": _version("equiv"),
        "sqlglot": _version("sqlglot"),
        "z3": _version("z3-solver"),
        "sqlite": VERSION,
        **own,
    }


def _version(package: str) -> str:
    """The installed version; a checkout that is only on the path has none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "uninstalled"


FACT = object_of(
    Fact,
    {"kind": word(FactKind), "table": TEXT, "columns": TEXTS, "grade": word(Grade)},
    {"parent": TEXT, "parent_columns": TEXTS, "expression": TEXT},
    terse=True,
)
FACTS = list_of(FACT)
ATTEMPT = object_of(Attempt, {"tier": word(Tier), "outcome": TEXT, "reason": TEXT, "ms": MILLISECONDS})
REMARK = object_of(Remark, {"kind": word(RemarkKind), "side": TEXT, "text": TEXT})

_STEP = object_of(Step, {"rule": TEXT, "before": TEXT, "after": TEXT, "facts": FACTS, "under": TEXT})
_SIDED = {"side": TEXT, "rule": TEXT, "before": TEXT, "after": TEXT, "under": TEXT, "facts": FACTS}
_STEPS = plain(list_of(plain(shape_of(_SIDED))).holds)


def _write_steps(derivation: Derivation) -> list[Record]:
    sides = (("pred", derivation.pred_steps), ("gold", derivation.gold_steps))
    return [{"side": side, **_STEP.write(step)} for side, steps in sides for step in steps]


def _derivation_of(steps: list[Record], normal_form: str, on_trust: tuple[str, ...] = ()) -> Derivation:
    """The derivation whose steps are those of both sides, each with its side."""
    pred, gold = (
        tuple(_STEP.read(step) for step in steps if step["side"] == side) for side in ("pred", "gold")
    )
    return Derivation(pred, gold, normal_form, on_trust)


_DERIVATION = JsonForm(
    lambda derivation: {
        "kind": "derivation",
        "steps": _write_steps(derivation),
        "normal_form": derivation.normal_form,
        "on_trust": list(derivation.on_trust),
    },
    lambda found: _derivation_of(found["steps"], found["normal_form"], tuple(found.get("on_trust", ()))),
    shape_of({"steps": _STEPS, "normal_form": TEXT}, {"on_trust": TEXTS}),
)
_PROVED = {
    "pred_form": TEXT,
    "gold_form": TEXT,
    "correspondences": TEXTS,
    "obligations": list_of(object_of(Obligation, {"text": TEXT, "smtlib": TEXT})),
}
_BINDING = object_of(Binding, {"values": values_of(CELL), "pred_sql": TEXT, "gold_sql": TEXT})
_RESULTS = {"pred_rows": ROWS, "gold_rows": ROWS}
_BESIDE = {
    "pred_columns": TEXTS,
    "gold_columns": TEXTS,
    "pred_error": TEXT_OR_NULL,
    "gold_error": TEXT_OR_NULL,
    "binding": or_null(_BINDING),
}
"""What older records may lack: the names of columns, errors, the values of parameters."""

_EVIDENCE: dict[str, JsonForm] = {
    "derivation": _DERIVATION,
    "proof": replace(
        object_of(Proof, _PROVED, head={"kind": "proof", "steps": []}),
        holds=shape_of(_PROVED, {"steps": _STEPS}),
    ),
    "witness": object_of(Witness, {"sql": TEXT, **_RESULTS}, _BESIDE, head={"kind": "witness"}),
    "execution": object_of(Execution, {"database": TEXT, **_RESULTS}, _BESIDE, head={"kind": "execution"}),
}


def _write_evidence(evidence: Derivation | Proof | Witness | Execution) -> Record:
    written: Record = _EVIDENCE[type(evidence).__name__.lower()].write(evidence)
    return written


def _read_evidence(found: Mapping[str, Any]) -> Derivation | Proof | Witness | Execution | None:
    form = _EVIDENCE.get(found["kind"]) if found else None
    return form.read(found) if form else None


def _is_evidence(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("kind"), str):
        return False
    return _EVIDENCE.get(found["kind"], ANY).holds(found)


EVIDENCE = or_null(JsonForm(_write_evidence, _read_evidence, _is_evidence))
CAVEAT = or_null(object_of(Caveat, {"places": TEXTS, "evidence": EVIDENCE}, head={"kind": "rounding"}))
"""What is to be told first of an equivalence; see :class:`equiv.verdict.Caveat`."""


def said_by(verdict: Verdict) -> Record:
    """The fields of the record that the verdict alone fills, in their order."""
    return {
        "caveat": CAVEAT.write(verdict.caveat) if isinstance(verdict, Equivalent) else None,
        "verdict": verdict.name,
        "tier": verdict.tier,
        "dialect": dialect_named(verdict.dialect).name if verdict.dialect else "",
        "relation": str(verdict.relation),
        "facts": FACTS.write(_telling(verdict)),
        "facts_dropped": FACTS.write(verdict.facts_dropped),
        **_particulars(verdict),
        "bounded": _bounded(verdict),
        "fragment": verdict.fragment,
        "parts": _parts(verdict),
        "databases": verdict.databases if isinstance(verdict, Undecided) else None,
        "remarks": list_of(REMARK).write(verdict.remarks),
        "equivalent_if": [_condition(condition) for condition in conditions_of(verdict)],
        "confirmed": verdict.confirmed if isinstance(verdict, Equivalent) else None,
        "strongest": or_null(RELATION).write(verdict.strongest) if isinstance(verdict, Equivalent) else None,
        "weakest": or_null(RELATION).write(verdict.weakest) if isinstance(verdict, NotEquivalent) else None,
        "ms": _milliseconds(verdict),
        "attempts": list_of(ATTEMPT).write(verdict.attempts),
        "versions": versions(verdict.dialect),
    }


def conditions_of(verdict: Verdict) -> tuple[Condition, ...]:
    """The further facts under which a verdict's pair would be equivalent."""
    return verdict.equivalent_if if isinstance(verdict, NotEquivalent | Undecided) else ()


def _bounded(verdict: Verdict) -> Record | None:
    match verdict:
        case Undecided(bounded=int(rows)):
            return {"rows": rows}
    return None


def _parts(verdict: Verdict) -> Record | None:
    match verdict:
        case Undecided(parts=(str(pred), str(gold))):
            return {"pred": pred, "gold": gold}
    return None


def _condition(condition: Condition) -> Record:
    fact = format_fact(condition.fact)
    return {"fact": fact, "satisfied": condition.satisfied, "observed": condition.observed}


def _telling(verdict: Verdict) -> Iterable[Fact]:
    """The facts that a verdict rests on; of a refutation, those that its database could have broken.

    A fact on a table without rows holds by itself, and what a given database
    breaks was dropped before.
    """
    match verdict:
        case NotEquivalent(evidence=Witness(tables=tables)):
            filled = {"", *(name.lower() for name, (_, rows) in tables.items() if rows)}
            return [fact for fact in verdict.facts if fact.table.lower() in filled]
        case NotEquivalent():
            return [fact for fact in verdict.facts if not fact.table]
    return verdict.facts


def _particulars(verdict: Verdict) -> Record:
    """What only some cases of a verdict have."""
    fields: Record = {
        "reason": None,
        "detail": None,
        "failure_code": None,
        "difference": None,
        "evidence": None,
    }
    match verdict:
        case Equivalent():
            fields["evidence"] = EVIDENCE.write(verdict.evidence)
        case NotEquivalent():
            fields |= {
                "difference": verdict.difference,
                "failure_code": verdict.failure_code,
                "evidence": EVIDENCE.write(verdict.evidence),
            }
        case Undecided():
            fields |= {
                "reason": verdict.reason,
                "detail": verdict.detail or None,
                "failure_code": verdict.failure_code,
                "evidence": EVIDENCE.write(verdict.evidence),
            }
        case Invalid():
            fields |= {"failure_code": verdict.failure_code, "detail": verdict.message or None}
    return fields


def _milliseconds(verdict: Verdict) -> dict[str, float]:
    spent: dict[str, float] = {}
    for attempt in verdict.attempts:
        spent[attempt.tier] = round(spent.get(attempt.tier, 0.0) + attempt.ms, 3)
    return spent


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
        "relation": RELATION.read(record["relation"]),
        "tier": Tier(record["tier"]) if record["tier"] else None,
        "facts_dropped": FACTS.read(record["facts_dropped"]),
        "attempts": tuple(ATTEMPT.read(one) for one in record["attempts"] if one["tier"] in set(Tier)),
        "remarks": list_of(REMARK).read(record.get("remarks", ())),
    }
    evidence = EVIDENCE.read(record["evidence"])
    match record["verdict"]:
        case "equivalent" if isinstance(evidence, Derivation | Proof):
            return Equivalent(
                **shared,
                facts=FACTS.read(record["facts"]),
                evidence=evidence,
                strongest=_relation_if_any(record["strongest"]),
                caveat=CAVEAT.read(record.get("caveat")),
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


def _relation_if_any(text: str | None) -> Relation | None:
    """A relation that may not have been looked for; older records say ``None`` in words then."""
    return None if text is None or text == "None" else RELATION.read(text)


def to_json(record: Record, indent: int | None = None) -> str:
    """The record on one line of ASCII, or indented, so that no terminal control character survives."""
    return json.dumps(record, allow_nan=False, indent=indent)
