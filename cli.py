"""The command line: ``equiv check``, ``eval``, ``report``, ``explain`` and the rest.

Arguments are parsed, results printed and exit codes chosen here; what is
decided is decided in :mod:`equiv`.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.engine import alone
from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.eval.arguments import Reading, Telling
from equiv.eval.suite.arguments import Making
from equiv.files import read_query
from equiv.options import Options
from equiv.records.item import Item
from equiv.schema.locate import Place, place_for_check
from equiv.show import streams
from equiv.show.arguments import Auditing, Comparison, spread
from equiv.show.escape import escape
from judge.options import OFF, JudgeOptions, refuse_idle_options

if TYPE_CHECKING:
    from equiv.eval.evaluation import Evaluation
    from equiv.eval.gold.audit import Audit
    from equiv.eval.gold.tally import Tally
    from equiv.eval.metrics.measure import Bench
    from equiv.eval.report import Wanted
    from equiv.eval.sections.whole import Report
    from equiv.records.record import Record
    from equiv.show.page import Block
    from equiv.verdict import Verdict

EQUIVALENT, NOT_EQUIVALENT, TROUBLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes; ``eval`` gives 0 once every record is written, whatever it says, but for ``--fail-under``."""

BELOW = 1
"""The exit code of ``eval`` if a score is below ``--fail-under``."""

app = typer.Typer(
    name="equiv",
    help="Decide whether SQL queries mean the same: every yes carries a proof, every no a database.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Pred = Annotated[str, typer.Argument(help="Predicted query: a file, - or SQL text.")]
Gold = Annotated[str, typer.Argument(help="Gold query: a file, - or SQL text.")]
Db = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Populated database: a file, or a name below dev_databases or $EQUIV_DB_ROOT.",
    ),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option("--schema", metavar="FILE", help="DDL file, folder of <db_id>.sql, or tables.json."),
]
Conditions = Annotated[
    bool,
    typer.Option("--conditions/--no-conditions", help="Say which further facts would make a pair equal."),
]


def _version(wanted: bool) -> None:
    if wanted:
        from equiv.records.record import versions

        _print(f"equiv {versions()['equiv']}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
) -> None:
    """Hold the options of every command."""


@app.command()
@spread
def check(
    pred: Pred,
    gold: Gold,
    *,
    db: Db = None,
    schema: SchemaFile = None,
    comparison: Comparison,
    judging: JudgeOptions,
    question: Annotated[str, typer.Option(metavar="TEXT", help="The question, for the judge.")] = "",
    hint: Annotated[str, typer.Option(metavar="TEXT", help="What else is known, for the judge.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result record.")] = False,
    emit_sql: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the witness and both queries as SQL.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what recheck needs to check an equivalence.")
    ] = None,
    conditions: Conditions = True,
) -> int:
    """Compare a predicted query with a gold query.

    Exit code: 0 equivalent, 1 not equivalent, 2 a query is invalid or there is trouble, 3 undecided.
    """
    refuse_idle_options(judging)
    options = Options(**comparison.arguments(conditions=conditions))
    item, place, verdict = _ask((pred, gold), db, schema, options, (question, hint))
    record: Record | None = None
    remarks: list[str] = []
    if as_json or judging.judge != OFF:
        from judge.commands import record_of

        record, remarks = record_of(item, place, verdict, options, judging)
    if as_json and record is not None:
        from equiv.records.record import to_json

        _print(to_json(record))
    else:
        from equiv.show.verdicts import summary_of
        from judge.commands import judgement_of

        _show([*summary_of(verdict), *judgement_of(record)])
    for remark in remarks:
        _say(remark)
    _emit(item, place, verdict, emit_sql, quiet=as_json)
    if certificate is not None:
        _certify(item, place, verdict, options, certificate, quiet=as_json)
    return _exit_code(verdict)


