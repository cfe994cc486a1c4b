"""The judge: ROSE's Prover-Refuter cascade, asked only where mathematics and tests cannot decide."""
