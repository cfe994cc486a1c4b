"""The words of a dialect, of which random schemas, rows and questions are made.

Questions stand in ``.sql`` files, each in several ways; many ways are near misses of one another.  A way is a
template over ``t`` and ``u``, two tables with columns of the same names: ``$e`` and ``$f`` are values of one
kind of ``t``, wrapped or not, ``$g`` and ``$h`` of ``u``; ``$x``, ``$y``, ``$v``, ``$w`` the bare columns,
``$xn`` the name of ``$x``; ``$l``, ``$m`` literals of the kind; ``$s`` and ``$r`` columns of any kind of
``t``; ``$p``, ``$q`` conditions on ``t`` and ``u``; ``$a`` and ``$o`` numbers of ``t``, ``$i`` an integer,
``$c`` a text, ``$d`` a timestamp or date, ``$b`` and ``$g2`` booleans of ``t``; ``$k`` and ``$k2`` are
timestamps with a time zone, ``$ts`` a timestamp, ``$day`` a date of ``t``; ``$D``, ``$T`` and ``$U``
constants of these three types around one time, written in some way.  A dialect skips what it does not
read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Protocol

from equiv.cells import Row

Question = tuple[str, ...]
"""The ways of asking it."""

KINDS = {"number": "noijf", "text": "cevs", "boolean": "bg", "date": "dxmy", "instant": "kl"}
"""The names of the columns of each kind, in both tables, besides the integers ``id`` and ``pid``: ``n`` and
``o`` are decimals, ``i`` and ``j`` integers, ``f`` a float; ``c`` and ``e`` texts of a fixed length, where
there are such, ``v`` and ``s`` others; ``d`` and ``x`` are dates, ``m`` and ``y`` timestamps, ``k`` and ``l``
timestamps with a time zone."""

COMPARED = ("noijf", "noijf", "cevs", "vs", "ce", "bg", "dx", "my", "dxmy", "kl")
"""Columns whose values are compared with one another."""


def kind_of(column: str) -> str:
    """The kind of values that a column has."""
    return next((kind for kind, columns in KINDS.items() if column in columns), "number")


class OpenDatabases(Protocol):
    """Databases of one schema, each of which answers under any settings of the session."""

    @property
    def settings(self) -> Mapping[str, tuple[str, ...]]:
        """The values of each setting that is drawn, with what this engine has besides those of the words."""

    def rows(self, number: int, settings: Mapping[str, str], texts: Sequence[str]) -> list[list[Row] | None]:
        """The rows of each text on a database under some settings; None where the engine refuses it.

        Two values of one type are equal iff the engine writes them alike.

        Args:
            number: of the database, from 0; behind them stand as many with the same rows the other way round.
            settings: all of those that are drawn.
            texts: queries.
        """

    def close(self) -> None:
        """Close all databases."""


@dataclass(frozen=True)
class Words:
    """The words of a dialect.

    Attributes:
        types: the types that a column of each name may have.
        unique: how a constraint of a unique key may begin, each as often as it stands here.
        checks: CHECK constraints.
        literals: constants of each kind.
        wrappers: expressions of a value ``$`` of each kind, of which some leave it as it is.
        questions: questions, each in several ways.
        hanging: those whose answers may depend on the settings of the session.
        spellings: how a constant of ``date``, ``timestamp`` and ``instant`` may be written, as ``strftime``
            writes a time of UTC; of which some mean another time under other settings.
        settings: the values of each setting that is drawn, the one that the reader takes texts under first.
        databases: opens databases of a script, each with the statements that fill it.
    """

    types: Mapping[str, tuple[str, ...]]
    unique: tuple[str, ...]
    checks: tuple[str, ...]
    literals: Mapping[str, tuple[str, ...]]
    wrappers: Mapping[str, tuple[str, ...]]
    questions: tuple[Question, ...]
    hanging: tuple[Question, ...] = ()
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    databases: Callable[[str, Sequence[Sequence[str]]], OpenDatabases] | None = None


_SHAPES = {"where": "SELECT t.id, $s FROM t WHERE {}", "shown": "SELECT t.id, {} FROM t", "query": "{}"}
"""By the word above a question the query that each of its lines says."""


def _read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file: below a word for their shape, one way a line."""
    _, *blocks = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    lines = (block.split("\n") for block in blocks)
    return tuple(tuple(map(_SHAPES[head.removeprefix("-- ")].format, ways)) for head, *ways in lines)


def _questions_of_all() -> tuple[Question, ...]:
    """Questions in the words of all typed dialects, by kind of what differs."""
    return _read_questions(_FOLDER / "questions.sql")


def _questions_hanging() -> tuple[Question, ...]:
    """The questions, in the words of all typed dialects, whose answers may depend on session settings."""
    instants = _read_questions(_FOLDER / "instants.sql")
    return (*instants, *instants, *_read_questions(_FOLDER / "sessions.sql"))


_FOLDER = Path(__file__).parent / "questions"


def read_words(folder: Path, databases: Callable[..., OpenDatabases], often: int = 1) -> Words:
    """The words of a dialect: ``words.toml`` in its folder, and its own questions.

    These are ``questions.sql``, and, for what depends on settings, ``sessions.sql`` and ``symbols.sql``.

    Args:
        folder: that of the dialect.
        databases: opens databases of a script, each with the statements that fill it, under such settings.
        often: as often as the questions of all typed dialects its own stand among these.
    """
    said = tomllib.loads((folder / "words.toml").read_text(encoding="utf-8"))
    tables = ("types", "literals", "wrappers", "spellings", "settings")
    lists = {table: {name: tuple(found) for name, found in said[table].items()} for table in tables}
    own, *hanging = (_read_questions(folder / f"{name}.sql") for name in ("questions", "sessions", "symbols"))
    return Words(
        **lists,
        unique=tuple(said["unique"]),
        checks=tuple(said["checks"]),
        questions=(*_questions_of_all(), *own * often),
        hanging=(*_questions_hanging(), *chain(*hanging)),
        databases=partial(databases, settings=lists["settings"]),
    )
