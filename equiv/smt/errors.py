"""What the encoding refuses."""

from __future__ import annotations


class UninterpretableError(Exception):
    """An expression has no sound encoding: nothing is proved about it."""


class InconsistentError(Exception):
    """Axioms and facts contradict each other: whatever is concluded from them is worth nothing."""
