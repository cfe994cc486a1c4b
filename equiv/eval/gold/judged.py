"""Gold queries that a judge called faulty, from the records of a judged run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.records.record import Record


def contradicted(records: Sequence[Record]) -> Iterator[Finding]:
    """The Refuter of a judged run called it faulty (``gold_correct`` is false) at least once.

    No fault: the judge errs, or contradicts itself; the detail says how many of its replies agree.
    Example: "how many people" with a gold query that counts cities, seen so beside a prediction.
    """
    replies = [reply for record in records if (reply := record["refuter_result"])]
    told = [reply for reply in replies if isinstance(reply["gold_correct"], bool)]
    against = [reply for reply in told if not reply["gold_correct"]]
    if against:
        reason = next((reply["reason"] for reply in against if reply["reason"]), "no reason was given")
        detail = f"{len(against)} of {len(told)} replies call it faulty: {reason}"
        yield Finding(Kind.CONTRADICTED, Basis.JUDGE, " ".join(detail.split()))
