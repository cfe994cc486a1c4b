"""How a model is asked: live, from a cache or a file, and within a budget."""
