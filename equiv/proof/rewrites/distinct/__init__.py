"""Distinct rows: dropped where rows differ anyway, and with fewer columns."""
