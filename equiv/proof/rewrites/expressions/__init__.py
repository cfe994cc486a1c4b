"""Expressions by what is known in their scope: comparisons, constants, three-valued logic."""
