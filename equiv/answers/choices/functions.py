"""The SQL functions behind the rewrites of :mod:`equiv.answers.choices.rewrites`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from equiv.answers.calls import (
    ANY_VALUE,
    AS_NUMBER,
    AS_TEXT,
    AT_MAXIMUM,
    AT_MINIMUM,
    AT_SOME_EXTREME,
    RANDOM,
    SHUFFLED_CONCAT,
)
from equiv.answers.exact import sums as exact_sums
from equiv.cells import Cell
from equiv.core.runner import Connection
from equiv.core.single_values import Calculator, sort_key


def _any_value(rng: Random) -> type:
    class AnyValue:
        """A value of a random row."""

        def __init__(self) -> None:
            self.values: list[Cell] = []

        def step(self, value: Cell) -> None:
            self.values.append(value)

        def finalize(self) -> Cell:
            return rng.choice(self.values) if self.values else None

    return AnyValue


def _at_extreme(rng: Random, best: Callable[..., tuple[int, Any]]) -> type:
    class AtExtreme:
        """The second argument in a random row where the first is extremal; any row if all are NULL."""

        def __init__(self) -> None:
            self.rows: list[tuple[Cell, Cell]] = []

        def step(self, value: Cell, other: Cell) -> None:
            self.rows.append((value, other))

        def finalize(self) -> Cell:
            known = [row for row in self.rows if row[0] is not None] or self.rows
            if not known:
                return None
            extreme = best(sort_key(value) for value, _ in known)
            return rng.choice([other for value, other in known if sort_key(value) == extreme])

    return AtExtreme


def _at_some_extreme(rng: Random) -> type:
    class AtSomeExtreme:
        """The last argument in a random row that gives some MIN or MAX its value; any if one has NULL."""

        def __init__(self) -> None:
            self.signs = ""
            self.rows: list[tuple[Cell, ...]] = []

        def step(self, signs: str, *row: Cell) -> None:
            self.signs = signs
            self.rows.append(row)

        def finalize(self) -> Cell:
            eligible: list[Cell] = []
            for place, sign in enumerate(self.signs):
                known = [row for row in self.rows if row[place] is not None] or self.rows
                best = (min if sign == "<" else max)(sort_key(row[place]) for row in known)
                eligible += [row[-1] for row in known if sort_key(row[place]) == best]
            return rng.choice(eligible) if eligible else None

    return AtSomeExtreme


def _shuffled_concat(rng: Random) -> type:
    class ShuffledConcat:
        """GROUP_CONCAT in random order."""

        def __init__(self) -> None:
            self.parts: list[tuple[Cell, Cell]] = []
            """Each value with the separator of its row, which stands before it unless it is the first."""

        def step(self, value: Cell, separator: Cell = ",") -> None:
            if value is not None:
                self.parts.append((value, "" if separator is None else separator))

        def finalize(self) -> Cell:
            if not self.parts:
                return None
            rng.shuffle(self.parts)
            first, *others = self.parts
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


def register(connection: Connection, seed: int = 0) -> Random:
    """Make the functions known to a connection; their choices repeat for one seed of what is returned."""
    rng = Random(seed)
    connection.create_function(RANDOM, 0, rng.random)
    connection.create_function(AS_NUMBER, 1, _as_number, deterministic=True)
    connection.create_function(AS_TEXT, 1, _only_text, deterministic=True)
    exact_sums.register_all(connection)
    connection.create_aggregate(ANY_VALUE, 1, _any_value(rng))
    connection.create_aggregate(AT_MINIMUM, 2, _at_extreme(rng, min))
    connection.create_aggregate(AT_MAXIMUM, 2, _at_extreme(rng, max))
    connection.create_aggregate(AT_SOME_EXTREME, -1, _at_some_extreme(rng))
    connection.create_aggregate(SHUFFLED_CONCAT, -1, _shuffled_concat(rng))
    return rng
