"""Work in processes that can be killed."""
