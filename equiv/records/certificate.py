"""Certificates: an equivalence with all that it takes to check it elsewhere, as JSON.

A certificate names the queries, the schema, the facts in force, the derivation or proof, and, of a proof,
each claim that a solver had to show, as an SMT-LIB2 script.  :mod:`equiv.records.recheck` checks one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from equiv.core.model import REFERENCE, Schema
from equiv.core.single_values import sql_literal
from equiv.dialects.crossing.dialect import giver_of, readers_of
from equiv.dialects.crossing.sides import given_of
from equiv.dialects.registry import dialect_of, reference
from equiv.engine.make import ground_of
from equiv.errors import InputError
from equiv.facts import Facts
from equiv.files import is_text, load_json, read_text
from equiv.options import Options
from equiv.records.forms import TEXT, object_of, values_of
from equiv.records.record import Item, versions
from equiv.schema.locate import Place
from equiv.verdict import Derivation, Equivalent, Obligation, Proof, Verdict

FORMAT = "equiv certificate 3"
"""The value of ``format``: what the other keys mean."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A fact in the notation of ``--assume``, who promises it, and whether the equivalence rests on it."""

    fact: str
    grade: str
    used: bool


@dataclass(frozen=True, slots=True)
class DerivationLine:
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
    """``rules``, ``proof`` or ``packs``."""
    relation: str
    strongest: str
    effort: int
    """Of the tier, as a number of databases; 0: its default."""
    pred_sql: str
    gold_sql: str
    dialect: str
    """What both queries are written in; a file without it is from before there were several, and SQLite's."""
    schema: tuple[str, ...]
    """Statements that create the tables and views on the core's engine, whatever the dialect."""
    native: tuple[str, ...]
    """The same of the dialect's own, where the facts come from these; a file without it has none."""
    facts: tuple[Premise, ...]
    """All facts in force."""
    steps: tuple[DerivationLine, ...]
    pred_form: str
    gold_form: str
    pred_rewrites: tuple[str, ...]
    """The rewrites of the algebra that made the normal form, by name, in order."""
    gold_rewrites: tuple[str, ...]
    correspondences: tuple[str, ...]
    obligations: tuple[Obligation, ...]


def certificate_for(item: Item, place: Place, verdict: Verdict, options: Options) -> Certificate | None:
    """The certificate of a verdict on an item at a place, or None if it is not an equivalence."""
    if not isinstance(verdict, Equivalent):
        return None
    ground = ground_of(place.schema, place.database, options)
    return certificate_of(item, ground.schema, ground.facts, verdict, options.databases)


def certificate_of(
    item: Item, schema: Schema, facts: Facts, verdict: Equivalent, effort: int = 0
) -> Certificate:
    """The certificate of a verdict on an item.

    Args:
        item: the pair.
        schema: the schema that it was compared on.
        facts: the facts in force.
        verdict: what was found.
        effort: that of the tiers.
    """
    pred_reader, gold_reader = readers_of(dialect_of(schema))
    evidence = verdict.evidence
    used = set(verdict.facts)
    steps = lines_of(evidence)
    if isinstance(evidence, Derivation):
        evidence = Proof(evidence.normal_form, evidence.normal_form, (), ())
    return Certificate(
        versions=versions(schema.dialect),
        tier=str(verdict.tier),
        relation=str(verdict.relation),
        strongest=str(verdict.strongest or verdict.relation),
        effort=effort,
        pred_sql=pred_reader.without_schema_names(item.predicted_sql, schema),
        gold_sql=gold_reader.without_schema_names(item.gold_sql, schema),
        dialect=schema.dialect,
        schema=tuple(reference().create(schema)),
        native=_native(schema),
        facts=tuple(Premise(str(fact), str(fact.grade), fact in used) for fact in facts),
        steps=steps,
        pred_form=evidence.pred_form,
        gold_form=evidence.gold_form,
        pred_rewrites=evidence.pred_rewrites,
        gold_rewrites=evidence.gold_rewrites,
        correspondences=evidence.correspondences,
        obligations=evidence.obligations,
    )


def lines_of(evidence: Derivation | Proof) -> tuple[DerivationLine, ...]:
    """The steps by which rules rewrote both queries."""
    if isinstance(evidence, Proof):
        return ()
    sides = (("pred", evidence.pred_steps), ("gold", evidence.gold_steps))
    return tuple(
        DerivationLine(side, step.rule, step.before, step.after, step.under)
        for side, steps in sides
        for step in steps
    )


def to_json(certificate: Certificate) -> str:
    """The text of a certificate's file."""
    return json.dumps({"format": FORMAT, **asdict(certificate)}, indent=1) + "\n"


def _native(schema: Schema) -> tuple[str, ...]:
    """The statements of the dialect that make a schema, if it has any."""
    dialect = giver_of(dialect_of(schema))
    if schema.sides:
        # What the other engine is told follows from them.
        schema = given_of(schema)
    elif not any(table.native for table in schema.tables):
        return ()
    names = [each.name for each in schema.tables] + [view.name for view in schema.native_views]
    made = dialect.reader.statements(dialect.engine.script(schema, names, {}))
    set_before = [f"SET {name} = {sql_literal(value)}" for name, value in schema.settings]
    return tuple(dict.fromkeys((*set_before, *made)))


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file.

    Raises:
        InputError: the file cannot be read, or holds no certificate of this format.
    """
    value = load_json(path, read_text(path))
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a certificate of equiv check --certificate")
    value = {"dialect": REFERENCE, "native": [], **value}
    del value["format"]
    if fault := _FORM.fault(value, "it"):
        raise InputError(f"{path}: the certificate is damaged: {fault}")
    found: Certificate = _FORM.read(value)
    return found


def _text_fault(value: object, name: str) -> str:
    told = TEXT.fault(value, name)
    return told or ("" if is_text(value) else f"{name} is not valid text")


_TEXT = replace(TEXT, fault=_text_fault)
_SPECIAL = {str: _TEXT, Mapping[str, str]: replace(values_of(_TEXT), read=dict)}
_PARTS = {
    kind: object_of(kind, special=_SPECIAL, exact=True) for kind in (Premise, DerivationLine, Obligation)
}
_FORM = object_of(Certificate, special=_SPECIAL | _PARTS, exact=True)
