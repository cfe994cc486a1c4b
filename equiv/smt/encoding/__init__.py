"""Expressions, rows and values of the algebra as SMT-LIB terms."""
