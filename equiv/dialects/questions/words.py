"""The words of a dialect, of which random schemas, rows and questions are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from equiv.dialects.questions.ways import Ways

KINDS = {"number": "noijf", "text": "cevs", "boolean": "bg", "date": "dxmy"}
"""The names of the columns of each kind, in both tables, besides the integers ``id`` and ``pid``: ``n`` and
``o`` are decimals, ``i`` and ``j`` integers, ``f`` a float; ``c`` and ``e`` texts of a fixed length, where
there are such, ``v`` and ``s`` others; ``d`` and ``x`` are dates, ``m`` and ``y`` timestamps."""

COMPARED = ("noijf", "noijf", "cevs", "vs", "ce", "bg", "dx", "my", "dxmy")
"""Columns whose values are compared with one another."""


def kind_of(column: str) -> str:
    """The kind of values that a column has."""
    return next((kind for kind, columns in KINDS.items() if column in columns), "number")


@dataclass(frozen=True)
class Words:
    """The words of a dialect.

    Attributes:
        types: the types that a column of each name may have.
        unique: how a constraint of a unique key may begin, each as often as it stands here.
        checks: CHECK constraints.
        literals: constants of each kind.
        wrappers: expressions of a value ``$`` of each kind, of which some leave it as it is.
        questions: questions, each in several ways (:mod:`equiv.dialects.questions`).
    """

    types: Mapping[str, tuple[str, ...]]
    unique: tuple[str, ...]
    checks: tuple[str, ...]
    literals: Mapping[str, tuple[str, ...]]
    wrappers: Mapping[str, tuple[str, ...]]
    questions: tuple[Ways, ...]
