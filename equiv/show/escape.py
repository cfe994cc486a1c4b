"""Making text safe to show: what comes from a model or a database may drive a terminal."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of control, format (direction marks too), surrogate and separator characters."""


def escape(text: str, keep: str = "") -> str:
    r"""The text with hidden characters written out (``\x1b``), but for those of ``keep``."""
    return "".join(c if c in keep or unicodedata.category(c) not in _HIDDEN else _written(c) for c in text)


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
