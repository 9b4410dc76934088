"""Writes what follows from the table of options into the app's files: config.yaml, DOCS.md, the ranges in translations/*.yaml.

The names and descriptions in translations/ are written by people; the brackets behind a description are written here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from wyoming_kokoro.settings.app_form import app_defaults, app_schema, choices, form_options, room_options
from wyoming_kokoro.settings.kind import Choice, NumberChoice, Real, Whole
from wyoming_kokoro.settings.option import Option

ROOT = Path(__file__).parents[1]
MARK = "# What follows is written by scripts/app_files.py"
TAIL = re.compile(r"( \([^()]*\)|（[^（）]*）)$")


@dataclass(frozen=True, kw_only=True)
class Words:
    """How a language says ranges and defaults."""

    span: str
    default: str
    on: str
    off: str
    units: dict[str, str]
    """By the unit of the table, with the space before it where there is one."""
    point: str = ","
    brackets: tuple[str, str, str] = (" (", "; ", ")")


def _units(*words: str) -> dict[str, str]:
    names = ("milliseconds", "seconds", "hours", "days", "characters", "bytes")
    return dict(zip(names, words, strict=True)) | {"": "", "times the voice's own pace": ""}


_EN = Words(
    span="{} to {}",
    default="default: {}",
    on="on",
    off="off",
    point=".",
    units=_units(" milliseconds", " seconds", " hours", " days", " characters", " bytes"),
)
WORDS = {
    "en": _EN,
    "en-GB": _EN,
    "de": Words(
        span="{} bis {}",
        default="Vorgabe: {}",
        on="ein",
        off="aus",
        units=_units(" Millisekunden", " Sekunden", " Stunden", " Tage", " Zeichen", " Bytes"),
    ),
    "es": Words(
        span="de {} a {}",
        default="valor predeterminado: {}",
        on="activado",
        off="desactivado",
        units=_units(" milisegundos", " segundos", " horas", " días", " caracteres", " bytes"),
    ),
    "fr": Words(
        span="de {} à {}",
        default="par défaut\u00a0: {}",
        on="activé",
        off="désactivé",
        units=_units(" millisecondes", " secondes", " heures", " jours", " caractères", " octets"),
        brackets=(" (", "\u00a0; ", ")"),
    ),
    "hi": Words(
        span="{} से {}",
        default="डिफ़ॉल्ट: {}",
        on="चालू",
        off="बंद",
        units=_units(" मिलीसेकंड", " सेकंड", " घंटे", " दिन", " अक्षर", " बाइट"),
        point=".",
    ),
    "it": Words(
        span="da {} a {}",
        default="valore predefinito: {}",
        on="attivo",
        off="non attivo",
        units=_units(" millisecondi", " secondi", " ore", " giorni", " caratteri", " byte"),
    ),
    "ja": Words(
        span="{}～{}",
        default="既定値: {}",
        on="オン",
        off="オフ",
        units=_units("ミリ秒", "秒", "時間", "日", "文字", "バイト"),
        point=".",
        brackets=("（", "、", "）"),
    ),
    "nl": Words(
        span="{} t/m {}",
        default="standaard: {}",
        on="aan",
        off="uit",
        units=_units(" milliseconden", " seconden", " uur", " dagen", " tekens", " bytes"),
    ),
    "pt-BR": Words(
        span="de {} a {}",
        default="padrão: {}",
        on="ativado",
        off="desativado",
        units=_units(" milissegundos", " segundos", " horas", " dias", " caracteres", " bytes"),
    ),
    "zh-Hans": Words(
        span="{} 到 {}",
        default="默认值：{}",
        on="开启",
        off="关闭",
        units=_units(" 毫秒", " 秒", " 小时", " 天", " 个字符", " 字节"),
        point=".",
        brackets=("（", "；", "）"),
    ),
}
"""By the code that Home Assistant's own frontend has for the language, which is the name of the file."""


def tail(option: Option, words: Words) -> str:
    """Range and default of an option in brackets; empty where there is nothing to say."""
    before, between, after = words.brackets
    parts = [_span(option, words), _default(option, words)]
    said = between.join(part for part in parts if part)
    return f"{before}{said}{after}" if said else ""


