"""A verdict as plain JSON and back: the part of a result record that does not depend on the pair's origin.

What a tier did not run for is null or empty.  A record tells less than the verdict did: which tables a
witness fills stands in its script alone, and of the facts in force only those that the database could have
broken are kept.  What is read back is shown, and nothing is concluded from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from equiv import verdict as v
from equiv.core.model import REFERENCE
from equiv.core.runner import VERSION
from equiv.dialects.crossing.dialect import sides_of
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.facts import Fact
from equiv.names import fold
from equiv.records import forms
from equiv.relation import Relation

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


FACT = forms.object_of(Fact, "kind table columns grade", "parent parent_columns expression", terse=True)
FACTS = forms.list_of(FACT)
ATTEMPT = forms.object_of(v.Attempt, special={float: forms.MILLISECONDS})
REMARK = forms.object_of(v.Remark)

_OWN = {Fact: FACT}
_STEP = forms.object_of(v.Step, special=_OWN)
_STEPS = forms.list_of(forms.shape_of({"side": forms.TEXT, **forms.forms_in(v.Step, special=_OWN)}))


def _write_steps(derivation: v.Derivation) -> list[Record]:
    sides = (("pred", derivation.pred_steps), ("gold", derivation.gold_steps))
    return [{"side": side, **_STEP.write(step)} for side, steps in sides for step in steps]


def _derivation_of(steps: list[Record], normal_form: str, on_trust: tuple[str, ...] = ()) -> v.Derivation:
    """The derivation whose steps are those of both sides, each with its side."""
    pred, gold = (
        tuple(_STEP.read(step) for step in steps if step["side"] == side) for side in ("pred", "gold")
    )
    return v.Derivation(pred, gold, normal_form, on_trust)


_DERIVATION = forms.JsonForm(
    lambda derivation: {
        "kind": "derivation",
        "steps": _write_steps(derivation),
        "normal_form": derivation.normal_form,
        "on_trust": list(derivation.on_trust),
    },
    lambda found: _derivation_of(found["steps"], found["normal_form"], tuple(found.get("on_trust", ()))),
    forms.shape_of(
        {"steps": _STEPS, "normal_form": forms.TEXT, "on_trust": forms.TEXTS}, ("on_trust",)
    ).fault,
    dict[str, Any],
)
_PROVED = "pred_form gold_form correspondences obligations"
_RESULTS = "pred_rows gold_rows"
_BESIDE = "pred_columns gold_columns pred_error gold_error binding"
"""What older records may lack: the names of columns, errors, the values of parameters."""
_OF_RESULTS = {
    "pred_error": forms.TEXT_OR_NULL,
    "gold_error": forms.TEXT_OR_NULL,
    v.ParameterBinding: forms.object_of(v.ParameterBinding, special={"values": forms.values_of(forms.CELL)}),
}

_WITNESS = forms.object_of(
    v.Witness, f"sql {_RESULTS}", _BESIDE, special=_OF_RESULTS, head={"kind": "witness"}
)

_EVIDENCE: dict[str, forms.JsonForm] = {
    "derivation": _DERIVATION,
    "proof": replace(
        forms.object_of(v.Proof, _PROVED, head={"kind": "proof", "steps": []}),
        fault=forms.shape_of({**forms.forms_in(v.Proof, _PROVED), "steps": _STEPS}, ("steps",)).fault,
    ),
    "witness": _WITNESS,
    "execution": forms.object_of(
        v.Execution,
        f"database {_RESULTS}",
        f"{_BESIDE} few",
        special={**_OF_RESULTS, "few": forms.or_null(_WITNESS)},
        head={"kind": "execution"},
    ),
}


def _write_evidence(evidence: v.Derivation | v.Proof | v.Witness | v.Execution) -> Record:
    written: Record = _EVIDENCE[type(evidence).__name__.lower()].write(evidence)
    return written


def _read_evidence(found: Mapping[str, Any]) -> v.Derivation | v.Proof | v.Witness | v.Execution | None:
    form = _EVIDENCE.get(found["kind"]) if found else None
    return form.read(found) if form else None


def _evidence_fault(found: Any, name: str) -> str:
    match found:
        case {"kind": str(kind)}:
            return _EVIDENCE.get(kind, forms.ANY).fault(found, name)
    return f"{name} is not evidence"


EVIDENCE = forms.or_null(forms.JsonForm(_write_evidence, _read_evidence, _evidence_fault, dict[str, Any]))
CAVEAT = forms.or_null(
    forms.object_of(v.Caveat, special={v.Witness | v.Execution | None: EVIDENCE}, head={"kind": "rounding"})
)
"""What is to be told first of an equivalence; see :class:`equiv.verdict.Caveat`."""


def said_by(verdict: v.Verdict) -> Record:
    """The fields of the record that the verdict alone fills, in their order.

    What its case has no field for is null or empty.
    """
    own: Callable[..., Any] = partial(getattr, verdict)
    bounded, parts = own("bounded", None), own("parts", None)
    return {
        "caveat": CAVEAT.write(own("caveat", None)),
        "verdict": verdict.name,
        "tier": verdict.tier,
        "dialect": dialect_named(verdict.dialect).name if verdict.dialect else "",
        "relation": str(verdict.relation),
        "facts": FACTS.write(_telling(verdict)),
        "facts_dropped": FACTS.write(verdict.facts_dropped),
        "reason": own("reason", None),
        "detail": own("detail", "") or own("message", "") or None,
        "failure_code": own("failure_code", None),
        "difference": own("difference", None),
        "evidence": EVIDENCE.write(own("evidence", None)),
        "bounded": None if bounded is None else {"rows": bounded},
        "fragment": verdict.fragment,
        "parts": None if parts is None else dict(zip(("pred", "gold"), parts, strict=True)),
        "databases": own("databases", None),
        "remarks": forms.list_of(REMARK).write(verdict.remarks),
        "equivalent_if": [_condition(condition) for condition in conditions_of(verdict)],
        "confirmed": own("confirmed", None),
        "strongest": forms.or_null(forms.RELATION).write(own("strongest", None)),
        "weakest": forms.or_null(forms.RELATION).write(own("weakest", None)),
        "ms": _milliseconds(verdict),
        "attempts": forms.list_of(ATTEMPT).write(verdict.attempts),
        "versions": versions(verdict.dialect),
    }


def conditions_of(verdict: v.Verdict) -> tuple[v.Condition, ...]:
    """The further facts under which a verdict's pair would be equivalent."""
    return verdict.equivalent_if if isinstance(verdict, v.NotEquivalent | v.Undecided) else ()


