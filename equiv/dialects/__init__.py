"""A folder for each dialect of SQL."""
