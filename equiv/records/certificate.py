"""Certificates: an equivalence with all that it takes to check it elsewhere, as JSON.

A certificate names the queries, the schema, the facts in force, the derivation or proof, and, of a proof,
each claim that a solver had to show, as an SMT-LIB2 script.  :mod:`equiv.records.recheck` checks one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

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
from equiv.records.record import Item, versions
from equiv.schema.locate import Place
from equiv.schema.policy import format_fact
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
    """The certificate of a verdict on an item at a place, or None if it is no equivalence."""
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
        facts=tuple(Premise(format_fact(fact), str(fact.grade), fact in used) for fact in facts),
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
    try:
        return _parse(value)
    except _DamagedError as error:
        raise InputError(f"{path}: a damaged certificate: {error}") from None


class _DamagedError(Exception):
    """A part of a certificate is missing, or is of another kind."""


def _parse(value: Mapping[str, Any]) -> Certificate:
    value = {"dialect": REFERENCE, "native": [], **value}
    _require_keys(value, {"format", *(field.name for field in fields(Certificate))}, "it")
    return Certificate(**_fields(value, Certificate))


def _fields(
    value: Mapping[str, Any], kind: type[Certificate | Premise | DerivationLine | Obligation]
) -> dict[str, Any]:
    """The fields of a class, each read as what its type says."""
    return {name: _READERS[hint](value[name], name) for name, hint in get_type_hints(kind).items()}


def _require_keys(value: Mapping[str, Any], wanted: set[str], what: str) -> None:
    for name in sorted(wanted ^ set(value)):
        raise _DamagedError(f"{what} {'lacks' if name in wanted else 'has an unknown'} {name[:40]!r}")


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _DamagedError(f"{name[:40]!r} is no text, but {type(value).__name__}")
    if not is_text(value):
        raise _DamagedError(f"{name[:40]!r} is no text: it holds what is no character")
    return value


def _count(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _DamagedError(f"{name!r} is no count, but {type(value).__name__}")
    return value


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise _DamagedError(f"{name!r} is neither true nor false, but {type(value).__name__}")
    return value


def _texts(value: object, name: str) -> tuple[str, ...]:
    return tuple(_text(part, name) for part in _list(value, name))


def _texts_by_name(value: object, name: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise _DamagedError(f"{name!r} is no object, but {type(value).__name__}")
    return {key: _text(part, key) for key, part in value.items()}


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise _DamagedError(f"{name!r} is no list, but {type(value).__name__}")
    return value


def _objects(kind: type[Premise | DerivationLine | Obligation]) -> Callable[[object, str], tuple[Any, ...]]:
    """Reads the objects of a list, each with just the keys that the fields of a class name."""

    def read(value: object, name: str) -> tuple[Any, ...]:
        found = _list(value, name)
        for number, part in enumerate(found, 1):
            what = f"number {number} of {name!r}"
            if not isinstance(part, dict):
                raise _DamagedError(f"{what} is no object, but {type(part).__name__}")
            _require_keys(part, {field.name for field in fields(kind)}, what)
        return tuple(kind(**_fields(part, kind)) for part in found)

    return read


_READERS: dict[object, Callable[[object, str], Any]] = {
    str: _text,
    int: _count,
    bool: _flag,
    Mapping[str, str]: _texts_by_name,
    tuple[str, ...]: _texts,
    tuple[Premise, ...]: _objects(Premise),
    tuple[DerivationLine, ...]: _objects(DerivationLine),
    tuple[Obligation, ...]: _objects(Obligation),
}
"""How a value of a field's type is read."""
