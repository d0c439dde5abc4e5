"""Dicts with constant keys: arguments, displays, stores, results; **kwargs."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, check, make

V = np.array([0.5, 1.5, -2.0, 4.0])
W = np.array([1.0, 2.0, 3.0, 5.0])


def read(d):
    return d["a"] * d["b"], len(d), "a" in d, "z" in d, d.get("z", 7), d.get("b")


@pytest.mark.parametrize("b", [2, 2.5, W, np.float32(3)], ids=case_id)
def test_an_argument_is_read_by_its_keys(b):
    check(read, {"a": V, "b": b})


def test_structure_and_keys_are_part_of_the_cache_key():
    f = jit(make("def f(d):\n    return d['x'] + 1\n"))
    assert f({"x": 1, "y": 2}) == 2
    assert f({"y": 2, "x": 1}) == 2
    assert f({"x": 5, "y": 9}) == 6
    assert f({"x": 5}) == 6
    assert len(f.signatures()) == 3
    with pytest.raises(KeyError, match="'x'"):
        f({"y": 1})


def nested(d, i):
    total = 0.0
    for name, part in d.items():
        if name == "skip":
            continue
        total += part["w"][i] * part[3][0]
    return total, list(d), tuple(d.keys()), list(d.values())[0]["w"]


def test_dicts_in_dicts_and_integer_keys():
    check(nested, {"one": {"w": V, 3: (2.0,)}, "two": {"w": W, 3: [1]}}, 1)


def displays(v, s):
    d = {"x": v * 2, "y": s}
    e = dict(x=d["y"], z=v)
    both = {**d, **e, "w": 1}
    squares = {k: k * k for k in range(3)}
    named = dict(zip(("a", "b"), (v, s)))
    odd = {True: 1, 1: 2, (1, 2): s}  # noqa: F601
    return d["x"] * both["x"], both, squares, named, d | e, {}, dict(), odd


def test_displays_and_calls_of_dict():
    check(displays, V, 3)


def stores(v, s):
    d = {}
    d["x"] = v
    e = d
    e["y"] = s
    d["x"] = d["x"] + 1
    d["y"] += 2
    removed = e.pop("y")
    d.update(z=removed, x=d["x"] * 2)
    d.setdefault("z", 0)
    d.setdefault("w", 1.5)
    del d["w"]
    return d, e["x"], len(e), d == {"z": s + 2}, e != d


def test_a_dict_is_one_object_under_all_its_names():
    check(stores, V, 3)


def fill(d, key, v):
    d[key] = v
    return d


def passed(v):
    d = {"n": 0}
    fill(d, "v", v)
    fill(d, "n", len(v))
    return d


def test_a_called_function_changes_the_callers_dict():
    check(passed, V)


def in_branches(v, s):
    d = {"x": 1.0, "y": v}
    if v[0] > s:
        d["x"] = 2.0
        d["y"] = v * 2
    else:
        e = d
        e["x"] = -3.0
    return d


@pytest.mark.parametrize("s", [0.0, 9.0])
def test_stores_in_a_branch_are_seen_after_it(s):
    check(in_branches, V, s)


def in_loops(v, n):
    state = {"x": 0.0, "steps": 0, "v": v * 1}
    history = [0.0, 0.0]
    for i in range(n):
        state["x"] = state["x"] + v[i % 4]
        state["steps"] += 1
        state["v"] = state["v"] * 0.5
        if state["x"] > 3:
            history[1] = state["x"]
    while state["steps"] > 2:
        state["steps"] -= 1
        history[0] += 1
    return state, history


@pytest.mark.parametrize("n", [0, 1, 9])
def test_stores_in_loops_are_carried_to_the_next_iteration(n):
    check(in_loops, V, n)


def growing_keys(v, n):
    d = {"a": v}
    for i in range(n):
        d["b"] = i
    return d


def test_a_key_added_in_the_first_iteration():
    check(growing_keys, V, 5)


def some_paths(v):
    d = {"a": v}
    if v[0] > 0:
        d["b"] = 1
    return d


def test_a_key_that_only_some_paths_have():
    check(some_paths, V)
    check(some_paths, -V)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return {1j * s: 1}", "complex"),
    ],
)
def test_keys_that_are_not_static_are_refused(body, message):
    f = make(f"def f(d, s):\n    {body}\n")
    with pytest.raises(UnsupportedError, match=message):
        jit(f)({"a": 1}, 4)


def test_a_number_of_the_caller_is_a_key():
    f = make("def f(d, s):\n    return d[s] * 2, {s: 1, s + 1: 2}")
    for key in (1, 2):
        check(f, {1: 2.5, 2: 3}, key)
    with pytest.raises(KeyError, match="4"):
        jit(f)({1: 2.5}, 4)


@pytest.mark.parametrize(
    "body",
    [
        "return d['b']",
        "return d.pop('b')",
        "return {}['k']",
        "return d + d",
        "return {[1]: 2}",
        "return {(1, [2]): 2}",
        "return d['{0}']",
        "return d['{0:f} {1} {{0}} {{{']",
        "return g(**{'{0}': 1})",
        "e = {}\n    del e[3]",
        "return g(**{'q': 1})",
        "return g(**{1: 1})",
    ],
    ids=case_id,
)
def test_errors_are_pythons(body):
    f = make(f"def g(a=1):\n    return a\ndef f(d, s):\n    {body}\n")
    check(f, {"a": 1}, 4)


# ---------------------------------------------------------------------------------------- **kwargs


def scaled(v, a=1, *rest, b=2, **others):
    total = v * a + b
    for name, value in others.items():
        total = total + (value if name != "skip" else 0)
    return total, len(others), rest


def keywords(v, d):
    return (
        scaled(v, **d),
        scaled(v, 2, 3, 4, b=5, c=6, skip=7),
        scaled(v, **{"b": 1, "x": v}, y=2),
        np.sum(v, **{"axis": 0}),
    )


def test_keywords_from_dicts_and_into_dicts():
    check(keywords, V, {"a": 3, "z": 4.0})


def refused_entry(v, **k):
    return v * k["a"]


def test_keywords_of_a_call_from_python():
    def f(x, *a, scale=1.0, **kw):
        shift = kw.pop("shift", 0.0)
        return x * scale + shift + sum(a), list(kw.items()), "q" in kw, kw

    def only(a, /, **kw):
        return a, kw["a"]

    def passes_on(**kw):
        return f(V, **kw)

    g = jit(f)
    for given in ({}, {"shift": 4.0}, {"q": W, "scale": 3}, {"scale": 2, "shift": 1, "q": 5}):
        assert repr(g(V, **given)) == repr(f(V, **given))
        assert repr(g(V, 1, 2.5, **given)) == repr(f(V, 1, 2.5, **given))
        assert repr(jit(passes_on)(**given)) == repr(passes_on(**given))
    assert jit(only)(1, a=2) == (1, 2)

    def keyword_only(x, *, k, **kw):
        return x

    def all_kinds(a, b=2, *args, c=3, **kw):
        return a

    wrong = [
        (only, (1,), {}), (only, (), {"a": 2}), (only, (1, 2), {}), (only, (), {}),
        (keyword_only, (1,), {"kk": 3}), (keyword_only, (), {"k": 3}), (all_kinds, (), {"q": 3}),
        (all_kinds, (1,), {"a": 3}),
    ]  # fmt: skip
    for function, given, named in wrong:
        with pytest.raises((KeyError, TypeError)) as wanted:
            function(*given, **named)
        with pytest.raises(type(wanted.value)) as got:
            jit(function)(*given, **named)
        assert str(got.value).splitlines()[0] == str(wanted.value)


def test_a_keyword_is_given_once():
    def takes(**kw):
        return len(kw)

    with pytest.raises(TypeError, match="multiple values for keyword argument 'zz'"):
        jit(lambda **kw: takes(**kw, zz=1))(zz=3)


@pytest.mark.parametrize(
    "lookup",
    ["{1: x}[8]", "{'a': x}['b']", "{(1, 2): x}[3, 2]", "{1: x}.pop(-3)", "{'8': x}['9']",
        "{(1, 'a'): x}[(1, 'b')]", "{(1,): x}[(5,)]", "{None: x}.pop(3)", "{1: x}[None]",
        "{2: x}[True]", "{2: x}[True, None, (3, 'c')]"],
)  # fmt: skip
def test_the_argument_of_a_key_error_is_the_key(lookup):
    f = make(f"def f(x):\n    return {lookup}")
    g = make(f"""
        def f(x):
            try:
                return {lookup}
            except KeyError as e:
                return repr(e)
    """)
    with pytest.raises(KeyError) as wanted:
        f(7)
    with pytest.raises(KeyError) as found:
        jit(f)(7)
    assert found.value.args == wanted.value.args
    assert type(found.value.args[0]) is type(wanted.value.args[0])
    assert jit(g)(7) == g(7)


@pytest.mark.parametrize(
    "body",
    [
        "return {(5,): x}[(5,)], {(5,): x}[5,]",
        "return {(5,): x}.get((5,)), {5: x}.get((5,), 0)",
        "d = {}\nd[(5,)] = x\nd[5,] = x + 1\nd[5] = 2\nreturn d",
        "d = {(5,): x, 5: 3}\ndel d[(5,)]\nreturn d",
        "return {5: x}[5,]",
    ],
    ids=case_id,
)
def test_a_tuple_of_one_key_is_another_key(body):
    text = "\n    ".join(body.split("\n"))
    check(make(f"def f(x):\n    {text}"), 3)


@pytest.mark.parametrize(
    "key",
    [
        "0",
        "-3",
        "True",
        "None",
        "'q'",
        "'0'",
        '"it\'s"',
        "(1, 2)",
        "(1,)",
        "()",
        "('a', (2, None))",
    ],
)
@pytest.mark.parametrize("use", ["return d[{}]", "del d[{}]", "return d.pop({})"])
def test_the_argument_of_a_key_error_has_the_type_of_the_key(use, key):
    f = make(f"def f(d):\n    {use.format(key)}")
    with pytest.raises(KeyError) as got:
        jit(f)({7: 1.0})
    wanted = eval(key)
    assert got.value.args == (wanted,)
    assert type(got.value.args[0]) is type(wanted)
