"""The command line: ``equiv check``, ``eval``, ``report``, ``explain`` and the rest.

Commands, rules and judge are put together here; each command is a module of
:mod:`equiv.commands`, but for those that the judge has options of.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equiv.commands import tools
from equiv.commands.common import (
    CHECK,
    EVAL,
    INTERRUPTED,
    TROUBLE,
    Db,
    Extract,
    GroupedCommand,
    SchemaFile,
    exit_code,
    prepare_page,
    print_line,
    say,
    show,
    told_options,
    was_left_out,
)
from equiv.commands.datasets import compare, gold, suite
from equiv.commands.outside import Outside, Verification, answer, completable, completion, is_asked
from equiv.commands.pairs import ask, certify, emit, explain, queries_of, recheck
from equiv.commands.runs import merge, report, report_on, run_evaluation, suggest_relation
from equiv.commands.tools import fuzz, mcp, rules, serve
from equiv.core.connection import place_of
from equiv.engine import host
from equiv.errors import InputError
from equiv.eval.arguments import DB_ROOT, POPULATED, ReadingOptions, Telling
from equiv.judge.options import OFF, JudgeOptions, refuse_idle_options
from equiv.options import Options
from equiv.show import terminal
from equiv.show.arguments import TakesOptions, option, spread

if TYPE_CHECKING:
    from equiv.packs import Pack
    from equiv.records.record import Record
    from equiv.rewrite.rule import Rule
    from equiv.rules.verification.verify import Verified
    from equiv.show.page import Block

Pred = Annotated[
    str | None, typer.Argument(metavar="PRED", help="Predicted query: a file, - (stdin) or SQL.")
]
Gold = Annotated[
    str | None, typer.Argument(metavar="GOLD", help="Gold query: a file, - (stdin) or SQL text.")
]
Both = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A file with both queries, the prediction first."),
]


def _version(wanted: bool) -> None:
    if wanted:
        from equiv.records.record import versions

        print_line(f"equiv {versions()['equiv']}")
        raise typer.Exit


def _main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
) -> None:
    """Hold the options of every command."""


@dataclass(frozen=True, kw_only=True)
class Answering:
    """What is asked about a pair, and how its verdict is told."""

    question: str = option("", "TEXT", "The question that the queries answer; the judge reads it.")
    hint: str = option("", "TEXT", "A hint to the question; the judge reads it.")
    as_json: bool = option(False, None, "Print the result record as JSON.", "--json")
    brief: bool = option(False, None, "With --json: leave out evidence and cost.", "--brief")
    emit_sql: Path | None = option(None, "FILE", "Write the witness and both queries as SQL.")
    certificate: Path | None = option(None, "FILE", "Write a certificate of an equivalence for recheck.")


def check(
    pred: Pred = None,
    gold: Gold = None,
    *,
    both: Both = None,
    db: Db = None,
    schema: SchemaFile = None,
    options: Annotated[Options, TakesOptions(conditions=True)],
    judging: JudgeOptions,
    answering: Answering,
    extract: Extract = True,
) -> int:
    """Compare a predicted query with a gold query.

    Exit code: 0 equivalent, 1 not equivalent, 2 a query is invalid or there is trouble, 3 undecided.
    """
    refuse_idle_options(judging)
    as_json = answering.as_json
    if answering.brief and not as_json:
        raise InputError("--brief needs --json")
    options = told_options(db, options, schema)
    queries = queries_of(pred, gold, both, options.dialect)
    item, place, verdict = ask(
        queries, db, schema, options, (answering.question, answering.hint), extract=extract
    )
    record: Record | None = None
    remarks: list[str] = []
    if as_json or judging.judge != OFF:
        from equiv.judge.commands import record_of

        record, remarks = record_of(item, place, verdict, options, judging)
    if as_json and record is not None:
        from equiv.records.record import brief_of, to_json

        print_line(to_json(brief_of(record) if answering.brief else record))
    else:
        from equiv.judge.commands import judgement_of
        from equiv.show.verdicts import summary_of

        show([*summary_of(verdict), *judgement_of(record)])
    for remark in remarks:
        say(remark)
    emit(item, place, verdict, answering.emit_sql, quiet=as_json)
    if answering.certificate is not None:
        certify(item, place, verdict, options, answering.certificate, quiet=as_json)
    return exit_code(verdict)


@dataclass(frozen=True, kw_only=True)
class Running:
    """What an evaluation is of, and where its workers are."""

    db_root: Path | None = option(None, "DIR|FILE|URL", POPULATED, *DB_ROOT, parser=place_of)
    out: Path | None = option(None, "FILE.jsonl", "Append the records to this file; a rerun resumes from it.")
    workers: int = option(1, "N", "Worker processes.", min=1)
    limit: int | None = option(None, "N", "Check only the first N pairs of each file.", min=1)
    shard: str = option("", "i/n", "Check only part i of n; a question is never split. See 'equiv merge'.")
    engine: str = option("local", "local|ray", "Where the workers run: on this machine or on a Ray cluster.")
    address: str = option("", "ADDRESS", "Address of a running Ray cluster; by default one is started here.")


def evaluate(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Prediction files.")],
    *,
    reading: ReadingOptions,
    schema: SchemaFile = None,
    running: Running,
    options: Annotated[Options, TakesOptions("conditions")],
    judging: JudgeOptions,
    telling: Telling,
) -> int:
    """Compare every prediction of some files with its gold query.

    Exit code: 0 once every record is written, 1 a score is below --fail-under, 2 trouble, 130 interrupted.
    """
    from equiv.eval.evaluation import Evaluation, Request
    from equiv.eval.metrics.registry import MetricContext
    from equiv.eval.plan import shard_named
    from equiv.judge.commands import open_chamber

    refuse_idle_options(judging)
    db_root = running.db_root
    options = told_options(db_root, options, schema)
    prepare_page(telling.page)
    request = Request(
        *(tuple(files), options, reading, db_root, schema, running.out, running.workers, running.limit),
        *(shard_named(running.shard), running.engine, running.address, telling.ex),
    )
    with ExitStack() as opened:
        chamber = open_chamber(judging, opened, options, db_root)
        evaluation = opened.enter_context(
            closing(Evaluation(request, chamber.stage if chamber is not None else None))
        )
        if was_left_out(context, "relation"):
            suggest_relation(files, reading.kind, reading.encoding)
        spent = chamber.spent if chamber is not None else str
        measuring = MetricContext(db_root, schema, dialect=options.pair_dialect)
        code = run_evaluation(
            evaluation, telling, spent, lambda records, whole: report_on(OUTSIDE, records, whole, measuring)
        )
        for remark in chamber.remarks() if chamber is not None else []:
            say(remark)
        return code


_GROUPED: dict[str, Any] = {"cls": GroupedCommand}
COMMANDS: dict[str, tuple[Callable[..., int], dict[str, Any]]] = {
    "check": (check, {**_GROUPED, "epilog": CHECK}),
    "schema": (tools.schema, {}),
    "explain": (explain, _GROUPED),
    "recheck": (recheck, {}),
    "eval": (evaluate, {**_GROUPED, "epilog": EVAL}),
    "merge": (merge, {}),
    "compare": (compare, _GROUPED),
    "suite": (suite, _GROUPED),
    "report": (report, _GROUPED),
    "gold": (gold, _GROUPED),
    "rules": (rules, {}),
    "fuzz": (fuzz, _GROUPED),
    "serve": (serve, _GROUPED),
    "mcp": (mcp, _GROUPED),
    "completion": (completion, {}),
}


def app_of(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with the commands of those names; each takes milliseconds to make."""
    app = typer.Typer(
        name="equiv",
        help="Decide whether SQL queries are equivalent: each yes has a proof, each no a database.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_main)
    for name in names:
        command, settings = COMMANDS[name]
        app.command(name, **settings)(completable(spread(command)))
    return app


def _rules() -> Sequence[Rule]:
    from equiv.rules import RULES

    return RULES


def _verify(chosen: Iterable[Rule]) -> Verification:
    from equiv.rules.verification.verify import verify

    return _told([verify(rule) for rule in chosen])


def _verify_pack(pack: Pack, chosen: Iterable[Rule]) -> Verification:
    from equiv.rules.verification.verify import verify_pack

    return _told(verify_pack(pack, chosen))


def _told(found: Sequence[Verified]) -> Verification:
    from equiv.rules.verification.verify import report, to_json

    return Verification(report(found), to_json(found), {each.status for each in found})


def _judgement_of(record: Record | None) -> list[Block]:
    from equiv.judge.commands import judgement_of

    return judgement_of(record)


def _judged(records: list[Record], prices: Path | None) -> list[Block]:
    from equiv.judge.commands import report

    return report(records, prices)


OUTSIDE = Outside(_rules, _verify, _verify_pack, _judgement_of, _judged)
"""What the rules and the judge do for commands."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit code, which is a verdict's only if the verdict was shown."""
    try:
        given = [f" {text}" if _is_commented_sql(text) else text for text in arguments]
        app = app_of(given[:1] if given[:1] and given[0] in COMMANDS else COMMANDS)
        code = int(app(given, prog_name="equiv", standalone_mode=False, obj=OUTSIDE) or 0)
        sys.stdout.flush()
    except InputError as error:
        say(str(error))
    except typer.TyperException as error:
        at = getattr(error, "ctx", None)
        say(f"{error.format_message()} (see {at.command_path if at else 'equiv'} --help)")
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        say(f"{error.filename or 'input or output'}: {error.strerror or error}")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a traceback and its exit code 1 would pass for a verdict
        say(f"unexpected {type(error).__name__}: {error}")
    else:
        return code
    return TROUBLE


def _is_commented_sql(argument: str) -> bool:
    """Whether an argument is SQL that opens with a comment, which must not be taken for an option."""
    return argument.startswith("--") and argument[2:3].isspace()


def main() -> None:
    """The entry point of the ``equiv`` command."""
    terminal.open_standard_streams()
    if is_asked():
        sys.exit(answer(app_of(), OUTSIDE))
    arguments = sys.argv[1:]
    if arguments[:1] in (["check"], ["explain"]):
        host.start(fork=True)  # it imports the engine while the command line is read
    code = run(arguments)
    terminal.leave_standard_output()
    sys.exit(code)


if __name__ == "__main__":
    main()
