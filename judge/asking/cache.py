"""Answers already paid for: one SQLite file that several processes may share.

A reply is committed before it is handed on, and stands in the file after a
``kill -9``.  Only usable replies are kept: a request that failed is asked anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from equiv.errors import InputError
from equiv.files import FileErrors
from equiv.judge.asking.transcript import NO_PARAMETERS, kept_answer, request_key
from equiv.judge.case import Answer, Ask, NoAnswer, Responder, Usage
from equiv.storage import Store, StoreError, open_store

APPLICATION = 0x45515643
"""SQLite's ``application_id`` of a cache."""
BUSY = 30.0
"""Seconds to wait for another process's write."""
POLL = 0.05
"""Seconds between looks at a request that another process has under way."""
OPENING = 0
"""The byte of the lock file that is held while the database is set up."""

TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key   TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    role  TEXT NOT NULL,
    reply TEXT NOT NULL
) WITHOUT ROWID
"""


def default_path() -> Path:
    """The path of the cache where the user names none."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "equiv" / "judge.sqlite"


class Cache:
    """The file; open it once in a process, since closing it gives up the process's claims.

    Raises:
        InputError: the file cannot be used, or is something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn = threading.Lock()
        with FileErrors(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock_file = path.with_name(path.name + ".lock").open("a+b")
        try:
            self._connection = self._open()
        except BaseException:
            self._lock_file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()
        self._lock_file.close()

    def find(self, ask: Ask, key: str) -> Answer | None:
        """The answer kept for a key, free of charge; None if there is none, or none that is usable."""
        with self._turn, self._trouble():
            row = self._connection.execute("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        answer = kept_answer(ask.role, json.loads(row[0]), Usage(), "cache")
        return None if isinstance(answer.reply, NoAnswer) else answer

    def keep(self, ask: Ask, key: str, answer: Answer) -> None:
        """Commit a usable answer; as JSON, since a model may write what SQLite's UTF-8 cannot hold."""
        reply = json.dumps(answer.text)
        with self._turn, self._trouble():
            self._connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", (key, ask.model, ask.role.value, reply)
            )

    @contextmanager
    def claim(self, key: str) -> Iterator[bool]:
        """Whether this process alone may ask for a key; the system frees a dead process's claim.

        One byte of a lock file stands for each key.  Never waits: locks of
        several threads that wait for one another's processes look like a
        deadlock to the system.
        """
        place = OPENING + 1 + int(key[:15], 16)
        try:
            fcntl.lockf(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            yield False
            return
        try:
            yield True
        finally:
            fcntl.lockf(self._lock_file, fcntl.LOCK_UN, 1, place)

    def _open(self) -> Store:
        fcntl.lockf(self._lock_file, fcntl.LOCK_EX, 1, OPENING)
        try:
            with self._trouble():
                return self._set_up(open_store(self.path, BUSY))
        finally:
            fcntl.lockf(self._lock_file, fcntl.LOCK_UN, 1, OPENING)

    def _set_up(self, connection: Store) -> Store:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION and (application or tables):
            connection.close()
            raise InputError(f"{self.path}: a database, but no cache of the judge")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(TABLE)
        return connection

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            raise InputError(f"{self.path}: {error}") from None


class Cached:
    """A responder that asks another one only for what the cache lacks; identical requests are paid once.

    Threads that ask the same at once share one call, and so do processes.

    Args:
        responder: who is asked.
        cache: what is kept.
        parameters: what else the answers depend on; part of the key.
    """

    def __init__(
        self, responder: Responder, cache: Cache, parameters: Mapping[str, object] = NO_PARAMETERS
    ) -> None:
        self._responder = responder
        self._cache = cache
        self._parameters = parameters
        self._under_way: dict[str, Future[Answer]] = {}
        self._turn = threading.Lock()

    def ask(self, ask: Ask) -> Answer:
        """The kept answer, else the other one's."""
        key = request_key(ask, self._parameters)
        with self._turn:
            shared = self._under_way.get(key)
            mine: Future[Answer] = Future()
            if shared is None:
                self._under_way[key] = mine
        if shared is not None:
            return replace(shared.result(), usage=Usage(), source="cache")
        try:
            answer = self._answer(ask, key)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(answer)
            return answer
        finally:
            with self._turn:
                del self._under_way[key]

    def _answer(self, ask: Ask, key: str) -> Answer:
        while True:
            with self._cache.claim(key) as is_mine:
                kept = self._cache.find(ask, key)
                if kept is not None:
                    return kept
                if is_mine:
                    answer = self._responder.ask(ask)
                    if answer.text and not isinstance(answer.reply, NoAnswer):
                        self._cache.keep(ask, key, answer)
                    return answer
            time.sleep(POLL)
