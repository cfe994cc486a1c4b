"""Rules and proof asked directly about pairs that need not be equivalent, and what they prove attacked.

No refuting tier comes before them and none stands behind them: a wrong proof counts here even where the
verdict would be saved.
"""

from __future__ import annotations

import re
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from types import FrameType
from typing import Any

from sqlglot import exp

from benchmarks.attack import golden_file
from benchmarks.near_conditions import HARD
from equiv.answers import Finding, find
from equiv.driver import decide
from equiv.engine import Engine
from equiv.normalise import Normalised, RuleSet, normalise
from equiv.pair import Pair
from equiv.query import Query
from equiv.relation import Columns, Relation, Rows
from equiv.rule import Context
from equiv.schema.render import create_statements
from equiv.schema.violations import FactChecker
from equiv.tiers.generate import CAPS, GenerateTier
from equiv.tiers.outcome import Outcome, Proved, Refuted, Settler
from equiv.tiers.proof import ProofTier
from equiv.tiers.rules import RulesTier
from equiv.verdict import Difference, Equivalent, Witness
from equiv.witness import replay
from rules import RULES

SAMPLED = 6
"""Of so many proofs one is made again to see which functions it goes through."""

COPIES = 45
"""How many copies of each row are made where a count stands against :data:`MANY`."""

SECONDS = 4.0
"""How long one question may take."""

MANY = 40
ASKED = (Rows.SET, Rows.SET, Rows.BAG, Rows.LIST, Rows.LIST)
"""The relations that are asked about first, each as often as it stands here."""


