"""Brazilian Portuguese."""

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
    r" (?!dia|problema|programa|sistema|tema|mapa|idioma|clima|planeta|cometa\b)"
    r"(?:[^\W\d_]+(?:as?|ções|ção|dades?|gens?)|vezes|vez|noites?|tardes?|luzes|luz|partes?)\b",
    re.IGNORECASE,
)


def _parts(name: str, _: int) -> str:
    return f"{name}s"


TONGUE = Tongue(
    writing=Writing(",", ". "),
    numbers=NumberWords(
        rules="pt", masculine="spellout-cardinal-masculine", feminine="spellout-cardinal-feminine",
        ordinal="spellout-ordinal-masculine", feminine_ordinal="spellout-ordinal-feminine",
        digits=("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"),
        point="vírgula", minus="menos", plus="mais", oh="zero", feminine_nouns=_FEMININE,
    ),
    counting=CountingWords(
        to=" a ", score="{a} a {b}", contest=r"\b(?:venceu|venceram|ganhou|ganharam|perdeu|perderam|empate|empatou|placar)\b",
        ordinal=r"\.?º(?! ?[CF]\b)|(?-i:o)\b", feminine_ordinal=r"\.?ª|(?-i:a)\b",
    ),
    signs=SignWords(
        between={"+": "mais", "=": "é igual a", "×": "vezes", "*": "vezes", "÷": "dividido por", "<": "é menor que",
                 ">": "é maior que", "≤": "no máximo", "≥": "no mínimo", "≠": "diferente de", "≈": "cerca de",
                 "±": "mais ou menos"},
        symbols={"&": "e", "√": "raiz quadrada de", "∞": "infinito", "→": "para", "§": "parágrafo"},
        squared="ao quadrado", cubed="ao cubo", power="elevado a {}", about="cerca de",
    ),
    addresses=AddressWords(
        dot="ponto", at="arroba", slash="barra", dash="hífen", underscore="sublinhado", colon="dois pontos", hashtag="hashtag",
        more=(("?", "interrogação"), ("=", "igual"), ("&", "e"), ("%", "por cento"), ("+", "mais")),
    ),
    dates=DateWords(
        locale="pt_BR", days=Days.FIRST, day_month="{d} de {m}", year="{t} de {y}", before_bare="em|no dia|dia|até",
        written=((r"(?<![\w.,:/-]){day}[º°]? de {month}(?: de {year})?", "{d} de {m}"),),
    ),
    clock=ClockWords(
        midnight="meia-noite", hour="{h}", one_hour="uma", late_hour="{h} horas", hour_minute="{h} e {m}",
        low_minute="{h} e {m}",
        second=" e {s} segundo", seconds=" e {s} segundos", after_midnight="{t}", twelve_at_midnight=False,
        morning="{t} da manhã", afternoon="{t} da tarde", feminine_hours=True, separators=":hH", letter="[hH]",
    ),
    money=MoneyWords(
        locale="pt_BR",
        symbols={
            "$": Currency("dólar", "dólares", "centavo", "centavos"), "US$": Currency("dólar", "dólares", "centavo",
                "centavos"),
            "R$": Currency("real", "reais", "centavo", "centavos"), "€": Currency("euro", "euros", "centavo", "centavos"),
            "£": Currency("libra", "libras", "penny", "pence", feminine=True), "¥": Currency("iene", "ienes"),
            "₹": Currency("rupia", "rupias", feminine=True), "₩": Currency("won", "wons"), "₽": Currency("rublo", "rublos"),
            "₺": Currency("lira", "liras", feminine=True), "₿": Currency("bitcoin", "bitcoins"), "¢": Currency("centavo",
                "centavos"),
        },
        sizes={"mil": ("mil", "mil", "k", "K"), "milhão": ("milhão", "milhões", "milhão de", "milhões de", "M", "mi"),
               "bilhão": ("bilhão", "bilhões", "bilhão de", "bilhões de", "bi"), "trilhão": ("trilhão", "trilhões", "tri")},
        small="{large} e {small}", of="de ",
    ),
    labels=LabelWords(
        named=r"\b(?:quarto|sala|[ôo]nibus|trem|voo|port[ãa]o|porta|linha|canal|arm[áa]rio|apartamento|apto\.?|plataforma"
        r"|rota) ",
        coded=r"\b(?:(?:c[óo]digo|pin|senha)(?: é|:)?|disque|ligue para(?= (?:190|192|193|911)\b)) ",
        telephones=r"\([0-9]{2}\) ?9?[0-9]{4}[ .-][0-9]{4}|9?[0-9]{4}-[0-9]{4}",
        version="versão", point="ponto", dot="ponto", number="número", number_signs=r"\b[nN](?:\.?[º°]) ?(?=[0-9])",
    ),
    fractions=FractionWords(
        names={2: "meio", 3: "terço", 4: "quarto", 12: "doze avo", 16: "dezesseis avo"}, many=_parts,
        whole_and="{whole} e {part}", half=("meio", "meia"), article=lambda name: name if name == "meio" else f"um {name}",
    ),
    units=UnitWords(
        locale="pt_BR", percent="{} por cento", permille="{} por mil", per="{} {above} por {below}",
        feminine=re.compile(r"\{\} (?:hora|libra|onça|tonelada|jarda|caloria|quilocaloria|milha|polegada|parte)"),
        spoken={"toneladas métricas": "toneladas", "tonelada métrica": "tonelada"},
        names={
            "watt hour": ("{} watt-hora", "{} watts-hora"), "volt ampere": ("{} volt-ampere", "{} volts-ampere"),
            "ampere hour": ("{} ampere-hora", "{} amperes-hora"), "decibel": ("{} decibel", "{} decibéis"),
            "part per million": ("{} parte por milhão", "{} partes por milhão"),
            "part per billion": ("{} parte por bilhão", "{} partes por bilhão"),
            "revolution": ("{} rotação por minuto", "{} rotações por minuto"), "var": ("{} var", "{} vars"),
        },
        prefixes={"kilo": "quilo"},
    ),
    years=YearWords(sure=r"\b(?:em|desde|ano|anos|de) ", likely=r"\b(?:antes de|depois de|até|a) ", to=" a "),
    roman=RomanWords(
        counted=r"cap[íi]tulo|tomo|guerra mundial|parte|volume|ato|fase|tipo|n[íi]vel", ordered="século",
        rulers="Pedro|João|Paulo|Bento|Pio|Luís|Carlos|Henrique|Elizabeth|Isabel|Napoleão|Filipe|Afonso|Manuel|Francisco",
        most_ordinal=10,
    ),
    short=ShortWords(
        anywhere={"Sr.": "senhor", "Sra.": "senhora", "Srta.": "senhorita", "Srs.": "senhores", "Dr.": "doutor",
            "Dra.": "doutora",
                  "Prof.": "professor", "Profa.": "professora", "etc.": "etcétera", "p. ex.": "por exemplo",
                  "p.ex.": "por exemplo", "Av.": "avenida", "R.": "rua", "pág.": "página", "tel.": "telefone",
                  "aprox.": "aproximadamente", "máx.": "máximo", "temp.": "temperatura", "apto.": "apartamento",
                  "Exmo.": "excelentíssimo", "vs.": "contra", "EUA": "Estados Unidos"},
        before_names={"D.": "dona", "S.": "São"},
    ),
    capitals=CapitalWords(),
)  # fmt: skip
