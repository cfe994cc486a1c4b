"""Possible answers of a query on one database, and the comparison of results."""
