"""The audit of gold queries without a model: what may be wrong with them, kind by kind, and what shows it."""
