"""From options to a stage: who is asked, through what, and on which terms."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Self

from equiv.errors import InputError
from equiv.eval.questions import QuestionId

from .asking.answers import Answering, Answers, file_digest, one_of
from .case import BASELINES, SQLITE, Engines, Role, Standard, Variant
from .describe.find import Descriptions, DescriptionSource
from .faults import read_gold_faults
from .judging_terms import Terms
from .options import AUTO, OFF, JudgeOptions
from .prompt import prompt_hash
from .remarks import spent, told_of
from .savings import Saving, savings_named
from .stage import Stage
from .triage.decide import Triage
from .triage.table import SHIPPED, load_table
from .triage.thresholds import ACCEPT, REJECT

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
        assert self._answers.budget is not None
        priced = self._answers.price is not None
        return [spent(self._answers.budget, priced=priced), *told_of(self.stage), *unread]

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
