"""What of a request's text is meant to be spoken, and which of its characters that comes from."""
