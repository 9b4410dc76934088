"""The shared library and its functions, as C declares them; errors by number become exceptions."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Final

INTERFACE_VERSION: Final = 1
LIBRARY_VARIABLE: Final = "WYOMING_KOKORO_LIBRARY"
"""Names another build of the library, such as one with sanitizers."""

_TEXT = ctypes.c_char_p
_INT = ctypes.c_int
_FLOAT = ctypes.c_float
_POINTER = ctypes.c_void_p

_RETURN_TEXT = {"kokoro_last_error": (), "kokoro_levels": (), "kokoro_refused_level": (), "kokoro_precisions": (_TEXT,)}
_RETURN_NOTHING = {
    "kokoro_model_close": (_POINTER,),
    "kokoro_session_close": (_POINTER,),
    "kokoro_session_cancel": (_POINTER,),
    "kokoro_session_begin": (_POINTER,),
}
_RETURN_STATUS = {
    "kokoro_packer_open": (_TEXT, _TEXT, _TEXT, _TEXT, _POINTER),
    "kokoro_packer_vector": (_POINTER, _TEXT, _POINTER, _INT),
    "kokoro_packer_bytes": (_POINTER, _TEXT, _POINTER, _INT, _INT, _INT, _INT, _FLOAT, _FLOAT, _POINTER, _INT),
    "kokoro_packer_floats": (_POINTER, _TEXT, _POINTER, _INT, _INT, _INT, _INT, _POINTER),
    "kokoro_packer_close": (_POINTER, _INT),
    "kokoro_model_open": (_TEXT, _TEXT, _TEXT, _POINTER),
    "kokoro_session_open": (_POINTER, _INT, _POINTER),
    "kokoro_speak": (_POINTER, _POINTER, _POINTER, _INT, _POINTER, _POINTER),
    "kokoro_prosody": (_POINTER, _POINTER, _INT, _POINTER, _POINTER, _POINTER),
    "kokoro_decode": (_POINTER, _POINTER, _INT, _POINTER, _POINTER, _POINTER, _POINTER),
    "kokoro_source": (_POINTER, _POINTER, _INT, _POINTER),
    "kokoro_generate": (_POINTER, _POINTER, _POINTER, _INT, _POINTER, _POINTER),
    "kokoro_check_level": (_TEXT,),
    "kokoro_try_convolution": (_TEXT, _POINTER),
}


class NativeError(Exception):
    """The library could not do it; `str()` says why."""


class UnavailableError(NativeError):
    """This processor has no such level, or that level no such precision."""


class FileFailedError(NativeError):
    """The packed weights can't be read or written."""


class FileUnfitError(NativeError):
    """The packed weights are damaged, of another version, or of other weights: pack them again."""


class CancelledError(NativeError):
    """It was cancelled from another thread."""


_ERRORS = {
    1: ValueError,
    2: MemoryError,
    3: FileFailedError,
    4: FileUnfitError,
    5: CancelledError,
    6: UnavailableError,
}


def library_path() -> Path:
    """Where the library is."""
    return Path(os.environ.get(LIBRARY_VARIABLE) or Path(__file__).with_name("libkokoro_vocoder.so"))


@cache
def library() -> ctypes.CDLL:
    """The library, loaded. Raises `NativeError` where it is missing or of another version."""
    try:
        loaded = ctypes.CDLL(str(library_path()))
        version = loaded.kokoro_interface_version()
        _declare(loaded)
    except (OSError, AttributeError) as error:
        raise NativeError(f"the native library can't be loaded: {error}") from error
    if version != INTERFACE_VERSION:
        raise NativeError(f"{library_path()} has interface {version} instead of {INTERFACE_VERSION}")
    return loaded


def check(status: int) -> None:
    """An exception for a status that is not 0."""
    if status != 0:
        message = library().kokoro_last_error().decode("utf-8", "replace")
        raise _ERRORS.get(status, NativeError)(message)


def file_version() -> int:
    """Version of the file of packed weights."""
    version: int = library().kokoro_file_version()
    return version


def _declare(loaded: ctypes.CDLL) -> None:
    for result, functions in ((_TEXT, _RETURN_TEXT), (None, _RETURN_NOTHING), (_INT, _RETURN_STATUS)):
        for name, arguments in functions.items():
            function = getattr(loaded, name)
            function.argtypes = arguments
            function.restype = result
