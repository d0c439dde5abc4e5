"""`python tests/fuzz/edits/kills.py --count 1000`: processes that are killed while they use the
cache.

Each calls some functions that others have called and some new ones, and is killed at a random time,
or as soon as a file that it writes is there. Those that live, and a process after every twenty,
report whether all was right.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

KNOWN = 40
TEXT = """
import numpy as np
from shapecast import jit
K = {number}
def g(x):
    return x * K
@jit
def f(x):
    return np.sqrt(g(x)) + {number}
"""


def works(folder: Path, numbers: list[int]) -> None:
    """Calls functions of which the text is in the folder; an AssertionError where one is wrong."""
    import numpy as np

    for number in numbers:
        path = folder / f"function_{number}.py"
        space: dict[str, object] = {"__name__": path.stem}
        exec(compile(path.read_text(), str(path), "exec"), space)
        got = space["f"](np.arange(4.0))  # type: ignore[operator]
        assert np.allclose(got, np.sqrt(np.arange(4.0) * number) + number), (number, got)


def child(folder: Path, numbers: list[int]) -> int:
    """Forks; the child calls the functions."""
    process = os.fork()
    if process:
        return process
    try:
        os.environ["SHAPECAST_CACHE_DIR"] = str(folder / "cache")
        works(folder, numbers)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def is_writing(folder: Path, process: int) -> bool:
    cache = folder / "cache"
    return cache.exists() and any(n.startswith(f"{process}-") for n in os.listdir(cache))


def kill(folder: Path, process: int, rng: random.Random) -> None:
    until = time.monotonic() + rng.random() * 0.3
    wait_for_file = rng.random() < 0.5
    while time.monotonic() < until and not (wait_for_file and is_writing(folder, process)):
        time.sleep(0.0003 if wait_for_file else until - time.monotonic())
    os.kill(process, signal.SIGKILL)


def storm(folder: Path, count: int, seed: int) -> Counter[str]:
    import numpy
    import shapecast

    del numpy, shapecast  # the children have them
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for iteration in range(count):
        numbers = [*rng.sample(range(KNOWN), 3), *rng.sample(range(KNOWN, 10**6), 3)]
        for number in numbers:
            (folder / f"function_{number}.py").write_text(TEXT.format(number=number))
        process = child(folder, numbers)
        if iteration % 20 < 19:
            kill(folder, process, rng)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        counts["killed"] += status == -signal.SIGKILL
        counts["wrong"] += status not in (0, -signal.SIGKILL)
        counts["checked"] += status == 0
    counts["left"] = len(list((folder / "cache").glob("*.tmp")))
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        counts = storm(Path(folder), given.count, given.seed)
    print(
        f"{given.count} processes: {counts['killed']} killed, of which {counts['left']} while they "
        f"wrote a file; {counts['checked']} ended by themselves, {counts['wrong']} with an error"
    )
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
