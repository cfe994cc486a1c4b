"""Execution accuracy (EX): results compared as BIRD, Spider and ROSE compare them.

The comparisons of execution accuracy are not the relations of this project: cells compare exactly as the
published tool has it, defects included, so that its published figures are what one gets.

BIRD: arXiv 2305.03111, section 4; ``evaluation_ex.py`` of mini-dev.

Spider's test suites: arXiv 2010.02840, section 2; ``exec_eval.py``: equal bags under some permutation of
columns, lists where the text of the gold query has ORDER BY anywhere, on every database file of the folder.
DISTINCT can be taken out of both queries first, as that tool does unless told otherwise; its
``--plug_value`` is not reproduced.

The cascade of ROSE: arXiv 2604.12988, section 4; ``compare_result`` of its ``evaluators/utils.py``: equal
shapes, and the exclusive or of the hashes of all cells as text. Rows may be torn apart, and a text that
occurs an even number of times does not count.

By partial credit a query that returns a superset or a subset of the required columns is not worth nothing.
Source: NL2SQLBench (appendix A.6, "partial credit scoring (rewarding queries that return a superset or
subset of required columns)"), which gives no formula.  Ours: where the columns of the narrower result are,
one to one and in any order, columns of the wider one, such that both results are the same set of rows on
them, the credit is the number of these columns over that of the wider result; else it is 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice

from equiv.cells import Cell, Row
from equiv.core.lexer import TokenKind, tokens
from equiv.core.runner import Failure, Result
from equiv.eval.metrics.metric import Metric, MetricPair, Needs, same_results
from equiv.eval.metrics.scores import PairId, grouped, pair_of
from equiv.eval.worker import WORKER
from equiv.graphs import perfect_matchings
from equiv.records.record import Record
from equiv.show.page import Grid


def as_bird(pred: Result, gold: Result) -> bool:
    """``set(predicted) == set(gold)``, as BIRD has it; two empty results are equal whatever their columns."""
    return set(pred.rows) == set(gold.rows)


EX_BIRD = Metric(
    name="ex-bird",
    needs=Needs.DATABASE,
    meaning="both queries return the same set of rows on the given database",
    source="BIRD, arXiv 2305.03111, section 4; `evaluation_ex.py`",
    score=lambda asked: same_results(asked.answers, as_bird),
    leads=True,
    across=True,
    relation="bird",
)


MAX_PERMUTATIONS = 5_000
"""Where the tool would try more, it hangs; here they are different."""


def as_spider(pred: Result, gold: Result, *, ordered: bool) -> bool:
    """Whether some permutation of columns makes the rows equal, as Spider's ``result_eq`` has it."""
    if not pred.rows and not gold.rows:
        return True
    if len(pred.rows) != len(gold.rows) or pred.columns != gold.columns:
        return False
    # As ``unorder_row`` sorts a row: by text and type, which parts 1 from 1.0 beside a text.
    sides = [
        [tuple(sorted(row, key=lambda cell: str(cell) + str(type(cell)))) for row in result.rows]
        for result in (gold, pred)
    ]
    if sides[0] != sides[1] if ordered else set(sides[0]) != set(sides[1]):
        return False
    wanted = list(gold.rows) if ordered else Counter(gold.rows)
    for order in islice(_orders(gold.rows, pred.rows), MAX_PERMUTATIONS):
        turned = [tuple(row[i] for i in order) for row in pred.rows]
        if wanted == (turned if ordered else Counter(turned)):
            return True
    return False


def _orders(gold: Sequence[Row], pred: Sequence[Row]) -> Iterator[tuple[int, ...]]:
    """The permutations of the prediction's columns that give each gold column its bag of values."""
    width = len(gold[0])
    pred_bags = [Counter(row[i] for row in pred) for i in range(width)]
    gold_bags = [Counter(row[i] for row in gold) for i in range(width)]
    return perfect_matchings([[j for j in range(width) if pred_bags[j] == bag] for bag in gold_bags])


_SPLIT = (("> =", ">="), ("< =", "<="), ("! =", "!="))
_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)


def prepared_for_spider(sql: str, *, keep_distinct: bool) -> str:
    """A query as Spider's tool runs it: split operators joined, DISTINCT out, the current year 2020."""
    for split, whole in _SPLIT:
        sql = sql.replace(split, whole)
    return _YEAR.sub("2020", sql if keep_distinct else without_distinct(sql))


