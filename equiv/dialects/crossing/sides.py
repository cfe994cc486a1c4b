"""One schema told to two dialects, and the databases of a pair on their engines: the same rows on both.

The *shared* schema is the core's: its tables bear the names and declared types of the side on whose rows the
core runs, and all facts of both sides, so that every database it allows is one that both engines store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import category

from equiv.core.model import REFERENCE, Column, Schema, Table
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result, RunnerError
from equiv.dialects.protocol import Dialect, Session, Teller
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.names import fold, quoted
from equiv.scratch import Closing

if TYPE_CHECKING:
    from equiv.cells import Cell


LEFT_OUT = " cannot be represented in "
"""Between the name of a table and that of the dialect in whose schema it is missing, in a note."""
SEPARATOR = "/"
"""Between the names of the dialects of a pair, that of the prediction first."""
FORMS = (FactKind.TYPE, FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP)
"""What the type of a column promises of its values."""


def name_of(pred: str, gold: str, given: int) -> str:
    """The name of the dialect of pairs across two; the schema's is named last, if it is the gold query's."""
    return SEPARATOR.join((pred, gold, gold)[: 2 + given])


def base_of(pred: str, gold: str) -> int:
    """The side on whose rows the core runs: the one that is the reference, else the prediction's."""
    return int(gold == REFERENCE and pred != REFERENCE)


def given_of(schema: Schema) -> Schema:
    """The schema as it was given, before the other engine was told it."""
    return schema.sides[schema.dialect.count(SEPARATOR) > 1] if schema.sides else schema


def told(schema: Schema, giver: Dialect, taker: Dialect) -> Schema:
    """The tables of a schema as the loader of another dialect makes them.

    A table is left out, with a note and its name withheld, if the other dialect has no type for a column, or
    if what it holds is not known (computed columns, keys of another collation, a name of two parts).  What is
    told are columns, types, NOT NULL and keys; CHECKs and foreign keys are enforced where they were given.

    Raises:
        InputError: a dialect cannot tell or be told a schema.
    """
    here, there = teller_of(giver), teller_of(taker)
    statements, notes = [], []
    for table in schema.tables:
        why = _why_not(table, here, there)
        if why:
            notes.append(f"{table.name}{LEFT_OUT}{taker.title}: {why}")
        else:
            statements.append(_create(table, here, there))
    left_out = [table.name for table in schema.tables if _why_not(table, here, there)]
    views = [view.name for view in (*schema.views, *schema.native_views)]
    script = "".join(f"{each};\n" for each in statements)
    empty = Schema((), name=schema.name, dialect=taker.name)
    found = taker.loader.read_ddl(script, schema.name) if script else empty
    hidden = tuple(fold(there.plain_name(name)) for name in (*left_out, *views))
    return replace(found, notes=(*found.notes, *notes), withheld=(*found.withheld, *hidden, *schema.withheld))


def teller_of(dialect: Dialect) -> Teller:
    """The loader of a dialect, if it tells schemas.

    Raises:
        InputError: it does not.
    """
    if not isinstance(dialect.loader, Teller):
        raise InputError(f"the dialect {dialect.name} cannot be compared with another")
    return dialect.loader


def _why_not(table: Table, here: Teller, there: Teller) -> str:
    """Why another dialect is not told a table; '' if it is."""
    if table.namespace and table.namespace != _PUBLIC:
        return f"it is in the schema {table.namespace}"
    if table.collated_keys:
        return "its keys have their own collation"
    for column in table.columns:
        if column.generated or column.derived:
            return f"the column {column.name} is computed"
        found = here.value_type(column)
        if found is None or there.type_name(found) is None:
            kind = column.native_type or column.declared_type or "none"
            collated = f" COLLATE {column.collation}" if column.collation.upper() != "BINARY" else ""
            return f"the column {column.name} has a type without counterpart: {kind}{collated}"
    return ""


_PUBLIC = "public"


