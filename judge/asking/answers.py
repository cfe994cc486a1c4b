"""Who answers: a live model, a transcript of one, or published judgements."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from equiv.errors import InputError
from equiv.files import FileErrors
from equiv.judge.asking.budget import Budget, Budgeted
from equiv.judge.asking.cache import Cache, Cached, default_path
from equiv.judge.asking.client import find_endpoint
from equiv.judge.asking.dry_run import DryRun
from equiv.judge.asking.prices import load_prices
from equiv.judge.asking.published import Equality, read_published
from equiv.judge.asking.transcript import Recorder, Replay, is_transcript
from equiv.judge.case import Responder
from equiv.judge.judging_terms import Saving
from equiv.judge.options import JudgeOptions
from equiv.judge.stage import KnowsEquality

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
            raise InputError("--dry-run goes with --judge live or record:FILE; a replay asks nobody")
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
