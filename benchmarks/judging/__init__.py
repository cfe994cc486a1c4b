"""A judge replayed: its replies as they were recorded, and tables of what it costs and how it agrees."""
