"""The voice of a house. Importing the package loads nothing heavy."""

__version__ = "0.1.0"
