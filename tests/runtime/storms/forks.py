"""Forks beside threads that compile and end: each child compiles, too.

What a thread ends with (MLIR keeps something for each) takes locks, which a fork at that moment
would leave locked in the child. Prints the number of forks, and ends with 1 where a child did not
end well: it has a minute.
"""

from __future__ import annotations

import argparse
import itertools
import linecache
import os
import signal
import sys
import threading
import time
import warnings

from shapecast import jit

numbers = itertools.count()


def compile_another() -> None:
    number = next(numbers)
    text = f"def f(x):\n    return x * {number} + 1.5\n"
    file = f"<forks {number}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict = {}
    exec(compile(text, file, "exec"), space)
    assert jit(space["f"])(2.0) == 2 * number + 1.5


def compile_in_threads(end: float) -> None:
    while time.monotonic() < end:
        thread = threading.Thread(target=compile_another)
        thread.start()
        thread.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    end = time.monotonic() + parser.parse_args().seconds
    os.environ["SHAPECAST_CACHE_DIR"] = "off"
    warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
    compile_another()  # all modules are imported: a child must not find one half of the way
    workers = [threading.Thread(target=compile_in_threads, args=(end,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    forks, failures = 0, 0
    while time.monotonic() < end:
        child = os.fork()
        if not child:
            signal.alarm(60)
            try:
                compile_another()
            except BaseException:
                os._exit(1)
            os._exit(0)
        forks += 1
        failures += os.waitpid(child, 0)[1] != 0
    for worker in workers:
        worker.join()
    print(f"{forks} forks, {failures} children that did not end well")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
