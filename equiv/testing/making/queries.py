"""This module makes random queries of every shape that the algebra knows, on any schema.

They have joins of all kinds along references, derived tables and common table expressions, groups and HAVING,
all aggregates, scalar subqueries beside rows and groups, set operations, DISTINCT, LIMIT and windows.
"""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sqlglot import exp

from equiv.core.model import Schema, Table
from equiv.dialects.registry import reference
from equiv.errors import InputError
from equiv.names import quoted
from equiv.testing.making.conditions import Conditions
from equiv.testing.making.texts import Chances, Seen, columns_of, usual


class Feature(StrEnum):
    """A part of SQL that random queries may use (closed list)."""

    JOINS = "joins"
    """Several row sources in one FROM, with inner and cross joins."""
    OUTER_JOINS = "outer_joins"
    """LEFT, RIGHT and FULL JOIN."""
    AGGREGATES = "aggregates"
    """COUNT, SUM and the like, with DISTINCT, FILTER and CASE in them."""
    GROUPS = "groups"
    """GROUP BY."""
    HAVING = "having"
    """HAVING, with or without GROUP BY."""
    SUBQUERIES = "subqueries"
    """EXISTS, IN (SELECT …) and scalar subqueries, correlated or not."""
    DERIVED_TABLES = "derived_tables"
    """Queries in FROM."""
    CTES = "ctes"
    """WITH."""
    SET_OPERATIONS = "set_operations"
    """UNION, UNION ALL, INTERSECT, EXCEPT."""
    WINDOWS = "windows"
    """Window functions."""
    DISTINCT = "distinct"
    """SELECT DISTINCT."""
    ORDER = "order"
    """ORDER BY at the end of a query."""
    LIMIT = "limit"
    """LIMIT and OFFSET."""


ALL = frozenset(Feature)

Features = frozenset[Feature]


def features_named(names: Iterable[str]) -> Features:
    """The features of some names.

    Raises:
        InputError: there is no such feature.
    """
    known = {str(feature): feature for feature in Feature}
    if isinstance(names, str):
        raise InputError(f"features takes a sequence of names, not a single str: {names!r}")
    asked = list(map(str, names))
    if unknown := [name for name in asked if name not in known]:
        raise InputError(f"unknown feature {unknown[0]!r}; choose among {', '.join(known)}")
    return frozenset(known[name] for name in asked)


def features_of(sql: str) -> Features:
    """The features that a query uses.

    Raises:
        GrammarError: it cannot be read.
    """
    return frozenset(feature for node in reference().parse(sql).walk() for feature in _of_node(node))


def uses_only(sql: str, allowed: Features) -> bool:
    """Whether a query uses none but some features."""
    return allowed == ALL or features_of(sql) <= allowed


_NODES: tuple[tuple[tuple[type[exp.Expr], ...], Feature], ...] = (
    ((exp.Window,), Feature.WINDOWS),
    ((exp.Group,), Feature.GROUPS),
    ((exp.Having,), Feature.HAVING),
    ((exp.CTE,), Feature.CTES),
    ((exp.SetOperation,), Feature.SET_OPERATIONS),
    ((exp.Limit, exp.Offset), Feature.LIMIT),
)
"""Features that a node shows wherever it stands."""


def _of_node(node: exp.Expr) -> Iterator[Feature]:
    yield from (feature for kinds, feature in _NODES if isinstance(node, kinds))
    match node:
        case exp.Join():
            yield Feature.OUTER_JOINS if node.text("side") else Feature.JOINS
        case exp.AggFunc():
            if not isinstance(node.parent, exp.Window):
                yield Feature.AGGREGATES
        case exp.Order():
            if isinstance(node.parent, exp.Query):
                yield Feature.ORDER
        case exp.Select():
            if node.args.get("distinct"):
                yield Feature.DISTINCT
            yield from _of_place(node)


def _of_place(select: exp.Select) -> Iterator[Feature]:
    """Where a SELECT stands."""
    node: exp.Expr | None = select.parent
    while isinstance(node, exp.SetOperation | exp.Subquery):
        above = node.parent
        if isinstance(node, exp.Subquery) and isinstance(above, exp.From | exp.Join):
            yield Feature.DERIVED_TABLES
            return
        node = above
    if node is not None and not isinstance(node, exp.CTE):
        yield Feature.SUBQUERIES


