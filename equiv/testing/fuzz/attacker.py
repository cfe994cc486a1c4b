"""This module attacks rules and proof: both are asked about near misses, and proofs are tried on databases.

No refuting tier comes before them and none stands behind them: a wrong proof counts here even where the
verdict would be saved.  Databases that meet rare conditions are made from those for easier queries
(:func:`softened`); :class:`RulesAlone` keeps the normal forms of the few queries that many pairs share; and
each question to a prover has a limit of processor time.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random
from types import FrameType

from sqlglot import exp

from equiv.answers.answers import DatabaseFinding, find
from equiv.answers.pair import Pair
from equiv.core.model import Context, Table
from equiv.core.printing import key, to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.registry import reference
from equiv.engine.make import all_rules
from equiv.engine.pipeline import Engine, decide
from equiv.eval.suite.script import read_back
from equiv.names import fold, folded
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.normalise import Normalised, RuleSet, normalise
from equiv.schema.violations import FactChecker
from equiv.testing.fuzz.findings import Findings, error_file, golden_file
from equiv.testing.making.texts import HARD
from equiv.testing.schema_facts import write_script
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted, Settler, TierOutcome
from equiv.tiers.proof import ProofTier
from equiv.tiers.rules import RulesTier
from equiv.tiers.witness import CAPS, replay
from equiv.verdict import Derivation, Difference, Equivalent, Proof, Reason, Undecided, Verdict, Witness

Evidence = Derivation | Proof

PROVERS = ("equiv.algebra", "equiv.proof", "equiv.smt")
"""The packages that a proof goes through."""

SAMPLED = 3
"""Of so many proofs that the rules do not find, one is made again to see which functions it goes through."""

SECONDS = 0.5
"""How much processor time one question may take unless told: the few that take more would take most of it."""

OWN_ERRORS = (Reason.CONFLICT, Reason.INTERNAL, Reason.UNREPLAYED)
"""Reasons of an undecided pair that tell of an error of this program."""

ASKED = (Rows.SET, Rows.SET, Rows.BAG, Rows.LIST, Rows.LIST)
"""The relations that are asked about first, each as often as it stands here."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How much is asked and tried."""

    effort: int
    """How many databases attack a proof."""
    seconds: float = SECONDS
    """How much processor time one question may take."""
    sampled: int = SAMPLED
    """Of so many proofs that the rules do not find, one is traced; 0: none."""
    whole: int = 0
    """Of so many pairs, one is put to the whole engine as well; 0: none."""
    settings: int = 0
    """Under how many settings of the session, drawn for each database, a proof is tried there; 0: under the
    engine's own alone."""


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
        self._rules = RuleSet(all_rules())
        self._provers: tuple[Settler, ...] = (RulesAlone(KeptForms(self._rules)), ProofTier())
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
        if not (self.is_read(pred) and self.is_read(gold)):
            self.found.unread += 1
            return False
        self.found.pairs += 1
        pair = Pair(*self.paired(pred, gold), self._engine.schema, self._engine.facts, self.relation())
        claims: dict[Relation, dict[Settler, Evidence]] = {}
        for tier in self._provers:
            for claim, evidence in self._claims(tier, pair):
                claims.setdefault(claim, {})[tier] = evidence
        by_rules = any(self._provers[0] in tiers for tiers in claims.values())
        sampled = self._asking.sampled
        if claims and not by_rules and sampled and self._random.random() < 1 / sampled:
            self._trace(pair)
        for claim, tiers in claims.items():
            self._attack(name, replace(pair, relation=claim), list(tiers))
        if self._asking.whole and self._random.random() < 1 / self._asking.whole:
            self._decide(pred_sql, gold_sql)
        return bool(claims)

    def paired(self, pred: Query, gold: Query) -> tuple[Query, Query]:
        """Both queries as the provers are asked about them."""
        return pred, gold

    def is_read(self, query: Query) -> bool:
        """Whether the provers can be asked about a query."""
        return query.tree is not None

    def relation(self) -> Relation:
        """A relation drawn at random, to be asked about first."""
        columns = Columns.ANY if self._random.random() < 0.1 else Columns.ORDERED
        return Relation(self._random.choice(ASKED), columns)

    def ask_normal_form(self, name: str, sql: str) -> None:
        """Ask about a query and its normal form under the rules, if the two differ.

        A rule that goes wrong on two queries alike shows only here.
        """
        query = self._engine.read(sql)
        if isinstance(query, Query) and query.tree is not None:
            context = Context(self._engine.schema, self._engine.facts)
            normal = normalise(query.tree, self._rules, context).tree
            if key(normal) != key(query.tree):
                self.ask(f"{name}, normal form", sql, to_sql(normal))

    def _decide(self, pred_sql: str, gold_sql: str) -> None:
        """Note a verdict by which the engine owns to an error of its own."""
        self.found.decided += 1
        verdict = self._engine.check(pred_sql, gold_sql)
        self.note(verdict)
        if isinstance(verdict, Undecided) and verdict.reason in OWN_ERRORS:
            said = f"the engine says {verdict.reason} {verdict.detail}"
            rows = verdict.relation.rows
            self.found.crashed.append(error_file(said, self._engine, rows, (pred_sql, gold_sql)))

    def note(self, verdict: Verdict) -> None:
        """Take note of a verdict of the whole engine."""

    def _claims(self, tier: Settler, pair: Pair) -> Iterator[tuple[Relation, Evidence]]:
        """The relations that a tier claims, each the strictest that one question brings, with its evidence.

        The pair's relation is asked about first, the others only where that is answered.
        """
        claimed: dict[Relation, Evidence] = {}
        for rows in dict.fromkeys((pair.relation.rows, *Rows)):
            if not claimed and rows is not pair.relation.rows:
                break
            relation = replace(pair.relation, rows=rows)
            if any(each.rows is Rows.LIST for each in claimed) and self._random.random() < 0.8:
                continue
            outcome = self._answer(tier, replace(pair, relation=relation))
            if isinstance(outcome, Proved):
                claimed.setdefault(outcome.strongest or relation, outcome.evidence)
                self.found.fired.update(set(_parts(outcome.evidence)))
        if claimed:
            strongest = min(claimed, key=lambda each: list(Rows).index(each.rows))
            self.found.proved[f"{tier.tier} {strongest}"] += 1
        for each, evidence in claimed.items():
            if not any(other != each and other.implies(each) for other in claimed):
                yield each, evidence

    def _answer(self, tier: Settler, pair: Pair) -> TierOutcome | None:
        """What a tier says; None if it takes too long."""
        limit = _TimeLimit(self._asking.seconds)
        try:
            try:
                return tier.settle(pair.for_proofs, 0)
            finally:
                limit.stop()
        except Exception as error:  # noqa: BLE001 - whatever a prover raises is told with its pair
            limit.stop()  # the time may be up while it is being stopped
            if _TooLongError.__name__ in f"{error!r}":
                self.found.given_up += 1  # ctypes wraps what the signal raises in its conversions
                return None
            said = f"{tier.tier} raises {type(error).__name__}: {error}"
            texts = (pair.pred.sql, pair.gold.sql)
            self.found.crashed.append(error_file(said, self._engine, pair.relation.rows, texts))
        return None

    def _trace(self, pair: Pair) -> None:
        """Count the functions of the prover that a proof goes through; a tier keeps what it has made."""
        tier = ProofTier()
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
            tier.settle(pair.for_proofs, 0)
        finally:
            sys.setprofile(None)
        self.found.traced += 1
        self.found.reached.update(called)

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> None:
        """Attack a proof."""
        refuted = self.refuted(pair)
        if refuted is None:
            return
        for tier in tiers:
            verdict = decide(pair, [tier], 0)
            if isinstance(verdict, Equivalent):
                if is_excused(pair, refuted):
                    continue
                self.found.broken.append(golden_file(pair, pair.relation, name, verdict, refuted))

    def refuted(self, pair: Pair) -> Refuted | None:
        """A refutation of a pair by databases that are made for it."""
        self.found.databases += self._asking.effort
        outcome = self._generator.settle(pair, self._asking.effort) if self._asking.effort else None
        return outcome if isinstance(outcome, Refuted) else self._hardened(pair)

    def _hardened(self, pair: Pair) -> Refuted | None:
        """A refutation by a database that distinguishes the pair once hard conditions are made easy."""
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
        many = f"> {_MANY}" in pair.pred.sql + pair.gold.sql
        for copies in (_COPIES, 1) if many else (1,):
            script = _hardened(outcome.evidence.sql, pair, copies)
            self.found.hardened += 1
            if script and self._tells_apart(script, pair):
                return Refuted(Witness(script, (), ()), Difference.VALUES)
        return None

    def _tells_apart(self, script: str, pair: Pair) -> bool:
        played = replay(pair, script)
        try:
            if not self._checker.holds(played.core.connection):
                return False
            exact = pair.exact_arithmetic
            found = find(played.core, *pair.plans, pair.relation, CAPS, exact_arithmetic=exact)
            return found is DatabaseFinding.APART
        finally:
            played.close()


