"""How far a run is: a bar on a terminal, and below it pace, time left, verdicts and money so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

VERDICTS = ("equivalent", "not_equivalent", "undecided", "invalid")


@dataclass
class Progress:
    """The progress of a run."""

    total: int
    """Pairs in all."""
    resumed: int
    """Those whose records stood before."""
    spent: Callable[[], str] = str
    """What the judge has cost so far, or ''."""
    checked: int = 0
    """Pairs that this run has done."""
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Those of all pairs so far, with the tiers that settled them."""

    def add(self, verdict: str, tier: str | None, *, resumed: bool = False) -> None:
        """Take in what one pair came to."""
        self.verdicts[verdict, tier or ""] += 1
        self.checked += not resumed

    @property
    def done(self) -> int:
        """Pairs that need nothing more."""
        return self.resumed + self.checked

    def told(self, seconds: float) -> str:
        """Pace, time left, verdicts by tier and money, after so many seconds."""
        parts = [pace(self.checked, self.total - self.done, seconds), funnel(self.verdicts), self.spent()]
        return "; ".join(part for part in parts if part)


def pace(checked: int, left: int, seconds: float) -> str:
    """Pairs a second so far, and how long the rest takes at that pace."""
    if not checked or seconds <= 0:
        return ""
    rest = timedelta(seconds=round(left * seconds / checked))
    return f"{checked / seconds:.1f} pairs/s, {rest} left"


def funnel(verdicts: Mapping[tuple[str, str], int]) -> str:
    """Verdicts with their counts, and by tier where several settled them."""
    parts = []
    for verdict in VERDICTS:
        tiers = {tier: count for (own, tier), count in verdicts.items() if own == verdict}
        if tiers:
            named = ", ".join(f"{tier} {count:,}" for tier, count in sorted(tiers.items()) if tier)
            parts.append(f"{verdict} {sum(tiers.values()):,}" + (f" ({named})" if len(tiers) > 1 else ""))
    return ", ".join(parts)


@contextmanager
def shown_on(console: Console, progress: Progress) -> Iterator[None]:
    """Show it while it changes, on a terminal only."""
    if not console.is_terminal:
        yield
        return

    from rich import progress as rich
    from rich.text import Text

    start = perf_counter()

    class Shown(rich.Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            for task in self.tasks:
                task.completed = progress.done
            yield self.make_tasks_table(self.tasks)
            yield Text(progress.told(perf_counter() - start))

    columns = (rich.BarColumn(), rich.MofNCompleteColumn(), "pairs,", rich.TimeElapsedColumn(), "so far")
    with Shown(*columns, console=console) as display:
        display.add_task("pairs", total=progress.total, completed=progress.done)
        yield
