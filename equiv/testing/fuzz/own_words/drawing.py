"""Random questions in a dialect's words, each in several ways."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from string import Template

from equiv.dialects.words import COMPARED, Words, kind_of
from equiv.testing.fuzz.own_words.worlds import COLUMNS

CONDITIONS = (
    "$ = #",
    "$ IS NOT NULL",
    "$ > #",
    "$ IN (#, #)",
    "$ IS NULL",
    "$ <> #",
    "NOT $ < #",
    "$ BETWEEN # AND #",
)
"""Conditions on a value ``$``, with constants ``#``."""

WRAPPED = ("", "", "x", "xy", "xv", "xyvw", "v", "y")
"""Which of the values of a question are wrapped, each as often as it stands here."""


HANGING = 0.8
"""Where settings are drawn, the share of questions whose answers may hang on them."""

OTHER = 0.15
"""The share of constants of time that mean another than the question's."""

TIMES = tuple(
    datetime.fromisoformat(text)
    for text in (
        *("2000-01-01", "2000-01-01", "1999-12-31", "2001-02-03", "2001-03-02", "2000-02-29", "2000-10-29"),
        *("2000-04-02", "2000-03-26", "2001-01-01", "2000-04-02 07:00:00", "2000-10-29 06:00:00"),
        *("2000-10-29 01:30:00", "2000-04-02 02:30:00", "2000-03-25 15:00:00", "1999-12-31 23:30:00"),
    )
)
"""The times of questions; some are none, or two, in a zone whose clocks change."""

APART = tuple(timedelta(minutes=each) for each in (-1440, -300, -60, -30, 30, 60, 300, 330, 345, 1440))
"""How far another time lies from the question's."""


class Questions:
    """Draws questions on tables ``t`` and ``u``.

    Args:
        words: the dialect's.
        random: what the questions depend on.
        hanging: the share of those whose answers may hang on settings.
    """

    def __init__(self, words: Words, random: Random, hanging: float = 0.0) -> None:
        self._words = words
        self._random = random
        self._hanging = hanging

    def ways(self, most: int) -> list[str]:
        """Up to so many different texts that ask one question, or nearly so."""
        hangs = self._random.random() < self._hanging
        ways = self._random.choice(self._words.hanging if hangs else self._words.questions)
        fixed, time, found = self.fixed(), self._random.choice(TIMES), dict[str, None]()
        for _ in range(2 * most):
            way = self._timed(self._random.choice(ways), time)
            found[Template(way).substitute(self.once(fixed))] = None
            if len(found) == most:
                break
        return list(found)

    def fixed(self) -> dict[str, str]:
        """The parts that all ways of a question share."""
        random, words = self._random, self._words
        columns = random.choice(COMPARED)
        x, y, v, w = (random.choice(columns) for _ in range(4))
        kind = kind_of(x)
        any_of = ["id", "pid", *COLUMNS]
        number = random.choice("noijf")
        return {
            "kind": kind, "xn": x, "yn": y, "vn": v, "wn": w, "an": number,
            "x": f"t.{x}", "y": f"t.{y}", "v": f"u.{v}", "w": f"u.{w}",
            "l": random.choice(words.literals[kind]), "m": random.choice(words.literals[kind]),
            "s": f"t.{random.choice(any_of)}", "r": f"t.{random.choice(any_of)}",
            "p": self._condition("t"), "q": self._condition("u"),
            "a": f"t.{number}", "o": f"t.{random.choice('noijf')}", "i": f"t.{random.choice('ij')}",
            "c": f"t.{random.choice('ccvvse')}", "d": f"t.{random.choice('dm')}",
            "b": f"t.{random.choice('bg')}", "g2": f"t.{random.choice('bg')}",
            "k": f"t.{random.choice('kl')}", "k2": f"t.{random.choice('kl')}",
            "ts": f"t.{random.choice('my')}", "day": f"t.{random.choice('dx')}",
            "other": random.choice(words.wrappers[kind]),
            "wraps": random.choice(WRAPPED),
        }  # fmt: skip

    def once(self, fixed: dict[str, str]) -> dict[str, str]:
        """The parts of one way: those that all share, and values, wrapped or not."""

        def wrapped(place: str, source: str) -> str:
            text = f"{source}.{fixed[place + 'n']}"
            if place not in fixed["wraps"]:
                return text
            others = self._words.wrappers[fixed["kind"]]
            other = fixed["other"] if self._random.random() < 0.85 else self._random.choice(others)
            return f"({other.replace('$', text)})"

        return {
            **fixed,
            "e": wrapped("x", "t"), "f": wrapped("y", "t"), "e2": wrapped("x", "z"),
            "g": wrapped("v", "u"), "h": wrapped("w", "u"),
        }  # fmt: skip

    def _timed(self, way: str, time: datetime) -> str:
        """A way with its constants of time, each written in some way, some of another time."""
        for mark, kind in (("$D", "date"), ("$T", "timestamp"), ("$U", "instant")):
            while mark in way:
                own = time + self._random.choice(APART) if self._random.random() < OTHER else time
                told = own.strftime(self._random.choice(self._words.spellings[kind]))
                way = way.replace(mark, told.replace("$", "$$"), 1)
        return way

    def _condition(self, source: str) -> str:
        column, text = self._random.choice(COLUMNS), self._random.choice(CONDITIONS)
        literals = self._words.literals[kind_of(column)]
        while "#" in text:
            text = text.replace("#", self._random.choice(literals), 1)
        return text.replace("$", f"{source}.{column}")
