"""Options of a command gathered in a dataclass, instead of one parameter each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_type_hints


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
