"""Findings of attacks on provers, and files of them that a person can read.

A broken proof becomes a golden file, which the golden tests run; an error becomes a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from equiv.answers.pair import Pair
from equiv.core.model import REFERENCE, Schema
from equiv.dialects.registry import dialect_of, reference
from equiv.engine.pipeline import Engine
from equiv.facts import Fact
from equiv.names import fold
from equiv.relation import Relation, Rows
from equiv.tiers.outcome import Refuted
from equiv.verdict import Equivalent, Witness


@dataclass(slots=True)
class Findings:
    """The findings on a number of pairs; findings add up."""

    pairs: int = 0
    """Pairs that were asked about: both queries are in the modelled subset."""
    unread: int = 0
    """Pairs of which a text is no query, or is not modelled."""
    proved: Counter[str] = field(default_factory=Counter)
    """Proofs by tier and the strongest relation that it claims."""
    told_apart: int = 0
    """Pairs without a proof that a database distinguishes, its rows compared with the algebra's evaluator."""
    databases: int = 0
    """How many databases the proofs were attacked with."""
    readings: int = 0
    """How often a text was compared with its reading on a database."""
    under_settings: int = 0
    """How often a proof was tried on a database under drawn settings that it does not name."""
    hanging: int = 0
    """Proofs of pairs that depend on a setting which nobody states, so that no verdict comes of them."""
    hardened: int = 0
    """How many databases were made of one that distinguishes an easier pair."""
    traced: int = 0
    """How many proofs were made again to see how they are made."""
    reached: Counter[str] = field(default_factory=Counter)
    """In how many of those proofs each function of the prover was called."""
    given_up: int = 0
    """Questions that took longer than they may."""
    fired: Counter[str] = field(default_factory=Counter)
    """In how many proofs each rule and each rewrite of the algebra took part."""
    decided: int = 0
    """Pairs that were put to the whole engine as well."""
    crashed: list[str] = field(default_factory=list)
    """Errors that a tier raised, or to which a verdict owns, each with its pair."""
    broken: list[str] = field(default_factory=list)
    """Wrong proofs, as golden files."""
    scripts: list[str] = field(default_factory=list)
    """Databases that refute them, as scripts of a dialect's own, with both queries."""

    def add(self, other: dict[str, Any]) -> None:
        """Add what :meth:`to_json` wrote."""
        for name in self.__slots__:
            own = getattr(self, name)
            setattr(self, name, own + type(own)(other[name]))

    def to_json(self) -> dict[str, Any]:
        """The findings as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


SHOWN = 12
"""So many rows of a database that breaks a proof are shown."""


def golden_file(pair: Pair, claim: Relation, name: str, verdict: Equivalent, outcome: Refuted) -> str:
    """A broken proof as the golden file that it becomes before it is fixed."""
    shown = outcome.evidence.sql if isinstance(outcome.evidence, Witness) else ""
    lines = [
        f"# {name}: tier {verdict.tier} proves {claim} where a database refutes it ({outcome.difference}).",
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
    both = fold(" ".join(texts))
    tables = [table.name for table in schema.tables if fold(table.name) in both]
    if schema.dialect != REFERENCE:
        made = dialect_of(schema).engine.script(schema, tables, {}).rstrip()
        return [f"schema dialect={schema.dialect}", made]
    assumed = " ".join(f"'assume={fact!s}'" for fact in facts)
    statements = (f"{statement};" for statement in reference().create(schema, tables))
    return [f"schema facts=declared {assumed}".rstrip(), *statements]
