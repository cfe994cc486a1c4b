"""The options of commands, gathered in dataclasses instead of one parameter each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from equiv.core.connection import place_of
from equiv.dialects.registry import OWN_NAMES
from equiv.options import MATVIEWS, TIERS
from equiv.relation import RELATION_NAMES, ROUNDINGS

if TYPE_CHECKING:
    from equiv.options import OptionArguments


FactsPolicy = Annotated[
    str, typer.Option(metavar="declared|intended|observed", help="Which promises of the schema hold.")
]
ErrorsOption = Annotated[
    str, typer.Option(metavar="excused|strict", help="Whether an error that only some rows raise counts.")
]
Assumed = Annotated[
    list[str] | None,
    typer.Option(metavar="FACT", help="A further fact, as in 'not_null(t.c)'; repeatable."),
]
MaterialisedViews = Annotated[
    str,
    typer.Option(
        metavar="|".join(MATVIEWS), help="Rows of materialised views: of an earlier time, or of now."
    ),
]
RoundingName = Annotated[
    str,
    typer.Option(metavar="|".join(ROUNDINGS), help="What rounding counts for; else by the relation."),
]
EffortOption = Annotated[
    str,
    typer.Option(metavar="quick|normal|thorough|N", help="How much is tried; N: generated databases."),
]
DIALECTS = "|".join((*OWN_NAMES, "…"))

DialectName = Annotated[
    str, typer.Option(metavar=DIALECTS, help="What queries are written in; refuse any other schema.")
]
GoldDialectName = Annotated[
    str, typer.Option(metavar=DIALECTS, help="What gold queries are written in, if in another dialect.")
]
SchemaDialectName = Annotated[
    str,
    typer.Option(metavar=DIALECTS, help="Which of the two the schema is of, if not the first."),
]
LivePrepare = Annotated[
    bool,
    typer.Option("--live-prepare/--no-live-prepare", help="Whether the database prepares what ours refuses."),
]
PairSeconds = Annotated[float, typer.Option(metavar="SECONDS", min=0.001, help="Outer limit for one pair.")]


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions:
    """The options that say how pairs are compared."""

    relation: Annotated[
        str, typer.Option(metavar="|".join(RELATION_NAMES), help="What counts as the same result.")
    ] = "sql"
    facts: FactsPolicy = "intended"
    errors: ErrorsOption = "excused"
    assume: Assumed = None
    matviews: MaterialisedViews = "free"
    rounding: RoundingName = ""
    effort: EffortOption = "normal"
    tiers: Annotated[str, typer.Option(metavar=",".join(TIERS), help="Which tiers may settle a pair.")] = (
        ",".join(TIERS)
    )
    accept: Annotated[
        str, typer.Option(metavar="bounded:k", help="Score 1 where no k rows a table tell a pair apart.")
    ] = ""
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Prove what the rules derive again, by the algebra alone.")
    ] = False
    dialect: DialectName = ""
    gold_dialect: GoldDialectName = ""
    schema_dialect: SchemaDialectName = ""
    live_prepare: LivePrepare = True
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PACK", help="A rule pack of yours: a file, a module, an installed one; repeatable."
        ),
    ] = None
    timeout: PairSeconds = 60.0

    def arguments(self, *, conditions: bool) -> OptionArguments:
        """The options as keyword arguments of the library; the default of ``conditions`` is the command's."""
        return {
            "relation": self.relation,
            "facts": self.facts,
            "errors": self.errors,
            "assume": tuple(self.assume or ()),
            "matviews": self.matviews,
            "rounding": self.rounding,
            "effort": self.effort,
            "timeout": self.timeout,
            "accept": self.accept,
            "conditions": conditions,
            "confirm": self.confirm,
            "dialect": self.dialect,
            "gold_dialect": self.gold_dialect,
            "schema_dialect": self.schema_dialect,
            "live_prepare": self.live_prepare,
            "rules": tuple(self.rules or ()),
            "tiers": tuple(name.strip() for name in self.tiers.split(",") if name.strip()),
        }


@dataclass(frozen=True, kw_only=True)
class Auditing:
    """The options of an audit of gold queries."""

    gold: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Gold queries, where FILE... are predictions alone.")
    ] = None
    kind: Annotated[
        str, typer.Option("--format", metavar="auto|…", help="Format of the files, as in eval.")
    ] = "auto"
    mapping: Annotated[
        str,
        typer.Option("--map", metavar="COLUMN=FIELD,…", help="What columns are called, as in eval."),
    ] = ""
    extract: Annotated[
        bool, typer.Option("--extract", help="Take predictions out of their fence, tags or words.")
    ] = False
    db_root: Annotated[
        Path | None,
        typer.Option(
            parser=place_of, metavar="DIR|URL", help="Populated databases: <db_id>/<db_id>.sqlite or flat."
        ),
    ] = None
    schema: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="DDL file, folder of <db_id>.sql, or tables.json."),
    ] = None
    kinds: Annotated[str, typer.Option(metavar="all|KIND,…", help="What is looked for.")] = "all"
    judged: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Results of a judged eval: what it called faulty; repeatable."),
    ] = None
    agree: Annotated[
        int, typer.Option(metavar="N", min=2, help="How many systems must agree against a gold query.")
    ] = 2
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Append one record for each finding.")
    ] = None
    ranking: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Write all gold queries, the likeliest to be faulty first."),
    ] = None
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write all gold queries and findings as one HTML file."),
    ] = None
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N gold queries.")] = (
        None
    )
    cases: Annotated[int, typer.Option(metavar="N", min=0, help="How many findings of a kind are shown.")] = 5
    as_json: Annotated[bool, typer.Option("--json", help="Print counts and findings as JSON.")] = False


def spread(command: Callable[..., int]) -> Callable[..., int]:
    """The command with the fields of its dataclass parameters in the place of these.

    A field's annotation and default become the parameter's, so that what
    reads signatures (typer does) sees every field as an option of its own.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}

    def spread_command(**given: Any) -> int:
        made = {
            name: kind(**{one.name: given.pop(one.name) for one in fields(kind)})
            for name, kind in groups.items()
        }
        return command(**given, **made)

    signature = inspect.signature(command)
    parameters = [one for one in signature.parameters.values() if one.name not in groups]
    parameters = [one.replace(annotation=hints[one.name]) for one in parameters]
    for kind in groups.values():
        own = get_type_hints(kind, include_extras=True)
        parameters += [_parameter(one, own[one.name]) for one in fields(kind)]
    spread_command.__name__ = command.__name__
    spread_command.__doc__ = command.__doc__
    spread_command.__annotations__ = {one.name: one.annotation for one in parameters}
    spread_command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return spread_command


def _parameter(one: Field[Any], annotation: object) -> inspect.Parameter:
    default = inspect.Parameter.empty if one.default is MISSING else one.default
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
