"""The current time as one frozen instant."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from sqlglot import exp

from equiv.core.functions.nodes import CALLS, function_of, nodes, uncall
from equiv.core.functions.traits import Reads, Sort
from equiv.core.opaque_choices import Opaque

NOW = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
"""The one instant for which 'now' and CURRENT_TIMESTAMP stand in laid-open queries."""

SHOWN = {"NOW_DATE": (0, 10), "NOW_TIME": (11, 19), "NOW_TIMESTAMP": (0, 19), "NOW_INSTANT": (0, 23)}
"""Which part of the instant each of the algebra's names for the current time is."""


def freeze_time(root: exp.Expression, instant: str = NOW) -> bool:
    """Put one instant for 'now' and CURRENT_*, which else differ between two statements.

    Args:
        root: is changed in place.
        instant: YYYY-MM-DD HH:MM:SS.SSS.

    Returns:
        Whether the tree mentions the current time.

    Raises:
        Opaque: a text that may be handed to a date function, or not.
    """
    instants = list(root.find_all(*nodes(lambda function: function.sort is Sort.INSTANT)))
    for node in instants:
        start, stop = SHOWN[_name(node)]
        node.replace(exp.Literal.string(instant[start:stop]))
    calls = [call for call in root.walk() if _is_time_call(call)]
    for call in calls:
        if isinstance(call, exp.Anonymous) and len(call.expressions) == moment_of(_name(call)):
            call.append("expressions", exp.Literal.string("now"))
    texts = [text for text in root.find_all(exp.Literal) if text.is_string]
    words = [text for text in texts if text.name.lower() == "now"] if calls else []
    for word in words:
        if not _is_time_call(word.parent):
            raise Opaque("Literal", "'now', handed to a date function or not")
        if _is_moment(word):
            word.replace(exp.Literal.string(instant))
    return bool(instants or words)


def reads_the_clock(root: exp.Expression) -> bool:
    """Whether a query mentions the current time."""
    return any(map(_may_read_it, root.walk())) and freeze_time(root.copy())


def _may_read_it(node: object) -> bool:
    """Whether a node may mention the current time: by name, as a text, or as an argument left out."""
    if isinstance(node, exp.Literal):
        return node.is_string and node.name.lower() == "now"
    function = function_of(node)
    return isinstance(node, exp.Anonymous) or (function is not None and function.sort is Sort.INSTANT)


def _is_time_call(node: object) -> bool:
    function = function_of(node)
    return function is not None and function.reads_time


def _is_moment(argument: exp.Expression) -> bool:
    """Whether an argument of a date function is its time value, not its format or a modifier."""
    call = uncall(cast(exp.Expression, argument.parent))
    if call is None:
        return True
    position = next(at for at, each in enumerate(call[1]) if each is argument)
    return CALLS[call[0].upper()].how_reads(position) is Reads.TIME


def _name(node: object) -> str:
    function = function_of(node)
    assert function is not None
    return function.name


def moment_of(name: str) -> int:
    """The position of a function's time value, which is 'now' where it is left out."""
    return CALLS[name].reads.index(Reads.TIME)
