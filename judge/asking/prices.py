"""What tokens cost: a price table that the user gives, since prices change and none is built in."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from equiv.errors import InputError
from equiv.files import read_text
from equiv.judge.case import Usage

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
