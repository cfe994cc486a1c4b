"""The files that ``--emit-sql`` writes: a witness and both queries, for a bare shell of the engine to run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from equiv.dialects.crossing.dialect import giver_of, parted, sides_of
from equiv.dialects.protocol import Dialect, DialectEngine
from equiv.dialects.registry import dialect_named
from equiv.records.item import Item
from equiv.schema.locate import Place
from equiv.verdict import Binding, Execution, NotEquivalent, Undecided, Verdict, Witness


@dataclass(frozen=True)
class Replay:
    """A script that shows results on the database of a verdict."""

    text: str
    database: Path | None
    """The populated database that it runs on; None: a fresh one."""
    engine: DialectEngine
    """The engine whose shell runs it."""


def replays_of(item: Item, place: Place, verdict: Verdict) -> list[Replay]:
    """The script that shows both results on the verdict's database; none if there is no database.

    Across dialects there is one for the prediction and one for the gold query; of a populated database, which
    is a file of one engine, that engine's query alone.
    """
    dialect = dialect_named(verdict.dialect)
    pred, gold = sides_of(dialect)
    match verdict:
        case NotEquivalent(evidence=Witness() as witness) | Undecided(evidence=Witness() as witness):
            queries = _queries(item, witness.binding)
            if pred is gold:
                return [_on_fresh_rows(pred, witness.sql, queries)]
            scripts = zip((pred, gold), parted(witness.sql), queries, strict=True)
            return [_on_fresh_rows(dialect, script, [query]) for dialect, script, query in scripts]
        case NotEquivalent(evidence=Execution(binding=binding)):
            giver = giver_of(dialect)
            sides = zip((pred, gold), _queries(item, binding), strict=True)
            queries = [query for side, query in sides if side is giver]
            return [Replay("".join(_shown(queries, giver.engine)), place.database, giver.engine)]
    return []


def _on_fresh_rows(dialect: Dialect, script: str, queries: list[tuple[str, str]]) -> Replay:
    head = f"-- The queries differ here on {dialect.title} {dialect.engine.version}.\n"
    text = head + script.rstrip() + "\n" + "".join(_shown(queries, dialect.engine))
    return Replay(text, None, dialect.engine)


def _queries(item: Item, binding: Binding | None) -> list[tuple[str, str]]:
    """Both queries, each with what it is, with values in the places of their parameters."""
    pred, gold = item.predicted_sql, item.gold_sql
    if binding is not None:
        pred, gold = binding.pred_sql, binding.gold_sql
    return [("prediction", pred), ("gold", gold)]


def _shown(queries: list[tuple[str, str]], engine: DialectEngine) -> Iterator[str]:
    for title, sql in queries:
        yield f"\nSELECT '{title}:';\n{_statement(sql, engine)}"


def _statement(sql: str, engine: DialectEngine) -> str:
    """The query as the engine's shell takes it; one that could pass for a shell command is left out."""
    if not engine.is_plain_in_shell(sql):
        return "SELECT 'left out: a line of the query looks like a command of the shell';\n"
    return sql.rstrip().rstrip(";") + "\n;\n"
