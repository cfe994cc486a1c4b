"""Comparison operators that a tokeniser has split: ``> =`` for ``>=``, as CoSQL's gold queries have them.

No dialect reads them; the public scripts of Spider, CoSQL and ESM+ join them.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|/\*.*?(?:\*/|\Z)|(?P<sign>[<>!])[ \t\r\n]+=""",
    re.DOTALL,
)
"""A string, a quoted name, a comment, or a split operator."""


def joined_operators(sql: str) -> str:
    """The query with its split operators joined; what stands in quotes and comments stays."""
    return _TOKEN.sub(lambda found: f"{found['sign']}=" if found["sign"] else found[0], sql)
