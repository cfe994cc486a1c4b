"""Predictions that are several samples, and the one that they agree on.

Source: TrustSQL (arXiv 2403.15879), section 4.1.2: of five samples, an answer counts only if all are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from equiv.eval.abstention import abstains
from equiv.eval.reading.loading import Entry


def voted(entries: Iterable[Entry], least: float | None) -> Iterator[Entry]:
    """The entries, with the query that a share of the samples agrees on in place of a list of them.

    Where no query has that share, the system abstains.

    Args:
        entries: with ``predicted_sql``, maybe a list of texts.
        least: the share, from above 0 to 1; None takes no votes.
    """
    for entry in entries:
        samples = entry.fields.get("predicted_sql")
        if least is None or not isinstance(samples, list) or not samples:
            yield entry
            continue
        texts = [sample if isinstance(sample, str) else "" for sample in samples]
        chosen = winner(texts, least)
        fields = {**entry.fields, "predicted_sql": chosen or "", "abstained": not chosen or abstains(chosen)}
        yield replace(entry, fields=fields)


def winner(samples: list[str], least: float) -> str:
    """The first sample of the most frequent query that so large a share agrees on; '' if there is none.

    Queries agree if they differ in white space and a final semicolon at most.
    """
    counts = Counter(normal(sample) for sample in samples)
    best, votes = counts.most_common(1)[0]
    if votes < least * len(samples) - 1e-9 or not best:
        return ""
    return next(sample for sample in samples if normal(sample) == best)


def normal(sample: str) -> str:
    """A sample without what does not tell queries apart."""
    return " ".join(sample.split()).rstrip("; ")
