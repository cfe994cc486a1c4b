"""Rewards for verl: ``custom_reward_function.path`` is this file, ``.name`` one of the two functions.

The database stands in ``extra_info`` as ``db_path`` or ``db_id``, the latter below ``db_root`` or
``$EQUIV_DB_ROOT``.  ``reward_kwargs`` are ``db_root`` and the fields of :class:`~equiv.rewards.Settings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from equiv.errors import require_many
from equiv.rewards.reward import SettingArguments, Settings
from equiv.rewards.rewarder import database_in, gold_in, rewarder


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: dict[str, Any] | None = None,
    *,
    db_root: str | None = None,
    **settings: Unpack[SettingArguments],
) -> dict[str, Any]:
    """The score of one solution and its components, each of one type in all rows."""
    sources, infos = [data_source], [extra_info]
    return compute_score_batch(sources, [solution_str], [ground_truth], infos, db_root=db_root, **settings)[0]


def compute_score_batch(
    data_sources: Sequence[str],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[dict[str, Any] | None],
    *,
    db_root: str | None = None,
    **settings: Unpack[SettingArguments],
) -> list[dict[str, Any]]:
    """The scores of a batch, for ``reward_manager=batch``; equal solutions are looked at once."""
    del data_sources
    require_many(ground_truths, "the ground truths")
    require_many(extra_infos, "extra_infos")
    chosen = Settings(**settings)
    dbs = [database_in(info, db_root, chosen.options.given_dialect) for info in extra_infos]
    golds = [gold_in(truth) for truth in ground_truths]
    found = rewarder(chosen).rewards(solution_strs, golds, dbs)
    return [each.to_dict() for each in found]
