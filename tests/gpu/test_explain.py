"""What f.explain() and notebooks say of calls with arrays on a device: kernels, waits, copies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from shapecast import _nests, _show, jit, to_device
from support.compare import make

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()


def lines_of(f):
    """The notes of the newest variant, without the line on its compilation."""
    _, *notes = str(f.explain()).splitlines()
    return notes


def explained(source, *arguments):
    f = jit(make(source))
    f(*arguments)
    return lines_of(f)


LAUNCH = "[^;]*threads[^;]*"


def test_a_kernel_has_its_elements_operations_launch_bytes_and_line():
    f = "def f(x, y):\n    return x * y + 1"
    (note,) = explained(f, to_device(np.ones(100)), to_device(np.ones(100)))
    found = re.fullmatch(
        f"kernel f_kernel0: s0 elements, 2 operations each; {LAUNCH}; "
        r"reads and writes at least 24 \* s0 bytes \(line 2\)",
        note,
    )
    assert found, note


@pytest.mark.parametrize(
    ("expression", "work", "bytes_"),
    [
        ("x + 1", "s0 x s1 elements, 1 operation each", "8 * s0 * s1"),
        ("x.sum(axis=1)", "sums along s1 of s0 x s1 elements, 1 operation each",
         "4 * s0 + 4 * s0 * s1"),
        ("x.any()", "any along s0 x s1 of s0 x s1 elements, 1 operation each", "4 * s0 * s1 + 1"),
        ("np.ones(len(x), 'i1')", "s0 elements filled", "s0"),
        ("x[::-1].copy()", "s0 x s1 elements copied", "8 * s0 * s1"),
        ("x[1:] - x[:-1]", "(s0 - 1) x s1 elements, 1 operation each", "8 * s0 * s1 - 8 * s1"),
        ("x.astype('c16')[:, ::2] * 2", None, None),
    ],
)  # fmt: skip
def test_what_is_computed_is_said_in_sizes_of_the_signature(expression, work, bytes_):
    notes = explained(f"def f(x):\n    return {expression}", to_device(np.ones((9, 70), "f4")))
    if work is None:
        assert "reads and writes at least " in notes[-1]
        return
    texts = [n for n in notes if re.search(rf": {re.escape(work)}; {LAUNCH}; ", n)]
    assert len(texts) == 1, notes
    assert f"; reads and writes at least {bytes_} bytes (line 2)" in texts[0]


@pytest.mark.parametrize(
    "expression",
    [
        "x * y",
        "(x * y).sum(axis=1)",
        "x[:, 1:-1] + 1",
        "np.concatenate([x, y * 2])",
        "np.roll(x, 3) * y",
    ],
)
def test_bytes_are_those_that_are_needed(expression):
    """Also where one expression is several kernels, which differ."""
    f = jit(make(f"def f(x, y):\n    return {expression}"))
    x, y = (to_device(np.ones((300, 77))) for _ in range(2))
    f(x, y)
    cuda.call("cuCtxSynchronize")
    cuda.start()
    f(x, y)
    cuda.call("cuCtxSynchronize")
    counted = cuda.counters()
    bytes_ = 0
    for note in lines_of(f):
        if known := re.search("at least (.*) bytes", note):
            bytes_ += eval(known[1], {"s0": 300, "s1": 77, "s2": 300})
    assert 0.6 < bytes_ / (32 * (counted.distinct_read + counted.distinct_written)) <= 1


def test_a_broadcast_operand_counts_once():
    f = jit(make("def f(x, row):\n    return x + row"))
    f(to_device(np.ones((9, 70))), to_device(np.ones((1, 70))))
    (note,) = lines_of(f)
    found = re.search("at least (.*) bytes", note)[1]
    least = eval(found, {"s0": 9, "s1": 70, "s2": 1})
    assert least <= (2 * 9 * 70 + 70) * 8


def test_bytes_are_what_the_driver_counts_for_a_chain():
    """In sectors of 32 bytes; the least of what kernels ask for."""
    f = jit(make("def f(x, y):\n    return np.sqrt(x) * y + x[::-1]"))
    x, y = to_device(np.ones(4096)), to_device(np.ones(4096))
    f(x, y)
    (note,) = lines_of(f)
    least = eval(re.search("at least (.*) bytes", note)[1], {"s0": 4096})
    cuda.call("cuCtxSynchronize")
    cuda.start()
    f(x, y)
    cuda.call("cuCtxSynchronize")
    counted = cuda.counters()
    assert least == 32 * (counted.distinct_read + counted.distinct_written)


def test_fused_expressions_name_all_their_lines():
    notes = explained(
        """
        def f(x):
            y = np.exp(x)
            z = y + 1
            return z * y
        """,
        to_device(np.ones(9)),
    )
    assert len(notes) == 1
    assert notes[0].endswith("(lines 2, 3, 4)") and "3 operations each" in notes[0]


def test_notes_are_in_the_order_of_lines_and_say_where_the_host_waits():
    notes = explained(
        """
        def f(x, y):
            y[:] = x * 2
            if x.sum() > 3:
                x += x[0]
            for i in range(len(x)):
                y[i] += x[i] * i
            for i in range(1, len(x)):
                y[i] += y[i - 1]
        """,
        to_device(np.arange(8.0)),
        to_device(np.zeros(8)),
    )
    expected = [
        r"kernel f_kernel0: sums along s0 of s0 elements, .* \(lines 2, 3\)",
        r"kernel f_kernel0_total: what several blocks have left is combined; .* \(lines? 2.*\)",
        r"the host waits for a number \(line 3\)",
        r"kernel f_kernel1: 1 element.* \(line 4\)",
        r"kernel f_kernel2: s0 elements, .* \(line 4\)",
        r"kernel f_kernel3: an iteration of the loop is a thread; .* threads \(line 5\)",
        r"a loop over elements: by the host, on copies \(line 7\)",
    ]
    for pattern, note in zip(expected, notes, strict=True):
        assert re.fullmatch(pattern, note), (pattern, notes)


def test_a_kernel_of_rows_names_the_lines_of_all_its_expressions():
    """The expressions' own kernels are for few long rows."""
    rows, *own = explained(
        """
        def f(x):
            powers = np.exp(x - x.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True)
        """,
        to_device(np.ones((9, 70))),
    )
    assert re.fullmatch(
        f"kernel f_kernel0_rows: these expressions, row by row; {LAUNCH} \\(lines 2, 3\\)", rows
    )
    assert len(own) == 5
    assert all("; only where rows are few and long (line" in note for note in own)


