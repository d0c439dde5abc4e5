"""The cache of compiled code on disk, as the command `shapecast cache` shows it.

src/support/disk_cache.cpp writes the files; compiled functions find them by themselves.
"""

from __future__ import annotations

import os
import stat
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from . import _core

_HEADER = struct.Struct("<8s32sQQQ")  # magic, key, checksum, bytes of the label, of the content
_MAGIC = b"shapec01"


class Entry(NamedTuple):
    path: Path
    size: int
    used: float  # seconds since the epoch
    label: str


def directory() -> Path | None:
    """The directory of the cache; None where the cache is off."""
    found = _core.cache_directory()
    return Path(found) if found else None


def entries() -> list[Entry]:
    """All entries, the most recently used first."""
    return sorted(_entries(), key=lambda entry: entry.used, reverse=True)


def _entries() -> Iterator[Entry]:
    for path in _files(".entry"):
        try:
            about = path.lstat()
            with _opened(path) as file:
                start = file.read(_HEADER.size)
                length = _HEADER.unpack(start)[3] if len(start) == _HEADER.size else 0
                whole = start.startswith(_MAGIC) and length <= about.st_size
                label = file.read(length).decode(errors="replace") if whole else "damaged"
        except OSError:  # another process removed it
            continue
        yield Entry(path, about.st_size, about.st_mtime, label)


def _opened(path: Path) -> IO[bytes]:
    """Follows no link, and does not block on a FIFO in the file's place."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is not a regular file")
    return os.fdopen(descriptor, "rb")


def _files(suffix: str) -> list[Path]:
    where = directory()
    return sorted(where.glob(f"*{suffix}")) if where else []


def clear() -> int:
    """Removes all entries; returns their number."""
    removed = 0
    for path in _files(".entry") + _files(".tmp"):
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
        removed += path.suffix == ".entry"
    return removed


def shown(entry: Entry) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
    return f"{when} {entry.size:>9,}  {entry.label}"
