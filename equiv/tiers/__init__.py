"""The tiers: each settles a pair, or says why not."""
