"""Kills the server at random moments and looks at what is left."""
