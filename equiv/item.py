"""One prediction to be judged, as read from a data file."""

from __future__ import annotations

from dataclasses import dataclass

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class Item:
    """A pair with where it comes from; fields that the file does not have are empty or None."""

    source: str
    """The method that predicted, or the file's stem."""
    question_id: JsonValue
    """As in the file, JSON type kept; the 0-based position where the file has none."""
    db_id: str
    predicted_sql: str
    gold_sql: str
    question: str = ""
    hint: str = ""
    label: JsonValue = None
    """Whether an expert calls the prediction right."""
    difficulty: JsonValue = None

    @property
    def question_key(self) -> tuple[str, str, str]:
        """What makes "one question": database, question id and gold text (some ids carry several golds)."""
        return (self.db_id, repr(self.question_id), self.gold_sql)