_JOINS = (*(("JOIN",) * 5), *(("LEFT JOIN",) * 4), "RIGHT JOIN", "FULL JOIN", "CROSS JOIN")
_SIDES = ("LEFT", "RIGHT", "FULL")
_VALUES: dict[str, tuple[str, ...]] = {
    "*": ("$", "$", "COALESCE($, #)", "CASE WHEN $ = # THEN # END", "CASE WHEN $ > # THEN $ ELSE # END", "$ IS NULL", "NULLIF($, #)",
          "$ = #", "IIF($ > #, #, $)", "CASE $ WHEN # THEN # WHEN # THEN # ELSE $ END", "IFNULL($, #)"),
    "i": ("$ + 1", "$ * 2", "-$", "$ / 2", "$ % 3", "ABS($)", "CAST($ AS REAL)", "$ - $o", "$ * $o", "$ * 1.0 / $o", "$ / 2.0", "CAST($ AS TEXT)"),
    "r": ("$ * 2", "ROUND($)", "CAST($ AS INTEGER)", "$ / 2", "$ - 1", "$ + $o"),
    "t": ("UPPER($)", "LOWER($)", "$ || 'x'", "SUBSTR($, 1, 1)", "LENGTH($)", "TRIM($)", "REPLACE($, 'a', 'b')", "INSTR($, 'a')"),
    "d": ("STRFTIME('%Y', $)", "SUBSTR($, 1, 4)", "STRFTIME('%m', $)", "CAST(STRFTIME('%Y', $) AS INTEGER)", "DATE($)", "SUBSTR($, 1, 7)",
          "STRFTIME('%Y-%m', $)", "JULIANDAY($)"),
    "f": ("$", "NOT $", "$ + 0"),
}  # fmt: skip


