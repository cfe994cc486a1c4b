"""Tiers put to work: the driver, the engine, and who calls it."""
