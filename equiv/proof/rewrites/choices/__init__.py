"""The first rows of an order: LIMIT, OFFSET, and what a choice of rows hands on."""
