"""The audit of gold queries without a model: one check for each kind of fault, with its evidence."""
