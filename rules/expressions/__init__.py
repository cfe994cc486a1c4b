"""Rules for expressions."""
