"""The texts of constants whose bytes nothing here can read: of jsonb, arrays, ranges and all other types.

PostgreSQL prints a query with the text of each constant, and makes the same bytes of the same text again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.analysis.printing import literal
from equiv.dialects.postgres.statements import code
from equiv.dialects.postgres.wire import WireError

if TYPE_CHECKING:
    from equiv.dialects.postgres.sandbox import Sandbox

_TYPE = re.compile(
    r'::((?:"(?:[^"]|"")+"|[A-Za-z_]\w*(?: varying| precision| with(?:out)? time zone| [a-z]+ to [a-z]+)?)'
    r'(?:\.(?:"(?:[^"]|"")+"|\w+))?(?:\([\d, ]*\))?(?:\[\])*)'
)
_MOST = 200


class Constants:
    """The constants of printed queries, by their types and bytes; looked for when the first is asked for.

    Args:
        printed: queries as PostgreSQL prints them.
        sandbox: where their constants are made again.
    """

    def __init__(self, printed: Iterable[str], sandbox: Sandbox) -> None:
        self._printed = tuple(printed)
        self._sandbox = sandbox
        self._known: dict[tuple[int, str], str] | None = None

    def text_of(self, kind: int, value: str) -> str:
        """The text of a constant.

        Args:
            kind: the OID of its type.
            value: its length and its bytes, as a node tree has them.

        Raises:
            UnsupportedError: it is not found.
        """
        if self._known is None:
            self._known = self._made()
        found = self._known.get((kind, value))
        if found is None:
            raise UnsupportedError("Const", "a constant whose literal is not found")
        return found

    def _made(self) -> dict[tuple[int, str], str]:
        written = dict.fromkeys(found for text in self._printed for found in _typed_strings(text))
        texts = list(written)[:_MOST]
        if not texts:
            return {}
        shown = ", ".join(f"{literal(text)}::{kind}" for text, kind in texts)
        try:
            (node,) = read_nodes(self._sandbox.viewed(f"SELECT {shown}", len(texts)).tree)
        except WireError:
            return {}
        assert isinstance(node, TreeNode)
        found = {}
        for (text, _), target in zip(texts, node.nodes("targetList"), strict=True):
            made = target.node("expr")
            if made.name == "CONST" and not made.flag("constisnull"):
                found[made.number("consttype"), made.text("constvalue")] = text
        return found


def _typed_strings(printed: str) -> Iterator[tuple[str, str]]:
    """The strings of a printed query behind which a type stands, each with the type."""
    for (start, end), (following, _) in pairwise(code(printed)):
        kind = _TYPE.match(printed, following)
        if kind is not None and printed[end] == "'":
            has_escapes = printed[max(start, end - 1) : end] == "E"
            yield _plain(printed[end + 1 : following - 1], escapes=has_escapes), kind[1].strip()


def _plain(text: str, *, escapes: bool) -> str:
    found = text.replace("''", "'")
    return re.sub(r"\\(.)", r"\1", found, flags=re.DOTALL) if escapes else found
