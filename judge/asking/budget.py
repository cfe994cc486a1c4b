"""What tokens cost, and the allowance of a run: so many calls, so many dollars, and never one call more.

Prices are a table that the user gives, since they change and none is built in.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from equiv.errors import InputError
from equiv.files import read_text
from equiv.judge.case import Answer, Ask, OutOfBudget, Responder, Usage

UNCAPPED_COMPLETION = 4_000
"""Tokens set aside for a reply whose length no parameter caps, until a longer one is seen."""
FRAMING = 100
"""Tokens set aside for what the protocol wraps around the messages."""


@dataclass(slots=True)
class Reservation:
    """The part of the budget set aside for one call under way."""

    dollars: float
    usage: Usage | None = None
    """What it cost; None while, or if, no call was made."""


class Budget:
    """The budget of a run for calls that are really made; hits of a cache are free.

    Before a call the most that it can cost is set aside: a token for each
    byte of the prompt, and the reply at its cap (``max_completion_tokens`` or
    ``max_tokens``).  Without such a cap the longest reply seen so far stands
    in for it, and the last calls may overshoot by what they write beyond.
    Safe for threads: one that finds the rest set aside for others waits until
    they have settled.

    Args:
        max_calls: calls, or None for no limit.
        max_usd: US dollars, or None for no limit; needs ``price``.
        price: of the model's tokens.
        parameters: what is sent with each request.
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_usd: float | None = None,
        price: Price | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        assert max_usd is None or price is not None, "a limit in dollars needs a price"
        self._max_calls = max_calls
        self._max_usd = max_usd
        self._price = price
        self._cap = _completion_cap(parameters or {})
        self._longest = UNCAPPED_COMPLETION
        self._under_way: list[Reservation] = []
        self._settled = threading.Condition()
        self.spent = Usage()
        """What the calls so far have used."""
        self.dollars = 0.0
        """What they cost; a call whose usage the server did not report at the most that it can cost."""
        self.uncounted = 0
        """Calls whose usage was not reported."""
        self.refused = 0
        """Calls that were not made."""
        self.shortage = ""
        """Why the last of them was not."""

    @contextmanager
    def reserve(self, ask: Ask) -> Iterator[Reservation]:
        """Set aside what one call can cost; the caller fills in ``usage`` once it is made.

        Raises:
            OutOfBudget: what is left does not cover it.
        """
        with self._settled:
            reservation = Reservation(self._most(ask))
            while short := self._shortage(reservation):
                if not self._under_way:
                    self.refused, self.shortage = self.refused + 1, short
                    raise OutOfBudget(short)
                self._settled.wait()
            self._under_way.append(reservation)
        try:
            yield reservation
        finally:
            with self._settled:
                self._under_way.remove(reservation)
                self._charge(reservation)
                self._settled.notify_all()

    def _shortage(self, reservation: Reservation) -> str:
        """Which limit the call could break now, or ''."""
        if self._max_calls is not None and self.spent.calls + len(self._under_way) >= self._max_calls:
            return f"the budget of {self._max_calls:,} calls is used up"
        reserved = sum(other.dollars for other in self._under_way)
        if self._max_usd is not None and self.dollars + reserved + reservation.dollars > self._max_usd:
            reply = f"a reply of {self._cap or self._longest:,} tokens among it"
            if not self._cap:
                reply += "; --judge-params '{\"max_completion_tokens\": 500}' caps it"
            aside = f"${reservation.dollars:.4f} is set aside for it, {reply}"
            return f"the next call could exceed ${self._max_usd:g}; ${self.dollars:.4f} is spent; {aside}"
        return ""

    def _most(self, ask: Ask) -> float:
        """The most that a call can cost in dollars."""
        if self._price is None:
            return 0.0
        texts = [*(message.content for message in ask.messages), json.dumps(dict(ask.schema))]
        prompt = sum(len(text.encode("utf-8", "replace")) for text in texts) + FRAMING
        return self._price.dollars(Usage(1, prompt, self._cap or self._longest))

    def _charge(self, reservation: Reservation) -> None:
        usage = reservation.usage
        if usage is None:
            return
        self.spent += usage
        self.uncounted += usage.calls if not usage.prompt_tokens else 0
        self._longest = max(self._longest, usage.completion_tokens)
        if self._price is not None and usage.calls:
            self.dollars += self._price.dollars(usage) if usage.prompt_tokens else reservation.dollars


class Budgeted:
    """A responder that asks another one only within a budget."""

    def __init__(self, responder: Responder, budget: Budget) -> None:
        self._responder = responder
        self._budget = budget

    def ask(self, ask: Ask) -> Answer:
        """The other one's answer.

        Raises:
            OutOfBudget: what is left does not cover the call, which is not made.
        """
        with self._budget.reserve(ask) as reservation:
            answer = self._responder.ask(ask)
            reservation.usage = answer.usage
        return answer


def _completion_cap(parameters: Mapping[str, object]) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        value = parameters.get(name)
        if isinstance(value, int):
            return value
    return None


FIELDS = frozenset({"input", "cached_input", "output"})
TOKENS = 1_000_000
"""Prices are per this many tokens."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens of one model."""

    input: float
    cached_input: float
    output: float

    def dollars(self, usage: Usage) -> float:
        """The cost of some tokens in US dollars; cached ones are part of the prompt's."""
        fresh = usage.prompt_tokens - usage.cached_tokens
        cost = fresh * self.input + usage.cached_tokens * self.cached_input
        return (cost + usage.completion_tokens * self.output) / TOKENS


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The prices of some models, by the exact name under which they are asked."""

    prices: Mapping[str, Price]
    name: str = "the price table"

    def of(self, model: str) -> Price:
        """The price of a model.

        Raises:
            InputError: the table does not list it.
        """
        try:
            return self.prices[model]
        except KeyError:
            raise InputError(f"{self.name}: no price for the model {model!r}") from None


def load_prices(path: Path) -> PriceTable:
    """Read ``{"model": {"input": 2.0, "cached_input": 0.5, "output": 8.0}}``, in dollars per million tokens.

    Without ``cached_input`` cached tokens cost what others do.

    Raises:
        InputError: the file cannot be read or is no such table.
    """
    try:
        table = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: not JSON") from None
    if not isinstance(table, dict):
        raise InputError(f"{path}: a price table is an object: model -> input, cached_input, output")
    return PriceTable({model: _price(path, model, entry) for model, entry in table.items()}, str(path))


def _price(path: Path, model: str, entry: object) -> Price:
    if not isinstance(entry, dict) or not {"input", "output"} <= entry.keys() <= FIELDS:
        raise InputError(f"{path}: {model!r} needs input and output, and may have cached_input")
    amounts = {name: _amount(path, model, value) for name, value in entry.items()}
    return Price(**{"cached_input": amounts["input"], **amounts})


def _amount(path: Path, model: str, value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf:
        return value
    raise InputError(f"{path}: {model!r}: prices are numbers of dollars, not below zero")
