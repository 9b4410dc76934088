"""ports.Log on an S2 server."""

from wyoming_kokoro.journal.s2.log import S2Log, open_s2
from wyoming_kokoro.journal.s2.place import Place, place_of

__all__ = ["Place", "S2Log", "open_s2", "place_of"]
