"""Published judgements as a responder: the cascade replayed without a model.

Two forms of JSON lines are read.  *Judgements* name a judge model and a run
(``{model, metric, question_id, score, prover, refuter}``), several of each in
one file; a metric without replies gives scores only.  *Pairs* carry the
replies of one run inside each pair (``{method, question_id, gold_sql,
predicted_sql, rose_score, ex_score, prover, refuter}``).  In both, the
Refuter's ``verdict`` is true if it overturns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from equiv.errors import InputError
from equiv.files import json_lines, read_text
from equiv.judge.case import (
    BASELINES,
    Answer,
    Ask,
    Case,
    NoAnswer,
    ProverReply,
    RefuterReply,
    Reply,
    Role,
    Usage,
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recorded judgement of one prediction; fields are None where nothing is recorded."""

    score: float | None
    prover: Reply | None
    refuter: Reply | None
    ex_score: float | None


def recorded(line: Mapping[str, Any], score_name: str, ex_score: object) -> Recorded:
    """The judgement on a line; a reply without a verdict is a NoAnswer, a score that is not a number None."""
    score = _number(line.get(score_name))
    return Recorded(score, _prover(line["prover"]), _refuter(line["refuter"]), _number(ex_score))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _prover(reply: Any) -> Reply | None:
    match reply:
        case None:
            return None
        case {"verdict": bool(verdict)}:
            return ProverReply(
                verdict=verdict,
                reason=_text(reply.get("reason")),
                expected_answer=_text(reply.get("expected_answer")),
                sql_description=_text(reply.get("sql_description")),
                evidence=_text(reply.get("evidence")),
            )
        case _:
            return NoAnswer("the recorded reply has no verdict")


def _refuter(reply: Any) -> Reply | None:
    match reply:
        case None:
            return None
        case {"verdict": bool(verdict)}:
            gold_correct = reply.get("gold_correct")
            return RefuterReply(
                overturn=verdict,
                reason=_text(reply.get("judgement")),
                ambiguity=_ambiguity(reply.get("ambiguity")),
                gold_correct=gold_correct if isinstance(gold_correct, bool) else None,
            )
        case _:
            return NoAnswer("the recorded reply has no verdict")


def _ambiguity(label: object) -> Literal["question", "schema", "none", ""]:
    """Our label for a published one; of two, the first counts."""
    match label.partition(",")[0] if isinstance(label, str) else None:
        case "ambiguous question":
            return "question"
        case "ambiguous schema":
            return "schema"
        case "na":
            return "none"
        case _:
            return ""


