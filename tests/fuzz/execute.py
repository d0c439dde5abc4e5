"""Runs programs plain and compiled, in a forked worker where a crash or an endless loop must be a
failure as any other.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import re
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import shapecast
from fuzz.programs import Program, arguments_of
from support.compare import compare, jitted, make
from support.pictures import picture

from support import compare as helpers

SECONDS = 30  # of the processor, for one program; what hangs does not poll for signals
WAITED = 300  # seconds of the clock, for a program that waits for ever
PROGRAMS_PER_WORKER = 100  # compiled code is never freed
GENERATOR = "in the generator"  # where a failure is that is none of compiled code


@dataclass(frozen=True)
class Outcome:
    """`kind` is equal, refused, limit, failed, crash or hang; `calls` were compared, of which some
    `raised`.
    """

    kind: str
    detail: str = ""
    calls: int = 0
    raised: tuple[str, ...] = ()

    @property
    def bad(self) -> bool:
        return self.kind in ("failed", "crash", "hang")

    @property
    def signature(self) -> str:
        """What stays the same while a program is reduced: names, numbers and locations do not."""
        first = self.detail.split("  in f(")[0]
        first = re.sub(r"'[^']*'|\[[^\]]*\]|\([^)]*\)", "_", first)
        first = re.sub(r"0x[0-9a-f]+|-?\d[\d.e+-]*|\bnan\b|\binf\b|True|False", "#", first)
        found = re.search(r"^found \w+", self.detail, re.MULTILINE)
        return f"{self.kind}: {first.splitlines()[0] if first else ''}"[:150] + (
            f" / {found.group()}" if found else ""
        )


class OwnError(Exception):
    """An error of shapecast's own: it is none of Python's RuntimeErrors."""


def _printing(f: Callable[..., Any], printed: list[str]) -> Callable[..., Any]:
    """What a call prints becomes text in a list."""

    def call(*args: Any) -> Any:
        text = io.StringIO()
        try:
            with contextlib.redirect_stdout(text):
                return f(*args)
        except (shapecast.UnsupportedError, shapecast.InternalError) as error:
            raise OwnError(str(error)) from error
        finally:
            printed.append(text.getvalue())

    call.__name__ = "f"
    return call


def _compare(f: Callable[..., Any], arguments: tuple, objects: bool) -> helpers.Outcome:
    printed: list[str] = []
    plain, compiled = _printing(f, printed), _printing(jitted(f), printed)
    outcome = compare(plain, *arguments, jit=lambda _: compiled, objects=objects)
    assert printed[1] == printed[0], f"printed {printed[1]!r}\nexpected lines {printed[0]!r}"
    return outcome


def execute(program: Program, objects: bool = False) -> Outcome:
    """In this process. Without `objects`: where paths join, one view under two names becomes two,
    and a new array's order in memory may differ (README, limits).
    """
    f = make(program.source)
    if program.pictured:
        return _pictured(f, program.calls)
    raised: tuple[str, ...] = ()
    for number, call in enumerate(program.calls):
        arguments = arguments_of(call)
        try:
            if error := _compare(f, arguments, objects).error:
                raised += (f"{number}: {type(error).__name__}: {error}",)
        except AssertionError as problem:
            cause = problem.__cause__
            cause = cause.__cause__ if isinstance(cause, OwnError) else cause
            if isinstance(cause, shapecast.UnsupportedError):
                return Outcome("refused", str(cause).split("\n")[0], number, raised)
            if isinstance(cause, OverflowError) and "64 bits" in str(cause):
                return Outcome("limit", "Python integers beyond 64 bits", number, raised)
            return Outcome("failed", f"{problem}\n  call {number}", number, raised)
        except Exception as error:
            return Outcome("failed", f"in the test: {error!r}", number, raised)
    del f, arguments
    if shapecast._core.live_allocations():
        gc.collect()
        if count := shapecast._core.live_allocations():
            return Outcome("failed", f"{count} buffers are still allocated", number, raised)
    return Outcome("equal", "", len(program.calls), raised)


Seen = tuple[Any, BaseException | None, str]


def _seen(f: Callable[..., Any], arguments: tuple) -> Seen:
    """Pictures of the result and of the arguments after the call, with identities and without, the
    error, and what was printed.
    """
    text, error, picture_ = io.StringIO(), None, None
    try:
        with contextlib.redirect_stdout(text), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = f(*arguments)
        picture_ = picture((result, arguments)), picture((result, arguments), identities=False)
    except Exception as problem:
        error = problem
    return picture_, error, text.getvalue()


def _refusal(error: BaseException | None) -> str | None:
    while error is not None:
        if isinstance(error, shapecast.UnsupportedError):
            notes = "\n".join(getattr(error, "__notes__", []))
            return "\n".join([first_line(error), *notes.split("\n")[:12]])
        error = error.__cause__
    return None


def _difference(got: Seen, want: Seen) -> str:
    """The first that differs, "" of equal ones."""
    # Errors of shapes have a class of their own, which is a ValueError.
    kinds = [type(e) for _, e, _ in (got, want)]
    kinds[0] = ValueError if kinds[0] is shapecast.ShapeError else kinds[0]
    errors = zip(kinds, (got[1], want[1]), strict=True)
    names = [f"{kind.__name__}: {first_line(e)}" if e else "" for kind, e in errors]
    if names[0] != names[1]:
        return f"raised {names[0] or 'nothing'}\nexpected {names[1] or 'no exception'}"
    if got[0] and want[0] and got[0][1] != want[0][1]:
        return f"found {got[0][1]}\nexpected {want[0][1]}"
    if got[0] != want[0]:
        return f"equal, but not the same objects\nfound {got[0][0]}\nexpected {want[0][0]}"
    if got[2] != want[2]:
        return f"printed {got[2]!r}\nexpected lines {want[2]!r}"
    return ""


def first_line(error: BaseException) -> str:
    return str(error).split("\n")[0]


def _pictured(f: Callable[..., Any], calls: tuple[str, ...]) -> Outcome:
    """Types, contents and identities are compared, of arguments too, and texts of exceptions."""
    raised: tuple[str, ...] = ()
    before = shapecast._core.live_allocations()
    jitted_f = jitted(f)
    for number, call in enumerate(calls):
        want = _seen(f, arguments_of(call, f.__globals__))
        got = _seen(jitted_f, arguments_of(call, f.__globals__))
        if (refusal := _refusal(got[1])) is not None:
            return Outcome("refused", refusal, number, raised)
        if isinstance(got[1], OverflowError) and "64 bits" in str(got[1]):
            return Outcome("limit", "Python integers beyond 64 bits", number, raised)
        if difference := _difference(got, want):
            return Outcome("failed", f"{difference}\n  call {number}", number, raised)
        if want[1]:
            raised += (f"{number}: {type(want[1]).__name__}: {want[1]}",)
    del want, got
    gc.collect()
    if (count := shapecast._core.live_allocations()) != before:
        return Outcome("failed", f"{count - before} buffers are still allocated", number, raised)
    return Outcome("equal", "", len(calls), raised)


GENERATED = "made\n"


def _work(programs: list[Callable[[], Program]], pipe: int) -> None:
    """Writes two lines for each program: that the generator made it, and the outcome."""
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    for make_program in programs:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(WAITED)
        try:
            program = make_program()
        except Exception as error:  # a bug of the generator must not end a long run
            outcome = Outcome("failed", f"{GENERATOR}: {error!r}")
        else:
            os.write(pipe, GENERATED.encode())
            outcome = execute(program)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        os.write(pipe, (json.dumps(asdict(outcome)) + "\n").encode())


def _fork(programs: list[Callable[[], Program]]) -> tuple[int, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            _work(programs, writing)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    return child, os.fdopen(reading)


def outcomes(programs: Iterable[Callable[[], Program]]) -> Iterator[Outcome]:
    """One outcome for each program, in order; workers are replaced as they die."""
    rest = list(programs)
    while rest:
        child, lines = _fork(rest[:PROGRAMS_PER_WORKER])
        with lines:
            done, made = 0, False
            for line in lines:
                made = line == GENERATED
                if not made:
                    done += 1
                    yield Outcome(**json.loads(line))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        rest = rest[done:]
        if status:
            signal_name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            kind = "hang" if -status in (signal.SIGALRM, signal.SIGPROF) else "crash"
            # NumPy itself crashes in some of the programs that the generator tries out
            yield Outcome(kind, signal_name if made else f"{GENERATOR}: {signal_name}")
            rest = rest[1:]
