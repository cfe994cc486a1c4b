"""Findings of attacks on provers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Findings:
    """The findings on a number of pairs; findings add up."""

    pairs: int = 0
    """Pairs that were asked about: both queries are in the modelled subset."""
    unread: int = 0
    """Pairs of which a text is no query, or is not modelled."""
    proved: Counter[str] = field(default_factory=Counter)
    """Proofs by tier and the strongest relation that it claims."""
    told_apart: int = 0
    """Pairs without a proof that a database tells apart, its rows held against the algebra's evaluator."""
    databases: int = 0
    """How many databases the proofs were attacked with."""
    readings: int = 0
    """How often a text was held against its reading on a database."""
    under_settings: int = 0
    """How often a proof was tried on a database under drawn settings that it does not name."""
    hanging: int = 0
    """Proofs of pairs that hang on a setting which nobody states, so that no verdict comes of them."""
    hardened: int = 0
    """How many databases were made of one that tells an easier pair apart."""
    traced: int = 0
    """How many proofs were made again to see how they are made."""
    reached: Counter[str] = field(default_factory=Counter)
    """In how many of those proofs each function of the prover was called."""
    given_up: int = 0
    """Questions that took longer than they may."""
    fired: Counter[str] = field(default_factory=Counter)
    """In how many proofs each rule and each rewrite of the algebra took part."""
    decided: int = 0
    """Pairs that were put to the whole engine as well."""
    crashed: list[str] = field(default_factory=list)
    """Errors that a tier raised, or to which a verdict owns, each with its pair."""
    broken: list[str] = field(default_factory=list)
    """Wrong proofs, as golden files."""
    scripts: list[str] = field(default_factory=list)
    """Databases that refute them, as scripts of a dialect's own, with both queries."""

    def add(self, other: dict[str, Any]) -> None:
        """Add what :meth:`to_json` wrote."""
        self.pairs += other["pairs"]
        self.unread += other["unread"]
        self.proved.update(other["proved"])
        self.told_apart += other["told_apart"]
        self.databases += other["databases"]
        self.readings += other["readings"]
        self.under_settings += other["under_settings"]
        self.hanging += other["hanging"]
        self.hardened += other["hardened"]
        self.given_up += other["given_up"]
        self.traced += other["traced"]
        self.reached.update(other["reached"])
        self.fired.update(other["fired"])
        self.decided += other["decided"]
        self.crashed += other["crashed"]
        self.broken += other["broken"]
        self.scripts += other["scripts"]

    def to_json(self) -> dict[str, Any]:
        """The findings as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}
