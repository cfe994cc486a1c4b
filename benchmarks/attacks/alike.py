"""Random typed schemas, rows and queries, in words of which SQLite and DuckDB mean the same.

Values are integers, texts and truth values; nothing is divided, beyond 64 bits or compared with another kind,
every sort says where NULL goes, and what is cut or numbered is sorted by all its columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from equiv.cells import Cell, Row
from equiv.testing.making.chances import Chances

Seen = tuple[str, str]
"""A column as SQL text, and its kind: (i)nteger, (t)ext or (b)oolean."""

TYPES = {"i": "BIGINT", "t": "VARCHAR"}
VALUES: dict[str, tuple[Cell, ...]] = {"i": (0, 1, 1, 2, 3, -1), "t": ("a", "b", "A", "", "ab", "1")}
LITERALS = {
    "i": ("0", "1", "1", "2", "3", "-1", "3000000000", "CAST(NULL AS BIGINT)"),
    "t": ("'a'", "'b'", "'A'", "''", "'ab'", "'1'", "'zz'", "CAST(NULL AS VARCHAR)"),
    "b": ("TRUE", "FALSE", "CAST(NULL AS BOOLEAN)"),
}
CONSTANTS = (
    "TRUE",
    "FALSE",
    "NULL",
    "1 = 1",
    "1 = 0",
    "NULL = 1",
    "NULL IS NULL",
    "1 IN (2, NULL)",
    "NOT FALSE",
)
"""Conditions that read no row."""

SIGNS = ("=", "=", "=", "<>", "<", "<=", ">", ">=", "IS NOT DISTINCT FROM", "IS DISTINCT FROM")
JOINS = ("JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "RIGHT JOIN", "FULL JOIN", "FULL JOIN", "CROSS JOIN")
DEPTH = 3
"""How deep queries are nested."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of integers and texts; all tables have the column ``k``, other names are of one table alone."""

    name: str
    columns: tuple[Seen, ...]
    constraints: tuple[str, ...]
    """What follows the type of each column."""
    indexes: tuple[str, ...]
    """Statements that SQLite alone is given: they change its plan, not its answer."""

    @property
    def ddl(self) -> str:
        """The statement that makes the table."""
        parts = zip(self.columns, self.constraints, strict=True)
        return f"CREATE TABLE {self.name} ({', '.join(f'{n} {TYPES[k]}{c}' for (n, k), c in parts)})"


def tables(random: Random) -> tuple[Table, ...]:
    """Two to four tables."""
    return tuple(_table(random, number) for number in range(1, random.randint(2, 4) + 1))


def _table(random: Random, number: int) -> Table:
    name = f"t{number}"
    own = [(f"{letter}{number}", random.choice("iit")) for letter in "abc"[: random.randint(1, 3)]]
    columns = (("k", "i"), *own)
    words = ("", "", "", "", " NOT NULL", " UNIQUE", " UNIQUE NOT NULL")
    constraints = tuple(random.choice(words) for _ in columns)
    if random.random() < 0.2:
        constraints = (" PRIMARY KEY NOT NULL", *constraints[1:])
    indexes = []
    for place in range(random.choice((0, 0, 1, 2))):
        one, other = random.choice(columns)[0], random.choice(columns)[0]
        listed = random.choice((one, one, f"{one}, {other}", f"{one} DESC", f"COALESCE({one}, {one})"))
        where = random.choice(("", "", "", f" WHERE {one} IS NOT NULL", f" WHERE {other} IS NULL"))
        indexes.append(f"CREATE INDEX x{number}{place} ON {name} ({listed}){where}")
    return Table(name, columns, constraints, tuple(indexes))


def drawn_rows(random: Random, table: Table) -> list[Row]:
    """A few rows, NULLs and repeated rows among them, which constraints of the table may refuse."""
    nulls = random.choice((0.0, 0.15, 0.4))
    found: list[Row] = []
    for _ in range(random.choice((0, 1, 2, 3, 3, 4, 4, 6, 6))):
        row = tuple(None if random.random() < nulls else random.choice(VALUES[k]) for _, k in table.columns)
        found.append(random.choice(found) if found and random.random() < 0.2 else row)
    return found


