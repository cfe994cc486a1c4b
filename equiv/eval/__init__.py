"""Evaluation of prediction files: reading them, running the pairs, summing up the records."""
