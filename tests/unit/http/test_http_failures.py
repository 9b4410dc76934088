"""Every error of the core has its answer."""

import http
import json

import pytest

from wyoming_kokoro.frontends.http.answers import failure_answer
from wyoming_kokoro.frontends.http.failure import TABLE, failure_of, failure_of_status
from wyoming_kokoro.model import errors


def every_error(root: type[Exception] = errors.VoiceOfAHouseError) -> list[type[Exception]]:
    return [root, *[kind for child in root.__subclasses__() for kind in every_error(child)]]


def made(kind: type[Exception]) -> errors.VoiceOfAHouseError:
    error = kind.__new__(kind)
    Exception.__init__(error, "the reason")
    assert isinstance(error, errors.VoiceOfAHouseError)
    if isinstance(error, errors.RefusedError):
        error.field, error.message = "text", "the reason"
    return error


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_status_and_a_code_of_its_own_branch_and_a_readable_message(kind: type[Exception]) -> None:
    failure = failure_of(made(kind))
    assert failure.message == "the reason"
    assert failure.code
    assert failure.code != TABLE[errors.VoiceOfAHouseError].code or kind is errors.VoiceOfAHouseError
    assert (failure.kind == "server_error") == (failure.status >= 500)
    assert (failure.field is not None) == issubclass(kind, errors.RefusedError)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (errors.RefusedError, 400),
        (errors.UnknownVoiceError, 400),
        (errors.NothingToSpeakError, 400),
        (errors.QueueFullError, 429),
        (errors.IdempotencyMismatchError, 422),
        (errors.StorageFullError, 507),
        (errors.LogUnavailableError, 503),
        (errors.AppendOutcomeUnknownError, 503),
        (errors.EngineUnavailableError, 503),
        (errors.CastNotFoundError, 404),
        (errors.AnnouncementNotFoundError, 404),
        (errors.CastExpiredError, 410),
        (errors.CastFailedError, 409),
        (errors.CastCutError, 409),
    ],
)
def test_the_status_says_what_the_caller_can_do(kind: type[Exception], status: int) -> None:
    assert failure_of(made(kind)).status == status


@pytest.mark.parametrize("kind", [errors.QueueFullError, errors.LogUnavailableError, errors.EngineUnavailableError])
def test_what_passes_says_when_to_come_again(kind: type[Exception]) -> None:
    assert int(failure_answer(failure_of(made(kind))).headers["Retry-After"]) > 0


@pytest.mark.parametrize("status", [each.value for each in http.HTTPStatus if each.value >= 400] + [499, 599])
def test_every_status_has_words(status: int) -> None:
    failure = failure_of_status(status)
    body = failure_answer(failure).body
    assert isinstance(body, bytes)
    assert json.loads(body) == {
        "error": {"message": failure.message, "type": failure.kind, "param": None, "code": failure.code}
    }
    assert failure.message
    assert failure.code.replace("_", "").replace("-", "").isalnum()