@dataclass
class Queries(Chances):
    """Makes queries on tables."""

    tables: Sequence[Table] = ()
    _made: int = field(default=0, init=False)
    _ctes: list[tuple[str, str]] = field(default_factory=list, init=False)
    """Common table expressions, each with the kinds of its columns."""

    def query(self) -> str:
        """A query."""
        self._made, self._ctes, clauses = 0, [], []
        for _ in range(self.random.choice((0, 0, 0, 0, 1, 1, 2))):
            kinds, name, hint = (
                self._kinds(),
                self._alias(),
                self.pick("", "", "MATERIALIZED ", "NOT MATERIALIZED "),
            )
            clauses.append(f"{name} AS {hint}({self._rows(kinds, 1, ())})")
            self._ctes.append((name, kinds))
        start = f"WITH {', '.join(clauses)} " if clauses else ""
        return start + self._rows(self._kinds(), DEPTH, (), cut=True)

    def _alias(self) -> str:
        self._made += 1
        return f"r{self._made}"

    def _kinds(self) -> str:
        return "".join(self.random.choices("iiitb", k=self.random.choice((1, 1, 2, 2, 3))))

    def _rows(self, kinds: str, depth: int, outer: Sequence[Seen], *, cut: bool = False) -> str:
        """A query with columns of some kinds, named ``c1`` and so on, cut by a total order maybe."""
        text = self._compound(kinds, depth, outer) if self.chance(0.15) else self._select(kinds, depth, outer)
        if not self.chance(0.25 if cut else 0.08):
            return text
        keys = list(range(1, len(kinds) + 1))
        self.random.shuffle(keys)
        limit = self.pick(
            " LIMIT 1", " LIMIT 2", " LIMIT 3 OFFSET 1", " LIMIT 1 OFFSET 1", "" if cut else " LIMIT 2"
        )
        return f"{text} ORDER BY {', '.join(f'{key}{self._direction()}' for key in keys)}{limit}"

    def _direction(self) -> str:
        return self.pick("", " DESC") + self.pick(" NULLS FIRST", " NULLS LAST")

    def _compound(self, kinds: str, depth: int, outer: Sequence[Seen]) -> str:
        """A set operation; of three operands one whose grouping all engines share."""
        text = self._select(kinds, depth - 1, outer)
        operators = self.random.choice((("INTERSECT",), ("UNION", "UNION ALL", "EXCEPT")))
        for _ in range(self.random.choice((1, 1, 2))):
            text += f" {self.pick(*operators)} {self._select(kinds, depth - 1, outer)}"
        return text

    def _select(self, kinds: str, depth: int, outer: Sequence[Seen]) -> str:
        shapes = (*((self._plain,) * 6), *((self._grouped,) * 3), self._windowed)
        return self.random.choice(shapes)(kinds, depth, outer)

    def _named(self, outputs: Sequence[str]) -> str:
        return ", ".join(f"{text} AS c{number}" for number, text in enumerate(outputs, 1))

    def _plain(self, kinds: str, depth: int, outer: Sequence[Seen]) -> str:
        text, seen = self._from(depth, outer)
        outputs = [self._value(kind, seen, depth - 1) for kind in kinds]
        word = self.pick("", "", "", "DISTINCT ")
        return f"SELECT {word}{self._named(outputs)} FROM {text}{self._where(seen, depth, outer)}"

    def _grouped(self, kinds: str, depth: int, outer: Sequence[Seen]) -> str:
        text, seen = self._from(depth, outer)
        keys = [] if self.chance(0.3) else [self._key(seen) for _ in range(self.random.choice((1, 1, 2)))]
        shown = [*keys, *((self._aggregate(kind, seen), kind) for kind in "iit")]
        outputs = [self._of_groups(kind, keys, seen) for kind in kinds]
        clause = f" GROUP BY {', '.join(key for key, _ in keys)}" if keys else ""
        having = f" HAVING {self._condition(shown, 1, asks=False)}" if self.chance(0.3) else ""
        return f"SELECT {self._named(outputs)} FROM {text}{self._where(seen, depth, outer)}{clause}{having}"

    def _key(self, seen: Sequence[Seen]) -> Seen:
        column, kind = self.random.choice(seen)
        forms = {
            "i": ("$", "$", "$ + 1", "COALESCE($, 0)", "CASE WHEN $ > 0 THEN 1 ELSE 0 END"),
            "t": ("$", "$", "COALESCE($, 'a')", "LOWER($)"),
            "b": ("$",),
        }
        return self.pick(*forms[kind]).replace("$", column), kind

    def _of_groups(self, kind: str, keys: Sequence[Seen], seen: Sequence[Seen]) -> str:
        own = [text for text, each in keys if each == kind]
        if own and self.chance(0.5):
            return self.pick(*own)
        call = self._aggregate(kind, seen)
        literal = self.pick(*LITERALS[kind])
        return self.pick(call, call, f"COALESCE({call}, {literal})", f"NULLIF({call}, {literal})")

    def _aggregate(self, kind: str, seen: Sequence[Seen]) -> str:
        """An aggregate over columns of the query itself: over those of another it would be the other's."""
        if kind == "b":
            column = self.random.choice(seen)[0]
            return f"(COUNT({column}) {self.pick('=', '<', '>')} {self.pick('0', '1', 'COUNT(*)')})"
        own = [text for text, each in seen if each == kind]
        if not own:
            own = [f"CASE WHEN {self.random.choice(seen)[0]} IS NULL THEN {self.pick(*LITERALS[kind])} END"]
        value, anything = self.pick(*own), self.random.choice(seen)[0]
        calls = [f"MIN({value})", f"MAX({value})"]
        if kind == "i":
            calls += ["COUNT(*)", f"COUNT({anything})", f"COUNT(DISTINCT {anything})", f"SUM({value})"]
            calls += [f"SUM(DISTINCT {value})", f"SUM({value} + 1)"]
        call = self.pick(*calls)
        return f"{call} FILTER (WHERE {self._condition(seen, 1, asks=False)})" if self.chance(0.15) else call

    def _windowed(self, kinds: str, depth: int, outer: Sequence[Seen]) -> str:
        """Rows with what windows over a total order say: rows that tie are equal."""
        text, seen = self._from(depth, outer)
        keys = list(dict.fromkeys(column for column, _ in seen))
        self.random.shuffle(keys)
        order = ", ".join(f"{key}{self._direction()}" for key in keys)
        part = f"PARTITION BY {self.random.choice(seen)[0]} " if self.chance(0.5) else ""
        frame = self.pick(
            "",
            "",
            " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
            " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
        )
        outputs = []
        for kind in kinds:
            own = [column for column, each in seen if each == kind]
            if kind != "i" or self.chance(0.4):
                value = self.pick(*own) if own else self.pick(*LITERALS[kind])
                call = self.pick("LAG($)", "LEAD($)", "FIRST_VALUE($)", "$").replace("$", value)
                outputs.append(call if call == value else f"{call} OVER ({part}ORDER BY {order})")
                continue
            number = self.pick("ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(2)")
            value = self.pick(*own) if own else "1"
            total = self.pick(
                f"COUNT({value})", f"SUM({value})", f"MIN({value})", f"MAX({value})", "COUNT(*)"
            )
            of_frame = f"{total} OVER ({part}ORDER BY {order}{frame})"
            of_part = f"{total} OVER ({part.rstrip()})"
            outputs.append(self.pick(f"{number} OVER ({part}ORDER BY {order})", of_frame, of_part))
        return f"SELECT {self._named(outputs)} FROM {text}{self._where(seen, depth, outer)}"

    def _where(self, seen: Sequence[Seen], depth: int, outer: Sequence[Seen]) -> str:
        if not self.chance(0.45):
            return ""
        return f" WHERE {self._condition([*seen, *outer] if outer else seen, 2, depth)}"

    def _from(self, depth: int, outer: Sequence[Seen]) -> tuple[str, list[Seen]]:
        """A FROM clause, and its columns."""
        if self.chance(0.12):
            return self._merged()
        return self._joined(self.random.choice((0, 0, 1, 1, 2, 2, 3)), depth, outer)

    def _joined(self, number: int, depth: int, outer: Sequence[Seen]) -> tuple[str, list[Seen]]:
        text, seen = self._source(depth, outer)
        for _ in range(number):
            more, own = self._source(depth, outer)
            word = self.pick(*JOINS)
            both = [*seen, *own]
            text += f" {word} {more}"
            if word != "CROSS JOIN":
                text += f" ON {self._on(seen, own, depth)}"
            seen = both
        return text, seen

    def _on(self, one: Sequence[Seen], two: Sequence[Seen], depth: int) -> str:
        pairs = [(a, b) for a, kind in one for b, other in two if kind == other]
        both = [*one, *two]
        if not pairs or self.chance(0.15):
            return self._condition(both, 1, depth) if self.chance(0.5) else self.pick(*CONSTANTS)
        a, b = self.random.choice(pairs)
        link = f"{a} {self.pick('=', '=', '=', '=', '<', 'IS NOT DISTINCT FROM', '<>')} {b}"
        if self.chance(0.25):
            link += f" {self.pick('AND', 'AND', 'AND', 'OR')} {self._condition(both, 1, depth, grouped=True)}"
        return link

    def _merged(self) -> tuple[str, list[Seen]]:
        """Tables joined by USING or NATURAL; the column that these merge is bare."""
        used = self.random.choices(self.tables, k=self.random.choice((2, 2, 3)))
        used = list(dict.fromkeys(used))
        text, seen = used[0].name, [("k", "i")]
        for table in used[1:]:
            side = self.pick("", "LEFT ", "RIGHT ", "FULL ")
            text += self.pick(f" {side}JOIN {table.name} USING (k)", f" NATURAL {side}JOIN {table.name}")
        seen += [(f"{table.name}.{name}", kind) for table in used for name, kind in table.columns[1:]]
        return text, seen

    def _source(self, depth: int, outer: Sequence[Seen]) -> tuple[str, list[Seen]]:
        roll, alias = self.random.random(), self._alias()
        if roll < 0.12 and depth > 0:
            text, seen = self._joined(self.random.choice((1, 1, 2)), depth - 1, outer)
            return f"({text})", seen
        if roll < 0.24 and depth > 0:
            kinds = self._kinds()
            return f"({self._rows(kinds, depth - 2, ())}) AS {alias}", _columns(alias, kinds)
        if roll < 0.6 and self._ctes:
            name, kinds = self.random.choice(self._ctes)
            return f"{name} AS {alias}", _columns(alias, kinds)
        table = self.random.choice(self.tables)
        return f"{table.name} AS {alias}", [(f"{alias}.{name}", kind) for name, kind in table.columns]

    def _value(self, kind: str, seen: Sequence[Seen], depth: int) -> str:
        """A value of a kind."""
        if kind == "b":
            return f"({self._condition(seen, 1, depth)})"
        own = [text for text, each in seen if each == kind]
        roll = self.random.random()
        if roll < 0.55 and own:
            return self.pick(*own)
        if roll < 0.65 or depth <= 0:
            return self.pick(*own, *LITERALS[kind]) if own else self.pick(*LITERALS[kind])
        return self.random.choice(self._made_of(kind, seen, depth - 1))

    def _made_of(self, kind: str, seen: Sequence[Seen], depth: int) -> list[str]:
        one, two = (self._value(kind, seen, depth) for _ in range(2))
        test = self._condition(seen, 1, depth)
        found = [
            f"COALESCE({one}, {two})",
            f"NULLIF({one}, {two})",
            f"CASE WHEN {test} THEN {one} ELSE {two} END",
            f"CASE WHEN {test} THEN {one} END",
            f"CASE {one} WHEN {two} THEN {one} ELSE {self.pick(*LITERALS[kind])} END",
            f"({self._lone(kind, depth, seen)})",
        ]
        if kind == "i":
            found += [f"({one} + {two})", f"({one} - {two})", f"({one} * 2)", f"({one} % 3)"]
            return [*found, f"ABS({one})", f"(- {one})", f"LENGTH({self._value('t', seen, 0)})"]
        return [*found, f"({one} || {two})", f"UPPER({one})", f"LOWER({one})", f"SUBSTR({one}, 1, 1)"]

    def _lone(self, kind: str, depth: int, outer: Sequence[Seen]) -> str:
        """A query of one value on one row."""
        text, seen = self._joined(self.random.choice((0, 0, 0, 1)), min(depth, 1), ())
        where = self._linked(seen, outer, depth)
        if self.chance(0.75):
            return f"SELECT {self._aggregate(kind, seen)} FROM {text}{where}"
        value = self._value(kind, seen, 0)
        return f"SELECT {value} AS c1 FROM {text}{where} ORDER BY 1{self._direction()} LIMIT 1"

    def _linked(self, seen: Sequence[Seen], outer: Sequence[Seen], depth: int) -> str:
        """WHERE of a subquery, on outer columns mostly."""
        parts = []
        pairs = [(a, b) for a, kind in seen for b, other in outer if kind == other]
        if pairs and self.chance(0.7):
            a, b = self.random.choice(pairs)
            parts.append(f"{a} {self.pick(*SIGNS)} {b}")
        if self.chance(0.4):
            parts.append(self._condition(seen, 1, depth, grouped=True))
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def _condition(
        self, seen: Sequence[Seen], size: int, depth: int = 0, *, asks: bool = True, grouped: bool = False
    ) -> str:
        """A condition.

        Args:
            seen: the columns that it may mention.
            size: how many levels of AND, OR and NOT it may have.
            depth: how many levels of subqueries.
            asks: whether it may ask other rows.
            grouped: whether it stands beside others, and so in parentheses.
        """
        if size > 0 and self.chance(0.4):
            one, two = (self._condition(seen, size - 1, depth, asks=asks, grouped=True) for _ in range(2))
            text = self.pick(
                f"{one} AND {two}", f"{one} AND {two}", f"{one} OR {two}", f"{one} OR {two}", f"NOT {one}",
                f"{one} IS {self.pick('TRUE', 'FALSE', 'NOT TRUE', 'NOT FALSE', 'NULL', 'NOT NULL')}",
            )  # fmt: skip
        else:
            text = self._test(seen, depth if asks else 0)
        return f"({text})" if grouped else text

    def _test(self, seen: Sequence[Seen], depth: int) -> str:
        roll = self.random.random()
        if roll < 0.06:
            return self.pick(*CONSTANTS)
        if roll < 0.26 and depth > 0:
            return self._asked(seen, depth - 1)
        column, kind = self.random.choice(seen)
        if kind == "b":
            return self.pick(
                column, f"NOT {column}", f"{column} IS NULL", f"{column} IS NOT NULL", f"{column} IS TRUE"
            )
        one, two = self._value(kind, seen, depth - 1), self._value(kind, seen, 0)
        literals = [self.pick(*LITERALS[kind]) for _ in range(2)]
        return self.pick(
            f"{column} {self.pick(*SIGNS)} {one}", f"{one} {self.pick(*SIGNS)} {two}", f"{column} IS NULL",
            f"{column} IS NOT NULL", f"{column} {self.pick('IN', 'NOT IN')} ({', '.join(literals)})",
            f"{column} {self.pick(*SIGNS)} {literals[0]}",
            f"{column} {self.pick('', 'NOT ')}BETWEEN {literals[0]} AND {two}",
            f"COALESCE({column}, {literals[0]}) {self.pick(*SIGNS)} {literals[1]}",
            f"CASE WHEN {column} = {literals[0]} THEN {column} ELSE {one} END {self.pick(*SIGNS)} {two}",
        )  # fmt: skip

    def _asked(self, seen: Sequence[Seen], depth: int) -> str:
        """A condition on the rows of a subquery."""
        column, kind = self.random.choice(seen)
        text, own = self._joined(self.random.choice((0, 0, 0, 1)), min(depth, 1), ())
        where = self._linked(own, seen if self.chance(0.7) else (), depth)
        if kind == "b" or self.chance(0.4):
            return f"{self.pick('', 'NOT ')}EXISTS (SELECT 1 FROM {text}{where})"
        if self.chance(0.5):
            value = self._value(kind, own, 0)
            return f"{column} {self.pick('IN', 'NOT IN')} (SELECT {value} FROM {text}{where})"
        return f"{column} {self.pick(*SIGNS)} (SELECT {self._aggregate(kind, own)} FROM {text}{where})"


def _columns(alias: str, kinds: str) -> list[Seen]:
    return [(f"{alias}.c{number}", kind) for number, kind in enumerate(kinds, 1)]
