"""Random pairs of the decidable fragment: unions of conjunctive queries on schemas with keys and NULLs.

A pair is a query and either another way to say it, or a near mutant of it or of such a way, or another query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

_WORDS = ("a", "b", "c d", "A")


@dataclass(frozen=True)
class Column:
    """A column of a random table."""

    name: str
    type: str
    not_null: bool
    parent: str = ""
    """The table that it refers to by its id."""


@dataclass(frozen=True)
class Table:
    """A random table."""

    name: str
    columns: tuple[Column, ...]
    keyed: bool
    """Whether the first column is its INTEGER PRIMARY KEY."""
    unique: tuple[str, ...] = ()

    @property
    def ddl(self) -> str:
        """Its CREATE TABLE statement."""
        parts = []
        for at, column in enumerate(self.columns):
            key = " PRIMARY KEY" if self.keyed and at == 0 else " NOT NULL" if column.not_null else ""
            refers = f" REFERENCES {column.parent}(id)" if column.parent else ""
            parts.append(f"{column.name} {column.type}{key}{refers}")
        unique = [f"UNIQUE ({', '.join(self.unique)})"] if self.unique else []
        return f"CREATE TABLE {self.name} ({', '.join([*parts, *unique])});"

    def of_type(self, type_: str) -> list[Column]:
        """Its columns of a type."""
        return [column for column in self.columns if column.type == type_]


@dataclass(frozen=True)
class Block:
    """One SELECT."""

    tables: tuple[tuple[str, str], ...]
    """Tables with their aliases."""
    conditions: tuple[str, ...]
    outputs: tuple[str, ...]
    """Expressions over aliases."""


@dataclass(frozen=True)
class Query:
    """Blocks, and how they are put together."""

    blocks: tuple[Block, ...]
    distinct: bool


def _is_equation(condition: str) -> bool:
    """Whether a condition says that two things are equal, and no more."""
    return condition.count(" = ") == 1 and "(" not in condition and "NOT" not in condition


def schema(rng: Random) -> tuple[Table, ...]:
    """Two or three tables; each refers to those before it alone."""
    tables: list[Table] = []
    for number in range(rng.randint(2, 3)):
        keyed = number == 0 or rng.random() < 0.6
        columns = [Column("id", "INTEGER", keyed or rng.random() < 0.5)]
        for at in range(rng.randint(1, 3)):
            parents = [table.name for table in tables if table.keyed]
            parent = rng.choice(parents) if parents and rng.random() < 0.5 else ""
            type_ = "INTEGER" if parent or rng.random() < 0.65 else "TEXT"
            columns.append(Column(f"c{at}", type_, rng.random() < 0.4, parent))
        names = [column.name for column in columns[1:]]
        unique = tuple(rng.sample(names, rng.randint(1, min(2, len(names))))) if rng.random() < 0.25 else ()
        tables.append(Table(f"t{number}", tuple(columns), keyed, unique))
    return tuple(tables)


class Maker:
    """Makes the queries of one schema.

    Args:
        tables: the tables.
        rng: makes the choices.
        tests: how often a block has a comparison with a constant beyond equality.
    """

    def __init__(self, tables: tuple[Table, ...], rng: Random, tests: float = 0.35) -> None:
        self.tables, self.rng, self.tests = tables, rng, tests
        self.by_name = {table.name: table for table in tables}

    def pair(self) -> tuple[str, str, str]:
        """A pair, and what its second query is of the first: same, near or other."""
        query = self.query()
        kind = self.rng.choice(("same", "same", "near", "near", "other"))
        if kind == "other":
            second = self.query([self._type(query.blocks[0], out) for out in query.blocks[0].outputs])
        else:
            second = query
            for _ in range(self.rng.randint(1, 3)):
                second = self._said_otherwise(second)
            if kind == "near":
                second = self._mutant(second)
        texts = [self.text(query), self.text(second)]
        self.rng.shuffle(texts)
        return texts[0], texts[1], kind

    def query(self, types: list[str] | None = None) -> Query:
        """A query of some output types; any if None."""
        chosen = types or [
            self.rng.choice(("INTEGER", "INTEGER", "TEXT")) for _ in range(self.rng.randint(1, 2))
        ]
        most = self.rng.choice((1, 1, 2, 3))
        return Query(tuple(self._block(chosen) for _ in range(most)), self.rng.random() < 0.5)

    def _block(self, types: list[str]) -> Block:
        rng = self.rng
        tables = tuple(
            (rng.choice(self.tables).name, f"r{at}") for at in range(rng.choice((1, 1, 2, 2, 3, 4)))
        )
        conditions: list[str] = []
        for at in range(1, len(tables)):
            if rng.random() < 0.85:
                conditions += self._join(tables[at], tables[rng.randrange(at)])
        if rng.random() < 0.3 and len(tables) > 1:
            conditions += self._join(*rng.sample(tables, 2))
        if rng.random() < 0.4:
            conditions.append(self._equal_constant(tables))
        if rng.random() < self.tests:
            conditions.append(self._test(tables))
        return Block(
            tables, tuple(dict.fromkeys(conditions)), tuple(self._out(tables, type_) for type_ in types)
        )

    def _columns(self, tables: tuple[tuple[str, str], ...], type_: str) -> list[str]:
        return [f"{alias}.{c.name}" for name, alias in tables for c in self.by_name[name].of_type(type_)]

    def _out(self, tables: tuple[tuple[str, str], ...], type_: str) -> str:
        columns = self._columns(tables, type_)
        if columns and self.rng.random() < 0.95:
            return self.rng.choice(columns)
        return self._constant(type_)

    def _constant(self, type_: str) -> str:
        return str(self.rng.randint(0, 4)) if type_ == "INTEGER" else f"'{self.rng.choice(_WORDS)}'"

    def _join(self, one: tuple[str, str], other: tuple[str, str]) -> list[str]:
        types = [
            t for t in ("INTEGER", "TEXT") if all(self.by_name[n].of_type(t) for n in (one[0], other[0]))
        ]
        type_ = self.rng.choice(types)
        left, right = (self.rng.choice(self.by_name[name].of_type(type_)).name for name, _ in (one, other))
        references = [
            (f"{child[1]}.{column.name}", f"{parent[1]}.id")
            for child, parent in ((one, other), (other, one))
            for column in self.by_name[child[0]].columns
            if column.parent == parent[0]
        ]
        if references and self.rng.random() < 0.6:
            return [" = ".join(self.rng.choice(references))]
        return [f"{one[1]}.{left} = {other[1]}.{right}"]

    def _equal_constant(self, tables: tuple[tuple[str, str], ...]) -> str:
        type_ = self.rng.choice(("INTEGER", "TEXT"))
        columns = self._columns(tables, type_) or self._columns(tables, type_ := "INTEGER")
        return f"{self.rng.choice(columns)} = {self._constant(type_)}"

    def _test(self, tables: tuple[tuple[str, str], ...]) -> str:
        rng = self.rng
        type_ = rng.choice(("INTEGER", "INTEGER", "TEXT"))
        columns = self._columns(tables, type_) or self._columns(tables, type_ := "INTEGER")
        column, constant = rng.choice(columns), self._constant(type_)
        forms = [f"{column} <> {constant}", f"{column} IS NULL", f"{column} IS NOT NULL"]
        forms += [f"{column} IN ({constant}, {self._constant(type_)})", f"NOT {column} = {constant}"]
        if type_ == "INTEGER":
            forms += [f"{column} {op} {constant}" for op in ("<", "<=", ">", ">=")]
            forms += [f"{column} BETWEEN {constant} AND {int(constant) + 2}"]
        found = rng.choice(forms)
        return f"({found} OR {rng.choice(columns)} IS NULL)" if rng.random() < 0.15 else found

    def _type(self, block: Block, output: str) -> str:
        if "." not in output:
            return "TEXT" if output.startswith("'") else "INTEGER"
        return self._column(block, output).type

    def _column(self, block: Block, place: str) -> Column:
        alias, name = place.split(".")
        table = next(table for table, its_alias in block.tables if its_alias == alias)
        return next(column for column in self.by_name[table].columns if column.name == name)

    def _said_otherwise(self, query: Query) -> Query:
        """The query in another way; the same query if the way that is chosen does not apply."""
        at = self.rng.randrange(len(query.blocks))
        ways: list[Callable[[Block], list[Block]]] = [
            self._reordered,
            self._along_equality,
            self._with_parent,
        ]
        ways += [self._split_by_constant, self._with_same_row]
        if query.distinct:
            ways += [self._with_idle_row, lambda block: [block, block]]
        if len(query.blocks) > 3:
            ways = ways[:3]
        made = self.rng.choice(ways)(query.blocks[at])
        return replace(query, blocks=(*query.blocks[:at], *made, *query.blocks[at + 1 :]))

    def _reordered(self, block: Block) -> list[Block]:
        tables, conditions = list(block.tables), list(block.conditions)
        self.rng.shuffle(tables)
        self.rng.shuffle(conditions)
        turned = (" = ".join(reversed(c.split(" = "))) if _is_equation(c) else c for c in conditions)
        return [replace(block, tables=tuple(tables), conditions=tuple(turned))]

    def _along_equality(self, block: Block) -> list[Block]:
        """An output by what a condition says that it equals."""
        equal = [c.split(" = ") for c in block.conditions if _is_equation(c) and c.count(".") == 2]
        for one, other in equal:
            if one in block.outputs:
                return [replace(block, outputs=tuple(other if out == one else out for out in block.outputs))]
        return [block]

    def _fresh(self, block: Block) -> str:
        aliases = {alias for _, alias in block.tables}
        return next(f"x{n}" for n in range(20) if f"x{n}" not in aliases)

    def _with_parent(self, block: Block) -> list[Block]:
        """A join with the parent that there is, on a column that is not NULL."""
        places = [
            (f"{alias}.{c.name}", c)
            for name, alias in block.tables
            for c in self.by_name[name].columns
            if c.parent
            and (
                c.not_null
                or any(
                    f"{alias}.{c.name} = " in each and "(" not in each and "NOT" not in each
                    for each in block.conditions
                )
            )
        ]
        if not places or len(block.tables) > 4:
            return [block]
        place, column = self.rng.choice(places)
        alias = self._fresh(block)
        joined = (*block.conditions, f"{place} = {alias}.id")
        return [replace(block, tables=(*block.tables, (column.parent, alias)), conditions=joined)]

    def _with_same_row(self, block: Block) -> list[Block]:
        """A join with the row itself, by its key."""
        keyed = [(name, alias) for name, alias in block.tables if self.by_name[name].keyed]
        if not keyed or len(block.tables) > 4:
            return [block]
        name, alias = self.rng.choice(keyed)
        other = self._fresh(block)
        outputs = tuple(
            out.replace(f"{alias}.", f"{other}.")
            if out.startswith(f"{alias}.") and self.rng.random() < 0.5
            else out
            for out in block.outputs
        )
        conditions = (*block.conditions, f"{other}.id = {alias}.id")
        return [Block((*block.tables, (name, other)), conditions, outputs)]

    def _with_idle_row(self, block: Block) -> list[Block]:
        """A further row that one of the block could be."""
        if len(block.tables) > 4:
            return [block]
        name, alias = self.rng.choice(block.tables)
        other = self._fresh(block)
        own = [c for c in block.conditions if f"{alias}." in c and "(" not in c]
        kept = [c.replace(f"{alias}.", f"{other}.") for c in own if self.rng.random() < 0.5]
        return [replace(block, tables=(*block.tables, (name, other)), conditions=(*block.conditions, *kept))]

    def _split_by_constant(self, block: Block) -> list[Block]:
        """The parts in which a column is under a constant, at least that, or NULL."""
        column = self.rng.choice(self._columns(block.tables, "INTEGER"))
        constant = self.rng.randint(0, 4)
        parts = [f"{column} < {constant}", f"{column} >= {constant}"]
        if self.rng.random() < 0.3:
            parts = [f"{column} = {constant}", f"{column} <> {constant}"]
        if not self._column(block, column).not_null:
            parts.append(f"{column} IS NULL")
        return [replace(block, conditions=(*block.conditions, part)) for part in parts]

    def _mutant(self, query: Query) -> Query:
        rng = self.rng
        at = rng.randrange(len(query.blocks))
        block = query.blocks[at]
        match rng.randrange(7):
            case 0 if block.conditions:
                gone = rng.randrange(len(block.conditions))
                block = replace(block, conditions=block.conditions[:gone] + block.conditions[gone + 1 :])
            case 1:
                block = replace(block, conditions=(*block.conditions, self._test(block.tables)))
            case 2:
                out = rng.randrange(len(block.outputs))
                other = self._out(block.tables, self._type(block, block.outputs[out]))
                block = replace(block, outputs=(*block.outputs[:out], other, *block.outputs[out + 1 :]))
            case 3:
                return replace(query, distinct=not query.distinct)
            case 4 if len(query.blocks) > 1:
                return replace(query, blocks=query.blocks[:at] + query.blocks[at + 1 :])
            case 5 if len(block.tables) > 1:
                block = replace(
                    block, conditions=(*block.conditions, *self._join(*rng.sample(block.tables, 2)))
                )
            case _:
                block = replace(block, conditions=(*block.conditions, self._equal_constant(block.tables)))
        return replace(query, blocks=(*query.blocks[:at], block, *query.blocks[at + 1 :]))

    def text(self, query: Query) -> str:
        """The query as SQL."""
        if len(query.blocks) == 1:
            return self._select(query.blocks[0], distinct=query.distinct)
        operator = " UNION " if query.distinct else " UNION ALL "
        return operator.join(self._select(block, distinct=False) for block in query.blocks)

    def _select(self, block: Block, *, distinct: bool) -> str:
        tables = [f"{name} AS {alias}" for name, alias in block.tables]
        conditions = list(block.conditions)
        source = ", ".join(tables)
        if len(tables) > 1 and self.rng.random() < 0.5:
            on = [c for c in conditions if c.count(".") == 2]
            source = " JOIN ".join(tables) + (f" ON {' AND '.join(on)}" if on else "")
            conditions = [c for c in conditions if c not in on]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(block.outputs)} FROM {source}{where}"