def _text(value: object) -> str:
    """An explanation as text: some recorded ones are JSON values."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


Key = tuple[str, ...]
Equality = Literal["record", "ex_score"]


class Published:
    """One run of one judge, as published.

    Attributes:
        model: the judge's name, '' if the file does not say.
        run: the run's name, '' if the file does not say.
    """

    def __init__(
        self,
        records: Mapping[Key, Recorded | None],
        *,
        by_text: bool,
        model: str = "",
        run: str = "",
        equality: Equality = "record",
    ) -> None:
        """``records`` hold None where a key has several records that differ."""
        self.model = model
        self.run = run
        self._records = records
        self._by_text = by_text
        self._equality = equality
        self._scores_only = not any(
            record and (record.prover or record.refuter) for record in records.values()
        )
        self._cascade = any(record and record.refuter for record in records.values())

    def ask(self, ask: Ask) -> Answer:
        """The recorded reply of the role, at the price of the one call that it was."""
        key = self._key(ask.case)
        record = self._records.get(key)
        if record is None:
            why = "several recorded replies differ" if key in self._records else "not in the record"
            return Answer(NoAnswer(why), source="replay")
        reply = record.prover if ask.role is Role.PROVER else record.refuter
        if reply is None and self._scores_only and ask.variant in BASELINES:
            reply = _from_score(record.score)
        if reply is None:
            return Answer(NoAnswer(f"no {ask.role} reply in the record"), source="replay")
        return Answer(reply, Usage(calls=1), source="replay")

    def results_equal(self, case: Case) -> tuple[bool | None, Literal["record", "ex_score", ""]]:
        """Whether the results were equal when the run was made, and what says so.

        In a run of the cascade a Refuter reply without a Prover reply says
        that they were, a Prover reply that they were not.  The recorded
        execution accuracy is asked where the run says nothing; if the reader
        prefers it, wherever it says that they were.
        """
        record = self._records.get(self._key(case))
        if record is None:
            return None, ""
        by_score = None if record.ex_score is None else record.ex_score == 1
        if by_score and self._equality == "ex_score":
            return True, "ex_score"
        if self._cascade and (record.prover or record.refuter):
            return record.prover is None, "record"
        return (None, "") if by_score is None else (by_score, "ex_score")

    def score(self, case: Case) -> float | None:
        """The published score."""
        record = self._records.get(self._key(case))
        return record.score if record else None

    def _key(self, case: Case) -> Key:
        number = json.dumps(case.question_id)
        return (case.source, number, case.gold_sql, case.pred_sql) if self._by_text else (number,)


def published_runs(path: Path) -> tuple[tuple[str, str], ...]:
    """The (model, run) pairs of a file of judgements that have replies, in file order.

    Raises:
        InputError: the file cannot be read or has another form.
    """
    form, lines = _read(path)
    return tuple(_runs(lines)) if form == "judgements" else ()


def read_published(
    path: Path, *, model: str = "", run: str = "ROSE", equality: Equality = "record"
) -> Published:
    """The replies of one run.

    Of a file of judgements a judge model must be named if several have that
    run; a file of pairs holds one run and names neither model nor run.

    Raises:
        InputError: the file cannot be read, has another form, or has no
            replies of that model and run.
    """
    form, lines = _read(path)
    if form == "pairs":
        records = _once(
            (_pair_key(line), recorded(line, "rose_score", line.get("ex_score"))) for line in lines
        )
        return Published(records, by_text=True, model=model, equality=equality)
    chosen = _model_of(path, lines, model, run)
    ex_scores = {_id(line): line["score"] for line in lines if line["metric"] == "EX"}
    records = _once(
        ((_id(line),), recorded(line, "score", ex_scores.get(_id(line))))
        for line in lines
        if (line["model"], line["metric"]) == (chosen, run)
    )
    return Published(records, by_text=False, model=chosen, run=run, equality=equality)


def _from_score(score: float | None) -> Reply | None:
    """The reply of a judge of one call of which the score alone is recorded."""
    return None if score is None else ProverReply(verdict=score == 1, reason="the recorded score")


def _read(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The form of a file and its lines, all of that form."""
    numbered = list(json_lines(path, read_text(path)))
    form = _form(numbered[0][1]) if numbered else None
    if form is None:
        raise InputError(f"{path}: not a file of published judgements")
    for number, line in numbered:
        if _form(line) != form:
            raise InputError(f"{path}:{number}: not of the form of the first line")
    return form, [line for _, line in numbered]


def _form(line: object) -> Literal["judgements", "pairs"] | None:
    match line:
        case {"question_id": _, "prover": _, "refuter": _, "model": str(), "metric": str(), "score": _}:
            return "judgements"
        case {
            "question_id": _,
            "prover": _,
            "refuter": _,
            "method": str(),
            "gold_sql": str(),
            "predicted_sql": str(),
        }:
            return "pairs"
        case _:
            return None


def _runs(lines: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], None]:
    return {(line["model"], line["metric"]): None for line in lines if line["prover"] or line["refuter"]}


def _model_of(path: Path, lines: list[dict[str, Any]], model: str, run: str) -> str:
    runs = _runs(lines)
    if all(metric != run for _, metric in runs):  # a run of scores alone
        runs |= {(line["model"], line["metric"]): None for line in lines if line["metric"] == run}
    models = [name for name, metric in runs if metric == run]
    if not models:
        names = ", ".join(dict.fromkeys(metric for _, metric in runs)) or "none"
        raise InputError(f"{path}: no run {run!r} with replies; runs with replies: {names}")
    if model in models:
        return model
    if not model and len(models) == 1:
        return models[0]
    wanted = f"no judge model {model!r}" if model else "several judge models"
    raise InputError(f"{path}: run {run!r} has {wanted}; choose one of {', '.join(models)}")


def _once(entries: Iterable[tuple[Key, Recorded]]) -> dict[Key, Recorded | None]:
    """Records by key; None for a key whose records differ."""
    found: dict[Key, Recorded | None] = {}
    for key, record in entries:
        found[key] = record if found.get(key, record) == record else None
    return found


def _id(line: Mapping[str, Any]) -> str:
    return json.dumps(line["question_id"])


def _pair_key(line: Mapping[str, Any]) -> Key:
    return (line["method"], _id(line), line["gold_sql"], line["predicted_sql"])
