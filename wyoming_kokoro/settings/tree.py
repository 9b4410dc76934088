"""Every option of the server, as one frozen tree. Each component receives its own section, never the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from wyoming_kokoro.settings.kind import HOST, RATE, Choice, File, Flag, Folder, Listing, Real, Text, Whole
from wyoming_kokoro.settings.option import option, required
from wyoming_kokoro.settings.rooms import VOICE, RoomSettings, read_rooms

_INSTANCE = Text(r"[a-z0-9_-]{1,32}", "1 to 32 of a-z, 0-9, _ and -")
_LISTEN = Text(
    r"tcp://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|\d{1,4})",
    "tcp://HOST:PORT with a port from 0 to 65535",
)
_URL = Text(r"https?://[A-Za-z0-9.\-\[\]:]{1,253}(/[A-Za-z0-9._~/-]{0,200})?", "http://HOST:PORT, or https")
_ENDPOINT = Text(r"https?://[A-Za-z0-9.\-\[\]:]{1,253}", "http://HOST:PORT, or https")
_BASIN = Text(r"[a-z0-9][a-z0-9-]{6,46}[a-z0-9]", "8 to 48 of a-z, 0-9 and -, with a letter or digit at both ends")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """How text becomes speech."""

    engine: str = option(
        "auto",
        Choice(("auto", "native", "onnx", "torch", "tone", "none")),
        "What makes the sound: auto takes native, else onnx; native is Kokoro in a library of its own, onnx the same in "
        "onnxruntime, torch the official model (extra torch; for a GPU), tone hums for tests, none leaves it to workers.",
    )
    quality: str = option(
        "auto",
        Choice(("auto", "bf16", "int8", "f32")),
        "Precision of the native engine: auto is the fastest that sounds the same to a listener, f32 the most exact; where "
        "this processor is no faster in the one that is asked for, it is f32. On a GPU, torch takes 16 bit by auto where that "
        "sounds the same.",
    )
    voice: str = option("af_heart", VOICE, "Who speaks when nobody is named.")
    speed: float = option(1.0, Real(0.5, 2.0), "Pace where none is asked for.", unit="times the voice's own pace")
    threads: int = option(0, Whole(0, 256), "Threads of one synthesis; 0 is one for each core that the process may use.")
    model_dir: Path | None = option(
        None, Folder(), "Where weights and voices are; without it, the cache that `wyoming-kokoro fetch` fills."
    )
    tone_pace: float = option(
        0.0,
        Real(0.0, 1000.0),
        "Seconds of sound that the tone engine makes in a second, as if it were a real one; 0 is at once.",
    )
    sentence_limit_seconds: float = option(
        30.0,
        Real(1.0, 3600.0),
        "Least time that a sentence may take before the engine's process is ended; never less than ten times the prediction.",
        unit="seconds",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """Where casts and jobs are kept."""

    journal: str = option(
        "sqlite",
        Choice(("sqlite", "s2", "memory")),
        "Where casts and jobs are kept: sqlite in the data directory, s2 on an S2 server, memory forgets at the end.",
    )
    s2_endpoint: str = option(
        "http://127.0.0.1:4002",
        _ENDPOINT,
        "The S2 server, where the journal is s2: s2-lite's address, or https://a.s2.dev for the cloud.",
    )
    s2_basin: str = option("wyoming-kokoro", _BASIN, "The basin of that S2 server; it is made where it is missing.")
    s2_access_token: str | None = option(
        None,
        Text(r"[!-~]{1,2000}", "1 to 2000 letters, digits and signs without spaces"),
        "What that S2 server asks for; s2-lite asks for none.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSettings:
    """Who is served when."""

    max_open_casts: int = option(8, Whole(1, 64), "Casts that are being made at once; others wait.")
    max_jobs: int = option(1000, Whole(1, 1_000_000), "Requests that may wait before new ones are refused.")
    max_queue_per_room: int = option(
        50, Whole(1, 1000), "Announcements that may wait in one room before new ones are refused; critical ones count apart."
    )
    max_text_chars: int = option(100_000, Whole(1, 10_000_000), "Longest text of one request.", unit="characters")
    ahead_seconds: float = option(
        8.0, Real(0.0, 600.0), "A cast that has this much more sound than was played lets others go first.", unit="seconds"
    )
    text_idle_seconds: float = option(
        300.0, Real(1.0, 3600.0), "A streamed text that stops arriving for so long is spoken as far as it came.", unit="seconds"
    )
    whole_text_seconds: float = option(
        0.03,
        Real(0.0, 1.0),
        "A streamed text that is complete this soon after its first piece is remembered like a text sent at once.",
        unit="seconds",
    )
    release_seconds: float = option(
        0.25, Real(0.0, 10.0), "After so long without more text, a sentence that looks finished is spoken.", unit="seconds"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionSettings:
    """How long what was spoken is kept."""

    retention_days: int = option(
        30, Whole(1, 36_500), "Casts that are older are removed, unless they are marked to be kept.", unit="days"
    )
    retention_bytes: int = option(
        1024**3,
        Whole(1_000_000, 2**50),
        "Above this size of the journal the oldest casts are removed, unless they are marked to be kept.",
        unit="bytes",
    )
    dedupe_hours: int = option(
        24,
        Whole(1, 720),
        "A request that is repeated under the same idempotency key within this time counts once.",
        unit="hours",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WyomingSettings:
    """The Wyoming door."""

    uri: str = option("tcp://0.0.0.0:10200", _LISTEN, "Where it listens; port 0 takes a free one.", key="wyoming_uri")
    streaming: bool = option(True, Flag(), "Whether the streaming events are advertised; they are answered all the same.")
    rate: int = option(
        24_000,
        RATE,
        "Rate of the sound that is sent.",
        unit="frames per second",
        key="wyoming_rate",
    )
    lead_ms: int = option(0, Whole(0, 5000), "Silence before the speech.", unit="milliseconds", key="wyoming_lead_ms")
    tail_ms: int = option(0, Whole(0, 5000), "Silence after the speech.", unit="milliseconds", key="wyoming_tail_ms")
    zeroconf: bool = option(True, Flag(), "Whether Home Assistant finds the server by itself on the network.")
    max_connections: int = option(200, Whole(1, 10_000), "Connections at once; one more is refused.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """The HTTP door."""

    host: str = option(
        "0.0.0.0",  # noqa: S104 - the whole house speaks to it, as to the Wyoming door
        HOST,
        "Where it listens.",
        key="http_host",
    )
    port: int = option(10_210, Whole(0, 65_535), "Its port; 0 takes a free one.", key="http_port")
    api_token: str | None = option(
        None,
        Text(r"none|[!-~]{16,200}", "none, or 16 to 200 letters, digits and signs without spaces"),
        "What clients must send as bearer token; without it, one is made at first start and kept in `api_token` of the data "
        "directory. `none` asks for no token.",
    )
    base_url: str | None = option(
        None,
        _URL,
        "How the house reaches this door; without it, links repeat the address that the request came to.",
    )
    max_body_bytes: int = option(
        1024 * 1024, Whole(1024, 64 * 1024 * 1024), "Largest body of a request.", unit="bytes", key="http_max_body_bytes"
    )
    max_connections: int = option(
        500, Whole(1, 10_000), "Connections at once; one more is refused.", key="http_max_connections"
    )
    cache_bytes: int = option(
        64 * 1024 * 1024,
        Whole(0, 4 * 1024 * 1024 * 1024),
        "Served sound of finished casts that is kept ready.",
        unit="bytes",
        key="http_cache_bytes",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeAssistantSettings:
    """The Home Assistant whose media players and satellites are speakers."""

    url: str | None = option(
        None,
        _URL,
        "Where Home Assistant is, such as http://homeassistant.local:8123; inside its app (add-on) the Supervisor says so.",
        key="home_assistant_url",
    )
    token: str | None = option(
        None,
        Text(r"[!-~]{16,4000}", "a long-lived access token"),
        "A long-lived access token of Home Assistant (your profile, Security); inside the app the Supervisor gives one.",
        key="home_assistant_token",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """The MQTT door."""

    url: str | None = option(
        None,
        Text(
            r"mqtts?://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]@]+)(:(6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|\d{1,4}))?",
            "mqtt://HOST:PORT, or mqtts for TLS; without a port 1883, or 8883",
        ),
        "Where the broker is; without it there is no MQTT.",
        key="mqtt_url",
    )
    user: str | None = option(None, Text(r".{1,200}", "1 to 200 characters"), "Who logs in.", key="mqtt_user")
    password: str | None = option(None, Text(r".{1,1000}", "1 to 1000 characters"), "The password.", key="mqtt_password")
    ca_file: Path | None = option(
        None, File(), "Who signs the broker's certificate; without it, whom the system trusts.", key="mqtt_ca_file"
    )
    cert_file: Path | None = option(None, File(), "Our own certificate, where the broker wants one.", key="mqtt_cert_file")
    key_file: Path | None = option(None, File(), "The key to our own certificate.", key="mqtt_key_file")
    discovery: bool = option(True, Flag(), "Whether rooms appear in Home Assistant by themselves.", key="mqtt_discovery")
    discovery_prefix: str = option(
        "homeassistant",
        Text(r"[A-Za-z0-9_-]{1,64}(/[A-Za-z0-9_-]{1,64}){0,3}", "a topic of letters, digits, _, - and /"),
        "Below which topic Home Assistant looks for devices.",
        key="mqtt_discovery_prefix",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The whole tree."""

    data_dir: Path = required(Folder(), "Where the journal and everything else that lasts is kept.")
    instance: str = option("home", _INSTANCE, "Name of this server among others in the house.")
    log_level: str = option("info", Choice(("debug", "info", "warning", "error")), "How much the log says.")
    privacy: bool = option(True, Flag(), "Whether the texts of announcements stay out of retained topics and of the log.")
    rooms: tuple[RoomSettings, ...] = option(
        (), Listing(read_rooms, "a list of rooms, each with a name and speakers"), "Where announcements are heard."
    )
    engine: EngineSettings = field(default_factory=EngineSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)
    work: WorkSettings = field(default_factory=WorkSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    wyoming: WyomingSettings = field(default_factory=WyomingSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    home_assistant: HomeAssistantSettings = field(default_factory=HomeAssistantSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
