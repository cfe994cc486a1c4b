"""Verdicts that were given, for when the same is asked again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from typing import Generic, TypeVar

from equiv.verdict import Reason, Undecided, Verdict

Answer = TypeVar("Answer")

KEPT = 256
"""How many answers are kept."""
_OF_THE_MOMENT = (Reason.TIMEOUT, Reason.RESOURCE, Reason.INTERNAL)
"""Reasons that another try may not give."""


class Memory(Generic[Answer]):
    """The last answers by what was asked; may be used from several threads."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._known: OrderedDict[Hashable, Answer] = OrderedDict()

    def recall(self, asked: Hashable) -> Answer | None:
        """The answer that was given, if it is still known."""
        return self._known.get(asked)

    def keep(self, asked: Hashable, answer: Answer) -> None:
        """Keep an answer, and forget the oldest if there are many."""
        self._known[asked] = answer
        while len(self._known) > self._kept:
            with suppress(KeyError):  # another thread was quicker
                self._known.popitem(last=False)


def is_repeatable(verdict: object) -> bool:
    """Whether this is a verdict in which neither time nor memory had a part."""
    if not isinstance(verdict, Verdict):
        return False
    if any(attempt.outcome == "failed" for attempt in verdict.attempts):
        return False
    if not isinstance(verdict, Undecided):
        return True
    ends = (verdict.reason, *(attempt.reason for attempt in verdict.attempts))
    return not any(end.startswith(_OF_THE_MOMENT) for end in ends)
