"""`./dev fuzz --seeds 0:1000 --minutes 10`: random programs against plain execution.

Each seed has one of the modes of modes.py and one of the families of programs.py (`--family mixed`:
the programs that all seeds had before there were others). Every failure is printed with its seed,
mode and family, and appended with its text to --log as a line of JSON. `--reduce` reduces the first
program of each kind of failure and prints it as a row for found.py; `--show SEED` prints a
program.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ["SHAPECAST_CACHE_DIR"] = "off"  # millions of programs, each run once

from fuzz.execute import GENERATOR, Outcome, outcomes
from fuzz.modes import MODES, mode_of, switch
from fuzz.programs import FAMILIES, Program, family_of, seeded
from fuzz.reduce import as_test, reduced


class Summary:
    def __init__(self) -> None:
        self.started = time.monotonic()
        self.kinds: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.failures: dict[str, list[int]] = {}
        self.families: dict[str, Counter[str]] = {}
        self.calls = self.raised = self.first_raised = 0

    def add(self, seed: int, family: str, outcome: Outcome) -> None:
        self.kinds[outcome.kind] += 1
        self.families.setdefault(family, Counter())[outcome.kind] += 1
        self.calls += outcome.calls
        self.raised += len(outcome.raised)
        self.first_raised += any(text.startswith("0") for text in outcome.raised)
        if outcome.kind == "refused":
            first = outcome.detail.split("\n")[0]
            self.refusals[family + ": " + re.sub(r"'[^']*'|\[[^\]]*\]|\d+", "_", first)] += 1
        if outcome.bad:
            self.failures.setdefault(outcome.signature, []).append(seed)

    def text(self) -> str:
        count = sum(self.kinds.values())
        minutes = (time.monotonic() - self.started) / 60
        lines = [
            f"{count} programs in {minutes:.1f} minutes, {self.calls} calls compared, "
            f"of which {self.raised} raised, {self.first_raised} of them first calls: "
            + ", ".join(f"{number} {kind}" for kind, number in self.kinds.most_common())
        ]
        for family, kinds in self.families.items():
            shown = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
            lines.append(f"  {family}: {sum(kinds.values())} programs: {shown}")
        lines += [f"  refused {n:4} {why[:150]}" for why, n in self.refusals.most_common(25)]
        lines += [f"  FAILED {len(s):4} {why}  seeds {s[:8]}" for why, s in self.failures.items()]
        return "\n".join(lines)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0:1000", help="FROM:TO, TO excluded")
    parser.add_argument("--minutes", type=float, default=120, help="stop after so long")
    parser.add_argument(
        "--log", type=Path, help="failures as lines of JSON, the summary at the end"
    )
    parser.add_argument("--refused", type=Path, help="refusals as lines of JSON")
    parser.add_argument("--reduce", action="store_true", help="reduce one failure of each kind")
    parser.add_argument("--mode", choices=MODES, help="the same for all seeds")
    parser.add_argument(
        "--family", choices=["mixed", *FAMILIES, "people"], help="the same for all seeds"
    )
    parser.add_argument("--show", type=int, metavar="SEED", help="print one program")
    return parser.parse_args()


def chunks(first: int, last: int, size: int = 500) -> Iterator[range]:
    for start in range(first, last, size):
        yield range(start, min(start + size, last))


def generated_in_mode(seed: int, mode: str | None, family: str | None) -> Program:
    """In the worker that runs the program."""
    switch(mode or mode_of(seed))
    return seeded(seed, family)


def record(log: Path, seed: int, mode: str, family: str, outcome: Outcome) -> None:
    row = {"seed": seed, "mode": mode, "family": family}
    row |= {"kind": outcome.kind, "detail": outcome.detail}
    if GENERATOR not in outcome.detail:
        program = seeded(seed, family)
        row |= {"source": program.source, "calls": program.calls}
    with log.open("a") as file:
        file.write(json.dumps(row) + "\n")


def run(chosen: argparse.Namespace) -> Summary:
    summary = Summary()
    for seeds in chunks(*map(int, chosen.seeds.split(":"))):
        made = [partial(generated_in_mode, seed, chosen.mode, chosen.family) for seed in seeds]
        for seed, outcome in zip(seeds, outcomes(made), strict=True):
            mode, family = chosen.mode or mode_of(seed), chosen.family or family_of(seed)
            summary.add(seed, family, outcome)
            if outcome.kind == "refused" and chosen.refused:
                with chosen.refused.open("a") as file:
                    file.write(json.dumps({"seed": seed, "detail": outcome.detail}) + "\n")
            if outcome.bad:
                where = f"seed {seed}, {mode}, {family}"
                print(f"{where}: {outcome.kind}: {outcome.detail}\n", flush=True)
                if chosen.log:
                    record(chosen.log, seed, mode, family, outcome)
            if time.monotonic() - summary.started > 60 * chosen.minutes:
                return summary
        print(summary.text().splitlines()[0], flush=True)
    return summary


def main() -> int:
    chosen = options()
    if chosen.show is not None:
        program = seeded(chosen.show, chosen.family)
        print(program.source, *program.calls, sep="\n")
        return 0
    summary = run(chosen)
    print(summary.text(), flush=True)
    if chosen.log:
        with chosen.log.open("a") as file:
            file.write(summary.text() + "\n")
    if chosen.reduce:
        for signature, seeds in summary.failures.items():
            switch(chosen.mode or mode_of(seeds[0]))
            small = reduced(seeded(seeds[0], chosen.family), signature)
            print(as_test(small, f"seed {seeds[0]}", signature), flush=True)
    return 1 if summary.failures else 0


if __name__ == "__main__":
    sys.exit(main())
