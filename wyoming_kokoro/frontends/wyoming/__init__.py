"""The Wyoming door."""
