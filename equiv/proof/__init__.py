"""Proofs in the algebra: normal forms, and their match."""
