"""Access tokens and their scopes, in the shape of s2.dev."""

from __future__ import annotations

from typing import Any

from tests.fake_s2.basin import refusal

ROOT = "root"
"""May everything, once the server asks for tokens at all."""

_OPERATIONS = {"append": "append", "read": "read", "tail": "check-tail", "list": "list-streams", "make": "create-stream"}


class Tokens:
    """Nobody is asked for one until `required` is set."""

    def __init__(self) -> None:
        self.required = False
        self.exist = True
        """s2-lite has none."""
        self._scopes: dict[str, dict[str, Any]] = {}

    def issue(self, headers: dict[str, str], asked: dict[str, Any]) -> str:
        if not self.exist:
            raise refusal(501, "not_implemented")
        if self.required and _token(headers) != ROOT:
            raise refusal(403, "permission_denied")
        token = f"token-of-{asked['id']}"
        self._scopes[token] = asked["scope"]
        return token

    def check(self, headers: dict[str, str], call: str, stream: str) -> None:
        """Raise what a token meets that may not do this with that stream, or the listing of that prefix."""
        token = _token(headers)
        if not self.required or token == ROOT:
            return
        scope = self._scopes.get(token)
        if scope is None:
            raise refusal(401, "unauthorized")
        fits = (
            _OPERATIONS[call] in scope.get("ops", [])
            and _matches(scope.get("basins"), headers.get("s2-basin", ""))
            and _matches(scope.get("streams"), stream)
        )
        if not fits:
            raise refusal(403, "permission_denied")


def _token(headers: dict[str, str]) -> str:
    return headers.get("authorization", "").removeprefix("Bearer ")


def _matches(rule: dict[str, str] | None, name: str) -> bool:
    if rule is None:
        return False
    return name == rule["exact"] if "exact" in rule else name.startswith(rule["prefix"])
