"""Rooms: a queue of announcements each, with one runner that plays them on its speakers."""
