"""The choice of lanes for an evaluation: this machine's, or those of a Ray cluster."""

from __future__ import annotations

from contextlib import ExitStack

from equiv.errors import InputError
from equiv.eval.running.cluster import Cluster
from equiv.eval.running.lanes import OpenLane, local_lane

ENGINES = ("local", "ray")
"""What ``--engine`` takes."""


def lanes_on(engine: str, address: str, workers: int, owned: ExitStack) -> OpenLane:
    """The function that opens the lanes of an evaluation.

    Args:
        engine: one of :data:`ENGINES`.
        address: of a running Ray cluster; '' starts one on this machine.
        workers: how many lanes there are to be.
        owned: closes what is opened here.

    Raises:
        InputError: there is no such engine, or it cannot be used.
    """
    if engine not in ENGINES:
        raise InputError(f"unknown engine {engine!r}; choose one of {', '.join(ENGINES)}")
    if engine == "local":
        if address:
            raise InputError("--address is that of a Ray cluster: give --engine ray too")
        return local_lane
    return owned.enter_context(Cluster(address, workers)).open_lane
