"""The embedded server: its programs, its process, its databases, and the wire to them."""
