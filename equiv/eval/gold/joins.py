"""Signs in joins and counts: rows counted, averaged or returned once for each of another table; ties.

Which columns distinguish the rows of a join follows from keys and equalities of the schema's tables.  The
weights of the ranking are fitted on these signs: one that changes wants them fitted anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from equiv.core.claims.blocks import aggregates, defining_query, is_grouped, is_literal
from equiv.core.claims.fingerprint import operands, sources
from equiv.core.lexer import tokens
from equiv.core.model import Context, Table
from equiv.core.printing import to_sql
from equiv.eval.gold.conditions import words_of
from equiv.eval.gold.execution import QueryInDatabase, nodes_of, sign_in
from equiv.eval.gold.finding import Basis
from equiv.names import fold, folded

JoinColumn = tuple[str, str]
"""A column: the alias of its source and its name, both in lower case."""


@dataclass(frozen=True)
class JoinedTables:
    """The base tables that a SELECT joins, with the equalities between their columns."""

    select: exp.Select
    tables: dict[str, Table]
    """By alias, in lower case."""
    context: Context

    @cached_property
    def equalities(self) -> list[tuple[JoinColumn, JoinColumn]]:
        """The columns that the conjuncts of ON and WHERE equate."""
        pairs = []
        for condition in self._conjuncts:
            if isinstance(condition, exp.EQ):
                one, other = condition.this, condition.expression
                if isinstance(one, exp.Column) and isinstance(other, exp.Column):
                    pairs.append((place_of(one), place_of(other)))
        return pairs

    @cached_property
    def constants(self) -> set[JoinColumn]:
        """The columns that a conjunct of ON or WHERE holds to a constant."""
        found = set()
        for condition in self._conjuncts:
            if isinstance(condition, exp.EQ):
                for side, other in (
                    (condition.this, condition.expression),
                    (condition.expression, condition.this),
                ):
                    if isinstance(side, exp.Column) and is_literal(other):
                        found.add(place_of(side))
        return found

    @cached_property
    def _conjuncts(self) -> list[exp.Expression]:
        joins = self.select.args.get("joins") or []
        where = self.select.args.get("where")
        conditions = [join.args.get("on") for join in joins]
        conditions.append(where.this if where is not None else None)
        return [
            part for condition in conditions if condition is not None for part in operands(condition, exp.And)
        ]

    def determined(self, columns: Iterable[JoinColumn] = (), alias: str = "") -> set[str]:
        """The aliases whose row is fixed once some columns, or the row of one source, are.

        A row is fixed by a key of its table; equal columns are fixed together.  NULL in a key is left aside.
        """
        known = set(columns) | self.constants
        fixed = {alias} if alias else set()
        changed = True
        while changed:
            known |= {(name, fold(column.name)) for name in fixed for column in self.tables[name].columns}
            for one, other in self.equalities:
                if one in known or other in known:
                    known |= {one, other}
            new = {name for name in self.tables.keys() - fixed if self._has_key(name, known)}
            fixed |= new
            changed = bool(new)
        return fixed

    def _has_key(self, alias: str, known: set[JoinColumn]) -> bool:
        keys = self.context.facts.keys(self.tables[alias].name)
        return any(all((alias, fold(column)) in known for column in key.columns) for key in keys)

    def repeaters(self, alias: str) -> list[str]:
        """The aliases of which several rows may stand beside one row of a source."""
        return sorted(self.tables.keys() - self.determined(alias=alias))


def joined_tables(select: exp.Expression, context: Context) -> JoinedTables | None:
    """The tables that a SELECT joins; None if a source is anything else than a base table."""
    found = {}
    for source in sources(select):
        table = context.schema.table(source.name) if isinstance(source, exp.Table) else None
        if table is None or defining_query(source) is not None:
            return None
        found[fold(source.alias_or_name)] = table
    return JoinedTables(select, found, context) if isinstance(select, exp.Select) and found else None


def place_of(column: exp.Expression) -> JoinColumn:
    """The place that a column of a resolved tree names."""
    return fold(column.text("table")), fold(column.name)


_SUMMED = (exp.Sum, exp.Avg)


@sign_in(Basis.TEXT)
def counts_repeats(subject: QueryInDatabase) -> Iterator[str]:
    """COUNT without DISTINCT counts a column whose values may repeat: no key, or repeated by a join.

    No fault: occurrences are wanted.
    Example: ``SELECT COUNT(p.id) FROM person p JOIN visit v ON v.person = p.id`` for "how many people".
    """
    for joined in joins_of(subject):
        for call in aggregates(joined.select):
            column = call.this if isinstance(call, exp.Count) else None
            if isinstance(column, exp.Column) and joined.tables.keys() - joined.determined(
                [place_of(column), *_groups(joined)]
            ):
                yield f"{to_sql(call.copy())} counts {column.name} as often as it repeats"


@sign_in(Basis.TEXT)
def sums_repeats(subject: QueryInDatabase) -> Iterator[str]:
    """SUM or AVG takes values of one table as often as a join repeats its rows.

    No fault: weights are wanted.
    Example: ``SELECT AVG(p.age) FROM person p JOIN visit v ON v.person = p.id``.
    """
    for joined in joins_of(subject):
        for call in aggregates(joined.select):
            own = {place_of(column)[0] for column in nodes_of(call, exp.Column)}
            if isinstance(call, _SUMMED) and takes_repeats(call) and len(own) == 1:
                (alias,) = own
                if alias in joined.tables and (others := joined.repeaters(alias)):
                    other = joined.tables[others[0]].name
                    yield f"{to_sql(call.copy())} takes each value once per row of {other}"


@sign_in(Basis.TEXT)
def repeats_rows(subject: QueryInDatabase) -> Iterator[str]:
    """The rows that are returned may repeat, since a join repeats them and there is no DISTINCT.

    No fault: repeated rows are wanted, or results are compared as sets.
    Example: ``SELECT p.name FROM person p JOIN visit v ON v.person = p.id`` for "list the people who came".
    """
    select = subject.tree
    if not isinstance(select, exp.Select) or select.args.get("distinct") or is_grouped(select):
        return
    joined = joined_tables(select, subject.context)
    if joined is None or len(joined.tables) < 2 or select.args.get("limit") is not None:
        return
    outputs = [place_of(column) for output in select.expressions for column in nodes_of(output, exp.Column)]
    shown = {alias for alias, _ in outputs}
    others = joined.tables.keys() - joined.determined(outputs)
    if shown and any(joined.repeaters(alias) for alias in shown if alias in joined.tables) and others:
        other = joined.tables[min(others)].name
        yield f"without DISTINCT, rows are returned once per row of {other}"


@sign_in(Basis.TEXT)
def loose_join(subject: QueryInDatabase) -> Iterator[str]:
    """Two tables are joined by columns that are a key of neither, each match of one with each of the other.

    No fault: pairs are wanted.
    Example: orders joined with the monthly totals of their customers by the customer alone.
    """
    for joined in joins_of(subject):
        for one, other in joined.equalities:
            if one[0] == other[0] or not {one[0], other[0]} <= joined.tables.keys():
                continue
            between = [pair for pair in joined.equalities if {p[0] for p in pair} == {one[0], other[0]}]
            sides = [{p for pair in between for p in pair if p[0] == alias} for alias in (one[0], other[0])]
            if not any(_is_key(joined, side) for side in sides):
                names = " and ".join(joined.tables[place[0]].name for place in (one, other))
                yield f"{names} are joined by {one[1]}, a key of neither"


@sign_in(Basis.TEXT)
def idle_table(subject: QueryInDatabase) -> Iterator[str]:
    """A table is joined of which nothing is selected, compared or sorted by: it only drops or repeats rows.

    No fault: being in that table is the condition that is meant.
    Example: ``SELECT v.day FROM visit v JOIN person p ON v.person = p.id``.
    """
    for joined in joins_of(subject):
        used = _uses(joined)
        for alias, table in joined.tables.items():
            if len(joined.tables) > 1 and used.get(alias, 0) == 0 and _is_leaf(joined, alias):
                yield f"only the join column of {table.name} is used"


def joins_of(subject: QueryInDatabase) -> Iterator[JoinedTables]:
    """The joins of base tables anywhere in a gold query."""
    for select in subject.nodes(exp.Select):
        joined = joined_tables(select, subject.context)
        if joined is not None:
            yield joined


def takes_repeats(call: exp.Expression) -> bool:
    """Whether an aggregate takes equal values as often as they come."""
    return isinstance(call, exp.Count | exp.Sum | exp.Avg) and not isinstance(call.this, exp.Distinct)


def _groups(joined: JoinedTables) -> list[tuple[str, str]]:
    group = joined.select.args.get("group")
    return [place_of(c) for c in nodes_of(group, exp.Column)] if group is not None else []


def _is_key(joined: JoinedTables, side: set[tuple[str, str]]) -> bool:
    alias = next(iter(side))[0]
    keys = joined.context.facts.keys(joined.tables[alias].name)
    return any({(alias, fold(column)) for column in key.columns} <= side | joined.constants for key in keys)


@sign_in(Basis.TEXT)
def one_sided_join(subject: QueryInDatabase) -> Iterator[str]:
    """The condition of a JOIN equates columns of one table alone: probably one of them was to be the other's.

    No fault: other conditions tie the tables.
    Example: ``FROM person p JOIN visit v ON p.id = p.number``.
    """
    for select in subject.nodes(exp.Select):
        for join in select.args.get("joins") or ():
            on = join.args.get("on")
            if on is not None and len(_aliases(on)) == 1 and any(map(_is_of_columns, nodes_of(on, exp.EQ))):
                yield f"{to_sql(on.copy())} connects no two tables"


@sign_in(Basis.TEXT)
def unjoined_table(subject: QueryInDatabase) -> Iterator[str]:
    """No condition ties a table to the others, so that each of its rows stands beside each of theirs.

    No fault: all combinations are wanted, as CROSS JOIN says.
    Example: ``SELECT p.name FROM person p JOIN visit v``.
    """
    if any(token.word == "CROSS" for token in tokens(subject.gold.sql)):
        return
    for select in subject.nodes(exp.Select):
        first = select.args.get("from_")
        members = [join.this for join in select.args.get("joins") or ()]
        if first is None or not members or not all(isinstance(m, exp.Table) for m in (first.this, *members)):
            continue
        conditions = [join.args.get("on") for join in select.args["joins"]]
        where = select.args.get("where")
        parts = [
            _aliases(part)
            for condition in (*conditions, where.this if where is not None else None)
            if condition is not None
            for part in operands(condition, exp.And)
        ]
        tied, grows = {first.this.alias_or_name}, True
        while grows:
            more = set[str]().union(*(part for part in parts if part & tied))
            grows, tied = not more <= tied, tied | more
        if loose := [m for m in members if m.alias_or_name not in tied]:
            yield f"no condition connects {loose[0].name} to the other tables"


def _aliases(node: exp.Expression) -> set[str]:
    return {column.text("table") for column in nodes_of(node, exp.Column)}


def _is_of_columns(node: exp.Expression) -> bool:
    return isinstance(node.this, exp.Column) and isinstance(node.expression, exp.Column)


def _uses(joined: JoinedTables) -> dict[str, int]:
    """How often columns of each source are used outside equalities with other columns."""
    found: dict[str, int] = {}
    for column in nodes_of(joined.select, exp.Column):
        parent = column.parent
        if isinstance(parent, exp.EQ) and all(
            isinstance(side, exp.Column) for side in parent.iter_expressions()
        ):
            continue
        alias = place_of(column)[0]
        found[alias] = found.get(alias, 0) + 1
    return found


def _is_leaf(joined: JoinedTables, alias: str) -> bool:
    """Whether a source is joined to one other alone, so that it leads nowhere."""
    beside = {p[0] for pair in joined.equalities for p in pair if alias in {q[0] for q in pair}}
    return len(beside - {alias}) == 1


_COUNTED = re.compile(
    r"\b(?:how many|how much|number of|percent(?:age)? of|ratio of|proportion of|average of|tally) (?:of )?"
)
_AMONG = re.compile(r"\b(?:among|for|in|of) (?:all )?(?:the|those|these) ")
_ARTICLES = frozenset(["the", "all", "any", "different", "distinct", "unique"])
_PRONOUNS = frozenset(["them", "these", "those", "it"])
_ENDS = re.compile(
    r"who|whom|whose|that|which|what|where|when|ha(?:ve|s|d)|is|are|was|were|be|been|do|does|did|in|with|from|of|at|on|by|for"
    r"|among|t(?:ake|akes|ook)|gets?|got|under|over|above|below|between|as|to|and|or|there|if|can|could|than|belongs?|appears?"
    r"|contains?|used|made|received|located|living|[,?.;:]"
)
"""Words and signs with which the noun that is counted has ended."""
_PHRASE = 8
"""How many words of a phrase are looked at."""


@sign_in(Basis.TEXT)
def counts_asked(subject: QueryInDatabase) -> Iterator[str]:
    """An aggregate takes rows of the very table that the question counts as often as a join repeats them.

    The noun after "how many", "percentage of" and the like has a word of the repeated table's name, and none
    of a table whose rows stand once.
    No fault: there is but one of the other rows for each.
    Example: "how many customers paid more than 100" by COUNT(*) over customers joined with payments.
    """
    counted = _told_counted(subject.gold.question)
    for parent, told, rows in _repeats(subject):
        if words_of(parent) & counted and not rows & counted:
            yield f"{told}, and the question counts {parent}"


@sign_in(Basis.TEXT)
def counts_others(subject: QueryInDatabase) -> Iterator[str]:
    """An aggregate runs over rows in which something that the question names stands several times.

    Rows of a table whose name the question has are repeated by a join, or stand behind a foreign key of the
    one table that is read, and COUNT, SUM or AVG take them so.
    No fault: the question asks for the other table's rows, and names this one besides; where it says that it
    counts those, nothing is reported.
    Example: "percentage of women among patients" over patients joined with each of their tests.
    """
    question = subject.gold.question
    named, counted = words_of(question), _told_counted(question)
    for parent, told, rows in _repeats(subject):
        if words_of(parent) & named and not rows & counted:
            yield told


def _repeats(subject: QueryInDatabase) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Tables whose rows an aggregate takes repeatedly: its name, a sentence, the words of the others."""
    for joined in joins_of(subject):
        calls = [call for call in aggregates(joined.select) if takes_repeats(call)]
        once = [table.name for alias, table in joined.tables.items() if not joined.repeaters(alias)]
        rows = words_of(" ".join(once))
        for alias, table in joined.tables.items() if calls else ():
            for parent, other in _repeated(joined, alias, table):
                told = f"{to_sql(calls[0].copy())} takes a row of {parent} once for each row of {other}"
                yield parent, told, rows


