"""Where calls to the model are saved: the names of ``--savings``, and what each came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from equiv.errors import InputError
from equiv.records.record import Record


class Saving(StrEnum):
    """One way of not asking."""

    PROOF = "proof"
    """A proven pair scores 1."""
    CLASSES = "classes"
    """Predictions of one question that are proven equivalent to one another are judged once."""
    EXECUTION = "execution"
    """Equal results on the given database, or recorded as equal, are accepted without a Refuter.

    This gives up rigour: a wrong query may return what the gold query returns on one database, and the
    Refuter that would look at it is not asked.
    """
    GOLD = "gold"
    """A gold query that was found faulty before is told to the Refuter as known."""
    CACHE = "cache"
    """Identical requests are paid once, over all runs."""


SCORED_WITHOUT_A_CALL = {
    "rules": Saving.PROOF,
    "proof": Saving.PROOF,
    "class": Saving.CLASSES,
    "execution": Saving.EXECUTION,
    "cache": Saving.CACHE,
}
"""By which saving a record was scored, by its ``score_by``."""


def savings_named(text: str) -> frozenset[Saving]:
    """The savings that ``none``, ``all`` or a list with commas names.

    Raises:
        InputError: there is no such saving.
    """
    if text in {"none", "all"}:
        return frozenset(Saving) if text == "all" else frozenset()
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in set(Saving)]:
        choice = ", ".join(["none", "all", *Saving])
        raise InputError(f"unknown saving {unknown[0]!r}; choose among {choice}")
    return frozenset(map(Saving, names))


def pairs_by_saving(records: Iterable[Record]) -> dict[Saving, int]:
    """How many judged records each saving scored without a call."""
    counts = Counter(
        SCORED_WITHOUT_A_CALL[record["score_by"]]
        for record in records
        if record["judge"] and record["score_by"] in SCORED_WITHOUT_A_CALL
    )
    return {saving: counts[saving] for saving in Saving if counts[saving]}
