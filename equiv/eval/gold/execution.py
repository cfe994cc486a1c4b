"""Faults that running a gold query shows: it fails, returns nothing, or may return something else.

It is not modelled, another gold query of its question contradicts it, its LIMIT cuts through tied rows or
keeps rows with a NULL sort key, it returns a row several times, or a value of one row or another (bare
columns, the clock).  The query stands on its database inside a worker process, with results that several
checks share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, wraps
from itertools import islice
from typing import cast

from sqlglot import exp

from equiv.answers.answers import QUICK_RUNS, AnswerPlan, Outcomes, outcomes
from equiv.answers.choices import CELL, randomise_bare_columns, randomise_distinct_order, source_of_cell
from equiv.answers.compare import match_rows
from equiv.cells import Row
from equiv.core.claims.blocks import base_column, is_scalar, returns_one_row
from equiv.core.claims.choices import limits, reads_the_clock
from equiv.core.claims.nullness import never_null, rejected_nulls
from equiv.core.model import Context
from equiv.core.printing import key, to_sql
from equiv.core.query import Broken, Opaque, Query
from equiv.core.runner import Failure, Result
from equiv.dialects.protocol import Session
from equiv.engine.pipeline import Engine
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.tiers.data import CAPS
from equiv.verdict import Execution, NotEquivalent, Witness


class QueryInDatabase:
    """A gold query to look at.

    Args:
        gold: the query.
        engine: that of its database.
        data: the given data, or None; functions of random choices are registered.
    """

    def __init__(self, gold: GoldQuery, engine: Engine, data: Session | None) -> None:
        self.gold = gold
        self.engine = engine
        self.data = data

    @cached_property
    def query(self) -> Query | Broken:
        """The gold query, read on the schema."""
        return self.engine.read(self.gold.sql)

    @property
    def tree(self) -> exp.Expression | None:
        """The resolved tree, never to be changed, if there is one."""
        return self.query.tree if isinstance(self.query, Query) else None

    def nodes(self, *kinds: type[exp.Expr]) -> list[exp.Expression]:
        """The nodes of the tree that are of some kinds."""
        return [] if self.tree is None else nodes_of(self.tree, *kinds)

    @property
    def context(self) -> Context:
        """Schema and facts, for claims about the tree."""
        return Context(self.engine.schema, self.engine.facts)

    @cached_property
    def answer(self) -> Result | Failure | None:
        """The result of the gold query on the given data; None without data, or with parameters."""
        return (
            self.run(self.query.sql) if isinstance(self.query, Query) and not self.query.parameters else None
        )

    def run(self, sql: str) -> Result | Failure | None:
        """The result of a query on the given data; None without data."""
        return None if self.data is None else self.data.run(sql, CAPS)

    def rows(self, tree: exp.Expression) -> Result | None:
        """The result of a tree on the given data; None without data, or if it fails."""
        found = (
            None if self.data is None or not self.data.has_core else self.data.core.run(to_sql(tree), CAPS)
        )
        return found if isinstance(found, Result) else None

    def possible(self, query: Query) -> Outcomes | None:
        """The possible answers of a query on the given data; None if its choices cannot be exposed."""
        if self.data is None or not self.data.has_core or query.parameters or not query.is_repeatable:
            return None
        plan = AnswerPlan(query, self.engine.schema, self.engine.facts)
        found = None if plan.opaque else self._outcomes(plan)
        return found if isinstance(found, Outcomes) else None

    def _outcomes(self, plan: AnswerPlan) -> Outcomes | Failure | None:
        assert self.data is not None
        try:
            return outcomes(self.data.core, plan, CAPS, runs=QUICK_RUNS)
        except Opaque:
            return None

    @cached_property
    def answers(self) -> Outcomes | None:
        """The possible answers of the whole gold query on the given data."""
        return self.possible(self.query) if isinstance(self.query, Query) else None

    @property
    def varies(self) -> bool:
        """Whether choices below the top level were seen to change the answer on the given data."""
        return self.answers is not None and len(self.answers.seen) > 1

    @cached_property
    def cutting(self) -> tuple[tuple[Query, bool], ...]:
        """The parts with ORDER BY or LIMIT that stand by themselves, and whether each is the whole query.

        A correlated part, or one that reads a common table expression, does not stand by itself.
        """
        return tuple(
            (part, whole) for part, whole in self._parts() if _is_cut(part.tree) and not part.parameters
        )

    @cached_property
    def scalars(self) -> tuple[Query, ...]:
        """The scalar subqueries, standing by themselves, that may return several rows."""
        several = [
            node
            for node in self._nested()
            if is_scalar(node) and not returns_one_row(node) and node.args.get("limit") is None
        ]
        return tuple(query for node in several if (query := self.alone(node)) is not None)

    def alone(self, node: exp.Expression) -> Query | None:
        """A part of the tree as a query of its own, if it is one."""
        found = self.engine.read(to_sql(node.copy()))
        return found if isinstance(found, Query) and found.tree is not None else None

    def _parts(self) -> list[tuple[Query, bool]]:
        if not isinstance(self.query, Query):
            return []
        nested = [self.alone(node) for node in self._nested() if _is_cut(node)]
        return [(self.query, True), *((part, False) for part in nested if part is not None)]

    def _nested(self) -> list[exp.Expression]:
        """The queries within the query."""
        return [n for n in self.nodes(exp.Select, exp.SetOperation) if n is not self.tree]


def nodes_of(tree: exp.Expression, *kinds: type[exp.Expr]) -> list[exp.Expression]:
    """The nodes of a tree that are of some kinds."""
    return list(cast(Iterator[exp.Expression], tree.find_all(*kinds)))


Look = Callable[[QueryInDatabase], Iterator[GoldFinding]]
"""A check: the function that is called as the kind of fault that it finds."""


def sign_in(basis: Basis) -> Callable[[Callable[[QueryInDatabase], Iterator[str]]], Look]:
    """A check of modelled queries, made of a function that says what shows the fault: the first counts."""

    def check_of(told: Callable[[QueryInDatabase], Iterator[str]]) -> Look:
        kind = GoldFault(told.__name__)

        @wraps(told)
        def look(subject: QueryInDatabase) -> Iterator[GoldFinding]:
            for detail in islice(told(subject) if subject.tree is not None else (), 1):
                yield GoldFinding(kind, basis, detail)

        return look

    return check_of


def _is_cut(tree: exp.Expression | None) -> bool:
    """Whether a query has a LIMIT or an OFFSET."""
    return tree is not None and (tree.args.get("limit") is not None or tree.args.get("offset") is not None)


def does_not_run(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query is no query on the schema, or fails or times out on the given data.

    No fault: the query is of another dialect, and was meant to be; or it is merely slow.
    Example: ``SELECT nme FROM person``, where the column is called ``name``.
    """
    if isinstance(subject.query, Broken) and subject.query.is_fault:
        why = f"{subject.query.cause}: {subject.query.message}"
        sign = f" ({subject.query.sign})" if subject.query.sign is not None else ""
        yield GoldFinding(GoldFault.DOES_NOT_RUN, Basis.TEXT, f"{why}{sign}")
    elif isinstance(subject.answer, Failure):
        yield GoldFinding(GoldFault.DOES_NOT_RUN, Basis.DATA, f"on the given data: {subject.answer.message}")


