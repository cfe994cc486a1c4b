"""Databases made for a pair."""
