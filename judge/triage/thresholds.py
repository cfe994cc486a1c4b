"""The thresholds of triage where none are given; they were chosen before anything was measured."""

ACCEPT = 0.95
"""From which probability on a pair is taken for right."""
REJECT = 0.05
"""Up to which probability a pair is taken for wrong."""
