"""The judge's part of an evaluation: scores for the records that the engine's verdicts leave open.

A cascade says who is asked about a case, in which order, and what follows for its score.  Threads take steps
that lead to further steps, and their records are gathered in one place.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, Protocol, Self

from equiv.errors import InputError
from equiv.eval.questions import QuestionId, QuestionRecords, question_of
from equiv.eval.worker import SideWorker
from equiv.graphs import classes_of
from equiv.judge.case import (
    Case,
    Judgement,
    NoAnswer,
    OutOfBudget,
    ProverReply,
    RefuterReply,
    Reply,
    Responder,
    Role,
    Standard,
    Variant,
)
from equiv.judge.describe import Descriptions, DescriptionSource
from equiv.judge.judging_terms import (
    NOTHING_KNOWN,
    Contradiction,
    Saving,
    Terms,
    answer_of,
    class_name,
    contradictions,
    is_overruled,
)
from equiv.judge.prompt import request
from equiv.judge.scoring import Meter, case_of, scored, scored_as, scored_by_triage
from equiv.judge.triage.decide import Triage
from equiv.records.record import Record
from equiv.verdict import Reason
from equiv.workers.lanes import first_done


def judge_case(
    case: Case,
    responder: Responder,
    *,
    variant: Variant,
    model: str,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
    accept_equal: bool = False,
) -> Judgement:
    """The judgement of a case: score 1 if the last word upholds the prediction.

    A prediction that cannot be run scores 0 without a call.  With
    ``accept_equal`` equal results score 1 without one, whatever the variant.
    No usable reply, or an allowance that runs out, leaves the score open.
    """
    settled = Judgement(score=None, score_by="", equality_from=case.equality_from)
    if case.failure:
        return replace(settled, score=0, score_by="parse", detail=case.failure)
    if accept_equal and case.results_equal:
        return replace(settled, score=1, score_by="execution")
    court = _Court(case, responder, variant, model, witness_evidence, standard)
    if variant is Variant.ROSE and case.results_equal:
        return court.refute(settled)
    return court.prove(settled)


@dataclass(frozen=True, slots=True)
class _Court:
    """One case before one responder."""

    case: Case
    responder: Responder
    variant: Variant
    model: str
    witness_evidence: bool
    standard: Standard

    def prove(self, sofar: Judgement) -> Judgement:
        """Ask the Prover whether the prediction answers the question; it never sees the gold query.

        If it passes and the variant has a Refuter, that is asked next.  The variants ``pr`` and ``pr-wogt``
        put the whole judgement into this one call; ``pr`` shows the gold query by its definition.
        """
        sofar, reply = self._ask(Role.PROVER, sofar)
        match reply:
            case ProverReply(verdict=verdict):
                sofar = replace(sofar, prover=reply)
                if verdict and self.variant in {Variant.ROSE, Variant.WOGT}:
                    return self.refute(sofar)
                return replace(sofar, score=1 if verdict else 0, score_by="prover")
        return _unanswered(sofar, "Prover", reply)

    def refute(self, sofar: Judgement) -> Judgement:
        """Ask the Refuter whether the pass is to be withdrawn: its word is the last.

        Where equal results gave the pass, it is shown no reply of the Prover.
        """
        sofar, reply = self._ask(Role.REFUTER, sofar)
        match reply:
            case RefuterReply(overturn=overturn):
                return replace(sofar, refuter=reply, score=0 if overturn else 1, score_by="refuter")
        return _unanswered(sofar, "Refuter", reply)

    def _ask(self, role: Role, sofar: Judgement) -> tuple[Judgement, Reply | None]:
        """The judgement with what a call cost, and the reply; None where the allowance does not cover it."""
        ask = request(
            self.case,
            role,
            self.variant,
            self.model,
            prover=sofar.prover,
            witness_evidence=self.witness_evidence,
            standard=self.standard,
        )
        try:
            answer = self.responder.ask(ask)
        except OutOfBudget as error:
            return replace(sofar, reason=Reason.BUDGET, detail=str(error)), None
        return replace(sofar, usage=sofar.usage + answer.usage), answer.reply


def _unanswered(sofar: Judgement, who: str, reply: Reply | None) -> Judgement:
    """The judgement left open, for want of a usable reply if it is not open already."""
    if reply is None:
        return sofar
    why = reply.detail if isinstance(reply, NoAnswer) else "a reply of the other role"
    return replace(sofar, reason=Reason.NO_ANSWER, detail=f"{who}: {why}")


WAITING_PER_THREAD = 4
"""Steps begun for each thread before no further question is taken in."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step: finished records, and the steps that follow."""

    records: Sequence[Record]
    next: Sequence[Callable[[], StepResult]] = ()


