"""The allowance holds: over threads, over calls of unknown cost, and for free hits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kit.loopback import PASSES

from equiv.errors import InputError
from equiv.judge.asking.answers import DryRun
from equiv.judge.asking.budget import FRAMING, Budget, Budgeted, Price, load_prices
from equiv.judge.asking.cache import Cache, Cached
from equiv.judge.asking.transcript import kept_answer
from equiv.judge.case import Answer, Ask, NoAnswer, OutOfBudget, Usage, estimated_tokens

MakeAsk = Callable[..., Ask]
PRICE = Price(input=1.0, cached_input=0.5, output=10.0)


class Model:
    """A responder whose every call uses the same."""

    def __init__(self, usage: Usage, seconds: float = 0.0) -> None:
        self.usage = usage
        self.seconds = seconds
        self.calls = 0
        self._turn = threading.Lock()

    def ask(self, ask: Ask) -> Answer:
        with self._turn:
            self.calls += 1
        time.sleep(self.seconds)
        if not self.usage.calls:
            return Answer(NoAnswer("down"), self.usage)
        kept = kept_answer(ask.role, PASSES, self.usage, "replay")
        return Answer(kept.reply, self.usage, "live", PASSES)


def spend(budget: Budget, model: Model, ask: MakeAsk, requests: int, threads: int) -> int:
    """How many of some different requests, asked at once, were refused."""
    judge = Budgeted(model, budget)

    def is_refused(number: int) -> bool:
        try:
            judge.ask(ask(f"{number}?"))
        except OutOfBudget:
            return True
        return False

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(is_refused, range(requests)))


def test_no_call_beyond_the_allowance_is_made(ask: MakeAsk) -> None:
    model, budget = Model(Usage(1, 10, 5), seconds=0.01), Budget(max_calls=5)
    assert spend(budget, model, ask, requests=20, threads=8) == 15
    assert (model.calls, budget.spent) == (5, Usage(5, 50, 25))


def test_requests_that_never_became_calls_are_free(ask: MakeAsk) -> None:
    model, budget = Model(Usage(), seconds=0.01), Budget(max_calls=2, max_usd=0.1, price=PRICE)
    assert spend(budget, model, ask, requests=12, threads=4) == 0
    assert (model.calls, budget.spent.calls, budget.dollars) == (12, 0, 0.0)


def test_no_dollar_beyond_the_allowance_is_spent(ask: MakeAsk) -> None:
    budget = Budget(max_usd=0.02, price=PRICE, parameters={"max_completion_tokens": 500})
    model = Model(Usage(1, 300, 500, 100), seconds=0.01)
    refused = spend(budget, model, ask, requests=20, threads=8)
    assert (model.calls, refused) == (3, 17)
    assert budget.dollars == pytest.approx(3 * (200 + 100 * 0.5 + 500 * 10) / 1e6)
    assert budget.dollars <= 0.02


def test_a_call_that_could_exceed_is_not_made(ask: MakeAsk) -> None:
    model = Model(Usage(1, 10, 5))
    budget = Budget(max_usd=0.001, price=PRICE, parameters={"max_tokens": 100})
    with pytest.raises(OutOfBudget, match=r"could exceed \$0.001; \$0.0000 is spent"):
        Budgeted(model, budget).ask(ask("?" * 2000))
    assert (model.calls, budget.refused) == (0, 1)


def test_a_call_of_unknown_cost_is_charged_at_the_most(ask: MakeAsk) -> None:
    budget = Budget(max_usd=1.0, price=PRICE, parameters={"max_tokens": 100})
    Budgeted(Model(Usage(calls=1)), budget).ask(ask())
    assert budget.dollars >= (FRAMING + 100 * 10) / 1e6


def test_longer_replies_raise_what_is_set_aside(ask: MakeAsk) -> None:
    budget = Budget(max_usd=0.5, price=PRICE)
    model = Model(Usage(1, 100, 20_000))
    assert spend(budget, model, ask, requests=5, threads=1) == 3
    assert budget.dollars <= 0.5


def test_an_error_gives_back_what_was_set_aside(ask: MakeAsk) -> None:
    class Broken:
        def ask(self, ask: Ask) -> Answer:
            raise InputError(f"no key for {ask.model}")

    budget = Budget(max_calls=1)
    for _ in range(2):
        with pytest.raises(InputError):
            Budgeted(Broken(), budget).ask(ask())
    assert budget.spent.calls == 0


def test_hits_of_the_cache_are_free(ask: MakeAsk, tmp_path: Path) -> None:
    model = Model(Usage(1, 10, 5))
    with Cache(tmp_path / "cache.sqlite") as cache:
        judge = Cached(Budgeted(model, Budget(max_calls=1)), cache)
        judge.ask(ask())
        assert judge.ask(ask()).source == "cache"
        with pytest.raises(OutOfBudget):
            judge.ask(ask("another?"))
    assert model.calls == 1


def test_cached_tokens_have_their_own_price() -> None:
    assert PRICE.dollars(Usage(1, 1_000_000, 100_000, 400_000)) == pytest.approx(0.6 + 0.2 + 1.0)


def test_a_price_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"input": 2, "output": 8.0}, "n": {"input": 1, "cached_input": 0, "output": 2}}')
    table = load_prices(path)
    assert table.of("m") == Price(2, 2, 8.0)
    assert table.of("n").cached_input == 0
    with pytest.raises(InputError, match="no price for the model 'o'"):
        table.of("o")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"m": 2}',
        '{"m": {"input": 2}}',
        '{"m": {"input": 2, "output": 8, "batch": 1}}',
        '{"m": {"input": -2, "output": 8}}',
        '{"m": {"input": NaN, "output": 8}}',
        '{"m": {"input": "2", "output": 8}}',
        '{"m": {"input": true, "output": 8}}',
    ],
)
def test_what_is_no_price_table_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"prices\.json"):
        load_prices(path)


def test_a_dry_run_counts_without_asking(ask: MakeAsk, tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.sqlite") as cache:
        Cached(Model(Usage(1, 10, 5)), cache).ask(ask("known?"))
        counted = DryRun(cache, price=PRICE)
        for question in ("known?", "new?", "new?"):
            counted.ask(ask(question))
        counted.ask(ask("new?", role="refuter"))
        forecast = counted.forecast
    assert (forecast.least.calls, forecast.most.calls, forecast.cached) == (1, 2, 2)
    assert forecast.least.prompt_tokens == estimated_tokens(ask("new?"))
    assert "estimated as characters / 4" in " ".join(forecast.lines())
