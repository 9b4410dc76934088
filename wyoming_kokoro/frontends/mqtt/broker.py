"""Where the broker is and how it is spoken to, out of the settings."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wyoming_kokoro.model.errors import SettingsError

if TYPE_CHECKING:
    from wyoming_kokoro.settings import MqttSettings

_PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True)
class Broker:
    """What is needed to connect."""

    host: str
    port: int
    tls: ssl.SSLContext | None
    user: str | None
    password: str | None

    def __str__(self) -> str:
        return f"{self.host} port {self.port}"


class _ClosedWhereRefused(ssl.SSLSocket):
    """Nobody else closes it where the other side is not who it should be."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def read_broker(settings: MqttSettings) -> Broker:
    """The broker that the settings name. Raises `SettingsError`, also where a certificate can't be read."""
    parts = urlsplit(settings.url or "")
    if parts.hostname is None or parts.scheme not in _PORTS:
        raise SettingsError(f"mqtt_url: mqtt://HOST:PORT or mqtts://HOST:PORT is expected, not {settings.url!r}")
    if settings.password is not None and settings.user is None:
        raise SettingsError("mqtt_password: it needs mqtt_user beside it")
    is_secure = parts.scheme == "mqtts"
    if not is_secure:
        _refuse_certificates(settings)
    tls = _tls(settings) if is_secure else None
    return Broker(parts.hostname, parts.port or _PORTS[parts.scheme], tls, settings.user, settings.password)


def _refuse_certificates(settings: MqttSettings) -> None:
    files = {"ca_file": settings.ca_file, "cert_file": settings.cert_file, "key_file": settings.key_file}
    for name, path in files.items():
        if path is not None:
            raise SettingsError(f"mqtt_{name}: it is for mqtts://, but mqtt_url is {settings.url}")


def _tls(settings: MqttSettings) -> ssl.SSLContext:
    if settings.key_file is not None and settings.cert_file is None:
        raise SettingsError("mqtt_key_file: it needs mqtt_cert_file beside it")
    try:
        context = ssl.create_default_context(cafile=settings.ca_file)
    except OSError as error:
        raise SettingsError(f"mqtt_ca_file: {settings.ca_file} can't be read: {_reason(error)}") from error
    context.sslsocket_class = _ClosedWhereRefused
    if settings.cert_file is not None:
        try:
            # Without a password of its own the library would ask for one on the terminal, and wait for ever.
            context.load_cert_chain(settings.cert_file, settings.key_file, password="")
        except OSError as error:
            raise SettingsError(f"mqtt_cert_file: {settings.cert_file} can't be used: {_reason(error)}") from error
    return context


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "it is no certificate, or not the one that belongs to the key"
    return error.strerror or str(error)
