"""Structured arrays created in compiled code: one array a field where that is not observable."""

import numpy as np
import pytest
from shapecast import UnsupportedError, jit

D = np.dtype([("x", float), ("k", np.int32), ("c", "?")])
BASED = np.dtype([("p", float, (2,)), ("q", int)])


def fields(n):
    r = np.zeros(n, D)
    for i in range(n):
        r[i]["x"] = i * 0.5
        r["k"][i] = i
        r[i]["c"] = i % 2 == 0
    return r


def two_axes(n):
    r = np.zeros((n, 2), dtype=D)
    r["x"] = 1.5
    r["k"] += 3
    r[0, 1]["x"] = 9
    s = r["x"].sum() + r.size + len(r) + r.shape[1] + r.ndim
    return s, r


def records(n):
    r = np.empty(n, D)
    for i in range(n):
        r[i] = (i, i * 2.7, i)
    return r


def swapped(n):
    r = np.zeros(n, D)
    r["k"] = np.arange(n)
    for i in range(n // 2):
        r[i] = (r[n - 1 - i]["k"], r[i]["x"], True)
    return r


def summed(n):
    r = np.zeros(n, D)
    t = 0.0
    for j in range(3):
        for i in range(len(r)):
            r[i]["x"] += i + j
            t += r[-1]["x"]
    return t


def windows(n):
    r = np.zeros(n, D)
    r[1:3]["x"] = 2
    return r


def a_view(n):
    r = np.zeros(n, D)
    q = r[1:]
    q["x"] = 2
    return r


def passed_on(n):
    r = np.zeros(n, D)
    r["x"] = 1
    return fields_of(r)


def fields_of(r):
    return r["x"] * 2


def masked_read(n):
    r = np.zeros(n, D)
    r["x"] = np.arange(n)
    return r[r["x"] > 1]["x"]


def out_of_bounds(n):
    r = np.zeros(n, D)
    return r[n]["x"]


def too_many(n):
    r = np.zeros(n, D)
    r["x"] = np.arange(n + 1)
    return r


def with_items_of_their_own(n):
    r = np.zeros(n, BASED)
    r[0]["p"][1] = 3.0
    r["q"] = 4
    return r


def own_len(n):
    len = max
    r = np.zeros(n, D)
    return len(r.size, 2)


@pytest.mark.parametrize(
    "f",
    [fields, two_axes, records, swapped, summed, windows, a_view, passed_on, masked_read,
     out_of_bounds, too_many, with_items_of_their_own, own_len],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_created_arrays_are_numpys(f) -> None:
    def outcome(g):
        try:
            return repr(g(5))
        except Exception as error:
            return str(error)

    assert outcome(jit(f)) == outcome(f)


@pytest.mark.parametrize(
    "f", [fields, two_axes, records, swapped, summed], ids=lambda f: f.__name__
)
def test_python_is_called_only_to_join_the_fields(f) -> None:
    compiled = jit(f)
    compiled(5)
    called = [line for line in str(compiled.explain()).splitlines() if "calls Python" in line]
    assert all("joined" in line for line in called), called


def stored_through_a_mask(n):
    r = np.zeros(n, D)
    m = r["k"] == 0
    r[m]["x"] = 5
    return r["x"]


def test_a_store_into_a_copy_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="record"):
        jit(stored_through_a_mask)(5)


def test_another_dtype_under_the_name_is_seen() -> None:
    compiled = jit(fields)
    compiled(3)
    space = fields.__globals__
    before = space["D"]
    try:
        space["D"] = np.dtype([("x", np.float32), ("k", np.int64), ("c", np.int8)])
        assert compiled(3).dtype == space["D"] and repr(compiled(3)) == repr(fields(3))
    finally:
        space["D"] = before
