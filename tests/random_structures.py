"""Random queries of all shapes over tables with every kind of key, and small databases that the facts allow."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from random import Random

DDL = """
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, s TEXT, code TEXT UNIQUE);
CREATE TABLE b (
  id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), p_id INTEGER REFERENCES a (id), x INTEGER,
  s TEXT REFERENCES a (code), u);
CREATE TABLE c (
  code TEXT PRIMARY KEY, a_id TEXT REFERENCES a (id), k TEXT COLLATE NOCASE REFERENCES d (k),
  b_id INTEGER NOT NULL UNIQUE REFERENCES b (id), y INTEGER REFERENCES a (y));
CREATE TABLE d (k TEXT COLLATE NOCASE PRIMARY KEY, x INTEGER UNIQUE, r REAL);
CREATE TABLE e (p INTEGER, q INTEGER, x INTEGER, PRIMARY KEY (p, q));
CREATE TABLE f (p INTEGER, q INTEGER, x INTEGER, code TEXT REFERENCES c (code), FOREIGN KEY (p, q) REFERENCES e (p, q));
"""
TABLES = {
    "a": {"id": "i", "x": "i", "y": "i", "s": "t", "code": "t"},
    "b": {"id": "i", "a_id": "i", "p_id": "i", "x": "i", "s": "t", "u": "u"},
    "c": {"code": "t", "a_id": "t", "k": "t", "b_id": "i", "y": "i"},
    "d": {"k": "t", "x": "i", "r": "i"},
    "e": {"p": "i", "q": "i", "x": "i"},
    "f": {"p": "i", "q": "i", "x": "i", "code": "t"},
}
LINKS = (
    ("b.a_id", "a.id"),
    ("b.p_id", "a.id"),
    ("b.s", "a.code"),
    ("c.a_id", "a.id"),
    ("c.k", "d.k"),
    ("c.b_id", "b.id"),
    ("c.y", "a.y"),
    ("f.code", "c.code"),
    ("f.p", "e.p"),
    ("f.q", "e.q"),
)
LITERALS = {"i": ("0", "1", "2", "1", "'1'"), "t": ("'a'", "'A'", "'1'", "'b'", "''"), "u": ("1", "'1'", "'a'", "1.0")}
VALUES = {"i": (0, 1, 2, 3), "t": ("a", "A", "1", "b"), "u": (1, 1.0, "1", "a", b"a", 2)}
REFERENCES = {
    "b": (("a_id", "a", "id"), ("p_id", "a", "id"), ("s", "a", "code")),
    "c": (("a_id", "a", "id"), ("k", "d", "k"), ("b_id", "b", "id"), ("y", "a", "y")),
    "f": (("code", "c", "code"),),
}
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

    def alias(self) -> str:
        self.aliases += 1
        return f"t{self.aliases}"

    def query(self) -> str:
        if self.chance(0.5):
            return self.shaped()
        clauses = []
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            text, made = self.derived(1)
            clauses.append(f"{made.alias} AS ({text})")
            self.ctes.append(made)
        start = f"WITH {', '.join(clauses)} " if clauses else ""
        if self.chance(0.2):
            return start + self.compound(2, [])
        return start + self.select(2, [], self.random.choice((1, 1, 2, 3)), at_top=True)

    def shaped(self) -> str:
        """A query of a shape that some rule looks for."""
        shapes = (
            self.wrapped,
            self.wrapped_groups,
            self.counted,
            self.grouped_join,
            self.members,
            self.extreme,
            self.operands,
            self.anti_join,
            self.ordered,
            self.first_value,
            self.own_row,
            self.windowed,
        )
        return self.random.choice(shapes)()

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
        order = ", ".join(f"{x}{self.random.choice(('', '', ' DESC', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST'))}" for x in self.random.sample(terms, min(2, len(terms))))
        limit = self.random.choice(("", " LIMIT 1", " LIMIT 2", " LIMIT 0", " LIMIT -1", " LIMIT 2 OFFSET 1", " LIMIT 3 OFFSET 0"))
        return (f" ORDER BY {order}" if self.chance(0.8) else "") + limit

    def linked(self) -> tuple[str, str, str, str]:
        """A reference: child table, its column, parent table, its column."""
        child, parent = self.random.choice(LINKS)
        return (*child.split("."), *parent.split("."))  # type: ignore[return-value]

    def word(self, probability: float = 0.3) -> str:
        return "DISTINCT " if self.chance(probability) else ""

    def wrapped(self) -> str:
        t, u = self.table(), self.table()
        width = self.random.choice((1, 2))
        left, right = ([self.random.choice(self.reads([s]))[0] for _ in range(width)] for s in (t, u))
        one = ", ".join(f"{x} AS w{n}" for n, x in enumerate(left))
        op = self.random.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
        inner = f"SELECT {one} FROM {self.froms[t.alias]}{self.filter([t])} {op} SELECT {', '.join(right)} FROM {self.froms[u.alias]}{self.filter([u])}"
        shown = [f"q.w{n}" for n in range(width)]
        self.random.shuffle(shown)
        where = self.random.choice(("", "", f" WHERE q.w0 {self.random.choice(COMPARISONS)} 1"))
        return f"SELECT {self.word()}{', '.join(shown)} FROM ({inner}) AS q{where}{self.ending(shown)}"

    def wrapped_groups(self) -> str:
        text, made = self.derived(1)
        values = [f"{made.alias}.{n}" for n in made.kinds]
        shown = [self.random.choice((*values, f"COALESCE({values[0]}, 0)")) for _ in range(self.random.randint(1, 2))]
        return f"SELECT {self.word()}{', '.join(shown)} FROM ({text}) AS {made.alias}{self.filter([made])}{self.ending(values)}"

    def counted(self) -> str:
        t = self.table()
        column = self.random.choice(self.reads([t]))[0]
        inner = f"SELECT {self.word(0.8)}{column} AS v FROM {self.froms[t.alias]}{self.filter([t])}"
        call = self.random.choice(("COUNT(*)", "COUNT(*)", "COUNT(q.v)", "MAX(q.v)", "COUNT(DISTINCT q.v)", "SUM(q.v)"))
        end = self.random.choice(("", "", " HAVING COUNT(*) > 1", " LIMIT 1", " ORDER BY COUNT(*)", " HAVING MAX(q.v) = 1"))
        return f"SELECT {call} FROM ({inner}) AS q{end}"

    def grouped_join(self) -> str:
        child, column, parent, target = self.linked()
        c, p = self.table(child), self.table(parent)
        sources = [c, p] + ([self.table()] if self.chance(0.2) else [])
        link = f"{p.alias}.{target} = {c.alias}.{column}"
        keys = [self.random.choice((f"{p.alias}.{target}", f"{c.alias}.{column}"))]
        if self.chance(0.3):
            keys += self.some(sources, 1)
        shown = [self.random.choice((keys[0], self.some([p], 1)[0], self.some(sources, 1)[0], self.aggregate(sources))) for _ in range(self.random.randint(1, 2))]
        froms = ", ".join(self.froms[s.alias] for s in sources)
        having = self.random.choice((f"{self.aggregate([c])} > 1", f"{self.aggregate(sources)} = 1", "COUNT(*) >= 1", f"{keys[-1]} = 1"))
        return (
            f"SELECT {self.word(0.2)}{', '.join(shown)} FROM {froms}{self.filter([c, p], link)}"
            f" GROUP BY {', '.join(keys)} HAVING {having}{self.ending([keys[0]])}"
        )

    def members(self) -> str:
        child, column, parent, target = self.linked()
        c, p = self.table(child), self.table(parent)
        inner = f"SELECT {self.word(0.1)}{c.alias}.{column} FROM {self.froms[c.alias]}{self.filter([c])}"
        inner += self.random.choice(("", f" GROUP BY {c.alias}.{column} HAVING {self.aggregate([c])} >= 1", f" GROUP BY {c.alias}.{column}"))
        if self.chance(0.25):
            other = self.table()
            inner += f" {self.random.choice(('UNION', 'UNION ALL', 'EXCEPT'))} SELECT {self.some([other], 1)[0]} FROM {self.froms[other.alias]}"
        key = f"{p.alias}.{target}"
        shown = self.random.choice((key, key, f"{key}, {key}", *self.some([p])))
        test = f"{key} {self.random.choice(('', '', 'NOT '))}IN ({inner})"
        where = self.filter([p], test) if self.chance(0.4) else f" WHERE {test}"
        return f"SELECT {self.word()}{shown} FROM {self.froms[p.alias]}{where}{self.ending([key])}"

    def extreme(self) -> str:
        t = self.table()
        u = self.table(next(iter(t.stored.values())).split(".")[0])
        column = self.random.choice([*t.kinds, *(k for k in t.kinds if k in ("id", "x", "code"))])
        condition = self.simple([t])
        both = self.chance(0.5)
        inner = f" WHERE {condition.replace(t.alias + '.', u.alias + '.')}" if both or self.chance(0.2) else ""
        test = f"{t.alias}.{column} = (SELECT {self.random.choice(('MAX', 'MIN'))}({u.alias}.{column}) FROM {self.froms[u.alias]}{inner})"
        where = f"{test} AND {condition}" if both or self.chance(0.2) else test
        shown = self.some([t])
        return f"SELECT {self.word()}{', '.join(shown)} FROM {self.froms[t.alias]} WHERE {where}{self.ending(shown) if self.chance(0.3) else ''}"

    def operands(self) -> str:
        t = self.table()
        sources = [t]
        common = []
        if self.chance(0.4):
            other = self.table(self.random.choice(self.neighbours(t)))
            common, sources = [self.link([t], other)], [t, other]
        shown = self.some(sources, 2)
        if self.chance(0.5):
            shown = [f"{s.alias}.{next(iter(s.kinds))}" for s in sources]
        froms = ", ".join(self.froms[s.alias] for s in sources)
        parts = []
        for _ in range(self.random.choice((2, 2, 2, 3))):
            part = f"SELECT {self.word(0.15)}{', '.join(shown)} FROM {froms}{self.filter(sources, *common)}"
            for s in sources:
                part = part.replace(f"{s.alias}.", f"{s.alias}_{len(parts)}.").replace(f" AS {s.alias}", f" AS {s.alias}_{len(parts)}")
            parts.append(part)
        text = parts[0]
        for part in parts[1:]:
            text += f" {self.random.choice(('UNION', 'UNION', 'UNION ALL', 'INTERSECT', 'INTERSECT', 'EXCEPT'))} {part}"
        return text + self.random.choice(("", "", " ORDER BY 1", " ORDER BY 1 DESC LIMIT 1"))

    def anti_join(self) -> str:
        child, column, parent, target = self.linked()
        one, two = self.table(child), self.table(parent)
        if self.chance(0.5):
            one, two = two, one
        on = self.link([one], two) + (f" AND {self.simple([one, two])}" if self.chance(0.3) else "")
        third = ""
        sources = [one, two]
        if self.chance(0.3):
            other = self.table()
            third = f" {self.random.choice(('LEFT JOIN', 'JOIN'))} {self.froms[other.alias]} ON {self.link(sources, other)}"
            sources.append(other)
        tested = self.random.choice([r[0] for r in self.reads([two])])
        test = f"{tested} IS {self.random.choice(('', '', 'NOT '))}NULL"
        shown = self.some([one]) if self.chance(0.6) else self.some(sources)
        calls = [self.aggregate(sources)] if self.chance(0.2) else shown
        return f"SELECT {self.word()}{', '.join(calls)} FROM {self.froms[one.alias]} LEFT JOIN {self.froms[two.alias]} ON {on}{third}{self.filter([one], test)}"

    def ordered(self) -> str:
        t = self.table()
        other = self.table(self.random.choice(self.neighbours(t)))
        sources = [t, other] if self.chance(0.5) else [t]
        where = self.filter(sources, *([self.link([t], other)] if len(sources) > 1 else []))
        shown = self.some(sources)
        terms = [*self.some(sources), *shown, *(f"{s.alias}.{next(iter(s.kinds))}" for s in sources)]
        order = ", ".join(self.random.choice(terms) + self.random.choice(("", " DESC")) for _ in range(self.random.randint(1, 4)))
        froms = ", ".join(self.froms[s.alias] for s in sources)
        return f"SELECT {self.word()}{', '.join(shown)} FROM {froms}{where} ORDER BY {order}{self.random.choice(('', ' LIMIT 1', ' LIMIT 2'))}"

    def first_value(self) -> str:
        t, u = self.table(), self.table()
        column = self.random.choice(self.reads([u]))[0]
        inner = f"SELECT {self.word(0.2)}{column} FROM {self.froms[u.alias]}{self.filter([u])} ORDER BY {column}{self.random.choice(('', '', ' DESC', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST'))} LIMIT 1"
        if self.chance(0.4):
            return f"SELECT {self.some([t])[0]}, ({inner}) + 1 FROM {self.froms[t.alias]}"
        return f"SELECT {', '.join(self.some([t]))} FROM {self.froms[t.alias]} WHERE {self.some([t])[0]} {self.random.choice(COMPARISONS)} ({inner})"

    def own_row(self) -> str:
        t = self.table()
        table = next(iter(t.stored.values())).split(".")[0]
        u = self.table(table)
        names = self.random.sample(list(t.kinds), self.random.randint(1, 2))
        if self.chance(0.6):
            names = ["p", "q"] if table == "e" else [next(iter(t.kinds))]
        link = " AND ".join(f"{t.alias}.{n} = {u.alias}.{n}" for n in names)
        if self.chance(0.5):
            side = self.random.choice(("JOIN", "LEFT JOIN"))
            return f"SELECT {self.word()}{', '.join(self.some([t, u]))} FROM {self.froms[t.alias]} {side} {self.froms[u.alias]} ON {link}{self.filter([t, u])}"
        negated = self.random.choice(("", "", "NOT "))
        return f"SELECT {self.word()}{', '.join(self.some([t]))} FROM {self.froms[t.alias]}{self.filter([t])[:0]} WHERE {negated}EXISTS (SELECT 1 FROM {self.froms[u.alias]}{self.filter([u], link)})"

    def windowed(self) -> str:
        text, made = self.derived(1)
        other = self.table()
        sources = [made, other] if self.chance(0.5) else [made]
        join = f" {self.random.choice(('JOIN', 'LEFT JOIN'))} {self.froms[other.alias]} ON {self.link([made], other)}" if len(sources) > 1 else ""
        shown = [self.some(sources)[0], self.window(sources)]
        inner = f"SELECT {self.word(0.2)}{shown[0]} AS a, {shown[1]} AS w FROM ({text}) AS {made.alias}{join}{self.filter(sources)}"
        if self.chance(0.5):
            return f"SELECT q.a FROM ({inner}) AS q WHERE {self.random.choice(('q.w = 1', 'q.a = 1', 'q.a IS NOT NULL'))}"
        return inner

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
        text = f"SELECT {'DISTINCT ' if self.chance(0.25) else ''}{', '.join(values)} FROM {self.source_text(sources)}"
        text += self.where(depth, sources, [])
        if grouped and keys:
            text += f" GROUP BY {', '.join(keys)}"
        if self.chance(0.2):
            order = f" ORDER BY {reads[0][0]}" if not grouped and "DISTINCT" not in text else ""
            text += f"{order} LIMIT {self.random.choice('0123')}"
        return text, Source(self.alias(), names, stored)

    def sources(self, depth: int) -> list[Source]:
        made = []
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
                table = self.random.choice(linked) if linked and self.chance(0.8) else self.random.choice("aaabbbcdef")
                source = Source(self.alias(), TABLES[table], {name: f"{table}.{name}" for name in TABLES[table]})
                self.froms[source.alias] = f"{table} AS {source.alias}"
            made.append(source)
        return made

    froms: dict[str, str] = field(default_factory=dict)

    def neighbours(self, source: Source) -> list[str]:
        tables = {origin.split(".")[0] for origin in source.stored.values() if origin}
        found = [other.split(".")[0] for pair in LINKS for own, other in (pair, pair[::-1]) if own.split(".")[0] in tables]
        return [*found, *tables]

    def source_text(self, sources: list[Source]) -> str:
        text = self.froms[sources[0].alias]
        self.pending: list[str] = []
        for position, source in enumerate(sources[1:], 1):
            word = self.random.choice((",", "JOIN", "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT JOIN", "FULL JOIN", "RIGHT JOIN"))
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
                    if origin and (origin, its) in LINKS or (its, origin) in LINKS:
                        exact.append(f"{source.alias}.{name} = {right.alias}.{other}")
                    elif origin and origin == its and origin.split(".")[1] in ("id", "code", "p", "q", "k"):
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
        forms = ("{} + 1", "COALESCE({}, 0)", "{} || 'x'", "{} / 2", "TYPEOF({})", "CAST({} AS TEXT)", "{} = 1", "1", "NULL")
        more = ("{} COLLATE NOCASE", "COALESCE({}, 1.0)", "UPPER({})", "CASE WHEN {} = 1 THEN 'a' END", "{} IS NULL", "-{}")
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
        text, kind, origin = self.random.choice(self.reads(seen))
        negated = self.random.choice(("", "", "NOT "))
        if roll < 0.75:
            return f"{text} {negated}IN ({self.nested(depth - 1, own + outer, kind, origin)})"
        if roll < 0.9:
            return f"{negated}EXISTS ({self.nested(depth - 1, own + outer, kind, origin, correlated=True)})"
        return f"{text} {self.random.choice(COMPARISONS)} ({self.nested(depth - 1, own + outer, kind, origin, scalar=True)})"

    def nested(
        self, depth: int, outer: list[Source], kind: str, origin: str, *, correlated: bool = False, scalar: bool = False
    ) -> str:
        if self.chance(0.1) and not scalar:
            return self.nested(depth, outer, kind, origin) + self.random.choice((" UNION ", " UNION ALL ", " EXCEPT ")) + self.nested(depth, outer, kind, origin)
        return self.select(depth, outer, 1, kind=kind, origin=origin, correlated=correlated, scalar=scalar)

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
        origin: str = "",
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
            having = f" HAVING {self.aggregate(sources)} {self.random.choice(COMPARISONS)} {self.random.choice('012')}"
            text = f"SELECT {', '.join(calls)} FROM {froms}{where}{having if self.chance(0.2) else ''}"
        else:
            if at_top and self.chance(0.15):
                values[-1] = self.window(sources)
            elif depth > 0 and self.chance(0.1):
                values[-1] = f"({self.nested(depth - 1, sources + outer, 'i', '', scalar=True)})"
            elif self.chance(0.1):
                values[-1] = self.expression(values[-1])
            text = f"SELECT {'DISTINCT ' if self.chance(0.25) else ''}{', '.join(values)} FROM {froms}{where}"
        if (at_top or scalar) and self.chance(0.35):
            term = self.random.choice((values[0], self.random.choice(reads)[0])) if roll >= 0.4 or roll < 0.25 else "1"
            if "SELECT" not in term and "OVER" not in term:
                second = f", {self.random.choice(reads)[0]}" if self.chance(0.4) and "DISTINCT" not in text[:16] else ""
                text += f" ORDER BY {term}{self.random.choice(('', '', ' DESC', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST'))}{second}"
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
            keys[0] = self.random.choice(("{} || 'x'", "COALESCE({}, 1.0)", "{} / 2", "UPPER({})")).format(keys[0])
        shown = [self.random.choice((self.random.choice(keys), self.aggregate(sources), value)) for value in values]
        if self.chance(0.15):
            shown[-1] = self.expression(keys[0])
        having = ""
        if self.chance(0.4):
            left = self.random.choice((self.random.choice(keys), self.aggregate(sources), "COUNT(*)"))
            having = f" HAVING {left} {self.random.choice(('=', '>', '>=', '<'))} {self.random.choice(('0', '1', '2', chr(39) + '0' + chr(39)))}"
        word = "DISTINCT " if self.chance(0.15) else ""
        return f"SELECT {word}{', '.join(shown)} FROM {froms}{where} GROUP BY {', '.join(keys)}{having}"


def fill(connection: sqlite3.Connection, random: Random, *, conforming: bool) -> None:
    """Replace all rows; ``conforming`` keeps values in the domain of their declared type."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")
    for table in ("a", "d", "b", "c", "e", "f"):
        kinds = TABLES[table]
        for _ in range(random.choice((0, 1, 2, 3, 4))):
            row = {n: _value(kind, random, conforming=conforming or n == "id") for n, kind in kinds.items()}
            for name, parent, key in REFERENCES.get(table, ()):
                keys = [r[0] for r in connection.execute(f"SELECT {key} FROM {parent}")]
                row[name] = random.choice([*keys, None]) if keys else None
                if parent == "a" and table == "c" and name == "a_id" and row[name] is not None:
                    row[name] = random.choice((str(row[name]), f"{row[name]}.0", f"0{row[name]}"))
            if table == "f":
                keys = [*connection.execute("SELECT p, q FROM e"), (None, 1), (1, None), (None, None)]
                row["p"], row["q"] = random.choice(keys)
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", list(row.values()))


def _value(kind: str, random: Random, *, conforming: bool) -> object:
    if random.random() < 0.2:
        return None
    if not conforming and random.random() < 0.15:
        return random.choice(("a", "1", 1.5, "A", 1, b"a"))
    return random.choice(VALUES[kind])
