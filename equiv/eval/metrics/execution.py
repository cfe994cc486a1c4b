"""Execution accuracy (EX): whether both queries return the same, compared as a published tool compares.

These comparisons are not the relations of this project: cells compare exactly as
the tool has it, defects included, so that its published figures are what one gets.

- ``ex-bird``: BIRD (arXiv 2305.03111, section 4; ``evaluation_ex.py`` of mini-dev):
  ``set(predicted) == set(gold)``, columns by position, 1 = 1.0.
- ``ex-spider``: Spider's test suites (arXiv 2010.02840, section 2; ``exec_eval.py``): equal bags
  under some permutation of columns, lists where the text of the gold query has ORDER BY anywhere,
  on every database file of the folder.  DISTINCT can be taken out of both queries first, as that
  tool does unless told otherwise; its ``--plug_value`` is not reproduced.
- ``ex-rose``: the cascade of ROSE (arXiv 2604.12988, section 4; ``compare_result`` of its
  ``evaluators/utils.py``): equal shapes, and the exclusive or of the hashes of all cells as text.
  Rows may be torn apart, and a text that occurs an even number of times does not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from equiv.cells import Cell, Row
from equiv.core.lexer import Kind, tokens
from equiv.core.runner import Failure, Limits, Result
from equiv.dialects.protocol import Dialect
from equiv.eval.plan import Setting
from equiv.eval.running.worker import WORKER

EX_METRICS = ("ex-bird", "ex-spider", "ex-rose")
LIMITS = Limits(seconds=25.0)
"""What one query may cost."""

MAX_PERMUTATIONS = 5_000
"""Where the tool would try more, it hangs; here they are different."""


def as_bird(pred: Result, gold: Result) -> bool:
    """``set(predicted) == set(gold)``, as BIRD has it; two empty results are equal whatever their columns."""
    return set(pred.rows) == set(gold.rows)


def as_spider(pred: Result, gold: Result, *, ordered: bool) -> bool:
    """Whether some permutation of columns makes the rows equal, as Spider's ``result_eq`` has it."""
    if not pred.rows and not gold.rows:
        return True
    if len(pred.rows) != len(gold.rows) or pred.columns != gold.columns:
        return False
    sides = [[_unordered(row) for row in result.rows] for result in (gold, pred)]
    if sides[0] != sides[1] if ordered else set(sides[0]) != set(sides[1]):
        return False
    wanted = list(gold.rows) if ordered else Counter(gold.rows)
    for order in islice(_orders(gold.rows, pred.rows), MAX_PERMUTATIONS):
        turned = [tuple(row[i] for i in order) for row in pred.rows]
        if wanted == (turned if ordered else Counter(turned)):
            return True
    return False


def _unordered(row: Row) -> Row:
    """A row sorted as ``unorder_row`` sorts it: by text and type, which parts 1 from 1.0 beside a text."""
    return tuple(sorted(row, key=lambda cell: str(cell) + str(type(cell))))


def _orders(gold: Sequence[Row], pred: Sequence[Row]) -> Iterator[tuple[int, ...]]:
    """The permutations of the prediction's columns that give each gold column its bag of values."""
    width = len(gold[0])
    pred_bags = [Counter(row[i] for row in pred) for i in range(width)]
    fits = [
        [j for j in range(width) if pred_bags[j] == Counter(row[i] for row in gold)] for i in range(width)
    ]

    def extend(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == width:
            yield chosen
            return
        for j in fits[len(chosen)]:
            if j not in chosen:
                yield from extend((*chosen, j))

    return extend(())


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
    for name, column in zip(result.names, shown, strict=True):
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


_SPLIT = (("> =", ">="), ("< =", "<="), ("! =", "!="))
_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)


