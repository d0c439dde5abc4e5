"""docs/user/gpu-table.md says what becomes of each program on a device, and is up to date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from support.compare import make

from support import cuda

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))

import device_table  # noqa: E402
from device_table import Row  # noqa: E402

PAGE = DOCS / "user" / "gpu-table.md"


@pytest.fixture(autouse=True)
def device():
    cuda.start()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return np.exp(x[1:]) + 1", Row("native")),
        ("return x.sum()", Row("native")),
        ("return x[int(x.sum())]", Row("native", waits=True)),
        ("return np.linalg.svd(np.outer(x, x))[1]", Row("partly by the host", ("lapack_svd_d",))),
        ("return np.poly(x)", Row("partly by the host", ("numpy.poly, called",))),
        ("raise ValueError(3)", Row("native")),
    ],
)
def test_a_row_says_what_the_host_does(body, expected):
    found = device_table.row_of(make(f"def f(x):\n    {body}"), (np.arange(1.0, 5),))
    assert (found.kind, found.waits) == (expected.kind, expected.waits or found.waits)
    assert set(expected.reasons) <= set(found.reasons)


def test_an_error_that_only_arrays_on_a_device_have_is_a_refusal():
    large = np.ones(10_000)
    function = make("def f(x):\n    return x + large")
    function.__globals__["large"] = large
    found = device_table.row_of(function, (np.ones(10_000),))
    assert found.kind == "refused"
    assert "TypeError: " in found.reasons[0] and "65536 bytes" in found.reasons[0]


@pytest.mark.parametrize(
    ("body", "argument"),
    [
        ("return np.strings.upper(x)", np.array(["a"])),
        ("return x + 1", 3),
        ("with open(x): pass", np.ones(3)),
    ],
)
def test_what_has_no_arrays_for_a_device_or_is_refused_on_the_host_is_left_out(body, argument):
    assert device_table.row_of(make(f"def f(x):\n    {body}"), (argument,)) is None


def test_at_most_a_twentieth_is_refused():
    counted = re.findall(
        r"^\| (\d+) \w+ \| .*? \| (\d+) \(\d+%\) \| \d+ \|$", PAGE.read_text(), re.M
    )
    assert len(counted) == len(device_table.GROUPS)
    assert all(20 * int(refused) <= int(count) and int(count) > 100 for count, refused in counted)


def test_the_guides_excerpts_are_up_to_date(tmp_path, monkeypatch):
    monkeypatch.setenv("SHAPECAST_CACHE_DIR", "off")  # which the module sets, and leaves so
    import fill

    (copy := tmp_path / "gpu.md").write_text(text := (DOCS / "user" / "gpu.md").read_text())
    fill.fill(copy, kinds=("DEVICES", "EXPLAIN"))
    assert copy.read_text() == text, "./dev docs docs/user/gpu.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text() == device_table.page(), "./dev docs writes it anew"