class Pool:
    """Performs steps; leaving it drops those not begun, and waits for the others' calls under way."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._executor = ThreadPoolExecutor(threads, "judge")
        self._under_way: set[Future[StepResult]] = set()
        self.stopped = threading.Event()
        """Set when nothing new is to be asked."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stopped.set()
        self._executor.shutdown(cancel_futures=True)

    def start(self, step: Callable[[], StepResult]) -> None:
        """Perform a step as soon as a thread is free."""
        self._under_way.add(self._executor.submit(step))

    def finished(self, *, all_of_them: bool) -> Iterator[Record]:
        """The records that are finished; waits while too many steps, or any of them, are under way.

        Raises:
            InputError: as the steps raise.
        """
        most = 0 if all_of_them else self._threads * WAITING_PER_THREAD
        while self._under_way:
            patience = None if len(self._under_way) > most else 0
            done, self._under_way = first_done(self._under_way, patience)
            if not done:
                return
            for future in done:
                step = future.result()
                for following in step.next:
                    self.start(following)
                yield from step.records


JUDGED = frozenset({"prover", "refuter", "cache", "class"})
"""``score_by`` of the records whose score is a judge's word."""


class KnowsEquality(Protocol):
    """A record that knows whether results were equal when it was made."""

    def results_equal(self, case: Case) -> tuple[bool | None, Literal["record", "ex_score", ""]]:
        """Whether they were, and what says so."""
        ...


@dataclass(frozen=True, slots=True)
class _Due:
    """A record as it came, the same under the judge's key and terms, and its case."""

    came: Record
    record: Record
    case: Case

    def named(self, name: str) -> _Due:
        """The same, its class written down."""
        return replace(self, record={**self.record, "judge": {**self.record["judge"], "class": name}})


class _Class(NamedTuple):
    """Members of one class that are to be judged, and those that were."""

    members: tuple[_Due, ...]
    before: tuple[Record, ...]


