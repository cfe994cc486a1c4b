"""What some judged records cost: calls, tokens counted or estimated, dollars, and what was saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from equiv.records.record import Record
from equiv.show.page import Grid

from .asking.prices import Price, PriceTable
from .case import Usage
from .estimates import CHARACTERS
from .savings import Saving, overruled, pairs_by_saving


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of some calls.

    Attributes:
        counted: all calls, and the tokens of those whose server counted them.
        estimated: the tokens of the others; its calls are not counted again.
    """

    counted: Usage = field(default_factory=Usage)
    estimated: Usage = field(default_factory=Usage)

    def dollars(self, price: Price) -> tuple[float, float]:
        """The cost of counted and of estimated tokens, in US dollars."""
        return price.dollars(self.counted), price.dollars(self.estimated)


def cost(records: Iterable[Record]) -> Cost:
    """The cost of all calls of some records."""
    counted, estimated = Usage(), Usage()
    for record in records:
        counted += Usage(**record["llm"])
        if estimate := record["judge"].get("estimate"):
            estimated += Usage(**estimate)
    return Cost(counted, estimated)


def cost_of(records: Sequence[Record], prices: PriceTable | None) -> Grid:
    """The table of what some records of one judge took."""
    found = cost(records)
    counted, estimated = _tokens(found.counted), _tokens(found.estimated)
    rows = [("calls", f"{found.counted.calls:,}")]
    rows += [(name, f"{number:,}") for name, number in counted.items() if number]
    by = f"estimated: characters / {CHARACTERS}, without hidden thoughts"
    rows += [(f"{name} ({by})", f"{number:,}") for name, number in estimated.items() if number]
    if prices is not None:
        rows += _money(found, prices, records[0]["judge"]["model"])
    for saving, number in pairs_by_saving(records).items():
        rows.append((f"pairs without a call by {saving}", f"{number:,}"))
        if saving is Saving.EXECUTION:
            rows.append(("of these, told apart by a database", f"{overruled(records):,}"))
    return Grid("what it took", ("what", "number"), tuple(rows))


def _tokens(usage: Usage) -> Mapping[str, int]:
    return {
        "prompt tokens": usage.prompt_tokens,
        "of these cached": usage.cached_tokens,
        "completion tokens": usage.completion_tokens,
    }


def _money(found: Cost, prices: PriceTable, model: str) -> list[tuple[str, str]]:
    price = prices.prices.get(model)
    if price is None:
        return [("dollars", f"no price for {model!r}")]
    counted, estimated = found.dollars(price)
    rows = [("dollars", f"{counted:,.4f}")] if counted or not estimated else []
    return [*rows, *([("dollars (estimated)", f"{estimated:,.4f}")] if estimated else [])]
