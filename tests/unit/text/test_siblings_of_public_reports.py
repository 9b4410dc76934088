"""The kinds of fault behind the reports of others, in every language where they can occur; each is named by its report."""

from __future__ import annotations

import pytest

from wyoming_kokoro.text.spoken import Speaking

SIBLINGS = [
    ("P001", "es", "Son $85.", "Son ochenta y cinco dólares."),
    ("P001", "fr", "C'est $85.", "C'est quatre-vingt-cinq dollars."),
    ("P001", "it", "Sono $85.", "Sono ottantacinque dollari."),
    ("P001", "pt-BR", "São R$85.", "São oitenta e cinco reais."),
    ("P001", "hi", "₹85", "पचासी रुपये"),
    ("P001", "ja", "¥85", "八十五円"),
    ("P001", "zh-CN", "¥85", "八十五元"),
    ("P004", "fr", "4318 pas", "quatre mille trois cent dix-huit pas"),
    ("P004", "hi", "4318 कदम", "चार हज़ार तीन सौ अठारह कदम"),
    ("P004", "zh-CN", "4318步", "四千三百一十八步"),
    ("P007", "en-GB", "on 2027-03-14", "on the fourteenth of March, twenty twenty-seven"),
    ("P007", "pt-BR", "em 2027-03-14", "em catorze de março de dois mil e vinte e sete"),
    ("P010", "it", "2€", "due euro"),
    ("P010", "ja", "2€", "二ユーロ"),
    ("P010", "hi", "2€", "दो यूरो"),
    ("P011", "it", "2,5 litri", "due virgola cinque litri"),
    ("P011", "pt-BR", "2,5 litros", "dois vírgula cinco litros"),
    ("P011", "fr", "2.5 litres", "deux virgule cinq litres"),
    ("P011", "ja", "2.5リットル", "二点五リットル"),
    ("P016", "es", "11.5 grados", "once coma cinco grados"),
    ("P016", "zh-CN", "11.5度", "十一点五度"),
    ("P020", "fr", "Bus 42A", "Bus quarante-deux-A"),
    ("P020", "es", "Tren 7A", "Tren siete-A"),
    ("P022", "en-GB", "5m away", "five metres away"),
    ("P022", "es", "a 50m", "a cincuenta metros"),
    ("P022", "hi", "50m", "पचास मीटर"),
    ("P025", "fr", "2,4GHz", "deux virgule quatre gigahertz"),
    ("P025", "zh-CN", "5GHz", "五吉赫"),
    ("P026", "en-US", "20 mV, 3 µA, 5 MW", "twenty millivolts, three microamps, five megawatts"),
    ("P026", "it", "20 mV", "venti millivolt"),
    ("P026", "hi", "20 mV", "बीस मिलीवोल्ट"),
    ("P026", "ja", "20 mV", "二十ミリボルト"),
    ("P026", "zh-CN", "20 mV", "二十毫伏"),
    ("P028", "fr", "à 0:00", "à minuit"),
    ("P028", "it", "alle 00:05", "alle zero e cinque"),
    ("P028", "ja", "0:00", "零時"),
    ("P028", "hi", "00:00", "रात बारह बजे"),
    ("P031", "es", "la 3.ª, a las 12:07", "la tercera, a las doce cero siete"),
    ("P031", "zh-CN", "第3个，12:07", "第三个，十二点零七分"),
    ("P032", "fr", "casier 1207", "casier douze zéro sept"),
    ("P032", "pt-BR", "sala 305", "sala três zero cinco"),
    ("P032", "ja", "305号室", "三ゼロ五号室"),
    ("P035", "fr", "01 23 45 67 89", "zéro un, vingt-trois, quarante-cinq, soixante-sept, quatre-vingt-neuf"),
    ("P035", "es", "912 345 678", "nueve uno dos, tres cuatro cinco, seis siete ocho"),
    ("P037", "en-GB", "555-0123", "five five five, zero one two three"),
    ("P041", "it", "nel 1908", "nel millenovecentotto"),
    ("P041", "hi", "1908 में", "उन्नीस सौ आठ में"),
    ("P041", "zh-CN", "1908年", "一九零八年"),
    ("P041", "ja", "1908年", "千九百八年"),
    ("P046", "pt-BR", "3/4", "três quartos"),
    ("P046", "hi", "3/4", "तीन चौथाई"),
    ("P046", "ja", "3/4", "四分の三"),
    ("P046", "zh-CN", "3/4", "四分之三"),
    ("P047", "fr", "½ verre", "un demi verre"),
    ("P047", "it", "½ tazza", "mezza tazza"),
    ("P049", "it", "v2.0.1", "versione due punto zero punto uno"),
    ("P049", "ja", "v2.0.1", "バージョン二点ゼロ点一"),
    ("P056", "es", "*no* abras", "no abras"),
    ("P059", "fr", "snake_case_nom", "snake case nom"),
    ("P080", "es", "Bueno... ya está.", "Bueno… ya está."),
    ("P089", "fr", "L’heure d’été", "L'heure d'été"),
    ("P089", "it", "L’acqua", "L'acqua"),
    ("P110", "ja", "Wi-Fiを確認", "Wi-Fiを確認"),
    ("P110", "hi", "Wi-Fi चेक करें", "Wi-Fi चेक करें"),
]


@pytest.mark.parametrize(("report", "language", "text", "expected"), SIBLINGS)
def test_the_kind_is_right_in_its_other_languages(report: str, language: str, text: str, expected: str) -> None:
    assert Speaking(language).spoken(text) == expected, report
