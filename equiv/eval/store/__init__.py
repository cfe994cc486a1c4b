"""An evaluation on disk: its pairs, its results file, shards of it."""
