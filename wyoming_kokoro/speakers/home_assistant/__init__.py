"""Media players and Assist satellites, driven through one WebSocket connection to Home Assistant."""
