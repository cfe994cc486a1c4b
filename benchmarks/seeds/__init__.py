"""The numbers of the papers that the system comes from, beside those computed here."""
