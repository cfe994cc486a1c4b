"""One question in several ways, a module a kind; :mod:`equiv.testing.making.idioms` fills their places."""
