"""A fake S2 server over h2c, for what a real one can't be asked for: lost replies, late ones, and every refusal."""

from tests.fake_s2.faults import Fault
from tests.fake_s2.server import FakeS2

__all__ = ["FakeS2", "Fault"]
