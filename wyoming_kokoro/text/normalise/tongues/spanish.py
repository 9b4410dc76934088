"""Spanish."""

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
    r" (?!día|problema|programa|sistema|tema|mapa|idioma|clima|planeta|poema|cometa\b)"
    r"(?:[^\W\d_]+(?:as?|ción|ciones|dad|dades)|noches?|tardes?|veces|vez|clases?|llaves?|partes?|luz|luces)\b",
    re.IGNORECASE,
)
_MASCULINE = re.compile(r" (?!y\b|de\b|a\b|en\b|o\b|es\b|con\b|para\b|por\b|que\b)[^\W\d_]{2,}", re.IGNORECASE)


def _parts(name: str, bottom: int) -> str:
    return f"{name.removesuffix('o')}os" if name.endswith("o") else f"{name}s"


TONGUE = Tongue(
    writing=Writing(",", ". "),
    numbers=NumberWords(
        rules="es", masculine="spellout-cardinal-masculine", feminine="spellout-cardinal-feminine",
        ordinal="spellout-ordinal-masculine", feminine_ordinal="spellout-ordinal-feminine",
        short_ordinal="spellout-ordinal-masculine-adjective",
        digits=("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
        point="coma", minus="menos", plus="más", oh="cero", feminine_nouns=_FEMININE, masculine_nouns=_MASCULINE,
    ),
    counting=CountingWords(
        to=" a ", score="{a} a {b}", contest=r"\b(?:ganaron|ganó|gana|perdió|perdieron|pierde|empate|empataron|marcador)\b",
        ordinal=r"\.?º(?! ?[CF]\b)|\.o", feminine_ordinal=r"\.?ª|\.a|ra(?=\b)|da(?=\b)", short_ordinal=r"\.?ᵉʳ|er",
    ),
    signs=SignWords(
        between={"+": "más", "=": "igual a", "×": "por", "*": "por", "÷": "entre", "<": "menor que", ">": "mayor que",
                 "≤": "como máximo", "≥": "como mínimo", "≠": "distinto de", "≈": "aproximadamente", "±": "más o menos"},
        symbols={"&": "y", "√": "raíz cuadrada de", "∞": "infinito", "→": "a", "§": "sección"},
        squared="al cuadrado", cubed="al cubo", power="elevado a {}", about="unos",
    ),
    addresses=AddressWords(
        dot="punto", at="arroba", slash="barra", dash="guion", underscore="guion bajo", colon="dos puntos", hashtag="hashtag",
        more=(("?", "interrogación"), ("=", "igual"), ("&", "y"), ("%", "por ciento"), ("+", "más")),
    ),
    dates=DateWords(locale="es", days=Days.CARDINAL, day_month="{d} de {m}", year="{t} de {y}", before_bare="el|del|para el"),
    clock=ClockWords(
        midnight="doce de la noche", hour="{h}", one_hour="una", late_hour="{h} horas", hour_minute="{h} {m}",
        low_minute="{h} cero {m}", second=" y {s} segundo", seconds=" y {s} segundos", after_midnight="{t} de la noche",
        morning="{t} de la mañana", afternoon="{t} de la tarde", feminine_hours=True, unit=r"h(?:rs?|oras)?\b\.?",
    ),
    money=MoneyWords(
        locale="es",
        symbols={
            "$": Currency("dólar", "dólares", "centavo", "centavos"), "US$": Currency("dólar", "dólares", "centavo",
                "centavos"),
            "€": Currency("euro", "euros", "céntimo", "céntimos"),
            "£": Currency("libra", "libras", "penique", "peniques", feminine=True), "¥": Currency("yen", "yenes"),
            "R$": Currency("real", "reales", "centavo", "centavos"), "₹": Currency("rupia", "rupias", feminine=True),
            "₩": Currency("won", "wones"), "₽": Currency("rublo", "rublos"), "₺": Currency("lira", "liras", feminine=True),
            "₿": Currency("bitcoin", "bitcoins"), "¢": Currency("centavo", "centavos"),
        },
        sizes={"mil": ("mil", "mil", "k", "K"), "millón": ("millón de", "millones de", "millones", "millón", "M", "mill"),
               "mil millones": ("mil millones de", "mil millones de", "mil millones")},
        small="{large} con {small}",
    ),
    labels=LabelWords(
        named=r"\b(?:habitaci[oó]n|sala|aula|autob[uú]s|bus|tren|vuelo|puerta|l[ií]nea|canal|taquilla|apartamento|piso|ruta"
        r"|and[eé]n|bungal[oó]) ",
        coded=r"\b(?:(?:c[oó]digo|pin|clave|contraseña)(?: es|:)?|marque|llam[ae](?: al)?(?= (?:112|091|061|080|911)\b)) ",
        telephones=r"[6-9][0-9]{2}[ .-][0-9]{3}[ .-][0-9]{3}|[6-9][0-9]{2}(?:[ .-][0-9]{2}){3}",
        version="versión", point="punto", dot="punto", number="número", number_signs=r"\b[nN](?:\.?[º°]|[úu]m\.) ?(?=[0-9])",
    ),
    fractions=FractionWords(
        names={2: "medio", 3: "tercio", 4: "cuarto", 12: "doceavo", 16: "dieciseisavo"}, many=_parts,
        whole_and="{whole} y {part}", half=("medio", "media"), article=lambda name: name if name == "medio" else f"un {name}",
    ),
    units=UnitWords(
        locale="es", percent="{} por ciento", permille="{} por mil", per="{} {above} por {below}",
        feminine=re.compile(r"\{\} (?:hora|libra|milla|pulgada|yarda|onza|tonelada|caloría|kilocaloría|hectárea)"),
        names={
            "watt hour": ("{} vatio hora", "{} vatios hora"), "volt ampere": ("{} voltiamperio", "{} voltiamperios"),
            "ampere hour": ("{} amperio hora", "{} amperios hora"), "decibel": ("{} decibelio", "{} decibelios"),
            "part per million": ("{} parte por millón", "{} partes por millón"),
            "part per billion": ("{} parte por mil millones", "{} partes por mil millones"),
            "revolution": ("{} revolución por minuto", "{} revoluciones por minuto"), "var": ("{} var", "{} vares"),
            "frequency-gigahertz": ("{} gigahercio", "{} gigahercios"),
        },
    ),
    years=YearWords(sure=r"\b(?:en|desde|año|años|de|del) ", likely=r"\b(?:hasta|antes de|después de|a) ", to=" a ",
                    plural=r"[a-z]*[^\W\d_]s"),
    roman=RomanWords(
        counted=r"cap[ií]tulo|tomo|guerra mundial|parte|volumen|acto|fase|tipo|nivel", ordered="siglo", centuries="siglo",
        rulers="Felipe|Carlos|Alfonso|Isabel|Fernando|Juan|Pablo|Luis|Enrique|Pedro|Francisco|Benedicto|Napoleón|Jaime|Sancho",
        most_ordinal=10,
    ),
    short=ShortWords(
        anywhere={"Sr.": "señor", "Sra.": "señora", "Sres.": "señores", "Srta.": "señorita", "Dr.": "doctor", "Dra.": "doctora",
                  "Ud.": "usted", "Uds.": "ustedes", "p. ej.": "por ejemplo", "p.ej.": "por ejemplo", "etc.": "etcétera",
                  "Avda.": "avenida", "Av.": "avenida", "pág.": "página", "aprox.": "aproximadamente", "tel.": "teléfono",
                  "EE. UU.": "Estados Unidos", "EE.UU.": "Estados Unidos", "máx.": "máximo",
                  "temp.": "temperatura", "vs.": "contra", "Prof.": "profesor", "Ing.": "ingeniero", "dcha.": "derecha",
                  "izq.": "izquierda"},
        before_names={"D.": "don", "Dña.": "doña", "C/": "calle", "S.": "San"},
    ),
    capitals=CapitalWords(),
)  # fmt: skip
