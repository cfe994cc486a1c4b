"""Hypotheses besides the conditions of a claim: facts about rows, and axioms about functions."""
