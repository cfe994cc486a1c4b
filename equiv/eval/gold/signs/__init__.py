"""Signs of a faulty gold query: what question, hint, text and schema show together, each weak by itself."""
