"""The order in which a curator reads: the estimated probability that a gold query is faulty, and why."""
