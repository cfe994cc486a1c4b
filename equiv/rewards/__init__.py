r"""Rewards for training: what a predicted query is worth beside its gold query.

Synchronous, picklable, set up lazily in each process, without a call to any model; nothing here raises for
what a prediction, a gold query or a database holds.

>>> from equiv.rewards import reward
>>> ddl = "CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT)"
>>> reward("```sql\nSELECT name FROM hero WHERE id IN (1, 2)\n```",
...        "SELECT name FROM hero WHERE id = 1 OR id = 2", ddl).score
1.0
"""

from equiv.rewards.reward import Outcome, Policy, Reward, Settings
from equiv.rewards.rewarder import Rewarder, reward, rewards

__all__ = ["Outcome", "Policy", "Reward", "Rewarder", "Settings", "reward", "rewards"]
