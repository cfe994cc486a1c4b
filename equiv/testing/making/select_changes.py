"""Changes to one SELECT of a query: a condition more anywhere, a row source more, another grouping.

What is added is SQL text: a marker stands for it in the tree until the tree is printed.  It may mention
the columns in scope of the SELECT: of its own sources, and of the queries around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import cast

from sqlglot import exp

from equiv.core.model import Schema, Table
from equiv.core.printing import to_sql
from equiv.names import quoted
from equiv.testing.making.conditions import Conditions
from equiv.testing.making.texts import Seen, columns_of, usual

MARK = "\N{SECTION SIGN}"
"""Begins a literal or name that stands for text; nothing else may hold it."""


def tables_of(select: exp.Select, schema: Schema) -> Iterator[tuple[Table, str]]:
    """The base tables that a SELECT reads itself, with their aliases."""
    for source in _sources(select):
        found = schema.table(source.name) if isinstance(source, exp.Table) else None
        if found is not None and not _is_cte(source):
            yield found, source.alias_or_name


def seen_by(select: exp.Select, schema: Schema) -> list[Seen]:
    """The columns of the sources of a SELECT."""
    columns: list[Seen] = []
    for source in _sources(select):
        alias = source.alias_or_name
        table = schema.table(source.name) if isinstance(source, exp.Table) else None
        if table is not None and not _is_cte(source):
            columns += columns_of(table, alias)
            continue
        body = source.this if isinstance(source, exp.Subquery) else _cte(source)
        while isinstance(body, exp.SetOperation | exp.Subquery):
            body = body.this
        if isinstance(body, exp.Select):
            names = [each.alias_or_name for each in body.expressions]
            columns += [(f"{quoted(alias)}.{quoted(name)}", "u") for name in names if name.isidentifier()]
    return columns


def outer_columns(select: exp.Select, schema: Schema) -> Iterator[Seen]:
    """The columns that a subquery may mention besides its own."""
    above = select.parent
    while above is not None and not isinstance(above, exp.CTE | exp.From | exp.Join):
        if isinstance(above, exp.Select):
            yield from seen_by(above, schema)
        above = above.parent


def _sources(select: exp.Select) -> Iterator[exp.Expression]:
    clauses = [select.args.get("from_"), *(select.args.get("joins") or ())]
    yield from (
        clause.this for clause in clauses if clause is not None and not clause.this.name.startswith(MARK)
    )


def _cte(source: exp.Expression) -> exp.Expression | None:
    found = [cte for cte in source.root().find_all(exp.CTE) if cte.alias == source.name]
    return found[0].this if found else None


def _is_cte(source: exp.Expression) -> bool:
    return _cte(source) is not None


@dataclass
class Changes:
    """Changes SELECTs in place; each change says whether it found something to change."""

    schema: Schema
    random: Random
    asides: Sequence[str] = ()
    conditions: Conditions = field(init=False)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.conditions = Conditions(
            self.random, self.schema, "m", self.asides, size=self.random.choice((0, 0, 1))
        )

    def printed(self, tree: exp.Expression) -> str:
        """The SQL of a changed tree.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: a change led out of what can be printed.
        """
        text = to_sql(tree)
        for number, inserted in reversed(list(enumerate(self.texts))):
            for mark in (f"'{MARK}{number}{MARK}'", f'"{MARK}{number}{MARK}"'):
                text = text.replace(mark, inserted)
        if MARK in text:
            raise ValueError("a mark was changed")
        return text

    def change(self, select: exp.Select) -> bool:
        """Change a SELECT in some way."""
        return self.random.choice(_CHANGES)(self, select)

    def _value(self, text: str) -> exp.Expression:
        self.texts.append(text)
        return exp.Literal.string(f"{MARK}{len(self.texts) - 1}{MARK}")

    def _truth(self, text: str) -> exp.Expression:
        return self._value(f"({text})")

    def add_condition(self, select: exp.Select) -> bool:
        """A condition more in WHERE, ON or HAVING, joined by AND or OR, or in place of what is there."""
        own, outer = seen_by(select, self.schema), list(outer_columns(select, self.schema))
        seen = own + outer if outer and self.random.random() < 0.3 else own
        text = self.conditions.any(seen, self.random.choice((0, 0, 1)))
        ons = [join for join in select.args.get("joins") or () if join.args.get("on") is not None]
        places = [
            "where",
            "where",
            *(["on"] if ons else []),
            *(["having"] if select.args.get("group") else []),
        ]
        place = self.random.choice(places)
        if place == "on":
            join = self.random.choice(ons)
            join.set("on", self._joined(join.args["on"], self._truth(text)))
            return True
        if place == "having":
            text = self._of_group(usual(own))
        kind = exp.Having if place == "having" else exp.Where
        clause = select.args.get(place)
        added = self._truth(text)
        select.set(place, kind(this=self._joined(clause.this, added) if clause is not None else added))
        return True

    def _joined(self, there: exp.Expr, added: exp.Expression) -> exp.Expression:
        kind = exp.And if self.random.random() < 0.8 else exp.Or
        left, right = there.copy(), added
        if self.random.random() < 0.3:
            left, right = right, left
        return kind(this=left, expression=right)

    def _of_group(self, own: Sequence[Seen]) -> str:
        """A condition on a group."""
        call, number = self.conditions.value(own) if own else "COUNT(*)", self.random.choice("012")
        tests = (
            f"{call} > {number}",
            f"{call} = {number}",
            f"{call} IS {call}",
            "COUNT(*) > 0",
            "COUNT(*) > 40",
            f"COUNT(*) > {number} AND COUNT(*) < {number}",
            self.conditions.empty([]),
            *(self.conditions.apart(depth) for depth in (0, 1)),
        )
        return self.random.choice(tests)

    def add_aside(self, select: exp.Select) -> bool:
        """A condition more in WHERE that mentions no row at hand, is never true, or always."""
        seen = usual(seen_by(select, self.schema))
        text = self.random.choice(
            (
                self.conditions.apart(0),
                self.conditions.apart(1),
                self.conditions.empty(seen),
                self.conditions.full(seen),
            )
        )
        clause, added = select.args.get("where"), self._truth(text)
        select.set(
            "where",
            exp.Where(
                this=exp.And(this=clause.this.copy(), expression=added) if clause is not None else added
            ),
        )
        return True

    def guard_condition(self, select: exp.Select) -> bool:
        """Put another condition beside a condition anywhere inside: ``p AND q`` or ``p OR q`` for ``p``."""
        guards = [
            n
            for n in select.find_all(*_COMPARISONS)
            if isinstance(n.parent, exp.And | exp.Or | exp.Not | exp.Where)
        ]
        if not guards:
            return False
        node = self.random.choice(guards)
        inside = node.find_ancestor(exp.Select)
        text = self.conditions.any(seen_by(inside, self.schema) if isinstance(inside, exp.Select) else [])
        node.replace(self._joined(node, self._truth(text)))
        return True

    def add_source(self, select: exp.Select) -> bool:
        """One row source more."""
        if select.args.get("from_") is None:
            return False
        seen = usual(seen_by(select, self.schema))
        table, alias = self.random.choice(self.schema.tables), self.conditions.alias()
        own = columns_of(table, alias)
        name = f"{quoted(table.name)} AS {alias}"
        if self.random.random() < 0.25:
            column = self.random.choice(usual(own))[0]
            test = f" WHERE {self.conditions.any(own, 1)}" if self.random.random() < 0.4 else ""
            name = f"(SELECT DISTINCT {column} AS c FROM {name}{test}) AS {alias}"
            own = [(f"{alias}.c", "i")]
        self.texts.append(name)
        source = exp.Table(this=exp.to_identifier(f"{MARK}{len(self.texts) - 1}{MARK}", quoted=True))
        join = exp.Join(this=source)
        if seen and self.random.random() < 0.75:
            join.set("on", self._truth(self.conditions.link(seen, own)))
            join.set("side", self.random.choice(("", "", "LEFT")) or None)
        select.append("joins", join)
        return True

    def twin_source(self, select: exp.Select) -> bool:
        """A second row of a table that is there, the same by its key or by some column."""
        tables = list(tables_of(select, self.schema))
        if not tables:
            return False
        (table, alias), other = self.random.choice(tables), self.conditions.alias()
        names = table.primary_key if table.primary_key and self.random.random() < 0.5 else ()
        names = names or (self.random.choice(table.columns).name,)
        link = " AND ".join(f"{quoted(alias)}.{quoted(n)} = {other}.{quoted(n)}" for n in names)
        self.texts.append(f"{quoted(table.name)} AS {other}")
        source = exp.Table(this=exp.to_identifier(f"{MARK}{len(self.texts) - 1}{MARK}", quoted=True))
        select.append("joins", exp.Join(this=source, on=self._truth(link)))
        return True

    def other_grouping(self, select: exp.Select) -> bool:
        """Another key, one key more, or a group of its own for each row."""
        seen, group = usual(seen_by(select, self.schema)), select.args.get("group")
        if not seen or group is None or not group.expressions:
            return False
        added = self._value(self.random.choice(seen)[0])
        kept = [each.copy() for each in group.expressions]
        if self.random.random() < 0.3:
            kept.pop(self.random.randrange(len(kept)))
        group.set("expressions", [*kept, added])
        return True

    def group_rows(self, select: exp.Select) -> bool:
        """Groups where there were none."""
        values = [each.unalias().copy() for each in select.expressions]
        plain = all(not value.find(exp.AggFunc, exp.Window, exp.Subquery) for value in values)
        if select.args.get("group") is not None or select.args.get("order") is not None:
            return False
        if plain and values:
            select.set("group", exp.Group(expressions=values))
            return True
        seen = usual(seen_by(select, self.schema))
        if not seen:
            return False
        select.set("group", exp.Group(expressions=[self._value(self.random.choice(seen)[0])]))
        return True

    def other_value(self, select: exp.Select) -> bool:
        """Another aggregate, or another column shown."""
        seen = usual(seen_by(select, self.schema))
        calls = [c for each in select.expressions for c in each.find_all(exp.AggFunc) if _is_own(c, select)]
        if not seen:
            return False
        if calls:
            call = self.random.choice(calls)
            call = call.parent if isinstance(call.parent, exp.Filter) else call
            call.replace(self._value(self.conditions.value(seen)))
            return True
        columns = [c for each in select.expressions for c in each.find_all(exp.Column) if _is_own(c, select)]
        if not columns:
            return False
        self.random.choice(columns).replace(self._value(self.random.choice(seen)[0]))
        return True

    def filtered(self, select: exp.Select) -> bool:
        """An aggregate over fewer rows, by FILTER or CASE."""
        seen = usual(seen_by(select, self.schema))
        calls = [
            c
            for c in select.find_all(exp.AggFunc)
            if _is_own(c, select) and not isinstance(c.parent, exp.Window | exp.Filter)
        ]
        if not calls or not seen:
            return False
        call, test = self.random.choice(calls), self.conditions.any(seen, 1)
        try:
            text = to_sql(cast(exp.Expression, call))
        except (AttributeError, KeyError, TypeError, ValueError):
            return False
        if MARK in text:
            return False
        call.replace(self._value(f"{text} FILTER (WHERE {test})"))
        return True


_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Exists, exp.Is, exp.Like)
_CHANGES: tuple[Callable[[Changes, exp.Select], bool], ...] = (
    *((Changes.add_condition,) * 6),
    *((Changes.add_aside,) * 5),
    Changes.guard_condition,
    Changes.add_source,
    Changes.twin_source,
    Changes.other_grouping,
    Changes.group_rows,
    Changes.other_value,
    Changes.filtered,
)


def _is_own(node: exp.Expr, select: exp.Select) -> bool:
    return node.find_ancestor(exp.Select) is select
