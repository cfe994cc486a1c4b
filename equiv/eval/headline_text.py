"""The facts beside a score, in words: what is possible, where items are undecided, under which relation."""

from __future__ import annotations

from collections import Counter

from equiv.eval.metrics.shares import Portion

DATABASES_NAMED = 6
"""How many databases with undecided items are named."""

PROOF = "no judge: a score of 1 is a proof"


def bounds_text(found: Portion) -> str:
    """The shares of all items that the open ones leave possible, in words."""
    low, high = (100 * share for share in found.bounds)
    return f"of all {found.total:,} between {low:.1f} and {high:.1f} %, as they turn out"


def databases_text(databases: Counter[str]) -> str:
    """The first databases with their counts."""
    listed = ", ".join(f"{name} {count:,}" for name, count in databases.most_common(DATABASES_NAMED))
    left = len(databases) - DATABASES_NAMED
    return listed + (f" and {left} more" if left > 0 else "")


def relations_text(relations: Counter[str]) -> str:
    """The relations that verdicts hold under, with how many items have each where there are several."""
    words = {name: _relation_text(name) for name in relations}
    if len(words) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{words[name]} ({count:,})" for name, count in relations.most_common())


def _relation_text(name: str) -> str:
    rows, _, columns = name.partition("/")
    meanings = {"list": "rows in order", "bag": "rows with duplicates", "set": "distinct rows"}
    return f"{name}, {meanings.get(rows, rows)}{', columns in any order' if columns == 'any' else ''}"


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
