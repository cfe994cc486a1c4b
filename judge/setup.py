"""From options to a stage: who is asked, through what, and on which terms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from equiv.errors import InputError
from equiv.eval.questions import QuestionId

from .asking.budget import Budget, Budgeted
from .asking.cache import Cache, Cached, default_path
from .asking.endpoint import find_endpoint
from .asking.prices import load_prices
from .asking.published import Equality, read_published
from .asking.transcript import Recorder, Replay, is_transcript
from .case import Responder, Role, Variant
from .classes import Contradiction
from .dry_run import DryRun
from .faults import read_gold_faults
from .options import JudgeOptions
from .prompt import prompt_hash
from .savings import Saving, savings_named
from .stage import KnowsEquality, Stage, Terms

Value = TypeVar("Value")

ROLES = {
    Variant.ROSE: (Role.PROVER, Role.REFUTER),
    Variant.WOGT: (Role.PROVER, Role.REFUTER),
    Variant.PROVER_ONLY: (Role.PROVER,),
    Variant.PR: (Role.PROVER,),
    Variant.PR_WOGT: (Role.PROVER,),
}
"""Whom each variant asks."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Who answers, and what of it belongs to the terms."""

    responder: Responder
    model: str
    settings: Mapping[str, object]
    run: str | None = None
    """Of a published record; its replies were made with other prompts than ours."""
    knows: KnowsEquality | None = None


