"""scripts/image: how a Dockerfile is read."""

from __future__ import annotations

import pytest

from scripts.image.instructions import DockerfileError, expand, read
from scripts.image.stages import needed, stages


def test_lines_are_continued_across_comments_and_empty_lines() -> None:
    found = read("# head\nRUN one \\\n    # between\n\n    && two\nUSER 5\n")
    assert [(step.line, step.name, step.rest) for step in found] == [(2, "RUN", "one && two"), (6, "USER", "5")]


def test_flags_are_parted_from_the_rest() -> None:
    (step,) = read("COPY --from=builder --chown=1:2 /a /b/")
    assert (step.flags, step.words()) == ({"from": "builder", "chown": "1:2"}, ["/a", "/b/"])


def test_a_list_is_a_list_and_anything_else_is_for_the_shell() -> None:
    listed, brackets = read('CMD ["serve", "--fast"]\nRUN [ -x /bin/sh ]')
    assert listed.listed() == ["serve", "--fast"]
    assert brackets.listed() is None


@pytest.mark.parametrize(
    "text",
    [
        "ADD a b",
        "ONBUILD RUN x",
        "RUN --mount=type=cache,target=/x true",
        "RUN <<EOF\ntrue\nEOF",
        "RUN true \\\n",
        "HEALTHCHECK --often=1s CMD x",
    ],
)
def test_what_is_not_known_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(DockerfileError, match=r"^line 1: "):
        read(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$A-${A}", "one-one"),
        ("${B:-none}", "none"),
        ("${A:-none}", "one"),
        ("${A:+is there}${B:+is there}", "is there"),
        (r"\$A", "$A"),
        ("$B.", "."),
        ("${B:-$A}", "one"),
    ],
)
def test_variables_are_replaced_as_docker_does(text: str, value: str) -> None:
    assert expand(text, {"A": "one"}) == value


FOUR = """
ARG FROM=debian:12
FROM ${FROM} AS builder
RUN true
FROM x AS other
FROM ${FROM} AS Plain
COPY --from=builder a b
FROM plain
"""


def test_a_target_needs_its_sources_and_no_more() -> None:
    found, arguments = stages(read(FOUR), {})
    assert arguments == {"FROM": "debian:12"}
    assert [stage.name for stage in needed(found, None)] == ["builder", "plain", "3"]
    assert [stage.name for stage in needed(found, "builder")] == ["builder"]


def test_a_build_argument_replaces_a_default() -> None:
    found, _ = stages(read(FOUR), {"FROM": "debian:13"})
    assert found["builder"].image == "debian:13"


@pytest.mark.parametrize("text", ["RUN true\nFROM a", "ARG A=1", "ARG A\nFROM $A", "FROM a b"])
def test_a_file_that_no_image_can_come_of_is_refused(text: str) -> None:
    with pytest.raises(DockerfileError):
        stages(read(text), {})
