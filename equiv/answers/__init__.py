"""What a query may answer on one database, and when two results are the same."""