class Chamber:
    """A stage with all that it has open; leave it to close files and connections.

    Raises:
        InputError: an option has no such value, or a file or the server cannot be used.
    """

    def __init__(self, options: JudgeOptions) -> None:
        self._options = options
        self._savings = savings_named(options.savings)
        self._price = load_prices(options.prices).of(options.judge_model) if options.prices else None
        if options.max_usd is not None and self._price is None:
            raise InputError("--max-usd needs --prices")
        self._rehearsal: DryRun | None = None
        self._budget: Budget | None = None
        with ExitStack() as owned:
            self.stage = self._stage(self._source(owned))
            self._owned = owned.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._owned.close()

    def remarks(self) -> list[str]:
        """What the judge has cost, or would."""
        if self._rehearsal is not None:
            return [f"dry run: {line}" for line in self._rehearsal.forecast.lines()]
        assert self._budget is not None
        spent, dollars = self._budget.spent, self._budget.dollars
        parts = [f"{spent.calls:,} calls to the judge"]
        if spent.prompt_tokens:
            parts.append(f"{spent.prompt_tokens:,} prompt tokens ({spent.cached_tokens:,} of them cached)")
            parts.append(f"{spent.completion_tokens:,} completion tokens")
        cost = ", ".join(parts) + (f", ${dollars:.4f}" if self._price else "")
        return [cost, *(_told(one) for one in self.stage.contradictions)]

    def spent(self) -> str:
        """What the judge has cost so far, in a few words."""
        if self._budget is None:
            return ""
        dollars = f", ${self._budget.dollars:.2f}" if self._price else ""
        return f"{self._budget.spent.calls:,} calls{dollars}"

    def _stage(self, source: _Source) -> Stage:
        options = self._options
        variant = _one_of(options.judge_variant, "judge variant", {str(v): v for v in Variant})
        roles = ROLES[variant] if source.run is None else ()
        terms = Terms(
            model=source.model,
            variant=variant,
            run=source.run,
            prompts={str(role): prompt_hash(role, variant) for role in roles},
            savings=self._savings,
            witness_evidence=_one_of(
                options.witness_evidence, "value of --witness-evidence", {"on": True, "off": False}
            ),
            settings={**source.settings, **self._gold_settings()},
        )
        return Stage(
            terms,
            source.responder,
            threads=options.judge_threads,
            gold_faults=self._gold_faults(),
            knows=source.knows,
            rehearse=self._rehearsal is not None,
        )

    def _source(self, owned: ExitStack) -> _Source:
        kind, _, file = self._options.judge.partition(":")
        match kind:
            case "replay" if file:
                return self._replayed(Path(file))
            case "record" if file:
                return self._asked(owned, Path(file))
            case "live" if not file:
                return self._asked(owned, None)
        raise InputError(f"--judge takes off, live, record:FILE or replay:FILE, not {self._options.judge!r}")

    def _replayed(self, file: Path) -> _Source:
        options = self._options
        if options.dry_run:
            raise InputError("--dry-run goes with --judge live or record:FILE; a replay asks nobody")
        choice: dict[str, Equality] = {"record": "record", "ex_score": "ex_score"}
        equality = _one_of(options.equality, "value of --equality", choice)
        if is_transcript(file):
            responder: Responder = Replay(file)
            return _Source(self._budgeted(responder, {}), self._model(), {"replayed": _digest(file)})
        published = read_published(file, model=options.judge_model, run=options.judge_run, equality=equality)
        responder = self._budgeted(published, {})
        settings = {"replayed": _digest(file), "equality": equality}
        return _Source(responder, published.model, settings, published.run, published)

    def _asked(self, owned: ExitStack, file: Path | None) -> _Source:
        """A live model behind budget, cache and recorder; in a rehearsal, what stands in for it."""
        model, given = self._model(), self._parameters()
        cache = owned.enter_context(self._cache()) if Saving.CACHE in self._savings else None
        if self._options.dry_run:
            sent = _with_endpoint(given)
            self._rehearsal = DryRun(cache, sent, self._price)
            return _Source(self._rehearsal, model, sent)
        from .asking.client import LiveClient

        client = LiveClient(
            model,
            timeout=self._options.judge_timeout,
            concurrency=self._options.judge_threads,
            parameters=given,
        )
        owned.callback(client.close)
        responder = self._budgeted(client, client.parameters)
        if cache is not None:
            responder = Cached(responder, cache, client.parameters)
        if file is not None:
            responder = owned.enter_context(Recorder(responder, file, client.parameters))
        return _Source(responder, model, client.parameters)

    def _budgeted(self, responder: Responder, parameters: Mapping[str, object]) -> Responder:
        options = self._options
        self._budget = Budget(options.max_calls, options.max_usd, self._price, parameters)
        return Budgeted(responder, self._budget)

    def _model(self) -> str:
        if not self._options.judge_model:
            raise InputError("name the judge's model with --judge-model")
        return self._options.judge_model

    def _parameters(self) -> dict[str, Any]:
        try:
            found = json.loads(self._options.judge_params)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise InputError("--judge-params takes a JSON object, as in '{\"temperature\": 0}'")
        return found

    def _cache(self) -> Cache:
        return Cache(self._options.judge_cache or default_path())

    def _gold_settings(self) -> dict[str, object]:
        path = self._options.gold_faults
        return {"gold_faults": _digest(path)} if path and Saving.GOLD in self._savings else {}

    def _gold_faults(self) -> dict[QuestionId, str]:
        path = self._options.gold_faults
        return read_gold_faults(path) if path else {}


def _one_of(text: str, what: str, choice: Mapping[str, Value]) -> Value:
    if text not in choice:
        raise InputError(f"unknown {what} {text!r}; choose one of {', '.join(choice)}")
    return choice[text]


def _digest(file: Path) -> str:
    """SHA-256 of a file's content."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None


def _told(one: Contradiction) -> str:
    db_id, question, _ = one.question
    return (
        f"question {question} of {db_id}: {len(one.passed)} predictions passed and {len(one.failed)} failed "
        f"that are proven equivalent: the judge contradicts itself"
    )


def _with_endpoint(given: Mapping[str, object]) -> dict[str, object]:
    """What a client would send; without an endpoint there is nothing that a cache could hold for it."""
    try:
        return {"base_url": find_endpoint().base_url, **given}
    except InputError:
        return dict(given)
