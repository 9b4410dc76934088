"""How long a cast, or a live text, stays with a worker that says nothing: a lease, watched on one's own monotonic clock.

Who holds something on a shared journal appends `alive` in every beat. Who waits for it counts beats without a record: a process
that was stopped for a while has counted one beat at most when it goes on, however long that was.
"""

from __future__ import annotations

ALIVE_SECONDS = 5.0
"""One beat."""

LEASE_BEATS = 3
"""After so many beats without a record somebody else may take it."""

LEASE_SECONDS = LEASE_BEATS * ALIVE_SECONDS
