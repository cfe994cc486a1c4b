"""The service and the report as their users meet them: under load, fuzzed, in a browser."""
