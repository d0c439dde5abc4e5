"""Runs a function as plain Python and under jit, on equal copies of its arguments, and compares
everything seen.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import linecache
import os
import re
import textwrap
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import shapecast
from support.ulp import Tolerance, exact

from support import device_arrays

_file_numbers = itertools.count(1)

# Compiled code too has a sanitizer's checks in it: its loops are not what they are otherwise.
instrumented = "libclang_rt." in os.environ.get("LD_PRELOAD", "")


def make(source: str, name: str | None = None, **names: Any) -> Callable[..., Any]:
    """Defines a function from text as a notebook does: executed, with its source known to
    linecache only.
    """
    source = textwrap.dedent(source).strip("\n") + "\n"
    file = f"<shapecast test {next(_file_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space: dict[str, Any] = {"np": np, "__name__": "made_by_a_test", **names}
    exec(compile(source, file, "exec"), space)
    if name is None:
        name = re.findall(r"^def (\w+)", source, re.MULTILINE)[-1]
    return space[name]


def without_source(name: str = "f") -> Callable[..., Any]:
    """x + 1, whose text nobody has any more. No other test has one of the same code, which would be
    found in its place.
    """
    space: dict[str, Any] = {}
    exec(f"def {name}(x):\n    return x + 1 - 0", space)
    return space[name]


def named_programs(text: str) -> dict[str, str]:
    """Bodies of functions by name: a line "## name" precedes each."""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def jitted(f: Callable[..., Any]) -> Any:
    """The one jit object of a function, so that many checks share its compiled variants."""
    if not hasattr(f, "_jitted_for_tests"):
        f._jitted_for_tests = shapecast.jit(f)  # type: ignore[attr-defined]
    return f._jitted_for_tests  # type: ignore[attr-defined]


# ------------------------------------------------------------------------ copies that keep aliasing


def arrays_in(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (tuple, list)):
        return [a for item in value for a in arrays_in(item)]
    if isinstance(value, dict):
        return arrays_in(list(value.values()))
    if is_dataclass(value) and not isinstance(value, type):
        return arrays_in([getattr(value, field.name) for field in fields(value)])
    return []


def _extent(a: np.ndarray) -> tuple[int, int]:
    """First and one-past-last byte of an array together with the array that owns its memory."""
    low, high = np.lib.array_utils.byte_bounds(a)
    root: Any = a
    while getattr(root, "base", None) is not None:
        root = root.base
    if isinstance(root, np.ndarray) and root.size:
        root_low, root_high = np.lib.array_utils.byte_bounds(root)
        if root_low <= low and high <= root_high:
            return root_low, root_high
    return low, high


def copy_arguments(values: Any) -> Any:
    """Deep copies: same values, strides, flags and alignment, and the same sharing of memory and
    of objects.
    """
    extents = sorted({_extent(a) for a in arrays_in(values) if a.size})
    blocks: list[tuple[int, int, np.ndarray]] = []
    merged: list[list[int]] = []
    for low, high in extents:
        if merged and low <= merged[-1][1]:
            merged[-1][1] = max(high, merged[-1][1])
        else:
            merged.append([low, high])
    for low, high in merged:
        raw = np.empty(high - low + 128, np.uint8)
        shift = (low - raw.ctypes.data) % 64
        block = raw[shift : shift + high - low]
        ctypes.memmove(block.ctypes.data, low, high - low)
        blocks.append((low, high, block))
    known: dict[int, np.ndarray] = {}

    def array(a: np.ndarray) -> np.ndarray:
        address = a.__array_interface__["data"][0]
        if not a.size:
            new = np.ndarray(a.shape, a.dtype, buffer=np.empty(64, np.uint8), strides=a.strides)
        else:
            low, block = next((lo, b) for lo, hi, b in blocks if lo <= address < hi)
            new = np.ndarray(
                a.shape, a.dtype, buffer=block, offset=address - low, strides=a.strides
            )
        if type(a) is not np.ndarray:
            new = new.view(type(a))
        new.flags.writeable = a.flags.writeable
        return new

    def copied(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            if id(value) not in known:
                known[id(value)] = array(value)
            return known[id(value)]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(copied, value))
        if isinstance(value, (tuple, list)):
            return type(value)(copied(item) for item in value)
        if isinstance(value, dict):
            return {key: copied(item) for key, item in value.items()}
        return value.copy() if isinstance(value, np.void) else value

    return copied(values)


# ------------------------------------------------------------------------------------- ids of cases


def case_id(value: Any) -> str | None:
    """For `ids=`: a program's text on one line, a function's name, an array's dtype and shape."""
    if isinstance(value, str):
        lines = [line.strip() for line in value.strip().splitlines()]
        text = re.sub(r":; ", ": ", "; ".join(lines))
        return text if len(text) <= 70 else text[:67] + "..."
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]"
    if isinstance(value, np.generic):
        return f"{type(value).__name__}({value})"
    if isinstance(value, (tuple, list)):
        items = ", ".join(case_id(item) or "None" for item in value)
        return f"({items})" if isinstance(value, tuple) else f"[{items}]"
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    if value is None:
        return None
    text = str(value)
    return type(value).__name__ if " at 0x" in text else text  # ids are the same in each process


