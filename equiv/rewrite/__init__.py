"""Rewrite rules and the normaliser that applies them; the rules themselves are in ``rules``."""
