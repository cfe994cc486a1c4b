"""Tier ``proof``: both queries as written become sums of terms, shown equal term by term.

No rewrite rule has a part in it, so that it confirms or contradicts what the rules say.

Each statement of a proof is tried on generated databases before it is believed. That is the part of the
backstop that looks inside. Databases on which both queries answer alike still show a claim that is false
of some of their rows, a query that was mistranslated, a normal form that lost a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from sqlglot import exp

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.terms import Answer
from equiv.algebra.text import VariableLabels, page_of, text_of
from equiv.algebra.translate.query import translate
from equiv.algebra.trials import Trials, rows_of_answer, try_statements
from equiv.algebra.world import Meter, RewriteStep, Stated, TooMuchWorkError, World
from equiv.answers.compare import same_bag, same_set
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.functions.texts import clocks_that_change
from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.query import Query, UnsupportedError
from equiv.core.runner import Guarded, Limits, Result
from equiv.core.texts import values_for
from equiv.facts import Fact, FactKind, Facts, Grade, Watched
from equiv.generate.database import Database
from equiv.generate.plan import databases
from equiv.names import fold
from equiv.proof.match.answers import Match, equivalent, form_of
from equiv.relation import Relation, Rows
from equiv.smt.logic import ContradictionError
from equiv.smt.prover import BUDGET, Z3Prover, Z3Solver, budget_for
from equiv.tiers.bindings import bind, bindings
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.tiers.witness import Bench
from equiv.verdict import OUR_BUG, Proof, Reason, Tier

DATABASES = 6
"""How many databases a proof is tried on."""

MAX_SIZE = 20
"""Databases of more rows than this are skipped: they show little more of single rows, and cost much."""

MAX_CHOICES = 40
"""How many choices of rows each statement is tried on, a database."""

_LOOKED_AT = 2
"""Of so many databases for each that is wanted, the small ones are taken."""

PATIENCE = 20_000
"""How many rows are looked at for one value: of a product of many tables nothing is said."""

CAPS = Limits(seconds=1.0, rows=2_000, bytes=1024 * 1024)
"""The limits of one query on a generated database."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as the algebra reads it: as translated, or in normal form."""

    sql: str
    answer: Answer
    columns: tuple[int, ...]
    """For each column of the answer, that of the query, from 0."""
    as_set: bool
    """Whether the answer keeps no more than which rows there are."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a proof: readings of both queries, statements, applications of rewrites."""

    readings: tuple[Reading, ...]
    """Both queries as written, where that can be translated, then as rules left them, then in normal form."""
    stated: tuple[Stated, ...]
    applied: tuple[RewriteStep, ...] = ()
    """Each application of a rewrite in both normal forms."""


