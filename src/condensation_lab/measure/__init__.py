"""Measures on weights: pure functions on arrays."""
