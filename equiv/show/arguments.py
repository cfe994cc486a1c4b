"""The options of commands, derived of the table of options or gathered in dataclasses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import Field, field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints

import typer

from equiv.dialects.registry import OWN_NAMES
from equiv.options import TABLE, Options

DIALECTS = "|".join((*OWN_NAMES, "…"))

DialectName = Annotated[str, typer.Option(metavar=DIALECTS, help=TABLE["dialect"].said)]


OPTION = "option"
"""The entry of a field's metadata by which it is an option."""


def option(
    default: Any, takes: str | None, says: str, *names: str, is_secret: bool = False, **more: Any
) -> Any:
    """A field of a dataclass that is an option of the commands that take the dataclass.

    Args:
        default: its value where it is not given; () if it may be given several times.
        takes: what help calls its values; None: it is a flag, or its type says so.
        says: what help says of it.
        names: of the option, where the name of the field is not it.
        is_secret: whether the representation of the dataclass leaves it out.
        more: as :func:`typer.Option` takes it.
    """
    told = typer.Option(*names, metavar=takes, help=says, **more)
    return field(default=default, repr=not is_secret, metadata={OPTION: told})


class TakesOptions:
    """The options that a command takes of :class:`Options`; annotates its parameter of that type.

    Args:
        without: the fields that are not options of the command.
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
        told = TABLE[one.name]
        taken: dict[str, Any] = {"help": told.said, "hidden": one.name in self._hidden}
        kind: Any = str
        names: tuple[str, ...] = ()
        separator = "|"
        match default:
            case bool():
                kind, names = bool, (f"--{dashed}/--no-{dashed}" if default else f"--{dashed}",)
            case tuple() if one.name == "tiers":
                default, separator = ",".join(default), ","
            case tuple():
                kind, default = list[str] | None, None
                taken["help"] = f"{told.said.rstrip('.')}; repeatable."
            case float():
                kind, taken["min"] = float, 0.001
        if told.takes:
            taken["metavar"] = separator.join(told.takes).replace("DIALECT", DIALECTS)
        option = Annotated[kind, typer.Option(*names, **taken)]
        return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)


def spread(command: Callable[..., int]) -> Callable[..., int]:
    """The command with each of its dataclass parameters replaced by the fields of it that are options.

    A field's annotation and default become the parameter's, so that what
    reads signatures (typer does) sees every field as an option of its own.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}
    compared = {
        name: taken
        for name, hint in hints.items()
        for taken in getattr(hint, "__metadata__", ())
        if isinstance(taken, TakesOptions)
    }
    options = {name: _options_of(kind) for name, kind in groups.items()}

    def spread_command(**given: Any) -> int:
        made: dict[str, object] = {
            name: kind(
                **{
                    one.name: tuple(told or ()) if one.default == () else told
                    for one, _ in options[name]
                    for told in [given.pop(one.name)]
                }
            )
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
    parameters += [_parameter(one, hint) for found in options.values() for one, hint in found]
    spread_command.__name__ = command.__name__
    spread_command.__doc__ = command.__doc__
    spread_command.__annotations__ = {one.name: one.annotation for one in parameters}
    spread_command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return spread_command


def _options_of(kind: type[Any]) -> list[tuple[Field[Any], Any]]:
    """The fields of a dataclass that are options, each with its annotation."""
    hints = get_type_hints(kind)
    return [(one, Annotated[hints[one.name], one.metadata[OPTION]]) for one in fields(kind) if one.metadata]


def _parameter(one: Field[Any], annotation: Any) -> inspect.Parameter:
    default = one.default
    if default == ():
        # Typer takes a repeatable option for a list alone.
        several: Any = list[get_args(annotation.__origin__)[0]]  # type: ignore[misc]
        annotation, default = Annotated[several | None, *annotation.__metadata__], None
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
