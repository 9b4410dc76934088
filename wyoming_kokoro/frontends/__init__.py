"""The doors: bytes in, one call of the core, bytes out. They hold no policy."""
