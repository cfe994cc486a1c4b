"""One pair to be decided, with all that the tiers share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sqlglot import exp

from equiv.answers.answers import AnswerPlan, DatabaseFinding
from equiv.answers.exact import sums_in_any_order
from equiv.core.claims.blocks import reads_numbers, tables_read
from equiv.core.claims.choices import reads_the_clock
from equiv.core.claims.nullness import only_sums_raise, raise_alike
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import NUMBERS, REFERENCE, Context, Schema, Table
from equiv.core.printing import key, to_sql
from equiv.core.query import NOTHING, UNKNOWN, Query, Unsupported
from equiv.core.reading.queries import PairReading, read_pair
from equiv.core.texts import is_of_columns
from equiv.dialects.protocol import Dialect
from equiv.dialects.registry import dialect_of
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.names import fold, folded
from equiv.relation import Columns, Relation
from equiv.verdict import ParameterBinding

_OF_NUMBERS = tuple(
    Fact(kind, Grade.DECLARED, NUMBERS.name, NUMBERS.primary_key)
    for kind in (FactKind.NOT_NULL, FactKind.TYPE, FactKind.UNIQUE)
)


def _may_equate(fact: Fact, places: Iterable[tuple[str, str]]) -> bool:
    """Whether a fact may say that a value of one of some columns equals another value."""
    match fact.kind:
        case FactKind.INCLUSION | FactKind.FUNCTIONAL:
            return not fact.places.isdisjoint(places)
        case FactKind.CHECK:
            text, table = fold(fact.expression), fold(fact.table)
            return any(name in text for owner, name in places if owner == table)
    return False


@dataclass(frozen=True)
class Pair:
    """A readable prediction and gold query, the schema, the facts in force, and the relation."""

    pred: Query
    gold: Query
    schema: Schema
    facts: Facts
    relation: Relation
    binding: ParameterBinding | None = None
    """The values that the queries hold in the places of parameters, if these were asked with some."""
    asked: tuple[str, ...] = ()
    """The texts of both queries with their parameters, where there is a binding."""
    under: tuple[tuple[str, str], ...] = ()
    """Values of settings that nobody states, where databases are not tried under those that readers take."""
    rounding_shows: bool = False
    """Whether a rounding difference that the engine shows distinguishes the queries; if not, it does not
    count where arithmetic is assumed to be exact."""
    are_typed_alike: bool = True
    """Whether the columns of both results are of the same types on their engine."""
    is_shown: bool = True
    """Whether somebody is shown more of a verdict than what it is."""

    @cached_property
    def dialect(self) -> Dialect:
        """The dialect that the queries are written in, or that of pairs across two."""
        return dialect_of(self.schema)

    def of_core_texts(self, pred: Query, gold: Query, relation: Relation) -> Pair:
        """A pair of two queries that were read from printed trees, whatever dialect this pair is of."""
        schema = replace(self.schema, dialect=REFERENCE, sides=())
        return replace(self, pred=pred, gold=gold, schema=schema, relation=relation)

    @cached_property
    def is_across(self) -> bool:
        """Whether the two queries are of different dialects."""
        return bool(self.schema.sides) and self.schema.dialect != REFERENCE

    @property
    def are_one_text(self) -> bool:
        """Whether both queries are one text of one dialect."""
        return self.pred.sql == self.gold.sql and not self.is_across

    @property
    def runs_on_core(self) -> bool:
        """Whether the core's runner takes both queries."""
        return bool(self.pred.core_sql and self.gold.core_sql)

    @property
    def asks_catalogue(self) -> bool:
        """Whether the rows of one of the queries depend on what objects the database has."""
        return self.pred.asks_catalogue or self.gold.asks_catalogue

    @property
    def may_read_rows(self) -> bool:
        """Whether a query may read rows of the schema's tables, by itself or by a function that it calls."""
        trees = self.pred.tree, self.gold.tree
        if self.runs_on_core and None not in trees and not self.schema.views:
            return bool(self.tables_read)
        return self.pred.may_read_rows or self.gold.may_read_rows

    @property
    def needs_data(self) -> bool:
        """Whether one of the queries can be run only on the user's own database, not on generated ones."""
        return self.pred.needs_data or self.gold.needs_data

    @cached_property
    def unbound(self) -> str:
        """Why no database that is made refutes the pair, or '': what binds its rows is not there."""
        read = sorted(self.tables_read, key=lambda table: table.name)
        if any(table.is_filtered for table in read):
            return "row-level security hides rows from this role, which generated databases do not model"
        for table in read:
            if table.looser:
                return f"{table.name} is read without a constraint of your schema: {table.looser}"
            parents = (self.schema.table(key.parent) for key in table.foreign_keys)
            read += [parent for parent in parents if parent is not None and parent not in read]
        return ""

    @property
    def unproven_keys(self) -> tuple[str, ...]:
        """The unique indexes of tables read that no fact tells: on some of the rows or on expressions."""
        return tuple(
            text
            for table in self.tables_read
            for text in table.unique_indexes
            if text in table.indexes or not is_of_columns(text)
        )

    @property
    def are_watched(self) -> bool:
        """Whether a query has a clause that may choose among tied rows, and a text that says where."""
        return bool(self.pred.watched or self.gold.watched)

    @property
    def recurses(self) -> bool:
        """Whether a query may have a recursive common table expression."""
        return any("recursive" in fold(query.sql) for query in (self.pred, self.gold))

    @property
    def has_parameters(self) -> bool:
        """Whether a query has parameters that are not bound."""
        return bool(self.pred.parameters or self.gold.parameters)

    @cached_property
    def plans(self) -> tuple[AnswerPlan, AnswerPlan]:
        """The plans of prediction and gold query, by which their possible answers are found."""
        return AnswerPlan(self.pred, self.schema, self.facts), AnswerPlan(self.gold, self.schema, self.facts)

    @cached_property
    def reading(self) -> PairReading:
        """The goals, literals and columns of both queries that test data is made from; not to be changed."""
        both = (self.pred, self.gold)
        read = (query.outline for query in both)
        # A constant that is part of a symbol stands in the text alone as it is written.
        texts = [query.sql for query in both if query.tree is None and query.with_symbols is not None]
        return read_pair(((each.core_sql or each.sql, each.tree) for each in read), self.schema, texts)

    @cached_property
    def tables_read(self) -> tuple[Table, ...]:
        """The tables that a query reads; without a tree, those that its text may name."""
        read = {each.name for query in (self.pred, self.gold) for each in _tables_read(query, self.schema)}
        return tuple(table for table in self.schema.tables if table.name in read)

    @cached_property
    def occupied(self) -> frozenset[str]:
        """The tables, as the schema spells them, in which every database made for the pair has a row.

        That a table is not empty counts if the caller says so; if it is merely observed, where a query reads
        the table: elsewhere no proof could use it, and a witness would hold rows that show nothing.
        """
        read = folded(table.name for table in self.tables_read)
        return frozenset(
            fact.table
            for fact in self.facts.of(FactKind.NOT_EMPTY)
            if fact.grade is not Grade.OBSERVED or fold(fact.table) in read
        )

    @property
    def unsupported(self) -> str:
        """The query without a resolved tree, and the reason; '' if both have one."""
        for side, query in (("prediction", self.pred), ("gold", self.gold)):
            if query.unsupported is not None:
                return f"{side}: {query.unsupported}"
        return ""

    @property
    def exact_arithmetic(self) -> bool:
        """Whether arithmetic is assumed to be exact."""
        return self.facts.find(FactKind.EXACT_ARITHMETIC) is not None

    def is_refuted_by(self, finding: DatabaseFinding) -> bool:
        """Whether what a database shows distinguishes the queries."""
        return finding is DatabaseFinding.APART or (
            finding is DatabaseFinding.ROUNDED and self.rounding_shows
        )

    @cached_property
    def may_fail(self) -> bool:
        """Whether one query may raise an error where the other has an answer."""
        # What ``no_overflow`` excludes is an error, too, where errors count.
        overflows = bool(self.computed) and self.errors_count
        if self.are_one_text or not (self.pred.may_fail or self.gold.may_fail or overflows):
            return False
        pred, gold = self.pred.tree, self.gold.tree
        if self.schema.dialect == REFERENCE and pred is not None and gold is not None:
            return not raise_alike(pred, gold)
        return self.is_across or not self.pred.shape or self.pred.shape != self.gold.shape

    @property
    def errors_count(self) -> bool:
        """Whether an error that only some rows raise distinguishes the queries where the other answers."""
        return self.facts.find(FactKind.NO_ERROR) is None

    def facts_of_errors(self, facts: Iterable[Fact]) -> tuple[Fact, ...] | None:
        """The facts by which neither query raises an error alone; None if none in force says so.

        Args:
            facts: those that an equivalence rests on already.
        """
        if not self.may_fail:
            return ()
        if self.errors_count:
            return None
        named = any(fact.kind is FactKind.NO_OVERFLOW for fact in facts)
        return () if named and self._only_sums_raise else self.facts.of(FactKind.NO_ERROR)

    @property
    def _only_sums_raise(self) -> bool:
        """Whether nothing but a SUM beyond 64 bits, which ``no_overflow`` excludes, raises an error."""
        if self.schema.dialect != REFERENCE:
            return False
        trees = (self.pred.tree, self.gold.tree)
        return all(tree is not None and only_sums_raise(tree) for tree in trees)

    @property
    def computed(self) -> frozenset[tuple[str, str]]:
        """The operations on numbers of both queries, of which the core may have one for several."""
        return frozenset() if self.are_one_text else self.pred.computed | self.gold.computed

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings of the session that an equivalence depends on; none of two texts that say the same."""
        alike = self.pred.shape == self.gold.shape != "" or self.are_one_text
        if alike and not self.is_across:
            return ()
        return tuple(sorted(self.pred.settings | self.gold.settings))

    @property
    def taken_settings(self) -> tuple[Fact, ...]:
        """The settings among these that no fact states, each with the value under which databases run."""
        taken = {**self.dialect.taken, **dict(self.under)}
        return tuple(
            Fact(FactKind.SETTING, Grade.ASSUMED, columns=(name,), expression=taken[name])
            for name in self.settings
            if self.facts.setting(name) is None
        )

    @property
    def freshness(self) -> tuple[Fact, ...]:
        """The facts by which the queries read materialised views as their queries over the tables of now."""
        read = self.pred.fresh | self.gold.fresh
        names = {view.name for view in self.schema.native_views if view.stored in read}
        return tuple(fact for fact in self.facts.of(FactKind.FRESH) if fact.table in names)

    @property
    def labels(self) -> tuple[Fact, ...] | None:
        """The facts by which the schema's own functions that a query calls are what their labels say.

        None if one of these is not in force.
        """
        called = sorted(self.pred.labelled | self.gold.labelled)
        found = [self.facts.labelled(FactKind(label), name) for name, label in called]
        held = tuple(fact for fact in found if fact is not None)
        return held if len(held) == len(found) else None

    @cached_property
    def for_proofs(self) -> Pair:
        """The pair as provers read it: with symbols for what depends on settings that nobody states.

        Facts that call values equal say nothing of columns of whose values identity alone is known.
        """
        pred, gold = self._for_proofs(self.pred), self._for_proofs(self.gold)
        if pred is self.pred and gold is self.gold:
            return self
        odd = pred.passed_on | gold.passed_on
        facts = Facts(fact for fact in self.facts if not _may_equate(fact, odd)) if odd else self.facts
        counts = reads_numbers(pred.tree) or reads_numbers(gold.tree)
        if not counts:
            return replace(self, pred=pred, gold=gold, facts=facts)
        facts = Facts((*facts, *_OF_NUMBERS))
        return replace(self, pred=pred, gold=gold, facts=facts, schema=self.schema.with_numbers)

    def _for_proofs(self, query: Query) -> Query:
        hangs = query.unsupported is not None or any(
            self.facts.setting(name) is None for name in query.settings
        )
        return query.with_symbols if query.with_symbols is not None and hangs else query

    @property
    def no_overflow(self) -> bool:
        """Whether a database on which integers overflow counts for nothing."""
        return self.facts.find(FactKind.NO_OVERFLOW) is not None

    @property
    def sums_apart(self) -> bool:
        """Whether two different queries sum REALs that round: each may add them in an order of its own."""
        return self._order_of_sums is None

    @property
    def facts_of_sums(self) -> tuple[Fact, ...]:
        """The facts by which neither query's sums depend on the order of rows; () if none are needed."""
        return tuple(self._order_of_sums or ())

    @cached_property
    def _order_of_sums(self) -> HoldingFacts:
        trees = [query.tree for query in (self.pred, self.gold) if query.tree is not None]
        if len(trees) == 2 and not self.is_across and key(trees[0]) == key(trees[1]):
            return ()
        context = Context(self.schema, self.facts)
        return all_of(*(sums_in_any_order(tree, context) for tree in trees))


