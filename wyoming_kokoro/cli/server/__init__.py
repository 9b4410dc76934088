"""A running server, asked over HTTP: where it is, what is asked, what it answers."""
