"""``equiv fuzz``: random attacks on the provers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiv.commands.common import INTERRUPTED, NOT_EQUIVALENT, TROUBLE, SchemaFile, say, show
from equiv.core.model import REFERENCE
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.show.arguments import DialectName

DATABASES, OWN_DATABASES = 300, 40
"""The databases against each proof, unless told: of SQLite's, and of another dialect's."""


def fuzz(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the run; a rerun goes on from it.")],
    seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="Begin nothing after so long.")
    ] = None,
    pairs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Ask about so many pairs.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="What the pairs are drawn from.")] = 0,
    schema: SchemaFile = None,
    dialect: DialectName = "",
    effort: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Databases against each proof: 300, in another dialect 40."),
    ] = None,
    question_seconds: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="Processor time of one question to a prover.")
    ] = 0.5,
    whole: Annotated[
        int, typer.Option(metavar="N", min=0, help="One of N pairs is decided by the whole engine; 0: none.")
    ] = 10,
    settings: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Settings drawn for each database, in another dialect; 0: none."
        ),
    ] = 0,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1,
    unfired: Annotated[
        bool, typer.Option("--unfired", help="List the rules and rewrites that took part in no proof.")
    ] = False,
) -> int:
    """Put random near misses to rules and proof directly, and attack whatever they prove.

    A wrong proof is written to DIR/bugs as a golden file, an error to DIR/errors. In another dialect than
    SQLite schemas and queries are in its own words, and its engine runs both texts of whatever is proved. A
    database that breaks a proof is written to DIR/scripts, too; a text that the core misreads is an error.
    Exit code: 0 nothing found, 1 something found, 2 trouble, 130 interrupted.
    """
    if seconds is None and pairs is None:
        raise InputError("give --seconds, --pairs or both: a run has to end")
    from equiv.testing.fuzz.attacker import Asking
    from equiv.testing.fuzz.own_words import words_of
    from equiv.testing.fuzz.run import FuzzOrder, blocks_of, fuzz
    from equiv.testing.schema_facts import schema_of

    dialect = dialect or REFERENCE
    if settings and dialect == REFERENCE:
        raise InputError("--settings goes with the questions of another dialect than SQLite's")
    if dialect != REFERENCE:
        words_of(dialect)
        if schema is not None:
            raise InputError(f"--schema goes with SQLite's queries; those of {dialect} come with schemas")
    effort = effort or (DATABASES if dialect == REFERENCE else OWN_DATABASES)
    asking = Asking(effort, question_seconds, sampled=0, whole=whole, settings=settings)
    drawn_on = schema_of(schema) if schema is not None else None
    done = fuzz(FuzzOrder(out, seed, drawn_on, dialect, asking, pairs, seconds, workers), say)
    run = f"{dialect_named(dialect).title}, seed {seed}, {done.seconds:,.0f} s"
    show(blocks_of(done.found, run, unfired=unfired))
    if done.lost:
        say(f"{done.lost} batches were lost with their process; run again")
    if done.is_cut_short:
        say("interrupted; what is done is kept, and a rerun goes on from there")
        return INTERRUPTED
    if done.found.broken or done.found.crashed:
        return NOT_EQUIVALENT
    return TROUBLE if done.lost else 0
