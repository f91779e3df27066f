"""What a description, a call or the environment is not right for."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """Any refusal of polynest. `diagnostics` are its messages as dicts, with "severity", "code", "line" and so on;
    str(error) is their text as the program prints it."""

    def __init__(self, text: str, diagnostics: list[dict[str, Any]] | None = None) -> None:
        super().__init__(text.rstrip())
        self.diagnostics = diagnostics or []


class Refused(Error):
    """The description is wrong, or its schedule is illegal."""


class Undecided(Error):
    """The budget ran out before there was an answer."""


class EnvironmentFault(Error):
    """Not the input's fault: a file, a compiler, memory."""
