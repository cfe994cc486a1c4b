"""The options of commands, derived of the table of options or gathered in dataclasses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from equiv.core.connection import place_of
from equiv.dialects.registry import OWN_NAMES
from equiv.options import EFFORTS, ERRORS, MATVIEWS, POLICIES, SAID, TIERS, Options
from equiv.relation import RELATION_NAMES, ROUNDINGS

DIALECTS = "|".join((*OWN_NAMES, "…"))

_TAKEN = {
    "relation": "|".join(RELATION_NAMES),
    "facts": "|".join(POLICIES),
    "errors": "|".join(ERRORS),
    "assume": "FACT",
    "matviews": "|".join(MATVIEWS),
    "rounding": "|".join(ROUNDINGS),
    "effort": "|".join((*EFFORTS, "N")),
    "tiers": ",".join(TIERS),
    "accept": "bounded:k",
    "dialect": DIALECTS,
    "gold_dialect": DIALECTS,
    "schema_dialect": DIALECTS,
    "rules": "PACK",
    "timeout": "SECONDS",
}
"""What an option takes, as help shows it and completion offers it; the others are switches."""

DialectName = Annotated[str, typer.Option(metavar=DIALECTS, help=SAID["dialect"])]


class TakesOptions:
    """The options that a command takes of :class:`Options`; annotates its parameter of that type.

    Args:
        without: the fields that are no options of the command.
        hidden: options that help does not show.
        defaults: where the command's defaults are others.
    """

    def __init__(self, *without: str, hidden: Collection[str] = (), **defaults: object) -> None:
        self._fields = [one for one in fields(Options) if one.name not in without]
        self._hidden = hidden
        self._defaults = defaults

    def parameters(self) -> list[inspect.Parameter]:
        """The options as parameters of a command, each with what typer reads."""
        return [self._parameter(one) for one in self._fields]

    def made(self, given: dict[str, Any]) -> Options:
        """The options that a command line gives, taken out of its arguments.

        Raises:
            InputError: an option has no such value.
        """
        found = {one.name: given.pop(one.name) for one in self._fields}
        for name in {"assume", "rules"} & found.keys():
            found[name] = tuple(found[name] or ())
        if "tiers" in found:
            found["tiers"] = tuple(name.strip() for name in found["tiers"].split(",") if name.strip())
        return Options(**found)

    def _parameter(self, one: Field[Any]) -> inspect.Parameter:
        default: Any = self._defaults.get(one.name, one.default)
        dashed = one.name.replace("_", "-")
        taken: dict[str, Any] = {"help": SAID[one.name], "hidden": one.name in self._hidden}
        kind: Any = str
        names: tuple[str, ...] = ()
        match default:
            case bool():
                kind, names = bool, (f"--{dashed}/--no-{dashed}" if default else f"--{dashed}",)
            case tuple() if one.name == "tiers":
                default = ",".join(default)
            case tuple():
                kind, default = list[str] | None, None
            case float():
                kind, taken["min"] = float, 0.001
        if kind is not bool:
            taken["metavar"] = _TAKEN[one.name]
        told = Annotated[kind, typer.Option(*names, **taken)]
        return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=told)


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
    compared = {name: taken for name, hint in hints.items() for taken in _options_taken(hint)}

    def spread_command(**given: Any) -> int:
        made: dict[str, object] = {
            name: kind(**{one.name: given.pop(one.name) for one in fields(kind)})
            for name, kind in groups.items()
        }
        made |= {name: taken.made(given) for name, taken in compared.items()}
        return command(**given, **made)

    signature = inspect.signature(command)
    own = [
        one for one in signature.parameters.values() if one.name not in groups and one.name not in compared
    ]
    parameters = [one.replace(annotation=hints[one.name]) for one in own]
    for taken in compared.values():
        parameters += taken.parameters()
    for kind in groups.values():
        told = get_type_hints(kind, include_extras=True)
        parameters += [_parameter(one, told[one.name]) for one in fields(kind)]
    spread_command.__name__ = command.__name__
    spread_command.__doc__ = command.__doc__
    spread_command.__annotations__ = {one.name: one.annotation for one in parameters}
    spread_command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return spread_command


def _options_taken(hint: object) -> list[TakesOptions]:
    return [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, TakesOptions)]


def _parameter(one: Field[Any], annotation: object) -> inspect.Parameter:
    default = inspect.Parameter.empty if one.default is MISSING else one.default
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
