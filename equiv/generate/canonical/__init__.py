"""Databases constructed from the queries: their bodies frozen, and what tells such bodies apart."""
