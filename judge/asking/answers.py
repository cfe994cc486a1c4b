"""Who answers: a live model, a transcript of one, published judgements, or nobody.

Nobody answers a dry run, which says without a network what a run would need: its calls, and estimates of
tokens and dollars.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from equiv.errors import InputError
from equiv.files import FileErrors
from equiv.judge.asking.budget import Budget, Budgeted, Price, load_prices
from equiv.judge.asking.cache import Cache, Cached, default_path
from equiv.judge.asking.client import find_endpoint
from equiv.judge.asking.published import Equality, read_published
from equiv.judge.asking.transcript import NO_PARAMETERS, Recorder, Replay, is_transcript, request_key
from equiv.judge.case import (
    CHARACTERS,
    Answer,
    Ask,
    ProverReply,
    RefuterReply,
    Responder,
    Role,
    Usage,
    estimated_tokens,
)
from equiv.judge.judging_terms import Saving
from equiv.judge.options import JudgeOptions
from equiv.judge.stage import KnowsEquality

COMPLETION = 500
"""Tokens assumed for a reply; models that think first write several times as much."""
ASSUMED = "dry run"


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a run: calls, tokens, dollars.

    A Refuter's call that depends on the Prover's verdict counts only in
    ``most``: the two are the bounds if every such Prover fails or passes.
    """

    least: Usage
    most: Usage
    cached: int
    """Requests that the cache answers, or that repeat another one of the run."""
    price: Price | None

    def lines(self) -> list[str]:
        """The forecast in words, estimates named as such."""
        prompt = _range(self.least.prompt_tokens, self.most.prompt_tokens)
        completion = _range(self.least.completion_tokens, self.most.completion_tokens)
        lines = [
            f"calls: {_range(self.least.calls, self.most.calls)} (and {self.cached:,} free by the cache)",
            f"prompt tokens: about {prompt} (estimated as characters / {CHARACTERS})",
            f"completion tokens: about {completion} (assuming {COMPLETION} a reply)",
        ]
        if self.price is not None:
            low, high = self.price.dollars(self.least), self.price.dollars(self.most)
            lines.append(f"cost: about ${low:,.2f} to ${high:,.2f} (no prefix cached)")
        return lines


class DryRun:
    """A responder that only counts; its replies pass everything on and are no verdicts.

    Args:
        cache: answers at hand, or None; it is read and never written.
        parameters: what would be sent with each request.
        price: of the model's tokens, or None.
    """

    def __init__(
        self,
        cache: Cache | None = None,
        parameters: Mapping[str, object] = NO_PARAMETERS,
        price: Price | None = None,
    ) -> None:
        self._cache = cache
        self._parameters = parameters
        self._price = price
        self._turn = threading.Lock()
        self._seen: set[str] = set()
        self._proved: set[str] = set()
        self._cached = 0
        self._certain = Usage()
        self._possible = Usage()

    @property
    def forecast(self) -> Forecast:
        """The forecast of the requests so far."""
        with self._turn:
            return Forecast(self._certain, self._certain + self._possible, self._cached, self._price)

    def ask(self, ask: Ask) -> Answer:
        """The cached answer, or an assumed one that lets the cascade go on."""
        key = request_key(ask, self._parameters)
        kept = self._cache.find(ask, key) if self._cache is not None else None
        with self._turn:
            if kept is not None or (self._cache is not None and key in self._seen):
                self._cached += 1
            else:
                self._count(ask)
            self._seen.add(key)
        return kept or _assumed(ask.role)

    def _count(self, ask: Ask) -> None:
        of = ask.case
        case = repr((of.source, of.question_id, of.db_id, of.pred_sql, of.gold_sql))
        need = Usage(1, estimated_tokens(ask), COMPLETION)
        match ask.role:
            case Role.PROVER:
                self._proved.add(case)
                self._certain += need
            case Role.REFUTER if case in self._proved:
                self._possible += need
            case Role.REFUTER:
                self._certain += need


