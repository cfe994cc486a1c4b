"""Random queries: joins, derived tables, CTEs, subqueries, grouping, set operations and LIMIT, nested."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from drawing.nasty_tables import LINKS, TABLES

LITERALS = {
    "i": ("0", "1", "2", "1", "'1'"),
    "t": ("'a'", "'A'", "'1'", "'b'", "''"),
    "u": ("1", "'1'", "'a'", "1.0"),
}
DIRECTIONS = ("", "", " DESC", " DESC", " NULLS LAST", " DESC NULLS FIRST")
QUOTED = "'0'"
KEYS = ("id", "code", "p", "q", "k")
COMPARISONS = ("=", "=", "=", "<>", "<", ">=")


@dataclass
class Source:
    """What stands in FROM: its alias, the kinds of its columns, and the stored column behind each."""

    alias: str
    kinds: dict[str, str]
    stored: dict[str, str] = field(default_factory=dict)


@dataclass
class Maker:
    """Makes queries; ``ctes`` are those of the query at hand."""

    random: Random
    aliases: int = 0
    ctes: list[Source] = field(default_factory=list)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def alias(self) -> str:
        self.aliases += 1
        return f"t{self.aliases}"

    def query(self) -> str:
        clauses = []
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            text, made = self.derived(1)
            clauses.append(f"{made.alias} AS ({text})")
            self.ctes.append(made)
        start = f"WITH {', '.join(clauses)} " if clauses else ""
        if self.chance(0.2):
            return start + self.compound(2, [])
        return start + self.select(2, [], self.random.choice((1, 1, 2, 3)), at_top=True)

    def compound(self, depth: int, outer: list[Source]) -> str:
        width = self.random.choice((1, 1, 2))
        parts = [self.select(depth - 1, outer, width) for _ in range(self.random.choice((2, 2, 3)))]
        if self.chance(0.4):
            parts[1] = self.vary(parts[0])
        text = parts[0]
        for part in parts[1:]:
            word = self.random.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
            text += f" {word} {part}"
        if self.chance(0.3):
            text += " ORDER BY 1" + (f" LIMIT {self.random.choice('0123')}" if self.chance(0.4) else "")
        return text

    def vary(self, select: str) -> str:
        """The same SELECT with another condition, its aliases kept: an operand of its own."""
        for old, new in (("= 1", "= 2"), (" IS NULL", " IS NOT NULL"), ("'a'", "'b'"), ("< 1", ">= 2")):
            if old in select and self.chance(0.5):
                return select.replace(old, new, 1)
        return select

    def derived(self, depth: int) -> tuple[str, Source]:
        """A query whose columns have names, and what it is as a source."""
        width = self.random.choice((1, 2, 2, 3))
        sources = self.sources(depth)
        names: dict[str, str] = {}
        stored: dict[str, str] = {}
        values = []
        reads = self.reads(sources)
        grouped = self.chance(0.3)
        keys: list[str] = []
        for _ in range(width):
            text, kind, origin = self.random.choice(reads)
            if grouped and self.chance(0.4):
                text, kind, origin = self.aggregate(sources), "i", ""
            elif grouped:
                keys.append(text)
            name = self.random.choice((text.split(".")[-1], "a_id", "id", "x", "code"))
            if name in names or not name.isidentifier():
                name = f"n{len(names)}"
            names[name], stored[name] = kind, origin
            if not grouped and self.chance(0.12):
                text, stored[name] = self.expression(text), ""
            values.append(f"{text} AS {name}")
        text = f"SELECT {self.word(0.25)}{', '.join(values)} FROM {self.source_text(sources)}"
        text += self.where(depth, sources, [])
        if grouped and keys:
            text += f" GROUP BY {', '.join(keys)}"
        if self.chance(0.2):
            order = f" ORDER BY {reads[0][0]}" if not grouped and "DISTINCT" not in text else ""
            text += f"{order} LIMIT {self.random.choice('0123')}"
        return text, Source(self.alias(), names, stored)

    def sources(self, depth: int) -> list[Source]:
        made: list[Source] = []
        self.texts: dict[str, str]
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            roll = self.random.random()
            if roll < 0.12 and depth > 0:
                text, source = self.derived(depth - 1)
                source = Source(source.alias, source.kinds, source.stored)
                self.froms[source.alias] = f"({text}) AS {source.alias}"
            elif roll < 0.3 and self.ctes:
                cte = self.random.choice(self.ctes)
                source = Source(self.alias(), cte.kinds, cte.stored)
                self.froms[source.alias] = f"{cte.alias} AS {source.alias}"
            else:
                linked = [t for s in made for t in self.neighbours(s)]
                table = (
                    self.random.choice(linked)
                    if linked and self.chance(0.8)
                    else self.random.choice("aaabbbcdef")
                )
                source = Source(
                    self.alias(), TABLES[table], {name: f"{table}.{name}" for name in TABLES[table]}
                )
                self.froms[source.alias] = f"{table} AS {source.alias}"
            made.append(source)
        return made

    froms: dict[str, str] = field(default_factory=dict)

    def neighbours(self, source: Source) -> list[str]:
        tables = {origin.split(".")[0] for origin in source.stored.values() if origin}
        found = [
            other.split(".")[0]
            for pair in LINKS
            for own, other in (pair, pair[::-1])
            if own.split(".")[0] in tables
        ]
        return [*found, *tables]

    def source_text(self, sources: list[Source]) -> str:
        text = self.froms[sources[0].alias]
        self.pending: list[str] = []
        for position, source in enumerate(sources[1:], 1):
            word = self.random.choice(
                (
                    ",",
                    "JOIN",
                    "JOIN",
                    "JOIN",
                    "LEFT JOIN",
                    "LEFT JOIN",
                    "LEFT JOIN",
                    "FULL JOIN",
                    "RIGHT JOIN",
                )
            )
            link = self.link(sources[:position], source)
            if word == ",":
                text += f" CROSS JOIN {self.froms[source.alias]}"
                if link:
                    self.pending.append(link)
                continue
            condition = link or "1 = 1"
            if self.chance(0.2):
                condition += f" AND {self.simple(sources[: position + 1])}"
            text += f" {word} {self.froms[source.alias]} ON {condition}"
        return text

    def link(self, left: list[Source], right: Source) -> str:
        exact = []
        for source in left:
            for name, origin in source.stored.items():
                for other, its in right.stored.items():
                    same = bool(origin) and origin == its and origin.split(".")[1] in KEYS
                    if same or (origin, its) in LINKS or (its, origin) in LINKS:
                        exact.append(f"{source.alias}.{name} = {right.alias}.{other}")
        if exact and self.chance(0.85):
            both = [link for link in exact if ".p = " in link or ".q = " in link]
            return " AND ".join(both[:2]) if len(both) > 1 and self.chance(0.7) else self.random.choice(exact)
        source = self.random.choice(left)
        return self.equate([source], [right])

    def equate(self, left: list[Source], right: list[Source]) -> str:
        one, other = self.random.choice(self.reads(left)), self.random.choice(self.reads(right))
        return f"{one[0]} = {other[0]}"

    def reads(self, sources: list[Source]) -> list[tuple[str, str, str]]:
        return [(f"{s.alias}.{n}", kind, s.stored.get(n, "")) for s in sources for n, kind in s.kinds.items()]

    def expression(self, text: str) -> str:
        forms = (
            "{} + 1",
            "COALESCE({}, 0)",
            "{} || 'x'",
            "{} / 2",
            "TYPEOF({})",
            "CAST({} AS TEXT)",
            "{} = 1",
            "1",
            "NULL",
        )
        more = (
            "{} COLLATE NOCASE",
            "COALESCE({}, 1.0)",
            "UPPER({})",
            "CASE WHEN {} = 1 THEN 'a' END",
            "{} IS NULL",
            "-{}",
        )
        return self.random.choice(forms + more).format(text)

    def simple(self, sources: list[Source]) -> str:
        text, kind, _ = self.random.choice(self.reads(sources))
        if self.chance(0.08):
            text = self.expression(text)
        roll = self.random.random()
        if roll < 0.6:
            return f"{text} {self.random.choice(COMPARISONS)} {self.random.choice(LITERALS[kind])}"
        if roll < 0.8:
            return f"{text} IS {self.random.choice(('', 'NOT '))}NULL"
        other = self.random.choice([r[0] for r in self.reads(sources) if r[1] == kind])
        return f"{text} {self.random.choice(COMPARISONS)} {other}"

    def condition(self, depth: int, own: list[Source], outer: list[Source]) -> str:
        roll = self.random.random()
        seen = own + outer if self.chance(0.3) else own
        if depth <= 0 or roll < 0.4:
            return self.simple(seen)
        if roll < 0.5:
            word = self.random.choice(("OR", "AND"))
            return f"({self.condition(depth - 1, own, outer)} {word} {self.condition(depth - 1, own, outer)})"
        if roll < 0.55:
            return f"NOT ({self.condition(depth - 1, own, outer)})"
        text, kind, _ = self.random.choice(self.reads(seen))
        negated = self.random.choice(("", "", "NOT "))
        if roll < 0.75:
            return f"{text} {negated}IN ({self.nested(depth - 1, own + outer, kind)})"
        if roll < 0.9:
            return f"{negated}EXISTS ({self.nested(depth - 1, own + outer, kind, correlated=True)})"
        value = self.nested(depth - 1, own + outer, kind, scalar=True)
        return f"{text} {self.pick(*COMPARISONS)} ({value})"

    def nested(
        self, depth: int, outer: list[Source], kind: str, *, correlated: bool = False, scalar: bool = False
    ) -> str:
        if self.chance(0.1) and not scalar:
            one, two = self.nested(depth, outer, kind), self.nested(depth, outer, kind)
            return f"{one} {self.pick('UNION', 'UNION ALL', 'EXCEPT')} {two}"
        return self.select(depth, outer, 1, kind=kind, correlated=correlated, scalar=scalar)

    def where(self, depth: int, own: list[Source], outer: list[Source], extra: str = "") -> str:
        parts = [extra] if extra else []
        parts += self.pending
        parts += [self.condition(depth, own, outer) for _ in range(self.random.choice((0, 0, 1, 1, 2)))]
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def aggregate(self, sources: list[Source]) -> str:
        text, _, _ = self.random.choice(self.reads(sources))
        calls = ("COUNT(*)", "COUNT({})", "MAX({})", "MIN({})", "COUNT(DISTINCT {})", "SUM({})", "MAX({})")
        if self.chance(0.08):
            text = self.expression(text)
        end = f" FILTER (WHERE {self.simple(sources)})" if self.chance(0.06) else ""
        return self.random.choice(calls).format(text) + end

    def select(
        self,
        depth: int,
        outer: list[Source],
        width: int,
        *,
        kind: str = "",
        correlated: bool = False,
        scalar: bool = False,
        at_top: bool = False,
    ) -> str:
        sources = self.sources(depth)
        froms = self.source_text(sources)
        pending = self.pending
        reads = self.reads(sources)
        extra = ""
        if outer and self.chance(0.8 if correlated else 0.25):
            extra = self.random.choice([self.link(outer, s) for s in sources])
        self.pending = pending
        where = self.where(depth, sources, outer, extra)
        roll = self.random.random()
        fitting = [r for r in reads if r[1] == kind] or reads
        values = [self.random.choice(fitting)[0] for _ in range(width)]
        if roll < 0.25:
            text = self.grouped(sources, values, froms, where)
        elif roll < 0.4:
            calls = [self.aggregate(sources) for _ in range(width)]
            having = f" HAVING {self.aggregate(sources)} {self.pick(*COMPARISONS)} {self.pick(*'012')}"
            text = f"SELECT {', '.join(calls)} FROM {froms}{where}{having if self.chance(0.2) else ''}"
        else:
            if at_top and self.chance(0.15):
                values[-1] = self.window(sources)
            elif depth > 0 and self.chance(0.1):
                values[-1] = f"({self.nested(depth - 1, sources + outer, 'i', scalar=True)})"
            elif self.chance(0.1):
                values[-1] = self.expression(values[-1])
            text = f"SELECT {self.word(0.25)}{', '.join(values)} FROM {froms}{where}"
        if (at_top or scalar) and self.chance(0.35):
            term = (
                self.random.choice((values[0], self.random.choice(reads)[0]))
                if roll >= 0.4 or roll < 0.25
                else "1"
            )
            if "SELECT" not in term and "OVER" not in term:
                second = (
                    f", {self.random.choice(reads)[0]}"
                    if self.chance(0.4) and "DISTINCT" not in text[:16]
                    else ""
                )
                text += f" ORDER BY {term}{self.pick(*DIRECTIONS)}{second}"
            if self.chance(0.6):
                text += f" LIMIT {self.random.choice('11230')}"
        elif self.chance(0.06) and not outer and not at_top and "(" not in text[:3] and scalar:
            text += " LIMIT 1"
        return text

    def window(self, sources: list[Source]) -> str:
        one, two = (self.random.choice(self.reads(sources))[0] for _ in range(2))
        return self.random.choice(
            (
                f"RANK() OVER (ORDER BY {one})",
                f"COUNT(*) OVER (PARTITION BY {one})",
                f"MAX({one}) OVER ()",
                f"SUM({one}) OVER (PARTITION BY {two})",
            )
        )

    def grouped(self, sources: list[Source], values: list[str], froms: str, where: str) -> str:
        reads = [r[0] for r in self.reads(sources)]
        keys = [self.random.choice(reads) for _ in range(self.random.choice((1, 1, 2, 3)))]
        if self.chance(0.1):
            keys[0] = self.random.choice(("{} || 'x'", "COALESCE({}, 1.0)", "{} / 2", "UPPER({})")).format(
                keys[0]
            )
        shown = [
            self.random.choice((self.random.choice(keys), self.aggregate(sources), value)) for value in values
        ]
        if self.chance(0.15):
            shown[-1] = self.expression(keys[0])
        having = ""
        if self.chance(0.4):
            left = self.random.choice((self.random.choice(keys), self.aggregate(sources), "COUNT(*)"))
            having = f" HAVING {left} {self.pick('=', '>', '>=', '<')} {self.pick('0', '1', '2', QUOTED)}"
        word = "DISTINCT " if self.chance(0.15) else ""
        return f"SELECT {word}{', '.join(shown)} FROM {froms}{where} GROUP BY {', '.join(keys)}{having}"

    def table(self, name: str = "") -> Source:
        table = name or self.random.choice("aaabbbcdef")
        source = Source(self.alias(), TABLES[table], {c: f"{table}.{c}" for c in TABLES[table]})
        self.froms[source.alias] = f"{table} AS {source.alias}"
        return source

    def filter(self, sources: list[Source], *more: str) -> str:
        parts = [*more, *(self.condition(1, sources, []) for _ in range(self.random.choice((0, 0, 1, 2))))]
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def some(self, sources: list[Source], most: int = 3) -> list[str]:
        return [self.random.choice(self.reads(sources))[0] for _ in range(self.random.randint(1, most))]

    def ending(self, terms: list[str]) -> str:
        if self.chance(0.5):
            return ""
        order = ", ".join(x + self.pick(*DIRECTIONS) for x in self.random.sample(terms, min(2, len(terms))))
        limit = self.random.choice(
            ("", " LIMIT 1", " LIMIT 2", " LIMIT 0", " LIMIT -1", " LIMIT 2 OFFSET 1", " LIMIT 3 OFFSET 0")
        )
        return (f" ORDER BY {order}" if self.chance(0.8) else "") + limit

    def linked(self) -> tuple[str, str, str, str]:
        """A reference: child table, its column, parent table, its column."""
        child, parent = self.random.choice(LINKS)
        return (*child.split("."), *parent.split("."))  # type: ignore[return-value]

    def word(self, probability: float = 0.3) -> str:
        return "DISTINCT " if self.chance(probability) else ""
