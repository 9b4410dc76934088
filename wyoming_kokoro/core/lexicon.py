"""The household's words, kept as YAML in the data directory: read anew as soon as the file has changed."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import logging
import threading
from typing import TYPE_CHECKING

import yaml

from wyoming_kokoro.core.lexicon_entry import checked, word_of
from wyoming_kokoro.core.whole_text import write_whole
from wyoming_kokoro.model.errors import RefusedError, WordNotFoundError
from wyoming_kokoro.text.lexicon import Word, Words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

_LOGGER = logging.getLogger(__name__)

FILE_NAME = "lexicon.yaml"
MOST_WORDS = 5000
_HEAD = "# The household's words. Changed by `wyoming-kokoro lexicon`, by /api/lexicon, or by hand.\n"

_Stamp = tuple[int, int, int]


class Lexicon:
    """One file. Every method may be called from any thread, and several processes may change the file."""

    def __init__(self, folder: Path | None = None, languages: Collection[str] = ()) -> None:
        """Without a folder there are no words, and none can be added. `languages` are the tags that are spoken."""
        self._path = None if folder is None else folder / FILE_NAME
        self._languages = tuple(languages)
        self._stamp: _Stamp | None = None
        self._words = Words()
        self._guard = threading.Lock()

    def words(self) -> Words:
        """Those of now; the same object until one changes. A file that can't be read leaves them as they were."""
        stamp = self._stamp_of_file()
        with self._guard:
            if stamp != self._stamp:
                self._stamp = stamp
                try:
                    self._words = Words(self._read())
                except RefusedError as error:
                    _LOGGER.warning("The lexicon stays as it was: %s", error)
            return self._words

    @property
    def is_kept(self) -> bool:
        """Whether there is a file, be it one without words."""
        return self._path is not None and self._path.exists()

    def put(self, word: Word, *, replace: bool = True) -> Word:
        """Add a word, or change the one with the same key; the word as it is kept.

        Raises `RefusedError` for one that can't be spoken, and without `replace` for one that is there already with another
        reading.
        """
        word = checked(word, self._languages)
        with self._changing() as words:
            known = words.get(word.key)
            if known is not None and known != word and not replace:
                raise RefusedError("word", f"{known.word!r} is there already and says {known.say or known.ipa!r}; replace it")
            words[word.key] = word
        return word

    def put_all(self, new: Iterable[Word]) -> None:
        """Have these words and no others. Raises `RefusedError`, also where two of them have one key."""
        ready: dict[tuple[str, str], Word] = {}
        for word in (checked(word, self._languages) for word in new):
            if word.key in ready and ready[word.key] != word:
                raise RefusedError("words", f"{word.word!r} is there twice, with different readings")
            ready[word.key] = word
        with self._changing() as words:
            words.clear()
            words.update(ready)

    def remove(self, word: str, language: str | None = None) -> None:
        """Forget a word, however its letters are written. Raises `WordNotFoundError`."""
        keys = {Word(word=word, language=language, match_case=exactly).key for exactly in (True, False)}
        with self._changing() as words:
            found = [key for key in words if key in keys]
            if not found:
                raise WordNotFoundError(word, language)
            for key in found:
                del words[key]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[tuple[str, str], Word]]:
        """The words by their keys; what is made of them is written, whole or not at all, unless there is an error."""
        if self._path is None:
            raise RefusedError("word", "this house keeps no words: it has no data directory")
        with self._locked(self._path):
            words = {word.key: word for word in self._read()}
            before = dict(words)
            yield words
            if len(words) > MOST_WORDS:
                raise RefusedError("words", f"there are {len(words):,} of them; at most {MOST_WORDS:,} are kept")
            if words != before:
                self._write(self._path, words.values())

    @contextlib.contextmanager
    def _locked(self, path: Path) -> Iterator[None]:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
        except OSError as error:
            raise RefusedError("word", f"can't write {path}: {error.strerror}") from error

    def _read(self) -> list[Word]:
        if self._path is None:
            return []
        try:
            document = yaml.safe_load(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise RefusedError("lexicon", f"{self._path} can't be read: {' '.join(str(error).split())}") from error
        entries = document.get("words") if isinstance(document, dict) else document
        if entries is not None and not isinstance(entries, list):
            raise RefusedError("lexicon", f"{self._path} has no list under `words`")
        return [checked(word_of(entry), self._languages) for entry in entries or []]

    @staticmethod
    def _write(path: Path, words: Iterable[Word]) -> None:
        plain = {field.name: field.default for field in dataclasses.fields(Word)}
        entries = [
            {name: value for name, value in dataclasses.asdict(word).items() if value != plain[name]}
            for word in sorted(words, key=lambda word: word.key)
        ]
        write_whole(path, _HEAD + yaml.safe_dump({"words": entries}, allow_unicode=True, sort_keys=False))

    def _stamp_of_file(self) -> _Stamp | None:
        if self._path is None:
            return None
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino


NO_LEXICON = Lexicon()
"""For a house that has no words of its own."""
