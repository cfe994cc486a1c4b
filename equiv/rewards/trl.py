"""Rewards for TRL: ``GRPOTrainer(reward_funcs=[equiv_reward])``, or one made for other columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from equiv.errors import InputError, require_many
from equiv.rewards.reward import SettingArguments, Settings
from equiv.rewards.rewarder import DATABASE_FIELDS, GOLD_FIELDS, database_in, rewarder


class EquivReward:
    """A reward function for TRL, picklable.

    Args:
        gold: the dataset's column with gold queries; '': one of :data:`~equiv.rewards.rewarder.GOLD_FIELDS`.
        db: the column with databases; '': one of :data:`~equiv.rewards.rewarder.DATABASE_FIELDS`.
        db_root: the folder that names of databases are looked up in; None: where ``--db`` looks.
        settings: the fields of :class:`~equiv.rewards.Settings`.

    Raises:
        InputError: a setting has no such value.
    """

    def __init__(
        self,
        gold: str = "",
        db: str = "",
        db_root: str | None = None,
        **settings: Unpack[SettingArguments],
    ) -> None:
        self.__name__ = "equiv_reward"  # under which TRL logs it
        self._gold = (gold,) if gold else GOLD_FIELDS
        self._db = (db,) if db else DATABASE_FIELDS
        self._root = db_root
        self._settings = Settings(**settings)

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] = (),
        completions_ids: Sequence[Any] | None = None,
        trainer_state: Any = None,
        **columns: Any,
    ) -> list[float]:
        """The score of each completion.

        Raises:
            InputError: the dataset lacks the column for gold queries, or none for databases; one is no list.
        """
        del prompts, completions_ids, trainer_state
        golds, names = self._column(self._gold, columns), self._column(self._db, columns)
        given = self._settings.options.given_dialect
        dbs = [database_in({"db": name}, self._root, given) for name in names]
        found = rewarder(self._settings).rewards(completions, golds, dbs)
        return [each.score for each in found]

    @staticmethod
    def _column(names: tuple[str, ...], columns: dict[str, Any]) -> Sequence[Any]:
        for name in names:
            if columns.get(name) is not None:
                require_many(columns[name], f"the column {name!r}")
                found: Sequence[Any] = columns[name]
                return found
        raise InputError(f"the dataset lacks the column {' or '.join(map(repr, names))}")


equiv_reward = EquivReward()
"""With the columns that datasets usually have, and the default settings."""
