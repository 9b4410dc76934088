"""Which web pages may ask: none that makes its own name point here, and none of anybody else. Pure."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_known_host(header: str | None, base_url: str | None) -> bool:
    """Whether a `Host` header names an address, localhost, something in .local, or the host of `base_url`."""
    name = host_name(header or "")
    if name is None:
        return False
    if name == "localhost" or name.endswith((".localhost", ".local")):
        return True
    if base_url is not None and name == host_name(urlsplit(base_url).netloc):
        return True
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def is_foreign_page(origin: str | None, host: str | None, base_url: str | None) -> bool:
    """Whether an `Origin` header names a web page that is neither of the `Host` that is asked nor of `base_url`."""
    if origin is None:
        return False
    own = {(host or "").lower(), urlsplit(base_url or "").netloc.lower()}
    scheme, _, authority = origin.lower().partition("://")
    return not authority or scheme not in ("http", "https") or authority not in own


def host_name(authority: str) -> str | None:
    """The host of `host:port` in lower case, without brackets; None where there is none or it can't be read."""
    try:
        parts = urlsplit(f"//{authority}")
        _ = parts.port
    except ValueError:
        return None
    if parts.netloc != authority or parts.username is not None or not parts.hostname:
        return None
    return parts.hostname.removesuffix(".")
