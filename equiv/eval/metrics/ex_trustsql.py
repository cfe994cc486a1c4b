"""Execution accuracy as TrustSQL's official script has it, on its three databases of one domain each.

Source: TrustSQL (arXiv 2403.15879), ``scoring_utils.py`` and ``postprocess_abstention.py`` of its repository.
The clock stands at the end of 2100, numbers count to three digits, and the first hundred rows of the sorted
results are compared.  Its questions on Spider are compared as ``ex-spider --no-distinct`` has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from equiv.cells import Cell
from equiv.core.lexer import GrammarError, Kind, tokens
from equiv.core.runner import Failure, Result
from equiv.eval.metrics.metric import Answers, Asked, Metric, Needs

DATE, TIME = "2100-12-31", "23:59:00"
NOW = f"'{DATE} {TIME}'"
CLINICAL = "mimic_iv"
DATABASES = frozenset({"atis", "advising", CLINICAL})

ROWS = 100
DIGITS = 3

CLOCK: Mapping[str, str] = {
    "current_time": NOW,
    "'now'": NOW,
    "NOW()": NOW,
    "CURDATE()": f"'{DATE}'",
    "CURTIME()": f"'{TIME}'",
}
"""What stands for the present, and what it is; in the gold query ``current_time`` alone."""

FORMATS: Mapping[str, str] = {"%y": "%Y", "%j": "%J"}

VITALS: Mapping[str, tuple[float, float]] = {
    "temperature": (35.5, 38.1),
    "sao2": (95.0, 100.0),
    "heart_rate": (60.0, 100.0),
    "respiration": (12.0, 18.0),
    "systolic_bp": (90.0, 120.0),
    "diastolic_bp": (60.0, 90.0),
    "mean_bp": (60.0, 110.0),
}
"""The normal range of each vital sign, which its questions write as ``name_lower`` and ``name_upper``."""

_ANY = re.compile(r"\bcount\s*\([^()]*\)\s*>\s*0\s*from\b")
_YES_NO: Mapping[str, str] = {"N": "0", "No": "0", "Y": "1", "Yes": "1"}

Rows = list[list[str]]


def prepared(sql: str, db_id: str, *, is_gold: bool) -> str:
    """A query as the script runs it: its clock and the bounds of vital signs written out."""
    if db_id != CLINICAL:
        return sql
    for name, value in CLOCK.items():
        if not is_gold or name == "current_time":
            sql = sql.replace(name, value)
    for vital, bounds in VITALS.items():
        for side, bound in zip(("lower", "upper"), bounds, strict=True):
            sql = sql.replace(f"{vital}_{side}", str(bound))
    for written, meant in FORMATS.items():
        sql = sql.replace(written, meant)
    return sql


def with_distinct(pred: str, gold: str) -> str:
    """The prediction with DISTINCT after its first word, if that is so of the gold query alone."""
    try:
        first = [[t for t in tokens(sql) if t.kind is Kind.NAME][:2] for sql in (pred, gold)]
    except GrammarError:
        return pred
    (pred_words, gold_words) = ([token.word for token in own] for own in first)
    if gold_words[1:] != ["DISTINCT"] or pred_words[:1] != ["SELECT"] or pred_words[1:] == ["DISTINCT"]:
        return pred
    end = first[0][0].end
    return f"{pred[:end]} DISTINCT{pred[end:]}"


def shown(result: Result, db_id: str) -> Rows:
    """The first rows of a sorted result, as texts."""
    return sorted([_cell(cell, db_id) for cell in row] for row in result.rows)[:ROWS]


def _cell(cell: Cell, db_id: str) -> str:
    text = _YES_NO.get(cell, cell) if db_id == "advising" and isinstance(cell, str) else cell
    try:
        return str(round(float(text), DIGITS))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return str(text)


def counted(pred: Rows, gold_sql: str) -> Rows:
    """The prediction's rows where the gold query counts: no row is 0, and where it asks for any, 1 or 0."""
    text = gold_sql.lower()
    if "count" in text and not pred:
        return [["0.0"]]
    if not _ANY.search(text):
        return pred
    found = sorted({cell for row in pred for cell in row})
    if found == ["None"]:
        return [["0.0"]]
    return [found] if found in (["0.0"], ["1.0"]) else [[f"{len(found)}.0"]]


def same(answers: Answers, db_id: str, gold_sql: str) -> bool | None:
    """Whether two results are equal as the script has it; None where the gold query fails."""
    match answers:
        case Result() as pred, Result() as gold:
            return counted(shown(pred, db_id), gold_sql) == shown(gold, db_id)
        case Failure(), Result():
            return False
    return None


def score(asked: Asked) -> bool | None:
    """TrustSQL's execution accuracy of a pair; None on other databases."""
    if asked.db_id not in DATABASES:
        return None
    gold = prepared(asked.gold, asked.db_id, is_gold=True)
    pred = with_distinct(prepared(asked.pred, asked.db_id, is_gold=False), gold)
    return same(asked.answers_on(asked.database, pred, gold), asked.db_id, gold)


EX_TRUSTSQL = Metric(
    name="ex-trustsql",
    needs=Needs.DATABASE,
    meaning="the same first 100 sorted rows, numbers to three digits, at a pinned time",
    source="TrustSQL, arXiv 2403.15879; `scoring_utils.py`",
    score=score,
    databases=DATABASES,
)
