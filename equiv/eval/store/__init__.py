"""What an evaluation keeps on disk: its pairs, its results file, shards of it."""
