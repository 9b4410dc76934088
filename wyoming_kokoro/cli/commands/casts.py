"""`wyoming-kokoro casts`: what a running server has spoken, is speaking and will speak."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.one_line import one_line
from wyoming_kokoro.cli.progress import open_progress
from wyoming_kokoro.cli.say_there import fetch_sound, when_whole
from wyoming_kokoro.cli.server.connecting import casts_of_server
from wyoming_kokoro.cli.sound_file import check_out

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from wyoming_kokoro.cli.server.casts import Document, ServerCasts
    from wyoming_kokoro.settings.tree import Settings

_TEXT_CHARS = 60


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Do what the action says."""
    _ACTIONS[arguments.action](casts_of_server(arguments.server, settings), arguments)
    return ExitStatus.DONE


def _list(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    documents = casts.newest(arguments.limit)
    if arguments.json:
        print(json.dumps(documents, ensure_ascii=False, indent=2))
    else:
        for document in documents:
            print(_line(document))


def _show(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    document = casts.get(arguments.id)
    if arguments.json:
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        print(*_page(document), sep="\n")


def _audio(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    check_out(arguments.out)
    with closing(open_progress()) as progress:
        fetch_sound(casts, when_whole(casts, arguments.id, progress), arguments.out)


def _delete(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    casts.delete(arguments.id)


def _cancel(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    casts.cancel(arguments.id)


def _keep(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    casts.keep(arguments.id, keep=not arguments.off)


def _requeue(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    casts.requeue(arguments.id)


def _dead(casts: ServerCasts, arguments: argparse.Namespace) -> None:
    documents = casts.dead()
    if arguments.json:
        print(json.dumps(documents, ensure_ascii=False, indent=2))
    else:
        for document in documents:
            print(f"{document['id']}  {document['voice']:<12}  {one_line(document['reason'])}")


_ACTIONS: Mapping[str, Callable[[ServerCasts, argparse.Namespace], None]] = {
    "list": _list,
    "show": _show,
    "audio": _audio,
    "delete": _delete,
    "cancel": _cancel,
    "keep": _keep,
    "requeue": _requeue,
    "dead": _dead,
}


def _line(document: Document) -> str:
    kept = "*" if document["keep"] else " "
    begin = f"{document['id']}  {_standing(document):<9}{kept} {_time(document)}  {document['voice']:<12}  "
    return (begin + one_line(document["text"] or "", _TEXT_CHARS)).rstrip()


def _standing(document: Document) -> str:
    """Its state; what was taken back has not failed in the eyes of whoever took it back."""
    receipt = document["receipt"]
    is_cancelled = document["state"] == "failed" and receipt is not None and receipt["outcome"] == "cancelled"
    return "cancelled" if is_cancelled else str(document["state"])


def _time(document: Document) -> str:
    return datetime.fromtimestamp(document["created_ms"] / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _page(document: Document) -> list[str]:
    standing = _standing(document)
    if standing == "expired":
        # Nothing else of it is left: not its text, nor when it was asked for.
        return _facts({"id": document["id"], "state": "expired: sound and text are gone", "since": _time(document)})
    has_reason = document["reason"] and standing != "cancelled"
    facts = {
        "id": document["id"],
        "state": standing + (f": {one_line(document['reason'])}" if has_reason else ""),
        "asked for": _time(document),
        "voice": f"{document['voice']} ({document['language']})" if document["voice"] else "",
        "kept": "for ever" if document["keep"] else "until its time is over",
        "made": _made(document["receipt"]),
        "sound": document["audio"]["mp3"],
    }
    return [*_facts(facts), *map(_sentence, document["sentences"])]


def _facts(facts: Mapping[str, str]) -> list[str]:
    return [f"{name + ':':<11}{value}" for name, value in facts.items() if value]


def _sentence(sentence: Mapping[str, Any]) -> str:  # Any: JSON
    return f"{sentence['start_ms'] / 1000:8.2f} s  {one_line(sentence['text'])}"


def _made(receipt: Mapping[str, int | str] | None) -> str:
    if receipt is None:
        return ""
    plural = "" if receipt["sentences"] == 1 else "s"
    made = f"{receipt['outcome']}; {receipt['sentences']} sentence{plural}, {receipt['reused']} of them from other casts"
    return f"{made}; {float(receipt['audio_ms']) / 1000:.2f} s of sound in {float(receipt['gen_ms']) / 1000:.2f} s"