def _condition(condition: v.Condition) -> Record:
    fact = str(condition.fact)
    return {"fact": fact, "satisfied": condition.satisfied, "observed": condition.observed}


def _telling(verdict: v.Verdict) -> Iterable[Fact]:
    """The facts that a verdict rests on; of a refutation, those that its database could have broken.

    A fact on a table without rows holds by itself, and what a given database
    breaks was dropped before.
    """
    match verdict:
        case v.NotEquivalent(evidence=v.Witness(tables=tables)):
            filled = {"", *(fold(name) for name, (_, rows) in tables.items() if rows)}
            return [fact for fact in verdict.facts if fold(fact.table) in filled]
        case v.NotEquivalent():
            return [fact for fact in verdict.facts if not fact.table]
    return verdict.facts


def _milliseconds(verdict: v.Verdict) -> dict[str, float]:
    spent: dict[str, float] = {}
    for attempt in verdict.attempts:
        spent[attempt.purpose] = round(spent.get(attempt.purpose, 0.0) + attempt.ms, 3)
    return spent


def verdict_of(record: Record) -> v.Verdict:
    """The verdict of a record.

    Raises:
        InputError: the record is damaged.
    """
    try:
        return _verdict(record)
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise InputError(f"record {record.get('key')} is damaged: {type(error).__name__}: {error}") from None


def _verdict(record: Record) -> v.Verdict:
    shared: dict[str, Any] = {
        "relation": forms.RELATION.read(record["relation"]),
        "tier": v.Tier(record["tier"]) if record["tier"] else None,
        "facts_dropped": FACTS.read(record["facts_dropped"]),
        "attempts": tuple(ATTEMPT.read(one) for one in record["attempts"] if one["tier"] in set(v.Tier)),
        "remarks": forms.list_of(REMARK).read(record.get("remarks", ())),
    }
    evidence = EVIDENCE.read(record["evidence"])
    match record["verdict"]:
        case "equivalent" if isinstance(evidence, v.Derivation | v.Proof):
            return v.Equivalent(
                **shared,
                facts=FACTS.read(record["facts"]),
                evidence=evidence,
                strongest=_relation_if_any(record["strongest"]),
                caveat=CAVEAT.read(record.get("caveat")),
                confirmed=record["confirmed"],
            )
        case "not_equivalent" if isinstance(evidence, v.Witness | v.Execution):
            weakest = _relation_if_any(record["weakest"])
            difference = v.Difference(record["difference"])
            return v.NotEquivalent(**shared, evidence=evidence, difference=difference, weakest=weakest)
        case "undecided":
            return v.Undecided(
                **shared,
                reason=v.Reason(record["reason"] or v.Reason.NO_PROOF),
                detail=record["detail"] or "",
                failure_code=_code(record),
                evidence=evidence if isinstance(evidence, v.Witness) else None,
                bounded=record["bounded"]["rows"] if record["bounded"] else None,
                parts=(parts["pred"], parts["gold"]) if (parts := record.get("parts")) else None,
                databases=record.get("databases") or 0,
            )
        case "invalid":
            code = _code(record) or v.FailureCode.PRED_SYNTAX
            return v.Invalid(**shared, failure_code=code, message=record["detail"] or "")
    raise ValueError(f"a verdict {record['verdict']!r} without evidence")


def _code(record: Record) -> v.FailureCode | None:
    return v.FailureCode(record["failure_code"]) if record["failure_code"] else None


def _relation_if_any(text: str | None) -> Relation | None:
    """A relation that may not have been looked for; older records say ``None`` in words then."""
    return None if text is None or text == "None" else forms.RELATION.read(text)


def to_json(record: Record, indent: int | None = None) -> str:
    """The record on one line of ASCII, or indented, so that no terminal control character survives."""
    return json.dumps(record, allow_nan=False, indent=indent)
