"""Guards: named claims about trees and facts, and the builders that rules share."""