def prepared_for_spider(sql: str, *, keep_distinct: bool) -> str:
    """A query as Spider's tool runs it: split operators joined, DISTINCT out, the current year 2020."""
    for split, whole in _SPLIT:
        sql = sql.replace(split, whole)
    return _YEAR.sub("2020", sql if keep_distinct else without_distinct(sql))


def without_distinct(sql: str) -> str:
    """A text without its DISTINCT keywords; a quoted name or a string stays."""
    found = [t for t in tokens(sql) if t.kind is Kind.NAME and t.word == "DISTINCT"]
    for token in reversed(found):
        sql = sql[: token.start] + sql[token.end :]
    return sql


def is_ordered_for_spider(gold: str) -> bool:
    """Whether order counts: ORDER BY stands in the text, be it in a subquery."""
    return "order by" in gold.lower()


def executed(
    db_id: str, pred: str, gold: str, how: tuple[bool, Sequence[str]] = (True, EX_METRICS)
) -> dict[str, bool | None]:
    """What some EX metrics say of a pair, inside a worker process; None: it could not be measured.

    A prediction that fails, or takes too long, is wrong, as every tool has it; nothing is
    measured without a database or where the gold query fails.

    Args:
        db_id: the database.
        pred: the prediction.
        gold: the gold query.
        how: whether DISTINCT counts for ``ex-spider``, and which metrics.
    """
    keep_distinct, names = how
    setting = WORKER.settings[db_id]
    path, dialect = setting.place.database, setting.dialect
    if path is None:
        return dict.fromkeys(names)
    found = on_file(dialect, path, pred, gold) if set(names) - {"ex-spider"} else None
    scores: dict[str, bool | None] = {}
    for name in names:
        if name == "ex-spider":
            scores[name] = _in_folder(dialect, path, db_id, pred, gold, keep_distinct=keep_distinct)
        elif found is not None:
            scores[name] = _score(found, as_rose if name == "ex-rose" else as_bird)
    return scores


Answers = tuple[Result | Failure, Result | Failure]


def on_file(dialect: Dialect, path: Path, pred: str, gold: str, limits: Limits = LIMITS) -> Answers:
    """What both queries return on a database file, inside a worker process."""
    with dialect.engine.open(path) as database:
        return database.run(pred, limits), database.run(gold, limits)


def _score(answers: Answers, same: Callable[[Result, Result], bool]) -> bool | None:
    match answers:
        case Result() as pred, Result() as gold:
            return same(pred, gold)
        case Failure(), Result():
            return False
    return None


def _in_folder(
    dialect: Dialect, path: Path, db_id: str, pred: str, gold: str, *, keep_distinct: bool
) -> bool | None:
    """Spider's metric on the files of a test suite: those beside a file in the folder of its database."""
    pred, gold = (prepared_for_spider(sql, keep_distinct=keep_distinct) for sql in (pred, gold))
    ordered = is_ordered_for_spider(gold)
    files = sorted(path.parent.glob("*.sqlite")) if path.parent.name == db_id else [path]
    known = [
        _score(on_file(dialect, file, pred, gold), partial(as_spider, ordered=ordered))
        for file in (files or [path])
    ]
    return None if None in known else all(known)


def executed_on_any(db_id: str, pred: str, golds: Sequence[str], metric: str) -> bool | None:
    """What one EX metric says of a prediction that may meet any gold query, inside a worker process.

    None where nothing can be measured: without a database, or if no gold query runs.
    """
    setting = WORKER.settings[db_id]
    path = setting.place.database
    if path is None:
        return None
    found = [_one(setting, path, pred, gold, metric) for gold in golds]
    known = [score for score in found if score is not None]
    return any(known) if known else None


def _one(setting: Setting, path: Path, pred: str, gold: str, metric: str) -> bool | None:
    if metric == "ex-spider":
        name = setting.place.name
        return _in_folder(setting.dialect, path, name, pred, gold, keep_distinct=True)
    return _score(on_file(setting.dialect, path, pred, gold), as_rose if metric == "ex-rose" else as_bird)
