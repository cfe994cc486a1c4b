"""Options of a command that are the fields of a dataclass."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated

from equiv.show.arguments import spread


@dataclass(frozen=True, kw_only=True)
class Size:
    """Two options."""

    width: Annotated[int, "in columns"] = 80
    height: Annotated[int, "in rows"] = 24


@spread
def area(name: str, *, size: Size, factor: int = 1) -> int:
    """Multiply."""
    return len(name) * size.width * size.height * factor


def test_fields_stand_in_the_place_of_their_dataclass() -> None:
    assert area(name="xx", width=3, height=5, factor=7) == 210
    parameters = inspect.signature(area).parameters
    assert list(parameters) == ["name", "factor", "width", "height"]
    assert (parameters["width"].default, parameters["width"].annotation) == (80, Annotated[int, "in columns"])
    assert (area.__name__, area.__doc__) == ("area", "Multiply.")
