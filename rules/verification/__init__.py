"""What is known of each rule, and how it is found out: golden cases, schema patterns, proofs."""