@app.command()
@spread
def explain(
    pred: Annotated[str, typer.Argument(help="Predicted query, or a results file of eval (FILE.jsonl).")],
    gold: Annotated[str, typer.Argument(help="Gold query, or the key of a record or its beginning.")],
    *,
    db: Db = None,
    schema: SchemaFile = None,
    comparison: Comparison,
    conditions: Conditions = True,
    algebra: Annotated[
        bool, typer.Option("--algebra", help="Show the rewrites of the algebra on both sides, too.")
    ] = False,
) -> int:
    """Show the derivation step by step, or the database that tells the queries apart.

    With FILE.jsonl and KEY, show the record of that key as eval wrote it. Exit codes are those of check.
    """
    from equiv.show.verdicts import explanation_of

    describe = _describe_rules()
    if pred.endswith(".jsonl"):
        return _explain_record(Path(pred), gold, describe)
    options = Options(**comparison.arguments(conditions=conditions))
    item, place, verdict = _ask((pred, gold), db, schema, options)
    _show(explanation_of(verdict, describe))
    if algebra:
        from equiv.show.in_algebra import in_algebra

        _show(in_algebra(item.predicted_sql, item.gold_sql, place, options))
    return _exit_code(verdict)


@app.command()
def recheck(
    certificate: Annotated[Path, typer.Argument(metavar="FILE", help="What check --certificate wrote.")],
    *,
    solver: Annotated[
        str, typer.Option(metavar="z3|cvc5|all", help="Who is asked; all: those that are installed.")
    ] = "all",
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.001, help="Outer limit for one claim.")
    ] = 30.0,
) -> int:
    """Check a certificate: make its proof anew, and let solvers decide every claim.

    Exit code: 0 it holds, 1 it is refuted, 2 trouble, or a solver cannot decide a claim.
    """
    from equiv.engine.make import make_tiers
    from equiv.records.certificate import read_certificate
    from equiv.records.findings import Result
    from equiv.records.recheck import recheck, solvers_named

    code = {Result.HOLDS: 0, Result.TRUSTED: 0, Result.REFUTED: 1, Result.OPEN: TROUBLE}
    results = []
    for finding in recheck(
        read_certificate(certificate),
        solvers_named(solver),
        lambda schema, facts: make_tiers(schema, facts, None),
        timeout,
    ):
        _print(escape(f"{finding.result.value}  {finding.line}"))
        results.append(finding.result)
    return code[next((r for r in (Result.REFUTED, Result.OPEN) if r in results), Result.HOLDS)]


@app.command(name="eval")
@spread
def evaluate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Prediction files.")],
    *,
    reading: Reading,
    db_root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Populated databases: <db_id>/<db_id>.sqlite or flat.")
    ] = None,
    schema: SchemaFile = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Append records; a rerun resumes from it.")
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N pairs of each file.")
    ] = None,
    shard: Annotated[
        str, typer.Option(metavar="i/n", help="Only the i-th of n parts, whole questions; see merge.")
    ] = "",
    engine: Annotated[
        str, typer.Option(metavar="local|ray", help="Where the workers are: this machine, or a Ray cluster.")
    ] = "local",
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="A running Ray cluster; else one is started here.")
    ] = "",
    comparison: Comparison,
    judging: JudgeOptions,
    conditions: Conditions = False,
    telling: Telling,
) -> int:
    """Compare every prediction of some files with its gold query.

    Exit code: 0 once every record is written, 1 a score is below --fail-under, 2 trouble, 130 interrupted.
    """
    from equiv.eval.evaluation import Evaluation, Request
    from equiv.eval.metrics.measure import Bench
    from equiv.eval.store.shard import shard_named
    from judge.commands import open_chamber

    refuse_idle_options(judging)
    _prepare_page(telling.page)
    options = Options(**comparison.arguments(conditions=conditions))
    request = Request(
        tuple(files),
        options,
        reading.gold,
        reading.kind,
        db_root,
        schema,
        out,
        workers,
        limit,
        shard_named(shard),
        engine,
        address,
        mapping=reading.mapping,
        extract=reading.extract,
        ex=telling.ex,
    )
    with ExitStack() as opened:
        chamber = open_chamber(judging, opened, db_root)
        evaluation = opened.enter_context(
            closing(Evaluation(request, chamber.stage if chamber is not None else None))
        )
        spent = chamber.spent if chamber is not None else str
        code = _evaluate(evaluation, telling, Bench(db_root, schema), spent)
        for remark in chamber.remarks() if chamber is not None else []:
            _say(remark)
        return code


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, as of shards.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Append what it lacks or has only open.")],
) -> int:
    """Bring the records of several results files together, one for each pair.

    Exit code: 0 once every record is written, 2 trouble, 130 interrupted.
    """
    from equiv.eval.store import merge

    for remark in merge.merge(files, out).remarks(out):
        _say(remark)
    return 0


