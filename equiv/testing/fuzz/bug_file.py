"""Findings as files that a person can read: a broken proof, which the golden tests run, and an error."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from equiv.answers.pair import Pair
from equiv.core.model import REFERENCE, Schema
from equiv.dialects.registry import dialect_of, reference
from equiv.engine.engine import Engine
from equiv.facts import Fact
from equiv.relation import Relation, Rows
from equiv.schema.notation import format_fact
from equiv.tiers.outcome import Refuted
from equiv.verdict import Equivalent, Witness

SHOWN = 12
"""So many rows of a database that breaks a proof are shown."""


def golden_file(pair: Pair, claim: Relation, name: str, verdict: Equivalent, outcome: Refuted) -> str:
    """A broken proof as the golden file that it becomes before it is fixed."""
    shown = outcome.evidence.sql if isinstance(outcome.evidence, Witness) else ""
    lines = [
        f"# {name}: tier {verdict.tier} proves under {claim} what a database refutes ({outcome.difference}).",
        *(f"# {line}" for line in islice((x for x in shown.splitlines() if x.startswith("INSERT")), SHOWN)),
        *case_of(pair.schema, verdict.facts, claim.rows, (pair.pred.sql, pair.gold.sql)),
        "----",
        "not_equivalent",
    ]
    return "\n".join(lines)


def error_file(said: str, engine: Engine, rows: Rows, texts: tuple[str, str]) -> str:
    """An error of an engine or a tier as a text, with the pair, its schema and facts."""
    head = (f"# {line}" for line in said.splitlines())
    return "\n".join((*head, *case_of(engine.schema, engine.facts, rows, texts)))


def case_of(schema: Schema, facts: Iterable[Fact], rows: Rows, texts: tuple[str, str]) -> list[str]:
    """A case as golden files have them, without what is expected."""
    pred, gold = (text.strip() for text in texts)
    return [*_schema_of(schema, facts, texts), "", f"decide relation={rows}", pred, "----", gold]


def _schema_of(schema: Schema, facts: Iterable[Fact], texts: tuple[str, str]) -> list[str]:
    both = " ".join(texts).lower()
    tables = [table.name for table in schema.tables if table.name.lower() in both]
    if schema.dialect != REFERENCE:
        made = dialect_of(schema).engine.script(schema, tables, {}).rstrip()
        return [f"schema dialect={schema.dialect}", made]
    assumed = " ".join(f"'assume={format_fact(fact)}'" for fact in facts)
    statements = (f"{statement};" for statement in reference().create(schema, tables))
    return [f"schema facts=declared {assumed}".rstrip(), *statements]
