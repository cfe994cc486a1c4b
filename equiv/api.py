"""The library's entry points.

>>> import equiv
>>> ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)"
>>> equiv.check("SELECT DISTINCT id FROM t", "SELECT id FROM t", schema=ddl, timeout=None).name
'equivalent'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from equiv.engine import host
from equiv.engine.host import Checker, is_repeatable
from equiv.engine.premises import Premises, SchemaGiven
from equiv.errors import InputError, require_many
from equiv.options import OptionArguments, Options, taking_options
from equiv.verdict import Verdict, writers
from equiv.workers.lanes import Crashed, Timeout
from equiv.workers.scheduler import Memory

_Outcome = Future[Verdict | Timeout | Crashed]

AHEAD = 256
"""How many pairs :func:`check_many` hands to its workers before it waits for a verdict."""


@taking_options
def check(
    pred: str,
    gold: str,
    *,
    schema: SchemaGiven = None,
    db: str | Path | None = None,
    **options: Unpack[OptionArguments],
) -> Verdict:
    """The verdict on one pair of SQL texts, whatever was asked before.

    All calls share one worker process, which is kept for the next one; for many pairs on one
    schema, a :class:`Checker` is faster.  What was asked before is answered from memory.

    Args:
        pred: the predicted query.
        gold: the gold query.
        schema: a schema, DDL text, the path of a DDL file, columns by table
            (``{"person": {"id": "INTEGER PRIMARY KEY"}}``), or an entry of a tables.json; by default that of
            ``db``.
        db: the path of a populated SQLite database.

    The other arguments are the fields of :class:`Options`.

    Raises:
        InputError: schema, db or an option cannot be used; nothing that the queries hold raises.
    """
    chosen = Options(**options)
    call = host.Call(chosen)
    try:
        verdict = call.check(Premises.of(schema, db, chosen, call.load_ddl), pred, gold)
    except host.GivenUpError as error:
        verdict = error.verdict
    return verdict if verdict.queries is not None else replace(verdict, queries=(pred, gold))


@taking_options
def check_many(
    pairs: Iterable[tuple[str, str]],
    *,
    schema: SchemaGiven = None,
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
    chosen = Options(**options)
    require_many(pairs, "pairs")
    if not isinstance(workers, int):
        raise InputError(f"workers must be a whole number: {workers!r}")
    return _verdicts(pairs, [Checker(schema, db, **chosen.arguments()) for _ in range(max(1, workers))])


def _verdicts(pairs: Iterable[tuple[str, str]], checkers: Sequence[Checker]) -> Iterator[Verdict]:
    try:
        if checkers[0].options.timeout is None:
            yield from (checkers[0].check(*_texts_of(pair)) for pair in pairs)
            return
        lanes: dict[str, Checker] = {}
        known: Memory[_Outcome] = Memory()
        waiting: deque[tuple[Checker, str, str, _Outcome]] = deque()
        for pair in pairs:
            pred, gold = _texts_of(pair)
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


def _texts_of(pair: object) -> tuple[str, str]:
    """A prediction and its gold query."""
    texts = (
        list(pair) if isinstance(pair, Iterable) and not isinstance(pair, str | AbstractSet | Mapping) else []
    )
    if len(texts) == 2:
        host.require_texts(*texts)
        return texts[0], texts[1]
    raise InputError(f"a pair is a prediction and a gold query, not {type(pair).__name__} {pair!r:.60}")


def _awaited(checker: Checker, pred: str, gold: str, outcome: _Outcome) -> Verdict:
    return checker._await(pred, gold, outcome)  # noqa: SLF001 - two halves of its check


def _json(verdict: Verdict, indent: int | None) -> str:
    from equiv.records.verdict_json import said_by, to_json

    return to_json(said_by(verdict), indent)


def _text(verdict: Verdict) -> str:
    from equiv.show.verdicts import text_of

    return text_of(verdict)


def _html(verdict: Verdict) -> str:
    from equiv.show.notebook import notebook

    return notebook(verdict)


writers.json, writers.text, writers.html = _json, _text, _html
