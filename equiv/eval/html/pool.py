"""Texts of a page, each kept once and shown by its number.

Derivations repeat queries and pairs repeat facts, so that this saves more than half of a page.
"""

from __future__ import annotations

from equiv.show.escape import escape

TEXT_LENGTH = 20_000
"""How many characters of a text a page holds."""


class TextPool:
    """Texts with hidden characters written out, so that none can turn the page's text around."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self.size = 0
        """Characters so far."""
        self.cut = 0
        """How many texts were cut."""

    def add(self, text: str) -> int:
        """The number of a text."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.texts)
            shown = self._shown(text)
            self.texts.append(shown)
            self.size += len(shown)
        return number

    def shown(self, text: str) -> str:
        """A text as the page has it."""
        return self.texts[self.add(text)]

    def _shown(self, text: str) -> str:
        if len(text) > TEXT_LENGTH:
            self.cut += 1
            text = f"{text[:TEXT_LENGTH]}… ({len(text) - TEXT_LENGTH:,} more characters)"
        return text if text.isprintable() else escape(text, keep="\n\t")
