"""One part of an evaluation out of several, for several machines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from equiv.errors import InputError
from equiv.eval.store.pair_store import target_digest
from equiv.records.item import Item

_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``number``-th of ``count`` parts, from 1.

    All predictions for one gold query, and so all those of a question, fall to
    one part.  Which one follows from the gold query and the name of its
    database alone: not from the file, its order or the machine.
    """

    number: int = 1
    count: int = 1

    def holds(self, item: Item) -> bool:
        """Whether an item falls to this part."""
        if self.count == 1:
            return True
        return int.from_bytes(target_digest(item)[:8], "big") % self.count == self.number - 1


WHOLE = Shard()
"""All of it."""


def shard_named(text: str) -> Shard:
    """The part that ``i/n`` means; '' means all.

    Raises:
        InputError: it means none.
    """
    if not text:
        return WHOLE
    found = _SHARD.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise InputError(f"--shard takes i/n with i from 1 to n, as in 2/8, not {text!r}")
    return Shard(int(found[1]), int(found[2]))
