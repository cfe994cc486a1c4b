"""Expressions by what is known in their scope: comparisons, calls, constants, three-valued logic."""
