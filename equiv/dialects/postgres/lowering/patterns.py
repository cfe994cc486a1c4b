"""LIKE of PostgreSQL as GLOB, which minds the case of letters too."""

from __future__ import annotations

from equiv.core.unsupported import UnsupportedError

_SPECIAL = {"*": "[*]", "?": "[?]", "[": "[[]"}


def as_glob(pattern: str) -> str:
    """The pattern of GLOB that matches what a pattern of LIKE does, a backslash escaping.

    Raises:
        UnsupportedError: PostgreSQL refuses the pattern, or may.
    """
    found, characters = [], iter(pattern)
    for each in characters:
        if each == "\\":
            escaped = next(characters, None)
            if escaped is None:
                raise UnsupportedError("Like", "a pattern that ends with its escape character")
            found.append(_SPECIAL.get(escaped, escaped))
        else:
            found.append({"%": "*", "_": "?"}.get(each) or _SPECIAL.get(each, each))
    return "".join(found)


def as_text(pattern: str) -> str | None:
    """The one text that a pattern of LIKE matches, or None if it has a wildcard."""
    found, characters = [], iter(pattern)
    for each in characters:
        if each in "%_":
            return None
        found.append(next(characters, "") if each == "\\" else each)
    return "".join(found)


def sees_padding(pattern: str) -> bool:
    """Whether blanks after a text may count: for ``_``, a blank, and the end of a pattern without %."""
    return not pattern.endswith("%") or pattern.endswith("\\%") or bool(set(pattern) & {"_", " ", "\\"})
