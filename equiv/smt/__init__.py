"""Claims about rows and values, encoded for a solver."""