def empty(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query returns no row on the given data, or a single row of NULLs.

    Any query with an empty result then counts as right where results are compared.
    No fault: the question has no answer on these data, and that was meant; a count of 0 is not reported.
    Example: ``SELECT name FROM person WHERE city = 'Pariss'``, with a city that nobody lives in.
    """
    match subject.answer:
        case Result(rows=()):
            yield GoldFinding(GoldFault.EMPTY, Basis.DATA, "no row on the given data")
        case Result(rows=(row,)) if all(cell is None for cell in row):
            yield GoldFinding(GoldFault.EMPTY, Basis.DATA, "a single row of NULLs on the given data", (row,))


def unsupported(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query is not modelled: verdicts come from databases alone, and most checks do not apply.

    No fault: it never is one of the query itself.
    Example: a recursive common table expression.
    """
    query = subject.query
    if isinstance(query, Query) and query.unsupported is not None:
        yield GoldFinding(GoldFault.UNSUPPORTED, Basis.TEXT, str(query.unsupported))
    elif isinstance(query, Broken) and not query.is_fault:
        yield GoldFinding(GoldFault.UNSUPPORTED, Basis.TEXT, query.message)


def other_gold(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """Another gold query of the same question is not equivalent: one is wrong, or both are readings.

    The same question is one of the same id, or of the same words, on the same database.  It is reported of
    the later query, with a database that distinguishes the two, under the relation of the command.
    No fault: the question is ambiguous, and both readings are meant to count; or an id is used twice.
    Example: ``SELECT name FROM person WHERE age > 30`` and, of the same id, ``… WHERE age >= 30``.
    """
    for other in subject.gold.earlier:
        verdict = subject.engine.check(other, subject.gold.sql)
        if not isinstance(verdict, NotEquivalent):
            continue
        evidence = verdict.evidence
        where = "a database" if isinstance(evidence, Witness) else "the given data"
        yield GoldFinding(
            GoldFault.OTHER_GOLD,
            Basis.DATA if isinstance(evidence, Execution) else Basis.SCHEMA,
            f"another gold query of the question differs on {where} ({verdict.difference})",
            evidence.gold_rows,
            other_sql=other,
            other_rows=evidence.pred_rows,
            witness=evidence.sql if isinstance(evidence, Witness) else "",
        )


INNER = "equiv_inner"
APPENDED = -1


def tie(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """A LIMIT takes some of several tied rows that differ in the selected columns.

    Another query that takes another of them is as right, and counts as wrong where results are compared.
    In a subquery a tie is reported only if it was seen to change the answer of the whole.
    No fault: the question asks for any one of them.
    Example: ``SELECT name FROM person ORDER BY age DESC LIMIT 1``, where two are oldest.
    """
    for part, whole in subject.cutting:
        if not whole and not subject.varies:
            continue
        for taken, rows in _cut(subject, part):
            where = "its LIMIT" if whole else "the LIMIT of a subquery"
            among = "tied rows" if part.orders else "rows, without ORDER BY,"
            detail = f"{where} takes {taken} of {len(rows)} {among} of the data"
            yield GoldFinding(GoldFault.TIE, Basis.DATA, detail, rows)


def _cut(subject: QueryInDatabase, part: Query) -> Iterator[tuple[int, tuple[Row, ...]]]:
    """How many rows are taken of which tied ones, where that is sure whatever else is left to choice."""
    found = subject.possible(part)
    if found is None or len(found.seen) > 1:
        return
    for group, taken in found.seen[0].slices():
        if taken < len(group) and len(set(group)) > 1:
            yield taken, group


def null_first(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """An ascending ORDER BY with a LIMIT keeps rows whose first key is NULL, which sorts before all else.

    "The lowest" is then a row without a value.  With data, the rows kept show it; without, it is reported
    where the key is a column of a table that may be NULL and nothing in the query excludes that.
    No fault: rows without a value are wanted, or NULL stands for the lowest value.
    Example: ``SELECT name FROM person ORDER BY age LIMIT 1``, where somebody's age is not known.
    """
    for part, _ in subject.cutting:
        term = _first_ascending(part.tree)
        if term is None or part.tree is None:
            continue
        if subject.data is not None:
            if rows := _null_rows(subject, part.tree, term):
                detail = f"ORDER BY {_shown(term)} puts NULL first, and its LIMIT keeps {len(rows)} such rows"
                yield GoldFinding(GoldFault.NULL_FIRST, Basis.DATA, detail, rows)
        elif _may_be_null(term, part.tree, subject):
            detail = (
                f"ORDER BY {_shown(term)} puts NULL first, the column may be NULL, and nothing excludes it"
            )
            yield GoldFinding(GoldFault.NULL_FIRST, Basis.SCHEMA, detail)


def _first_ascending(tree: exp.Expression | None) -> exp.Expression | None:
    """The first sort key, if NULL comes first there; constants are no keys."""
    order = tree.args.get("order") if tree is not None else None
    if order is None:
        return None
    first = order.expressions[0]
    nulls_first = first.args.get("nulls_first")
    is_first = not first.args.get("desc") if nulls_first is None else nulls_first
    constant = isinstance(first.this, exp.Literal) and isinstance(tree, exp.Select)
    return first.this if is_first and not constant else None


def _null_rows(subject: QueryInDatabase, tree: exp.Expression, term: exp.Expression) -> tuple[Row, ...]:
    """The rows kept whose key is NULL, with the key as their last cell, if the LIMIT drops others."""
    try:
        start, stop = limits(tree)
    except Opaque:
        return ()
    keyed = tree.copy()
    position = _position(tree, term)
    if position is None:
        return ()
    if position == APPENDED:
        keyed.append("expressions", exp.alias_(term.copy(), INNER))
    rows = subject.rows(keyed)
    if rows is None or not any(row[position] is None for row in rows.rows):
        return ()
    total = _total(subject, tree)
    if stop is None or total is None or total <= max(stop, start):
        return ()
    return tuple(row for row in rows.rows if row[position] is None)


def _position(tree: exp.Expression, term: exp.Expression) -> int | None:
    """Which output the key is, or APPENDED if it may become one more; None if neither."""
    if isinstance(tree, exp.SetOperation):
        return int(term.name) - 1 if term.name.isdigit() else None
    if tree.args.get("distinct") is None:
        return APPENDED
    outputs = [key(x.unalias()) for x in tree.expressions]
    return outputs.index(key(term)) if key(term) in outputs else None


def _total(subject: QueryInDatabase, tree: exp.Expression) -> int | None:
    """How many rows there are without the LIMIT."""
    whole = tree.copy()
    for name in ("order", "limit", "offset"):
        whole.set(name, None)
    alias = exp.TableAlias(this=exp.to_identifier(INNER))
    counted = exp.Select(expressions=[exp.Count(this=exp.Star())])
    counted.set("from_", exp.From(this=exp.Subquery(this=whole, alias=alias)))
    found = subject.rows(counted)
    return int(str(found.rows[0][0])) if found is not None else None


def _may_be_null(term: exp.Expression, tree: exp.Expression, subject: QueryInDatabase) -> bool:
    """Whether a key is a column of a table that may be NULL in the rows that are sorted."""
    if not isinstance(term, exp.Column) or base_column(term, subject.context) is None:
        return False
    if never_null(term, subject.context) is not None:
        return False
    where = tree.args.get("where")
    inner = [join.args.get("on") for join in tree.args.get("joins") or () if not join.side]
    conditions = [where.this if where is not None else None, *inner]
    rejected = [rejected_nulls(condition) for condition in conditions if condition is not None]
    return not any((term.table, term.name) in found for found in rejected)


def _shown(term: exp.Expression) -> str:
    return to_sql(term.copy())


def duplicates(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query takes a value from an arbitrary one of several rows that differ.

    A bare column under GROUP BY, a key by which SELECT DISTINCT is sorted and which it does not select, or
    the first row of a scalar subquery that has several.  With data, two answers that the query may give are
    shown; without, the query is held with MIN against MAX in the place of each such column, and a database
    on which these differ is shown.
    No fault: the group's key determines the column (its rows agree), which is not reported; or any will do.
    Example: ``SELECT city, name FROM person GROUP BY city``, where several live in one city.
    """
    if subject.data is None:
        yield from _by_witness(subject)
        return
    for part in subject.scalars:
        rows = subject.rows(part.tree) if subject.varies and part.tree is not None else None
        if rows is not None and len(set(rows.rows)) > 1:
            detail = f"a scalar subquery has {len(rows.rows)} rows, one of which is used"
            yield GoldFinding(GoldFault.DUPLICATES, Basis.DATA, detail, rows.rows)
            return
    answers = subject.answers
    if answers is None or len(answers.seen) < 2 or (settled := _with(subject, exp.Min)) is None:
        return
    possible_rows = subject.possible(settled)
    if possible_rows is not None and len(possible_rows.seen) == 1:
        one, other = _two(answers)
        detail = "a column is taken from an arbitrary row of its group, and two possible answers differ"
        yield GoldFinding(GoldFault.DUPLICATES, Basis.DATA, detail, one, other_rows=other)


def nondeterministic(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query has several possible answers on the same data, and not by ties or duplicates.

    It reads the clock or chance, concatenates or numbers rows whose order is free, or ties of a window
    count.  With data, two answers that the query may give are shown.
    No fault: "today" is meant, and results are compared at one instant.
    Example: ``SELECT GROUP_CONCAT(name) FROM person``.
    """
    query = subject.query
    if not isinstance(query, Query):
        return
    if not query.is_repeatable:
        yield GoldFinding(
            GoldFault.NONDETERMINISTIC, Basis.TEXT, "it depends on chance or on something outside the data"
        )
    elif query.tree is not None and reads_the_clock(query.tree):
        yield GoldFinding(GoldFault.NONDETERMINISTIC, Basis.TEXT, "it reads the current time")
    elif subject.varies and not any(tie(subject)) and not any(duplicates(subject)):
        assert subject.answers is not None
        one, other = _two(subject.answers)
        detail = "two possible answers on the data differ"
        yield GoldFinding(GoldFault.NONDETERMINISTIC, Basis.DATA, detail, one, other_rows=other)


def _two(answers: Outcomes) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Two possible answers, less the rows that they share; those that a LIMIT drops are among them."""
    one, other = ([row for group in seen.groups for row in group] for seen in answers.seen[:2])
    only_one, only_other = match_rows(one, other)
    return tuple(only_one), tuple(only_other)


def _by_witness(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """With a database on which the least and the greatest choice of each bare column lead apart."""
    least, greatest = _with(subject, exp.Min), _with(subject, exp.Max)
    if least is None or greatest is None:
        return
    match subject.engine.check(least.sql, greatest.sql):
        case NotEquivalent(evidence=Witness() as witness):
            detail = "a column is taken from an arbitrary row of its group, which matters on a database"
            yield GoldFinding(
                GoldFault.DUPLICATES,
                Basis.SCHEMA,
                detail,
                witness.pred_rows,
                other_rows=witness.gold_rows,
                witness=witness.sql,
            )


def _with(subject: QueryInDatabase, extreme: type[exp.Expression]) -> Query | None:
    """The query with the least or greatest value in the place of each choice among duplicates.

    None if it makes none, and without data also if one is made from an extremal row alone.
    """
    if subject.tree is None:
        return None
    changed = subject.tree.copy()
    try:
        opened = [_lay_open(select, subject) for select in list(changed.find_all(exp.Select))]
    except Opaque:
        return None
    if not any(opened):
        return None
    for call in [node for node in changed.find_all(exp.Anonymous) if node.name == CELL]:
        source, is_extremal = source_of_cell(call)
        if subject.data is None and is_extremal:
            return None
        call.replace(extreme(this=source.copy()))
    return subject.alone(changed)


def _lay_open(select: exp.Expression, subject: QueryInDatabase) -> bool:
    ordered = randomise_distinct_order(select, subject.context)
    return randomise_bare_columns(select, subject.context) or ordered