def _repeated(joined: JoinedTables, alias: str, table: Table) -> Iterator[tuple[str, str]]:
    """Tables whose rows count repeatedly, with the table that repeats them."""
    if others := joined.repeaters(alias):
        yield table.name, joined.tables[others[0]].name
    read = folded(own.name for own in joined.tables.values())
    for reference in table.foreign_keys:
        if fold(reference.parent) not in read and not joined.context.facts.strict_key(
            table.name, reference.columns
        ):
            yield reference.parent, table.name


def _told_counted(question: str) -> frozenset[str]:
    """The stems of the nouns that a question counts; "how many of them" counts what stands after "among"."""
    lower = question.lower()
    found: set[str] = set()
    for start in _COUNTED.finditer(lower):
        phrase = _phrase(lower, start.end())
        if not phrase or phrase[0] in _PRONOUNS:
            among = _AMONG.search(lower)
            phrase = _phrase(lower, among.end()) if among else []
        found |= words_of(" ".join(phrase))
    return frozenset(found)


def _phrase(text: str, start: int) -> list[str]:
    """The words from a place up to the end of their noun."""
    words: list[str] = []
    for word in re.findall(r"[a-z]+|[,?.;:]", text[start : start + 120])[: 2 * _PHRASE]:
        if _ENDS.fullmatch(word) or len(words) == _PHRASE:
            break
        if word not in _ARTICLES:
            words.append(word)
    return words


@sign_in(Basis.SCHEMA)
def may_tie(subject: QueryInDatabase) -> Iterator[str]:
    """A LIMIT keeps the first of rows that may tie on every sort key: the schema does not forbid it.

    No fault: any of them will do, or the data have no tie (with data, ``tie`` tells).
    Example: ``SELECT name FROM person ORDER BY age DESC LIMIT 1``.
    """
    if subject.data is not None:
        return
    for select in subject.nodes(exp.Select):
        order = select.args.get("order")
        joined = joined_tables(select, subject.context)
        if select.args.get("limit") is None or order is None or joined is None:
            continue
        keys = [term.this for term in order.expressions]
        places = [place_of(term) for term in keys if isinstance(term, exp.Column)]
        if joined.tables.keys() - joined.determined(places):
            shown = ", ".join(to_sql(term.copy()) for term in keys)
            yield f"several rows may share the first place by {shown}"
