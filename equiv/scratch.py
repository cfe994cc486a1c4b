"""What does not last: resources that a ``with`` closes, what is remembered for a while, folders of a process.

A folder of the file system is there for the moment in which a file needs a name, and gone however its
process ends.  A worker's has a name that its parent gave, who removes it after the worker; where the parent
is gone first, the worker removes it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar


class Closing:
    """A resource that a ``with`` closes at its end."""

    def close(self) -> None:
        """End it."""
        raise NotImplementedError

    @contextmanager
    def handed_on(self) -> Iterator[Self]:
        """Close it if the block fails; else it is for whoever has it then to close."""
        try:
            yield self
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


_Key = TypeVar("_Key")
_Kept = TypeVar("_Kept")


def remembered(memory: dict[_Key, _Kept], key: _Key, make: Callable[[], _Kept], most: int = 64) -> _Kept:
    """The value of a key, made when it is first asked for; of more than so many the oldest is forgotten."""
    if key not in memory:
        found = make()
        if len(memory) >= most:
            del memory[next(iter(memory))]
        memory[key] = found
    return memory[key]


_given: list[str] = []
"""The name that the parent of this worker gave; none in other processes."""


def new_name() -> str:
    """A path in the temporary folder that nobody can guess."""
    from tempfile import gettempdir

    return str(Path(gettempdir(), f"equiv-{os.urandom(12).hex()}"))


def use(name: str) -> None:
    """Let this process, a worker, use a given name for its folder."""
    _given[:] = [name]


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that no other user can look into; gone in the end with what is in it.

    Raises:
        OSError: it cannot be made.
    """
    name = _given[0] if _given else new_name()
    Path(name).mkdir(mode=0o700)
    try:
        yield Path(name)
    finally:
        remove(name)


def remove(name: str) -> None:
    """Remove the folder of that name, if there is one."""
    if Path(name).exists():
        from shutil import rmtree

        rmtree(name, ignore_errors=True)


def leave() -> None:
    """Remove what this process, a worker, has at this moment."""
    for name in _given:
        remove(name)
