"""Random queries of every shape that the algebra knows, on any schema.

Joins of all kinds along references, derived tables and common table expressions, groups and HAVING, all
aggregates, scalar subqueries beside rows and groups, set operations, DISTINCT, LIMIT, windows.
"""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from collections.abc import Sequence

from equiv.core.identifiers import quoted
from equiv.testing.features import Feature
from equiv.testing.making.clauses import Clauses
from equiv.testing.making.columns import Seen, columns_of, usual

WINDOWS = (
    "ROW_NUMBER() OVER (ORDER BY {0}, {1})", "RANK() OVER (PARTITION BY {0} ORDER BY {1})", "COUNT(*) OVER ()",
    "DENSE_RANK() OVER (ORDER BY {0})", "COUNT({0}) OVER (PARTITION BY {1})", "SUM({0}) OVER (PARTITION BY {1})",
    "MAX({0}) OVER (PARTITION BY {1})", "MIN({0}) OVER ()", "AVG({0}) OVER (PARTITION BY {1})", "LAG({0}) OVER (ORDER BY {1})",
    "RANK() OVER (ORDER BY {0} DESC)",
)  # fmt: skip


SIZES = (0, 0, 0, 1, 1, 2)
"""How large queries are where nothing else is asked for, each as often as it stands here: most are small."""


class Queries(Clauses):
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
        """An aggregate, or rows, over groups."""
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
