"""Announcements: how they are accepted, remembered and looked at."""
