"""Programs over containers and texts that are known item by item, in memory, or empty."""

from __future__ import annotations

import copy
from typing import Any

import shapecast
from constructs.rows import programs
from support.compare import Report, make
from support.pictures import outcome

SHORT: dict[str, Any] = {
    **{"n": 3, "v": 2.5, "flag": True, "empty": [], "es": ""},
    **{"x": [3, 1, 2, 1], "y": [0.5, 1.5], "words": ["b", "a", "c"]},
    **{"s": "hello World\tx", "t": "ab", "d": {"a": 1, "b": 2}, "i": {3: 1, 1: 2}},
    **{"pairs": [(1, 2.0), (0, 1.0)], "nested": [[1, 2], [3]]},
    **{"long": list(range(60)), "lw": [str(k) for k in range(60)], "ls": "ab c " * 80},
}
LONG: dict[str, Any] = {
    **{"n": 5, "v": 0.5, "flag": False, "empty": [], "es": ""},
    **{"x": [k * 7 % 23 for k in range(60)], "y": [k / 4 for k in range(70)]},
    **{"words": [chr(97 + k * 7 % 26) * (k % 3 + 1) for k in range(55)]},
    **{"s": "Hello, \tWorld of words " * 30, "t": "xyz" * 150},
    **{"d": {f"k{k}": k * 5 % 11 for k in range(50)}, "i": {k * 3: k % 7 for k in range(50)}},
    **{"pairs": [(k % 5, k / 2) for k in range(60)], "nested": [[k, k + 1] for k in range(50)]},
    **{"long": [k % 9 for k in range(80)], "lw": [str(k % 13) for k in range(70)]},
    **{"ls": "tab\tnew\nline " * 40},
}
_NONE = {name: type(value)() for name, value in SHORT.items()} | {"v": 1.0}
INPUTS = {"short": SHORT, "long": LONG, "empty": _NONE}


def same_as_python(text: str, inputs: str) -> None:
    """Each program (constructs.rows) has the results and errors of Python."""
    known = INPUTS[inputs]
    with Report(inputs) as report:
        for one in programs(text, known):
            with report.case(one.shown):
                plain = make(one.source, "f", __name__=__name__)
                jitted = shapecast.jit(make(one.source, "f", __name__=__name__))
                given = tuple(copy.deepcopy([known[name] for name in one.arguments]))
                expected = outcome(plain, given)
                for _ in range(2):
                    assert outcome(jitted, given) == expected, one.source
