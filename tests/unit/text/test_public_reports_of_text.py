"""Faults that people reported of other speech servers; each id is that of a report in the project's collection."""

from __future__ import annotations

import pytest

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.recipe import Boundary, Profile, TextFormat
from wyoming_kokoro.text.pipeline import TextPipeline


def spoken(text: str, language: str = "en-US", text_format: TextFormat = TextFormat.PLAIN) -> list[str]:
    sentences = TextPipeline().cut(text, language=language, profile=Profile.BALANCED, text_format=text_format)
    return [sentence.spoken for sentence in sentences]


SPOKEN = {
    "P001": ("Parking fine: $85.", "Parking fine: eighty-five dollars."),
    "P004": ("You walked 4,318 steps.", "You walked four thousand three hundred eighteen steps."),
    "P007": ("The warranty ends on 2027-03-14.", "The warranty ends on March fourteenth, twenty twenty-seven."),
    "P010": ("Milk is 2€ today.", "Milk is two euros today."),
    "P011": ("Quedan 2,5 litros.", "Quedan two point five litros."),
    "P016": ("Outside it is 11.5 degrees.", "Outside it is eleven point five degrees."),
    "P020": ("Train 7A leaves at 6:02 a.m.", "Train seven-A leaves at six oh two A. M."),
    "P022": ("The car is 50m away.", "The car is fifty meters away."),
    "P025": ("Join the 5GHz network.", "Join the five gigahertz network."),
    "P026": ("The sensor draws 20 mA.", "The sensor draws twenty milliamps."),
    "P028": ("Quiet time starts at 00:00.", "Quiet time starts at midnight."),
    "P031": ("The 3rd alarm is at 12:07.", "The third alarm is at twelve oh seven."),
    "P032": ("Your parcel is in locker 1207.", "Your parcel is in locker twelve oh seven."),
    "P035": ("Call 0800 555 0199.", "Call zero eight zero zero, five five five, zero one nine nine."),
    "P037": ("Dial 867-5309.", "Dial eight six seven, five three zero nine."),
    "P041": ("The house was built in 1908.", "The house was built in nineteen oh eight."),
    "P046": ("The water tank is 3/4 full.", "The water tank is three quarters full."),
    "P047": ("Add ½ cup of rice.", "Add one half cup of rice."),
    "P049": ("Firmware v3.4.0 is available.", "Firmware version three point four point zero is available."),
    "P056": ("Please *don't* open the oven.", "Please don't open the oven."),
    "P059": ("Sensor back_door_left is open.", "Sensor back door left is open."),
    "P062": ("The <b>oven</b> is hot.", "The oven is hot."),
    "P080": ("Well… dinner is ready.", "Well… dinner is ready."),
    "P089": ("It’s Anna’s turn; don’t wait.", "It's Anna's turn; don't wait."),
    "P092": ("It costs $200,000.", "It costs two hundred thousand dollars."),
    "P113": ("6:31 PM", "six thirty-one P M"),
}

SPLIT = {
    "P067": ("First. [pause=1] Second.", ["First.", "Second."]),
    "P070": ("Bring cups, plates, etc. Then sit down.", ["Bring cups, plates, et cetera.", "Then sit down."]),
    "P074": ("She moved to the U.S. Her brother stayed.", ["She moved to the U.S.", "Her brother stayed."]),
    "P079": (
        "Dr. Patel paid 2.75 at shop.example. Great.",
        ["Doctor Patel paid two point seven five at shop dot example.", "Great."],
    ),
    "P082": ("Shopping list\nmilk\nbread", ["Shopping list", "milk", "bread"]),
    "P086": ("1. Lock the door. 2. Turn off the lights.", ["one. Lock the door.", "two. Turn off the lights."]),
}


@pytest.mark.parametrize(("text", "expected"), SPOKEN.values(), ids=SPOKEN.keys())
def test_it_is_said_as_people_say_it(text: str, expected: str) -> None:
    assert spoken(text) == [expected]


@pytest.mark.parametrize(("text", "expected"), SPLIT.values(), ids=SPLIT.keys())
def test_it_is_split_where_people_pause(text: str, expected: list[str]) -> None:
    assert spoken(text) == expected


def test_p064_p065_tags_of_ssml_are_not_spoken() -> None:
    said = spoken('<speak>Dinner<break time="400ms"/> is ready</speak>', text_format=TextFormat.SSML)
    assert said == ["Dinner", "is ready"]
    assert spoken("<speak>Test.</speak>", text_format=TextFormat.SSML) == ["Test."]


def test_p065_broken_ssml_is_refused_with_its_place() -> None:
    with pytest.raises(RefusedError, match=r"mismatched tag; line 2, column 11") as refusal:
        spoken("<speak>\nTest.<b></speak>", text_format=TextFormat.SSML)
    assert refusal.value.field == "text"


def test_p082_grouped_lines_still_pause() -> None:
    sentences = TextPipeline().cut(
        "Shopping list\nmilk\nbread", language="en-US", profile=Profile.QUALITY, text_format=TextFormat.PLAIN
    )
    assert [sentence.spoken for sentence in sentences] == ["Shopping list. milk. bread"]


def test_p085_450_characters_without_punctuation_are_all_spoken_in_pieces_of_whole_words() -> None:
    words = ["turn", "off", "the", "lamp", "in"] * 23
    pieces = spoken(" ".join(words))
    assert len(pieces) > 2
    assert " ".join(pieces).split() == words


def test_p106_japanese_is_split_at_its_own_stops() -> None:
    sentence = "今日は天気がとても良いので、公園まで散歩に行きました。"
    assert spoken(sentence * 12, "ja") == [sentence] * 12


def test_p011_a_decimal_comma_is_read_in_the_language_of_the_voice() -> None:
    assert spoken("Quedan 2,5 litros.", "es") == ["Quedan dos coma cinco litros."]


def test_p110_latin_words_stay_in_a_chinese_sentence() -> None:
    assert spoken("请检查 Wi-Fi 设备。", "zh-CN") == ["请检查 Wi-Fi 设备。"]


def test_the_first_piece_of_the_latency_profile_is_the_first_clause_of_three_words() -> None:
    sentences = TextPipeline().cut(
        "Well, when you get home, please lock the door, too. Thanks, Bob.",
        language="en-US", profile=Profile.LATENCY, text_format=TextFormat.PLAIN,
    )  # fmt: skip
    assert [(sentence.spoken, sentence.opens, sentence.closes) for sentence in sentences] == [
        ("Well, when you get home,", Boundary.START, Boundary.CLAUSE),
        ("please lock the door, too.", Boundary.CLAUSE, Boundary.SENTENCE),
        ("Thanks, Bob.", Boundary.SENTENCE, Boundary.SENTENCE),
    ]
