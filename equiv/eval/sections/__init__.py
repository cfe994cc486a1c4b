"""What a report tells, section by section: tables, and charts that each stand for a table."""
