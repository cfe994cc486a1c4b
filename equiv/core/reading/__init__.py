"""What queries say that bears on test data."""
