"""libsndfile's encoders as streams: what they write comes out as it is written, instead of into a file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    import soundfile


class SndfileStream:
    """A file that is written from its beginning to its end.

    What the library goes back to correct when it closes the file is left out: nobody can take back what has been sent.
    """

    def __init__(self, container: str, subtype: str) -> None:
        """Both as libsndfile names them."""
        self._container = container
        self._subtype = subtype
        self._sink = _Sink()
        self._file: soundfile.SoundFile | None = None

    def feed(self, pcm: bytes) -> bytes:
        """What has been written for that much more sound."""
        self._opened().buffer_write(pcm, "int16")
        return self._sink.take()

    def finish(self) -> bytes:
        """What is written to close the file."""
        self._opened()
        self.close()
        return self._sink.take()

    def close(self) -> None:
        """Close the file, finished or not. Any number of times."""
        if self._file is not None:
            self._file.close()

    def _opened(self) -> soundfile.SoundFile:
        if self._file is None:
            import soundfile

            self._file = soundfile.SoundFile(
                self._sink,
                "w",
                samplerate=SPEECH.rate,
                channels=SPEECH.channels,
                format=self._container,
                subtype=self._subtype,
            )
        return self._file


class _Sink:
    """Takes what is written at the end, and passes over what is written before it."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._size = 0
        self._place = 0

    def take(self) -> bytes:
        """What has come since the last time."""
        taken = bytes(self._kept)
        self._kept.clear()
        return taken

    def write(self, data: bytes) -> int:
        if self._place == self._size:
            self._kept += data
            self._size += len(data)
        self._place += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = origin + offset
        return self._place

    def tell(self) -> int:
        return self._place
