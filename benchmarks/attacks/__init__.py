"""Proofs attacked: what is attacked, on what, and what came of it."""
