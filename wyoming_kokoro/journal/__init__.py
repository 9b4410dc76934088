"""Implementations of ports.Log."""
