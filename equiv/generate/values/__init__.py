"""Values that the conditions of a pair can tell apart."""
