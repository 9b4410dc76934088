"""French."""

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
    r" (?:personnes?|minutes?|heures?|secondes?|fois|pages?|portes?|fen[êe]tres?|lampes?|lumi[èe]res?|semaines?|ann[ée]es?"
    r"|[^\W\d_]+(?:tions?|ettes?|elles?|ences?|ances?|ures?|it[ée]s?))\b",
    re.IGNORECASE,
)

TONGUE = Tongue(
    writing=Writing(",", ". "),
    numbers=NumberWords(
        rules="fr", masculine="spellout-cardinal-masculine", feminine="spellout-cardinal-feminine",
        ordinal="spellout-ordinal-masculine", feminine_ordinal="spellout-ordinal-feminine",
        digits=("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
        point="virgule", minus="moins", plus="plus", oh="zéro", feminine_nouns=_FEMININE,
    ),
    counting=CountingWords(
        to=" à ", score="{a} à {b}", contest=r"\b(?:victoire|d[ée]faite|gagn[ée]\w*|perdu\w*|match nul|score)\b",
        ordinal=r"ers?|i?[èe]mes?|es?|ᵉ|ᵉʳ|nde?s?", feminine_ordinal=r"[èe]?res?",
    ),
    signs=SignWords(
        between={"+": "plus", "=": "égale", "×": "fois", "*": "fois", "÷": "divisé par", "<": "est inférieur à",
                 ">": "est supérieur à", "≤": "au plus", "≥": "au moins", "≠": "différent de", "≈": "environ",
                 "±": "plus ou moins"},
        symbols={"&": "et", "√": "racine carrée de", "∞": "l'infini", "→": "vers", "§": "paragraphe"},
        squared="au carré", cubed="au cube", power="puissance {}", about="environ",
    ),
    addresses=AddressWords(
        dot="point", at="arobase", slash="barre oblique", dash="tiret", underscore="tiret bas", colon="deux-points",
        hashtag="hashtag", more=(("?", "point d'interrogation"), ("=", "égale"), ("&", "et"), ("%", "pour cent"), ("+",
            "plus")),
    ),
    dates=DateWords(
        locale="fr", days=Days.FIRST, day_month="{d} {m}", year="{t} {y}", before_bare="le|du|au",
        written=((r"(?<![\w.,:/-]){day}(?:er)? {month}(?: {year})?", "{d} {m}"),),
    ),
    clock=ClockWords(
        midnight="minuit", hour="{h} heures", one_hour="une heure", late_hour="{h} heures", hour_minute="{h} heures {m}",
        low_minute="{h} heures {m}", second=" et {s} seconde", seconds=" et {s} secondes", after_midnight="minuit {m}",
        twelve_at_midnight=False, morning="{t} du matin", afternoon="{t} de l'après-midi", feminine_hours=True,
        separators=":hH", letter="[hH]",
    ),
    money=MoneyWords(
        locale="fr",
        symbols={
            "$": Currency("dollar", "dollars", "cent", "cents"), "€": Currency("euro", "euros", "centime", "centimes"),
            "£": Currency("livre", "livres", "penny", "pence", feminine=True), "¥": Currency("yen", "yens"),
            "R$": Currency("réal", "réaux", "centavo", "centavos"), "₹": Currency("roupie", "roupies", feminine=True),
            "₩": Currency("won", "wons"), "₽": Currency("rouble", "roubles"), "₺": Currency("livre turque", "livres turques"),
            "₿": Currency("bitcoin", "bitcoins"), "¢": Currency("cent", "cents"), "US$": Currency("dollar", "dollars", "cent",
                "cents"),
        },
        sizes={"mille": ("mille", "mille", "k", "K"),
               "million": ("million", "millions", "million d'", "millions d'", "million de", "millions de", "M", "m"),
               "milliard": ("milliard", "milliards", "milliard d'", "milliards d'", "milliards de", "Md", "Mds")},
        small="{large} et {small}", of="d'", of_consonant="de ",
    ),
    labels=LabelWords(
        named=r"\b(?:chambre|salle|bus|train|vol|porte|ligne|canal|casier|appartement|quai|tram|autoroute) ",
        coded=r"\b(?:(?:code|pin|mot de passe)(?: est|:)?|composez le|appelez le(?= (?:112|15|17|18|114)\b)) ",
        pairs=r"0[1-9](?:[ .-][0-9]{2}){4}", version="version", point="point", dot="point", number="numéro",
        number_signs=r"\b[nN](?:°|º) ?(?=[0-9])",
    ),
    fractions=FractionWords(
        names={2: "demi", 3: "tiers", 4: "quart"}, many=lambda name, _: name if name.endswith("s") else f"{name}s",
        whole_and="{whole} et {part}", article=lambda name: name if name == "demi" else f"un {name}",
    ),
    units=UnitWords(
        locale="fr", percent="{} pour cent", permille="{} pour mille", per="{} {above} par {below}",
        feminine=re.compile(r"\{\} (?:heure|minute|seconde|tonne|livre|once|calorie|kilocalorie|milliseconde|partie|candela)"),
        spoken={"par heure": "par heure"},
        names={
            "watt hour": ("{} wattheure", "{} wattheures"), "volt ampere": ("{} voltampère", "{} voltampères"),
            "ampere hour": ("{} ampère-heure", "{} ampères-heures"), "decibel": ("{} décibel", "{} décibels"),
            "part per million": ("{} partie par million", "{} parties par million"),
            "part per billion": ("{} partie par milliard", "{} parties par milliard"),
            "revolution": ("{} tour par minute", "{} tours par minute"), "var": ("{} var", "{} vars"),
        },
        prefixes={"tera": "téra", "mega": "méga", "deci": "déci"},
    ),
    years=YearWords(sure=r"\b(?:en|depuis|ann[ée]es?|d[èe]s|de) ", likely=r"\b(?:avant|après|jusqu'en|à) ", to=" à "),
    roman=RomanWords(
        counted=r"chapitre|tome|guerre mondiale|partie|volume|acte|phase|type|niveau",
        rulers="Louis|Henri|Charles|François|Philippe|Napoléon|Jean|Paul|Benoît|Pie|Élisabeth|Guillaume|Georges|Édouard",
        endings=r"er|re|e|ème|ᵉ", most_ordinal=1,
    ),
    short=ShortWords(
        anywhere={"Mme": "madame", "Mmes": "mesdames", "Mlle": "mademoiselle", "MM.": "messieurs", "Dr": "docteur",
                  "Dr.": "docteur", "p. ex.": "par exemple", "p.ex.": "par exemple", "etc.": "et cetera",
                  "c.-à-d.": "c'est-à-dire", "env.": "environ", "av.": "avenue", "bd": "boulevard", "tél.": "téléphone",
                  "max.": "maximum", "temp.": "température", "apr.": "après", "vs": "contre"},
        before_names={"M.": "monsieur", "St": "Saint", "Ste": "Sainte", "Me": "maître", "Pr": "professeur"},
    ),
    capitals=CapitalWords(),
)  # fmt: skip