class _Kept:
    """Normal forms under the rules, each made once: a pure function of tree and relation."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._forms: dict[tuple[int, Rows, bool], tuple[exp.Expression, Normalised]] = {}

    def of(self, tree: exp.Expression, pair: Pair, rows: Rows, *, trace: bool) -> Normalised:
        key = (id(tree), rows, trace)
        if key not in self._forms:
            if len(self._forms) > 500:
                self._forms.clear()
            context = Context(pair.schema, pair.facts, rows)
            self._forms[key] = tree, normalise(tree, self._rules, context, trace=trace)
        return self._forms[key][1]


class _Rules(RulesTier):
    """The tier with its normal forms kept."""

    def __init__(self, kept: _Kept) -> None:
        super().__init__(kept._rules)
        self._kept = kept

    def _normal(
        self, tree: exp.Expression, pair: Pair, relation: Relation, *, trace: bool = False
    ) -> Normalised:
        if relation.columns is Columns.ANY:
            return super()._normal(tree, pair, relation, trace=trace)
        return self._kept.of(tree, pair, relation.rows, trace=trace)


class _Proofs(ProofTier):
    """The tier with its normal forms kept."""

    def __init__(self, kept: _Kept) -> None:
        super().__init__(kept._rules)
        self._kept = kept

    def _normal(self, tree: exp.Expression, pair: Pair, rows: Rows, *, trace: bool = False) -> Normalised:
        return self._kept.of(tree, pair, rows, trace=trace)


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
        self.broken += other["broken"]

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


class _TooLongError(Exception):
    """A question takes too long."""


def _give_up(number: int, frame: object) -> None:
    del number, frame
    raise _TooLongError


class Attacker:
    """Asks the proving tiers of an engine about pairs, and attacks what they prove.

    Args:
        engine: reads queries; its proving tiers are asked.
        effort: how many databases attack a proof.
        seed: of what is drawn at random: the relation and the proofs that are traced.
    """

    def __init__(self, engine: Engine, effort: int, seed: int) -> None:
        self._engine = engine
        self._effort = effort
        self._random = Random(seed)
        kept = _Kept(RuleSet(RULES))
        self._provers: tuple[Settler, ...] = (_Rules(kept), _Proofs(kept))
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
        if not (isinstance(pred, Query) and isinstance(gold, Query)) or pred.tree is None or gold.tree is None:
            self.found.unread += 1
            return False
        self.found.pairs += 1
        columns = Columns.ANY if self._random.random() < 0.1 else Columns.ORDERED
        pair = Pair(pred, gold, self._engine.schema, self._engine.facts, Relation(self._random.choice(ASKED), columns))
        claims = {claim: tier for tier in self._provers for claim in self._claims(tier, pair)}
        for claim, tier in claims.items():
            self._attack(name, replace(pair, relation=claim), tier)
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
        if claimed and self._random.random() < 1 / SAMPLED:
            self._trace(tier, pair)
        yield from (each for each in dict.fromkeys(claimed) if not any(c != each and c.implies(each) for c in claimed))

    def _answer(self, tier: Settler, pair: Pair) -> Outcome | None:
        """What a tier says; None if it takes too long."""
        signal.signal(signal.SIGALRM, _give_up)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            return tier.settle(pair, 0)
        except _TooLongError:
            self.found.given_up += 1
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

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
                if module.startswith(("equiv.algebra", "equiv.smt")):
                    called.add(f"{module}.{code.co_qualname}")

        sys.setprofile(note)
        try:
            tier.settle(pair, 0)
        finally:
            sys.setprofile(None)
        self.found.traced += 1
        self.found.reached.update(called)

    def _attack(self, name: str, pair: Pair, tier: Settler) -> None:
        self.found.databases += self._effort
        outcome = self._generator.settle(pair, self._effort)
        if not isinstance(outcome, Refuted):
            outcome = self._hardened(pair)
        if isinstance(outcome, Refuted):
            verdict = decide(pair, [tier], 0)
            assert isinstance(verdict, Equivalent)
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
        outcome = self._generator.settle(easy, self._effort)
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


def softened(sql: str) -> str:
    """A query with easy conditions in place of hard ones."""
    for column, hard, easy in HARD:
        pattern = re.escape(hard).replace(r"\$", rf'([\w."]*{column}"?)')
        sql = re.sub(pattern, lambda m, easy=easy: easy.replace("$", m[1]), sql)
    return sql.replace(f"> {MANY}", "> 1")


_HARDENING = {
    "hard_i": ("= 1", "5 + 97 * rowid", "6"),
    "hard_t": ("= 'a'", "'zq' || rowid || '9'", "'b'"),
    "hard_d": ("= '2020-01-01'", "'2020-02-29'", "'2020-01-01'"),
}
"""For each hard column: when the easy condition holds, then a value for the hard one, and one against it."""


def hardened(script: str, pair: Pair, copies: int) -> str:
    """A database on which hard conditions hold where easy ones did, with so many copies of each row; '' if it fails."""
    try:
        engine = replay(script)
    except sqlite3.Error:
        return ""
    connection = engine.connection
    try:
        present = {str(row[0]).lower() for row in connection.execute("SELECT name FROM sqlite_master")}
        tables = [table for table in pair.schema.tables if table.name.lower() in present]
        missing = [table.name for table in pair.schema.tables if table.name.lower() not in present]
        for statement in create_statements(pair.schema, missing) if missing else ():
            connection.execute(statement)
        for table in tables:
            for column, (easy, met, unmet) in _HARDENING.items():
                if table.column(column) is not None:
                    value = f"CASE WHEN {column} {easy} THEN {met} WHEN {column} IS NOT NULL THEN {unmet} END"
                    connection.execute(f"UPDATE {table.name} SET {column} = {value}")
        for table in tables:
            names = [c.name for c in table.columns if not c.generated]
            alias = table.rowid_alias
            values = [f"{name} + {{0}}" if name == alias else name for name in names]
            copied = f"INSERT OR IGNORE INTO {table.name} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table.name} WHERE rowid <= {{1}}"
            top = connection.execute(f"SELECT MAX(rowid) FROM {table.name}").fetchone()[0] or 0
            for number in range(1, copies):
                connection.execute(copied.format(number * 97 * (top + 1), top))
        return "\n".join(line for line in connection.iterdump() if not line.startswith(("BEGIN", "COMMIT")))
    except sqlite3.Error:
        return ""
    finally:
        engine.close()
