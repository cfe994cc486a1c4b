"""From options to a stage: who is asked, through what, and on which terms.

Gold queries known to be faulty come from judged records, or from what ``equiv gold`` found. After a run it
is said what it cost, and what was taken on trust.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from equiv.errors import InputError
from equiv.eval.gold.finding import SIGNS, GoldFault, is_findings_file, question_of, read_findings
from equiv.eval.questions import QuestionId
from equiv.judge.asking.answers import Answering, Answers, file_digest, one_of
from equiv.judge.asking.budget import Budget
from equiv.judge.case import BASELINES, SQLITE, Engines, Role, Standard, Variant
from equiv.judge.describe import Descriptions, DescriptionSource
from equiv.judge.judging_terms import Contradiction, Saving, Terms, savings_named
from equiv.judge.options import ACCEPT, AUTO, OFF, REJECT, JudgeOptions
from equiv.judge.prompt import prompt_hash
from equiv.judge.report import gold_faults_in, read_judged
from equiv.judge.stage import Stage
from equiv.judge.triage.decide import SHIPPED, Triage, load_table
from equiv.records.record import Record

NO_FAULT = SIGNS | {GoldFault.UNSUPPORTED, GoldFault.UNSOLVED, GoldFault.OUTVOTED}
"""Findings that are not fault of the query, or a mere suspicion against it: the judge is not told."""


def read_gold_faults(path: Path) -> dict[QuestionId, str]:
    """The faulty gold queries of a file, and what is wrong with each.

    Raises:
        InputError: the file cannot be read, or holds neither findings nor judged records.
    """
    if is_findings_file(path):
        return faults_found(read_findings(path))
    return gold_faults_in(read_judged([path]))


def faults_found(findings: Iterable[Record]) -> dict[QuestionId, str]:
    """The findings on each gold query as one text."""
    told: dict[QuestionId, list[str]] = {}
    for finding in findings:
        if finding["kind"] not in NO_FAULT:
            told.setdefault(question_of(finding), []).append(f"{finding['kind']}: {finding['detail']}")
    return {question: "\n".join(dict.fromkeys(lines)) for question, lines in told.items()}


def spent(budget: Budget, *, priced: bool) -> str:
    """The cost of a run's calls in words: tokens, and dollars if their price is known."""
    used = budget.spent
    parts = [f"{used.calls:,} calls to the judge"]
    if used.prompt_tokens:
        parts.append(f"{used.prompt_tokens:,} prompt tokens ({used.cached_tokens:,} of them cached)")
        parts.append(f"{used.completion_tokens:,} completion tokens")
    if priced and budget.uncounted:
        parts.append(f"${budget.dollars:.4f} at most: the tokens of {budget.uncounted:,} were not counted")
    elif priced:
        parts.append(f"${budget.dollars:.4f}")
    return ", ".join(parts)


def told_of(stage: Stage) -> list[str]:
    """The remarks on predictions accepted by the saving ``execution``, and on contradictions of the judge."""
    told = [_told(one) for one in stage.contradictions]
    if not any(stage.accepted):
        return told
    pairs, apart = len(stage.accepted), sum(stage.accepted)
    text = f"{pairs:,} pairs scored 1 for equal results alone, {apart:,} of them although a database tells "
    return [f"{text}the queries apart (--savings without 'execution' has them judged)", *told]


def _told(one: Contradiction) -> str:
    db_id, question, _ = one.question
    return (
        f"question {question} of {db_id}: {len(one.passed)} predictions passed and {len(one.failed)} failed "
        f"that are proven equivalent: the judge contradicts itself"
    )


ROLES = {
    Variant.ROSE: (Role.PROVER, Role.REFUTER),
    Variant.WOGT: (Role.PROVER, Role.REFUTER),
    Variant.PROVER_ONLY: (Role.PROVER,),
    Variant.PR: (Role.PROVER,),
    Variant.PR_WOGT: (Role.PROVER,),
    **dict.fromkeys(BASELINES, (Role.PROVER,)),
}
"""Whom each variant asks."""