@dataclass
class _Clauses(Chances):
    """Makes parts of queries on a schema."""

    schema: Schema
    size: int = 1
    """0: one table or two, one condition or none; 1: a little more; 2: more than a prover takes in its stride."""
    features: Features = ALL
    """What they may use; what is left open is for :func:`~equiv.testing.making.queries.features_of` to find."""
    conditions: Conditions = field(init=False)
    ctes: list[tuple[str, list[Seen]]] = field(default_factory=list)
    joins: tuple[str, ...] = field(init=False)
    _made: int = 0

    def __post_init__(self) -> None:
        self.conditions = Conditions(
            self.random,
            self.schema,
            "s",
            hardness=0.08,
            size=self.size,
            nests=self.may(Feature.SUBQUERIES),
        )

        outer = self.may(Feature.OUTER_JOINS)
        inner = self.may(Feature.JOINS)
        self.joins = tuple(j for j in _JOINS if (outer if j.split()[0] in _SIDES else inner))

    def may(self, *features: Feature) -> bool:
        """Whether all of some features may be used."""
        return self.features.issuperset(features)

    def alias(self) -> str:
        self._made += 1
        return f"t{self._made}"

    def table(self) -> Table:
        return self.random.choice(self.schema.tables)

    def neighbour(self, tables: Sequence[Table]) -> Table:
        """A table that a foreign key joins to one of the tables, or one of these; now and then any table."""
        names = {key.parent for table in tables for key in table.foreign_keys}
        own = {table.name for table in tables}
        found = [t for t in self.schema.tables if t.name in names or {k.parent for k in t.foreign_keys} & own]
        return self.random.choice([*found, *found, *tables]) if self.chance(0.85) else self.table()

    def named(self, name: str, columns: Sequence[Seen]) -> list[Seen]:
        """Columns of a source with names of its own."""
        return [(f"{name}.{text}", kind) for text, kind in columns]

    def source(self, depth: int, tables: list[Table]) -> tuple[str, list[Seen]]:
        """One row source, and its columns."""
        alias, roll = self.alias(), self.random.random()
        if roll < 0.12 and depth > 0 and self.may(Feature.DERIVED_TABLES):
            text, names = self.derived(depth - 1)
            return f"({text}) AS {alias}", self.named(alias, names)
        if roll < 0.5 and self.ctes:
            name, names = self.random.choice(self.ctes)
            return f"{name} AS {alias}", self.named(alias, names)
        table = self.neighbour(tables) if tables else self.table()
        tables.append(table)
        return f"{quoted(table.name)} AS {alias}", columns_of(table, alias)

    def some_condition(self, seen: Sequence[Seen]) -> str:
        """A condition, mostly a short one."""
        return self.conditions.any(seen, 2 if self.size == 2 else self.random.choice((0, 0, self.size)))

    def sources(self, depth: int = 1) -> tuple[str, list[Seen]]:
        """A FROM clause with conditions, and the columns that it offers."""
        tables: list[Table] = []
        text, seen = self.source(depth, tables)
        links: list[str] = []
        more_sources = ((0, 0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 1, 1, 1, 2))[self.size]
        for _ in range(self.random.choice(more_sources) if self.joins else 0):
            more, own = self.source(depth, tables)
            word = self.pick(*self.joins)
            link = self.conditions.link(seen, own)
            if word == "CROSS JOIN":
                text += f" CROSS JOIN {more}"
                links += [link] if self.chance(0.7) else []
            else:
                if self.chance(0.2):
                    link += f" AND {self.conditions.any(seen + own, 1)}"
                text += f" {word} {more} ON {link}"
            seen = seen + own
        links += [
            self.some_condition(seen)
            for _ in range(self.random.choice(((0, 0, 0, 1), (0, 0, 1), (0, 0, 1, 1, 2))[self.size]))
        ]
        return text + (f" WHERE {' AND '.join(f'({each})' for each in links)}" if links else ""), seen

    def values(self, seen: Sequence[Seen], number: int, plainly: float = 0.65) -> list[str]:
        """Expressions over columns."""
        found = []
        for _ in range(number):
            column = self.random.choice(usual(seen))
            forms = (
                ("$",)
                if self.chance(max(plainly, 0.95 - 0.3 * self.size))
                else (*_VALUES["*"], *_VALUES.get(column[1], ()))
            )
            found.append(self.conditions.filled(self.pick(*forms), column, usual(seen)))
        return found

    def word(self, probability: float = 0.2) -> str:
        return "DISTINCT " if self.chance(probability) and self.may(Feature.DISTINCT) else ""

    def ending(self, shown: Sequence[str]) -> str:
        if self.chance(0.75) or not self.may(Feature.ORDER):
            return ""
        order = f" ORDER BY {self.pick(*shown)}{self.pick('', ' DESC')}"
        limit = self.pick("", "", " LIMIT 1", " LIMIT 2", " LIMIT 2 OFFSET 1", " LIMIT 0")
        return order + (limit if self.may(Feature.LIMIT) else "")

    def derived(self, depth: int) -> tuple[str, list[Seen]]:
        """A query whose columns have names, and these with their kinds."""
        text, seen = self.sources(depth)
        columns = self.random.sample(usual(seen), min(len(usual(seen)), self.random.choice((1, 2, 2, 3))))
        names = [(f"c{n}", kind) for n, (_, kind) in enumerate(columns)]
        outputs = [f"{text} AS c{n}" for n, (text, _) in enumerate(columns)]
        if self.chance(0.4) and self.may(Feature.GROUPS, Feature.AGGREGATES):
            keys = ", ".join(text for text, _ in columns)
            outputs.append(f"{self.conditions.value(usual(seen))} AS n")
            having = f" HAVING {self.having(seen)}" if self.chance(0.3) and self.may(Feature.HAVING) else ""
            return f"SELECT {', '.join(outputs)} FROM {text} GROUP BY {keys}{having}", [*names, ("n", "i")]
        if self.chance(0.1) and self.may(Feature.SET_OPERATIONS):
            more, others = self.sources(0)
            kinds = [
                [n for n, k in usual(others) if k == kind] or [usual(others)[0][0]] for _, kind in columns
            ]
            other = ", ".join(self.random.choice(choices) for choices in kinds)
            union = self.pick("UNION", "UNION ALL", "EXCEPT", "INTERSECT")
            return f"SELECT {', '.join(outputs)} FROM {text} {union} SELECT {other} FROM {more}", names
        return f"SELECT {self.word(0.3)}{', '.join(outputs)} FROM {text}", names

    def having(self, seen: Sequence[Seen]) -> str:
        call, number = self.conditions.value(usual(seen)), self.pick("0", "1", "1", "2")
        tests = (
            f"COUNT(*) > {number}", f"COUNT(*) >= {number}", f"{call} > {number}", f"{call} = {number}", f"{call} IS NOT NULL",
            "COUNT(*) > 40", f"{call} IN (1, 2)", f"{call} > {self.conditions.value(usual(seen))}", self.conditions.apart(1),
            "COUNT(*) > 0", "1 = 0", "1 = 1", f"NOT {call} < {number}",
        )  # fmt: skip
        return self.pick(*tests)


