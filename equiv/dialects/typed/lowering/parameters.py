"""Parameters in the core, known by the settings that stand for them."""

from __future__ import annotations

from secrets import token_hex

from equiv.dialects.typed.tree import Call, Constant, Convert, Expr

_MARK = f"equiv_parameter_{token_hex(8)}."
"""Before the type and the name of a parameter: no server has such a setting, and no text can name it."""


def setting(kind: str, name: str) -> str:
    """The setting that stands for a parameter of a type."""
    return f"{_MARK}{kind}.{name}"


def parameter_of(value: Expr) -> str | None:
    """The name of the parameter that an expression stands for, or None."""
    match value:
        case Convert(value=Call() as call, type=found) if found.name != "text":
            kind = found.name
        case Call() as call:
            kind = "text"
        case _:
            return None
    if call.routine.name != "current_setting" or len(call.arguments) != 1:
        return None
    named = call.arguments[0]
    prefix = setting(kind, "")
    if not isinstance(named, Constant) or named.text is None or not named.text.startswith(prefix):
        return None
    return named.text.removeprefix(prefix)
