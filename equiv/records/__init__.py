"""What is written of a verdict, and checked again."""
