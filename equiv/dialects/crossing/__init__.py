"""Pairs whose prediction and gold query are of different dialects: one schema, told to both engines."""
