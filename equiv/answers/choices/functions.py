"""The SQL functions behind the rewrites of :mod:`equiv.answers.choices.rewrites`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from equiv.answers.calls import (
    AS_NUMBER,
    AS_TEXT,
    CELL,
    CHOOSE,
    CHOSEN,
    RANDOM,
    ROW,
    SHUFFLED_CONCAT,
)
from equiv.answers.exact import sums as exact_sums
from equiv.cells import Cell
from equiv.core.runner import Connection
from equiv.core.single_values import Calculator, sort_key


class Choices:
    """Makes the choices of queries: at random, or as prescribed, and then the first of the others."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._prescribed: list[int] | None = None
        self._made: list[tuple[int, int]] | None = []

    def seed(self, seed: int) -> None:
        """Start the random choices anew."""
        self._random.seed(seed)

    def choose(self, prescribed: str | None) -> None:
        """Forget what was chosen, and let the next query choose: a JSON list of places; None at random."""
        self._prescribed = None if prescribed is None else json.loads(prescribed)
        self._made = []

    def chosen(self) -> str | None:
        """The JSON list of (choice, number of those to choose from); None if one was among too many."""
        return None if self._made is None else json.dumps(self._made)

    def number(self) -> float:
        """A random number, which is among too many."""
        self._made = None
        return self._random.random()

    def place(self, number: int) -> int:
        """One of the places 0, 1, … of so many."""
        if number == 1:
            return 0
        if self._prescribed is None:
            return self._random.randrange(number)
        if self._made is None:
            return 0
        place = self._prescribed[len(self._made)] if len(self._made) < len(self._prescribed) else 0
        if place >= number:
            self._made = None
            return 0
        self._made.append((place, number))
        return place


def _row(choices: Choices) -> type:
    class ChosenRow:
        """The cells of any row as JSON, or of one that gives a MIN or MAX its value; any if one has NULL."""

        def __init__(self) -> None:
            self.signs = ""
            self.rows: list[tuple[Cell, ...]] = []

        def step(self, signs: str, *row: Cell) -> None:
            self.signs = signs
            self.rows.append(row)

        def final(self) -> Cell:
            extremes = len(self.signs)
            eligible = [] if extremes else self.rows
            for place, sign in enumerate(self.signs):
                known = [row for row in self.rows if row[place] is not None] or self.rows
                best = (min if sign == "<" else max)(sort_key(row[place]) for row in known)
                eligible += [row for row in known if sort_key(row[place]) == best]
            packed = list(dict.fromkeys(_packed(row[extremes:]) for row in eligible))
            return packed[choices.place(len(packed))] if packed else None

    return ChosenRow


def _packed(cells: Sequence[Cell]) -> str:
    return json.dumps([{"blob": cell.hex()} if isinstance(cell, bytes) else cell for cell in cells])


def _cell(packed: str | None, place: int) -> Cell:
    if packed is None:
        return None
    cell: Any = json.loads(packed)[place]
    found: Cell = bytes.fromhex(cell["blob"]) if isinstance(cell, dict) else cell
    return found


def _shuffled_concat(choices: Choices) -> type:
    class ShuffledConcat:
        """GROUP_CONCAT in random order."""

        def __init__(self) -> None:
            self.parts: list[tuple[Cell, Cell]] = []
            """Each value with the separator of its row, which stands before it unless it is the first."""

        def step(self, value: Cell, separator: Cell = ",") -> None:
            if value is not None:
                self.parts.append((value, "" if separator is None else separator))

        def final(self) -> Cell:
            if not self.parts:
                return None
            rest = self.parts
            first, *others = [rest.pop(choices.place(len(rest))) for _ in range(len(rest))]
            return _as_text(first[0]) + "".join(
                _as_text(part) for value, sep in others for part in (sep, value)
            )

    return ShuffledConcat


_SQLITE = Calculator()


def _as_text(value: Cell) -> str:
    if isinstance(value, float):
        return str(_SQLITE.value("CAST(? AS TEXT)", (value,)))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _as_number(value: Cell) -> Cell:
    """A number or NULL as it is.

    Raises:
        TypeError: it is neither, so that a CAST would change it.
    """
    if isinstance(value, str | bytes):
        raise TypeError("text or a blob in a numeric column")
    return value


def _only_text(value: Cell) -> Cell:
    """A text or NULL as it is.

    Raises:
        TypeError: it is neither, so that a CAST would change it.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError("no text in a text column")
    return value


def register(connection: Connection, seed: int = 0) -> Choices:
    """Make the functions known to a connection; their choices repeat for one seed of what is returned."""
    choices = Choices(seed)
    connection.create_function(CHOOSE, 1, choices.choose)
    connection.create_function(CHOSEN, 0, choices.chosen)
    connection.create_function(RANDOM, 0, choices.number)
    connection.create_function(AS_NUMBER, 1, _as_number, deterministic=True)
    connection.create_function(AS_TEXT, 1, _only_text, deterministic=True)
    connection.create_function(CELL, 2, _cell, deterministic=True)
    exact_sums.register_all(connection)
    connection.create_aggregate(ROW, -1, _row(choices))
    connection.create_aggregate(SHUFFLED_CONCAT, -1, _shuffled_concat(choices))
    return choices
