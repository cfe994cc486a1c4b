"""Random queries of what the other generators leave out.

VALUES, row values, nested EXISTS, chains of LEFT JOINs, columns renamed on their way out, and LIMIT and
subqueries wherever SQL lets them stand.
"""

from __future__ import annotations

from drawing.shapes import SET_OPERATIONS
from drawing.structures import COMPARISONS, Source
from drawing.windows import LIMITS, Windows

PADDED_TESTS = (
    "{} IS NULL",
    "{} IS NOT NULL",
    "COALESCE({}, 1) = 1",
    "CASE WHEN {} = 1 THEN 0 ELSE 1 END = 1",
    "NOT ({} = 1)",
    "{} IS NOT 1",
    "({} = 1) IS NOT 1",
    "({} = 1) IS NULL",
    "({} = 1 OR 1 = 1)",
    "IFNULL({}, 2) >= 2",
    "{} IN (1, 2)",
    "{} NOT IN (1)",
    "NULLIF({}, 1) IS NULL",
    "{} || '' IS NOT NULL",
)


class Corners(Windows):
    """Makes queries of which half have a shape of its own."""

    def query(self) -> str:
        made = self.corner() if self.chance(0.6) else super().query()
        return self.enclosed(made) if self.chance(0.12) else made

    def corner(self) -> str:
        corners = (
            self.windowed_source,
            self.windowed_source,
            self.concatenated,
            self.tuples,
            self.nested_exists,
            self.padded_chain,
            self.padded_chain,
            self.subqueries_anywhere,
            self.sourceless,
            self.chained_operands,
            self.grouped_twice,
            self.renamed_columns,
            self.linked_classes,
        )
        return self.random.choice(corners)()

    def enclosed(self, query: str) -> str:
        """Some rows of another query, by what it returns."""
        if query.startswith("WITH"):
            return query
        return f"SELECT a.id, a.x FROM a WHERE {self.pick('', 'NOT ')}EXISTS ({query})"

    def tuples(self) -> str:
        one, two = self.table(), self.table()
        pair = ", ".join(self.columns_of([one], 2))
        other = ", ".join(self.columns_of([two], 2))
        inner = f"SELECT {self.word(0.2)}{other} FROM {self.froms[two.alias]}{self.filter([two])}"
        if self.chance(0.3):
            rows = self.pick("VALUES (1, 2), (NULL, 1)", "SELECT 1, NULL")
            inner += f" {self.pick(*SET_OPERATIONS)} {rows}"
        single = self.columns_of([one], 1)[0]
        tests = (
            f"({pair}) {self.pick('', '', 'NOT ')}IN ({inner})",
            f"({pair}) = ({inner} LIMIT 1)" if "VALUES" not in inner else "1",
            f"({pair}) {self.pick('=', '<', '<>')} (1, {self.pick('2', 'NULL', single)})",
            f"{single} {self.pick('', 'NOT ')}IN (VALUES (1), ({self.pick('2', 'NULL')}))",
        )
        where = self.filter([one], self.pick(*tests))
        return f"SELECT {self.word()}{', '.join(self.some([one]))} FROM {self.froms[one.alias]}{where}"

    def nested_exists(self) -> str:
        outer = self.table()
        seen = [outer]
        text = self.deeper(seen, self.random.choice((2, 2, 3)))
        start = f"SELECT {self.word()}{', '.join(self.some([outer]))} FROM {self.froms[outer.alias]}"
        return f"{start} WHERE {text}"

    def deeper(self, seen: list[Source], depth: int) -> str:
        froms, own = self.join_of(self.random.choice((1, 1, 2)))
        links = [self.equate([self.random.choice(seen)], [self.random.choice(own)])]
        links += [self.link([self.random.choice(seen)], self.random.choice(own)) for _ in range(1)]
        parts = self.random.sample(links, self.random.randint(1, 2))
        if self.chance(0.4):
            parts.append(self.simple(seen + own))
        if depth > 1:
            parts.append(self.deeper(seen + own, depth - 1))
        where = " AND ".join(parts)
        if self.chance(0.25):
            value = self.columns_of(own, 1)[0]
            test = f"{self.columns_of(seen, 1)[0]} {self.pick('', 'NOT ')}IN"
            return f"{test} (SELECT {value} FROM {froms} WHERE {where})"
        return f"{self.pick('', 'NOT ')}EXISTS (SELECT 1 FROM {froms} WHERE {where})"

    def padded_chain(self) -> str:
        sources = [self.table()]
        text = self.froms[sources[0].alias]
        for _ in range(self.random.choice((2, 2, 3))):
            other = self.table(self.pick(*self.neighbours(sources[-1])))
            on = self.link(sources, other)
            if self.chance(0.35):
                on += f" AND {self.padded_test([*sources, other])}"
            if self.chance(0.12):
                on += f" AND {self.columns_of([other], 1)[0]} = ({self.lone_value()})"
            word = self.pick("LEFT JOIN", "LEFT JOIN", "LEFT JOIN", "JOIN")
            text += f" {word} {self.froms[other.alias]} ON {on}"
            sources.append(other)
        tests = [self.padded_test(sources[1:]) for _ in range(self.random.choice((0, 1, 1, 2)))]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        shown = self.some(self.random.sample(sources, self.random.choice((1, 1, 2))))
        if self.chance(0.2):
            shown = [self.aggregate(sources)]
        group = f" GROUP BY {shown[0]}" if self.chance(0.15) and "(" not in shown[0] else ""
        return f"SELECT {self.word()}{', '.join(shown)} FROM {text}{where}{group}"

    def padded_test(self, sources: list[Source]) -> str:
        one, two = (self.pick(*PADDED_TESTS).format(x) for x in self.columns_of(sources, 2))
        if self.chance(0.3):
            return self.pick(f"({one} OR {two})", f"NOT ({one} AND {two})", f"NOT ({one} OR {two})")
        return one

    def lone_value(self) -> str:
        table = self.table()
        column = self.columns_of([table], 1)[0]
        calls = (f"MAX({column})", f"MIN({column})", "COUNT(*)", f"SUM({column})")
        if self.chance(0.3):
            order = f" ORDER BY {column}{self.pick('', ' DESC', ' DESC NULLS FIRST')} LIMIT 1"
            return f"SELECT {column} FROM {self.froms[table.alias]}{self.filter([table])}{order}"
        return f"SELECT {self.pick(*calls)} FROM {self.froms[table.alias]}{self.filter([table])}"

    def subqueries_anywhere(self) -> str:
        froms, sources = self.join_of(self.random.choice((1, 2)))
        one, two, three = self.columns_of(sources)
        test = f"{self.pick(one, 'COUNT(*)', f'MAX({two})')} {self.pick(*COMPARISONS)} ({self.lone_value()})"
        member = f"{one} {self.pick('', 'NOT ')}IN ({self.lone_value()})"
        having = f" GROUP BY {one} HAVING {self.pick(test, member)}"
        linked = self.table()
        inside = f"SELECT COUNT(*) FROM {self.froms[linked.alias]} WHERE {self.link(sources, linked)}"
        rows, limit = f"{froms}{self.filter(sources)}", self.pick(*LIMITS)
        outer = f"q.n {self.pick(*COMPARISONS)} {self.pick('0', '1', 'q.m')}"
        forms = (
            f"SELECT {one}, COUNT(*) FROM {rows}{having}",
            f"SELECT {self.word()}{one}, ({inside}) AS n FROM {rows}{self.ending([one])}",
            f"SELECT {one} FROM {rows} ORDER BY ({inside}), {two}{limit}",
            f"SELECT q.n FROM (SELECT {one} AS m, ({inside}) AS n FROM {rows}) AS q WHERE {outer}",
            f"SELECT {three}, ({self.lone_value()}) FROM {rows}{limit}",
        )
        return self.pick(*forms)

    def sourceless(self) -> str:
        table = self.table()
        inner = f"SELECT 1 FROM {self.froms[table.alias]}{self.filter([table])}"
        one = self.columns_of([table], 1)[0]
        rows, limit = f"{self.froms[table.alias]}{self.filter([table])}", self.pick(*LIMITS)
        forms = (
            f"SELECT 1 WHERE {self.pick('', 'NOT ')}EXISTS ({inner})",
            f"SELECT ({self.lone_value()}), 1{limit}",
            f"SELECT {one} FROM (SELECT 1 AS k) AS q CROSS JOIN {rows}",
            f"SELECT DISTINCT 1 FROM {rows}{limit}",
            f"SELECT q.k FROM (SELECT 1 AS k UNION ALL SELECT 2) AS q WHERE q.k IN ({inner})",
            f"SELECT COUNT(*) FROM {self.froms[table.alias]} CROSS JOIN (SELECT 1 AS k WHERE 1 = 0) AS q",
            f"SELECT COUNT(*), MAX(q.k) FROM (SELECT {one} AS k FROM {self.froms[table.alias]} LIMIT 0) AS q",
        )
        return self.pick(*forms)

    def chained_operands(self) -> str:
        width = self.random.choice((1, 2))
        parts = []
        for _ in range(self.random.choice((2, 3, 3, 4))):
            froms, sources = self.join_of(self.random.choice((1, 1, 2)))
            shown = self.columns_of(sources, width)
            if self.chance(0.15):
                shown[-1] = self.pick("1", "NULL", f"COALESCE({shown[-1]}, 0)")
            listed = ", ".join(shown)
            group = f" GROUP BY {listed}" if self.chance(0.1) else ""
            parts.append(f"SELECT {self.word(0.2)}{listed} FROM {froms}{self.filter(sources)}{group}")
        if self.chance(0.5):
            parts[-1] = self.vary(parts[0])
        text = parts[0]
        for part in parts[1:]:
            text += f" {self.pick(*SET_OPERATIONS)} {part}"
        if self.chance(0.4):
            table = self.table()
            test = f"{self.columns_of([table], 1)[0]} {self.pick('', 'NOT ')}IN"
            if width == 1:
                return f"SELECT {self.some([table])[0]} FROM {self.froms[table.alias]} WHERE {test} ({text})"
        return text + self.pick("", "", " ORDER BY 1", " ORDER BY 1 LIMIT 2", " LIMIT 1")

    def grouped_twice(self) -> str:
        froms, sources = self.join_of(self.random.choice((1, 2)))
        keys = self.columns_of(sources, self.random.choice((1, 2)))
        call = self.aggregate(sources)
        values = [f"{x} AS k{n}" for n, x in enumerate(keys)] + [f"{call} AS n"]
        inner = f"SELECT {self.word(0.3)}{', '.join(self.random.sample(values, len(values)))} FROM {froms}"
        inner += f"{self.filter(sources)} GROUP BY {', '.join(keys)}"
        inner += self.pick("", "", f" HAVING {call} {self.pick(*COMPARISONS)} 1")
        calls = ("COUNT(*)", "SUM(q.n)", "COUNT(DISTINCT q.k0)", "MAX(q.n)", "COUNT(q.k0)", "MIN(q.k0)")
        end = self.pick("", " GROUP BY q.n", " GROUP BY q.k0", " GROUP BY q.k0 HAVING COUNT(*) > 1")
        shown = self.pick(*calls) if not end else f"{end.split()[2]}, {self.pick(*calls)}"
        where = self.pick("", "", " WHERE q.n > 1", " WHERE q.k0 = 1", " WHERE q.k0 IS NOT NULL")
        return f"SELECT {self.word()}{shown} FROM ({inner}) AS q{where}{end}"

    def renamed_columns(self) -> str:
        """A query whose two columns are named and swapped once or twice on their way out."""
        froms, sources = self.join_of(self.random.choice((1, 2)))
        one, two = self.columns_of(sources, 2)
        text = f"SELECT {self.word()}{one} AS v, {two} AS w FROM {froms}{self.filter(sources)}"
        if self.chance(0.6):
            more, others = self.join_of(1)
            shown = ", ".join(self.columns_of(others, 2))
            text += f" {self.pick(*SET_OPERATIONS)} SELECT {shown} FROM {more}{self.filter(others)}"
        for number in range(self.random.choice((1, 2, 2))):
            names = self.random.choice((("v", "w"), ("w", "v"), ("w", "v"), ("v", "v"), ("w", "w")))
            where = self.pick("", "", "", " WHERE q{0}.v = 1", " WHERE q{0}.w IS NOT NULL", " LIMIT 2")
            shown = f"q{number}.{names[0]} AS v, q{number}.{names[1]} AS w"
            text = f"SELECT {self.word()}{shown} FROM ({text}) AS q{number}{where.format(number)}"
        return text

    def linked_classes(self) -> str:
        """Three or more sources with several classes of equal columns."""
        sources = [self.table()]
        for _ in range(self.random.choice((2, 2, 3))):
            sources.append(self.table(self.pick(*self.neighbours(self.random.choice(sources)))))
        links = [self.link(sources[:n], s) for n, s in enumerate(sources) if n]
        links += [self.equate([self.random.choice(sources)], [self.random.choice(sources)])]
        froms = ", ".join(self.froms[s.alias] for s in sources)
        shown = self.some(self.random.sample(sources, self.random.choice((1, 2))))
        end = ""
        if self.chance(0.3):
            end = f" GROUP BY {shown[0]}"
            shown.append(self.aggregate(sources))
        elif self.chance(0.2):
            shown = [self.aggregate(sources)]
        return f"SELECT {self.word()}{', '.join(shown)} FROM {froms}{self.filter(sources, *links)}{end}"
