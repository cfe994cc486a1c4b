"""The pairs that wait for one worker: clients take turns, and share the time of a pair while others wait."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, Protocol, TypeVar


class Claim(Protocol):
    """A pair that waits for a worker, or has it."""

    @property
    def client(self) -> str:
        """Who asked."""

    @property
    def seconds(self) -> float:
        """The seconds that the pair may take."""


Asked = TypeVar("Asked", bound=Claim)


class PairQueue(Generic[Asked]):
    """The line before one worker: the client is next that was served the longest ago, with its first pair."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Asked]] = {}
        self._served: dict[str, int] = {}
        """When clients were served, by a count of pairs; those that matter still."""
        self._count = 0
        self._bell = asyncio.Event()

    def join(self, asked: Asked) -> None:
        """Let a pair wait behind its client's others."""
        self._waiting.setdefault(asked.client, deque()).append(asked)
        self._bell.set()

    def leave(self, asked: Asked) -> None:
        """Take a pair out, if it waits here."""
        own = self._waiting.get(asked.client)
        if own is not None and asked in own:
            own.remove(asked)
            if not own:
                del self._waiting[asked.client]

    async def next(self) -> Asked:
        """The pair whose turn it is, once there is one."""
        while not self._waiting:
            self._bell.clear()
            await self._bell.wait()
        client = min(self._waiting, key=lambda each: self._served.get(each, 0))
        asked = self._waiting[client][0]
        self.leave(asked)
        self._count += 1
        self._served = {each: at for each, at in self._served.items() if each in self._waiting}
        self._served[client] = self._count
        return asked

    async def overstayed(self, asked: Asked) -> None:
        """Wait until a pair that has the worker from now on has had its share of it.

        That is its own time, divided by the number of clients in the line.
        """
        clock = asyncio.get_running_loop()
        begun = clock.time()
        while True:
            others = len(self._waiting.keys() - {asked.client})
            left = begun + asked.seconds / (1 + others) - clock.time()
            if others and left <= 0:
                return
            self._bell.clear()
            try:
                async with asyncio.timeout(left if others else None):
                    await self._bell.wait()
            except TimeoutError:
                continue
