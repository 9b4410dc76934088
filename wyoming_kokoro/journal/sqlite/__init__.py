"""ports.Log in one SQLite file of the data directory."""

from wyoming_kokoro.journal.sqlite.examination import Examination, examine
from wyoming_kokoro.journal.sqlite.log import SqliteLog, open_sqlite

__all__ = ["Examination", "SqliteLog", "examine", "open_sqlite"]
