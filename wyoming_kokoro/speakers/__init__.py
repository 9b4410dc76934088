"""Ways out of the server into the air: each kind of speaker keeps `ports.Speaker`."""
