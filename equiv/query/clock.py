"""The current time as one frozen instant."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlglot import exp

from equiv.query.opaque import Opaque

NOW = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
"""The one instant for which 'now' and CURRENT_TIMESTAMP stand in laid-open queries."""

_DATE_FUNCTIONS = {"DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH", "STRFTIME"}


def freeze_time(root: exp.Expression) -> bool:
    """Put one instant for 'now' and CURRENT_*, which else differ between two statements."""
    currents = (exp.CurrentTimestamp, exp.CurrentDate, exp.CurrentTime)
    found = list(root.find_all(*currents))
    for node in found:
        start, stop = {exp.CurrentTimestamp: (0, 19), exp.CurrentDate: (0, 10)}.get(type(node), (11, 19))
        node.replace(exp.Literal.string(NOW[start:stop]))
    calls = [call for call in root.walk() if _is_date_call(call)]
    for call in calls:
        if isinstance(call, exp.Anonymous) and len(call.expressions) == (call.name.upper() == "STRFTIME"):
            call.append("expressions", exp.Literal.string("now"))
    texts = [text for text in root.find_all(exp.Literal) if text.is_string]
    words = [text for text in texts if text.name.lower() == "now"] if calls else []
    for word in words:
        if not _is_date_call(word.parent):
            raise Opaque("'now', handed to a date function or not")
        word.replace(exp.Literal.string(NOW))
    return bool(found or words)


def reads_the_clock(root: exp.Expression) -> bool:
    """Whether a query mentions the current time."""
    return any(map(_may_read_it, root.walk())) and freeze_time(root.copy())


def _may_read_it(node: object) -> bool:
    """Whether a node may mention the current time: by name, as a text, or as an argument left out."""
    if isinstance(node, exp.Literal):
        return node.is_string and node.name.lower() == "now"
    return isinstance(node, exp.CurrentTimestamp | exp.CurrentDate | exp.CurrentTime | exp.Anonymous)


def _is_date_call(node: object) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.upper() in _DATE_FUNCTIONS
    return isinstance(node, exp.Date | exp.TsOrDsToTimestamp)
