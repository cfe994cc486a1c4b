"""One pair: the common part of ``check`` and ``explain``, ``equiv explain`` and ``equiv recheck``.

A pair is read, asked for its verdict, and its files are written; ``explain`` tells why it has its verdict,
``recheck`` checks a certificate again.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands import common
from equiv.commands.outside import Outside, keys, outside
from equiv.core.connection import place_of
from equiv.dialects.registry import dialect_named
from equiv.engine import host
from equiv.engine.premises import Premises, options_on
from equiv.errors import InputError
from equiv.files import read_query, read_query_file
from equiv.options import Options
from equiv.records.record import Item
from equiv.replies.extract import Prediction
from equiv.schema.locate import Place, place_for_check
from equiv.show.arguments import TakesOptions
from equiv.show.page import escape

if TYPE_CHECKING:
    from equiv.records.record import Record
    from equiv.verdict import Verdict


def queries_of(pred: str | None, gold: str | None, both: str | None, dialect: str = "") -> tuple[str, str]:
    """The texts of the prediction and the gold query, from two arguments or from one file.

    Raises:
        InputError: a query is missing or given twice, or cannot be read.
    """
    if both is not None:
        if pred is not None:
            raise InputError("--both FILE gives both queries: leave out PRED and GOLD")
        return _read_both(both, dialect)
    if pred is None or gold is None:
        missing = "both queries are" if pred is None else "the gold query is"
        raise InputError(f"{missing} missing: give PRED and GOLD, or --both FILE (see equiv check --help)")
    if pred == gold == "-":
        raise InputError("only one of the two queries can come from standard input")
    return read_query(pred), read_query(gold)


def _read_both(name: str, dialect: str = "") -> tuple[str, str]:
    """The texts of the two queries of a file: the prediction first, each ended by a semicolon.

    Args:
        name: the file; ``-`` for standard input.
        dialect: the dialect that the queries are written in, by name; '' is the reference.

    Raises:
        InputError: the file cannot be read, or does not hold two statements; or there is no such dialect.
    """
    found = dialect_named(dialect).reader.statements(read_query_file(name))
    match found:
        case [pred, gold]:
            return pred, gold
    shown = "standard input" if name == "-" else name
    number = "no statement" if not found else "1 statement" if len(found) == 1 else f"{len(found)} statements"
    raise InputError(f"{shown}: expected two statements (prediction, gold query) but found {number}")


def ask(
    queries: tuple[str, str],
    db: str | None,
    schema: Path | None,
    options: Options,
    question: tuple[str, str] = ("", ""),
    *,
    extract: bool = True,
) -> tuple[Item, Place, Verdict]:
    """The pair with its question and hint, what it is checked on, and the verdict.

    Args:
        queries: the prediction, which may be a reply that holds a query, and the gold query.
        db: the name or the file of a database.
        schema: a file or a folder.
        options: how they are compared.
        question: the question, and its hint.
        extract: whether the query is taken out of a reply.

    Raises:
        InputError: the database or the schema cannot be read.
    """
    host.start()
    call = host.Call(options)
    try:
        place = place_for_check(db, schema, options.given_dialect, call.load_ddl)
    except host.GivenUpError as error:
        place = Place("")
        return Item("", None, place.name, *queries, *question), place, error.verdict
    prediction = Prediction.of(queries[0], extract=extract)
    item = Item("", None, place.name, prediction.query, queries[1], *question)
    premises = Premises.of(place.schema, place.database, options)
    _prepare_to_show()
    if place.remark:
        common.say(place.remark)
    return item, place, prediction.told_of(call.check(premises, item.predicted_sql, item.gold_sql))


def _prepare_to_show() -> None:
    """Import what shows a verdict while the worker process imports what gives it."""
    from equiv.show import terminal, verdicts  # noqa: F401


def certify(item: Item, place: Place, verdict: Verdict, options: Options, path: Path, *, quiet: bool) -> None:
    """Write the certificate asked for, and say how to check it."""
    from equiv.records.certificate import certificate_for, to_json

    found = certificate_for(item, place, verdict, options)
    if found is None:
        common.say(f"{path}: not written, because the queries were not proved equivalent")
        return
    common.write(path, to_json(found))
    if not quiet:
        common.print_line(f"Recheck: {escape(shlex.join(['equiv', 'recheck', str(path)]))}")


def emit(item: Item, place: Place, verdict: Verdict, path: Path | None, *, quiet: bool) -> None:
    """Write the scripts asked for, and end with the commands that replay the verdict.

    Across dialects the gold query's script stands beside the prediction's: ``w.gold.sql`` beside ``w.sql``.
    """
    from equiv.show.evidence import replays_of

    replays = replays_of(item, place, verdict)
    if not replays and path is not None:
        common.say(f"{path}: not written, because no database distinguishes the queries")
    for replay, suffix in zip(replays, ("", ".gold"), strict=False):
        file = _beside(path or Path("witness.sql"), suffix)
        command = shlex.join(replay.engine.command(str(file), replay.database))
        if path is not None:
            common.write(file, replay.text)
        if not quiet:
            hint = "" if path or suffix else "add --emit-sql witness.sql, then "
            common.print_line(f"Replay: {hint}{escape(command)}")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.stem}{suffix}{path.suffix}")


def explain(
    context: typer.Context,
    pred: Annotated[
        str,
        typer.Argument(metavar="PRED", help="Predicted query, or a results file of eval (FILE.jsonl)."),
    ],
    gold: Annotated[
        str,
        typer.Argument(
            metavar="GOLD",
            help="Gold query; with a results file a question id, or the key of a record.",
            autocompletion=keys,
        ),
    ],
    *,
    db: common.Db = None,
    schema: common.SchemaFile = None,
    options: Annotated[Options, TakesOptions(conditions=True)],
    extract: common.Extract = True,
    system: Annotated[
        str, typer.Option(metavar="NAME", help="Which system's record, if several have the question id.")
    ] = "",
    algebra: Annotated[
        bool, typer.Option("--algebra", help="Also show the algebra's rewrites of both queries.")
    ] = False,
) -> int:
    """Show the derivation or the distinguishing database.

    With FILE.jsonl and a question id or key, show the record as eval wrote it; with eval's --schema or --db
    and its options, also compute the fewest facts and the missing facts (--conditions), and update the record
    in FILE.jsonl. Exit codes are those of check.
    """
    from equiv.show.verdicts import explanation_of

    if pred.endswith(".jsonl"):
        from equiv.eval.results import read_records
        from equiv.show.case import record_named

        record = record_named(read_records([Path(pred)]), gold, system)
        if db is not None or schema is not None:
            record = _told_in_full(Path(pred), record, (db, schema), options_on(db, options, schema))
        return _explain_record(record, outside(context))
    options = common.told_options(db, options, schema)
    queries = queries_of(pred, gold, None, options.dialect)
    item, place, verdict = ask(queries, db, schema, options, extract=extract)
    common.show(explanation_of(verdict, outside(context).describe_rules(options.rules)))
    if algebra:
        from equiv.show.case import in_algebra

        common.show(in_algebra(item.predicted_sql, item.gold_sql, place, options))
    return common.exit_code(verdict)


PlaceGiven = tuple[str | None, Path | None]
"""A database and a schema, of which one may be missing."""


def _explain_record(record: Record, known: Outside) -> int:
    from equiv.records.verdict_json import verdict_of
    from equiv.show.case import case_of

    common.show([*case_of(record, known.describe_rules()), *known.judgement_of(record)])
    return common.exit_code(verdict_of(record))


def _told_in_full(path: Path, record: Record, place: PlaceGiven, options: Options) -> Record:
    """A record with what an evaluation left out, which is written into its file; else as it is, and why."""
    from equiv.eval.misses import told_in_full
    from equiv.eval.plan import places_found
    from equiv.eval.results import ResultsFile

    db, schema = place
    root = None if db is None else place_of(db)
    places, _ = places_found([record["db_id"]], root, schema, options.given_dialect)
    try:
        found = told_in_full(record, places[record["db_id"]], options)
        if found is None:
            common.say("a new run gives another verdict; the record is shown unchanged")
            return record
        with ResultsFile(path) as results:
            results.supersede(found)
            results.tidy()
    except InputError as error:
        common.say(str(error))
        return record
    return found


def recheck(
    certificate: Annotated[Path, typer.Argument(metavar="FILE", help="A certificate of equiv check.")],
    *,
    solver: Annotated[
        str, typer.Option(metavar="z3|cvc5|all", help="Which solver to ask; 'all' asks every installed one.")
    ] = "all",
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.001, help="Time limit for one claim.")
    ] = 30.0,
) -> int:
    """Check a certificate with a new proof and solvers.

    Its proof is made again, and solvers decide each of its claims.
    Exit code: 0 it holds, 1 it is refuted, 2 trouble, or a solver cannot decide a claim.
    """
    from equiv.engine.make import make_tiers
    from equiv.records.certificate import read_certificate
    from equiv.records.recheck import Holding, recheck, solvers_named

    code = {Holding.HOLDS: 0, Holding.TRUSTED: 0, Holding.REFUTED: 1, Holding.OPEN: common.TROUBLE}
    results = []
    for finding in recheck(
        read_certificate(certificate),
        solvers_named(solver),
        lambda schema, facts: make_tiers(schema, facts, None),
        timeout,
    ):
        common.print_line(escape(f"{finding.result.value}  {finding.line}"))
        results.append(finding.result)
    return code[next((r for r in (Holding.REFUTED, Holding.OPEN) if r in results), Holding.HOLDS)]
