"""Italian."""

from __future__ import annotations

import re

from wyoming_kokoro.text.normalise.addresses import AddressWords
from wyoming_kokoro.text.normalise.capitals import CapitalWords
from wyoming_kokoro.text.normalise.clock import ClockWords
from wyoming_kokoro.text.normalise.counting import CountingWords
from wyoming_kokoro.text.normalise.dates import DateWords, Days
from wyoming_kokoro.text.normalise.figures import SignWords
from wyoming_kokoro.text.normalise.fractions import FractionWords
from wyoming_kokoro.text.normalise.labels import LabelWords
from wyoming_kokoro.text.normalise.measures import UnitWords
from wyoming_kokoro.text.normalise.money import Currency, MoneyWords
from wyoming_kokoro.text.normalise.roman import RomanWords
from wyoming_kokoro.text.normalise.shortened import ShortWords
from wyoming_kokoro.text.normalise.spelling import NumberWords
from wyoming_kokoro.text.normalise.tongue import Tongue
from wyoming_kokoro.text.normalise.writing import Writing
from wyoming_kokoro.text.normalise.years import YearWords

_FEMININE = re.compile(
    r" (?!problema|programma|sistema|tema|clima|pianeta\b)"
    r"(?:[^\W\d_]+a|ore|volte|persone|case|porte|luci|luce|finestre|stanze|pagine|settimane)\b",
    re.IGNORECASE,
)
_MASCULINE = re.compile(
    r" (?:(?:grad|minut|second|giorn|ann|mes|metr|litr|lib?r|gatt|uomin)[^\W\d_]*|[^\W\d_]+o)\b", re.IGNORECASE
)


def _said(said: str, number: int) -> str:
    """`un` before a noun would be `ventun`; `mille` stays as it is."""
    return said.strip() if number else said


def _parts(name: str, _: int) -> str:
    return f"{name[:-1]}i" if name.endswith("o") else name


