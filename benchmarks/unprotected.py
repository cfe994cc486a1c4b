"""Rules and proof asked directly about pairs that need not be equivalent, and what they prove attacked.

No refuting tier comes before them and none stands behind them: a wrong proof counts here even where the
verdict would be saved.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from types import FrameType
from typing import Any

from benchmarks.attack import golden_file
from benchmarks.near.hardening import COPIES, MANY, hardened, softened
from benchmarks.provers_alone import Kept, RulesAlone
from equiv.answers.answers import Finding, find
from equiv.answers.pair import Pair
from equiv.engine.driver import decide
from equiv.engine.engine import Engine
from equiv.query.read import Query
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.normalise import RuleSet
from equiv.schema.violations import FactChecker
from equiv.tiers.bench import CAPS
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Outcome, Proved, Refuted, Settler
from equiv.tiers.proof import ProofTier
from equiv.tiers.witness import replay
from equiv.verdict import Difference, Equivalent, Witness
from rules import RULES

PROVERS = ("equiv.algebra", "equiv.proof", "equiv.smt")
"""The packages that a proof goes through."""

SAMPLED = 3
"""Of so many proofs that the rules do not find, one is made again to see which functions it goes through."""

SECONDS = 0.5
"""How much processor time one question may take unless told: the few that take more would take most of it."""

ASKED = (Rows.SET, Rows.SET, Rows.BAG, Rows.LIST, Rows.LIST)
"""The relations that are asked about first, each as often as it stands here."""


@dataclass(slots=True)
class Findings:
    """What came of asking about some pairs; findings add up."""

    pairs: int = 0
    """Pairs that were asked about: both queries are in the modelled subset."""
    unread: int = 0
    """Pairs of which a text is no query, or is not modelled."""
    proved: Counter[str] = field(default_factory=Counter)
    """Proofs by tier and the strongest relation that it claims."""
    databases: int = 0
    """How many databases the proofs were attacked with."""
    hardened: int = 0
    """How many databases were made of one that tells an easier pair apart."""
    traced: int = 0
    """How many proofs were made again to see how they are made."""
    reached: Counter[str] = field(default_factory=Counter)
    """In how many of those proofs each function of the prover was called."""
    given_up: int = 0
    """Questions that took longer than :data:`SECONDS`."""
    crashed: list[str] = field(default_factory=list)
    """Errors that a tier raised, each with its pair."""
    broken: list[str] = field(default_factory=list)
    """Wrong proofs, as golden files."""

    def add(self, other: dict[str, Any]) -> None:
        """Add what :meth:`to_json` wrote."""
        self.pairs += other["pairs"]
        self.unread += other["unread"]
        self.proved.update(other["proved"])
        self.databases += other["databases"]
        self.hardened += other["hardened"]
        self.given_up += other["given_up"]
        self.traced += other["traced"]
        self.reached.update(other["reached"])
        self.crashed += other["crashed"]
        self.broken += other["broken"]

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


class _TooLongError(Exception):
    """A question takes too long."""


class _TimeLimit:
    """Raises :class:`_TooLongError` once so much processor time is used, and each half second until stopped.

    The handler of a signal may run at any step of the program, those that stop the limit among them:
    stopping is one assignment, after which nothing is raised.
    """

    def __init__(self, seconds: float) -> None:
        self._on = True
        signal.signal(signal.SIGVTALRM, self._give_up)
        sys.unraisablehook = _note_unraisable  # the signal may come while a destructor runs; it comes again
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.5)

    def _give_up(self, number: int, frame: object) -> None:
        del number, frame
        if self._on:
            raise _TooLongError

    def stop(self) -> None:
        self._on = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _note_unraisable(args: sys.UnraisableHookArgs) -> None:
    if not isinstance(args.exc_value, _TooLongError):
        sys.__unraisablehook__(args)


@dataclass(frozen=True, slots=True)
class Asking:
    """How much is asked and tried."""

    effort: int
    """How many databases attack a proof."""
    seconds: float = SECONDS
    """How much processor time one question may take."""
    sampled: int = SAMPLED
    """Of so many proofs that the rules do not find, one is traced."""


class Attacker:
    """Asks the proving tiers of an engine about pairs, and attacks what they prove.

    Args:
        engine: reads queries; its proving tiers are asked.
        seed: of what is drawn at random: the relation and the proofs that are traced.
        asking: how much is asked and tried.
    """

    def __init__(self, engine: Engine, seed: int, asking: Asking) -> None:
        self._engine = engine
        self._asking = asking
        self._random = Random(seed)
        self._provers: tuple[Settler, ...] = (RulesAlone(Kept(RuleSet(RULES))), ProofTier())
        self.found = Findings()

    @cached_property
    def _generator(self) -> GenerateTier:
        return GenerateTier(self._engine.schema, self._engine.facts)

    @cached_property
    def _checker(self) -> FactChecker:
        return FactChecker(self._engine.schema, self._engine.facts)

    def ask(self, name: str, pred_sql: str, gold_sql: str) -> bool:
        """Ask about one pair; whether it was proved."""
        pred, gold = self._engine.read(pred_sql), self._engine.read(gold_sql)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            self.found.unread += 1
            return False
        if pred.tree is None or gold.tree is None:
            self.found.unread += 1
            return False
        self.found.pairs += 1
        columns = Columns.ANY if self._random.random() < 0.1 else Columns.ORDERED
        relation = Relation(self._random.choice(ASKED), columns)
        pair = Pair(pred, gold, self._engine.schema, self._engine.facts, relation)
        claims: dict[Relation, list[Settler]] = {}
        for tier in self._provers:
            for claim in self._claims(tier, pair):
                claims.setdefault(claim, []).append(tier)
        by_rules = any(self._provers[0] in tiers for tiers in claims.values())
        if claims and not by_rules and self._random.random() < 1 / self._asking.sampled:
            self._trace(self._provers[-1], pair)
        for claim, tiers in claims.items():
            self._attack(name, replace(pair, relation=claim), tiers)
        return bool(claims)

    def _claims(self, tier: Settler, pair: Pair) -> Iterator[Relation]:
        """The relations that a tier claims, each the strictest that one question brings.

        The pair's relation is asked about first, the others only where that is answered.
        """
        claimed: list[Relation] = []
        for rows in dict.fromkeys((pair.relation.rows, *Rows)):
            if not claimed and rows is not pair.relation.rows:
                break
            relation = replace(pair.relation, rows=rows)
            if any(each.rows is Rows.LIST for each in claimed) and self._random.random() < 0.8:
                continue
            outcome = self._answer(tier, replace(pair, relation=relation))
            if isinstance(outcome, Proved):
                claimed.append(outcome.strongest or relation)
        if claimed:
            strongest = min(claimed, key=lambda each: list(Rows).index(each.rows))
            self.found.proved[f"{tier.tier} {strongest}"] += 1
        for each in dict.fromkeys(claimed):
            if not any(other != each and other.implies(each) for other in claimed):
                yield each

    def _answer(self, tier: Settler, pair: Pair) -> Outcome | None:
        """What a tier says; None if it takes too long."""
        limit = _TimeLimit(self._asking.seconds)
        try:
            try:
                return tier.settle(pair, 0)
            finally:
                limit.stop()
        except Exception as error:  # noqa: BLE001 - whatever a prover raises is told with its pair
            limit.stop()  # the time may be up while it is being stopped
            if "_TooLongError" in f"{error!r}":
                self.found.given_up += 1  # ctypes wraps what the signal raises in its conversions
                return None
            text = f"{type(error).__name__}: {error}\n{pair.pred.sql}\n----\n{pair.gold.sql}"
            self.found.crashed.append(f"# {tier.tier} raises {text}")
        return None

    def _trace(self, tier: Settler, pair: Pair) -> None:
        """Count the functions of the prover that a proof goes through."""
        seen: set[object] = set()
        called: set[str] = set()

        def note(frame: FrameType, event: str, arg: object) -> None:
            del arg
            code = frame.f_code
            if event == "call" and code not in seen:
                seen.add(code)
                module = frame.f_globals.get("__name__", "")
                if module.startswith(PROVERS):
                    called.add(f"{module}.{code.co_qualname}")

        sys.setprofile(note)
        try:
            tier.settle(pair, 0)
        finally:
            sys.setprofile(None)
        self.found.traced += 1
        self.found.reached.update(called)

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> None:
        self.found.databases += self._asking.effort
        outcome = self._generator.settle(pair, self._asking.effort)
        if not isinstance(outcome, Refuted):
            outcome = self._hardened(pair)
        if isinstance(outcome, Refuted):
            for tier in tiers:
                verdict = decide(pair, [tier], 0)
                if isinstance(verdict, Equivalent):
                    self.found.broken.append(golden_file(pair, pair.relation, name, verdict, outcome))

    def _hardened(self, pair: Pair) -> Refuted | None:
        """A refutation by a database that tells the pair apart with easy conditions in place of hard ones."""
        texts = [softened(query.sql) for query in (pair.pred, pair.gold)]
        if texts == [pair.pred.sql, pair.gold.sql]:
            return None
        pred, gold = map(self._engine.read, texts)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            return None
        easy = Pair(pred, gold, pair.schema, pair.facts, pair.relation)
        outcome = self._generator.settle(easy, self._asking.effort)
        if not isinstance(outcome, Refuted) or not isinstance(outcome.evidence, Witness):
            return None
        many = f"> {MANY}" in pair.pred.sql + pair.gold.sql
        for copies in (COPIES, 1) if many else (1,):
            script = hardened(outcome.evidence.sql, pair, copies)
            self.found.hardened += 1
            if script and self._tells_apart(script, pair):
                return Refuted(Witness(script, (), ()), Difference.VALUES)
        return None

    def _tells_apart(self, script: str, pair: Pair) -> bool:
        engine = replay(script)
        try:
            if not self._checker.holds(engine.connection):
                return False
            exact = pair.exact_arithmetic
            found = find(engine, *pair.plans, pair.relation, CAPS, exact_arithmetic=exact)
            return found is Finding.APART
        finally:
            engine.close()
