"""Certificates: an equivalence with all that it takes to check it elsewhere, as JSON.

A certificate names the queries, the schema, the facts in force, the derivation or proof, and, of a proof,
each claim that a solver had to show, as an SMT-LIB2 script.  :mod:`equiv.recheck` checks one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import load_json, read_text
from equiv.foreign import unqualified
from equiv.ground import ground_of
from equiv.item import Item
from equiv.locate import Place
from equiv.options import Options
from equiv.record import versions
from equiv.schema.facts import Facts
from equiv.schema.model import Schema
from equiv.schema.notation import format_fact
from equiv.schema.render import create_statements
from equiv.verdict import Derivation, Equivalent, Obligation, Proof, Step, Verdict

FORMAT = "equiv certificate 1"
"""The value of ``format``: what the other keys mean."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A fact in the notation of ``--assume``, who promises it, and whether the equivalence rests on it."""

    fact: str
    grade: str
    used: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One step of a derivation, as in a record."""

    side: str
    rule: str
    before: str
    after: str
    under: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """An equivalence and all that it takes to check it; the fields are the keys of the file."""

    versions: Mapping[str, str]
    tier: str
    """``rules`` or ``proof``."""
    relation: str
    strongest: str
    pred_sql: str
    gold_sql: str
    schema: tuple[str, ...]
    """Statements that create the tables and views."""
    facts: tuple[Premise, ...]
    """All facts in force."""
    steps: tuple[Line, ...]
    pred_form: str
    gold_form: str
    correspondences: tuple[str, ...]
    obligations: tuple[Obligation, ...]


def certificate_for(item: Item, place: Place, verdict: Verdict, options: Options) -> Certificate | None:
    """The certificate of a verdict on an item at a place, or None if it is no equivalence."""
    if not isinstance(verdict, Equivalent):
        return None
    ground = ground_of(place.schema, place.database, options)
    return certificate_of(item, ground.schema, ground.facts, verdict)


def certificate_of(item: Item, schema: Schema, facts: Facts, verdict: Equivalent) -> Certificate:
    """The certificate of a verdict on an item.

    Args:
        item: the pair.
        schema: the schema that it was compared on.
        facts: the facts in force.
        verdict: what was found.
    """
    evidence = verdict.evidence
    used = set(verdict.facts)
    steps = [_line("pred", step) for step in evidence.pred_steps]
    steps += [_line("gold", step) for step in evidence.gold_steps]
    if isinstance(evidence, Derivation):
        form = evidence.normal_form
        evidence = Proof(evidence.pred_steps, evidence.gold_steps, form, form, (), ())
    return Certificate(
        versions=versions(),
        tier=str(verdict.tier),
        relation=str(verdict.relation),
        strongest=str(verdict.strongest or verdict.relation),
        pred_sql=unqualified(item.predicted_sql, schema),
        gold_sql=unqualified(item.gold_sql, schema),
        schema=tuple(create_statements(schema)),
        facts=tuple(Premise(format_fact(fact), str(fact.grade), fact in used) for fact in facts),
        steps=tuple(steps),
        pred_form=evidence.pred_form,
        gold_form=evidence.gold_form,
        correspondences=evidence.correspondences,
        obligations=evidence.obligations,
    )


def _line(side: str, step: Step) -> Line:
    return Line(side, step.rule, step.before, step.after, step.under)


def to_json(certificate: Certificate) -> str:
    """The text of a certificate's file."""
    return json.dumps({"format": FORMAT, **asdict(certificate)}, indent=1) + "\n"


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file.

    Raises:
        InputError: the file cannot be read, or holds no certificate of this format.
    """
    value = load_json(path, read_text(path))
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a certificate of equiv check --certificate")
    try:
        return _parse(value)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: a damaged certificate: {type(error).__name__} {error}") from None


def _parse(value: Mapping[str, Any]) -> Certificate:
    return Certificate(
        versions={_text(name): _text(version) for name, version in value["versions"].items()},
        tier=_text(value["tier"]),
        relation=_text(value["relation"]),
        strongest=_text(value["strongest"]),
        pred_sql=_text(value["pred_sql"]),
        gold_sql=_text(value["gold_sql"]),
        schema=tuple(map(_text, value["schema"])),
        facts=tuple(Premise(_text(f["fact"]), _text(f["grade"]), f["used"] is True) for f in value["facts"]),
        steps=tuple(Line(**{name: _text(part) for name, part in step.items()}) for step in value["steps"]),
        pred_form=_text(value["pred_form"]),
        gold_form=_text(value["gold_form"]),
        correspondences=tuple(map(_text, value["correspondences"])),
        obligations=tuple(Obligation(_text(o["text"]), _text(o["smtlib"])) for o in value["obligations"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {type(value).__name__}")
    return value
