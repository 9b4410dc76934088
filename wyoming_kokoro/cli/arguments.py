"""The grammar of the command line. Every option of the settings is a flag; nothing is judged here but the grammar."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from wyoming_kokoro import __version__
from wyoming_kokoro.cli.one_sentence_parser import OneSentenceParser
from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.settings.kind import Flag
from wyoming_kokoro.settings.schema import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wyoming_kokoro.settings.option import Option

    Commands = argparse._SubParsersAction[OneSentenceParser]  # noqa: SLF001 - argparse has no public name for what it returns

EXIT_CODES = "exit status: 0 done, 1 failed, 2 an argument or an option is wrong, 130 interrupted"
_SPEAKING = ("engine", "voice", "speed", "threads", "model_dir")
_ASKING = ("data_dir", "http_host", "api_token")
"""What finds a server, and lets us in."""
_FOR_A_CLIENT = {
    "http_host": "Where the server of the data directory listens, unless that is on all addresses.",
    "api_token": "What the server wants as bearer token; without it, the `api_token` in the data directory.",
    "data_dir": "The data directory of the server.",
}
_FOR_SAY = {
    **_FOR_A_CLIENT,
    "engine": "Speak without a server, by this engine.",
    "threads": "Speak without a server, by an engine with so many threads.",
    "model_dir": "Speak without a server, with the weights and voices of this folder.",
    "voice": "Who speaks; without it, the server's default voice.",
    "speed": "The pace; without it, the server's.",
}
_FOR_WORDS = {"data_dir": "The data directory that keeps the words."}
_JOURNAL = ("s2_endpoint", "s2_basin", "s2_access_token")
JOURNALS = ("sqlite", "s2")
"""Kinds of journal that last."""
_WORKING = ("engine", "journal", "work")
"""Sections of the settings that a worker without doors has a use for."""
_ROOT = ("data_dir", "log_level")
_SHELLS = ("bash", "zsh", "fish")


def parser() -> argparse.ArgumentParser:
    """The whole grammar. It ends the program with status 2 on what does not follow it."""
    top = OneSentenceParser(
        prog="wyoming-kokoro",
        description="The voice of a house: speaks text with Kokoro-82M.",
        epilog=EXIT_CODES,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"wyoming-kokoro {__version__}")
    _add_options(top, ["log_level"])
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    serve = _add(commands, "serve", "run the server", OPTIONS, {})
    about = "be Home Assistant's app (add-on): its options, data directory, broker and discovery are the Supervisor's"
    serve.add_argument("--supervisor", action="store_true", help=about)
    summary = (
        "make what servers on the same journal are asked for, beside them; it has no doors, and a data directory of its own"
    )
    _add(commands, "worker", summary, [key for key in OPTIONS if OPTIONS[key].section in _WORKING or key in _ROOT], {})
    _add_say(commands)
    _add_casts(commands)
    _add_rooms(commands)
    _add_text(commands)
    _add_lexicon(commands)
    _add_json(_add(commands, "voices", "list the voices", _SPEAKING))
    _add(commands, "fetch", "fetch the model and the voices, and print the paths of their files", ["engine", "model_dir"])
    _add_doctor(commands)
    _add_journal(commands)
    summary = "keep what the house has set in a file that backups find, and that a start without a journal reads"
    _add(commands, "backup", summary, ["data_dir"])
    completion = _add(commands, "completion", "print a script by which a shell completes commands and flags", [])
    completion.add_argument("shell", choices=_SHELLS)
    return top


def flags_of(arguments: argparse.Namespace) -> dict[str, str | bool]:
    """The options among the arguments, by key; only those that were given."""
    return {key: value for key, value in vars(arguments).items() if key in OPTIONS}


def _add_say(commands: Commands) -> None:
    summary = "speak a text: by the server that is running, or without one into a file"
    say = _add(commands, "say", summary, [*_SPEAKING, *_ASKING], _FOR_SAY)
    say.add_argument("text", metavar="TEXT", help="what to say; - reads it from standard input")
    _add_out(say, is_required=False)
    about = "announce it in that room of the server, and tell how it goes; may be named several times"
    say.add_argument("--room", action="append", default=[], metavar="ROOM", help=about)
    _add_server(say)
    _add_json(say)
    _add_cutting(say)


def _add_casts(commands: Commands) -> None:
    casts = commands.add_parser("casts", help="what a running server has spoken", epilog=EXIT_CODES, allow_abbrev=False)
    actions = casts.add_subparsers(dest="action", metavar="ACTION", required=True)
    each = {
        "list": _add(actions, "list", "list them, the newest first; * marks those that are kept for ever", _ASKING),
        "show": _add(actions, "show", "tell all that is known of one", _ASKING),
        "audio": _add(actions, "audio", "write its sound into a file, when it is whole", _ASKING),
        "delete": _add(actions, "delete", "take it back, and let go of its sound and its text", _ASKING),
        "cancel": _add(actions, "cancel", "take it back; it is cut if it is being made, what is whole stays", _ASKING),
        "keep": _add(actions, "keep", "never let it expire", _ASKING),
        "requeue": _add(actions, "requeue", "ask again for one that was given up", _ASKING),
        "dead": _add(actions, "dead", "list those that were given up, the oldest first, and why", _ASKING),
    }
    each["list"].add_argument("--limit", type=_count, default=20, metavar="N", help="at most so many (default: 20)")
    for name, action in each.items():
        _add_server(action)
        if name not in ("list", "dead"):
            action.add_argument("id", metavar="ID", help="the 16 letters and digits that name it")
    each["keep"].add_argument("--off", action="store_true", help="let it expire like the others again")
    for name in ("list", "show", "dead"):
        _add_json(each[name])
    _add_out(each["audio"], is_required=True)


def _add_rooms(commands: Commands) -> None:
    rooms = commands.add_parser("rooms", help="the rooms of a running server", epilog=EXIT_CODES, allow_abbrev=False)
    actions = rooms.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = _add(actions, "list", "list them, and what they do", _ASKING)
    _add_server(listing)
    _add_json(listing)
    orders = {
        "stop": "be silent at once, and drop all that waits",
        "skip": "end what is heard, and go on with the next",
        "clear": "drop all that waits",
        "replay": "play again what was heard last",
    }
    for name, summary in orders.items():
        order = _add(actions, name, summary, _ASKING)
        _add_server(order)
        order.add_argument("room", nargs="+", metavar="ROOM", help="its name")
        if name == "replay":
            about = "play all that has ended since that event of the room, heard or missed"
            order.add_argument("--since", type=_place, metavar="N", help=about)


def _add_lexicon(commands: Commands) -> None:
    lexicon = commands.add_parser(
        "lexicon", help="the household's words: how they are said", epilog=EXIT_CODES, allow_abbrev=False
    )
    actions = lexicon.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = _add(actions, "add", "keep a word, and what is said for it", (), _FOR_WORDS)
    remove = _add(actions, "remove", "forget a word", (), _FOR_WORDS)
    test = _add(actions, "test", "tell what is said for a text with the words and without them", ["voice"], _FOR_WORDS)
    _add_json(_add(actions, "list", "list the words", (), _FOR_WORDS))
    for action in (add, remove):
        action.add_argument("word", metavar="WORD", help="a word or a phrase, as it is written")
    reading = add.add_mutually_exclusive_group(required=True)
    reading.add_argument("--say", metavar="TEXT", help="what is said for it")
    reading.add_argument("--ipa", metavar="PHONEMES", help="how it sounds, in the phonetic alphabet")
    add.add_argument("--match-case", action="store_true", help="only where it is written with these capital and small letters")
    add.add_argument("--priority", type=int, default=0, metavar="N", help="which word counts where several fit (default: 0)")
    add.add_argument("--replace", action="store_true", help="also where it is there already with another reading")
    test.add_argument("text", metavar="TEXT", help="what is to be said")
    for action in (add, remove, test):
        action.add_argument("--language", metavar="TAG", help="the language that it holds for (default: all)")


def _add_journal(commands: Commands) -> None:
    journal = commands.add_parser(
        "journal", help="move the journal, or let others read what is public in it", epilog=EXIT_CODES, allow_abbrev=False
    )
    actions = journal.add_subparsers(dest="action", metavar="ACTION", required=True)
    summary = "copy it into another kind, every record to its number; broken off, it goes on where it was"
    copy = _add(actions, "copy", summary, [*_JOURNAL, "data_dir"])
    for name, about in (("from", "where it is"), ("to", "where it is to be; nothing else may be there")):
        copy.add_argument(f"--{name}", dest=f"{name}_kind", required=True, choices=JOURNALS, help=about)
    token = _add(
        actions,
        "reader-token",
        "issue an access token of s2.dev that can read what is public, and nothing else",
        [*_JOURNAL],
    )
    token.add_argument("--name", required=True, help="how it is called when it is revoked")
    token.add_argument("--days", type=_count, default=30, metavar="N", help="how long it is valid (default: 30)")


def _add_doctor(commands: Commands) -> None:
    summary = "look whether everything is there that speech needs, and say what to do about what is not"
    doctor = _add(commands, "doctor", summary, [*_SPEAKING, *_ASKING, "journal", *_JOURNAL])
    doctor.add_argument("--measure", action="store_true", help="start an engine, and measure how fast it speaks")
    _add_server(doctor)
    _add_json(doctor)


def _add_out(command: argparse.ArgumentParser, *, is_required: bool) -> None:
    about = "where the sound is written: .wav, .mp3, .flac or .opus"
    command.add_argument("--out", required=is_required, type=Path, metavar="FILE", help=about)


def _add_server(command: argparse.ArgumentParser) -> None:
    about = "the server to ask (default: the one that is running on the data directory)"
    command.add_argument("--server", metavar="URL", help=about)


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 999999")
    return int(text)


def _place(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of an event")
    return int(text)


def _add_text(commands: Commands) -> None:
    text = _add(commands, "text", "show what would be spoken, sentence by sentence", _SPEAKING)
    text.add_argument("text", metavar="TEXT", help="what to say; - reads it from standard input")
    text.add_argument("--stages", action="store_true", help="show what each stage of the text's way made of it")
    text.add_argument("--json", action="store_true", help='print JSON: {"sentences": [{"text", "spoken"}]}')
    _add_cutting(text)


def _add_cutting(command: argparse.ArgumentParser) -> None:
    command.add_argument("--language", metavar="TAG", help="language of the text, such as en-US (default: the voice's)")
    command.add_argument(
        "--format", choices=[str(each) for each in TextFormat], help=f"its markup (default: {TextFormat.PLAIN})"
    )
    about = f"how it is cut into sentences (default: {Profile.LATENCY}, or what a server chooses)"
    command.add_argument("--profile", choices=[str(each) for each in Profile], help=about)


def _add(
    commands: Commands,
    name: str,
    summary: str,
    keys: Iterable[str],
    meanings: Mapping[str, str] = _FOR_A_CLIENT,
) -> argparse.ArgumentParser:
    """A command with the options of these keys, and those that every command takes."""
    description = f"{summary[0].upper()}{summary[1:]}."
    command = commands.add_parser(name, help=summary, description=description, epilog=EXIT_CODES, allow_abbrev=False)
    command.add_argument("--options", type=Path, metavar="FILE", help="a YAML or JSON file of options; flags go before it")
    _add_options(command, dict.fromkeys((*keys, "data_dir", "log_level")), meanings)
    return command


def _add_options(
    command: argparse.ArgumentParser, keys: Iterable[str], meanings: Mapping[str, str] = MappingProxyType({})
) -> None:
    group = command.add_argument_group("options")
    for key in keys:
        option = OPTIONS[key]
        if isinstance(option.kind, Flag):
            group.add_argument(
                option.flag, dest=key, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=option.meaning
            )
        else:
            group.add_argument(
                option.flag,
                dest=key,
                default=argparse.SUPPRESS,
                metavar=_metavar(option),
                help=_help(option, meanings.get(key)),
            )


def _metavar(option: Option) -> str:
    return option.key.rsplit("_", 1)[-1].upper()


def _help(option: Option, meaning: str | None = None) -> str:
    if meaning is not None:
        return f"{meaning} ({option.expected})".replace("%", "%%")
    default = "" if option.default is None else f"; default {option.default}"
    return f"{option.meaning} ({option.expected}{default})".replace("%", "%%")
