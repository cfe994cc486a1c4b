"""The saving ``triage``: a pair is scored by the estimated probability that it is right."""
