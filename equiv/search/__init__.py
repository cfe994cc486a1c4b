"""The search through symbolic tables."""
