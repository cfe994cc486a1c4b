"""The algebra: queries as sums of terms, and what these mean."""
