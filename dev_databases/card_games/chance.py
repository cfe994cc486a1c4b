"""The one source of chance, with the draws that several tables share."""

from __future__ import annotations

import datetime
import random
import uuid
from typing import TypeVar

import words

Cell = int | float | str | None
Row = dict[str, Cell]
T = TypeVar("T")


class Chance(random.Random):
    """A seeded generator of plausible values."""

    def maybe(self, share: float, value: T) -> T | None:
        """The value in that share of the draws, else None."""
        return value if self.random() < share else None

    def flag(self, share: float) -> int:
        """1 in that share of the draws, else 0."""
        return int(self.random() < share)

    def id_text(self, share: float = 0.7) -> str | None:
        """A number of some outside catalogue, stored as text, in that share of the draws."""
        return self.maybe(share, str(self.randint(1, 90_000)))

    def uuid(self) -> str:
        """A UUID of version 4."""
        return str(uuid.UUID(int=self.getrandbits(128), version=4))

    def date(self, first: int = 1994, last: int = 2021) -> str:
        """An ISO date within the years given."""
        start, end = datetime.date(first, 1, 1), datetime.date(last, 12, 31)
        return datetime.date.fromordinal(self.randint(start.toordinal(), end.toordinal())).isoformat()

    def name(self) -> str:
        """The name of a card, some with letters beyond ASCII or an apostrophe."""
        stem = self.choice(words.OPENERS) + self.choice(words.CLOSERS)
        match self.randrange(4):
            case 0:
                return f"{stem} of {self.choice(words.PLACES)}"
            case 1:
                return f"{self.choice(words.FIRST_NAMES)}, {stem}"
            case 2:
                return f"{self.choice(words.OPENERS)}'s {stem}"
        return stem

    def foreign_name(self, language: str) -> str:
        """A name of syllables of that language."""
        return "".join(self.choices(words.LANGUAGES[language], k=self.randint(2, 5))).capitalize()
