"""The engine for one schema in one process: reads queries, holds what tiers keep, gives verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.query import Broken, Query, with_hint
from equiv.core.texts import clash
from equiv.dialects.crossing.dialect import Crossed, readers_of
from equiv.dialects.crossing.sides import given_side
from equiv.dialects.protocol import UsersDatabase
from equiv.dialects.registry import dialect_of
from equiv.engine.driver import decide
from equiv.engine.finish import (
    comparable,
    finish,
    told_apart_by_types,
    with_columns,
)
from equiv.facts import Fact, Facts
from equiv.relation import Relation, resolve_relation
from equiv.tiers.outcome import Opener, Settler
from equiv.tiers.witness import replay_elsewhere
from equiv.verdict import (
    FURTHER_FACTS,
    PROVERS,
    Attempt,
    Binding,
    Equivalent,
    FailureCode,
    Invalid,
    NotEquivalent,
    Reason,
    Tier,
    Undecided,
    Verdict,
    may_be_conditional,
)

if TYPE_CHECKING:
    from equiv.dialects.protocol import Reader, Session
    from equiv.engine.conditions import ConditionSearch

_KEPT_QUERIES = 256
_PYTHONS = frozenset(("bird", "spider", "rose"))
"""Relations of scripts that compare the values of Python, to which a boolean is a number."""


class Engine:
    """Decides pairs on one schema under one set of facts.

    Args:
        schema: the schema.
        facts: the facts in force.
        dropped: facts that were given up because the populated database violates them.
        relation: a name of :data:`equiv.relation.RELATION_NAMES`.
        effort: the number of databases that generation may try.
        tiers: the tiers after ``parse``, in order.
        backstop: what must fail to break a proof; by default the refuting ones of the tiers.
        confirm: proves again what the rules derive; None: nothing does.
        conditions: looks for facts under which a pair would be equivalent; None: nothing does.
        rounding_shows: whether a difference by rounding alone counts where the engine shows it.
        live_prepare: whether the populated database has the last word on what is no query.
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
        backstop: Sequence[Settler] | None = None,
        confirm: Settler | None = None,
        conditions: ConditionSearch | None = None,
        rounding_shows: bool = False,
        live_prepare: bool = False,
    ) -> None:
        self.schema = schema
        self.facts = facts
        self.dropped = dropped
        self.relation = relation
        self.effort = effort
        self.tiers = tuple(tiers)
        self.backstop = self.tiers if backstop is None else tuple(backstop)
        self._confirm = confirm
        self._conditions = conditions
        self._rounding_shows = rounding_shows
        self._live_prepare = live_prepare
        self._dialect = dialect_of(schema)
        self._empty = self._dialect.engine.empty(schema)
        self._readers = readers_of(self._dialect)
        self._queries: dict[tuple[Reader, str], Query | Broken] = {}

    def check(self, pred_sql: str, gold_sql: str, *, elsewhere: bool = True) -> Verdict:
        """The verdict on one pair; never raises for anything that the two texts hold.

        Args:
            pred_sql: the prediction.
            gold_sql: the gold query.
            elsewhere: whether another version of the engine, if there is one, runs a witness, too.
        """
        start = perf_counter()
        gold = self.read(gold_sql, gold=True)
        pred = self.read(pred_sql)
        verdict = _with_texts(self._check(pred, gold, start), pred, gold)
        if isinstance(pred, Query) and isinstance(gold, Query):
            verdict = with_columns(verdict, (pred.sql, gold.sql), self._empty)
        texts = pred_sql, gold_sql
        remarks = [
            each
            for one in dict.fromkeys(self._readers)
            for each in one.remarks(pred, gold, self.schema, texts)
        ]
        replayed = replay_elsewhere(verdict, self._dialect, texts) if elsewhere else ()
        said = (*remarks, *verdict.remarks, *replayed)
        return replace(verdict, remarks=said, dialect=self.schema.dialect, queries=(pred_sql, gold_sql))

    def _check(self, pred: Query | Broken, gold: Query | Broken, start: float) -> Verdict:
        parsing = Attempt(Tier.PARSE, "passed", "", (perf_counter() - start) * 1000)
        relation = resolve_relation(self.relation, gold_orders=isinstance(gold, Query) and gold.orders)

        def unsupported(detail: str) -> Undecided:
            return Undecided(
                relation=relation,
                facts_dropped=self.dropped,
                attempts=(parsing,),
                reason=Reason.UNSUPPORTED,
                detail=detail,
            )

        for side, query in (("gold query", gold), ("prediction", pred)):
            if isinstance(query, Broken) and query.cause == "WITHHELD":
                return unsupported(f"{side}: Table: {query.message}")
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
        if why := clash((*pred.parameters, *gold.parameters)):
            return unsupported(f"Parameter: {why}")
        if why := _types_apart(pred, gold):
            return unsupported(f"Parameter: {why}")
        own_types = pred.types, gold.types
        pair = self.pair(*self.compared(pred, gold, relation), relation)
        found = self._decided(pair, parsing)
        if isinstance(found, Equivalent) and own_types[0] != own_types[1]:
            # Stricter relations may tell true from 1.
            found = replace(found, strongest=relation)
        return finish(
            found, pair, dropped=self.dropped, effort=self.effort, tiers=self.tiers, refuters=self.backstop
        )

    def _decided(self, pair: Pair, parsing: Attempt) -> Verdict:
        """What the tiers say of a pair; if they do not, by which unstated settings there would be a proof."""
        found = decide(
            pair,
            self.tiers,
            self.effort,
            self.dropped,
            (parsing,),
            backstop=self.backstop,
            confirm=self._confirm,
            fewest=True,
        )
        taken = pair.taken_settings
        if not isinstance(found, Undecided) or found.reason is not Reason.NO_PROOF or pair.for_proofs is pair:
            return found
        held = replace(pair, facts=Facts((*pair.facts, *taken)))
        provers = [tier for tier in self.tiers if tier.tier in PROVERS]
        proved = taken and isinstance(decide(held, provers, self.effort, backstop=()), Equivalent)
        names = " and ".join(f"the setting {fact.columns[0]}" for fact in taken)
        why = f"it hangs on {names}, which neither schema nor fact states"
        return replace(found, detail=why) if proved else found

    def complete(self, verdict: Verdict, pred_sql: str, gold_sql: str) -> Verdict:
        """A verdict of :meth:`check` with the facts under which the pair would be equivalent, if wanted."""
        if self._conditions is None or not isinstance(verdict, NotEquivalent | Undecided):
            return verdict
        pred, gold = self.read(pred_sql), self.read(gold_sql, gold=True)
        if not may_be_conditional(verdict) or not isinstance(pred, Query) or not isinstance(gold, Query):
            return verdict
        start = perf_counter()
        relation = verdict.relation
        pair = self.pair(*self.compared(pred, gold, relation), relation)
        found = self._conditions.find(pair, verdict)
        outcome = "settled" if found else "passed"
        spent = Attempt(Tier.PROOF, outcome, FURTHER_FACTS, (perf_counter() - start) * 1000)
        return replace(verdict, equivalent_if=found, attempts=(*verdict.attempts, spent))

    def pair(self, pred: Query, gold: Query, relation: Relation) -> Pair:
        """The pair of two queries, as rounding counts here."""
        return Pair(pred, gold, self.schema, self.facts, relation, rounding_shows=self._rounding_shows)

    def compared(self, pred: Query, gold: Query, relation: Relation) -> tuple[Query, Query]:
        """Both queries, with what their engines tell apart and the core does not told apart."""
        if self.schema.sides:
            pred, gold = comparable(pred, gold)
        return told_apart_by_types(pred, gold, relation, alike=self.relation in _PYTHONS)

    def compares_cells(self, pred: Query, gold: Query, relation: Relation) -> bool:
        """Whether results are equal if their cells are: their engines tell no more values apart."""
        found = self.compared(pred, gold, relation)
        known = zip(found, (pred, gold), strict=True)
        return not any(one.apart or one.unsupported != given.unsupported for one, given in known)

    def read(self, sql: str, *, gold: bool = False) -> Query | Broken:
        """A query, kept for the next predictions of the same question.

        Args:
            sql: its text.
            gold: whether it is a gold query, which may be of a dialect of its own.
        """
        reader = self._readers[gold]
        if (reader, sql) not in self._queries:
            if len(self._queries) >= _KEPT_QUERIES:
                self._queries.pop(next(iter(self._queries)))
            found = reader.read(sql, self.schema, self._empty)
            self._queries[reader, sql] = with_hint(self._by_data(sql, found, gold=gold), sql)
        return self._queries[reader, sql]

    def _by_data(self, sql: str, found: Query | Broken, *, gold: bool) -> Query | Broken:
        """What is read, or what the populated database makes of a text that the empty one refuses."""
        if not isinstance(found, Broken) or not self._live_prepare or not self._is_of_data(gold=gold):
            return found
        if (data := self.open()) is None:
            return found
        given = given_side(data)
        return given.prepared(sql, found) if isinstance(given, UsersDatabase) else found

    def _is_of_data(self, *, gold: bool) -> bool:
        """Whether a query is of the dialect that the populated database is of."""
        return not isinstance(self._dialect, Crossed) or self._dialect.given == gold

    def open(self) -> Session | None:
        """The populated database, opened once, for which the first pair would else wait; None without one."""
        found = (tier.open(self._dialect) for tier in self.backstop if isinstance(tier, Opener))
        return next(found, None)

    def close(self) -> None:
        """Close the connections of the engine."""
        self._empty.close()


def _with_texts(verdict: Verdict, pred: Query | Broken, gold: Query | Broken) -> Verdict:
    """The verdict, its evidence with the texts that were run if these are not the texts as given."""
    if not isinstance(verdict, NotEquivalent | Undecided) or verdict.evidence is None:
        return verdict
    if not isinstance(pred, Query) or not isinstance(gold, Query) or not (pred.asked or gold.asked):
        return verdict
    binding = verdict.evidence.binding or Binding((), pred.sql, gold.sql)
    if isinstance(verdict, NotEquivalent):
        return replace(verdict, evidence=replace(verdict.evidence, binding=binding))
    return replace(verdict, evidence=replace(verdict.evidence, binding=binding))


def _types_apart(pred: Query, gold: Query) -> str:
    """Why a parameter may have other values in one query than in the other, or ''."""
    one, other = (dict(zip(q.parameters, q.parameter_types, strict=False)) for q in (pred, gold))
    for name in one.keys() & other.keys():
        if one[name] != other[name]:
            return f"{name} is of {one[name]} here and of {other[name]} there"
    return ""