@app.command()
@spread
def suite(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, or predictions.")],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the suite.")],
    reading: Reading,
    db_root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Populated databases, for their schemas.")
    ] = None,
    schema: SchemaFile = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1,
    making: Making,
) -> int:
    """Pack small databases that tell gold queries from refuted predictions and from mutants.

    They lie as BIRD's or Spider's evaluation script looks for databases, which then need not be changed.
    Exit code: 0 once the suite is written, 2 trouble, 130 interrupted.
    """
    from equiv.eval.suite.make import make_suite
    from equiv.eval.suite.report import blocks_of

    order = making.order(
        files=tuple(files), out=out, reading=reading, places=(db_root, schema), workers=workers
    )
    _show(blocks_of(make_suite(order, _say)))
    return 0


@app.command()
def report(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files of eval.")],
    *,
    db_root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Populated databases, for execution accuracy.")
    ] = None,
    schema: SchemaFile = None,
    disable_rules: Annotated[
        str, typer.Option(metavar="none|all|1,2", help="Rules of ESM+ that esm+ goes without.")
    ] = "none",
    no_values: Annotated[
        bool, typer.Option("--no-values", help="Values in conditions do not count in esm and esm+.")
    ] = False,
    no_distinct: Annotated[
        bool, typer.Option("--no-distinct", help="DISTINCT does not count in esm, esm+ and ex-spider.")
    ] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Add the rules of ESM+ one by one: what is still missed.")
    ] = False,
    right_by: Annotated[
        str, typer.Option(metavar="METRIC", help="What is right, where one metric must say so.")
    ] = "",
    penalty: Annotated[
        str, typer.Option(metavar="C,…", help="Penalties of the reliability score; N: all questions.")
    ] = "0,10,N",
    scores: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Recorded scores of other metrics.")
    ] = None,
    gap: Annotated[
        str, typer.Option(metavar="ONE:OTHER", help="Two metrics whose gap is shown by every group.")
    ] = "",
    nodes: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="What modules gave: eval's --format nodes.")
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Budget for a question, in calls to a model.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Budget for a question, in tokens.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What a judge's tokens cost; see eval's --prices.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write the report as one HTML file, with every pair."),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the tables as Markdown.")
    ] = None,
) -> int:
    """Show what each metric says of the records, how it agrees with labels, and what a judge did and cost."""
    from equiv.eval.metrics.measure import Bench
    from equiv.eval.metrics.reliability import penalties_named
    from equiv.eval.metrics.switches import Switches, rules_named
    from equiv.eval.reading.nodes import read_nodes
    from equiv.eval.report import Wanted
    from equiv.eval.sections.section import blocks_of
    from equiv.eval.store.results import read_records

    _prepare_page(html)
    switches = Switches(rules_named(disable_rules), not no_values, not no_distinct)
    records = read_records(files)
    collected = tuple(read_nodes(nodes or ()))
    recorded = tuple(scores or ())
    wanted = Wanted(
        right_by, penalties_named(penalty), collected, max_calls, max_tokens, scores=recorded, gap=gap
    )
    found = _report_on(records, Bench(db_root, schema, switches, ablation, bool(collected)), wanted, prices)
    blocks = list(blocks_of(found.sections))
    _show(blocks)
    if markdown is not None:
        from equiv.show.markdown import markdown as as_markdown

        _write(markdown, as_markdown(blocks))
    if html is not None:
        from equiv.eval.html.page import write_page

        write_page(html, found)
    return 0


def _report_on(
    records: list[Record], bench: Bench, wanted: Wanted | None = None, prices: Path | None = None
) -> Report:
    """Everything that there is to say of some records."""
    from equiv.eval.metrics.measure import measure
    from equiv.eval.metrics.measured import compared, pairs_in
    from equiv.eval.report import DEFAULTS
    from equiv.eval.sections.whole import whole_report
    from judge.commands import report

    found = measure(compared(pairs_in(records)), bench)
    for remark in found.remarks:
        _say(remark)
    return whole_report(records, found, _describe_rules(), report(records, prices), wanted or DEFAULTS)


def _describe_rules() -> Callable[[str], str]:
    """What gives the first sentence of a rule's documentation, by its name."""
    from equiv.show.catalogue import first_sentence
    from rules import RULES

    summaries = {rule.name: first_sentence(rule) for rule in RULES}
    return lambda name: summaries.get(name, "")