def _create(table: Table, here: Teller, there: Teller) -> str:
    def name(of: str) -> str:
        return '"' + there.plain_name(of).replace('"', '""') + '"'

    def listed(columns: Iterable[str]) -> str:
        return ", ".join(map(name, columns))

    parts = []
    for column in table.columns:
        found = here.value_type(column)
        assert found is not None
        parts.append(f"{name(column.name)} {there.type_name(found)}" + " NOT NULL" * column.not_null)
    if table.primary_key:
        parts.append(f"PRIMARY KEY ({listed(table.primary_key)})")
    parts += [f"UNIQUE ({listed(columns)})" for columns in table.unique]
    return f"CREATE TABLE {name(table.name)} ({', '.join(parts)})"


def shared(pred: Schema, gold: Schema, given: int) -> Schema:
    """The schema that proofs and databases of a pair are about.

    Args:
        pred: the schema of the prediction's dialect.
        gold: the same of the gold query's.
        given: which of them was given, 0 or 1: its CHECKs and foreign keys hold.
    """
    sides = pred, gold
    at = base_of(pred.dialect, gold.dialect)
    base, other, source = sides[at], sides[1 - at], sides[given]
    tables = []
    for table in base.tables:
        beside, giving = other.table(table.name), source.table(table.name)
        if beside is None or giving is None:
            continue
        # Names that an engine cuts short are none of its columns.
        if all(beside.column(column.name) for column in table.columns):
            tables.append(
                _shared_table(table, beside, giving, loose=REFERENCE in (base.dialect, other.dialect))
            )
    return Schema(
        tuple(tables),
        base.views,
        name=source.name,
        qualifiers=source.qualifiers,
        dialect=name_of(pred.dialect, gold.dialect, given),
        native_views=(*pred.native_views, *gold.native_views),
        notes=tuple(dict.fromkeys((*pred.notes, *gold.notes))),
        passed=tuple(dict.fromkeys((*pred.passed, *gold.passed))),
        withheld=tuple(dict.fromkeys((*pred.withheld, *gold.withheld))),
        foreign=source.foreign,
        sides=sides,
    )


def _shared_table(base: Table, other: Table, giving: Table, *, loose: bool) -> Table:
    columns = tuple(_shared_column(column, other.column(column.name)) for column in base.columns)
    promised = dict.fromkeys((*base.promised, *_promised(base, other, loose=loose), *giving.promised))
    return replace(
        base,
        columns=columns,
        foreign_keys=giving.foreign_keys,
        checks=giving.checks,
        namespace="",
        native=(),
        promised=tuple(promised),
    )


def _shared_column(base: Column, other: Column | None) -> Column:
    """A column that stores what both sides store; it has the declared type of the first."""
    assert other is not None
    decimals = [each for each in (base.decimals, other.decimals) if each is not None]
    return replace(
        base,
        # In parentheses no row leaves a value to it: the other engine is told of no DEFAULT.
        default=None if base.default is None else f"({base.default})",
        samples=base.samples if base.samples is not None else other.samples,
        longest=_least(base.longest, other.longest),
        below=_least(base.below, other.below),
        decimals=min(decimals) if decimals else None,
    )


def _least(one: int, other: int) -> int:
    """The lesser of two bounds, of which 0 is none."""
    return min(one, other) if one and other else one or other


def _promised(base: Table, other: Table, *, loose: bool) -> Iterator[Fact]:
    """What the other side promises; assumed, where one engine stores what the other refuses."""
    for fact in other.promised:
        known = base.column(fact.columns[0]) if fact.columns else None
        if fact.kind in FORMS and known is not None:
            grade = Grade.ASSUMED if loose else fact.grade
            yield replace(fact, grade=grade, table=base.name, columns=(known.name,))
    for column in base.columns:
        beside = other.column(column.name)
        if beside is not None and beside.not_null and not column.not_null:
            yield Fact(FactKind.NOT_NULL, Grade.ASSUMED, base.name, (column.name,))


