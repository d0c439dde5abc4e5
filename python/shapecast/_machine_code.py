"""The innermost loops in the assembly of LLVM: which of them is hot, and what it is made of."""

from __future__ import annotations

import re
from typing import NamedTuple

_FUNCTION = re.compile(r'^"?([^\s".#][^":]*)"?:')
_LABEL = re.compile(r"^(\.LBB\w+):")
_JUMP = re.compile(r"^\s+j\w+\s+(\.LBB\w+)")
_INSTRUCTION = re.compile(r"^\s+([a-z]\w*)\b\s*(.*)")
_STACK = re.compile(r"-?\w*\(%r[sb]p\)")
# What is no instruction of the function: unwind tables, alignment, comments of the assembler.
_DIRECTIVE = re.compile(r"^\s*(\.(?!LBB)|#)")


class Loop(NamedTuple):
    """An innermost loop of a function, and what its instructions are."""

    function: str
    lines: list[str]
    instructions: int
    vectors: int  # instructions on vectors
    bits: int  # of the widest vectors; 0: none
    loads: int
    stores: int
    spills: int  # reads and writes of the stack

    @property
    def summary(self) -> str:
        counts = [(self.instructions, "instruction"), (self.loads, "load"), (self.stores, "store")]
        words = [f"{count} {word}{'s' * (count != 1)}" for count, word in counts]
        if self.vectors:
            words.insert(1, f"{self.vectors} on vectors of up to {self.bits} bits")
        if self.spills:
            words.append(f"{self.spills} of the stack")
        return ", ".join(words)


def hot_loops(assembly: str) -> dict[str, Loop]:
    """For each function that loops, the innermost loop that does most on vectors, else the longest
    one that makes no calls."""
    found: dict[str, Loop] = {}
    for name, lines in _functions(assembly).items():
        loops = [_loop(name, lines[a : b + 1]) for a, b in _innermost(lines)]
        if loops:
            found[name] = max(loops, key=_weight)
    return found


def _weight(loop: Loop) -> tuple[int, int, int]:
    packed = sum(bool(re.search(r"p[sd]\s|\bvp\w+\s", line)) for line in loop.lines)
    calls = any("call" in line for line in loop.lines)
    return packed * loop.bits, -calls, loop.instructions


def _functions(assembly: str) -> dict[str, list[str]]:
    functions: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in assembly.splitlines():
        if named := _FUNCTION.match(line):
            current = functions.setdefault(named[1], [])
        elif line.startswith((".Lfunc_end", "\t.section")):
            current = None
        elif current is not None and line.strip() and not _DIRECTIVE.match(line):
            current.append(line)
    return functions


def _innermost(lines: list[str]) -> list[tuple[int, int]]:
    """First and last line of each loop, a label and a jump back to it, without one within."""
    labels = {found[1]: k for k, line in enumerate(lines) if (found := _LABEL.match(line))}
    loops: dict[int, int] = {}
    for k, line in enumerate(lines):
        jump = _JUMP.match(line)
        if jump and labels.get(jump[1], k) < k:
            loops[labels[jump[1]]] = k
    spans = list(loops.items())
    spans = [  # a common return that blocks behind it jump back to is no loop
        (a, b) for a, b in spans if not any(re.match(r"\s+ret", k) for k in lines[a : b + 1])
    ]
    return [
        (a, b)
        for a, b in spans
        if not any((c, d) != (a, b) and a <= c and d <= b for c, d in spans)
    ]


def _loop(function: str, lines: list[str]) -> Loop:
    instructions = [found for line in lines if (found := _INSTRUCTION.match(line))]
    widths = {"x": 128, "y": 256, "z": 512}
    vectors = bits = loads = stores = spills = 0
    for found in instructions:
        name, operands = found[1], found[2]
        registers = re.findall(r"%([xyz])mm\d+", operands)
        if registers and not re.search(r"s[sd]$", name):  # scalars use them as well
            vectors += 1
            bits = max(bits, *(widths[kind] for kind in registers))
        if "(" not in operands or name.startswith(("lea", "nop", "prefetch")):
            continue
        spills += bool(_STACK.search(operands))
        is_store = operands.endswith(")") and "mov" in name
        stores += is_store
        loads += not is_store
    return Loop(function, lines, len(instructions), vectors, bits, loads, stores, spills)
