"""Random questions in a dialect's words, each in several ways."""

from __future__ import annotations

from random import Random
from string import Template

from equiv.dialects.questions.words import COMPARED, Words, kind_of
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


class Questions:
    """Draws questions on tables ``t`` and ``u``.

    Args:
        words: the dialect's.
        random: what the questions depend on.
    """

    def __init__(self, words: Words, random: Random) -> None:
        self._words = words
        self._random = random

    def ways(self, most: int) -> list[str]:
        """Up to so many different texts that ask one question, or nearly so."""
        ways, found = self._random.choice(self._words.questions), dict[str, None]()
        fixed = self.fixed()
        for _ in range(2 * most):
            found[Template(self._random.choice(ways)).substitute(self.once(fixed))] = None
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

    def _condition(self, source: str) -> str:
        column, text = self._random.choice(COLUMNS), self._random.choice(CONDITIONS)
        literals = self._words.literals[kind_of(column)]
        while "#" in text:
            text = text.replace("#", self._random.choice(literals), 1)
        return text.replace("$", f"{source}.{column}")
