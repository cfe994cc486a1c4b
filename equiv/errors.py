"""The one error of the boundary: what the caller gave cannot be used."""

from __future__ import annotations


class InputError(ValueError):
    """A file, name or option cannot be used; the message is one clear line that says which and why."""