_NUMBERS = frozenset(("boolean", "number"))


def told_apart_by_types(pred: Query, gold: Query, relation: Relation, *, alike: bool) -> tuple[Query, Query]:
    """Both queries; with signs for values in columns whose types have none in common, or without trees.

    The core, in which a boolean is 0 or 1 and a date a text, would take such values for equal.  Each value
    but NULL of such a column becomes a sign of its query: what rules, proofs and databases then say is true
    of the pair.  Where a row could become one with another by that, or a column may be compared with any
    other, no rule, no proof and no core text says anything.  Where types differ in the blanks alone that
    values show, nothing is proved, and what distinguishes values without their blanks distinguishes them.

    Args:
        pred: the prediction.
        gold: the gold query.
        relation: how results are compared.
        alike: whether a boolean equals 0 or 1.
    """
    if pred.columns != gold.columns or not pred.types or not gold.types:
        return pred, gold
    if alike:
        pred, gold = _as_numbers(pred), _as_numbers(gold)
    differing = [
        place
        for place, (one, other) in enumerate(zip(pred.types, gold.types, strict=True))
        if (one != other and NOTHING not in (one, other)) or (one.endswith(UNKNOWN) and pred.sql != gold.sql)
    ]
    if not differing:
        return pred, gold
    by_place = relation.columns is Columns.ORDERED
    if by_place and all(_family(pred, place) != _family(gold, place) for place in differing):
        signed = _signed(pred, differing, "pred"), _signed(gold, differing, "gold")
        if signed[0] is not None and signed[1] is not None:
            return signed[0], signed[1]
    place = differing[0]
    why = Unsupported(
        "Column", f"column {place + 1} is {pred.types[place]} in one query, {gold.types[place]} in the other"
    )
    if all(_family(pred, place) == _family(gold, place) for place in differing):
        return unproved(pred, why), unproved(gold, why)
    return untranslated(pred, why), untranslated(gold, why)