def is_excused(pair: Pair, refuted: Refuted) -> bool:
    """Whether rows only raise an error, of which each claim of the pair names a fact that excludes it."""
    return refuted.difference is Difference.ERROR and pair.facts_of_errors(()) != ()


def _parts(evidence: Evidence) -> Iterator[str]:
    """The names of the rules and rewrites that took part in a proof."""
    if isinstance(evidence, Proof):
        yield from (*evidence.pred_rewrites, *evidence.gold_rewrites)
    else:
        yield from (step.rule for step in (*evidence.pred_steps, *evidence.gold_steps))


_COPIES = 45
"""How many copies of each row are made where a count stands against :data:`_MANY`."""

_MANY = 40


def softened(sql: str) -> str:
    """A query with easy conditions in place of hard ones."""
    for column, hard, easy in HARD:
        pattern = re.escape(hard).replace(r"\$", rf'([\w."]*{column}"?)')
        sql = re.sub(pattern, partial(_in_place, easy), sql)
    return sql.replace(f"> {_MANY}", "> 1")


def _in_place(easy: str, found: re.Match[str]) -> str:
    return easy.replace("$", found[1])


_HARDENING = {
    "hard_i": ("= 1", "5 + 97 * rowid", "6"),
    "hard_t": ("= 'a'", "'zq' || rowid || '9'", "'b'"),
    "hard_d": ("= '2020-01-01'", "'2020-02-29'", "'2020-01-01'"),
}
"""For each hard column: when the easy condition holds, then a value for the hard one, and one against it."""


