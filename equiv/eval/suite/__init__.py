"""Distilled test suites: small databases that make unmodified evaluation scripts sharper."""
