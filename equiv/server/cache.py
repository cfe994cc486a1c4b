"""Answers that were given, for when the same is asked again, within a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

Value = TypeVar("Value")

_OVERHEAD = 1_000
"""About what an answer takes besides its text, in bytes."""


class AnswerCache(Generic[Value]):
    """The answers that were asked for last, by key; for one thread.

    Args:
        room: how many bytes they may take together.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._taken = 0
        self._kept: OrderedDict[bytes, tuple[Value, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def recall(self, key: bytes) -> Value | None:
        """The answer, if it is still there."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: bytes, value: Value, length: int) -> None:
        """Keep an answer, and drop the oldest until there is room; one that is too long is not kept."""
        self._taken -= self._kept.pop(key, (value, 0))[1]
        size = length + _OVERHEAD
        if size > self._room:
            return
        self._kept[key] = (value, size)
        self._taken += size
        while self._taken > self._room:
            _, (_, freed) = self._kept.popitem(last=False)
            self._taken -= freed
