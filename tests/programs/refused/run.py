"""Programs of outsiders that do not run yet, or compile for too long: prints what becomes of each,
and ends with 1 where a result differs. `python tests/programs/refused/run.py [NAME ...]`; names of
programs in `../whole` too, for the processor's seconds of their first calls.

One that runs, in seconds, belongs in `../whole`.
"""

from __future__ import annotations

import importlib
import sys
import time
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "whole"), str(HERE.parents[1])]

from programs.test_whole import BEYOND_64_BITS  # noqa: E402
from shapecast import jit  # noqa: E402
from support.pictures import seen  # noqa: E402


def verdict(name: str) -> tuple[str, float]:
    """What becomes of it, and the processor's seconds of its first call."""
    program = importlib.import_module(name)
    is_big = name in BEYOND_64_BITS
    compiled = jit(bigint=is_big)(program.main)
    spent = []
    for arguments in program.ARGS:
        start = time.process_time()
        found = seen(compiled, arguments)
        spent.append(time.process_time() - start)
        expected = seen(program.main, arguments)
        if found[0][0] in ("UnsupportedError", "OverflowError") and found != expected:
            return f"refused: {found[0][1]}", spent[0]
        if found != expected:
            return f"DIFFERS for {arguments}", spent[0]
    return f"runs, the first call {spent[0]:.1f} s, all {sum(spent):.1f}", spent[0]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    names = sys.argv[1:] or sorted(one.stem for one in HERE.glob("*.py") if one.stem != "run")
    verdicts = {name: verdict(name) for name in names}
    print(*(f"{name}: {text}" for name, (text, _) in verdicts.items()), sep="\n")
    print(f"first calls of {len(names)}: {sum(first for _, first in verdicts.values()):.0f} s")
    sys.exit(any(text.startswith("DIFFERS") for text, _ in verdicts.values()))
