"""Options of a command that are the fields of a dataclass."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import get_args

from equiv.show.arguments import option, spread


@dataclass(frozen=True, kw_only=True)
class Size:
    """Two options."""

    width: int = option(80, "N", "in columns")
    height: int = option(24, "N", "in rows")


@spread
def area(name: str, *, size: Size, factor: int = 1) -> int:
    """Multiply."""
    return len(name) * size.width * size.height * factor


def test_fields_stand_in_the_place_of_their_dataclass() -> None:
    assert area(name="xx", width=3, height=5, factor=7) == 210
    parameters = inspect.signature(area).parameters
    assert list(parameters) == ["name", "factor", "width", "height"]
    kind, told = get_args(parameters["width"].annotation)
    assert (parameters["width"].default, kind, told.metavar, told.help) == (80, int, "N", "in columns")
    assert (area.__name__, area.__doc__) == ("area", "Multiply.")
