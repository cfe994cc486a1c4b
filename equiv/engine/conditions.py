"""Conditional equivalence: a smallest set of further facts under which a pair is proved equivalent.

Candidates are natural facts that the pair lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sqlglot import exp

from equiv.answers.exact import computes
from equiv.answers.pair import Pair
from equiv.core.claims.blocks import ancestry, base_column
from equiv.core.functions.table import function_of
from equiv.core.model import Column, Context, Domain, Table
from equiv.core.query import Query
from equiv.core.runner import RunnerError
from equiv.dialects.protocol import Session
from equiv.engine.granted import resting_on_settings
from equiv.engine.pipeline import decide
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.schema.violations import FactChecker, broken_in, facts_in
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import BACKSTOP_EFFORT, Refuted, Settler
from equiv.tiers.witness import CAPS, finding_on, replay
from equiv.verdict import Condition, Equivalent, Execution, NotEquivalent, Undecided, Witness

ColumnPlace = tuple[Table, Column]

_DATE = re.compile(r"(1[5-9]|20)\d\d(-\d\d(-\d\d)?)?[-%]*\Z")


def candidates(pair: Pair, dropped: Iterable[Fact] = ()) -> tuple[Fact, ...]:
    """Facts that are not in force and speak of what the queries read, most natural first.

    Args:
        pair: the pair; both queries have trees.
        dropped: facts that were given up because the given data violates them.
    """
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    ctx = Context(pair.schema, pair.facts)
    places: dict[tuple[str, str], ColumnPlace] = {}
    read: dict[Fact, None] = {}
    for tree in trees:
        for node in tree.find_all(exp.Column):
            place = base_column(node, ctx)
            if place is not None:
                places[place[0].name, place[1].name] = place
                read.update(dict.fromkeys(_by_use(node, place)))
    tables = [table.name for table in pair.tables_read]
    facts = [fact for fact in dropped if not fact.table or fact.table in tables]
    facts += [Fact(FactKind.NOT_EMPTY, Grade.ASSUMED, table) for table in tables]
    facts += [_fact(FactKind.NOT_NULL, place) for place in places.values()]
    facts += [_fact(FactKind.TYPE, p) for p in places.values() if p[1].domain is not Domain.ANY]
    facts += read
    for tree in trees:
        facts += [fact for node in tree.find_all(exp.EQ) for fact in _of_join(node, ctx)]
        facts += [fact for node in tree.find_all(exp.Select) for fact in _of_distinct(node, ctx)]
    if any(map(computes, trees)):
        facts += [Fact(kind, Grade.ASSUMED) for kind in (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW)]
    facts += pair.taken_settings
    known = {_place(fact) for fact in pair.facts}
    return tuple(fact for fact in dict.fromkeys(facts) if _place(fact) not in known)


def _fact(kind: FactKind, place: ColumnPlace) -> Fact:
    return Fact(kind, Grade.ASSUMED, place[0].name, (place[1].name,))


def _by_use(node: exp.Column, place: ColumnPlace) -> Iterator[Fact]:
    """What a text column holds, by what reads it."""
    if place[1].domain not in (Domain.TEXT, Domain.ANY):
        return
    for above in list(ancestry(node))[1:4]:
        literals = [part.name for part in above.find_all(exp.Literal) if part.is_string]
        function = function_of(above)
        reads_time = function is not None and function.reads_time
        reads_number = function is not None and function.reads_number
        if reads_time or any(_DATE.match(text) for text in literals):
            yield _fact(FactKind.ISO_DATE, place)
        if isinstance(above, exp.Cast) or reads_number:
            yield _fact(FactKind.NUMERIC_TEXT, place)
        if isinstance(above, exp.Predicate | exp.Select):
            return


def _of_join(node: exp.EQ, ctx: Context) -> Iterator[Fact]:
    """Keys and inclusions of two columns that a query compares."""
    if not isinstance(node.this, exp.Column) or not isinstance(node.expression, exp.Column):
        return
    sides = [base_column(side, ctx) for side in (node.this, node.expression)]
    left, right = sides
    if left is None or right is None:
        return
    for one, other in ((left, right), (right, left)):
        yield _fact(FactKind.UNIQUE, one)
        same = one[1].affinity is other[1].affinity and one[1].collation == other[1].collation
        if same and one != other:
            (table, column), (parent, key) = one, other
            yield Fact(
                FactKind.INCLUSION, Grade.ASSUMED, table.name, (column.name,), parent.name, (key.name,)
            )


def _of_distinct(node: exp.Select, ctx: Context) -> Iterator[Fact]:
    """That the columns that a SELECT DISTINCT puts out are a key."""
    if not node.args.get("distinct"):
        return
    outputs = [output.unalias() for output in node.expressions]
    by_table: dict[str, tuple[str, ...]] = {}
    for place in (base_column(output, ctx) for output in outputs if isinstance(output, exp.Column)):
        if place is not None:
            by_table[place[0].name] = (*by_table.get(place[0].name, ()), place[1].name)
    for table, columns in by_table.items():
        yield Fact(FactKind.UNIQUE, Grade.ASSUMED, table, columns)


MOST_PROOFS = 16
"""How often the provers are asked about one pair."""

_LEAST_NATURAL_FIRST = (
    FactKind.UNIQUE,
    FactKind.INCLUSION,
    FactKind.NUMERIC_TEXT,
    FactKind.ISO_DATE,
    FactKind.TYPE,
    FactKind.NOT_NULL,
    FactKind.NOT_EMPTY,
)


class ConditionSearch:
    """Looks for the facts that a pair would need.

    Args:
        provers: the tiers that settle as equivalent, in order.
        dropped: facts that were given up because the given data violates them.
        database: the populated database, if there is one.
    """

    def __init__(
        self, provers: Sequence[Settler], dropped: tuple[Fact, ...] = (), database: Path | None = None
    ) -> None:
        self._provers = tuple(provers)
        self._dropped = dropped
        self._database = database
        self._known: dict[Fact, bool | None] = {}
        """Whether the given data keeps the facts that were asked about."""
        self._found: dict[tuple[str, ...], tuple[Fact, ...]] = {}
        """What it was found to keep, by the tables that were looked at."""

    def find(self, pair: Pair, verdict: NotEquivalent | Undecided) -> tuple[Condition, ...]:
        """The conditions, none of which can be spared; empty if none were found.

        A set that the verdict's own database keeps, or under which a short run of generation refutes the
        pair, is a bug of a prover and is not reported.
        """
        if pair.pred.columns != pair.gold.columns or pair.pred.tree is None or pair.gold.tree is None:
            return ()
        shown_on_data = isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Execution)
        needed, observed = ((), False) if shown_on_data else self._observed(pair)
        if not needed or self._is_vacuous(pair, needed):
            needed, observed = self._natural(pair, shown_on_data=shown_on_data), False
        if needed and self._is_vacuous(pair, needed):
            needed = self._natural(pair, shown_on_data=shown_on_data, spared=needed)
        if not needed or self._is_vacuous(pair, needed) or self._is_broken(pair, needed, verdict):
            return ()
        conditions = self._conditions(pair, needed, observed=observed)
        if shown_on_data and all(condition.satisfied for condition in conditions):
            return ()
        return conditions

    def _observed(self, pair: Pair) -> tuple[tuple[Fact, ...], bool]:
        """What the policy ``observed`` finds in the given data and the pair needs; whether it proves it."""
        known = {_place(fact) for fact in pair.facts}
        found = tuple(fact for fact in self._mined(pair) if _place(fact) not in known)
        proved = self._proved_with(pair, found) if found else None
        needed = () if proved is None else self._needed(pair, found, proved)
        return needed, bool(needed)

    def _is_vacuous(self, pair: Pair, needed: Sequence[Fact]) -> bool:
        """Whether the conditions leave both queries without any row, where each may have some without them.

        ``not_null(t.deleted_at)`` does if both filter ``deleted_at IS NULL``.
        """
        return self._is_empty(pair, pair.pred, needed) and not (
            self._is_empty(pair, pair.pred, ()) or self._is_empty(pair, pair.gold, ())
        )

    def _is_empty(self, pair: Pair, query: Query, facts: Sequence[Fact]) -> bool:
        """Whether a query is proved to return no row, from some facts besides those in force."""
        emptied = None if query.tree is None else query.tree.copy()
        if emptied is not None:
            emptied.set("limit", exp.Limit(expression=exp.Literal.number(0)))
        nothing = replace(query, sql="", tree=emptied, with_symbols=None)
        return self._proved_with(replace(pair, pred=query, gold=nothing), facts) is not None

    def _natural(self, pair: Pair, *, shown_on_data: bool, spared: Sequence[Fact] = ()) -> tuple[Fact, ...]:
        """Natural facts that the pair needs, none of those to be spared: such as the data keeps, if these do.

        What the data violates is a promise that is broken already.  Settings alone come first: further facts
        may steer a proof away.
        """
        natural = tuple(fact for fact in candidates(pair, self._dropped) if fact not in spared)
        for further in filter(None, (pair.taken_settings, natural)):
            proved = self._proved_with(pair, further)
            if proved is not None:
                break
        else:
            return ()
        satisfied = self._satisfied(pair, further)
        kept = [fact for fact in further if satisfied[fact] is not False]
        if any(satisfied.values()) and len(kept) < len(further) and not shown_on_data:
            sufficient = self._proved_with(pair, kept)
            needed = () if sufficient is None else self._needed(pair, kept, sufficient)
            if needed:
                return needed
        return self._needed(pair, further, proved)

    def _needed(self, pair: Pair, further: Sequence[Fact], proved: set[Fact]) -> tuple[Fact, ...]:
        """Of the candidates that a proof rests on, those that cannot be spared."""
        kept = sorted(proved, key=lambda fact: _rank(fact.kind))
        needed, proofs = 0, 1
        # Facts steer a proof: one that was needed beside others may be spared without them.
        while needed < len(kept):
            if proofs == MOST_PROOFS:
                return ()
            fact, proofs = kept.pop(0), proofs + 1
            fewer = self._proved_with(pair, kept)
            if fewer is None:
                kept, needed = [*kept, fact], needed + 1
            else:
                kept, needed = [other for other in kept if other in fewer], 0
        return tuple(sorted(kept, key=further.index))

    def _proved_with(self, pair: Pair, further: Iterable[Fact]) -> set[Fact] | None:
        """Those of some further facts that a proof rests on, or None if there is no proof."""
        given = tuple(further)
        verdict = decide(_with(pair, given), self._provers, 0)
        if isinstance(verdict, Equivalent):
            rested = resting_on_settings(verdict, _with(pair, given))
            return set(given) & set(rested.facts) if isinstance(rested, Equivalent) else None
        return None

    def _is_broken(self, pair: Pair, needed: tuple[Fact, ...], verdict: NotEquivalent | Undecided) -> bool:
        """Whether a database that keeps the conditions distinguishes the queries after all."""
        held = _with(pair, needed)
        if isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Witness):
            with replay(pair, verdict.evidence.sql) as played:
                kept = FactChecker(pair.schema, needed).holds(played.core.connection)
                if kept and held.is_refuted_by(finding_on(held, played.core, CAPS)):
                    return True
        outcome = GenerateTier(pair.schema, held.facts).settle(held, BACKSTOP_EFFORT)
        return isinstance(outcome, Refuted)

    def _conditions(self, pair: Pair, needed: tuple[Fact, ...], *, observed: bool) -> tuple[Condition, ...]:
        """The conditions, those first that the data keeps and those last that it violates."""
        satisfied = self._satisfied(pair, needed)
        ordered = sorted(needed, key=lambda fact: _ORDER[satisfied[fact]])
        return tuple(Condition(fact, satisfied[fact], observed) for fact in ordered)

    def _satisfied(self, pair: Pair, facts: Iterable[Fact]) -> dict[Fact, bool | None]:
        """Whether the given data keeps each of some facts; None where there is none, or it says nothing."""
        wanted = tuple(facts)
        asked = [fact for fact in wanted if fact not in self._known]
        if asked:
            self._known |= self._asked(pair, asked)
        return {fact: self._known[fact] for fact in wanted}

    def _asked(self, pair: Pair, facts: Sequence[Fact]) -> dict[Fact, bool | None]:
        broken = self._of_data(pair, lambda data: broken_in(data, pair.schema, facts))
        return dict.fromkeys(facts) if broken is None else {fact: _is_kept(fact, broken) for fact in facts}

    def _mined(self, pair: Pair) -> tuple[Fact, ...]:
        """What the policy ``observed`` finds in the given data, of the tables that the queries name."""
        tables = tuple(table.name for table in pair.tables_read)
        if tables not in self._found:
            found = self._of_data(pair, lambda data: facts_in(data, pair.schema, tables))
            self._found[tables] = found or ()
        return self._found[tables]

    def _of_data(self, pair: Pair, ask: Callable[[Session], tuple[Fact, ...]]) -> tuple[Fact, ...] | None:
        """The answer of the given data; None where there is none."""
        if self._database is None:
            return None
        try:
            with pair.dialect.engine.open(self._database) as data:
                return ask(data)
        except RunnerError:
            return None


_ORDER = {True: 0, None: 1, False: 2}


def _place(fact: Fact) -> tuple[object, ...]:
    """The statement of a fact, whoever makes it."""
    return fact.kind, fact.table, fact.columns, fact.parent, fact.parent_columns


def _is_kept(fact: Fact, broken: Iterable[Fact]) -> bool | None:
    """Whether data keeps a fact; of one about arithmetic stored values say only that they break it."""
    return False if fact in broken else True if fact.table else None


def _with(pair: Pair, further: Sequence[Fact]) -> Pair:
    return replace(pair, facts=Facts((*pair.facts, *further)))


def _rank(kind: FactKind) -> int:
    return _LEAST_NATURAL_FIRST.index(kind) if kind in _LEAST_NATURAL_FIRST else len(_LEAST_NATURAL_FIRST)