class Stage:
    """Gives records their scores under some terms, by a responder.

    Args:
        terms: how it judges.
        responder: who is asked.
        threads: how many cases are judged at a time.
        gold_faults: gold queries known to be faulty, and why.
        knows: what says whether results are equal where no database does.
        descriptions: what is said of columns.
        triage: what scores by probability; used if the terms have that saving.
        rehearse: ask, but leave the records as they are.
    """

    def __init__(
        self,
        terms: Terms,
        responder: Responder,
        *,
        threads: int = 8,
        gold_faults: Mapping[QuestionId, str] | None = None,
        knows: KnowsEquality | None = None,
        descriptions: Descriptions | None = None,
        triage: Triage | None = None,
        rehearse: bool = False,
    ) -> None:
        self.terms = terms
        self._responder = responder
        self._threads = threads
        self._gold_faults = gold_faults or {} if Saving.GOLD in terms.savings else {}
        self._knows = knows
        self._descriptions = descriptions or Descriptions(DescriptionSource())
        self._triage = triage if Saving.TRIAGE in terms.savings else None
        self._rehearse = rehearse
        self.contradictions: list[Contradiction] = []
        """Classes that turned out to hold members judged differently before."""
        self.accepted: list[bool] = []
        """For each pair accepted for equal results, whether a database distinguishes its queries."""
        self._digest = terms.digest()

    def key(self, key: str) -> str:
        """The key of a judged record, by that of the record without a judge."""
        return hashlib.sha256(f"{key} {self._digest}".encode()).hexdigest()

    def scored(self, questions: Iterator[QuestionRecords | None], aside: SideWorker) -> Generator[Record]:
        """The records with their scores, in the order in which they are finished, not of the questions.

        Raises:
            InputError: the judge cannot be asked at all.
        """
        with Pool(self._threads) as pool:
            for question in questions:
                if question is not None:
                    pool.start(partial(self._begin, question, aside, pool))
                yield from pool.finished(all_of_them=False)
            yield from pool.finished(all_of_them=True)

    def _begin(self, question: QuestionRecords, aside: SideWorker, pool: Pool) -> StepResult:
        """Score what needs no call; the rest, by class, is what is to be done next."""
        done: list[Record] = []
        due: list[_Due] = []
        for record in question.records:
            if self._is_scored_by_verdict(record):
                done.append(self._given(record, self._marked(record)))
                continue
            one = self._due(record, aside)
            if (settled := self._without_a_call(one, pool)) is not None:
                done.append(self._given(record, settled))
            else:
                due.append(one)
        classes = self._classes(due, question, aside)
        return StepResult(done, [partial(self._judge_class, *members, pool) for members in classes])

    def _due(self, record: Record, aside: SideWorker) -> _Due:
        case, marked = self._case(record, aside), self._marked(record)
        known: Record = {"equality": case.equality_from or None, "equal": case.results_equal}
        if self._triage is not None and not case.failure:
            known["probability"] = self._triage.probability(record, case.results_equal)
        return _Due(record, {**marked, "judge": {**marked["judge"], **known}}, case)

    def _without_a_call(self, one: _Due, pool: Pool) -> Record | None:
        """The record with the score that a failure, equal results or triage give; None without any."""
        if one.case.failure or self._accepts_equal(one.case):
            judged = self._judge(one, pool)
            if judged["score_by"] == "execution":
                self.accepted.append(is_overruled(judged))
            return judged
        if self._triage is not None:
            score = self._triage.score(one.record["judge"]["probability"])
            return scored_by_triage(one.record, score) if score is not None else None
        return None

    def _given(self, came: Record, judged: Record) -> Record:
        return came if self._rehearse else judged

    def _marked(self, record: Record) -> Record:
        """The record under the judge's key and terms."""
        judge = {**self.terms.described(), **NOTHING_KNOWN}
        return {**record, "key": self.key(record["key"]), "judge": judge}

    def _is_scored_by_verdict(self, record: Record) -> bool:
        """Whether the verdict says it all; that the queries differ does not: the prediction may be right."""
        match record["verdict"]:
            case "invalid":
                return True
            case "equivalent":
                return Saving.PROOF in self.terms.savings
            case "undecided" if record["score_by"] == "bounded":
                return True
        return bool(record["reason"] == Reason.GOLD_INVALID)

    def _accepts_equal(self, case: Case) -> bool:
        """Whether equal results are enough; where recorded scores are asked for, they alone count."""
        return (
            Saving.EXECUTION in self.terms.savings
            and case.results_equal is True
            and (case.equality_from, self.terms.settings.get("equality")) != ("record", "ex_score")
        )

    def _case(self, record: Record, aside: SideWorker) -> Case:
        db_id = record["db_id"]
        standard = self.terms.standard
        found = aside.results(db_id, record["predicted_sql"], record["gold_sql"], standard.relation)
        case = case_of(
            record,
            aside.ddl(db_id),
            found,
            gold_fault=self._gold_faults.get(question_of(record), ""),
            descriptions=self._descriptions.of(db_id),
            rows=standard.rows,
            engines=aside.engines(db_id),
        )
        if case.results_equal is None and not case.failure and self._knows is not None:
            equal, source = self._knows.results_equal(case)
            case = replace(case, results_equal=equal, equality_from=source)
        return case

    def _classes(self, due: Sequence[_Due], question: QuestionRecords, aside: SideWorker) -> list[_Class]:
        """What is due, by class, each with its members that were judged before."""
        if Saving.CLASSES not in self.terms.savings or not due:
            return [_Class((one,), ()) for one in due]
        before = [record for record in question.scored if record["score_by"] in JUDGED]
        records = [*before, *(one.record for one in due)]
        proves_same = partial(aside.proves_same, due[0].case.db_id, due[0].case.gold_sql)

        def same(one: int, other: int) -> bool:
            return proves_same(records[one]["predicted_sql"], records[other]["predicted_sql"])

        found = []
        for places in classes_of(same, range(len(records))):
            first = records[places[0]]
            name = first["judge"]["class"] or class_name(first)
            members = [due[place - len(before)] for place in places if place >= len(before)]
            known = tuple(before[place] for place in places if place < len(before))
            self.contradictions += contradictions([known])
            if members:
                found.append(_Class(tuple(one.named(name) for one in members), known))
        return found

    def _judge_class(self, members: Sequence[_Due], before: Sequence[Record], pool: Pool) -> StepResult:
        """The members with one answer: that of those judged before, else the first that one of them gets."""
        answer = answer_of(before)
        done = []
        for member in members:
            if answer is None:
                judged = self._judge(member, pool)
                answer = answer_of([judged])
            else:
                judged = scored_as(member.record, answer)
            done.append(self._given(member.came, judged))
        return StepResult(done)

    def _judge(self, due: _Due, pool: Pool) -> Record:
        meter = Meter(self._responder, pool.stopped)
        terms = self.terms
        try:
            judgement = judge_case(
                due.case,
                meter,
                variant=terms.variant,
                model=terms.model,
                witness_evidence=terms.witness_evidence,
                standard=terms.standard,
                accept_equal=self._accepts_equal(due.case),
            )
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - a pair must always end with a record
            detail = " ".join(f"{type(error).__name__}: {error}".split())
            judgement = Judgement(None, "", reason=Reason.INTERNAL, detail=detail)
        return scored(due.record, judgement, meter.calls)
