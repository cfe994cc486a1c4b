"""Pairs across two dialects: attacked, and measured on published queries."""
