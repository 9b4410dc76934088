"""Mandarin Chinese."""

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
from wyoming_kokoro.text.normalise.shortened import ShortWords
from wyoming_kokoro.text.normalise.spelling import NumberWords, Years
from wyoming_kokoro.text.normalise.tongue import Tongue
from wyoming_kokoro.text.normalise.writing import Writing
from wyoming_kokoro.text.normalise.years import YearWords

_YUAN = Currency("元", "元", "分", "分")
_DOLLAR = Currency("美元", "美元", "美分", "美分")
_MEASURE_WORDS = re.compile(
    "(?: ?(?:个|位|只|条|张|次|天|小时|块|元|杯|台|盏|间|层|本|辆|周|年(?!月)|件|把|份|名|家|场|种|瓶|袋|盒|倍|秒|米|斤"
    "|公斤|公里|升"
    "|分钟|点(?![0-9零一二三四五六七八九])|口|头|颗|根|扇|部|首|片|双|对|套|顿|遍|趟|岁|人|千|万|亿))"
)

TONGUE = Tongue(
    writing=Writing(".", ",", ascii_words=True),
    numbers=NumberWords(
        rules="zh", cardinal="spellout-cardinal", counted="spellout-cardinal-alternate2",
        feminine="spellout-cardinal-alternate2", ordinal="spellout-ordinal",
        digits=("零", "一", "二", "三", "四", "五", "六", "七", "八", "九"),
        point="点", minus="负", plus="加", oh="零", gap="", years=Years.BY_DIGITS, labels_by_digits=True,
        feminine_nouns=_MEASURE_WORDS, finish=lambda said, _: said.replace("〇", "零"),
    ),
    counting=CountingWords(to="到", score="{a}比{b}", contest="赢|胜|输|负|比分", ratio="比", dashes="~～〜"),
    signs=SignWords(
        between={"+": "加", "=": "等于", "×": "乘", "*": "乘", "÷": "除以", "<": "小于", ">": "大于", "≤": "不超过",
            "≥": "不少于",
                 "≠": "不等于", "≈": "约等于", "±": "正负", "＋": "加", "＝": "等于"},
        symbols={"&": "和", "√": "根号", "∞": "无穷大", "→": "到"},
        squared="的平方", cubed="的立方", power="的{}次方", about="约",
    ),
    addresses=AddressWords(
        dot="点", at="艾特", slash="斜杠", dash="横杠", underscore="下划线", colon="冒号", hashtag="话题",
        more=(("?", "问号"), ("=", "等于"), ("&", "和"), ("%", "百分号"), ("+", "加")),
    ),
    dates=DateWords(
        locale="zh", days=Days.CARDINAL, day_month="{m}{d}日", year="{y}年{t}", order="md",
        written_year="(?P<year>[0-9]{4})(?=年)",
    ),
    clock=ClockWords(
        midnight="零点", hour="{h}点", late_hour="{h}点", hour_minute="{h}点{m}分", low_minute="{h}点零{m}分", second="{s}秒",
        seconds="{s}秒", after_midnight="{t}", twelve_at_midnight=False, morning="上午{t}", afternoon="下午{t}",
        separators=":：",
        written="(?<![0-9])(?P<hour>[01]?[0-9]|2[0-4])[点时](?P<minute>[0-5][0-9])分(?!钟)",
    ),
    money=MoneyWords(
        locale="zh_Hans_CN",
        symbols={
            "¥": Currency("元", "元"), "￥": Currency("元", "元"), "$": _DOLLAR, "＄": _DOLLAR, "US$": _DOLLAR,
            "€": Currency("欧元", "欧元", "欧分", "欧分"), "£": Currency("英镑", "英镑", "便士", "便士"),
            "₹": Currency("卢比", "卢比"),
            "₩": Currency("韩元", "韩元"), "₽": Currency("卢布", "卢布"), "₺": Currency("里拉", "里拉"),
            "₿": Currency("比特币", "比特币"), "¢": Currency("美分", "美分"), "R$": Currency("雷亚尔", "雷亚尔"),
        },
        sizes={"千": ("千", "千", "k", "K"), "万": ("万", "万"), "亿": ("亿", "亿"), "百万": ("百万", "百万", "M", "m")},
        small="{large}{small}", symbols_after="$€£¥￥₹₩₽₺₿¢",
    ),
    labels=LabelWords(
        named="(?:房间|房号|车次|航班|储物柜)(?:是|:|：)?", coded="(?:密码|代码|验证码|号码|请拨|拨打|致电)(?:是|:|：)?",
        behind="号房|房间|路公交|路车|号线", telephones=r"1[3-9][0-9](?:[ -]?[0-9]{4}){2}|0[0-9]{2,3}-[0-9]{7,8}",
        version="版本", point="点", dot="点", number="号码", number_signs=r"(?:No\.|№) ?(?=[0-9])", pause="，",
    ),
    fractions=FractionWords(whole_and="{whole}又{part}", bottom_first="{bottom}分之{top}"),
    units=UnitWords(
        locale="zh_Hans_CN", percent="百分之{}", permille="千分之{}", per="每{below}{}{above}",
        names={
            "watt hour": ("{}瓦时",) * 2, "volt ampere": ("{}伏安",) * 2, "ampere hour": ("{}安时",) * 2,
            "decibel": ("{}分贝",) * 2,
            "part per million": ("百万分之{}",) * 2, "part per billion": ("十亿分之{}",) * 2, "revolution": ("每分钟{}转",) * 2,
            "var": ("{}乏",) * 2, "electric-ampere": ("{}安",) * 2, "electric-volt": ("{}伏",) * 2,
        },
        prefixes={"tera": "太", "giga": "吉", "mega": "兆", "kilo": "千", "hecto": "百", "deci": "分", "centi": "厘",
            "milli": "毫",
                  "micro": "微", "nano": "纳", "pico": "皮"},
    ),
    years=YearWords(sure="(?!)", likely="(?!)", to="到"),
    short=ShortWords(anywhere={"No.": "号码"}),
    capitals=CapitalWords(as_words=frozenset({"NASA", "COVID"}), spells_all=True),
)  # fmt: skip
