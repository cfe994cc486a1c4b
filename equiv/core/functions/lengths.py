"""How long texts and blobs are."""

DEFAULT_LENGTH = 1_000_000_000
"""The bytes of the longest text or blob, unless a program that uses SQLite says otherwise."""
