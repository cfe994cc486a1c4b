"""The report as one HTML file that needs no network: a template, a style, a script, and the pairs as JSON."""
