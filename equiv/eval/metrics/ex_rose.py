"""Execution accuracy as the cascade of ROSE compares.

Source: arXiv 2604.12988, section 4; ``compare_result`` of its ``evaluators/utils.py``: equal shapes, and
the exclusive or of the hashes of all cells as text.  Rows may be torn apart, and a text that occurs an
even number of times does not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from equiv.cells import Cell
from equiv.core.runner import Result
from equiv.eval.metrics.metric import Asked, Metric, Needs, same_results


def as_rose(pred: Result, gold: Result) -> bool:
    """Equal shapes, and every text of a cell an odd number of times in both results or in neither."""
    if (len(pred.rows), pred.columns) != (len(gold.rows), gold.columns):
        return False
    return _odd(_hashed(pred)) == _odd(_hashed(gold))


def _odd(hashed: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """What is left of an exclusive or: what occurs an odd number of times."""
    return {texts for texts, count in Counter(hashed).items() if count % 2}


def _hashed(result: Result) -> Iterator[tuple[str, ...]]:
    """What is hashed: each cell as text; columns of one name together, once for each of them."""
    shown = [_shown([row[i] for row in result.rows]) for i in range(result.columns)]
    together: dict[str, list[list[str]]] = {}
    # An engine that tells no names is taken to give each column one of its own.
    names = result.names or map(str, range(result.columns))
    for name, column in zip(names, shown, strict=True):
        together.setdefault(name, []).append(column)
    for columns in together.values():
        for _ in columns:
            yield from zip(*columns, strict=True)


def _shown(column: Sequence[Cell]) -> list[str]:
    """The texts of a column in a pandas frame, where numbers beside a real number or a NULL are real."""
    numeric = all(cell is None or isinstance(cell, int | float) for cell in column)
    known = [cell for cell in column if cell is not None]
    if numeric and known and (len(known) < len(column) or any(isinstance(cell, float) for cell in known)):
        return ["nan" if cell is None else str(float(cell)) for cell in column]
    return [str(cell) for cell in column]


def score(asked: Asked) -> bool | None:
    """ROSE's execution accuracy of a pair."""
    return same_results(asked.answers, as_rose)


METRIC = Metric(
    name="ex-rose",
    needs=Needs.DATABASE,
    meaning="what the cascade of ROSE takes for equal results: shapes, and an exclusive or over cells as"
    " text",
    source="ROSE, section 4; `compare_result`",
    score=score,
    leads=True,
    across=True,
    relation="rose",
)
