"""Sessions of a typed dialect: a database, with the same rows on the core's runner when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar

from equiv.core.model import quoted
from equiv.core.runner import Guarded, RunnerError, open_memory

if TYPE_CHECKING:
    from equiv.cells import Row
    from equiv.core.model import Schema

_KEPT = 64
_Key = TypeVar("_Key")
_Kept = TypeVar("_Kept")


class TypedSession:
    """What sessions of typed dialects share; an engine's says how its rows are copied and it is closed."""

    @property
    def has_core(self) -> bool:
        """See :class:`~equiv.dialects.protocol.Session`."""
        return True

    @cached_property
    def core(self) -> Guarded:
        """See :class:`~equiv.dialects.protocol.Session`."""
        return self.copied()

    def copied(self) -> Guarded:
        """The same rows on the core's runner.

        Raises:
            RunnerError: the core cannot hold them.
        """
        raise NotImplementedError

    def close_core(self) -> None:
        """Close the core's copy, if there is one."""
        if "core" in self.__dict__:
            self.core.close()

    def close(self) -> None:
        """Close it, and its copy."""
        self.close_core()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


TableRows = Mapping[str, tuple[tuple[str, ...], Iterable["Row"]]]
"""TableRows by table, each with the columns that they give."""


def core_copy(schema: Schema, rows: TableRows) -> Guarded:
    """A database of the core with the tables of a schema and some rows.

    Raises:
        RunnerError: the core cannot hold them.
    """
    from equiv.dialects.registry import reference

    engine = open_memory()
    try:
        for statement in reference().create(schema):
            engine.connection.execute(statement)
        for name, (columns, given) in rows.items():
            if columns:
                head = f"INSERT INTO {quoted(name)} ({', '.join(map(quoted, columns))})"
                engine.connection.executemany(f"{head} VALUES ({', '.join('?' * len(columns))})", given)
    except OverflowError as error:
        engine.close()
        raise RunnerError(str(error)) from None
    except BaseException:
        engine.close()
        raise
    return engine


def remembered(memory: dict[_Key, _Kept], key: _Key, make: Callable[[], _Kept]) -> _Kept:
    """The value of a key, made when it is first asked for; the memory is emptied when it is full."""
    if key not in memory:
        if len(memory) >= _KEPT:
            memory.clear()
        memory[key] = make()
    return memory[key]
