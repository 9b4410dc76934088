"""Home Assistant's Supervisor, for a server that runs as its app (add-on): broker, discovery, addresses."""
