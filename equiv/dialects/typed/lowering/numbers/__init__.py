"""Kinds of numbers: what engines compute in several types, and the core in one."""
