"""``equiv rules``, ``equiv schema``, ``equiv fuzz``, ``equiv serve`` and ``equiv mcp``.

``rules`` lists the rewrite rules, or verifies them; ``schema`` shows what is read from one; ``fuzz`` makes
random attacks on the provers; ``serve`` is the engine over HTTP, ``mcp`` as tools of an assistant.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.common import (
    INTERRUPTED,
    NOT_EQUIVALENT,
    TROUBLE,
    UNDECIDED,
    SchemaFile,
    print_line,
    say,
    show,
)
from equiv.commands.outside import outside, rule_names
from equiv.core.model import REFERENCE
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import DEFAULT_TIMEOUT, Options
from equiv.server.settings import ServiceSettings
from equiv.show.arguments import DialectName, TakesOptions, option

if TYPE_CHECKING:
    from equiv.packs import Pack
    from equiv.rewrite.rule import Rule


def rules(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[verify] [PACK] [NAME]",
            help="NAME: a rule to document or verify; PACK: a file, module or entry point that has it.",
            autocompletion=rule_names,
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings of verify as JSON.")] = False,
) -> int:
    """List, document or verify the rewrite rules.

    With verify, every rule (or the one named) is proved by the algebra alone on many schemas, which takes
    minutes. With PACK, the pack's rules are listed, documented or verified, on its schema. Exit code: 0;
    with verify 1: a rule is refuted, 3: a rule is neither proved nor refuted, for want of an example query.
    """
    from equiv.commands.outside import list_of_rules, page_of_rule, rules_named

    known = outside(context)
    verb, names = (words[0], words[1:]) if words and words[0] == "verify" else ("", words or [])
    rules: Sequence[Rule] = known.rules()
    pack = _pack(names[0], rules) if names else None
    if pack is not None:
        rules, names = pack.rules, [_full(name, pack) for name in names[1:]]
    if len(names) > 1 or (as_json and not verb):
        raise InputError("give at most one rule; --json needs verify")
    if not verb:
        show(page_of_rule(rules, names[0]) if names else list_of_rules(rules))
        return 0
    chosen = rules_named(rules, names)
    verified = known.verify(chosen) if pack is None else known.verify_pack(pack, chosen)
    if as_json:
        print_line(verified.json)
    else:
        show(verified.blocks)
    if "refuted" in verified.statuses:
        return NOT_EQUIVALENT
    return UNDECIDED if "open" in verified.statuses else 0


def _pack(word: str, rules: Sequence[Rule]) -> Pack | None:
    """The rule pack that a word names; None if it names a rule, or nothing."""
    from equiv.packs import is_pack, load_pack

    if any(rule.name == word for rule in rules) or not is_pack(word):
        return None
    return load_pack(word)


def _full(name: str, pack: Pack) -> str:
    """The name of a rule of a pack, which may be given without that of the pack."""
    from equiv.packs import SEPARATOR

    return name if SEPARATOR in name else f"{pack.name}{SEPARATOR}{name}"


def schema(
    source: Annotated[
        str, typer.Argument(metavar="FILE|URL|DB", help="DDL, a populated database, or the URL of a server.")
    ],
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE]...", help="Show columns and facts of these tables.")
    ] = None,
    *,
    dialect: DialectName = "",
    facts: Annotated[
        str, typer.Option(metavar="declared|intended|observed", help="Grades of facts to show.")
    ] = "intended",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything that was read as JSON.")] = False,
) -> int:
    """Show the tables, facts and settings of a schema.

    It also shows the grade of each fact, and the statements that were skipped. The dialect need not be given
    for a dump of pg_dump or a DuckDB file. Exit code: 0; 2 if nothing can be read.
    """
    from equiv.engine.make import ground_of
    from equiv.schema.locate import place_for_schema
    from equiv.show.schemas import schema_blocks, schema_json

    place, dialect = place_for_schema(source, dialect)
    ground = ground_of(place.schema, place.database, Options(dialect=dialect, facts=facts, rounding="ignore"))
    if as_json:
        print_line(schema_json(ground.schema, ground.facts, source))
    else:
        show(schema_blocks(ground.schema, ground.facts, source, tables or ()))
    return 0


DATABASES, OWN_DATABASES = 300, 40
"""The databases against each proof, unless told: of SQLite's, and of another dialect's."""


@dataclass(frozen=True, kw_only=True)
class Fuzzing:
    """The size of a run of attacks: how many pairs are asked about, and how long each is tried."""

    seconds: float | None = option(None, "SECONDS", "Start no new batch after this time.", min=0)
    pairs: int | None = option(None, "N", "Number of pairs to ask about.", min=1)
    seed: int = option(0, "N", "Seed of the random pairs.")
    effort: int | None = option(None, "N", "Databases against each proof: 300, or 40 (not SQLite).", min=1)
    question_seconds: float = option(0.5, "SECONDS", "Processor time for one question to a prover.", min=0.01)
    whole: int = option(10, "N", "The whole engine decides one of N pairs; 0: none.", min=0)
    settings: int = option(0, "N", "Session settings drawn for each database (not SQLite); 0: none.", min=0)
    workers: int = option(1, "N", "Worker processes.", min=1)
    unfired: bool = option(False, None, "List the rules and rewrites that no proof used.", "--unfired")


def fuzz(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the run; a rerun continues it.")],
    schema: SchemaFile = None,
    dialect: DialectName = "",
    fuzzing: Fuzzing,
) -> int:
    """Attack rules and proof with random near misses.

    Both are asked directly, and whatever they prove is tried on databases. A wrong proof is
    written to DIR/bugs as a golden file, an error to DIR/errors. In another dialect than
    SQLite schemas and queries are in its own words, and its engine runs both texts of whatever is proved. A
    database that breaks a proof is written to DIR/scripts, too; a text that the core misreads is an error.
    Exit code: 0 nothing found, 1 something found, 2 trouble, 130 interrupted.
    """
    if fuzzing.seconds is None and fuzzing.pairs is None:
        raise InputError("give --seconds, --pairs or both, so that the run ends")
    from equiv.testing.fuzz.attacker import Asking
    from equiv.testing.fuzz.own_words import words_of
    from equiv.testing.fuzz.run import FuzzOrder, blocks_of, fuzz
    from equiv.testing.schema_facts import schema_of

    dialect = dialect or REFERENCE
    if fuzzing.settings and dialect == REFERENCE:
        raise InputError("--settings needs a dialect other than SQLite")
    if dialect != REFERENCE:
        words_of(dialect)
        if schema is not None:
            raise InputError(f"--schema goes with SQLite's queries; those of {dialect} come with schemas")
    effort = fuzzing.effort or (DATABASES if dialect == REFERENCE else OWN_DATABASES)
    asking = Asking(effort, fuzzing.question_seconds, 0, fuzzing.whole, fuzzing.settings)
    drawn_on = schema_of(schema) if schema is not None else None
    order = (fuzzing.pairs, fuzzing.seconds, fuzzing.workers)
    done = fuzz(FuzzOrder(out, fuzzing.seed, drawn_on, dialect, asking, *order), say)
    run = f"{dialect_named(dialect).title}, seed {fuzzing.seed}, {done.seconds:,.0f} s"
    show(blocks_of(done.found, run, unfired=fuzzing.unfired))
    if done.lost:
        say(f"{done.lost} batches were lost because their process died; run again")
    if done.is_cut_short:
        say("interrupted; finished work is kept, and a rerun continues from there")
        return INTERRUPTED
    if done.found.broken or done.found.crashed:
        return NOT_EQUIVALENT
    return TROUBLE if done.lost else 0


def serve(
    *,
    settings: ServiceSettings,
    options: Annotated[Options, TakesOptions("timeout", "tiers", "accept", "conditions", "confirm", "rules")],
) -> int:
    """Decide pairs over HTTP, without a model.

    The service also has a page on which two queries can be compared. After a signal to stop, it finishes the
    requests that it has accepted. Exit code: 0 once it has stopped, 2 trouble.
    """
    try:
        from equiv.server.run import serve as run
    except ModuleNotFoundError as error:
        raise InputError(f"the service needs {error.name}: pip install -e '.[server]'") from None
    run(replace(settings, options=options), say)
    return 0


def mcp(
    context: typer.Context,
    *,
    db_root: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder of databases that calls may name; repeatable."),
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1,
    options: Annotated[Options, TakesOptions("tiers", "accept", "conditions", "confirm", "rules")],
) -> int:
    """Let an assistant compare queries (MCP).

    This serves the Model Context Protocol over standard input and output, with the tools check, explain and
    schema; docs/mcp.md tells how a client starts it. Exit code: 0 once the input ends, 2 trouble.
    """
    settings = ServiceSettings(
        db_roots=tuple(db_root or ()),
        workers=workers,
        seconds=options.timeout or DEFAULT_TIMEOUT,
        options=options,
    )
    try:
        from equiv.server.assistant import serve_assistant
    except ModuleNotFoundError as error:
        raise InputError(f"the tools need {error.name}: pip install -e '.[mcp]'") from None
    if sys.stdin.isatty():
        say("calls are read from standard input, where a client writes them; Ctrl-D ends this")
    serve_assistant(settings, outside(context).describe_rules())
    return 0
