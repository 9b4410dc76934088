"""A text of Markdown that is read block by block says the words that markdown-it finds in the whole document."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from wyoming_kokoro.text.markup.markdown import Markdown

DOCUMENTS = [
    "# Weather\n\nToday is **sunny** and *warm*, not ~~cold~~.",
    "- First `item`\n- Second [link](http://x.com/a_b)\n  - inner **one**\n",
    "1. Lock the door.\n2. Turn off the _lights_.\n",
    "> A quote\n> of two lines\n\nand a paragraph\nof two lines",
    "| a | b |\n|---|---|\n| one | **two** |\n",
    "```py\nprint('x')\n```\n\nDone.",
    "A snake_case_name, 2 * 3 and \\*stars\\* &amp; more",
    "![picture](x.png) and <https://example.com/>",
    "Heading\n=======\n\ntext\n\n---\n\nmore",
    "Mixed **bold _and italic_ text** here",
]


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def spoken_by_us(document: str) -> list[str]:
    markdown = Markdown()
    runs = [*markdown.feed(document), *markdown.finish()]
    assert "".join(run.source for run in runs) == document
    return words("".join(run.plain for run in runs))


def spoken_by_markdown_it(document: str) -> list[str]:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(document)
    texts = []
    for token in tokens:
        if token.type == "fence":
            texts.append(token.content)
        texts += [child.content or "\n" for child in token.children or [] if child.type != "html_inline"]
    return words(" ".join(texts).replace("  ", " "))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_same_words_are_spoken(document: str) -> None:
    ours = [word for word in spoken_by_us(document) if not word.isdigit()]
    theirs = [word for word in spoken_by_markdown_it(document) if not word.isdigit()]
    assert "".join(ours) == "".join(theirs)
