"""The command `shapecast`, or `python -m shapecast`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from . import __version__, _cache, _core


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("shapecast", description="NumPy functions as machine code.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    cache = commands.add_parser("cache", help="the cache of compiled code on disk")
    cache.add_argument(
        "action",
        choices=("list", "size", "clear"),
        help="list: entries, most recently used first; size: bytes; clear: removes all entries",
    )
    action = parser.parse_args(arguments).action
    try:
        code = show_cache(action)
        sys.stdout.flush()
    except BrokenPipeError:  # as of `shapecast cache list | head`
        # Python flushes the output once more at its end: that must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def show_cache(action: str) -> int:
    where = _cache.directory()
    if where is None:
        print("the cache is off (see SHAPECAST_CACHE_DIR)")
        return 0
    if action == "clear":
        print(f"{_cache.clear()} entries removed from {where}")
        return 0
    found = _cache.entries()
    if action == "list":
        for entry in found:
            print(_cache.shown(entry))
    total = sum(entry.size for entry in found)
    print(f"{len(found)} entries, {total:,} of {_core.cache_limit():,} bytes, in {where}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
