"""Composition root: the only module that names concrete classes; start and stop order."""
