"""Exit codes, arguments and printing that commands share, and the ``--help`` of those with many options.

Help shows examples first, then options in groups under headings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from equiv.commands.outside import databases
from equiv.core.connection import is_url
from equiv.dialects.registry import dialect_at, dialect_named
from equiv.engine.premises import options_on
from equiv.errors import InputError
from equiv.files import FileErrors
from equiv.show.page import escape

if TYPE_CHECKING:
    from equiv.options import Options
    from equiv.show.page import Block
    from equiv.verdict import Verdict


T = TypeVar("T")

EQUIVALENT, NOT_EQUIVALENT, TROUBLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes; ``eval`` gives 0 once every record is written, whatever it says, but for ``--fail-under``."""

BELOW = 1
"""The exit code of ``eval`` if a score is below ``--fail-under``."""

Db = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Populated database: a file, or a name below dev_databases or $EQUIV_DB_ROOT.",
        autocompletion=databases,
    ),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option("--schema", metavar="FILE", help="DDL file, folder of <db_id>.sql, or tables.json."),
]
Extract = Annotated[
    bool,
    typer.Option("--extract/--no-extract", help="Extract PRED from fences, tags or prose."),
]


def say(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"equiv: {escape(' '.join(message.split()))}\n")


def told_options(db: str | Path | None, options: Options, schema: Path | None) -> Options:
    """The options of pairs, of the dialect that database or schema show; says so where a file does."""
    found = options_on(db, options, schema)
    if found.dialect != options.dialect and not is_url(str(db)):
        name = db if dialect_at(db) else schema
        say(f"{name}: read as {dialect_named(found.dialect).title} (--dialect {found.dialect})")
    return found


def print_line(line: str) -> None:
    """One line on standard output, as it is."""
    sys.stdout.write(f"{line}\n")


def show(blocks: Sequence[Block]) -> None:
    """Blocks on standard output."""
    from equiv.show.terminal import show

    show(blocks, sys.stdout)


def write(path: Path, text: str) -> None:
    """A file with a text.

    Raises:
        InputError: it cannot be written.
    """
    with FileErrors(path):
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


def prepare_page(path: Path | None) -> None:
    """Say before a long run that a page cannot be made after it.

    Raises:
        InputError: it cannot.
    """
    if path is not None:
        from equiv.eval.html.page import prepare

        prepare(path)


def wrote_page(path: Path) -> None:
    """Say where a page is."""
    say(f"report written to {path}: open it in a browser")


def take_all(
    things: Generator[T], take: Callable[[T], object], total: int, done: int = 0, what: str = "pairs"
) -> int:
    """Take in what is worked out, while a bar shows how far it is; the exit code."""
    from equiv.show.terminal import console_for, progress_on

    with progress_on(console_for(sys.stderr), total, done, what) as advance:
        return until_interrupted(things, lambda one: (take(one), advance()))


def until_interrupted(things: Generator[T], take: Callable[[T], object]) -> int:
    """Take in what is worked out; the exit code."""
    try:
        with closing(things):
            for one in things:
                take(one)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def was_left_out(context: typer.Context, option: str) -> bool:
    """Whether the command line does not name an option, so that it has its default."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "DEFAULT"


def exit_code(verdict: Verdict) -> int:
    """The exit code of ``check`` and ``explain``; a query that is none is told of."""
    from equiv.show.verdicts import trouble_of

    if trouble := trouble_of(verdict):
        say(trouble)
        return TROUBLE
    return {"equivalent": EQUIVALENT, "not_equivalent": NOT_EQUIVALENT}.get(verdict.name, UNDECIDED)


CHECK = """
\b
Examples:
  equiv check "SELECT DISTINCT id FROM t" "SELECT id FROM t" --schema t.sql
  equiv check --both pair.sql --db data.sqlite --relation bird --json
"""

EVAL = """
\b
Examples:
  equiv eval predictions.json --db-root databases --out results.jsonl
  equiv eval pred.sql --gold gold.sql --format spider --schema tables.json
"""

GROUPS = {
    "Who may ask": "host port token no_token host_names",
    "Input": (
        "both db db_root db_roots schema gold kind mapping encoding extract vote limit scores systems nodes"
        " prices"
    ),
    "What counts as the same": (
        "relation facts errors assume matviews rounding dialect gold_dialect schema_dialect live_prepare"
        " layout keep_distinct"
    ),
    "How much is tried": (
        "effort question_seconds whole settings timeout tiers rules confirm conditions"
        " condition_seconds accept mutants"
    ),
    "What is looked for": "kinds judged agree by system",
    "Metrics": (
        "metrics disable_rules no_values no_distinct ablation right_by penalty gap max_calls max_tokens"
    ),
    "The run": "seconds batch_seconds pairs seed workers queue batch body_bytes grace shard engine address",
    "Output": (
        "out as_json brief ranking emit_sql certificate algebra cases fail_under ex rose_results parquet"
        " fail_if_worse misses page html markdown unfired"
    ),
    "The judge": "question hint",
}
"""Headings in their order, and the options below each, as parameters are called.

An option that is not listed stands under its own ``rich_help_panel``, or under Options.
"""

_PLACES = {
    option: (title, place)
    for title, options in GROUPS.items()
    for place, option in enumerate(options.split())
}


class GroupedCommand(TyperCommand):
    """A command whose epilog are examples and whose options stand under headings."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; InputError if an option of one value is given under two of its names."""
        given = {each.partition("=")[0] for each in args}
        for option in self.params:
            if len(names := [name for name in option.opts if name in given]) > 1 and not option.multiple:
                raise InputError(f"{' and '.join(names)} are one option: give it once")
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command does, and the examples, which nobody would find below all the options."""
        super().format_help_text(ctx, formatter)
        super().format_epilog(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write nothing: the examples stand above."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write every argument and option below the heading of its group."""
        groups: dict[str, list[Any]] = {title: [] for title in ("Arguments", *GROUPS)}
        for parameter in self.get_params(ctx):
            groups.setdefault(_title(parameter), []).append(parameter)
        for title, parameters in groups.items():
            parameters.sort(key=_place)
            records = [parameter.get_help_record(ctx) for parameter in parameters]
            if shown := [record for record in records if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(shown)


def _title(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "Arguments"
    listed, _ = _PLACES.get(parameter.name, ("Options", 0))
    return parameter.rich_help_panel or listed


def _place(parameter: Any) -> int:
    """The place within a group; arguments, and options that are not listed, keep their order at the end."""
    if parameter.param_type_name == "argument":
        return 0
    return _PLACES.get(parameter.name, ("", len(_PLACES)))[1]
