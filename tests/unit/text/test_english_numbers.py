"""English numbers beyond what people reported."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.text.spoken import Speaking

SAID = {
    "$1.50, $1, $0.99": "one dollar and fifty cents, one dollar, ninety-nine cents",
    "-$5, $2bn": "minus five dollars, two billion dollars",
    "€2,50 and £3.01 and $1.5m": "two euros and fifty cents and three pounds and one penny and one point five million dollars",
    "CHF 20": "twenty Swiss francs",
    "1,2,3 go": "one, two, three go",
    "Freezer is -15": "Freezer is minus fifteen",
    "21°C, 1 °F, 70°": "twenty-one degrees Celsius, one degree Fahrenheit, seventy degrees",
    "50%, 5-10%": "fifty percent, five to ten percent",
    "in 1500 metres": "in one thousand five hundred metres",
    "after 1200 steps": "after one thousand two hundred steps",
    "since 2001, the 1984 election, 1914–1918": "since two thousand one, the nineteen eighty-four election, "
    "nineteen fourteen to nineteen eighteen",
    "7:00, 18:00, 00:05, 9:00-10:30": "seven o'clock, eighteen hundred, twelve oh five A. M., nine o'clock to ten thirty",
    "It ends at 5 p.m.": "It ends at five P M.",
    "The total is $1,234.56 and €3.": "The total is one thousand two hundred thirty-four dollars and fifty-six cents "
    "and three euros.",
    "₹1,23,456.50, $0.00, $0.50, $1.50th, $5½": "one hundred twenty-three thousand four hundred fifty-six rupees and fifty "
    "paise, zero dollars, fifty cents, $one point five zero th, $five and a half",
    "$1,2345 stays": "$one, two thousand three hundred forty-five stays",
    "$5-10, $5-$10, 5–10 €, £20 -$5": "five to ten dollars, five dollars to ten dollars, five to ten euros, "
    "twenty pounds minus five dollars",
    "5pm-6pm, 2-7pm, 9 am – 5 pm": "five P M to six P M, two to seven P M, nine A. M. to five P M",
    "x², 10³, ２１, ٣ and 5 m²": "x squared, ten cubed, twenty-one, three and five square meters",
    "2*3, 2 × 3, 2**3, *5 of **7**": "two times three, two times three, two three, five of seven",
    "1,000,000,000,000,000,000th": "one zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero "
    "zero zero th",
    "25:61, 2027-13-45, 1/0": "twenty-five, sixty-one, two thousand twenty-seven, thirteen, forty-five, one slash zero",
    "21st, 100th, 1,000th": "twenty-first, one hundredth, one thousandth",
    "2½ cups, 1 1/2 hours": "two and a half cups, one and a half hours",
    "won 3-0 in John 3:16": "won three to zero in John three sixteen",
    "0.5 and .5 and 007": "zero point five and zero point five and zero zero seven",
    "10-year-old": "ten-year-old",
    "24/7 A4 B2B COVID-19 1e5 2x4": "twenty-four seven A four B two B COVID nineteen one e five two x four",
    "1234567890123456789012": "one two three four five six seven eight nine zero one two three four five six seven eight "
    "nine zero "
    "one two",
}


@pytest.mark.parametrize(("text", "said"), SAID.items())
def test_it_is_said_in_words(text: str, said: str) -> None:
    assert Speaking("en-US").spoken(text) == said


def test_british_english_has_its_and_and_its_dates() -> None:
    said = Speaking("en-GB").spoken("105 of 4,018 km on 2027-03-14")
    assert (
        said == "one hundred and five of four thousand and eighteen kilometres on the fourteenth of March, twenty twenty-seven"
    )


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0123456789.,:/-–−+$€£%°½ apmkCFvstndrhMA#\n", max_size=30), st.sampled_from(["en-US", "en-GB"]))
def test_any_row_of_figures_stays_speakable_and_nothing_raises(text: str, language: str) -> None:
    said = Speaking(language).spoken(text)
    assert any(char.isalnum() for char in said) == any(char.isalnum() for char in text)


@given(st.integers(0, 10**15 - 1))
def test_grouped_numbers_and_ungrouped_ones_are_the_same_number(number: int) -> None:
    speaking = Speaking("en-US")
    said = speaking.spoken(f"It is {number:,} now.")
    assert not any(char.isdigit() for char in said)
    if 2100 < number < 1_000_000:
        assert speaking.spoken(f"It is {number} now.") == said
