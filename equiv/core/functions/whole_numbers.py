"""Texts as DuckDB reads an integer from them: decimals round half away from zero."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

_LONGEST = 200
_MOST = 300
_BLANKS = " \t\n\v\f\r"
_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_DECIMAL = re.compile(
    rf"([+-]?)(?:({_DIGITS})(?:\.((?:{_DIGITS})?))?|\.({_DIGITS}))(?:[eE]([+-]?{_DIGITS})\.?)?", re.ASCII
)
_BASED = re.compile(r"0(?:[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|[bB]([01]+(?:_[01]+)*))", re.ASCII)
_LIMIT = 2**63


def whole_number(text: str) -> int | None:
    """The integer that a text is to DuckDB; None where it is none, or not of 64 bits."""
    if len(text) > _LONGEST:
        return None
    bare = text.strip(_BLANKS)
    based = _BASED.fullmatch(bare)
    if based is not None:
        digits, base = (based[1], 16) if based[1] else (based[2], 2)
        return _kept(int(digits, base))
    found = _DECIMAL.fullmatch(bare)
    if found is None:
        return None
    sign, whole, part, only, exponent = found.groups(default="")
    digits = f"{sign}{whole or '0'}.{part or only or '0'}".replace("_", "")
    # Beyond as many digits as a text may have, a power leaves nothing, or what is too large.
    power = max(min(int(exponent.replace("_", "") or "0"), _MOST), -_MOST)
    value = Decimal(digits).scaleb(power, Context(prec=1000))
    return _kept(int(value.quantize(Decimal(1), ROUND_HALF_UP, Context(prec=1000))))


def _kept(value: int) -> int | None:
    return value if -_LIMIT <= value < _LIMIT else None