class Trial:
    """Tries proofs on databases of one schema after the other.

    Args:
        count: the number of databases for each proof.
        thorough: whether each step of the normal form is tried by itself.
    """

    def __init__(self, count: int = DATABASES, *, thorough: bool = False) -> None:
        self._count = count
        self._thorough = thorough
        self._bench: tuple[Schema, Facts, Bench] | None = None

    def run(self, pair: Pair, steps: Steps) -> tuple[Trials, str]:
        """The trials of a proof, and a line on a statement that broke, '' if none did."""
        return run_on(self._evaluators(pair), steps, thorough=self._thorough)

    def _evaluators(self, pair: Pair) -> Iterator[tuple[Guarded, Evaluator]]:
        bench = self._bench_for(pair)
        # Each binding reads the pair anew, and has databases of its own.
        count = max(2, self._count // 3) if pair.has_parameters else self._count
        for values in bindings(pair, self._count) if pair.has_parameters else ({},):
            bound = bind(pair, values) if values else pair
            for number, database in enumerate(islice(_small(bound, count), count)):
                if bench.load(bound, database):
                    evaluator = Evaluator.of(bench.engine.connection, pair.schema, values=values)
                    evaluator.patience = PATIENCE
                    # What is a symbol to the proof may be any function, and is another one by turns.
                    with clocks_that_change(change=number % 2 == 1):
                        yield bench.engine, evaluator

    def _bench_for(self, pair: Pair) -> Bench:
        known = self._bench
        if known is not None and known[0] is pair.schema and known[1] is pair.facts:
            return known[2]
        if known is not None:
            known[2].close()
        self._bench = pair.schema, pair.facts, Bench(pair.schema, pair.facts)
        return self._bench[2]


def _small(pair: Pair, count: int) -> Iterator[Database]:
    """The small ones among the first generated databases of a pair that the facts about tables allow."""
    for database in databases(pair, _LOOKED_AT * count):
        if database.size <= MAX_SIZE and pair.occupied <= database.tables.keys():
            yield database


def run_on(
    databases: Iterable[tuple[Guarded, Evaluator]], steps: Steps, *, thorough: bool = True
) -> tuple[Trials, str]:
    """The trials of an attempt on databases, each with its evaluator: see :meth:`Trial.run`."""
    total = Trials()
    stated = _chosen(steps, thorough=thorough)
    for engine, evaluator in databases:
        tried = try_statements(stated, evaluator, MAX_CHOICES)
        total.add(tried)
        if tried.broken:
            broken = tried.broken[0]
            return total, f"{broken.stated.by} is false for {broken.choice}"
        wrong = _misread(engine, evaluator, steps.readings)
        if wrong:
            return total, f"not what SQLite returns for {' '.join(wrong.split())[:120]}"
    return total, ""


def _misread(engine: Guarded, evaluator: Evaluator, readings: Iterable[Reading]) -> str:
    """The first query that the algebra reads otherwise than SQLite, or ''.

    Where SQLite rounds on the way of a query as written, a form of it that needs no rounding is right.
    """
    rounded: set[str] = set()
    for reading in readings:
        if reading.sql in rounded:
            continue
        # The algebra first: what takes it too long, a product of many tables, would take SQLite long too.
        rows = rows_of_answer(reading.answer, evaluator)
        if evaluator.rounded:
            rounded.add(reading.sql)
        if rows is not None and not _is_returned(rows, reading, engine, evaluator):
            return reading.sql
    return ""


def _chosen(steps: Steps, *, thorough: bool) -> list[Stated]:
    """Each statement once; single steps of a normal form are seen in its result."""
    stated = [each for each in steps.stated if thorough or not each.is_rewrite]
    if thorough:
        stated += [each for step in steps.applied if (each := step.stated) is not None]
    return list({each.statement: each for each in stated}.values())


def _is_returned(rows: Sequence[Row], reading: Reading, engine: Guarded, evaluator: Evaluator) -> bool:
    """Whether SQLite returns the rows that the algebra computes for a query, or takes too long."""
    result = engine.run(reading.sql, CAPS, values_for(reading.sql, evaluator.values))
    if not isinstance(result, Result):
        return True
    returned = [tuple(row[column] for column in reading.columns) for row in result.rows]
    return (same_set if reading.as_set else same_bag)(rows, returned)


@dataclass(frozen=True, slots=True)
class ProofAttempt:
    """An attempt at a proof: outcome and steps, before the trial on databases."""

    outcome: Proved | Open
    steps: Steps | None = None
    """The steps of the attempt, proved or not; None if it ended before the match."""
    work: int = 0
    """How many steps it took."""
    is_cut_off: bool = False
    """Whether it ended because it may take no more."""


def prove_alone(pair: Pair, budget: int = BUDGET) -> Proved | Open:
    """The outcome of an attempt at a proof: see :func:`attempt`."""
    return attempt(pair, budget).outcome


def attempt(
    pair: Pair,
    budget: int = BUDGET,
    solver: Z3Solver | None = None,
    *,
    strictest: bool = True,
    limit: int | None = None,
) -> ProofAttempt:
    """Try to prove a pair equivalent without any rewrite rule; the strictest relation that is shown is told.

    Args:
        pair: both queries, the schema, the facts and the relation.
        budget: the solver's resource units for each claim.
        solver: decides claims; other attempts at the same pair may share it.
        strictest: whether stricter relations than that of the pair are tried first.
        limit: how many steps it may take; None: as many as it wants.

    Returns:
        The proof, with the facts that it rests on; or why there is none.
    """
    if pair.unsupported:
        return ProofAttempt(Open(Reason.UNSUPPORTED, pair.unsupported))
    if pair.pred.columns != pair.gold.columns:
        return ProofAttempt(Open())
    if pair.sums_apart:
        what = "AggFunc: a sum that rounds, in an order of rows that is left open"
        return ProofAttempt(Open(Reason.UNSUPPORTED, what))
    assert pair.pred.tree is not None
    assert pair.gold.tree is not None
    world = World(pair.schema, pair.facts, meter=Meter(limit))
    prover = Z3Prover(world, budget, solver=solver)
    try:
        pred, gold = translate(pair.pred.tree, world), translate(pair.gold.tree, world)
        match = equivalent(pred, gold, pair.relation, world, prover, strictest=strictest)
    except UnsupportedError as error:
        return ProofAttempt(Open(Reason.UNSUPPORTED, str(error)))
    except ContradictionError as error:
        return ProofAttempt(Open(Reason.NO_PROOF, str(error)))
    except TooMuchWorkError:
        return ProofAttempt(Open(), work=world.meter.done, is_cut_off=True)
    steps = Steps(
        (*_readings(pair, (pred, gold)), *_matched(pair, match)),
        tuple(world.stated),
        tuple(world.steps),
    )
    return ProofAttempt(Open() if match is None else _proved(pair, match), steps, world.meter.done)


def _uncut(pair: Pair) -> Pair:
    """The pair without the LIMIT and OFFSET that both queries end in alike, if a parameter is in these.

    Two queries whose sorted rows are the same lists, whichever way ties are broken, have the same rows from
    some number on, up to another: whatever numbers, NULL or negative ones a parameter is.
    """
    trees = [query.tree for query in (pair.pred, pair.gold)]
    cuts = [[tree.args.get(name) for name in ("limit", "offset")] for tree in trees if tree is not None]
    if len(cuts) < 2 or cuts[0] != cuts[1] or not any(c and c.find(exp.Parameter) for c in cuts[0]):
        return pair
    if any(tree is None or tree.args.get("order") is None for tree in trees):
        return pair
    whole = []
    for query in (pair.pred, pair.gold):
        assert query.tree is not None
        tree = query.tree.copy()
        tree.set("limit", None)
        tree.set("offset", None)
        whole.append(replace(query, tree=tree, core_text=to_sql(tree)))
    return replace(pair, pred=whole[0], gold=whole[1], relation=replace(pair.relation, rows=Rows.LIST))


def _proved(pair: Pair, match: Match) -> Proved:
    facts = tuple(dict.fromkeys((*match.world.used, *pair.facts_of_sums)))
    forms = [page_of(form) for form in match.forms]
    pred_names, gold_names = (tuple(step.rewrite for step in side) for side in match.steps)
    proof = Proof(forms[0], forms[1], _lines(match), match.obligations, pred_names, gold_names)
    return Proved(proof, facts, match.relation, _on_both_sides(match) - {*pair.facts_of_sums})


def _on_both_sides(match: Match) -> frozenset[Fact]:
    """The facts of steps that both normal forms took, less those of other steps and those of arithmetic."""
    mine, theirs = (Counter((step.rewrite, step.facts) for step in side) for side in match.steps)
    alike, single = mine & theirs, (mine - theirs) + (theirs - mine)
    return frozenset(fact for fact in _facts_in(alike) if fact.table) - frozenset(_facts_in(single))


def _facts_in(steps: Iterable[tuple[str, tuple[Fact, ...]]]) -> Iterator[Fact]:
    return (fact for _, facts in steps for fact in facts)


def normalised(pair: Pair) -> tuple[tuple[RewriteStep, ...], tuple[RewriteStep, ...]]:
    """The steps by which the algebra normalises each query of a pair by itself.

    Raises:
        UnsupportedError: a query is outside what the algebra models.
    """
    pred, gold = (_steps_of(query, pair) for query in (pair.pred, pair.gold))
    return pred, gold


def _steps_of(query: Query, pair: Pair) -> tuple[RewriteStep, ...]:
    if query.unsupported is not None:
        raise UnsupportedError(query.unsupported.node, query.unsupported.why)
    assert query.tree is not None
    world = World(pair.schema, pair.facts)
    form_of(translate(query.tree, world), pair.relation.rows, world, Z3Prover(world))
    return tuple(step for step in world.steps if not step.aside)


def _readings(pair: Pair, answers: tuple[Answer, Answer]) -> Iterator[Reading]:
    """Both queries as translated, to be tried."""
    plain = tuple(range(pair.gold.columns))
    for query, answer in zip((pair.pred, pair.gold), answers, strict=True):
        yield Reading(query.core_sql, answer, plain, as_set=False)


def _matched(pair: Pair, match: Match | None) -> Iterator[Reading]:
    """Both queries in the forms that were matched, to be tried."""
    if match is not None:
        as_set = match.relation.rows is Rows.SET
        yield Reading(pair.pred.core_sql, match.forms[0], tuple(range(pair.gold.columns)), as_set)
        yield Reading(pair.gold.core_sql, match.forms[1], match.columns, as_set)


def _lines(match: Match) -> tuple[str, ...]:
    """The correspondences of a match, a line each."""
    labels = VariableLabels(*match.forms)
    lines = [
        f"{text_of(pairing.left, labels)}  =  {text_of(pairing.right, labels)}" for pairing in match.pairings
    ]
    columns = match.columns
    if columns != tuple(range(len(columns))):
        lines.append("columns: " + ", ".join(f"{n + 1} = {c + 1}" for n, c in enumerate(columns)))
    return tuple(lines or ("each set of rows is included in the other",))


class ProofTier:
    """Settles as equivalent what the algebra and the solver show to be equal on every allowed database."""

    tier = Tier.PROOF

    def __init__(self, trial: Trial | None = None, watch: Callable[[Steps], None] | None = None) -> None:
        """Make the tier.

        Args:
            trial: what a proof must withstand before it is given; None: nothing.
            watch: is shown what each attempt went through, whether it proved anything or not.
        """
        self._trial = trial
        self._watch = watch
        self._case: _Case | None = None

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Try to prove a pair equivalent; the strictest relation that is shown on the way is reported.

        The effort bounds the steps of the solver for each claim; 0 stands for the default.
        """
        pair = _uncut(pair)
        made = self._made(pair, effort)
        if isinstance(made.outcome, Open):
            made = self._made_from_fewer(pair, effort, made)
        return self._withstood(pair, made)

    def _withstood(self, pair: Pair, made: ProofAttempt) -> TierOutcome:
        """The outcome of an attempt, its steps tried on databases."""
        if made.steps is None:
            return made.outcome
        if self._watch is not None:
            self._watch(made.steps)
        if isinstance(made.outcome, Proved) and self._trial is not None:
            broken = self._trial.run(pair, made.steps)[1]
            if broken:
                return Open(Reason.CONFLICT, f"a step of the proof is false: {broken}; {OUR_BUG}")
        return made.outcome

    def make_again(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether a pair is proved from its facts, without trying the steps: for facts that may be spared."""
        return self._made(_uncut(pair), effort, strictest=False).outcome

    def show_again(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of :meth:`settle` without tries from fewer facts, which take several times as long.

        Stricter relations are tried all the same: names in a shown proof depend on all that was tried before.
        """
        pair = _uncut(pair)
        return self._withstood(pair, self._made(pair, effort))

    def _made_from_fewer(self, pair: Pair, effort: int, failed: ProofAttempt) -> ProofAttempt:
        """An attempt from fewer facts that proves the pair; the failed one if none does.

        A fact steers the normal form of each query, and may lead two that were one apart.  What is proved
        from fewer facts holds under more.
        """
        if failed.steps is None:
            return failed
        left = MORE_WORK * failed.work
        for facts in _fewer(pair, failed.steps):
            made = self._made(replace(pair, facts=facts), effort)
            if isinstance(made.outcome, Proved):
                return made
            left -= made.work
            if left < 0:
                break
        return failed

    def _made(self, pair: Pair, effort: int, *, strictest: bool = True) -> ProofAttempt:
        if self._case is None or not self._case.is_of(pair):
            self._case = _Case(pair)
        return self._case.attempt(pair, budget_for(effort) if effort else BUDGET, strictest=strictest)


@dataclass(frozen=True, slots=True)
class _Made:
    """An attempt, and what it was made from: it would be the same from facts that answer as these did."""

    relation: Relation
    budget: int
    strictest: bool
    facts: Watched
    attempt: ProofAttempt

    def serves(self, pair: Pair, budget: int, *, strictest: bool) -> bool:
        """Whether it is what an attempt at the pair would be, or says as much.

        An attempt looks at queries, schema, facts, relation and budget, and asks for each fact that it looks
        at.  It tries relations of rows, the strictest first, up to the first that it shows.
        """
        if (self.relation.columns, self.budget) != (pair.relation.columns, budget):
            return False
        return self._tried(pair.relation.rows, strictest=strictest) and self.facts.answered_as(pair.facts)

    def _tried(self, rows: Rows, *, strictest: bool) -> bool:
        if not self.strictest:
            return rows is self.relation.rows and (rows is Rows.LIST or not strictest)
        outcome = self.attempt.outcome
        if isinstance(outcome, Proved):
            return (outcome.strongest or self.relation).rows.implies(rows)
        return rows.implies(self.relation.rows)


MORE_WORK = 6
"""Attempts from fewer facts may take so many times the steps of the one that failed, all together."""

STEERING = (FactKind.UNIQUE, FactKind.NOT_NULL)
"""The kinds of facts without which a proof that failed is tried again."""


def _fewer(pair: Pair, failed: Steps) -> Iterator[Facts]:
    """The facts of a pair without some that steered an attempt that failed.

    Left out are all of a kind, each key by itself, and those that speak of a generated column, which is read
    as its expression only if no fact but a CHECK speaks of it; whoever vouches for them, and however often.
    In the end all of a kind are left out of which one steered it, since others may steer what is left.
    """
    steered = dict.fromkeys(fact for step in failed.applied for fact in step.facts)
    of_kinds = [[fact for fact in steered if fact.kind is kind] for kind in STEERING]
    keys = [[fact] for fact in of_kinds[0]]
    whole = [list(pair.facts.of(kind)) for kind, own in zip(STEERING, of_kinds, strict=True) if own]
    generated = {(fold(t.name), fold(c.name)) for t in pair.schema.tables for c in t.columns if c.generated}
    computed = [fact for fact in pair.facts if fact.kind is not FactKind.CHECK and fact.places & generated]
    tried: list[set[Fact]] = []
    for dropped in (*of_kinds, computed, *keys, *whole):
        if dropped and set(dropped) not in tried:
            tried.append(set(dropped))
            promises = {replace(fact, grade=Grade.ASSUMED) for fact in dropped}
            yield Facts(fact for fact in pair.facts if replace(fact, grade=Grade.ASSUMED) not in promises)


_MORE = 2000
"""A proof from fewer facts may take twice as many steps as the one that there is, and so many more."""


@dataclass
class _Case:
    """The state that attempts at one pair share, whatever facts each has: the solver, and attempts made."""

    pair: Pair
    solver: Z3Solver = field(default_factory=Z3Solver)
    made: list[_Made] = field(default_factory=list)

    def is_of(self, pair: Pair) -> bool:
        """Whether a pair has the same queries and the same schema."""
        mine = self.pair
        return pair.pred is mine.pred and pair.gold is mine.gold and pair.schema is mine.schema

    def attempt(self, pair: Pair, budget: int, *, strictest: bool) -> ProofAttempt:
        """An attempt at the pair; what would end as one that was made is not made again.

        Args:
            pair: its queries and schema are those of the case.
            budget: the solver's resource units for each claim.
            strictest: whether stricter relations are tried first.
        """
        for each in reversed(self.made):
            if each.serves(pair, budget, strictest=strictest):
                return each.attempt
        facts = Watched(pair.facts)
        limit = None if strictest else self._limit
        made = attempt(replace(pair, facts=facts), budget, self.solver, strictest=strictest, limit=limit)
        if not made.is_cut_off:
            self.made.append(_Made(pair.relation, budget, strictest, facts, made))
        return made

    @property
    def _limit(self) -> int | None:
        """How many steps an attempt from fewer facts may take; None if there is no proof of the pair."""
        works = [each.attempt.work for each in self.made if isinstance(each.attempt.outcome, Proved)]
        return 2 * max(works) + _MORE if works else None
