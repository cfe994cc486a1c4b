"""Symbolic SQL equivalence with evidence: a proof, a database, or an honest "undecided"."""

from equiv.api import Checker, Options, check, check_many
from equiv.errors import InputError
from equiv.schema.model import Schema
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Undecided, Verdict

__all__ = [
    "Checker",
    "Equivalent",
    "InputError",
    "Invalid",
    "NotEquivalent",
    "Options",
    "Schema",
    "Undecided",
    "Verdict",
    "check",
    "check_many",
]
