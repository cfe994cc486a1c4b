"""Symbolic SQL equivalence with evidence: a proof, a database, or an honest "undecided"."""

from equiv.api import check, check_many
from equiv.core.model import Schema
from equiv.engine.host import Checker
from equiv.errors import InputError
from equiv.options import Options
from equiv.replies.extract import query_in
from equiv.verdict import (
    Derivation,
    Equivalent,
    Execution,
    Invalid,
    NotEquivalent,
    Proof,
    Undecided,
    Verdict,
    Witness,
)

__all__ = [
    "Checker",
    "Derivation",
    "Equivalent",
    "Execution",
    "InputError",
    "Invalid",
    "NotEquivalent",
    "Options",
    "Proof",
    "Schema",
    "Undecided",
    "Verdict",
    "Witness",
    "check",
    "check_many",
    "query_in",
]
