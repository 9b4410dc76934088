"""Japanese."""

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
from wyoming_kokoro.text.normalise.spelling import NumberWords
from wyoming_kokoro.text.normalise.tongue import Tongue
from wyoming_kokoro.text.normalise.writing import Writing
from wyoming_kokoro.text.normalise.years import YearWords

_YEN = Currency("円", "円")
_DOLLAR = Currency("ドル", "ドル", "セント", "セント")

TONGUE = Tongue(
    writing=Writing(".", ",", ascii_words=True),
    numbers=NumberWords(
        rules="ja", cardinal="spellout-cardinal", ordinal="spellout-ordinal",
        digits=("ゼロ", "一", "二", "三", "四", "五", "六", "七", "八", "九"),
        point="点", minus="マイナス", plus="プラス", oh="ゼロ", gap="", labels_by_digits=True,
        finish=lambda said, _: said.replace("〇", "ゼロ"),
    ),
    counting=CountingWords(to="から", score="{a}対{b}", contest="勝|負|スコア|試合", ratio="対", dashes="~～〜"),
    signs=SignWords(
        between={"+": "足す", "=": "は", "×": "掛ける", "*": "掛ける", "÷": "割る", "<": "小なり", ">": "大なり", "≤": "以下",
                 "≥": "以上", "≠": "ノットイコール", "≈": "およそ", "±": "プラスマイナス", "＋": "足す", "＝": "は"},
        symbols={"&": "アンド", "＆": "アンド", "√": "ルート", "∞": "無限大", "→": "から", "〒": "郵便番号"},
        squared="の二乗", cubed="の三乗", power="の{}乗", about="約",
    ),
    addresses=AddressWords(
        dot="ドット", at="アットマーク", slash="スラッシュ", dash="ハイフン", underscore="アンダーバー", colon="コロン",
        hashtag="ハッシュタグ",
        more=(("?", "クエスチョン"), ("=", "イコール"), ("&", "アンド"), ("%", "パーセント"), ("+", "プラス")),
    ),
    dates=DateWords(
        locale="ja", days=Days.CARDINAL, day_month="{m}{d}日", year="{y}年{t}", order="md",
        written_year="(?P<year>[0-9]{4})(?=年)",
    ),
    clock=ClockWords(
        midnight="零時", hour="{h}時", late_hour="{h}時", hour_minute="{h}時{m}分", low_minute="{h}時{m}分", second="{s}秒",
        seconds="{s}秒", after_midnight="{t}", twelve_at_midnight=False, morning="午前{t}", afternoon="午後{t}",
        separators=":：",
        written="(?<![0-9])(?P<hour>[01]?[0-9]|2[0-4])時(?P<minute>[0-5]?[0-9])分(?!間)",
    ),
    money=MoneyWords(
        locale="ja",
        symbols={
            "¥": _YEN, "￥": _YEN, "$": _DOLLAR, "＄": _DOLLAR, "US$": _DOLLAR, "€": Currency("ユーロ", "ユーロ", "セント",
                "セント"),
            "£": Currency("ポンド", "ポンド", "ペンス", "ペンス"), "₹": Currency("ルピー", "ルピー"), "₩": Currency("ウォン",
                "ウォン"),
            "₽": Currency("ルーブル", "ルーブル"), "₺": Currency("リラ", "リラ"), "₿": Currency("ビットコイン", "ビットコイン"),
            "¢": Currency("セント", "セント"), "R$": Currency("レアル", "レアル"),
        },
        sizes={"千": ("千", "千", "k", "K"), "万": ("万", "万"), "億": ("億", "億"), "兆": ("兆", "兆"),
               "百万": ("百万", "百万", "M", "m")},
        small="{large}{small}", symbols_after="$€£¥￥₹₩₽₺₿¢",
    ),
    labels=LabelWords(
        named="(?:部屋|バス|列車|ロッカー|便名)(?:番号)?(?:は|:|：)?",
        coded="(?:コード|暗証番号|番号|パスワード|PIN)(?:は|:|：)?",
        behind="号室|号車|便|番ゲート", telephones=r"0[0-9]{1,3}-[0-9]{2,4}-[0-9]{4}", version="バージョン", point="点",
        dot="ドット", number="ナンバー", number_signs=r"(?:No\.|№) ?(?=[0-9])", pause="、",
    ),
    fractions=FractionWords(whole_and="{whole}と{part}", bottom_first="{bottom}分の{top}"),
    units=UnitWords(
        locale="ja", percent="{}パーセント", permille="{}パーミル", per="{}{above}毎{below}",
        names={
            "watt hour": ("{}ワット時",) * 2, "volt ampere": ("{}ボルトアンペア",) * 2, "ampere hour": ("{}アンペア時",) * 2,
            "decibel": ("{}デシベル",) * 2, "part per million": ("{}ピーピーエム",) * 2,
            "part per billion": ("{}ピーピービー",) * 2,
            "revolution": ("毎分{}回転",) * 2, "var": ("{}バール",) * 2, "speed-meter-per-second": ("秒速{}メートル",) * 2,
        },
        local={"度": "angle-degree"},
        prefixes={"tera": "テラ", "giga": "ギガ", "mega": "メガ", "kilo": "キロ", "hecto": "ヘクト", "deci": "デシ",
                  "centi": "センチ", "milli": "ミリ", "micro": "マイクロ", "nano": "ナノ", "pico": "ピコ"},
    ),
    years=YearWords(sure="(?!)", likely="(?!)", to="から"),
    short=ShortWords(anywhere={"株)": "株式会社", "㈱": "株式会社", "No.": "ナンバー"}),
    capitals=CapitalWords(as_words=frozenset({"NASA", "COVID"}), spells_all=True),
)  # fmt: skip
