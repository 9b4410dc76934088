"""The grammar of the command line. Every option of the settings is a flag; nothing is judged here but the grammar."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro import __version__
from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.settings.kind import Flag
from wyoming_kokoro.settings.schema import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.settings.option import Option

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - argparse has no public name for what it returns

EXIT_CODES = "exit status: 0 done, 1 failed, 2 an argument or an option is wrong, 130 interrupted"
_SPEAKING = ("engine", "voice", "speed", "threads", "model_dir", "log_level")


def parser() -> argparse.ArgumentParser:
    """The whole grammar. It ends the program with status 2 on what does not follow it."""
    top = argparse.ArgumentParser(
        prog="wyoming-kokoro",
        description="The voice of a house: speaks text with Kokoro-82M.",
        epilog=EXIT_CODES,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"wyoming-kokoro {__version__}")
    _add_options(top, ["log_level"])
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add(commands, "serve", "run the server", OPTIONS)
    _add_say(commands)
    _add_text(commands)
    voices = _add(commands, "voices", "list the voices", _SPEAKING)
    voices.add_argument("--json", action="store_true", help="print JSON")
    _add(commands, "fetch", "fetch the model and the voices, and print the paths of their files", ["model_dir", "log_level"])
    return top


def flags_of(arguments: argparse.Namespace) -> dict[str, str | bool]:
    """The options among the arguments, by key; only those that were given."""
    return {key: value for key, value in vars(arguments).items() if key in OPTIONS}


def _add_say(commands: Commands) -> None:
    say = _add(commands, "say", "speak a text into a file, without a server", _SPEAKING)
    say.add_argument("text", metavar="TEXT", help="what to say; - reads it from standard input")
    say.add_argument("--out", required=True, type=_wav_file, metavar="FILE.wav", help="where the sound is written")
    _add_cutting(say)


def _add_text(commands: Commands) -> None:
    text = _add(commands, "text", "show what would be spoken, sentence by sentence", _SPEAKING)
    text.add_argument("text", metavar="TEXT", help="what to say; - reads it from standard input")
    text.add_argument("--stages", action="store_true", help="show what each stage of the text's way made of it")
    text.add_argument("--json", action="store_true", help='print JSON: {"sentences": [{"text", "spoken"}]}')
    _add_cutting(text)


def _add_cutting(command: argparse.ArgumentParser) -> None:
    command.add_argument("--language", metavar="TAG", help="language of the text, such as en-US (default: the voice's)")
    command.add_argument(
        "--format", choices=[str(each) for each in TextFormat], default=str(TextFormat.PLAIN), help="its markup"
    )
    command.add_argument(
        "--profile", choices=[str(each) for each in Profile], default=str(Profile.LATENCY), help="how it is cut into sentences"
    )


def _add(
    commands: Commands,
    name: str,
    summary: str,
    keys: Iterable[str],
) -> argparse.ArgumentParser:
    description = f"{summary[0].upper()}{summary[1:]}."
    command = commands.add_parser(name, help=summary, description=description, epilog=EXIT_CODES, allow_abbrev=False)
    command.add_argument("--options", type=Path, metavar="FILE", help="a YAML or JSON file of options; flags go before it")
    _add_options(command, keys)
    return command


def _add_options(command: argparse.ArgumentParser, keys: Iterable[str]) -> None:
    group = command.add_argument_group("options")
    for key in keys:
        option = OPTIONS[key]
        if isinstance(option.kind, Flag):
            group.add_argument(
                option.flag, dest=key, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=option.meaning
            )
        else:
            group.add_argument(option.flag, dest=key, default=argparse.SUPPRESS, metavar=_metavar(option), help=_help(option))


def _wav_file(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() != ".wav":
        raise argparse.ArgumentTypeError(f"{text} must end in .wav, the one format that is written")
    return path


def _metavar(option: Option) -> str:
    return option.key.rsplit("_", 1)[-1].upper()


def _help(option: Option) -> str:
    default = "" if option.default is None else f"; default {option.default}"
    return f"{option.meaning} ({option.expected}{default})".replace("%", "%%")