def _span(option: Option, words: Words) -> str:
    if not isinstance(option.kind, Whole | Real):
        return ""
    low, high = (_number(end, words) for end in (option.kind.low, option.kind.high))
    return words.span.format(low, high) + words.units[option.unit]


def _default(option: Option, words: Words) -> str:
    match option.default:
        case None | ():
            return ""
        case bool():
            said = words.on if option.default else words.off
        case int() | float():
            said = _number(option.default, words)
        case _:
            said = str(option.default)
    return words.default.format(said)


def _number(number: float, words: Words) -> str:
    """As it is typed into the form, so without marks between thousands."""
    said = str(number) if isinstance(number, int) else f"{number:g}"
    return said.replace(".", words.point)


def completed(translation: dict[str, Any], words: Words) -> dict[str, Any]:
    """A translation in the order of the form, its brackets as the table has them. KeyError for an option without words."""
    written = translation["configuration"]
    configuration = {key: _entry(written[key], option, words) for key, option in form_options().items()}
    fields = written["rooms"]["fields"]
    inside = {key: _entry(fields[key], option, words) for key, option in room_options().items()}
    configuration["rooms"]["fields"] = {"name": inside.pop("name"), "speakers": fields["speakers"], **inside}
    return {"configuration": configuration, "network": translation["network"]}


def _entry(written: dict[str, str], option: Option, words: Words) -> dict[str, Any]:
    return {"name": written["name"], "description": TAIL.sub("", written["description"]) + tail(option, words)}


def config_text(text: str) -> str:
    """config.yaml with its options and schema as the table has them."""
    head, mark, rest = text.partition(MARK)
    first, _, _ = rest.partition("\n")
    return f"{head}{mark}{first}\n{dumped({'options': app_defaults(), 'schema': app_schema()})}"


def dumped(tree: dict[str, Any]) -> str:
    """YAML in the order of the tree, a line a text."""
    written: str = yaml.dump(tree, Dumper=_Indenting, sort_keys=False, allow_unicode=True, width=1000)
    return written


class _Indenting(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Lists stand further in than their key, as in the rest of the app's files."""
        super().increase_indent(flow, indentless=False)


def docs_text(text: str, english: dict[str, Any]) -> str:
    """DOCS.md with its tables as the table of options and the English translation have them."""
    configuration = english["configuration"]
    tables = {
        "options": _table(form_options(), configuration),
        "room": _table(room_options(), configuration["rooms"]["fields"]),
    }
    for mark, table in tables.items():
        place = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)", re.DOTALL)
        text = place.sub(lambda _, table=table: table, text)
    return text


def _table(options: dict[str, Option], names: dict[str, Any]) -> str:
    rows = [f"| {names[key]['name']} | `{key}` | {_said(option, names[key])} |" for key, option in options.items()]
    return "\n".join(["| option | in YAML | |", "|---|---|---|", *rows]) + "\n"


def _said(option: Option, entry: dict[str, Any]) -> str:
    """The description, with the choices that a form shows by itself."""
    is_choice = isinstance(option.kind, Choice | NumberChoice)
    said = TAIL.sub("", entry["description"]) + (f" One of {', '.join(choices(option))}." if is_choice else "")
    return (said + tail(option, _EN)).replace("|", "\\|")


def translations() -> dict[str, Path]:
    """The files, by language."""
    return {path.stem: path for path in sorted((ROOT / "translations").iterdir())}


def main() -> None:
    """Writes them all."""
    for language, path in translations().items():
        whole = completed(yaml.safe_load(path.read_text(encoding="utf-8")), WORDS[language])
        path.write_text(dumped(whole), encoding="utf-8")
    config = ROOT / "config.yaml"
    config.write_text(config_text(config.read_text(encoding="utf-8")), encoding="utf-8")
    docs = ROOT / "DOCS.md"
    english = yaml.safe_load(translations()["en"].read_text(encoding="utf-8"))
    docs.write_text(docs_text(docs.read_text(encoding="utf-8"), english), encoding="utf-8")


if __name__ == "__main__":
    main()
