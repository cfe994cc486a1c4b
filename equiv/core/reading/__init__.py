"""Queries read for test data: goals, hints, mentioned columns."""