# --------------------------------------------------------------------------------------- comparison


def describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        notes = "" if value.flags.writeable else " read-only"
        notes += "" if value.flags.aligned else " unaligned"
        return f"{value.dtype.str}{list(value.shape)} strides {value.strides}{notes}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(describe, value))})"
    return f"{type(value).__name__} {value!r}"


def full_text(error: BaseException) -> str:
    """Everything a user sees of an exception: traceback with carets, message, notes."""
    return "".join(traceback.format_exception(error))


@dataclass
class Outcome:
    value: Any
    error: BaseException | None
    arguments: Any


def run(f: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Outcome:
    try:
        value = f(*args, **kwargs)
    except Exception as error:
        return Outcome(None, error, (args, kwargs))
    return Outcome(value, None, (args, kwargs))


def message_pattern(message: str) -> str:
    """NumPy's wording as a pattern; shapes may be printed differently (symbols, blanks, 'and'
    between them).
    """
    first = message.strip().split("\n")[0]
    parts = re.split(r"\([\d, ]*\)", first)
    return ".*?".join(re.escape(part.strip()) for part in parts)


def assert_same_error(got: BaseException | None, want: BaseException) -> None:
    if got is None:
        raise AssertionError(f"no exception, expected {type(want).__name__}: {want}")
    # NumPy's own UFuncTypeError classes are private: their public base is what can be caught.
    public = next(c for c in type(want).__mro__ if not c.__module__.startswith("numpy._core"))
    if not isinstance(got, public):
        raise AssertionError(
            f"expected {public.__name__}: {want}\nfound {type(got).__name__}: {got}"
        ) from got
    # The message of a RecursionError says what Python executed when it reached the limit.
    if isinstance(want, (UnboundLocalError, NameError, AttributeError, RecursionError)):
        return
    # Arrays of the other byte order are copied, and named as their copies.
    words = re.sub(r"dtype\('>(\w+)'\)", lambda m: repr(np.dtype(m[1])), str(want))
    if not re.search(message_pattern(words), str(got), re.DOTALL):
        raise AssertionError(f"message {str(got)!r}\nexpected wording {str(want)!r}") from got


def assert_same_value(
    got: Any, want: Any, tolerance: Tolerance = exact, where: str = "result"
) -> None:
    if type(got) is not type(want):
        raise AssertionError(f"{where}: {describe(got)}\nexpected {describe(want)}")
    if isinstance(want, (tuple, list)):
        if len(got) != len(want):
            raise AssertionError(f"{where}: {len(got)} items, expected {len(want)}")
        for k, (g, w) in enumerate(zip(got, want, strict=True)):
            assert_same_value(g, w, tolerance, f"{where}[{k}]")
    elif is_dataclass(want) and not isinstance(want, type):
        for field in fields(want):
            inner = (getattr(v, field.name) for v in (got, want))
            assert_same_value(*inner, tolerance, f"{where}.{field.name}")
    elif isinstance(want, dict):
        if list(got) != list(want):
            raise AssertionError(f"{where}: the keys {list(got)}, expected {list(want)}")
        for key, w in want.items():
            assert_same_value(got[key], w, tolerance, f"{where}[{key!r}]")
    elif isinstance(want, (np.ndarray, np.generic)):
        if got.dtype != want.dtype or got.shape != want.shape:
            raise AssertionError(f"{where}: {describe(got)}\nexpected {describe(want)}")
        if problem := tolerance(np.asarray(got), np.asarray(want)):
            raise AssertionError(f"{where}: {problem}")
    elif isinstance(want, (float, complex)):
        if problem := tolerance(np.asarray(got), np.asarray(want)):
            raise AssertionError(f"{where}: {problem}")
    elif isinstance(want, np.dtype) or not callable(want):
        if got != want:
            raise AssertionError(f"{where}: {got!r}, expected {want!r}")


def _provenance(result: np.ndarray, arrays: list[np.ndarray]) -> list[tuple]:
    """How a result shares memory with the arguments: the same object, or a window of the same
    memory.
    """
    found: list[tuple] = []
    for k, a in enumerate(arrays):
        if result is a:
            found.append(("is argument", k))
        elif result.size and a.size and np.may_share_memory(result, a):
            start = result.__array_interface__["data"][0] - a.__array_interface__["data"][0]
            steps = tuple(s for s, n in zip(result.strides, result.shape, strict=True) if n > 1)
            found.append(("view of argument", k, "byte offset", start, "strides", steps))
    return found


def assert_same_sharing(got: Outcome, want: Outcome, objects: bool = True) -> None:
    got_results, want_results = arrays_in(got.value), arrays_in(want.value)
    got_args, want_args = arrays_in(got.arguments), arrays_in(want.arguments)
    for k, (g, w) in enumerate(zip(got_results, want_results, strict=True)):
        found, expected = _provenance(g, got_args), _provenance(w, want_args)
        # Results of one call among themselves too: `return x, x` gives one object twice.
        if objects:
            found += _provenance(g, got_results[:k])
            expected += _provenance(w, want_results[:k])
        else:
            found += [("with result", np.shares_memory(g, other)) for other in got_results[:k]]
            expected += [("with result", np.shares_memory(w, other)) for other in want_results[:k]]
        if found != expected:
            raise AssertionError(
                f"result array {k}: {found or 'fresh'}, expected {expected or 'fresh'}"
            )
        if g.flags.writeable != w.flags.writeable:
            raise AssertionError(f"result array {k}: writeable {g.flags.writeable}")


def _containers(arguments: Any, containers: bool = True) -> list[Any]:
    """The arguments that are lists, dicts and records or tuples that hold them, or the others."""

    def holds(a: Any) -> bool:
        if isinstance(a, tuple):
            return any(map(holds, a))
        return isinstance(a, (list, dict, np.void))

    positional, named = arguments
    return [a for a in (*positional, *named.values()) if holds(a) == containers]


def check(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Asserts that jit(f) does what f does: results, types, sharing, mutations, exceptions.
    Returns f's result.
    """
    return compare(f, *args, **kwargs).value


def compare(
    f: Callable[..., Any],
    *args: Any,
    tol: Tolerance = exact,
    jit: Callable[[Callable[..., Any]], Any] = jitted,
    objects: bool = True,
    **kwargs: Any,
) -> Outcome:
    """As `check`; gives what plain execution did, an exception included. Without `objects`, of
    results among themselves only the sharing of memory is compared.
    """
    want_args, want_kwargs = copy_arguments((args, kwargs))
    got_args, got_kwargs = copy_arguments((args, kwargs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            want = run(f, want_args, want_kwargs)
        function = jit(f)
        if device_arrays.calls_are_on_device and hasattr(function, "on"):
            function = function.on("cuda:0")
            tol = device_arrays.reordered(tol, (args, kwargs))
        if device_arrays.is_on:
            function = functools.partial(device_arrays.call_of, function)
            tol = device_arrays.reordered(tol, (args, kwargs))
        got = run(function, got_args, got_kwargs)
    if device_arrays.is_on:
        got.value = device_arrays.with_scalars(got.value, want.value)
    try:
        if want.error is not None:
            assert_same_error(got.error, want.error)
        elif got.error is not None:
            raise AssertionError(f"{type(got.error).__name__}: {got.error}") from got.error
        else:
            assert_same_value(got.value, want.value, tol)
            assert_same_sharing(got, want, objects)
        after, expected = _containers(got.arguments, False), _containers(want.arguments, False)
        for k, (g, w) in enumerate(zip(arrays_in(after), arrays_in(expected), strict=True)):
            assert_same_value(g, w, tol, f"array argument {k} after the call")
        if want.error is None:  # else their final state is lost
            for g, w in zip(_containers(got.arguments), _containers(want.arguments), strict=True):
                assert_same_value(g, w, tol, "list or dict after the call")
    except AssertionError as problem:
        shown = ", ".join([describe(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()])
        raise AssertionError(f"{problem}\n  in {f.__name__}({shown})") from problem.__cause__
    return want


def check_or_refused(
    f: Callable[..., Any],
    *args: Any,
    refused: bool,
    tol: Tolerance = exact,
    **kwargs: Any,
) -> None:
    """For tables of which some rows are not supported: jit(f) raises UnsupportedError where
    `refused`, and does what f does elsewhere. Each test states which of its rows are refused.
    """
    if not refused:
        check(f, *args, tol=tol, **kwargs)
        return
    args, kwargs = copy_arguments((args, kwargs))
    try:
        jitted(f)(*args, **kwargs)
    except shapecast.UnsupportedError:
        return
    raise AssertionError(f"{f.__name__} compiles: this row is no longer one of those refused")


class Report:
    """Collects the failures of many checks in one test and shows them together, the odd one beside
    its row.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.failures: list[tuple[str, BaseException]] = []
        self.cases = 0

    @contextlib.contextmanager
    def case(self, *labels: Any) -> Iterator[None]:
        self.cases += 1
        try:
            yield
        except Exception as error:
            self.failures.append((" ".join(map(str, labels)), error))

    def __enter__(self) -> Report:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is not None or not self.failures:
            return
        lines = [f"{self.title}: {len(self.failures)} of {self.cases} checks failed"]
        for label, failure in self.failures[:10]:
            text = str(failure) if isinstance(failure, AssertionError) else repr(failure)
            lines.append(f"- {label}\n" + textwrap.indent("\n".join(text.splitlines()[:9]), "    "))
        if len(self.failures) > 10:
            lines.append("- also: " + "; ".join(label for label, _ in self.failures[10:40]))
        raise AssertionError("\n".join(lines)) from None


# ----------------------------------------------------------------------------------------- covering


def pairwise(factors: dict[str, list], *, full: bool = False) -> list[dict[str, Any]]:
    """Rows in which every pair of values of two factors occurs at least once (greedy,
    deterministic).

    With `full` the whole product: what `./dev test --full` runs.
    """
    names = list(factors)
    if full or len(names) < 2:
        return [dict(zip(names, row, strict=True)) for row in itertools.product(*factors.values())]
    missing = {
        (a, i, b, j)
        for a, b in itertools.combinations(range(len(names)), 2)
        for i in range(len(factors[names[a]]))
        for j in range(len(factors[names[b]]))
    }
    rows = []
    while missing:
        # Start from an uncovered pair, then give every other factor the value that covers most.
        a, i, b, j = min(missing)
        row = {a: i, b: j}
        for c in range(len(names)):
            if c in row:
                continue

            def gain(value: int, c: int = c, row: dict[int, int] = row) -> int:
                return sum(
                    ((d, v, c, value) if d < c else (c, value, d, v)) in missing
                    for d, v in row.items()
                )

            count = len(factors[names[c]])
            # Ties go to a value that moves with the row number, so that no value is starved.
            row[c] = max(range(count), key=lambda v: (gain(v), -((v - len(rows)) % count)))
        for (c, v), (d, w) in itertools.combinations(sorted(row.items()), 2):
            missing.discard((c, v, d, w))
        rows.append({names[c]: factors[names[c]][v] for c, v in sorted(row.items())})
    return rows


def optimised(stages: dict[str, str]) -> str:
    """The optimised LLVM IR, which follows the last stage's text as comments."""
    ir = stages["llvm"].split("// optimised:\n", 1)[1]
    return re.sub("(?m)^// ?", "", ir)


def check_expressions(lines: str, arguments: dict[str, Any]) -> None:
    """Each line is an expression over some of the arguments, by their names."""
    _check_lines(lines, arguments, lambda line, _: f"return {line}")


def check_statements(lines: str, arguments: dict[str, Any]) -> None:
    """Each line is a statement; the arguments that it names are its results."""
    _check_lines(lines, arguments, lambda line, names: f"{line}\n    return {names}")


def _check_lines(lines: str, arguments: dict[str, Any], body: Callable[[str, str], str]) -> None:
    with Report("lines") as report:
        for line in map(str.strip, lines.strip().splitlines()):
            used = [n for n in arguments if re.search(rf"(?<![\w.]){n}\b(?!=)", line)]
            names = ", ".join(used)
            with report.case(line):
                f = make(f"def f({names}):\n    {body(line, names)}")
                check(f, *(arguments[name] for name in used))
