"""What a reader should know of two queries besides the verdict on them."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.literal import sql_literal
from equiv.query import Broken, Query
from equiv.verdict import Remark, RemarkKind


def remarks_on(pred: Query | Broken, gold: Query | Broken) -> Iterator[Remark]:
    """The remarks that the texts of a pair call for, the prediction's first."""
    for side, query in (("pred", pred), ("gold", gold)):
        if isinstance(query, Query):
            for name in query.quoted_strings:
                text = f'"{name}" names no column; SQLite reads it as the string {sql_literal(name)}'
                yield Remark(RemarkKind.QUOTED_STRING, side, text)