def without_distinct(sql: str) -> str:
    """A text without its DISTINCT keywords; a quoted name or a string stays."""
    found = [t for t in tokens(sql) if t.kind is TokenKind.NAME and t.word == "DISTINCT"]
    for token in reversed(found):
        sql = sql[: token.start] + sql[token.end :]
    return sql


def is_ordered_for_spider(gold: str) -> bool:
    """Whether order counts: ORDER BY stands in the text, be it in a subquery."""
    return "order by" in gold.lower()


def score_ex_spider(asked: MetricPair) -> bool | None:
    """Spider's execution accuracy of a pair, on the files of a test suite: those in the database's folder."""
    keep_distinct = asked.switches.distinct
    pred, gold = (prepared_for_spider(sql, keep_distinct=keep_distinct) for sql in (asked.pred, asked.gold))
    same = partial(as_spider, ordered=is_ordered_for_spider(gold))
    path = asked.database
    files = sorted(path.parent.glob(f"*{path.suffix}")) if path.parent.name == asked.db_id else []
    known = [same_results(asked.answers_on(file, pred, gold), same) for file in (files or [path])]
    return None if None in known else all(known)


EX_SPIDER = Metric(
    name="ex-spider",
    needs=Needs.DATABASE,
    meaning="the same bag (the same list where the gold text has ORDER BY) under some permutation of columns,"
    " on every file of the database's folder",
    source="Spider's test suites, arXiv 2010.02840, section 2; `exec_eval.py`",
    score=score_ex_spider,
    heeds=frozenset({"distinct"}),
    leads=True,
    across=True,
    relation="spider",
)


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


EX_ROSE = Metric(
    name="ex-rose",
    needs=Needs.DATABASE,
    meaning="what ROSE's cascade counts as equal results: shapes, and an exclusive or over cells as text",
    source="ROSE, section 4; `compare_result`",
    score=lambda asked: same_results(asked.answers, as_rose),
    leads=True,
    across=True,
    relation="rose",
)


NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Credit:
    """The credit of a prediction, and the reason for it."""

    value: Fraction
    kind: str
    """``same``, ``superset``, ``subset`` or ``none``."""


def credit(pred: Result, gold: Result) -> Credit:
    """The credit of a result against the gold result."""
    narrow, wide = sorted((pred, gold), key=lambda result: result.columns)
    if not any(
        set(narrow.rows) == {tuple(row[j] for j in chosen) for row in wide.rows}
        for chosen in _choices(narrow, wide)
    ):
        return Credit(NOTHING, "none")
    value = Fraction(narrow.columns, wide.columns)
    if pred.columns == gold.columns:
        return Credit(value, "same")
    return Credit(value, "superset" if pred.columns > gold.columns else "subset")


def _choices(narrow: Result, wide: Result) -> Iterator[tuple[int, ...]]:
    """For each column of the narrow result one of the wide result with the same values, all different."""
    values = [{row[i] for row in wide.rows} for i in range(wide.columns)]
    wanted = [{row[i] for row in narrow.rows} for i in range(narrow.columns)]
    fits = [[j for j in range(wide.columns) if values[j] == own] for own in wanted]
    return islice(perfect_matchings(fits), MAX_PERMUTATIONS)


def credited(db_id: str, pred: str, golds: Sequence[str]) -> Credit | None:
    """The best credit of a prediction against its gold queries, computed inside a worker process.

    A prediction that fails gets credit 0; None without a database, or where no gold query runs.
    """
    if WORKER.settings[db_id].place.database is None:
        return None
    best = None
    for gold in golds:
        match MetricPair(db_id, pred, gold).answers:
            case Result() as ours, Result() as theirs:
                found = credit(ours, theirs)
            case Failure(), Result():
                found = Credit(NOTHING, "none")
            case _:
                continue
        best = found if best is None or found.value > best.value else best
    return best


def credit_grid(records: Sequence[Record], measured: Mapping[PairId, Credit]) -> Grid:
    """The mean credit of each system over *all* its pairs, and how many pairs have which kind."""
    rows = []
    for name, own in grouped(records, "system").items():
        found = [measured.get(pair_of(record)) for record in own]
        known = [one for one in found if one is not None]
        mean = 100 * float(sum((one.value for one in known), NOTHING) / len(own))
        kinds = [sum(one.kind == kind for one in known) for kind in ("same", "superset", "subset", "none")]
        rows.append((name, str(len(own)), f"{mean:.1f}", *map(str, kinds), str(found.count(None))))
    columns = ("system", "pairs", "mean, %", "same", "superset", "subset", "none", "open")
    return Grid("partial credit by columns (NL2SQLBench, A.6)", columns, tuple(rows))
