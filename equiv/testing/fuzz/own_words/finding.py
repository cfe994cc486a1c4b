"""A proof or a reading that a database refutes, as a golden file, as a script, as a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.query import Query
from equiv.engine.engine import Engine
from equiv.relation import Rows
from equiv.testing.fuzz.bug_file import case_of, error_file
from equiv.testing.fuzz.own_words.databases import Parting
from equiv.tiers.outcome import Settler


@dataclass(frozen=True, slots=True)
class Claim:
    """A pair that tiers prove under its relation."""

    name: str
    pair: Pair
    tiers: tuple[Settler, ...]
    """Those that prove it; none: the whole engine does."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Those that the claim names, each with its value."""

    @property
    def told(self) -> str:
        """The sentence that a finding begins with."""
        by = ", ".join(str(tier.tier) for tier in self.tiers) or "the engine"
        return f"{self.name}: {by} proves under {self.pair.relation} what a database refutes"


def golden_file(claim: Claim, found: Parting) -> str:
    """A broken proof as the golden file that it becomes before it is mended."""
    pair = claim.pair
    rows = (line for line in found.script.splitlines() if line.startswith(("INSERT", "SET")))
    pred, gold = map(_shown, found.rows)
    named = (f"it names {name} = {value!r}" for name, value in claim.settings.items())
    lines = (
        *(f"# {line}" for line in (claim.told, *named, *rows, f"prediction: {pred}", f"gold: {gold}")),
        *case_of(pair.schema, pair.facts, pair.relation.rows, (pair.pred.sql, pair.gold.sql)),
        "----",
        "not_equivalent",
    )
    return "\n".join(lines)


def replayable(claim: Claim, found: Parting) -> str:
    """The database and both queries, each with its answer, as a script of the dialect's own program."""
    queries = (claim.pair.pred.sql, claim.pair.gold.sql)
    asked = (f"-- {_shown(rows)}\n{sql};" for sql, rows in zip(queries, found.rows, strict=True))
    return "\n".join((f"-- {claim.told}", found.script.rstrip(), *asked))


def misreading(query: Query, engine: Engine, found: Parting) -> str:
    """A text that the core answers otherwise, with the database, both answers and the core's text."""
    rows = (line for line in found.script.splitlines() if line.startswith("INSERT"))
    theirs, ours = map(_shown, found.rows)
    head = (
        "the core answers otherwise",
        *rows,
        f"engine: {theirs}",
        f"core: {ours}",
        f"core: {query.core_sql}",
    )
    return error_file("\n".join(head), engine, Rows.BAG, (query.sql, query.sql))


def _shown(rows: Sequence[Row]) -> str:
    return ", ".join(map(repr, rows)) or "no rows"
