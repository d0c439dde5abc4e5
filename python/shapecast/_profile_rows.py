"""What a profile is made of: rows, and their sums for lines and functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Frame(NamedTuple):
    """A line of a function."""

    file: str
    function: str
    line: int


@dataclass(frozen=True)
class Row:
    """What was measured as one: a loop nest, a call, a loop, or the numbers between these.

    Attributes:
        function: The jitted function.
        kind: "nest", "strips" (of nests that are strip-mined together), "product" (of matrices),
            "loop" (over single elements, with all that is in it), "library" (a function of the run
            time), "call" (of Python), "line" (numbers, views and memory), or "start" (arguments,
            and making the results).
        what: The nest's space and the lines that are fused into it, or what is called.
        stack: Its line, the outermost function first.
        seconds: Time in it, without other rows.
        count: How often it began.
        bytes: What its reads and writes need at least, each element once; 0 where unknown.
    """

    function: str
    kind: str
    what: str
    stack: tuple[Frame, ...]
    seconds: float
    count: int
    bytes: int


@dataclass(frozen=True)
class FunctionTimes:
    """A jitted function's calls.

    Attributes:
        name: Its qualified name.
        file, line: Where it is defined.
        calls: How often its compiled code ran.
        seconds: Time in it, with what it calls.
        compiled: Variants that were compiled, for the profile: those of other calls are others.
        compile_seconds: Their compile time.
    """

    name: str
    file: str
    line: int
    calls: int
    seconds: float
    compiled: int
    compile_seconds: float


@dataclass(frozen=True)
class LineTimes:
    """A line of source: the rows on it, and those of functions that are inlined there.

    Attributes:
        frame: The line.
        seconds: Time in it.
        count: How often its most frequent nest, loop or call began, whoever called it.
        bytes: What its nests and products move at least.
        moving_seconds: Time in those whose bytes are known.
        rows: Those whose innermost line it is.
    """

    frame: Frame
    seconds: float
    count: int
    bytes: int
    moving_seconds: float
    rows: tuple[Row, ...]
