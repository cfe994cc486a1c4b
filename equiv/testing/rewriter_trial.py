"""The trial of a rewriter or transpiler: each query, its new text, and the engine's verdict on the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from equiv.core.model import Schema
from equiv.engine.checker import Checker
from equiv.options import Options
from equiv.testing.making.reductions import reduced
from equiv.testing.report import Outcome, Report, Tried
from equiv.testing.rewriter_queries import AimedQueries
from equiv.testing.schema_facts import ground_of
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Reason, Tier, Undecided, Verdict

Rewriter = Callable[[str], str | None]
"""Takes SQL and gives SQL; None, or the same text, where it declines."""

Ask = Callable[[str, str], Verdict]
"""Gives the verdict on (new text, old text)."""

REDUCTIONS = 150
"""How many smaller queries are tried where one shows a fault."""


@dataclass(frozen=True)
class Trial:
    """How a rewriter is tried."""

    schema: Schema
    options: Options
    declines: tuple[type[Exception], ...] = ()
    """Exceptions by which the rewriter says that it leaves a query as it is."""
    across: Schema | None = None
    """The schema as new and old texts have it, where these are of different dialects."""

    @property
    def pairs(self) -> Schema:
        """The schema on which new and old texts are compared."""
        return self.across or self.schema

    def run(
        self, rewrite: Rewriter, queries: Iterable[str], *, seed: int | None, faults: int | None, shrink: int
    ) -> Report:
        """The report on all queries, up to so many faults; the first few are shown on small queries."""
        tried: list[Tried] = []
        wrong: list[Tried] = []
        with closing(Checker(self.pairs, **self.options.arguments())) as checker:
            for sql in _different(queries):
                tried.append(self.tried(rewrite, sql, checker.check))
                if isinstance(queries, AimedQueries):
                    queries.learnt(is_changed=tried[-1].is_changed)
                wrong += [tried[-1]] if tried[-1].is_fault else []
                if faults is not None and len(wrong) >= faults:
                    break
            small = [self._smallest(rewrite, fault, checker.check) for fault in wrong[:shrink]]
        dialects = (self.options.gold_dialect, self.options.dialect) if self.across else None
        return Report(
            name_of(rewrite), str(self.options.relation), tuple(tried), seed, tuple(small), dialects
        )

    def tried(self, rewrite: Rewriter, sql: str, ask: Ask) -> Tried:
        """The outcome of one query."""
        if not ground_of(self.schema).can_be_prepared(sql):
            return Tried(sql, sql, Outcome.UNREAD)
        try:
            after = rewrite(sql)
        except self.declines:
            after = None
        except Exception as error:  # noqa: BLE001 - whatever the rewriter raises is told
            return Tried(sql, "", Outcome.RAISED, error=f"{type(error).__name__}: {error}")
        if after is None or (after == sql and self.across is None):
            return Tried(sql, sql, Outcome.UNCHANGED)
        verdict = ask(after, sql)
        is_changed = self.across is not None or not self._is_same(sql, after)
        return Tried(sql, after, outcome_of(verdict), verdict, is_changed=is_changed)

    def _is_same(self, one: str, two: str) -> bool:
        """Whether two texts are one query, but for layout, aliases and the like."""
        trees = [ground_of(self.schema).tree(sql) for sql in (one, two)]
        return trees[0] is not None and trees[0] == trees[1]

    def _smallest(self, rewrite: Rewriter, fault: Tried, ask: Ask) -> Tried:
        """A fault of the same kind on a query as small as can be found.

        Smaller queries are told apart by generated databases alone, which are bounded by the effort.
        """
        options = replace(self.options, tiers=(Tier.GENERATE,), timeout=None)
        with closing(Checker(self.pairs, **options.arguments())) as checker:

            def shows(sql: str) -> bool:
                return self.tried(rewrite, sql, checker.check).outcome is fault.outcome

            sql = reduced(fault.before, shows, REDUCTIONS)
        small = fault if sql == fault.before else self.tried(rewrite, sql, ask)
        return small if small.outcome is fault.outcome else fault


def outcome_of(verdict: Verdict) -> Outcome:
    """The outcome that a verdict on (new text, old text) is for the rewriter."""
    match verdict:
        case Equivalent():
            return Outcome.PROVED
        case NotEquivalent():
            return Outcome.REFUTED
        case Invalid():
            return Outcome.NO_QUERY
        case Undecided(reason=Reason.GOLD_INVALID):
            return Outcome.UNREAD
    return Outcome.UNDECIDED


def _different(texts: Iterable[str]) -> Iterator[str]:
    """Each text once, drawn when it is asked for."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def name_of(rewrite: Rewriter) -> str:
    """The name of a rewriter."""
    return str(getattr(rewrite, "__name__", type(rewrite).__name__))
