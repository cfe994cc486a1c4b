"""The database of a request: a name below the operator's folders, or DDL; never a path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.options import OptionArguments, Options
from equiv.replies.extract import Prediction
from equiv.schema.locate import database_names, named_database
from equiv.server.pair_task import Task
from equiv.spelling import did_you_mean


class NoDatabaseError(InputError):
    """No folder of the operator's has a database of that name."""


@dataclass(frozen=True, slots=True)
class Places:
    """The databases and options that the operator offers to requests.

    Attributes:
        roots: the operator's folders.
        options: the operator's options.
    """

    roots: tuple[Path, ...]
    options: Options

    def tasks(
        self, pairs: Iterable[tuple[Prediction, str]], db: str, ddl: str, given: OptionArguments
    ) -> list[Task]:
        """The pairs as a worker takes them.

        Args:
            pairs: predictions and gold queries.
            db: the name of a database; or
            ddl: a schema.
            given: the options that the request sets itself.

        Raises:
            NoDatabaseError: there is no database of that name.
            InputError: an option has no such value.
        """
        options = replace(self.options, **given)
        premises = b"" if ddl else Premises.of(None, self._database(db), options).pickled
        return [Task(pred.query, gold, ddl, db, premises, options, pred.remark) for pred, gold in pairs]

    def names(self) -> list[str]:
        """The names of the databases that requests may name."""
        return database_names(self.roots, self.options.given_dialect)

    def has(self, name: str) -> bool:
        """Whether there is a database of that name."""
        return named_database(name, self.roots, self.options.given_dialect) is not None

    def without_paths(self, text: str) -> str:
        """A message without the places of the operator's folders."""
        for root in self.roots:
            for shown in {str(root), str(root.absolute()), str(root.resolve())}:
                text = text.replace(f"{shown}/", "")
        return text

    def _database(self, name: str) -> Path:
        if not self.roots:
            raise NoDatabaseError("this service has no databases: send the schema as DDL")
        found = named_database(name, self.roots, self.options.given_dialect)
        if found is None:
            near = did_you_mean(name, self.names())
            raise NoDatabaseError(f"there is no database of that name{near}")
        return found
