"""Constructs that versions of SQLite answer otherwise: from which version on, and what differs.

Each row of ``versions.tsv`` was measured on SQLite 3.40.1, 3.41.2, 3.42.0, 3.43.2, 3.44.2, 3.45.0, 3.46.0,
3.47.0, 3.48.0, 3.49.0, 3.50.4, 3.51.0, 3.53.0 and 3.54.1; ``since`` is the first of them that answers as the
last does.  ``python -m benchmarks.outcomes.versions`` prints what the SQLite of Python makes of the examples,
and which of the compile options that change answers it has otherwise.

Where the SQLite of Python is another version than the core's, a witness is run on it, too.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

from equiv.core.connection import VERSION
from equiv.core.lexer import Token, TokenKind, tokens
from equiv.core.runner import (
    ENGINE_LIMITS,
    OPCODES_BETWEEN_CHECKS,
    Deadline,
    Failure,
    Limits,
    Result,
    permission_for,
)
from equiv.dialects.protocol import SettingEffect


class Effect(Enum):
    """The effect of another version on a query."""

    REFUSED = "refused"
    """Before, it is an error."""
    ANSWERED = "answered"
    """Before, it has another answer on some data."""


@dataclass(frozen=True, slots=True)
class Change:
    """One construct that SQLite answers otherwise from some version on.

    Attributes:
        name: the construct.
        since: the version.
        effect: what it was before.
        says: what differs, in a line.
        example: a query of one value that shows it.
        before: that value as Python writes it, '' for an error.
        after: the same from that version on.
        calls: functions that make the construct, in upper case.
        arguments: how many arguments, at least, such a call has then.
        words: what one of the texts or words inside the call must hold, in upper case; nothing: any call.
    """

    name: str
    since: tuple[int, int]
    effect: Effect
    says: str
    example: str
    before: str
    after: str
    calls: frozenset[str]
    arguments: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """The version as SQLite writes it, without its last number."""
        return ".".join(map(str, self.since))


def _set(names: str) -> frozenset[str]:
    return frozenset(name.strip() for name in names.split(","))


def _changes() -> Iterator[Change]:
    for row in (Path(__file__).parent / "versions.tsv").read_text(encoding="utf-8").splitlines():
        since, effect, name, calls, counts, words, says, example, before, after = row.split("\t")
        major, minor = map(int, since.split("."))
        yield Change(
            name, (major, minor), Effect(effect), says, example, before, after,
            _set(calls), tuple(map(int, counts.split())), tuple(words.split()),
        )  # fmt: skip


CHANGES = tuple(_changes())
"""All rows.  A REAL also becomes a text by ``||``, and where it meets text affinity: no row finds that."""


_OPTIONS = [
    row.split("\t")
    for row in (Path(__file__).parent / "compile_options.tsv").read_text(encoding="utf-8").splitlines()
]
CHANGE_ANSWERS = {option: says for effect, option, says in _OPTIONS if effect == SettingEffect.ANSWERS}
"""The compile options that change what some query or statement of a schema gives, and how.

As ``PRAGMA compile_options`` spells them (SQLite's ``ctime.c`` lists all).  ``OMIT_…`` take away what they
name: what uses it is an error then.
"""
CHANGE_TEXT = {option: says for effect, option, says in _OPTIONS if effect == SettingEffect.TEXT}
"""Those that change what SQLite says of itself, and no answer."""
CHANGE_NEITHER = frozenset(option for effect, option, _ in _OPTIONS if effect == SettingEffect.NEITHER)
"""Those of storage, threads, memory, plans and the interface to C, on which no answer of a query hangs."""


def changing_answers(options: Iterable[str]) -> set[str]:
    """Those of some compile options, as SQLite lists them with their values, that change answers.

    An option that no table has is one of them: of it nothing is known.
    """
    neither = CHANGE_NEITHER | CHANGE_TEXT.keys()
    return {option for option in options if option.split("=")[0] not in neither}


LONGEST = 100_000
"""Longer texts, in characters, are no queries."""


@dataclass
class _Call:
    """A call whose end has not been met: its name, and what stands in it outside calls within."""

    name: str
    arguments: int = 0
    words: list[str] = field(default_factory=list)

    def add(self, token: Token, text: str) -> None:
        self.arguments = max(self.arguments, 1) + (token.word == ",")
        # Formats of strftime tell %u and %U apart; all other words are matched in upper case.
        self.words += [token.word, text[token.start : token.end]] if token.kind is not TokenKind.SIGN else []


def changes_in(text: str) -> dict[Change, int]:
    """The changes that bear on a query's text, each with how many of its calls they bear on.

    Linear in the text, which may be anything.
    """
    changes: Counter[Change] = Counter()
    if len(text) > LONGEST:
        return changes
    open_calls: list[_Call] = [_Call("")]
    before = ""
    for token in tokens(text):
        if token.word == "(":
            open_calls[-1].arguments = max(open_calls[-1].arguments, 1)
            open_calls.append(_Call(before))
        elif token.word != ")":
            open_calls[-1].add(token, text)
        elif len(open_calls) > 1:
            changes.update(_bearing_on(open_calls.pop()))
        before = token.word if token.kind is TokenKind.NAME else ""
    return changes


def _bearing_on(call: _Call) -> Iterator[Change]:
    for change in _by_call().get(call.name, ()):
        counted = not change.arguments or call.arguments in change.arguments
        worded = not change.words or any(_holds(word, call) for word in change.words)
        if counted and worded:
            yield change


def _holds(word: str, call: _Call) -> bool:
    if word.startswith("%"):
        return any(word in each for each in call.words)
    return word in call.words


@cache
def _by_call() -> dict[str, tuple[Change, ...]]:
    names = {name for change in CHANGES for name in change.calls}
    return {name: tuple(change for change in CHANGES if name in change.calls) for name in names}


def said_of(change: Change) -> str:
    """A change in one line for readers, with the version at hand."""
    known = f"this run used SQLite {VERSION}"
    return f"{change.name}: SQLite before {change.version} behaves differently: {change.says}; {known}"


def other_version() -> str:
    """The version of SQLite that Python's own ``sqlite3`` runs on; '' where that is the core's."""
    return "" if sqlite3.sqlite_version == VERSION else sqlite3.sqlite_version


def run_elsewhere(script: str, texts: Sequence[str], limits: Limits) -> list[Result | Failure]:
    """The results of queries, as the core guards them, on Python's own SQLite, where a script has run."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        for category, value in ENGINE_LIMITS.items():
            connection.setlimit(category, value)
        try:
            connection.executescript(script)
        except sqlite3.Error as error:
            return [Failure("error", str(error)) for _ in texts]
        connection.set_authorizer(permission_for)
        return [_result_elsewhere(connection, text, limits) for text in texts]


def _result_elsewhere(connection: sqlite3.Connection, text: str, limits: Limits) -> Result | Failure:
    deadline = Deadline(limits.seconds)
    connection.set_progress_handler(deadline.is_past, OPCODES_BETWEEN_CHECKS)
    try:
        cursor = connection.execute(text)
        names = tuple([each[0] for each in cursor.description or ()])
        rows = tuple(cursor.fetchmany(limits.rows + 1))
    except MemoryError:
        return Failure("resource", "out of memory")
    except (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError) as error:
        return Failure("timeout", "out of time") if deadline.is_past() else Failure("error", str(error))
    if len(rows) > limits.rows:
        return Failure("resource", f"more than {limits.rows} rows")
    return Result(rows, len(names), names)
