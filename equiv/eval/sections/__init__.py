"""The sections of a report: tables, and charts each of which stands for a table."""
