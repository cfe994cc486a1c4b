"""The possible answers of a query on a database, and whether those of two queries are disjoint.

A query's arithmetic is done once more by the functions of :mod:`equiv.answers.exact`, which fail where the
facts in force are broken.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, partial
from itertools import chain, groupby
from math import prod

from sqlglot import exp

from equiv.answers.choices import CHOOSE, CHOSEN, RANDOM, laid_open
from equiv.answers.compare import Answers, disjoint, same_bag, same_possibilities, same_result
from equiv.answers.exact import BEGIN, MET_LONG, computes, exact, sums_in_any_order
from equiv.answers.representatives import folds_text
from equiv.cells import Cell, Row
from equiv.core.claims.choices import is_plain_text, limits, ranked, reads_the_clock, require_own_collation
from equiv.core.model import Context, Schema
from equiv.core.printing import to_sql
from equiv.core.query import Opaque, Query, Unsupported
from equiv.core.runner import Failure, Guarded, Limits, Result
from equiv.facts import FactKind, Facts
from equiv.names import fold, quoted
from equiv.relation import Relation

QUICK_RUNS = 12
"""How often random choices are made while looking for a difference."""

CAREFUL_RUNS = 60
"""How often they are made before a tie is shown."""

THOROUGH_RUNS = 200
"""How often they are made before a difference is believed; fewer would make that less certain."""

_MAX_OUTCOMES = 4


class DatabaseFinding(Enum):
    """The comparison of two queries' possible answers on one database."""

    APART = "apart"
    """No possible answer of one is a possible answer of the other."""
    TIED = "tied"
    """The possible answers differ, yet one may be common to both: a free choice decides."""
    SAME = "same"
    """The same possible answers, as far as can be seen."""
    ROUNDED = "rounded"
    """Apart in the engine's arithmetic, in whatever order REALs are added, and not once nothing rounds."""
    FAILED = "failed"
    """A query failed or hit a limit."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The facts about arithmetic that hold while a query runs; with none, SQLite's own arithmetic is used."""

    exact: bool
    bounded: bool
    decimal: bool = False
    """Whether a long REAL that is stored stands for its notation, and not for a number nearby."""
    shuffled: bool = False
    """Whether REALs are added up in an order that is drawn for each sum, where they round."""

    def __bool__(self) -> bool:
        return self.exact or self.bounded or self.shuffled


_SQLITES = Arithmetic(exact=False, bounded=False)


class AnswerPlan:
    """A query with the rewrites that expose its free choices, on databases that keep some facts.

    Attributes:
        sql: the query's own text, as the core's runner takes it.
        orders: whether the order of its rows counts.
        opaque: why free choices cannot be laid open, or '' if they can.
    """

    def __init__(self, query: Query, schema: Schema, facts: Facts) -> None:
        self.sql = query.core_sql
        self.columns = query.columns
        self._tree = query.tree
        self.orders = query.orders
        self._context = Context(schema, facts)
        self._randomised: exp.Expression | None = None
        self.window: tuple[int, int | None] = (0, None)
        self.opaque = self._find_opaque(query.unsupported)

    def _find_opaque(self, unsupported: Unsupported | None) -> str:
        if self._tree is None:
            return (
                ""
                if is_plain_text(self.sql, self._context.schema)
                else str(unsupported or "query: not resolved")
            )
        try:
            self.window = limits(self._tree)
            self._randomised = laid_open(self._tree, self._context)
            if self.orders:
                require_own_collation(self._tree, self._context)
                ranked(self._randomised or self._tree)
        except Opaque as reason:
            return str(reason)
        return ""

    @property
    def is_plain(self) -> bool:
        """Whether one run of the query's own text shows every possible answer."""
        return self._tree is None or not (self.orders or self.has_choices or self.window != (0, None))

    @property
    def is_fixed(self) -> bool:
        """Whether two runs on the same rows must return the same: no choice, no LIMIT, no clock."""
        open_ended = self.opaque or self.has_choices or self.window != (0, None)
        return not open_ended and not self.reads_the_clock

    @property
    def has_choices(self) -> bool:
        """Whether there are choices below the top level."""
        return self._tree is not None and self._randomised is not None

    @cached_property
    def tables_alone(self) -> frozenset[str] | None:
        """The tables that it reads, if it has no row without one and reads nothing but tables; else None.

        Where these are empty, it has no two rows between which anything could choose.
        """
        if (
            self._tree is None
            or self.reads_the_clock
            or self._tree.find(exp.SetOperation, exp.Values, exp.With)
        ):
            return None
        found: set[str] = set()
        for select in self._tree.find_all(exp.Select):
            source = select.args.get("from_")
            if source is None or select.args.get("laterals"):
                return None
            for each in (source, *(select.args.get("joins") or ())):
                table = (
                    self._context.schema.table(each.this.name) if isinstance(each.this, exp.Table) else None
                )
                if table is None:
                    return None
                found.add(table.name)
        return frozenset(found)

    @cached_property
    def reads_the_clock(self) -> bool:
        """Whether the query mentions the current time."""
        return self._tree is not None and reads_the_clock(self._tree)

    @cached_property
    def folds_text(self) -> bool:
        """Whether cells may be equal under a collation and yet not the same."""
        return self._tree is not None and folds_text(self._tree, self._context)

    @cached_property
    def computes(self) -> bool:
        """Whether rounding or an overflow may show."""
        return self._tree is not None and computes(self._tree)

    @cached_property
    def adds_reals(self) -> bool:
        """Whether a sum may depend on the order in which REALs are added."""
        schema, facts = self._context.schema, self._context.facts
        rounding = Context(schema, facts.without(facts.of(FactKind.EXACT_ARITHMETIC)))
        return self._tree is not None and sums_in_any_order(self._tree, rounding) is None

    @cached_property
    def ranked_sql(self) -> str:
        """The query with open choices and the rank of each row's tied group as last column."""
        return to_sql(ranked(self._laid_open))

    @cached_property
    def exact_sql(self) -> str:
        """The text with free choices exposed, in exact arithmetic."""
        return to_sql(ranked(exact(self._laid_open)))

    @cached_property
    def bounded_sql(self) -> str:
        """The text with free choices exposed, in arithmetic that rounds and notices integer overflow."""
        return to_sql(ranked(exact(self._laid_open, rounds=True)))

    @property
    def _laid_open(self) -> exp.Expression:
        assert self._tree is not None
        return self._tree if self._randomised is None else self._randomised


