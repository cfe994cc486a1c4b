"""A verdict as plain JSON: the part of a result record that does not depend on the pair's origin.

What a tier did not run for is null or empty.  Blobs and infinities, which JSON lacks, become the objects of
:func:`json_cell`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import cache
from typing import Any

from equiv.cells import Cell, Row
from equiv.core.model import REFERENCE
from equiv.core.runner import VERSION
from equiv.dialects.crossing.dialect import sides_of
from equiv.dialects.registry import dialect_named
from equiv.facts import Fact
from equiv.relation import Relation
from equiv.schema.notation import format_fact
from equiv.verdict import (
    Caveat,
    Condition,
    Derivation,
    Equivalent,
    Execution,
    Invalid,
    NotEquivalent,
    Proof,
    Step,
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


def said_by(verdict: Verdict) -> Record:
    """The fields of the record that the verdict alone fills, in their order."""
    return {
        "caveat": _caveat(verdict),
        "verdict": verdict.name,
        "tier": verdict.tier,
        "dialect": dialect_named(verdict.dialect).name if verdict.dialect else "",
        "relation": str(verdict.relation),
        "facts": [_fact(fact) for fact in _telling(verdict)],
        "facts_dropped": [_fact(fact) for fact in verdict.facts_dropped],
        **_particulars(verdict),
        "bounded": _bounded(verdict),
        "fragment": verdict.fragment,
        "parts": _parts(verdict),
        "databases": verdict.databases if isinstance(verdict, Undecided) else None,
        "remarks": [{"kind": r.kind, "side": r.side, "text": r.text} for r in verdict.remarks],
        "equivalent_if": [_condition(condition) for condition in conditions_of(verdict)],
        "confirmed": verdict.confirmed if isinstance(verdict, Equivalent) else None,
        "strongest": _text_if_any(verdict.strongest) if isinstance(verdict, Equivalent) else None,
        "weakest": _text_if_any(verdict.weakest) if isinstance(verdict, NotEquivalent) else None,
        "ms": _milliseconds(verdict),
        "attempts": [
            {"tier": a.tier, "outcome": a.outcome, "reason": a.reason, "ms": round(a.ms, 3)}
            for a in verdict.attempts
        ],
        "versions": versions(verdict.dialect),
    }


def conditions_of(verdict: Verdict) -> tuple[Condition, ...]:
    """The further facts under which a verdict's pair would be equivalent."""
    return verdict.equivalent_if if isinstance(verdict, NotEquivalent | Undecided) else ()


def _caveat(verdict: Verdict) -> Record | None:
    """What is to be told first of an equivalence; see :class:`equiv.verdict.Caveat`."""
    match verdict:
        case Equivalent(caveat=Caveat() as caveat):
            return {
                "kind": "rounding",
                "places": list(caveat.places),
                "evidence": _evidence(caveat.evidence),
            }
    return None


def _text_if_any(relation: Relation | None) -> str | None:
    return None if relation is None else str(relation)


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
            fields["evidence"] = _evidence(verdict.evidence)
        case NotEquivalent():
            fields |= {
                "difference": verdict.difference,
                "failure_code": verdict.failure_code,
                "evidence": _evidence(verdict.evidence),
            }
        case Undecided():
            fields |= {
                "reason": verdict.reason,
                "detail": verdict.detail or None,
                "failure_code": verdict.failure_code,
                "evidence": _evidence(verdict.evidence),
            }
        case Invalid():
            fields |= {"failure_code": verdict.failure_code, "detail": verdict.message or None}
    return fields


def _evidence(evidence: Derivation | Proof | Witness | Execution | None) -> Record | None:
    match evidence:
        case Derivation():
            return {
                "kind": "derivation",
                "steps": _steps(evidence),
                "normal_form": evidence.normal_form,
                "on_trust": list(evidence.on_trust),
            }
        case Proof():
            return {
                "kind": "proof",
                "steps": [],
                "pred_form": evidence.pred_form,
                "gold_form": evidence.gold_form,
                "correspondences": list(evidence.correspondences),
                "obligations": [{"text": o.text, "smtlib": o.smtlib} for o in evidence.obligations],
            }
        case Witness():
            return {"kind": "witness", "sql": evidence.sql, **_results(evidence), **_binding(evidence)}
        case Execution():
            results = {**_results(evidence), **_binding(evidence)}
            return {"kind": "execution", "database": evidence.database, **results}
    return None


def _steps(evidence: Derivation) -> list[Record]:
    sides = (("pred", evidence.pred_steps), ("gold", evidence.gold_steps))
    return [_step(side, step) for side, steps in sides for step in steps]


def _step(side: str, step: Step) -> Record:
    return {
        "side": side,
        "rule": step.rule,
        "before": step.before,
        "after": step.after,
        "facts": [_fact(fact) for fact in step.facts],
        "under": step.under,
    }


def _results(evidence: Witness | Execution) -> Record:
    return {
        "pred_rows": json_rows(evidence.pred_rows),
        "gold_rows": json_rows(evidence.gold_rows),
        "pred_columns": list(evidence.pred_columns),
        "gold_columns": list(evidence.gold_columns),
        "pred_error": evidence.pred_error or None,
        "gold_error": evidence.gold_error or None,
    }


def _binding(evidence: Witness | Execution) -> Record:
    """The values of parameters, and both queries as run; null if these are the texts as given."""
    bound = evidence.binding
    if bound is None:
        return {"binding": None}
    values = {name: json_cell(value) for name, value in bound.values}
    return {"binding": {"values": values, "pred_sql": bound.pred_sql, "gold_sql": bound.gold_sql}}


def _fact(fact: Fact) -> Record:
    fields: Record = {
        "kind": fact.kind,
        "table": fact.table,
        "columns": list(fact.columns),
        "grade": fact.grade,
    }
    if fact.parent:
        fields["parent"] = fact.parent
    if fact.parent_columns:
        fields["parent_columns"] = list(fact.parent_columns)
    if fact.expression:
        fields["expression"] = fact.expression
    return fields


def _milliseconds(verdict: Verdict) -> dict[str, float]:
    spent: dict[str, float] = {}
    for attempt in verdict.attempts:
        spent[attempt.tier] = round(spent.get(attempt.tier, 0.0) + attempt.ms, 3)
    return spent


def json_rows(rows: Iterable[Row]) -> list[list[Any]]:
    """Result rows as JSON values."""
    return [[json_cell(cell) for cell in row] for row in rows]


def json_cell(cell: Cell) -> Any:
    """A cell as a JSON value: a blob is ``{"blob": hex}``, an infinity ``{"real": "inf"}``."""
    match cell:
        case bytes():
            return {"blob": cell.hex()}
        case float() if not math.isfinite(cell):
            return {"real": str(cell)}
    return cell


def to_json(record: Record, indent: int | None = None) -> str:
    """The record on one line of ASCII, or indented, so that no terminal control character survives."""
    return json.dumps(record, allow_nan=False, indent=indent)
