"""One prediction to be judged, as read from a data file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class FaultKind(StrEnum):
    """The kinds of faults that an item of a data file can have (closed list)."""

    UNREADABLE = "unreadable"
    """The entry is no record at all."""
    NO_PREDICTION = "no_prediction"
    """The gold file has the question, the prediction file does not."""
    PREDICTION_NOT_TEXT = "prediction_not_text"
    """Null, a number or the like stands in place of the predicted query, or nothing does."""
    NO_GOLD = "no_gold"
    """The prediction file has the question, the gold file does not."""
    GOLD_NOT_TEXT = "gold_not_text"
    """Null, a number or the like stands in place of the gold query, or nothing does."""
    NO_DATABASE = "no_database"
    """The item names no database, or one of which neither file nor schema can be found and read."""
    OTHER_DATABASE = "other_database"
    """The prediction says that it is for another database than its gold query."""
    REPEATED_ID = "repeated_id"
    """One system gives several different predictions for the question."""
    NO_ID = "no_id"
    """The entry has no question id, while others of its file have one."""
    AMBIGUOUS_ID = "ambiguous_id"
    """The gold file has several questions of this id; the prediction is held against each."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an item; the item is recorded and counted all the same."""

    kind: FaultKind
    text: str
    """One line."""


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
    alternatives: tuple[str, ...] = ()
    """Further gold queries: the prediction is right if it meets one of them all."""
    faults: tuple[Fault, ...] = ()

    @property
    def golds(self) -> tuple[str, ...]:
        """All gold queries."""
        return (self.gold_sql, *self.alternatives)

    @property
    def is_pair(self) -> bool:
        """Whether there are two queries to compare, which abstentions and infeasible questions lack."""
        return self.feasible is not False and not (self.abstained and not self.predicted_sql.strip())

    @property
    def target(self) -> tuple[str, str]:
        """The target of the prediction: the gold query on its database.

        Some question ids carry several gold texts, and some questions share one.
        """
        return (self.db_id, self.gold_sql)