def test_a_transpose_says_that_it_has_tiles():
    plain, tiles = explained(
        "def f(x, y):\n    y[:] = x.T", to_device(np.ones((9, 70))), to_device(np.ones((70, 9)))
    )
    assert "s1 x s0 elements copied" in plain or "s0 x s1 elements copied" in plain
    assert tiles.startswith("kernel f_kernel0_tiles: the same where both sides are 16 or longer; ")


def test_lines_of_a_called_function_are_those_of_the_call():
    notes = explained(
        """
        def twice(x):
            return 2 * x

        def f(x):
            y = x[1:]
            return twice(y)
        """,
        to_device(np.ones(9)),
    )
    assert len(notes) == 1 and notes[0].endswith("(line 6)")


def test_kernels_of_a_variant_from_disk_are_explained_as_they_were(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        textwrap.dedent("""
        import numpy as np, shapecast
        @shapecast.jit
        def f(x):
            return x[np.argsort(x)] * 2, x.sum()
        f(shapecast.to_device(np.arange(5.0)))
        head, *notes = str(f.explain()).splitlines()
        print("found on disk" in head)
        print(*notes, sep="\\n")
        """)
    )
    environment = os.environ | {
        "SHAPECAST_CUDA_DRIVER": str(cuda.library()._name),
        "SHAPECAST_CACHE_DIR": str(tmp_path / "cache"),
    }
    first, second = (
        subprocess.run(
            [sys.executable, file], env=environment, capture_output=True, text=True, check=True
        ).stdout.split("\n", 1)
        for _ in range(2)
    )
    assert (first[0], second[0]) == ("False", "True")
    assert first[1] == second[1] and "kernel f_kernel0" in first[1]


def test_notebooks_show_the_same_notes_and_mark_lines_of_the_host():
    f = jit(
        make("""
        def f(x):
            y = np.cos(x)
            x.sort()
            return y * x.sum()
        """)
    )
    f(to_device(np.arange(8.0)))
    variant = f._inspect_variant(0)
    assert [text for text, _, _ in variant["device"]] == lines_of(f)
    assert {is_kernel for text, _, is_kernel in variant["device"] if "kernel" in text} == {True}
    nests = _nests.describe(variant)
    marks = [mark for _, _, mark in _show.source_rows(f.__wrapped__, nests, variant["device"])]
    assert marks[1] == "  ← nest 1" and marks[3] == "  ← nest 2, 3"
    html = f._repr_html_()
    assert "Arrays on a device; a call does:" in html
    assert all(note in html for note in lines_of(f))


def test_variants_of_the_host_have_no_such_notes():
    f = jit(make("def f(x):\n    return x.sum()"))
    f(np.ones(3))
    assert lines_of(f) == [] and f._inspect_variant(0)["device"] == []
    assert "device" not in f._repr_html_()
