"""Records and certificates of verdicts, and their checks."""
