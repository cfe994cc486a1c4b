"""Literals of text and blobs as bytes, and the ranks of these under BINARY.

A rank is a rational number for a sequence of bytes, in the order of ``memcmp`` with a shorter
sequence before its extensions.  Such an order has countably many elements, so it embeds in the
rationals around any finite set of ranks that respects it.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

from equiv.algebra.terms import Constant


class Ranks:
    """The ranks handed out so far."""

    def __init__(self) -> None:
        self._keys: list[bytes] = []
        self._ranks: list[Fraction] = []

    def of(self, data: bytes) -> Fraction:
        """The rank of a sequence of bytes, new ones in the middle of their neighbours."""
        at = bisect_left(self._keys, data)
        if at < len(self._keys) and self._keys[at] == data:
            return self._ranks[at]
        if not self._keys:
            rank = Fraction(0)
        elif at == 0:
            rank = self._ranks[0] - 1
        elif at == len(self._keys):
            rank = self._ranks[-1] + 1
        else:
            rank = (self._ranks[at - 1] + self._ranks[at]) / 2
        self._keys.insert(at, data)
        self._ranks.insert(at, rank)
        return rank


def bytes_of(constant: Constant) -> bytes | None:
    """The bytes of a text or blob literal, or None if they are not known."""
    try:
        return bytes.fromhex(constant.text) if constant.kind == "blob" else constant.text.encode()
    except ValueError:
        return None
