"""The file that ``--emit-sql`` writes: a witness and both queries, for a bare shell of the engine to run."""

from __future__ import annotations

from pathlib import Path

from equiv.dialects.protocol import Engine
from equiv.dialects.registry import dialect_named
from equiv.records.item import Item
from equiv.schema.locate import Place
from equiv.verdict import Binding, Execution, NotEquivalent, Undecided, Verdict, Witness

Replay = tuple[str, Path | None]
"""The script's text, and the populated database that it runs on; None: a fresh one."""


def replay_of(item: Item, place: Place, verdict: Verdict) -> Replay | None:
    """A script that shows both results on the verdict's database, or None if there is no database."""
    match verdict:
        case NotEquivalent(evidence=Witness() as witness) | Undecided(evidence=Witness() as witness):
            dialect = dialect_named(verdict.dialect)
            head = f"-- The queries differ here on {dialect.title} {dialect.engine.version}.\n"
            queries = _queries(item, witness.binding, dialect.engine)
            return head + witness.sql.rstrip() + "\n" + queries, None
        case NotEquivalent(evidence=Execution(binding=binding)):
            return _queries(item, binding, dialect_named(verdict.dialect).engine), place.database
    return None


def _queries(item: Item, binding: Binding | None, engine: Engine) -> str:
    """Both queries, with values in the places of their parameters."""
    pred, gold = item.predicted_sql, item.gold_sql
    if binding is not None:
        pred, gold = binding.pred_sql, binding.gold_sql
    shown = (("prediction", pred), ("gold", gold))
    return "".join(f"\nSELECT '{title}:';\n{_statement(sql, engine)}" for title, sql in shown)


def _statement(sql: str, engine: Engine) -> str:
    """The query as the engine's shell takes it; one that could pass for a shell command is left out."""
    if not engine.is_plain_in_shell(sql):
        return "SELECT 'left out: a line of the query looks like a command of the shell';\n"
    return sql.rstrip().rstrip(";") + "\n;\n"
