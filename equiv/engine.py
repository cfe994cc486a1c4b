"""The engine for one schema in one process: reads queries, holds what tiers keep, gives verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from equiv.driver import decide
from equiv.execute import Guarded, open_memory
from equiv.pair import Pair
from equiv.query import Broken, Query, read_query
from equiv.relation import resolve_relation
from equiv.schema.facts import Fact, Facts
from equiv.schema.model import Schema
from equiv.schema.render import create_statements
from equiv.tiers.outcome import Settler
from equiv.verdict import Attempt, FailureCode, Invalid, Reason, Tier, Undecided, Verdict

_KEPT_QUERIES = 256


class Engine:
    """Decides pairs on one schema under one set of facts.

    Args:
        schema: the schema.
        facts: the facts in force.
        dropped: facts that were given up because the populated database violates them.
        relation: a name of :data:`equiv.relation.RELATION_NAMES`.
        effort: the number of databases that generation may try.
        tiers: the tiers after ``parse``, in order.
    """

    def __init__(
        self,
        schema: Schema,
        facts: Facts,
        dropped: tuple[Fact, ...],
        *,
        relation: str,
        effort: int,
        tiers: Sequence[Settler],
    ) -> None:
        self.schema = schema
        self.facts = facts
        self.dropped = dropped
        self.relation = relation
        self.effort = effort
        self.tiers = tuple(tiers)
        self._probe = _empty_database(schema)
        self._queries: dict[str, Query | Broken] = {}

    def check(self, pred_sql: str, gold_sql: str) -> Verdict:
        """The verdict on one pair; never raises for anything that the two texts hold."""
        start = perf_counter()
        gold = self.read(gold_sql)
        pred = self.read(pred_sql)
        parsing = Attempt(Tier.PARSE, "passed", "", (perf_counter() - start) * 1000)
        relation = resolve_relation(self.relation, gold_orders=isinstance(gold, Query) and gold.orders)
        if isinstance(gold, Broken):
            return Undecided(
                relation=relation,
                tier=None,
                facts_dropped=self.dropped,
                attempts=(parsing,),
                reason=Reason.GOLD_INVALID,
                detail=gold.message,
                failure_code=FailureCode(f"GOLD_{gold.cause}"),
            )
        if isinstance(pred, Broken):
            return Invalid(
                relation=relation,
                tier=Tier.PARSE,
                facts_dropped=self.dropped,
                attempts=(Attempt(Tier.PARSE, "settled", "", parsing.ms),),
                failure_code=FailureCode(f"PRED_{pred.cause}"),
                message=pred.message,
            )
        pair = Pair(pred, gold, self.schema, self.facts, relation)
        return decide(pair, self.tiers, self.effort, self.dropped, (parsing,))

    def read(self, sql: str) -> Query | Broken:
        """A query, kept for the next predictions of the same question."""
        if sql not in self._queries:
            if len(self._queries) >= _KEPT_QUERIES:
                self._queries.pop(next(iter(self._queries)))
            self._queries[sql] = read_query(sql, self.schema, self._probe.connection)
        return self._queries[sql]

    def close(self) -> None:
        """Close the connections of the engine."""
        self._probe.close()


def _empty_database(schema: Schema) -> Guarded:
    engine = open_memory()
    for statement in create_statements(schema):
        engine.connection.execute(statement)
    engine.seal()
    return engine