def _family(query: Query, place: int) -> str:
    return query.types[place].partition("(")[0]


def _as_numbers(query: Query) -> Query:
    return replace(query, types=tuple("number" if each in _NUMBERS else each for each in query.types))


def _signed(query: Query, places: list[int], sign: str) -> Query | None:
    """The query with a sign for each value of some columns; None if rows could become one by that."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") or tree.find(exp.Parameter):
        return None
    found = tree.copy()
    for place in places:
        alias = found.expressions[place]
        there = exp.Not(this=exp.Is(this=alias.this, expression=exp.Null()))
        alias.set("this", exp.Case(ifs=[exp.If(this=there, true=exp.Literal.string(sign))]))
    core = to_sql(found)
    return replace(query, tree=found, core_text=core, apart=tuple(places), sign=sign, with_symbols=None)


def unproved(query: Query, why: Unsupported) -> Query:
    """The query with its tree, by which databases are searched, and a reason why nothing is proved of it."""
    return replace(query, unsupported=query.unsupported or why, with_symbols=None)


def untranslated(query: Query, why: Unsupported) -> Query:
    """The query without its tree and core text, so that its engine's own text alone says what it means."""
    return replace(query, tree=None, unsupported=why, core_text="", with_symbols=None)


_AS_CELLS = frozenset(("number", "boolean", "text", "date", "time", "timestamp", "bytes", "null"))
"""Families of types whose values a dialect without types has as well."""


