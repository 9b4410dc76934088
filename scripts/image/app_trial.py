"""What a Supervisor gives to an app that is tried out: options, a token, and an address that answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.image.instructions import DockerfileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.image.build import Image
    from tests.fake_supervisor import FakeSupervisor

SERVICE = "etc/s6-overlay/s6-rc.d/wyoming-kokoro/run"


@contextlib.contextmanager
def supervised(image: Image) -> Iterator[None]:
    """Nothing for another image. At the end the app must have announced itself, and have withdrawn nothing while it ran.

    It needs the environment that `scripts/setup --dev` makes. Raises `DockerfileError`.
    """
    if not (image.root.path / SERVICE).exists():
        yield
        return
    import yaml

    from tests.fake_supervisor import FakeSupervisor

    config = yaml.safe_load(Path("config.yaml").read_text(encoding="utf-8"))
    _write_options(image, config["options"])
    with _running(FakeSupervisor.of_app(config)) as supervisor:
        image.environment |= supervisor.environment
        yield
        found = [message.config["uri"] for message in supervisor.messages if message.service == "wyoming"]
    if len(found) != 1:
        raise DockerfileError(f"Home Assistant would find {found}")


def _write_options(image: Image, options: object) -> None:
    """As the Supervisor does: for root alone."""
    place = image.root.path / "data" / "options.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(options), encoding="utf-8")
    place.chmod(0o600)


@contextlib.contextmanager
def _running(supervisor: FakeSupervisor) -> Iterator[FakeSupervisor]:
    """It answers from a thread, as the caller waits for processes."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(supervisor.start(), loop).result(10)
        yield supervisor
        asyncio.run_coroutine_threadsafe(supervisor.stop(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
