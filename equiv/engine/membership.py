"""Whether a pair lies in the decidable fragment; most that do not load nothing of the algebra."""

from __future__ import annotations

from equiv.answers.pair import Pair
from equiv.fragment.recognition import beyond


def lies_in_fragment(pair: Pair) -> bool:
    """Whether the fragment has a pair, whichever tier settled it."""
    trees = [query.tree for query in (pair.pred, pair.gold)]
    if any(tree is None or beyond(tree) for tree in trees):
        return False
    from equiv.fragment.recognition import outside

    try:
        return not outside(pair)
    except Exception:  # noqa: BLE001 - the verdict stands, whatever happens here
        return False