def comparable(pred: Query, gold: Query) -> tuple[Query, Query]:
    """Both queries; without trees where values of the one have no counterpart among those of the other.

    Of a ``character(n)``, whose blanks the other engine does not add, nothing is proved; nor of fractions
    that are computed with 32 bits, nor of the current time, which two engines read with different precision.
    """
    for query in (pred, gold):
        if query.tree is not None and reads_the_clock(query.tree):
            why = Unsupported("Literal", "the current time, in a pair across dialects")
            return unproved(pred, why), unproved(gold, why)
        if query.has_narrow_fractions:
            why = Unsupported("Type", "a 32-bit float, in a pair across dialects")
            return unproved(pred, why), unproved(gold, why)
    if pred.columns != gold.columns or bool(pred.types) == bool(gold.types):
        return pred, gold
    families = pred.types or gold.types
    for place, family in enumerate(families, 1):
        if family in _AS_CELLS:
            continue
        why = Unsupported("Column", f"only one of the two engines gives column {place} the type {family}")
        if family.partition("(")[0] in _AS_CELLS:
            return unproved(pred, why), unproved(gold, why)
        return untranslated(pred, why), untranslated(gold, why)
    return pred, gold


def _tables_read(query: Query, schema: Schema) -> Sequence[Table]:
    """The tables that a query reads; without a tree, those that its text may name."""
    if query.tree is not None:
        return tables_read([query.tree], schema)
    text = fold(query.sql)
    # Quotes within a name are doubled in the text.
    named = (t for t in schema.tables if schema.views or fold(t.name) in text or {'"', "`"} & {*t.name})
    return tuple(named)