def _prepare_page(path: Path | None) -> None:
    """Say before a long run that a page cannot be made after it."""
    if path is not None:
        from equiv.eval.html.page import prepare

        prepare(path)


@app.command()
@spread
def gold(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Gold files, predictions or results of eval.")
    ],
    *,
    auditing: Auditing,
    comparison: Comparison,
) -> int:
    """Look for faults of gold queries, without a model: what does not run, is empty, cuts a tie and more.

    Exit code: 0 once every record is written, whatever was found, 2 trouble, 130 interrupted.
    """
    from equiv.eval.gold.audit import Audit
    from equiv.eval.gold.request import request_of
    from equiv.eval.gold.tally import Tally

    options = Options(**comparison.arguments(conditions=False))
    audit = Audit(request_of(files, auditing, options))
    with closing(audit):
        tally = Tally(len(audit.golds))
        code = _audit(audit, tally)
        if auditing.as_json:
            from equiv.records.record import to_json

            _print(to_json(tally.to_json()))
        else:
            _show(tally.blocks(auditing.cases))
        for remark in audit.remarks(interrupted=code == INTERRUPTED):
            _say(remark)
        return code


@app.command()
def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[verify] [NAME]", help="A rule to document, or verify and maybe a rule."),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print what verify finds as JSON.")] = False,
) -> int:
    """List the rewrite rules, print the documentation of one, or verify them.

    With verify, every rule (or one) is proved by the algebra alone on many schemas, which takes minutes.
    Exit code: 0; with verify 1 if a rule is refuted.
    """
    from equiv.show.catalogue import list_of_rules, page_of_rule, rules_named
    from rules import RULES

    verb, names = (words[0], words[1:]) if words and words[0] == "verify" else ("", words or [])
    if len(names) > 1 or (as_json and not verb):
        raise InputError("give at most one rule; --json goes with verify")
    if not verb:
        _show(page_of_rule(RULES, names[0]) if names else list_of_rules(RULES))
        return 0
    from rules.verification.verify import Status, report, to_json, verify

    found = [verify(rule) for rule in rules_named(RULES, names)]
    if as_json:
        _print(to_json(found))
    else:
        _show(report(found))
    return NOT_EQUIVALENT if any(each.status == Status.REFUTED for each in found) else 0


def _ask(
    queries: tuple[str, str],
    db: str | None,
    schema: Path | None,
    options: Options,
    question: tuple[str, str] = ("", ""),
) -> tuple[Item, Place, Verdict]:
    """The pair with its question and hint, what it is checked on, and the verdict."""
    pred, gold = queries
    if pred == gold == "-":
        raise InputError("standard input can be one of the two queries, not both")
    place = place_for_check(db, schema)
    item = Item("", None, place.name, read_query(pred), read_query(gold), *question)
    premises = Premises.of(place.schema, place.database, options)
    alone.start()
    _prepare_to_show()
    return item, place, alone.check(premises, item.predicted_sql, item.gold_sql)


def _prepare_to_show() -> None:
    """Import what shows a verdict while the worker process imports what gives it."""
    from equiv.show import render, verdicts  # noqa: F401


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _show(blocks: Sequence[Block]) -> None:
    from equiv.show.render import show

    show(blocks, sys.stdout)


def _certify(
    item: Item, place: Place, verdict: Verdict, options: Options, path: Path, *, quiet: bool
) -> None:
    """Write the certificate asked for, and say how to check it."""
    from equiv.records.certificate import certificate_for, to_json

    found = certificate_for(item, place, verdict, options)
    if found is None:
        _say(f"{path}: not written, since the queries were not proved equivalent")
        return
    _write(path, to_json(found))
    if not quiet:
        _print(f"Recheck: {escape(shlex.join(['equiv', 'recheck', str(path)]))}")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _emit(item: Item, place: Place, verdict: Verdict, path: Path | None, *, quiet: bool) -> None:
    """Write the script asked for, and end with the command that replays the verdict."""
    from equiv.show.script import replay_of

    replay = replay_of(item, place, verdict)
    if replay is None:
        if path is not None:
            _say(f"{path}: not written, since no database tells the queries apart")
        return
    script, arguments = replay
    command = shlex.join(["sqlite3", *arguments, f".read {path or 'witness.sql'}"])
    if path is not None:
        _write(path, script)
    if not quiet:
        hint = "" if path else "add --emit-sql witness.sql, then "
        _print(f"Replay: {hint}{escape(command)}")