WINDOWS = (
    "ROW_NUMBER() OVER (ORDER BY {0}, {1})", "RANK() OVER (PARTITION BY {0} ORDER BY {1})", "COUNT(*) OVER ()",
    "DENSE_RANK() OVER (ORDER BY {0})", "COUNT({0}) OVER (PARTITION BY {1})", "SUM({0}) OVER (PARTITION BY {1})",
    "MAX({0}) OVER (PARTITION BY {1})", "MIN({0}) OVER ()", "AVG({0}) OVER (PARTITION BY {1})", "LAG({0}) OVER (ORDER BY {1})",
    "RANK() OVER (ORDER BY {0} DESC)",
)  # fmt: skip


SIZES = (0, 0, 0, 1, 1, 2)
"""How large queries are where nothing else is asked for, each as often as it stands here: most are small."""


class Queries(_Clauses):
    """Makes queries on a schema."""

    def query(self) -> str:
        """A query."""
        self.ctes, clauses = [], []
        number = self.random.choice(((0,), (*((0,) * 9), 1), (0, 0, 0, 1, 1, 2))[self.size])
        for _ in range(number if self.may(Feature.CTES) else 0):
            text, names = self.derived(self.size // 2)
            name = self.alias()
            clauses.append(f"{name} AS ({text})")
            self.ctes.append((name, names))
        start = f"WITH {', '.join(clauses)} " if clauses else ""
        return start + (
            self.compound() if self.chance(0.15) and self.may(Feature.SET_OPERATIONS) else self.select()
        )

    def select(self) -> str:
        """A query without set operations at its top."""
        f = Feature
        shapes = (
            *(((self.plain, ()),) * 5),
            *(((self.grouped, (f.GROUPS,)),) * 7),
            *(((self.total, (f.AGGREGATES,)),) * 4),
            *(((self.beside, (f.SUBQUERIES, f.AGGREGATES)),) * 3),
            *(((self.over_groups, (f.DERIVED_TABLES,)),) * 2),
            (self.windowed, (f.WINDOWS,)),
            (self.extreme, (f.SUBQUERIES, f.AGGREGATES)),
            (self.cut, (f.ORDER,)),
            (self.counted, (f.DERIVED_TABLES, f.AGGREGATES)),
        )
        return self.random.choice([shape for shape, needs in shapes if self.may(*needs)])()

    def plain(self) -> str:
        text, seen = self.sources()
        shown = self.values(seen, self.random.choice((1, 1, 2, 2, 3)))
        return f"SELECT {self.word()}{', '.join(shown)} FROM {text}{self.ending(shown)}"

    def grouped(self) -> str:
        text, seen = self.sources()
        keys = self.values(seen, self.random.choice((1, 1, 1, 2) if self.size else (1,)), 0.85)
        calls = [
            self.conditions.value(usual(seen))
            for _ in range(self.random.choice((0, 1, 1, 1, self.size)))
            if self.may(Feature.AGGREGATES)
        ]
        if self.chance(0.15) and self.may(Feature.SUBQUERIES):
            calls.append(f"({self.lone(seen if self.chance(0.4) else ())})")
        outputs = [*(keys if self.chance(0.8) else keys[:1] if not calls else []), *calls]
        having = (
            f" HAVING {self.having(seen)}"
            if self.chance(0.1 + 0.15 * self.size) and self.may(Feature.HAVING)
            else ""
        )
        clauses = f"GROUP BY {', '.join(keys)}{having}"
        return f"SELECT {self.word(0.06)}{', '.join(outputs)} FROM {text} {clauses}{self.ending(outputs)}"

    def total(self) -> str:
        text, seen = self.sources()
        calls = [self.conditions.value(usual(seen)) for _ in range(self.random.choice((1, 1, 2)))]
        if self.chance(0.2):
            calls[0] = self.pick(
                f"{calls[0]} + 1",
                f"{calls[0]} * 100.0 / COUNT(*)",
                f"COALESCE({calls[0]}, 0)",
                f"{calls[0]} > 1",
            )
        having = f" HAVING {self.having(seen)}" if self.chance(0.12) and self.may(Feature.HAVING) else ""
        return f"SELECT {', '.join(calls)} FROM {text}{having}"

    def lone(self, seen: Sequence[Seen] = ()) -> str:
        """A query of one value, which may depend on outer rows."""
        text, own = self.conditions.rows(1, seen)
        column = self.random.choice(own)[0]
        order = f"SELECT {column} {text} ORDER BY {column}{self.pick('', ' DESC')} LIMIT 1"
        return order if self.chance(0.15) else f"SELECT {self.conditions.value(own)} {text}"

    def beside(self) -> str:
        """Rows with scalar subqueries beside them."""
        text, seen = self.sources()
        shown = [
            *self.values(seen, self.random.choice((1, 1, 2))),
            f"({self.lone(seen if self.chance(0.7) else ())})",
        ]
        return f"SELECT {self.word()}{', '.join(shown)} FROM {text}"

    def over_groups(self) -> str:
        """A query over groups: an aggregate of them, or their rows."""
        text, names = self.derived(1)
        seen = self.named("q", names)
        if self.chance(0.5):
            return (
                f"SELECT {self.conditions.value(seen)} FROM ({text}) AS q WHERE {self.some_condition(seen)}"
            )
        shown = self.values(seen, self.random.choice((1, 2)), 0.8)
        if self.chance(0.4):
            return f"SELECT {shown[0]}, {self.conditions.value(seen)} FROM ({text}) AS q GROUP BY {shown[0]}"
        return f"SELECT {self.word()}{', '.join(shown)} FROM ({text}) AS q WHERE {self.some_condition(seen)}"

    def compound(self) -> str:
        width = self.random.choice((1, 1, 2))
        parts = []
        for _ in range(self.random.choice((2, 2, 3) if self.size == 2 else (2,))):
            text, seen = self.sources(0)
            numbers = [s for s in usual(seen) if s[1] == "i"] or usual(seen)
            parts.append(
                f"SELECT {self.word(0.1)}{', '.join(self.random.choice(numbers)[0] for _ in range(width))} FROM {text}"
            )
        made = parts[0]
        for part in parts[1:]:
            made += f" {self.pick('UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT')} {part}"
        return made + self.pick("", "", "", " ORDER BY 1", " ORDER BY 1 LIMIT 2")

    def windowed(self) -> str:
        text, seen = self.sources()
        one, two, three = (self.random.choice(usual(seen))[0] for _ in range(3))
        call = self.pick(*WINDOWS).format(one, two)
        if self.chance(0.5):
            return f"SELECT {three}, {call} FROM {text}"
        test = self.pick("q.w = 1", "q.w <= 2", "q.v = q.w", "q.w > 1")
        return (
            f"SELECT {self.word()}q.v FROM (SELECT {three} AS v, {call} AS w FROM {text}) AS q WHERE {test}"
        )

    def extreme(self) -> str:
        """Rows with the greatest or least value."""
        table, one, two = self.table(), self.alias(), self.alias()
        outer, inner = columns_of(table, one), columns_of(table, two)
        column, kind = self.random.choice(usual(outer))
        same = column.replace(one, two, 1)
        output = self.values(outer, 1, 0.9)[0]
        where = f" WHERE {self.conditions.any(inner, 1)}" if self.chance(0.4) else ""
        base = f"SELECT {self.word()}{output} FROM {quoted(table.name)} AS {one}"
        own = f" AND {self.conditions.any(outer, 1)}" if self.chance(0.4) else ""
        del kind
        if self.chance(0.4):
            return f"{base} WHERE NOT EXISTS (SELECT 1 FROM {quoted(table.name)} AS {two} WHERE {same} > {column}){own}"
        call = self.pick("MAX", "MIN")
        return (
            f"{base} WHERE {column} = (SELECT {call}({same}) FROM {quoted(table.name)} AS {two}{where}){own}"
        )

    def cut(self) -> str:
        """The first rows by some keys."""
        text, seen = self.sources()
        shown = self.values(seen, self.random.choice((1, 2)), 0.9)
        keys = [name + self.pick("", " DESC") for name, _ in self.random.sample(usual(seen), 1)]
        limit = self.pick(" LIMIT 1", " LIMIT 2", " LIMIT 1 OFFSET 1", "")
        if self.chance(0.4):
            group = shown[0]
            order = f"{self.conditions.value(usual(seen))}{self.pick('', ' DESC')}, {group}"
            return f"SELECT {group} FROM {text} GROUP BY {group} ORDER BY {order}{limit}"
        return f"SELECT {', '.join(shown)} FROM {text} ORDER BY {', '.join([*keys, *shown])}{limit}"

    def counted(self) -> str:
        """How many rows some query has."""
        inner = self.random.choice((self.plain, self.grouped, self.beside))()
        return f"SELECT COUNT(*) FROM ({inner})"