TONGUE = Tongue(
    writing=Writing(",", ". "),
    numbers=NumberWords(
        rules="it", masculine="spellout-cardinal-masculine", feminine="spellout-cardinal-feminine",
        ordinal="spellout-ordinal-masculine", feminine_ordinal="spellout-ordinal-feminine",
        digits=("zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"),
        point="virgola", minus="meno", plus="più", oh="zero", feminine_nouns=_FEMININE, masculine_nouns=_MASCULINE,
    ),
    counting=CountingWords(
        to=" a ", score="{a} a {b}",
        contest=r"\b(?:ha vinto|vince|hanno vinto|ha perso|perde|hanno perso|pareggio|risultato)\b",
        ordinal=r"º(?! ?[CF]\b)|°(?= (?:piano|posto|giorno|anno|capitolo|secolo|turno|binario|volta)\b)", feminine_ordinal="ª",
    ),
    signs=SignWords(
        between={"+": "più", "=": "uguale", "×": "per", "*": "per", "÷": "diviso", "<": "minore di", ">": "maggiore di",
                 "≤": "al massimo", "≥": "almeno", "≠": "diverso da", "≈": "circa", "±": "più o meno"},
        symbols={"&": "e", "√": "radice quadrata di", "∞": "infinito", "→": "a", "§": "paragrafo"},
        squared="al quadrato", cubed="al cubo", power="alla {}", about="circa",
    ),
    addresses=AddressWords(
        dot="punto", at="chiocciola", slash="barra", dash="trattino", underscore="trattino basso", colon="due punti",
        hashtag="hashtag", more=(("?", "punto interrogativo"), ("=", "uguale"), ("&", "e"), ("%", "per cento"), ("+", "più")),
    ),
    dates=DateWords(
        locale="it", days=Days.FIRST, day_month="{d} {m}", year="{t} {y}", before_bare="il|dal|al|del",
        written=((r"(?<![\w.,:/-]){day}[º°]? {month}(?: {year})?", "{d} {m}"),),
    ),
    clock=ClockWords(
        midnight="mezzanotte", hour="{h}", one_hour="una", late_hour="{h}", hour_minute="{h} e {m}", low_minute="{h} e {m}",
        second=" e {s} secondo", seconds=" e {s} secondi", after_midnight="{t}", twelve_at_midnight=False,
        morning="{t} del mattino", afternoon="{t} del pomeriggio", unit=r"h\b",
        written=r"(?<=lle |ore )(?P<hour>[01]?[0-9]|2[0-4])\.(?P<minute>[0-5][0-9])(?![\w:]|[.,][0-9]| ?[%€°])",
    ),
    money=MoneyWords(
        locale="it",
        symbols={
            "$": Currency("dollaro", "dollari", "centesimo", "centesimi"), "€": Currency("euro", "euro", "centesimo",
                "centesimi"),
            "£": Currency("sterlina", "sterline", "penny", "pence", feminine=True), "¥": Currency("yen", "yen"),
            "R$": Currency("real", "real", "centavo", "centavos"), "₹": Currency("rupia", "rupie", feminine=True),
            "₩": Currency("won", "won"), "₽": Currency("rublo", "rubli"), "₺": Currency("lira turca", "lire turche"),
            "₿": Currency("bitcoin", "bitcoin"), "¢": Currency("centesimo", "centesimi"),
            "US$": Currency("dollaro", "dollari", "centesimo", "centesimi"),
        },
        sizes={"mila": ("mila", "mila", "k", "K"), "milione": ("milione", "milioni", "milione di", "milioni di", "M", "mln"),
               "miliardo": ("miliardo", "miliardi", "miliardo di", "miliardi di", "mld")},
        small="{large} e {small}", of="di ",
    ),
    labels=LabelWords(
        named=r"\b(?:camera|stanza|sala|aula|autobus|bus|treno|volo|porta|linea|canale|armadietto|appartamento|binario|tram) ",
        coded=r"\b(?:(?:codice|pin|password)(?: è|:)?|componi il|chiama il(?= (?:112|113|115|118)\b)) ",
        telephones=r"0[0-9]{1,3}[ ./-][0-9]{4}[ .-][0-9]{4}|3[0-9]{2}[ .-][0-9]{3}[ .-][0-9]{4}",
        version="versione", point="punto", dot="punto", number="numero", number_signs=r"\b[nN](?:°|º|\.) ?(?=[0-9])",
    ),
    fractions=FractionWords(
        names={2: "mezzo", 4: "quarto"}, many=_parts, whole_and="{whole} e {part}", half=("mezzo", "mezza"),
        article=lambda name: name if name == "mezzo" else f"un {name}",
    ),
    units=UnitWords(
        locale="it", percent="{} per cento", permille="{} per mille", per="{} {above} al {below}",
        feminine=re.compile(r"\{\} (?:ora|libbra|oncia|tonnellata|iarda|caloria|chilocaloria|parte)"),
        spoken={"tonnellate metriche": "tonnellate", "tonnellata metrica": "tonnellata"},
        names={
            "watt hour": ("{} wattora", "{} wattora"), "volt ampere": ("{} voltampere", "{} voltampere"),
            "ampere hour": ("{} amperora", "{} amperora"), "decibel": ("{} decibel", "{} decibel"),
            "part per million": ("{} parte per milione", "{} parti per milione"),
            "part per billion": ("{} parte per miliardo", "{} parti per miliardo"),
            "revolution": ("{} giro al minuto", "{} giri al minuto"), "var": ("{} var", "{} var"),
        },
        prefixes={"kilo": "chilo"},
    ),
    years=YearWords(sure=r"\b(?:nel|dal|anno|anni|del) ", likely=r"\b(?:prima del|dopo il|fino al|al) ", to=" a "),
    roman=RomanWords(
        counted=r"capitolo|tomo|guerra mondiale|parte|volume|atto|fase|tipo|livello", ordered="secolo", centuries="secolo",
        rulers="Giovanni|Paolo|Benedetto|Pio|Vittorio Emanuele|Umberto|Luigi|Carlo|Enrico|Elisabetta|Federico|Napoleone"
        "|Filippo",
    ),
    short=ShortWords(
        anywhere={"sig.": "signor", "Sig.": "signor", "sig.ra": "signora", "Sig.ra": "signora", "dott.": "dottor",
                  "Dott.": "dottor", "dott.ssa": "dottoressa", "Dott.ssa": "dottoressa", "dr.": "dottor", "Dr.": "dottor",
                  "prof.": "professor", "Prof.": "professor", "ing.": "ingegner", "avv.": "avvocato", "ecc.": "eccetera",
                  "es.": "esempio", "p. es.": "per esempio", "p.es.": "per esempio", "pag.": "pagina", "tel.": "telefono",
                  "ca.": "circa", "max.": "massimo", "temp.": "temperatura", "vs.": "contro"},
        before_names={"S.": "San", "P.za": "piazza", "C.so": "corso", "V.": "via"},
    ),
    capitals=CapitalWords(),
)  # fmt: skip
