"""Where cursors are kept, and a local cache of final files."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol


class CursorStore(Protocol):
    def load(self, key: str) -> str | None: ...

    def save(self, key: str, cursor: str) -> None: ...


class MemoryStore:
    """Keeps cursors in memory, until the process ends."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def load(self, key: str) -> str | None:
        return self._held.get(key)

    def save(self, key: str, cursor: str) -> None:
        self._held[key] = cursor


class FileStore:
    """One small file per game in a folder. A cursor is on the disk before it counts as saved, and is replaced whole."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)

    def load(self, key: str) -> str | None:
        try:
            # Bytes that are no text are no cursor either: whoever reads it says so.
            return (self._folder / f"{key}.cursor").read_text("utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None

    def save(self, key: str, cursor: str) -> None:
        replace_file(self._folder / f"{key}.cursor", f"{cursor}\n".encode())


class CalledStore:
    """Your own function: `call(key)` returns the cursor or None, `call(key, cursor)` keeps it.

    Both return what the function does: that of a coroutine function is for `AsyncClient` to await.
    """

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def load(self, key: str) -> Any:
        return self._call(key)

    def save(self, key: str, cursor: str) -> Any:
        return self._call(key, cursor)


def replace_file(path: Path, content: bytes) -> None:
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


class FileCache:
    """Final files by path, with their ETags. An incomplete file counts as missing. You may delete the folder at any time.

    A folder that cannot be written keeps nothing: the caller gets its rows all the same, because they are charged already.
    """

    def __init__(self, folder: str | os.PathLike[str], base_url: str) -> None:
        self._folder = Path(folder) / hashlib.sha256(base_url.encode()).hexdigest()[:16]

    def recall(self, path: str) -> tuple[str, bytes] | None:
        try:
            etag = json.loads(self._place(path, "json").read_bytes())["etag"]
            body = self._place(path, "parquet").read_bytes()
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return (etag, body) if etag == f'"{hashlib.sha256(body).hexdigest()}"' else None

    def keep(self, path: str, etag: str, body: bytes) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._place(path, "parquet"), body)
            replace_file(self._place(path, "json"), json.dumps({"etag": etag, "path": path}).encode())
        except OSError:
            pass

    def _place(self, path: str, suffix: str) -> Path:
        return self._folder / f"{hashlib.sha256(path.encode()).hexdigest()}.{suffix}"


def default_cache_folder() -> Path | None:
    """None for a user without a home, as in a container whose user has no entry."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sds-client"
    except RuntimeError:
        return None
