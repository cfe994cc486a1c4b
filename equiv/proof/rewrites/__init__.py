"""The rewrites of the algebra."""