class CrossedSession(Closing):
    """A database on the engine of the prediction, and the same on that of the gold query.

    Args:
        pred: the prediction's, or what opens it when it is first asked.
        gold: the gold query's, or what opens it.
        base: which of them the core's rows are of, 0 or 1.
        is_empty: whether there are no rows.
        given: which of them is the one whose rows the other has, 0 or 1.
    """

    def __init__(
        self,
        pred: Session | Callable[[], Session],
        gold: Session | Callable[[], Session],
        base: int,
        *,
        is_empty: bool = False,
        given: int = 0,
    ) -> None:
        self._pred = pred
        self._gold = gold
        self._base = base
        self._is_empty = is_empty
        self._given = given

    @cached_property
    def pred(self) -> Session:
        """The database that the prediction runs on.

        Raises:
            RunnerError: its engine does not store the rows.
        """
        return self._pred() if callable(self._pred) else self._pred

    @cached_property
    def gold(self) -> Session:
        """The database that the gold query runs on.

        Raises:
            RunnerError: its engine does not store the rows.
        """
        return self._gold() if callable(self._gold) else self._gold

    @property
    def given(self) -> Session:
        """The database whose rows the other has."""
        return self.gold if self._given else self.pred

    @property
    def sides(self) -> tuple[Session, Session]:
        """Both databases."""
        return self.pred, self.gold

    @property
    def has_core(self) -> bool:
        """See :class:`~equiv.dialects.protocol.Session`."""
        return all(side.has_core for side in self.sides)

    @cached_property
    def why_apart(self) -> str:
        """Why the two databases do not hold the same rows; '' if they do."""
        try:
            self.core.connection  # noqa: B018 - opened, and compared
        except RunnerError as error:
            return str(error)
        return ""

    @cached_property
    def core(self) -> Guarded:
        """See :class:`~equiv.dialects.protocol.Session`.

        Raises:
            RunnerError: the core cannot hold the rows, or the two engines store other ones.
        """
        found = self.sides[self._base].core
        if self._is_empty:
            return found
        other = self.sides[1 - self._base].core
        for table in _tables(other):
            if table in _tables(found) and _rows(found, table) != _rows(other, table):
                raise RunnerError(f"the two engines store the rows of {table} differently")
        return found

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """The result of the prediction; the gold query runs on :attr:`gold`."""
        return self.pred.run(text, limits, values)

    def close(self) -> None:
        """Close both databases."""
        if "pred" in self.__dict__ or not callable(self._pred):
            self.pred.close()
        if "gold" in self.__dict__ or not callable(self._gold):
            self.gold.close()


def given_side(session: Session) -> Session:
    """The database that was given: the same one, but across dialects."""
    return session.given if isinstance(session, CrossedSession) else session


def run_both(
    session: Session, pred: str, gold: str, limits: Limits, known: Result | Failure | None = None
) -> tuple[Result | Failure, Result | Failure]:
    """The results of both queries, each on its own engine; that of the gold query may be known."""
    if apart := why_apart(session):
        failed = Failure("resource", f"the two engines hold different rows: {apart}")
        return failed, failed
    return session.run(pred, limits), known or gold_side(session).run(gold, limits)


def why_apart(session: Session) -> str:
    """Why the engines of a pair across dialects do not hold the same rows; '' if they do."""
    return session.why_apart if isinstance(session, CrossedSession) else ""


def pred_side(session: Session) -> Session:
    """The database that the prediction runs on."""
    return session.pred if isinstance(session, CrossedSession) else session


def gold_side(session: Session) -> Session:
    """The database that the gold query runs on: the same one, but across dialects."""
    return session.gold if isinstance(session, CrossedSession) else session


def _tables(engine: Guarded) -> list[str]:
    found = engine.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [fold(str(name)) for (name,) in found]


def _rows(engine: Guarded, table: str) -> list[str]:
    """The rows of a table, in an order of their own; the columns by name."""
    found = engine.connection.execute(f"SELECT * FROM {quoted(table)}")
    names = [fold(name) for name in engine.connection.names(table)]
    order = sorted(range(len(names)), key=names.__getitem__)
    rows = [[_plain(row[place]) for place in order] for row in found]
    if not all(_is_shared_text(cell) for row in rows for cell in row):
        raise RunnerError(f"a text of {table} holds a character that the engines treat differently")
    return sorted(map(repr, rows))


def _is_shared_text(cell: Cell) -> bool:
    """Whether a cell holds no NUL, and no character that is newer than what all engines know."""
    if not isinstance(cell, str):
        return True
    return "\0" not in cell and (cell.isascii() or _STRANGE.isdisjoint(map(category, cell)))


_STRANGE = frozenset(("Cn", "Cs"))


def _plain(cell: Cell) -> Cell:
    """A cell, a whole number as an integer whichever type of a column holds it."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
