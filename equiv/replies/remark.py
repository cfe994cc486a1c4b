"""The query of a prediction that may be a reply, and what a reader is told if it was taken out of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from equiv.replies.extract import is_reply, query_in
from equiv.verdict import Remark, RemarkKind, Verdict

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Prediction:
    """The query of a prediction, and a remark; '' if the prediction is the query."""

    query: str
    remark: str = ""

    @classmethod
    def of(cls, text: str, *, extract: bool) -> Self:
        """The query of a text.

        Args:
            text: SQL, or a model's reply that holds it.
            extract: whether to take it out of the words, tags or fences around it.
        """
        if not extract or not is_reply(text):
            return cls(text)
        query = query_in(text)
        line = " ".join(query.split())
        shown = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
        return cls(query, f"taken out of the reply around it: {shown}")

    def told_of(self, verdict: Verdict) -> Verdict:
        """A verdict with the remark, if there is one."""
        if not self.remark:
            return verdict
        return replace(verdict, remarks=(Remark(RemarkKind.REPLY, "pred", self.remark), *verdict.remarks))
