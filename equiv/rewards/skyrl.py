"""An environment for SkyRL-gym: one turn, in which the model gives a query.

Register it as ``register(id="equiv", entry_point="equiv.rewards.skyrl:SQLEnv")``; it has the methods of
``BaseTextEnv`` without importing it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equiv.rewards.reward import Policy, Settings
from equiv.rewards.rewarder import database_in, first_of, gold_in, rewarder

POLICY = Policy(no_query=-1.0)
"""As SkyRL's own environment for SQL: 1 for a right query, 0 for another, -1 for none."""


class SQLEnv:
    """Scores one query of a model.

    Args:
        env_config: ``db_root`` and the fields of :class:`~equiv.rewards.Settings`.
        extras: the row: ``reward_spec.ground_truth``, and ``db_path`` or ``db_id``.

    Raises:
        InputError: a setting has no such value.
    """

    max_turns = 1

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None):
        config, row = dict(env_config or {}), dict(extras or {})
        root = config.pop("db_root", None)
        self._settings = Settings(**{"policy": POLICY, **config})
        self._gold = gold_in(first_of(row.get("reward_spec"), ("ground_truth",)))
        self._db = database_in(row, root, self._settings.options.given_dialect)

    def init(self, prompt: Any) -> tuple[Any, dict[str, Any]]:
        """Begin with the prompt as it is."""
        return prompt, {}

    def step(self, action: str) -> dict[str, Any]:
        """Score what the model said; there is no further turn."""
        found = rewarder(self._settings).reward(action, self._gold, self._db)
        return {
            "observations": [],
            "reward": found.score,
            "done": True,
            "metadata": found.to_dict(),
            "postprocessed_action": None,
        }

    def get_metrics(self) -> dict[str, Any]:
        """Nothing beyond the metadata of the step."""
        return {}

    def close(self) -> None:
        """Leave the workers to the environments that come."""
