"""The decidable fragment: unions of conjunctive queries with comparisons to constants, decided completely."""
