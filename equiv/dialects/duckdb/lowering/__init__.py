"""Calls of DuckDB, and what of its queries PostgreSQL lacks, as the core has them."""
