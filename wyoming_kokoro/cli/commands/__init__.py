"""A module for each command, named like it; each is loaded when it is called for."""