@dataclass(slots=True)
class Noted:
    """The answers that plans gave on a database that does not change: the same under every relation."""

    met_long: bool | None = None
    _outcomes: dict[tuple[AnswerPlan, Arithmetic], Outcomes | Failure] = field(default_factory=dict)

    def of(
        self, plan: AnswerPlan, arithmetic: Arithmetic, answer: Callable[[], Outcomes | Failure]
    ) -> Outcomes | Failure:
        """The kept answers of a plan, else those that it gives now."""
        found = self._outcomes.get((plan, arithmetic))
        if found is None:
            found = self._outcomes[plan, arithmetic] = answer()
        return found


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The different answers seen, and how often the rarest of them."""

    seen: tuple[Answers, ...]
    rarest: int
    is_complete: bool = False
    """Whether every choice was made in its turn, so that there is no other answer."""

    @property
    def is_determined(self) -> bool:
        return len(self.seen) == 1 and self.seen[0].is_determined


def ties(engine: Guarded, plan: AnswerPlan, caps: Limits) -> bool:
    """Whether a top-level LIMIT cuts through tied rows that differ."""
    if plan.opaque or plan.is_plain:
        return False
    found = outcomes(engine, plan, caps, runs=1)
    return not isinstance(found, Failure) and not found.seen[0].is_determined


def cut_tie(engine: Guarded, plan: AnswerPlan, caps: Limits) -> tuple[int, int] | None:
    """How many rows the top-level LIMIT takes of how many tied ones, if that leaves the answer open.

    None also where choices below the top level would make the numbers a matter of chance.
    """
    if plan.opaque or plan.has_choices or plan.window == (0, None):
        return None
    found = outcomes(engine, plan, caps, runs=1)
    return None if isinstance(found, Failure) else found.seen[0].cut


def other_answer(
    engine: Guarded, plan: AnswerPlan, rows: Sequence[Row], caps: Limits, *, ordered: bool
) -> Sequence[Row] | None:
    """Another answer that a plan's query may give than these rows; None if none is known.

    Known are answers whose choices were made each in its turn, or at random where a query sorts tied rows in
    one place alone, if the given one is among them.
    """
    if plan.opaque or plan.is_plain:
        return None
    found = outcomes(engine, plan, caps, runs=THOROUGH_RUNS)
    if isinstance(found, Failure):
        return None
    # Places that choose apart from one another may choose what no engine does.
    if plan.has_choices and not found.is_complete and fold(plan.ranked_sql).count(f"{RANDOM}(") != 1:
        return None
    choices = [choice for answers in found.seen for choice in answers.choices() or ()]
    ways = [[row for group in choice for row in group] for choice in choices]
    others = [way for way in ways if not same_bag(way, rows)]
    if len(others) == len(ways):
        return None
    turned = ([row for group in choice for row in reversed(group)] for choice in choices)
    in_order = (way for way in (*ways, *turned) if ordered and way != list(rows))
    return next(chain(others, in_order), None)


def outcomes(
    engine: Guarded,
    plan: AnswerPlan,
    caps: Limits,
    *,
    runs: int,
    arithmetic: Arithmetic = _SQLITES,
    known: Result | None = None,
) -> Outcomes | Failure:
    """The possible answers that are found by running a plan's query; the Failure of a query that fails.

    All choices are tried if there are at most ``runs`` of them, else ``runs`` random ones.

    Args:
        known: what the query's own text has just returned there, if that is known.
    """
    if plan.is_plain and not arithmetic:
        result = known or engine.run(plan.sql, caps)
        if isinstance(result, Failure):
            return result
        return Outcomes((Answers((result.rows,)),), 1)
    sql = _sql(plan, arithmetic)

    def answer(run: int) -> Answers | Failure:
        if arithmetic:
            facts = (arithmetic.exact, arithmetic.bounded, arithmetic.decimal, run)
            engine.connection.execute(f"SELECT {BEGIN}(?, ?, ?, ?)", facts).close()
        result = engine.run(sql, caps)
        return result if isinstance(result, Failure) else _grouped(result.rows, plan.window)

    is_shuffled = arithmetic.shuffled and plan.adds_reals
    if plan.has_choices and not is_shuffled:
        found = _by_every_choice(engine, partial(answer, 0), runs)
        if found is not None:
            return found
    counts: Counter[Answers] = Counter()
    for run in range(runs if plan.has_choices or is_shuffled else 1):
        each = answer(run)
        if isinstance(each, Failure):
            return each
        counts[each] += 1
    return Outcomes(tuple(counts), min(counts.values()))


def _by_every_choice(
    engine: Guarded, answer: Callable[[], Answers | Failure], most: int
) -> Outcomes | Failure | None:
    """The answers to which the choices of a query lead, each made in its turn; None if there are more ways.

    The rows stay, and with them the order in which a query makes its choices: they are a tree, whose
    branches are walked.
    """
    seen: dict[Answers, None] = {}
    chosen: list[int] = []
    try:
        for way in range(most):
            engine.connection.execute(f"SELECT {CHOOSE}(?)", (json.dumps(chosen),)).close()
            each = answer()
            if isinstance(each, Failure):
                return each
            seen[each] = None
            made = engine.connection.execute(f"SELECT {CHOSEN}()").fetchone()[0]
            if made is None:
                return None
            open_ended = json.loads(made)
            if not way and prod(number for _, number in open_ended) > most:
                return None
            while open_ended and open_ended[-1][0] == open_ended[-1][1] - 1:
                open_ended.pop()
            if not open_ended:
                return Outcomes(tuple(seen), most, is_complete=True)
            chosen = [place for place, _ in open_ended]
            chosen[-1] += 1
        return None
    finally:
        engine.connection.execute(f"SELECT {CHOOSE}(NULL)").close()


def _sql(plan: AnswerPlan, arithmetic: Arithmetic) -> str:
    if arithmetic.exact or arithmetic.shuffled:
        return plan.exact_sql
    return plan.bounded_sql if arithmetic.bounded else plan.ranked_sql


def _grouped(rows: Sequence[Row], window: tuple[int, int | None]) -> Answers:
    """Rows that end with their rank, as tied groups."""

    def rank(row: Row) -> int:
        last = row[-1]
        assert isinstance(last, int)
        return last

    groups = groupby(sorted(rows, key=rank), key=rank)
    return Answers(tuple(tuple(sorted((r[:-1] for r in g), key=repr)) for _, g in groups), *window)


def find(
    engine: Guarded,
    pred: AnswerPlan,
    gold: AnswerPlan,
    relation: Relation,
    caps: Limits,
    *,
    runs: int = QUICK_RUNS,
    exact_arithmetic: bool = True,
    no_overflow: bool = True,
    rounding_shows: bool = False,
    results: tuple[Result | None, Result | None] = (None, None),
    noted: Noted | None = None,
) -> DatabaseFinding:
    """The finding of the engine's database about two queries with equally many columns.

    What SQLite shows must also show in arithmetic that keeps the facts that are in force: a query that
    cannot be computed within them fails there.

    Args:
        rounding_shows: whether a difference is looked for that comes from rounding alone, whatever exact
            arithmetic makes of the database.
        results: what the queries' own texts have just returned there, if that is known.
        noted: what they answered before on the same database.
    """
    noted = noted or Noted()
    if pred.opaque or gold.opaque:
        return _on_no_rows(engine, (pred, gold), relation, caps)

    def under(arithmetic: Arithmetic) -> DatabaseFinding:
        found = []
        for plan, known in ((pred, results[0]), (gold, results[1])):
            kind = arithmetic if plan.computes else _SQLITES
            answer = partial(outcomes, engine, plan, caps, runs=runs, arithmetic=kind, known=known)
            found.append(noted.of(plan, kind, answer))
        return _shown((pred, gold), found, relation, runs)

    finding = under(_SQLITES)
    arithmetic = Arithmetic(exact_arithmetic, no_overflow)
    if finding is not DatabaseFinding.APART or not arithmetic or not (pred.computes or gold.computes):
        return finding
    found = under(arithmetic)
    if found is DatabaseFinding.APART and exact_arithmetic:
        if noted.met_long is None:  # a stored REAL of more digits than decimals have
            noted.met_long = bool(engine.connection.execute(f"SELECT {MET_LONG}()").fetchone()[0])
        if noted.met_long:
            # 26.69999999999999 is a number of its own, and where it was computed maybe 26.7: both must tell.
            found = under(replace(arithmetic, decimal=True))
    if found is DatabaseFinding.APART or not exact_arithmetic:
        return found
    if not rounding_shows:
        return DatabaseFinding.ROUNDED if found is DatabaseFinding.SAME else found
    # One order of rows is not another's: what a sum's last digit decides is a choice of the engine's.
    shown = under(Arithmetic(exact=False, bounded=no_overflow, shuffled=True))
    return DatabaseFinding.ROUNDED if shown is DatabaseFinding.APART else found


def _on_no_rows(
    engine: Guarded, plans: tuple[AnswerPlan, AnswerPlan], relation: Relation, caps: Limits
) -> DatabaseFinding:
    """What two queries return where they have no rows to choose from; TIED where they have some."""
    read = {name for plan in plans for name in plan.tables_alone or ()}
    some = (engine.connection.execute(f"SELECT 1 FROM {quoted(name)} LIMIT 1").fetchone() for name in read)
    if any(plan.tables_alone is None for plan in plans) or any(some):
        return DatabaseFinding.TIED
    pred, gold = (engine.run(plan.sql, caps) for plan in plans)
    if isinstance(pred, Failure) or isinstance(gold, Failure):
        return DatabaseFinding.FAILED
    same = same_result(pred.rows, gold.rows, relation)
    return DatabaseFinding.SAME if same else DatabaseFinding.APART


def _shown(
    plans: tuple[AnswerPlan, AnswerPlan], found: Sequence[Outcomes | Failure], relation: Relation, runs: int
) -> DatabaseFinding:
    """What the outcomes of two queries show about them."""
    pred, gold = found
    if isinstance(pred, Failure) or isinstance(gold, Failure):
        return DatabaseFinding.FAILED
    if any(plan.folds_text for plan in plans):
        pred, gold = _folded(pred), _folded(gold)
    apart = all(disjoint(p, g, relation) for p in pred.seen for g in gold.seen)
    if apart and _is_exhausted(pred, runs) and _is_exhausted(gold, runs):
        return DatabaseFinding.APART
    if apart or not same_possibilities(pred.seen, gold.seen, relation):
        return DatabaseFinding.TIED
    return DatabaseFinding.SAME


def _folded(found: Outcomes) -> Outcomes:
    """Outcomes whose texts are one under any collation: what then still differs, differs under each."""
    return replace(found, seen=tuple(answers.mapped(_fold) for answers in found.seen))


def _fold(cell: Cell) -> Cell:
    return cell.lower().rstrip(" ") if isinstance(cell, str) else cell


def _is_exhausted(found: Outcomes, runs: int) -> bool:
    """Whether all answers have surely been seen: by every choice, or one only, or few and each often."""
    few = len(found.seen) <= _MAX_OUTCOMES and found.rarest >= runs // 10
    return found.is_complete or len(found.seen) == 1 or few


def explains(
    engine: Guarded,
    plan: AnswerPlan,
    caps: Limits,
    result: Result | None = None,
    arithmetic: Arithmetic = _SQLITES,
) -> bool:
    """Whether a result (by default that of the query's own text) is among the possible answers of its plan.

    Guards the rewrites themselves: a plan that does not explain the real result supports no verdict.
    """
    if plan.reads_the_clock or (plan.is_plain and result is None):
        return True
    found = engine.run(plan.sql, caps) if result is None else result
    foreseen = outcomes(engine, plan, caps, runs=CAREFUL_RUNS, arithmetic=arithmetic)
    if isinstance(found, Failure) or isinstance(foreseen, Failure):
        return False
    return any(_allows(answers, found.rows) for answers in foreseen.seen)


def _allows(answers: Answers, rows: Sequence[Row]) -> bool:
    choices = answers.choices()
    if choices is None:
        return len(rows) == answers.total
    return any(same_bag(rows, [row for group in choice for row in group]) for choice in choices)
