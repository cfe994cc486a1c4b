"""DuckDB measured: the differential of its translation, and published pairs and attacks on their verdicts."""
