"""Questions by what predictions may call them: an id, or their text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Named(Generic[T]):
    """A question with its names; '' where it has none."""

    found: T
    id: str
    db_id: str
    text: str


@dataclass(slots=True)
class QuestionIndex(Generic[T]):
    """Questions of one or several databases."""

    _by_id: dict[str, list[Named[T]]] = field(default_factory=dict)
    _by_text: dict[str, list[Named[T]]] = field(default_factory=dict)

    @classmethod
    def of(cls, questions: Iterable[Named[T]]) -> QuestionIndex[T]:
        """The index of some questions."""
        index = cls()
        for question in questions:
            index._by_id.setdefault(question.id, []).append(question)
            index._by_text.setdefault(normal(question.text), []).append(question)
        return index

    def find(self, id_: str | None, db_id: str, text: str) -> list[T]:
        """The questions that an id means, else a text, on a database.

        Args:
            id_: None if only the text is known.
            db_id: '' if the database is not known.
            text: '' if only the id is known; a question of the id with another text is not meant.
        """
        wanted = normal(text)
        by_id = [] if id_ is None else self._by_id.get(id_, [])
        meant = [q for q in by_id if not (wanted and q.text) or normal(q.text) == wanted]
        chosen = _on(db_id, meant) or (_on(db_id, self._by_text.get(wanted, [])) if wanted else [])
        return [question.found for question in chosen]


def normal(text: str) -> str:
    """A question without what copying changes: white space and case."""
    return " ".join(text.split()).casefold()


def _on(db_id: str, questions: list[Named[T]]) -> list[Named[T]]:
    return [question for question in questions if not db_id or question.db_id in ("", db_id)]
