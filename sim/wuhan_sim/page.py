"""What pages that need nothing else are made from: files of the package, and digests of what may run."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files


def source(name: str) -> str:
    """A file of the package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """As a content security policy names what it allows."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
