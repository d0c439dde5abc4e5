"""Format specifications: f-strings, format(), `%` and str.format, of strings that the function goes
on with, against Python's own.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit

INTS = [0, 1, -1, 7, 12, -345, 1234, 123456, -1234567, 2**40, -(2**62), True, False]
FLOATS = [0.0, -0.0, 1.0, -1.5, 3.14159, 1e-5, 1e-4, 123456.789, -1234567.891, 1e15, 1e16, 1e22]
FLOATS += [1.5e300, 5e-324, 0.5, 2.5, 0.125, 99999.5, 999999.5, 0.00001234]
FLOATS += [float("inf"), float("-inf"), float("nan")]
TEXTS = ["", "a", "hello", "héllo", "日本", "x" * 30]
VALUES: dict[str, list[Any]] = {"int": INTS, "float": FLOATS, "text": TEXTS}
TYPES = {
    "int": ["", "d", "b", "o", "x", "X", "f", "e", "g", "%", "s", "c"],
    "float": ["", "f", "F", "e", "E", "g", "G", "%", "d"],
    "text": ["", "s", "d"],
}
FORMS = {
    "f-string": "return f'{{x:{}}}' + ''",
    "format": "return format(x, '{}') + ''",
    "method": "return 'a{{0:{}}}b{{{{'.format(x) + ''",
    "percent": "return 'a%{}b%%' % x + ''",
}


def function_of(form: str, specification: str) -> Callable[..., str]:
    source = f"def f(x):\n    {FORMS[form].format(specification)}\n"
    name = f"<text format {form} {specification}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names: dict[str, Any] = {}
    exec(compile(source, name, "exec"), names)
    made: Callable[..., str] = names["f"]
    return made


def specification_of(rng: random.Random, kind: str) -> str:
    align = rng.choice(["", "<", ">", "^", "="])
    fill = rng.choice(["", "*", "0", "é", "→", " "]) if align else ""
    width = rng.choice(["", "", "1", "5", "8", "12", "23"])
    places = rng.choice(["", "", ".0", ".1", ".3", ".8", ".20"])
    sign, others = rng.choice(["", "", "+", "-", " "]), rng.choice(["", "", "#", "0"])
    grouping = rng.choice(["", "", "", ",", "_"])
    if kind == "text":
        sign = others = grouping = ""
    return fill + align + sign + others + width + grouping + places + rng.choice(TYPES[kind])


def percent_of(rng: random.Random, kind: str) -> str:
    flags = rng.choice(["", "-", "0", "+", " ", "#", "-+", "0+"])
    width, places = rng.choice(["", "5", "12"]), rng.choice(["", ".2", ".0", "."])
    types = {"int": "dixXosrfge", "float": "feEgGsrd", "text": "sr"}
    return flags + width + places + rng.choice(types[kind])


def outcome(f: Callable[..., Any], *arguments: Any) -> tuple[str, str]:
    try:
        return "returns", f(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", VALUES)
def test_specifications(form: str, kind: str) -> None:
    rng = random.Random(f"{form} {kind}")
    for _ in range(12):
        specification = (percent_of if form == "percent" else specification_of)(rng, kind)
        plain = function_of(form, specification)
        compiled = jit(plain)
        for value in rng.sample(VALUES[kind], min(6, len(VALUES[kind]))):
            assert outcome(compiled, value) == outcome(plain, value), (specification, value)


def shown_by(x: Any, specification: str) -> str:
    return f"{x:{specification}}" + ""


@pytest.mark.parametrize("kind", VALUES)
def test_specifications_known_only_at_run_time(kind: str) -> None:
    rng = random.Random(kind)
    compiled = jit(shown_by)
    for _ in range(60):
        specification, value = specification_of(rng, kind), rng.choice(VALUES[kind])
        expected = outcome(shown_by, value, specification)
        assert outcome(compiled, value, specification) == expected, (specification, value)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "float32", "float64"])
@pytest.mark.parametrize("specification", ["5", ">8.2f", "06", ".3"])
def test_scalars_of_numpy(dtype: str, specification: str) -> None:
    plain = function_of("f-string", specification)
    value = np.dtype(dtype).type(42.625)
    assert outcome(jit(plain), value) == outcome(plain, value)


def table(rows: list[tuple[str, int, float]], width: int) -> list[str]:
    lines = [f"{'name':<{width}}|{'n':>6}|{'share':>8}"]
    for name, n, share in rows:
        lines.append(f"{name:<{width}}|{n:>6,}|{share:>8.1%}")
    lines.append("%-8s %5d %05.1f%%" % (rows[0][0], rows[0][1], rows[0][2]))
    lines.append("{:>4}{:<4}|{name!r:^9}".format(rows[0][1], rows[0][2], name=rows[0][0]))
    return lines


def test_a_table() -> None:
    rows = [("ham", 12345, 0.5), ("eggs", 7, 0.125)]
    assert jit(table)(rows, 10) == table(rows, 10)
    assert jit(table)(rows * 40, 12) == table(rows * 40, 12)
