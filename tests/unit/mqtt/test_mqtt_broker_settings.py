"""Where the broker is, with and without TLS, and what is said where that can't be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wyoming_kokoro.frontends.mqtt.broker import read_broker
from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import MqttSettings


@pytest.mark.parametrize(
    ("url", "host", "port", "is_secure"),
    [
        ("mqtt://broker.local", "broker.local", 1883, False),
        ("mqtt://10.0.0.2:1884", "10.0.0.2", 1884, False),
        ("mqtt://[::1]:1883", "::1", 1883, False),
        ("mqtts://broker.local", "broker.local", 8883, True),
    ],
)
def test_a_url_names_the_broker(url: str, host: str, port: int, is_secure: bool) -> None:
    broker = read_broker(MqttSettings(url=url, user="me", password="secret"))
    assert (broker.host, broker.port, broker.tls is not None) == (host, port, is_secure)
    assert "secret" not in str(broker)


@pytest.mark.parametrize(
    ("settings", "option"),
    [
        ({"url": "mqtt://b", "password": "secret"}, "mqtt_password"),
        ({"url": "mqtt://b", "ca_file": Path("ca.pem")}, "mqtt_ca_file"),
        ({"url": "mqtts://b", "ca_file": Path("missing.pem")}, "mqtt_ca_file"),
        ({"url": "mqtts://b", "cert_file": Path("missing.pem")}, "mqtt_cert_file"),
        ({"url": "mqtts://b", "cert_file": Path(__file__)}, "mqtt_cert_file"),
        ({"url": "mqtts://b", "key_file": Path("missing.pem")}, "mqtt_key_file"),
    ],
)
def test_what_can_not_work_is_said_by_the_name_of_the_option(settings: dict[str, Any], option: str) -> None:
    with pytest.raises(SettingsError, match=f"^{option}: "):
        read_broker(MqttSettings(**settings))
