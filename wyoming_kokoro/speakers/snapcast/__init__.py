"""A TCP source of a Snapcast server, fed in real time."""
