"""DuckDB measured: the differential of its translation, and pairs of published corpora."""
