"""The command line of scripts/try_dockerfile."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from scripts.image.build import Build, Image
from scripts.image.clean_root import CleanRoot
from scripts.image.instructions import DockerfileError
from scripts.image.trial import started_words, tell, try_out

SUITES = {r"bookworm|^debian:12": "bookworm", r"trixie|^debian:13": "trixie"}
"""Which Debian an image is."""
OF_HOME_ASSISTANT = ("bash", "ca-certificates", "curl", "jq", "tzdata", "xz-utils")
"""What Home Assistant's base holds besides; s6-overlay, bashio and tempio are no packages and are missing."""


def bases(work: Path, stand_ins: dict[str, str]) -> Build:
    """Builds whose images are stood for by bootstrapped roots."""

    def base(image: str) -> CleanRoot:
        suite = stand_ins.get(image) or next((suite for pattern, suite in SUITES.items() if re.search(pattern, image)), None)
        if suite is None:
            raise DockerfileError(f"{image}: say by --stand-in {image}=SUITE which Debian stands for it")
        packages = OF_HOME_ASSISTANT if "home-assistant" in image else ()
        place = work / "bases" / (f"{suite}-home-assistant" if packages else suite)
        return CleanRoot.bootstrap(place, suite, packages)

    return Build(work, base)


def parser() -> argparse.ArgumentParser:
    """Its arguments."""
    made = argparse.ArgumentParser(prog="scripts/try_dockerfile", description="Carry out a Dockerfile in clean roots, as root.")
    made.add_argument("dockerfile", type=Path, nargs="?", default=Path("Dockerfile"))
    made.add_argument("--target", help="the stage to make (default: the last)")
    made.add_argument("--build-arg", action="append", default=[], metavar="NAME=VALUE")
    made.add_argument("--stand-in", action="append", default=[], metavar="IMAGE=SUITE", help="which Debian stands for an image")
    made.add_argument("--work", type=Path, help="a folder on a disk with 6 GB, kept (default: one in /var/tmp, removed)")
    made.add_argument("--no-trial", action="store_true", help="only make it, without starting what it starts")
    made.add_argument("--keep", type=Path, help="a folder to which the root is moved in the end, for a look")
    made.add_argument("--run", help="what to start instead of the image's own command")
    return made


def main() -> int:
    """0 where all steps work and the server speaks."""
    arguments = parser().parse_args()
    work = arguments.work or Path(tempfile.mkdtemp(prefix="wyoming-kokoro-image-", dir="/var/tmp"))
    build = bases(work, _pairs(arguments.stand_in))
    build.build_args = _pairs(arguments.build_arg)
    image: Image | None = None
    try:
        began = time.monotonic()
        image = build.make(arguments.dockerfile, Path.cwd(), arguments.target)
        print(f"made in {time.monotonic() - began:.0f} s")
        if not arguments.no_trial:
            _try(image, arguments.run)
    except DockerfileError as error:
        print(f"try_dockerfile: {error}", file=sys.stderr)
        return 1
    finally:
        if arguments.keep and image is not None:
            shutil.move(image.root.path, arguments.keep)
        shutil.rmtree(work / "stages", ignore_errors=True)
        shutil.rmtree(work if not arguments.work else work / "context", ignore_errors=True)
    return 0


def _try(image: Image, words: str | None) -> None:
    tell(image, try_out(image, words.split() if words else started_words(image)))


def _pairs(words: list[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)


if __name__ == "__main__":
    sys.exit(main())
