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
    def target(self) -> tuple[str, str]:
        """What the prediction is measured against: the gold query on its database.

        Some question ids carry several gold texts, and some questions share one.
        """
        return (self.db_id, self.gold_sql)
