"""What the documentation of a database says of its columns, found, read and brought to size."""
