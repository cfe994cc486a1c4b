"""What a run would need, without a network: its calls, and estimates of tokens and dollars."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from equiv.judge.asking.cache import Cache
from equiv.judge.asking.prices import Price
from equiv.judge.asking.transcript import NO_PARAMETERS, request_key
from equiv.judge.case import CHARACTERS, Answer, Ask, ProverReply, RefuterReply, Role, Usage, estimated_tokens

COMPLETION = 500
"""Tokens assumed for a reply; models that think first write several times as much."""
ASSUMED = "dry run"


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a run: calls, tokens, dollars.

    A Refuter's call that hangs on the Prover's verdict counts only in
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
