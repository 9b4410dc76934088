"""Implementations of ports.Engine and ports.Voices."""