def _hardened(script: str, pair: Pair, copies: int) -> str:
    """A database, as a script, on which hard conditions hold where easy ones did; '' if there is none.

    Args:
        script: a database for the easy queries.
        pair: gives the schema.
        copies: how often each row is there afterwards, as far as keys let it.
    """
    try:
        engine = replay(pair, script)
    except RunnerError:
        return ""
    connection = engine.core.connection
    try:
        present = folded(str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master"))
        missing = [table.name for table in pair.schema.tables if fold(table.name) not in present]
        for statement in reference().create(pair.schema, missing) if missing else ():
            connection.execute(statement)
        for table in pair.schema.tables:
            _harden(table, connection)
            _copy(table, connection, copies)
        return write_script(read_back(connection, pair.schema), pair.schema)
    except RunnerError:
        return ""
    finally:
        engine.close()


def _harden(table: Table, connection: Connection) -> None:
    for column, (easy, met, unmet) in _HARDENING.items():
        if table.column(column) is not None:
            value = f"CASE WHEN {column} {easy} THEN {met} WHEN {column} IS NOT NULL THEN {unmet} END"
            connection.execute(f"UPDATE {table.name} SET {column} = {value}")


def _copy(table: Table, connection: Connection, copies: int) -> None:
    names = [column.name for column in table.columns if not column.generated]
    values = [f"{name} + {{0}}" if name == table.rowid_alias else name for name in names]
    top = connection.execute(f"SELECT MAX(rowid) FROM {table.name}").fetchone()[0] or 0
    for number in range(1, copies):
        shown = ", ".join(values).format(number * 97 * (top + 1))
        rows = f"SELECT {shown} FROM {table.name} WHERE rowid <= {top}"
        connection.execute(f"INSERT OR IGNORE INTO {table.name} ({', '.join(names)}) {rows}")


class KeptForms:
    """Normal forms under the rules, each made once: a pure function of tree and relation."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._forms: dict[tuple[int, Rows, bool], tuple[exp.Expression, Normalised]] = {}

    def of(self, tree: exp.Expression, pair: Pair, rows: Rows, *, trace: bool) -> Normalised:
        key = (id(tree), rows, trace)
        if key not in self._forms:
            if len(self._forms) > 500:
                self._forms.clear()
            context = Context(pair.schema, pair.facts, rows)
            self._forms[key] = tree, normalise(tree, self.rules, context, trace=trace)
        return self._forms[key][1]


class RulesAlone(RulesTier):
    """The tier with its normal forms kept."""

    def __init__(self, kept: KeptForms) -> None:
        super().__init__(kept.rules)
        self._kept = kept

    def _normal(
        self, tree: exp.Expression, pair: Pair, relation: Relation, *, trace: bool = False
    ) -> Normalised:
        if relation.columns is Columns.ANY:
            return super()._normal(tree, pair, relation, trace=trace)
        return self._kept.of(tree, pair, relation.rows, trace=trace)


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
        """Lift the time limit."""
        self._on = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _note_unraisable(args: sys.UnraisableHookArgs) -> None:
    if not isinstance(args.exc_value, _TooLongError):
        sys.__unraisablehook__(args)
