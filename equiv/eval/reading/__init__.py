"""Prediction and gold files, read item by item: what one of them lacks is its own fault."""
