"""What is decided of which pairs, and on what evidence: tables of the README and the pages."""
