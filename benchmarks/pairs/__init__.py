"""Pairs that others published and the project's own, as what is measured here takes them."""
