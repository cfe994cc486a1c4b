"""Two scripts as one text, that of the prediction's engine first, and back."""

from __future__ import annotations

import re

from equiv.core.runner import RunnerError

_HEAD = re.compile(r"-- (\d+) characters for [^\n]*, the others for [^\n]*\n")


def joined(pred: tuple[str, str], gold: tuple[str, str]) -> str:
    """One text of two scripts, each with the name of its engine."""
    (here, one), (there, other) = pred, gold
    return f"-- {len(one)} characters for {here}, the others for {there}\n{one}{other}"


def parted(script: str) -> tuple[str, str]:
    """The two scripts of a text of :func:`joined`.

    Raises:
        RunnerError: it is none.
    """
    head = _HEAD.match(script)
    if head is None or int(head[1][:9]) > len(script) - head.end():
        raise RunnerError("not a script for two engines")
    middle = head.end() + int(head[1])
    return script[head.end() : middle], script[middle:]
