"""What a solver is told besides the conditions of a claim: facts of rows, and laws of functions."""
