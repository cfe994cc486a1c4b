"""The databases of a pair on two engines: the same rows on both, and once on the core's runner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self
from unicodedata import category

from equiv.core.model import quoted
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result, RunnerError
from equiv.dialects.protocol import Session

if TYPE_CHECKING:
    from equiv.cells import Cell


class CrossedSession:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def given_side(session: Session) -> Session:
    """The database that was given: the same one, but across dialects."""
    return session.given if isinstance(session, CrossedSession) else session


def run_both(
    session: Session, pred: str, gold: str, limits: Limits
) -> tuple[Result | Failure, Result | Failure]:
    """The results of both queries, each on its own engine."""
    if apart := why_apart(session):
        failed = Failure("resource", f"the rows are not the same on both engines: {apart}")
        return failed, failed
    return session.run(pred, limits), gold_side(session).run(gold, limits)


def why_apart(session: Session) -> str:
    """Why the engines of a pair across dialects do not hold the same rows; '' if they do."""
    return session.why_apart if isinstance(session, CrossedSession) else ""


def gold_side(session: Session) -> Session:
    """The database that the gold query runs on: the same one, but across dialects."""
    return session.gold if isinstance(session, CrossedSession) else session


def _tables(engine: Guarded) -> list[str]:
    found = engine.connection.execute("SELECT lower(name) FROM sqlite_master WHERE type = 'table'")
    return [str(name) for (name,) in found]


def _rows(engine: Guarded, table: str) -> list[str]:
    """The rows of a table, in an order of their own; the columns by name."""
    found = engine.connection.execute(f"SELECT * FROM {quoted(table)}")
    names = [name.lower() for name in engine.connection.names(table)]
    order = sorted(range(len(names)), key=names.__getitem__)
    rows = [[_plain(row[place]) for place in order] for row in found]
    if not all(_is_shared_text(cell) for row in rows for cell in row):
        raise RunnerError(f"a text of {table} holds a character on which engines part")
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
