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
    feasible: bool | None = None
    """Whether any query answers the question, where the data says so."""
    abstained: bool | None = None
    """Whether the system gives no answer, where that is allowed; a query may stand beside it all the same."""
    question_type: str = ""
    """Why a question is infeasible, or how it was made."""
    seen: bool | None = None
    """Whether its kind was seen in training."""
    confidence: float | None = None
    """The system's own, higher where it is surer."""
    interaction: JsonValue = None
    """The conversation that the question belongs to."""

    @property
    def is_pair(self) -> bool:
        """Whether there are two queries to compare, which abstentions and infeasible questions lack."""
        return self.feasible is not False and not (self.abstained and not self.predicted_sql.strip())

    @property
    def target(self) -> tuple[str, str]:
        """What the prediction is measured against: the gold query on its database.

        Some question ids carry several gold texts, and some questions share one.
        """
        return (self.db_id, self.gold_sql)
