"""Attacks on proofs in a dialect's own words: its schemas and questions, its engine on both texts."""