class Chamber:
    """A stage with all that it has open; leave it to close files and connections.

    Args:
        options: of the judge.
        beside: where databases are, for the descriptions that may lie beside them.
        triage: what the saving of that name asks, instead of the table that the options name.
        engines: what predictions and gold queries are written for.

    Raises:
        InputError: an option has no such value, or a file or the server cannot be used.
    """

    def __init__(
        self,
        options: JudgeOptions,
        beside: DescriptionSource | None = None,
        triage: Triage | None = None,
        engines: Engines = SQLITE,
    ) -> None:
        self._options = options
        self._engines = engines
        self._described = _described(options.descriptions, beside or DescriptionSource())
        self._descriptions = Descriptions(self._described)
        self._savings = savings_named(options.savings)
        self._triage = triage or self._triage_of()
        with ExitStack() as owned:
            self._answers = Answers(options, self._savings, owned)
            self.stage = self._stage(self._answers.source)
            self._owned = owned.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._owned.close()

    def remarks(self) -> list[str]:
        """The remarks of the judge: its cost, or its forecast, and others."""
        unread = self._descriptions.remarks
        if self._answers.rehearsal is not None:
            return [*(f"dry run: {line}" for line in self._answers.rehearsal.forecast.lines()), *unread]
        budget, priced = self._answers.budget, self._answers.price is not None
        assert budget is not None
        short = [f"calls that were not made: {budget.refused:,}; {budget.shortage}"] if budget.refused else []
        return [spent(budget, priced=priced), *short, *told_of(self.stage), *unread]

    def spent(self) -> str:
        """The cost of the judge so far, in a few words."""
        if self._answers.budget is None:
            return ""
        dollars = f", ${self._answers.budget.dollars:.2f}" if self._answers.price is not None else ""
        return f"{self._answers.budget.spent.calls:,} calls{dollars}"

    def _stage(self, source: Answering) -> Stage:
        options = self._options
        variant = one_of(options.judge_variant, "judge variant", {str(v): v for v in Variant})
        standard = one_of(options.judge_standard, "judge standard", {str(s): s for s in Standard})
        roles = ROLES[variant] if source.run is None else ()
        terms = Terms(
            model=source.model,
            variant=variant,
            run=source.run,
            prompts={str(role): prompt_hash(role, variant, standard, self._engines) for role in roles},
            savings=self._savings,
            witness_evidence=one_of(
                options.witness_evidence, "value of --witness-evidence", {"on": True, "off": False}
            ),
            standard=standard,
            settings={**source.settings, **self._gold_settings(), **self._other_settings()},
        )
        return Stage(
            terms,
            source.responder,
            threads=options.judge_threads,
            gold_faults=self._gold_faults(),
            knows=source.knows,
            descriptions=self._descriptions,
            triage=self._triage,
            rehearse=self._answers.rehearsal is not None,
        )

    def _gold_settings(self) -> dict[str, object]:
        path = self._options.gold_faults
        return {"gold_faults": file_digest(path)} if path and Saving.GOLD in self._savings else {}

    def _other_settings(self) -> dict[str, object]:
        """What else may change a score: descriptions, if there are any, and triage, if it is wanted."""
        described = self._described.digest()
        found: dict[str, object] = {"descriptions": described} if described else {}
        if self._triage is not None:
            found["triage"] = self._triage.described()
        return found

    def _triage_of(self) -> Triage | None:
        options = self._options
        given = (options.triage_accept, options.triage_reject, options.triage_table)
        if Saving.TRIAGE in self._savings:
            table = load_table(options.triage_table or SHIPPED)
            return Triage(table, options.triage_accept, options.triage_reject)
        if given != (ACCEPT, REJECT, None):
            raise InputError("--triage-… needs the saving 'triage', as in --savings all,triage")
        return None

    def _gold_faults(self) -> dict[QuestionId, str]:
        path = self._options.gold_faults
        return read_gold_faults(path) if path else {}


def _described(option: str, beside: DescriptionSource) -> DescriptionSource:
    if option in {AUTO, OFF}:
        return beside if option == AUTO else DescriptionSource()
    if not Path(option).is_dir():
        raise InputError(f"{option}: no such folder")
    return DescriptionSource(root=Path(option))
