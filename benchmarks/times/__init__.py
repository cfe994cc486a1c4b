"""What a pair costs: processor time, wall time, pairs a second."""
