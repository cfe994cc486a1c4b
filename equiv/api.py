"""The library's entry points, and the one place where default rules and tiers are put together.

>>> import equiv
>>> ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)"
>>> equiv.check("SELECT DISTINCT id FROM t", "SELECT id FROM t", schema=ddl, timeout=None).name
'equivalent'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from equiv.engine import alone
from equiv.engine.checker import Checker
from equiv.engine.memory import Memory, is_repeatable
from equiv.engine.premises import Premises
from equiv.facts import Facts
from equiv.options import OptionArguments, Options
from equiv.schema.model import Schema
from equiv.verdict import PROVERS, Tier, Verdict
from equiv.workers.isolate import Crashed, Timeout

if TYPE_CHECKING:
    from equiv.engine.engine import Engine
    from equiv.engine.ground import Ground
    from equiv.tiers.outcome import Settler

_Outcome = Future[Verdict | Timeout | Crashed]

AHEAD = 256
"""How many pairs :func:`check_many` hands to its workers before it waits for a verdict."""


def check(
    pred: str,
    gold: str,
    *,
    schema: Schema | str | Path | None = None,
    db: str | Path | None = None,
    **options: Unpack[OptionArguments],
) -> Verdict:
    """The verdict on one pair of SQL texts, whatever was asked before.

    All calls share one worker process, which is kept for the next one; for many pairs on one
    schema, a :class:`Checker` is faster.  What was asked before is answered from memory.

    Args:
        pred: the predicted query.
        gold: the gold query.
        schema: a schema, DDL text, or the path of a DDL file; by default that of ``db``.
        db: the path of a populated SQLite database.
        options: the fields of :class:`Options`.

    Raises:
        InputError: schema, db or an option cannot be used; nothing that the queries hold raises.
    """
    return alone.check(Premises.of(schema, db, Options(**options)), pred, gold)


def check_many(
    pairs: Iterable[tuple[str, str]],
    *,
    schema: Schema | str | Path | None = None,
    db: str | Path | None = None,
    workers: int = 1,
    **options: Unpack[OptionArguments],
) -> Iterator[Verdict]:
    """The verdicts on many (prediction, gold) pairs of one schema, in their order.

    Pairs with the same gold text go to one worker in order, so that verdicts
    do not depend on the number of workers; a repeated pair gets the verdict of
    the first.  Timeouts need worker processes; without a timeout everything runs
    in this process.  Pairs are read a little ahead of the verdicts, so an endless
    iterable will do.

    Raises:
        InputError: as :func:`check`, before the first verdict.
    """
    checkers = [Checker(schema, db, **options) for _ in range(max(1, workers))]
    try:
        if checkers[0].options.timeout is None:
            yield from (checkers[0].check(pred, gold) for pred, gold in pairs)
            return
        lanes: dict[str, Checker] = {}
        known: Memory[_Outcome] = Memory()
        waiting: deque[tuple[Checker, str, str, _Outcome]] = deque()
        for pred, gold in pairs:
            lane = lanes.setdefault(gold, checkers[len(lanes) % len(checkers)])
            outcome = known.recall((pred, gold))
            if outcome is None or (outcome.done() and not is_repeatable(outcome.result())):
                outcome = lane._submit(pred, gold)  # noqa: SLF001 - two halves of its check
                known.keep((pred, gold), outcome)
            waiting.append((lane, pred, gold, outcome))
            if len(waiting) > AHEAD:
                yield _awaited(*waiting.popleft())
        while waiting:
            yield _awaited(*waiting.popleft())
    finally:
        for checker in checkers:
            checker.close()


def _awaited(checker: Checker, pred: str, gold: str, outcome: _Outcome) -> Verdict:
    return checker._await(pred, gold, outcome)[0]  # noqa: SLF001 - two halves of its check


def make_engine(schema: Schema | None, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: an assumed fact is malformed or names what the schema lacks.
    """
    from equiv.engine.ground import ground_of

    return engine_on(ground_of(schema, db, options), db, options)


def engine_on(ground: Ground, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process, on what was read before."""
    from equiv.engine.engine import Engine

    tiers = make_tiers(ground.schema, ground.facts, db)
    chosen = [tier for tier in tiers if tier.tier in options.tiers]
    search = None
    if options.conditions:
        from equiv.engine.conditions import ConditionSearch

        provers = [tier for tier in chosen if tier.tier in PROVERS]
        search = ConditionSearch(provers, ground.dropped, db)
    return Engine(
        ground.schema,
        ground.facts,
        ground.dropped,
        relation=options.relation,
        effort=options.databases,
        tiers=chosen,
        backstop=tiers,
        conditions=search,
    )


def import_first_tiers() -> None:
    """Import ahead what every pair needs: the engine and the tiers that come first."""
    import rules  # noqa: F401


def make_tiers(schema: Schema, facts: Facts, db: Path | None) -> list[Settler]:
    """The default tiers after ``parse``, in the order in which they are tried."""
    from equiv.rewrite.normal_forms import NormalForms
    from equiv.rewrite.normalise import RuleSet
    from equiv.tiers.data import DataTier
    from equiv.tiers.deferred import Deferred
    from equiv.tiers.generate import GenerateTier
    from equiv.tiers.rules import RulesTier
    from rules import RULES

    def make_proof() -> Settler:
        from equiv.tiers.proof import ProofTier
        from equiv.tiers.trial import Trial

        return ProofTier(rules, Trial(), forms=forms)

    def make_search() -> Settler:
        from equiv.tiers.search import SearchTier

        return SearchTier(schema, facts)

    rules = RuleSet(RULES)
    forms = NormalForms(rules)
    data = [DataTier(db)] if db is not None else []
    return [
        RulesTier(rules, forms),
        *data,
        GenerateTier(schema, facts),
        Deferred(Tier.PROOF, make_proof),
        Deferred(Tier.SEARCH, make_search),
    ]
