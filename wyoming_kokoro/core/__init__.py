"""What the server does; knows no transport, no storage and no model."""
