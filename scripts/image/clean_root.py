"""Roots of a Debian in a folder, and commands in them that see nothing of this machine but its kernel and network."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.image.instructions import DockerfileError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_INSIDE = "/run/host-certificates.crt"
_TRUST = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")

# In namespaces of its own, so that its mounts and processes end with it, however it ends.
_ENTER = """
set -eu
root=$1 certificates=$2 user=$3 folder=$4
shift 4
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
[ -z "$certificates" ] || cp "$certificates" "$root/run/host-certificates.crt"
exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
"""


@dataclass(frozen=True, slots=True)
class CleanRoot:
    """One of them, in a folder."""

    path: Path

    @classmethod
    def bootstrap(cls, place: Path, suite: str, packages: Sequence[str] = ()) -> CleanRoot:
        """A minimal Debian with these packages besides; kept where it is there already. Raises `DockerfileError`."""
        if not shutil.which("debootstrap"):
            raise DockerfileError("debootstrap is missing: apt-get install debootstrap")
        if not (place / "complete").exists():
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            include = [f"--include={','.join(packages)}"] if packages else []
            command = ["debootstrap", "--variant=minbase", *include, suite, str(place / "root")]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
            if done.returncode:
                raise DockerfileError(f"debootstrap ends with status {done.returncode}")
            _have_all_archives(place / "root", suite)
            (place / "complete").touch()
        return cls(place / "root")

    def copy_to(self, path: Path) -> CleanRoot:
        """The same in another folder, which is not there yet."""
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "--archive", "--reflink=auto", self.path, path], check=True)
        return CleanRoot(path)

    def command(
        self, words: Sequence[str], *, user: str = "0:0", folder: str = "/", environment: Mapping[str, str]
    ) -> list[str]:
        """The words that run these words in it, as user:group in numbers."""
        certificates = str(_CERTIFICATES) if _CERTIFICATES.exists() else ""
        known = {**_surroundings(), **environment}
        namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=private"]
        enter = ["sh", "-c", _ENTER, "sh", str(self.path), certificates, user, folder]
        return [*namespaces, *enter, "env", "-i", *(f"{name}={value}" for name, value in known.items()), *words]

    def owner(self, words: str) -> tuple[int, int]:
        """`USER[:GROUP]` as numbers, names looked up inside. Raises `DockerfileError`."""
        user, _, group = words.partition(":")
        number = int(self._entry("passwd", user)[2])
        return number, int(self._entry("group", group)[2] if group else self._entry("passwd", user)[3])

    def _entry(self, file: str, name: str) -> list[str]:
        """A line of /etc/passwd or /etc/group; a number stands for itself."""
        if name.isdecimal():
            return [name, "", name, name]
        for line in (self.path / "etc" / file).read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name}:"):
                return line.split(":")
        raise DockerfileError(f"there is no {name} in /etc/{file}")

    def size_bytes(self) -> int:
        """What its files take on the disk."""
        listed = subprocess.run(["du", "--summarize", "--block-size=1", self.path], capture_output=True, text=True, check=True)
        return int(listed.stdout.split()[0])


def _surroundings() -> dict[str, str]:
    """What a command needs to know of this network: whom to trust, which proxy to take."""
    proxies = {name: value for name, value in os.environ.items() if name.lower() in {"http_proxy", "https_proxy"}}
    return {**proxies, **(dict.fromkeys(_TRUST, _INSIDE) if _CERTIFICATES.exists() else {})}


def _have_all_archives(root: Path, suite: str) -> None:
    """Updates and security fixes, too, as in the images; from where the rest came."""
    sources = root / "etc" / "apt" / "sources.list"
    kind, mirror, *_ = sources.read_text(encoding="utf-8").split()
    lines = [f"{mirror} {suite}", f"{mirror} {suite}-updates", f"{mirror.rstrip('/')}-security {suite}-security"]
    sources.write_text("".join(f"{kind} {line} main\n" for line in lines), encoding="utf-8")
    shutil.rmtree(root / "var" / "cache" / "apt" / "archives", ignore_errors=True)