def _exit_code(verdict: Verdict) -> int:
    from equiv.show.verdicts import trouble_of

    if trouble := trouble_of(verdict):
        _say(trouble)
        return TROUBLE
    return {"equivalent": EQUIVALENT, "not_equivalent": NOT_EQUIVALENT}.get(verdict.name, UNDECIDED)


def _explain_record(path: Path, key: str, describe: Callable[[str], str]) -> int:
    from equiv.eval.store.results import read_records
    from equiv.records.reading import verdict_of
    from equiv.show.case import case_of, record_named
    from judge.commands import judgement_of

    record = record_named(read_records([path]), key)
    _show([*case_of(record, describe), *judgement_of(record)])
    return _exit_code(verdict_of(record))


def _evaluate(evaluation: Evaluation, telling: Telling, bench: Bench, spent: Callable[[], str]) -> int:
    from equiv.eval.summary import Summary
    from equiv.show.progress import Progress, shown_on
    from equiv.show.render import console_for

    summary, progress = Summary(), Progress(evaluation.total, evaluation.done, spent)
    kept: dict[str, Record] = {}
    for record in evaluation.resumed():
        summary.add(record)
        progress.add(record["verdict"], record["tier"], resumed=True)
        if telling.keeps_records:
            kept[record["key"]] = record
    started = time.perf_counter()
    code = 0
    with shown_on(console_for(sys.stderr), progress):
        try:
            with closing(evaluation.records()) as records:
                for record in records:
                    summary.add(record)
                    progress.add(record["verdict"], record["tier"])
                    if telling.keeps_records:
                        kept[record["key"]] = record
        except KeyboardInterrupt:
            code = INTERRUPTED
    _show(summary.blocks(progress.checked, time.perf_counter() - started, evaluation.items()))
    for remark in evaluation.remarks(progress.checked):
        _say(remark)
    if telling.keeps_records and code == 0:
        for remark in telling.write(evaluation.in_order(kept)):
            _say(remark)
        if telling.page is not None:
            from equiv.eval.html.page import write_page

            write_page(telling.page, _report_on(evaluation.in_order(kept), bench))
            _say(f"report written to {telling.page}")
    elif telling.page is not None:
        _say(f"{telling.page}: not written, since the run was interrupted; a rerun resumes and writes it")
    below = summary.standing.below(telling.fail_under) if telling.fail_under is not None else []
    if below:
        _say(f"below {telling.fail_under:g} %: {', '.join(below)}")
    return code or (BELOW if below else 0)


def _audit(audit: Audit, tally: Tally) -> int:
    from equiv.show.render import console_for, progress_on

    with progress_on(console_for(sys.stderr), audit.steps, 0) as advance:
        try:
            with closing(audit.looks()) as looks:
                for looked in looks:
                    tally.add(looked)
                    advance()
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0


def _say(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"equiv: {escape(' '.join(message.split()))}\n")


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit code, which is a verdict's only if the verdict was shown."""
    try:
        given = [f" {text}" if _is_commented_sql(text) else text for text in arguments]
        code = int(app(given, prog_name="equiv", standalone_mode=False) or 0)
        sys.stdout.flush()
    except InputError as error:
        _say(str(error))
    except typer.TyperException as error:
        _say(f"{error.format_message()} (see equiv --help)")
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        _say(f"{error.filename or 'input or output'}: {error.strerror or error}")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a traceback and its exit code 1 would pass for a verdict
        _say(f"unexpected {type(error).__name__}: {error}")
    else:
        return code
    return TROUBLE


def _is_commented_sql(argument: str) -> bool:
    """Whether an argument is SQL that opens with a comment, which must not be taken for an option."""
    return argument.startswith("--") and argument[2:3].isspace()


def main() -> None:
    """The entry point of the ``equiv`` command."""
    streams.open_standard_streams()
    arguments = sys.argv[1:]
    if arguments[:1] in (["check"], ["explain"]):
        alone.start(fork=True)  # it imports the engine while the command line is read
    code = run(arguments)
    streams.leave_standard_output()
    sys.exit(code)


if __name__ == "__main__":
    main()
