"""What the settings of an engine's session change: a table for each dialect, ``settings.tsv`` in its folder.

A row has the effect, the name as the engine spells it and, of what changes answers, the value that the reader
takes texts under, if it asks for the setting at all, how, and other values that databases are tried under.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path


class SettingEffect(StrEnum):
    """What a setting changes."""

    ANSWERS = "answers"
    """Which rows a query has, what its comparisons say, what a text means, or whether it is refused."""
    TEXT = "text"
    """How values are written alone: those of a result, or those that are cast to text."""
    NEITHER = "neither"
    """Time, space, plans, logs and what no query sees."""


@dataclass(frozen=True, slots=True)
class SessionSetting:
    """A setting of an engine's session."""

    effect: SettingEffect
    name: str
    taken: str = ""
    """The value that the reader takes texts under; '' if it reads no text that hangs on the setting, or does
    not ask."""
    reason: str = ""
    others: str = ""
    """Values under which databases are tried, too, where nobody states one, apart by ``;``."""


@cache
def known_settings(dialect: str) -> dict[str, SessionSetting]:
    """The settings of a dialect that this program comes with, by their names in lower case."""
    rows = (Path(__file__).parent / dialect / "settings.tsv").read_text(encoding="utf-8").splitlines()
    found = (
        SessionSetting(SettingEffect(effect), *rest) for effect, *rest in (row.split("\t") for row in rows)
    )
    return {each.name.lower(): each for each in found}


def taken_by(dialect: str) -> dict[str, str]:
    """The settings that the reader of a dialect asks for, each with the value that it takes texts under."""
    return {each.name: each.taken for each in known_settings(dialect).values() if each.taken}


def others_by(dialect: str) -> dict[str, tuple[str, ...]]:
    """The settings that databases are tried under where nobody states them, with other values."""
    known = known_settings(dialect).values()
    return {each.name: tuple(each.others.split(";")) for each in known if each.others}


def settled(stated: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The settings that are stated in one way alone."""
    values: dict[str, set[str]] = {}
    for name, value in stated:
        values.setdefault(name, set()).add(value)
    return tuple((name, next(iter(found))) for name, found in sorted(values.items()) if len(found) == 1)
