"""On which terms a record is judged, and what is noted of its pair beside them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from equiv.records.record import Record

from .case import Standard, Variant
from .savings import ALL, Saving

NOTHING_KNOWN: Mapping[str, None] = dict.fromkeys(("equality", "equal", "class", "probability", "estimate"))
"""What a record's ``judge`` says of its pair, beside the terms, before anything is known.

``equality`` is what said whether results are ``equal``, ``class`` the class of proven-equivalent
predictions, ``probability`` that of triage, ``estimate`` the tokens of calls that nobody counted.
"""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a score: whatever it depends on besides the pair; part of the key of a record."""

    model: str
    variant: Variant = Variant.ROSE
    run: str | None = None
    """The recorded run that is replayed."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Prompt hash by role; none where published replies were made with other prompts."""
    savings: frozenset[Saving] = ALL
    witness_evidence: bool = False
    standard: Standard = Standard.OURS
    settings: Mapping[str, object] = field(default_factory=dict)
    """Parameters of the requests, or what is replayed and by what record results are equal."""

    def described(self) -> Record:
        """The terms as a record holds them."""
        return {
            "model": self.model,
            "variant": str(self.variant),
            "run": self.run,
            "prompts": dict(self.prompts),
            "savings": [str(saving) for saving in Saving if saving in self.savings],
            "witness_evidence": self.witness_evidence,
            "standard": str(self.standard),
            "settings": dict(self.settings),
        }

    def digest(self) -> str:
        """SHA-256 of all that may change a score; the cache changes none."""
        telling = replace(self, savings=self.savings - {Saving.CACHE}).described()
        return hashlib.sha256(json.dumps(telling, sort_keys=True).encode()).hexdigest()
