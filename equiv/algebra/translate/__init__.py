"""From resolved trees to the algebra."""
