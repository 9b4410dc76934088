"""Every option of the server, as one frozen tree. Each component receives its own section, never the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """How text becomes speech."""

    engine: str = "auto"
    """auto, onnx, tone (native and torch come with their engines)."""
    voice: str = "af_heart"
    """Who speaks when nobody is named: a voice, alias or blend."""
    speed: float = 1.0
    """Default pace, 0.5 to 2.0."""
    threads: int = 0
    """Threads of one synthesis; 0 is one for each core that this process may use."""
    model_dir: Path | None = None
    """Folder with weights and voices; None is the cache that `fetch` fills."""
    sentence_limit_seconds: float = 30.0
    """Least time that a sentence may take before its process is ended; never less than ten times the prediction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """Where casts and jobs are kept."""

    journal: str = "sqlite"
    """sqlite, memory (s2 comes with its backend)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSettings:
    """Who is served when."""

    max_open_casts: int = 8
    """Casts that are being made at once; others wait."""
    max_jobs: int = 1000
    """Requests that may wait before new ones are refused."""
    max_text_chars: int = 100_000
    """Longest text of one request, in characters."""
    ahead_seconds: float = 8.0
    """A cast that has this much audio more than was played lets others go first."""
    text_idle_seconds: float = 300.0
    """A streamed text that stops arriving for so long is spoken as far as it came."""
    whole_text_seconds: float = 0.03
    """A streamed text that is complete this soon after its first piece is an ordinary cast."""
    release_seconds: float = 0.25
    """After so long without text, a boundary that stands behind a sentence's end is released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WyomingSettings:
    """The Wyoming door."""

    uri: str = "tcp://0.0.0.0:10200"
    """Where it listens; port 0 takes a free one."""
    streaming: bool = True
    """Whether the streaming events are advertised; they are answered all the same."""
    rate: int = 24_000
    """Frames per second of the audio that is sent: 16000, 22050, 24000, 44100, 48000."""
    lead_ms: int = 0
    """Silence before the speech, 0 to 5000."""
    tail_ms: int = 0
    """Silence after the speech, 0 to 5000."""
    zeroconf: bool = True
    """Whether Home Assistant finds the server by itself on the network."""
    max_connections: int = 200
    """Connections at once; one more is refused with an error event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The whole tree."""

    data_dir: Path
    """Where the journal and everything else that lasts is kept."""
    instance: str = "home"
    """Name of this server among others in the house."""
    log_level: str = "info"
    """debug, info, warning, error."""
    engine: EngineSettings = field(default_factory=EngineSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)
    work: WorkSettings = field(default_factory=WorkSettings)
    wyoming: WyomingSettings = field(default_factory=WyomingSettings)
