"""The free choices of a query, laid open."""
