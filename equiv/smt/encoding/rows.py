"""Rows that a proof speaks of: of scans, of key look-ups, and of derived tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.algebra.kinds import column_kinds, kinds
from equiv.algebra.terms import Expression, Field, Source, Variable
from equiv.core.model import Domain
from equiv.facts import Fact, FactKind
from equiv.schema.notation import format_fact
from equiv.smt.encoding.opaque import symbolic
from equiv.smt.encoding.values import Value
from equiv.smt.hypotheses import Hypothesis, Origin
from equiv.smt.logic import FALSE, TRUE, Formula

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


class Row:
    """A row of a base table or of something else; its columns are made on demand."""

    def __init__(self, encoder: Encoder, table: str, present: Formula, label: str) -> None:
        self.encoder = encoder
        self.table = table
        """The base table, or '' if it is a row of something else."""
        self.present = present
        """When there is such a row: what facts say of it holds only then."""
        self.label = label
        self.columns: dict[str | int, tuple[Value, dict[Fact, None]]] = {}

    def column(self, name: str | int) -> Value:
        """The value in a column; meaningless unless the row is present."""
        name = name.lower() if isinstance(name, str) else name
        return self.encoder.remembered(self.columns, name, lambda: self.made(name))

    def made(self, name: str | int) -> Value:
        """A fresh value for a column of the base table."""
        encoder, world = self.encoder, self.encoder.world
        classes = column_kinds(self.table, str(name), world)
        value = symbolic(encoder.script, (self, name), f"{self.label}.{name}", classes, mark=self)
        fact = world.facts.find(FactKind.ISO_DATE, self.table, str(name))
        if fact is not None and classes <= {"text", "null"}:
            encoder.register_date(value, (fact,))
        fact = world.facts.find(FactKind.ISO_TIMESTAMP, self.table, str(name))
        if fact is not None and classes <= {"text", "null"}:
            encoder.register_timestamp(value, fact)
        typed = world.facts.find(FactKind.TYPE, self.table, str(name))
        if typed is not None and classes <= {"integer", "null"} and value.whole:
            table = world.schema.table(self.table)
            column = table.column(str(name)) if table is not None else None
            if column is not None and column.domain is Domain.BOOLEAN:
                world.use((typed,))
                stated = Hypothesis(f"(<= 0 {value.whole} 1)", Origin.FACT, format_fact(typed))
                encoder.script.axiom(value.whole, stated)
        return value


class Scanned(Row):
    """A row of a base table, over which a variable ranges."""

    def __init__(self, encoder: Encoder, variable: Variable, table: str, present: Formula) -> None:
        super().__init__(encoder, table, present, str(variable))
        self.variable = variable


class LookedUp(Row):
    """The row of a table with some key values, if there is one."""

    def __init__(self, encoder: Encoder, table: str, pairs: tuple[tuple[str, Expression], ...]) -> None:
        self.pairs = pairs
        self.key = tuple(name.lower() for name, _ in pairs)
        self.values = [encoder.value(value) for _, value in pairs]
        number = sum(isinstance(row, LookedUp) for row in encoder.rows.values())
        label = f"{table} by {', '.join(self.key)} #{number}"
        super().__init__(encoder, table, FALSE, label)
        if not any(value.null == TRUE for value in self.values):
            self.present = encoder.script.declare((self, "found"), f"{label} found", (), "Bool", self)


class Derived(Row):
    """A row of a derived table."""

    def __init__(self, encoder: Encoder, variable: Variable, source: Source, present: Formula) -> None:
        super().__init__(encoder, "", present, str(variable))
        self.variable = variable
        self.source = source

    def made(self, name: str | int) -> Value:
        encoder = self.encoder
        column = Field(self.variable, name)
        classes = kinds(column, encoder.world, encoder.sources)
        return symbolic(encoder.script, (self, name), f"{self.label}.{name}", classes, mark=self)