def _assumed(role: Role) -> Answer:
    match role:
        case Role.PROVER:
            return Answer(ProverReply(verdict=True, reason=ASSUMED))
        case Role.REFUTER:
            return Answer(RefuterReply(overturn=False, reason=ASSUMED))


def _range(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers, and what of it belongs to the terms."""

    responder: Responder
    model: str
    settings: Mapping[str, object]
    run: str | None = None
    """Of a published record; its replies were made with other prompts than ours."""
    knows: KnowsEquality | None = None


class Answers:
    """Whom the options of a judge name, behind what they say of cache and money.

    Args:
        options: of the judge.
        savings: by name.
        owned: what closes files and connections.

    Attributes:
        price: of the model's tokens, if prices are given.
        rehearsal: what stands in for the model in a dry run.
        budget: what was spent; None in a dry run.
        source: who answers.

    Raises:
        InputError: an option has no such value, or a file or the server cannot be used.
    """

    def __init__(self, options: JudgeOptions, savings: frozenset[Saving], owned: ExitStack) -> None:
        self._options = options
        self._savings = savings
        self.price = load_prices(options.prices).of(options.judge_model) if options.prices else None
        if options.max_usd is not None and self.price is None:
            raise InputError("--max-usd needs --prices")
        self.rehearsal: DryRun | None = None
        self.budget: Budget | None = None
        self.source = self._source(owned)

    def _source(self, owned: ExitStack) -> Answering:
        kind, _, file = self._options.judge.partition(":")
        match kind:
            case "replay" if file:
                return self._replayed(Path(file))
            case "record" if file:
                return self._asked(owned, Path(file))
            case "live" if not file:
                return self._asked(owned, None)
        raise InputError(f"--judge takes off, live, record:FILE or replay:FILE, not {self._options.judge!r}")

    def _replayed(self, file: Path) -> Answering:
        options = self._options
        if options.dry_run:
            raise InputError("--dry-run needs --judge live or record:FILE; a replay makes no calls")
        choice: dict[str, Equality] = {"record": "record", "ex_score": "ex_score"}
        equality = one_of(options.equality, "value of --equality", choice)
        if is_transcript(file):
            responder: Responder = Replay(file)
            return Answering(self._budgeted(responder, {}), self._model(), {"replayed": file_digest(file)})
        published = read_published(file, model=options.judge_model, run=options.judge_run, equality=equality)
        responder = self._budgeted(published, {})
        settings = {"replayed": file_digest(file), "equality": equality}
        return Answering(responder, published.model, settings, published.run, published)

    def _asked(self, owned: ExitStack, file: Path | None) -> Answering:
        """A live model behind budget, cache and recorder; in a rehearsal, what stands in for it."""
        model, given = self._model(), self._parameters()
        cache = owned.enter_context(self._cache()) if Saving.CACHE in self._savings else None
        if self._options.dry_run:
            sent = _with_endpoint(given)
            self.rehearsal = DryRun(cache, sent, self.price)
            return Answering(self.rehearsal, model, sent)
        from equiv.judge.asking.client import LiveClient

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
        return Answering(responder, model, client.parameters)

    def _budgeted(self, responder: Responder, parameters: Mapping[str, object]) -> Responder:
        options = self._options
        self.budget = Budget(options.max_calls, options.max_usd, self.price, parameters)
        return Budgeted(responder, self.budget)

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


def one_of(text: str, what: str, choice: Mapping[str, Value]) -> Value:
    """The value that a word stands for.

    Raises:
        InputError: it is none of the words.
    """
    if text not in choice:
        raise InputError(f"unknown {what} {text!r}; choose one of {', '.join(choice)}")
    return choice[text]


def file_digest(file: Path) -> str:
    """SHA-256 of a file's content.

    Raises:
        InputError: it cannot be read.
    """
    with FileErrors(file), file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _with_endpoint(given: Mapping[str, object]) -> dict[str, object]:
    """What a client would send; without an endpoint there is nothing that a cache could hold for it."""
    try:
        return {"base_url": find_endpoint().base_url, **given}
    except InputError:
        return dict(given)
