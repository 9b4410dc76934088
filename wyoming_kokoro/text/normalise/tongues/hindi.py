"""Hindi."""

from __future__ import annotations

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
from wyoming_kokoro.text.normalise.shortened import ShortWords
from wyoming_kokoro.text.normalise.spelling import NumberWords, Years
from wyoming_kokoro.text.normalise.tongue import Tongue
from wyoming_kokoro.text.normalise.writing import Writing
from wyoming_kokoro.text.normalise.years import YearWords

_RUPEE = Currency("रुपया", "रुपये", "पैसा", "पैसे")
_DOLLAR = Currency("डॉलर", "डॉलर", "सेंट", "सेंट")

TONGUE = Tongue(
    writing=Writing(".", ",", ascii_words=True),
    numbers=NumberWords(
        rules="hi", ordinal="spellout-ordinal-masculine", feminine_ordinal="spellout-ordinal-feminine",
        digits=("शून्य", "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ"),
        point="दशमलव", minus="माइनस", plus="प्लस", oh="शून्य", years=Years.IN_HUNDREDS, hundred="सौ",
    ),
    counting=CountingWords(
        to=" से ", score="{a} {b}", contest="जीत|हार|स्कोर", ordinal="वाँ|वां|वें|रा|ला|था|ठा|st|nd|rd|th",
        feminine_ordinal="वीं|वी|री|ली|थी|ठी", ordinal_end="(?![\u0900-\u0963])",
    ),
    signs=SignWords(
        between={"+": "धन", "=": "बराबर", "×": "गुणा", "*": "गुणा", "÷": "भाग", "<": "से कम", ">": "से ज़्यादा",
                 "≤": "ज़्यादा से ज़्यादा", "≥": "कम से कम", "≠": "बराबर नहीं", "≈": "लगभग", "±": "प्लस माइनस"},
        symbols={"&": "और", "√": "वर्गमूल", "∞": "अनंत", "→": "से"},
        squared="का वर्ग", cubed="का घन", power="की घात {}", about="लगभग",
    ),
    addresses=AddressWords(
        dot="डॉट", at="ऐट", slash="स्लैश", dash="डैश", underscore="अंडरस्कोर", colon="कोलन", hashtag="हैशटैग",
        more=(("?", "प्रश्न चिह्न"), ("=", "बराबर"), ("&", "और"), ("%", "प्रतिशत"), ("+", "प्लस")),
    ),
    dates=DateWords(
        locale="hi", days=Days.CARDINAL, day_month="{d} {m}", year="{t} {y}",
        written=((r"(?<![\w.,:/-]){day} {month},? {year}", "{d} {m}"),),
    ),
    clock=ClockWords(
        midnight="रात बारह बजे", hour="{h} बजे", late_hour="{h} बजे", hour_minute="{h} बजकर {m} मिनट",
        low_minute="{h} बजकर {m} मिनट", second=" {s} सेकंड", seconds=" {s} सेकंड", after_midnight="रात {t}",
        morning="सुबह {t}", afternoon="शाम {t}", unit="बजे",
    ),
    money=MoneyWords(
        locale="hi",
        symbols={
            "₹": _RUPEE, "Rs.": _RUPEE, "Rs": _RUPEE, "रु.": _RUPEE, "$": _DOLLAR, "US$": _DOLLAR,
            "€": Currency("यूरो", "यूरो", "सेंट", "सेंट"), "£": Currency("पाउंड", "पाउंड", "पेंस", "पेंस"),
            "¥": Currency("येन", "येन"), "₩": Currency("वोन", "वोन"), "₽": Currency("रूबल", "रूबल"),
            "₺": Currency("लीरा", "लीरा"), "₿": Currency("बिटकॉइन", "बिटकॉइन"), "¢": Currency("सेंट", "सेंट"),
            "R$": Currency("रियाल", "रियाल"),
        },
        sizes={"हज़ार": ("हज़ार", "हज़ार", "हजार", "k", "K"), "लाख": ("लाख", "लाख"), "करोड़": ("करोड़", "करोड़", "Cr", "cr"),
               "मिलियन": ("मिलियन", "मिलियन", "M", "m"), "बिलियन": ("बिलियन", "बिलियन", "bn", "B")},
        small="{large} {small}",
    ),
    labels=LabelWords(
        named="(?:कमरा|कमरे|बस|ट्रेन|गेट|फ्लैट|लॉकर|प्लेटफॉर्म|उड़ान|room|bus|train|flight) (?:नंबर |संख्या |नं. )?",
        coded="(?:कोड|पिन|पासवर्ड|PIN|OTP|ओटीपी)(?: है|:)? ",
        telephones=r"0?[6-9][0-9]{4}[ -][0-9]{5}|0[0-9]{5}[ -][0-9]{5}|[6-9][0-9]{9}",
        version="संस्करण", point="पॉइंट", dot="डॉट", number="नंबर", number_signs=r"(?:नं|सं)\. ?(?=[0-9])",
    ),
    fractions=FractionWords(
        names={2: "आधा", 3: "तिहाई", 4: "चौथाई", 5: "पाँचवाँ हिस्सा", 6: "छठा हिस्सा", 8: "आठवाँ हिस्सा",
               10: "दसवाँ हिस्सा", 12: "बारहवाँ हिस्सा", 16: "सोलहवाँ हिस्सा"},
        many=lambda name, _: name, whole_and="{whole} सही {part}", half=("आधा", "आधा"), article=lambda name: f"एक बटा {name}",
    ),
    units=UnitWords(
        locale="hi", percent="{} प्रतिशत", permille="{} प्रति हज़ार", per="{} {above} प्रति {below}",
        spoken={"मिली एम्पीयर": "मिलीएम्पीयर", "अंश": "डिग्री", "मीट्रिक टन": "टन"},
        names={
            "watt hour": ("{} वॉट घंटा", "{} वॉट घंटे"), "volt ampere": ("{} वोल्ट एम्पीयर", "{} वोल्ट एम्पीयर"),
            "ampere hour": ("{} एम्पीयर घंटा", "{} एम्पीयर घंटे"), "decibel": ("{} डेसिबल", "{} डेसिबल"),
            "part per million": ("दस लाख में {} हिस्सा", "दस लाख में {} हिस्से"),
            "part per billion": ("अरब में {} हिस्सा", "अरब में {} हिस्से"),
            "revolution": ("{} चक्कर प्रति मिनट", "{} चक्कर प्रति मिनट"), "var": ("{} वार", "{} वार"),
        },
        local={"किग्रा": "mass-kilogram", "ग्रा": "mass-gram", "किमी": "length-kilometer", "मी": "length-meter",
               "सेमी": "length-centimeter", "मिमी": "length-millimeter", "ली": "volume-liter", "मिली": "volume-milliliter",
               "कि.ग्रा.": "mass-kilogram", "कि.मी.": "length-kilometer"},
        prefixes={"tera": "टेरा", "giga": "गीगा", "mega": "मेगा", "kilo": "किलो", "hecto": "हेक्टो", "deci": "डेसी",
                  "centi": "सेंटी", "milli": "मिली", "micro": "माइक्रो", "nano": "नैनो", "pico": "पिको"},
    ),
    years=YearWords(sure="(?:सन्|सन|वर्ष|साल) ", likely="(?!)", behind=" (?:में|ई|के बाद|से पहले|की बात)", to=" से "),
    short=ShortWords(
        anywhere={"डॉ.": "डॉक्टर", "डा.": "डॉक्टर", "प्रो.": "प्रोफ़ेसर", "श्रीमती.": "श्रीमती", "पं.": "पंडित",
            "कु.": "कुमारी",
                  "कि.मी.": "किलोमीटर", "नं.": "नंबर", "Dr.": "डॉक्टर", "Mr.": "मिस्टर", "Mrs.": "मिसेज़", "etc.": "वगैरह"},
    ),
    capitals=CapitalWords(as_words=frozenset({"NASA", "COVID", "SIM", "PIN", "OK"}), spells_all=True),
)  # fmt: skip
