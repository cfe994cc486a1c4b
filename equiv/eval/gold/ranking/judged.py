"""What a judged run says of a gold query, as features."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.records.record import Record


def word_of_judge(records: Sequence[Record]) -> dict[str, float]:
    """The features of a judge's replies on one gold query; empty if none says whether it is correct."""
    replies = [reply["gold_correct"] for record in records if (reply := record["refuter_result"])]
    told = [correct for correct in replies if isinstance(correct, bool)]
    if not told:
        return {}
    sound = sum(told) / len(told)
    found = {"judge.sound": sound, "judge.faulty": 1 - sound, "judge.once_faulty": float(sound < 1)}
    return {name: round(value, 4) for name, value in found.items() if value}
