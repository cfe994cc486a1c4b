"""PostgreSQL's typed trees as queries of the core, exactly, wherever PostgreSQL does not raise an error."""
