"""What symbolic sizes come to: facts that go back to their producers, equations that are solved,
contradictions with both locations, a network's head from end to end.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import shape_rules as sr
from support.compare import case_id, jitted, make
from support.toolchain import pipeline_stages

# ------------------------------------------------------------------------------ facts


def test_matmul_infers_the_contracted_size() -> None:
    scope = sr.Scope()
    assert str(sr.matmul(("s0", "s1"), (512, 10), scope=scope)) == "(s0, 10)"
    assert scope.equal("s1", 512) is True
    assert scope.size("s1") == 512
    assert scope.equal("s0", 512) is None


def test_equal_symbols_are_one() -> None:
    scope = sr.Scope()
    x, y = scope.shape(("s0", "s1", "s2")), scope.shape(("s3", "s4", "s5"))
    for a, b in zip(x, y, strict=True):
        scope.require(a, "==", b)
    assert scope.shape(y) == x
    assert str(scope.size("s3 + 2 * s4 - s0")) == "2 * s1"


def test_a_compiled_function_merges_equal_sizes() -> None:
    f = jitted(make("def f(x, y):\n    return np.zeros((x + y).shape), (x * y).shape[0]"))
    x = np.ones((4, 5, 6))
    text = f.stages(x, x.copy())["infer"]
    header = re.search(r"np.func.*", text).group()  # type: ignore[union-attr]
    assert set(re.findall(r"\bs\d\b", header.split("guards")[0].split("attributes")[0])) == {
        "s0", "s1", "s2"
    }  # fmt: skip
    body = text.split("{\n", 2)[2]
    assert "np.size <s0>" in body and "s3" not in body
    assert f.infer(x, x.copy())[0].shape == ("s0", "s1", "s2")


def test_products_stay_products() -> None:
    scope = sr.Scope()
    assert str(sr.reshape((128, "s21", "s22"), (-1,), scope=scope)) == "(128 * s21 * s22,)"
    assert str(sr.reshape(("128 * s21 * s22",), (128, -1, "s22"), scope=scope)) == "(128, s21, s22)"


def test_add_keeps_its_sizes_through_every_stage() -> None:
    f = jitted(make("def f(x, y):\n    return abs(abs(x)) + y"))
    x = np.ones((7, 9))
    stages = f.stages(x, x.copy())
    assert stages["infer"].count('"absolute"') == 2
    assert stages["simplify"].count('"absolute"') == 1  # abs(abs(x)) folds
    for name, _ in pipeline_stages("infer", "checks"):
        assert set(re.findall(r"\bs\d+\b", stages[name])) >= {"s0", "s1"}, name
    assert f.infer(("n", "m"), ("n", "m")).shape == ("n", "m")


def test_unary_functions_keep_all_sizes() -> None:
    scope = sr.Scope()
    scope.require("m", "==", 3)
    assert str(sr.unary(("n", "m", 2), scope=scope)) == "(n, 3, 2)"
    assert sr.unary(None) is None


# ------------------------------------------------------------------------------ equations


@pytest.mark.parametrize(
    ("a", "b", "size", "bounds"),
    [
        ("128 * (q + 1)**2", 100352, "q", (27, 27)),
        ("(S - 1) // 8", 27, "S", (217, 224)),
        ("128 * ((S - 1) // 8 + 1)**2", 100352, "S", (217, 224)),
        ("3 * n + 5", 20, "n", (5, 5)),
        ("n * n", 49, "n", (7, 7)),
        ("n**2 - 5 * n + 6", 0, "n - n", (0, 0)),  # 2 or 3: left open
        ("n // 4 * 4", 8, "n", (8, 11)),
        ("n + m", 0, "m", (0, 0)),
    ],
    ids=case_id,
)
def test_equations_are_solved(a: str, b: int, size: str, bounds: tuple[int, int]) -> None:
    scope = sr.Scope()
    scope.require(a, "==", b)
    assert scope.bounds(size) == bounds


@pytest.mark.parametrize(
    ("a", "b"),
    [("n * n", 50), ("2 * n", 7), ("n + 3", 2), ("(n + 1)**2", 0), ("4 * n + 2 * m", 9)],
)
def test_equations_without_solution_raise(a: str, b: int) -> None:
    with pytest.raises(shapecast.ShapeError):
        sr.Scope().require(a, "==", b)


def test_a_contradiction_names_both_locations() -> None:
    scope = sr.Scope()
    with scope.origin("line 9"):
        sr.matmul(("n", "k"), (512, 10), scope=scope)
    with scope.origin("line 10"):
        sr.matmul(("a", "b"), ("b", "c"), scope=scope)
    with scope.origin("line 12"):
        sr.concat([("k", 2), ("n", 3)], 1, scope=scope)  # k == n
    with pytest.raises(shapecast.ShapeError) as raised:
        scope.require("n", "==", 511)
    notes = raised.value.__notes__
    assert any("k == 512 because of line 9" in note for note in notes)
    assert any("because of line 12" in note for note in notes)
    assert not any("line 10" in note for note in notes)


def test_a_rule_that_raises_adds_no_facts() -> None:
    scope = sr.Scope()
    scope.require("n", "==", 3)
    with pytest.raises(shapecast.ShapeError):
        scope.require("n", "==", 4)
    scope.require("m", ">=", 4)
    assert scope.size("n") == 3


def test_a_broadcast_is_decided_later() -> None:
    scope = sr.Scope()
    result = sr.broadcast(("a",), ("b",), scope=scope)
    scope.require("a", "==", 5)
    scope.require("b", "!=", 1)
    assert scope.size("b") == 5
    assert scope.shape(result) == (5,)


def test_an_origin_is_a_source_location() -> None:
    scope = sr.Scope()
    sr.matmul(("n", "k"), (512, 10), scope=scope)
    assert re.search(r"k == 512 because of matmul \(test_symbolic.py:\d+\)", scope.facts[0])


# ------------------------------------------------------------------------------ the lattice


def random_shapes(random: np.random.Generator) -> list[Any]:
    sizes = ["a", "b", "c", 2, 3, None]
    return [tuple(random.choice(sizes) for _ in range(random.integers(0, 3))) for _ in range(3)]


@pytest.mark.parametrize("seed", range(100))
def test_merge_and_relax_are_a_lattice(seed: int) -> None:
    a, b, c = random_shapes(np.random.default_rng(seed))

    def merged(*shapes: Any) -> Any:
        scope = sr.Scope()
        known = [scope.shape(shape) for shape in shapes]
        result = known[0]
        try:
            for shape in known[1:]:
                result = sr.merge(result, shape, scope=scope)
        except shapecast.ShapeError:
            return "none"
        return [scope.bounds(size) for size in scope.shape(result)]

    assert merged(a, b) == merged(b, a)
    assert merged(a, b, c) == merged(b, c, a) == merged(c, b, a)
    assert merged(a, a) == merged(a)
    scope = sr.Scope()
    x, y = scope.shape(a), scope.shape(b)
    relaxed = sr.relax(x, y, scope=scope)
    assert sr.relax(x, x, scope=scope) == x
    assert sr.merge(x, relaxed, scope=scope) == x
    assert (relaxed is None) == (len(x) != len(y))


def test_relax_keeps_what_is_equal() -> None:
    scope = sr.Scope()
    assert sr.relax((2, "a", 3), (2, "a", 4), scope=scope)[:2] == (2, scope.size("a"))  # type: ignore[index]
    assert not isinstance(sr.relax((3,), (4,), scope=scope)[0], int)  # type: ignore[index]
    assert scope.facts == []


# ------------------------------------------------------------------------------ ResNet-18's head


def resnet_head(size: sr.Size, scope: sr.Scope) -> list[sr.Shape]:
    """The shapes along it, without the weights' values: an image (1, 3, size, size)."""
    shapes = [scope.shape((1, 3, size, size))]

    def conv(features: int, window: int, stride: int, padding: int) -> None:
        w = (features, shapes[-1][1], window, window)
        shapes.append(sr.conv(shapes[-1], w, strides=stride, padding=padding, scope=scope))

    conv(64, 7, 2, 3)
    shapes.append(sr.pool(shapes[-1], (3, 3), strides=2, padding=1, scope=scope))
    conv(64, 3, 1, 1)
    before = shapes[-1]
    conv(128, 3, 2, 1)
    short = sr.conv(before, (128, 64, 1, 1), strides=2, scope=scope)
    assert sr.broadcast(shapes[-1], short, scope=scope) == short == shapes[-1]
    shapes.append(sr.flatten(shapes[-1], 1, scope=scope))
    return shapes


def test_resnets_head_has_four_spatial_sizes() -> None:
    scope = sr.Scope()
    shapes = resnet_head("S", scope)
    spatial = {size for shape in shapes if len(shape) == 4 for size in shape[2:]}
    assert all(shape[2] == shape[3] for shape in shapes if len(shape) == 4)
    expected = ("S", "(S - 1)//2 + 1", "(S - 1)//4 + 1", "(S - 1)//8 + 1")
    assert spatial == {scope.size(text) for text in expected}
    assert shapes[3] == shapes[2]  # a window of 3, stride 1, padding 1
    assert shapes[-1] == (1, scope.size("128 * ((S - 1)//8 + 1)**2"))
    for n in range(1, 2001):
        sizes = [n, *(-(-n // k) for k in (2, 4, 8))]
        assert {x.evaluate({"S": n}) for x in spatial if not isinstance(x, int)} == set(sizes)


def test_the_size_of_the_weights_determines_the_images_size() -> None:
    scope = sr.Scope()
    flat = resnet_head("S", scope)[-1]
    with scope.origin("the weights"):
        assert sr.matmul(flat, (100352, 512), scope=scope) == (1, 512)
    assert scope.bounds("S") == (217, 224)
    with pytest.raises(shapecast.ShapeError) as raised:
        scope.require("S", "==", 230)
    assert any("100352 because of the weights" in note for note in raised.value.__notes__)
    scope.require("S", "==", 224)
    fitting = [n for n in range(1, 2001) if resnet_head(n, sr.Scope())[-1][1] == 100352]
    assert fitting == list(range(217, 225))


# ------------------------------------------------------------------------------ scopes


def test_unknown_sizes_are_no_symbols_of_a_scope() -> None:
    scope = sr.Scope()
    unknown = scope.size(None)
    scope.require(unknown, "==", 3)
    assert not isinstance(scope.size("u0"), int)
    assert sr.Scope().size(None) != sr.Scope().size(None)


def test_sizes_of_another_scope_are_sizes() -> None:
    n, scope = sr.Scope().size("n"), sr.Scope()
    assert scope.bounds(n)[0] == 0
    with pytest.raises(shapecast.ShapeError):
        scope.require(n, "==", -5)


def test_no_array_has_a_negative_size() -> None:
    with pytest.raises(ValueError, match="no negative size"):
        sr.matmul((-3, 4), (4, 2))
    scope = sr.Scope()
    sr.transpose(("n - 10", 4), scope=scope)
    assert scope.greater_equal("n", 10) is True


def test_large_numbers_do_not_hide_solutions() -> None:
    scope = sr.Scope()
    scope.require("(536870912 - a) * a", "==", 3758096335)  # a = 7
    assert scope.greater_equal("a", 8) is not True
    scope = sr.Scope()
    scope.require("32768 * b**4 + 2560 * b**3 + 690 * b**2 + 25 * b", "==", 550429730368)
    scope.require("b", ">=", 62)
    scope.require("b * b + a // 3", "==", 4096)  # b = 64
    scope = sr.Scope()
    scope.require("17592186044416 * a + c + b", "==", 474989023199323)
    scope.require(28, "==", "b + a % 2")


def test_sizes_are_read_as_they_are_printed() -> None:
    scope = sr.Scope()
    for text in ("(n + 1) // 2", "n % 3", "min(n, m, 4)", "broadcast(n, m) - 1", "2 * n * m + 1"):
        size = scope.size(text)
        assert scope.size(str(size)) == size


def test_a_broadcast_that_fails_later_is_named() -> None:
    scope = sr.Scope()
    with scope.origin("the sum of line 3"):
        sr.broadcast(("a",), ("b",), scope=scope)
    with scope.origin("line 5"):
        scope.require("a", "==", 2)
    with scope.origin("line 7"), pytest.raises(shapecast.ShapeError) as raised:
        scope.require("b", "==", 3)
    assert any("the sum of line 3" in note for note in raised.value.__notes__)


def test_sizes_and_compilations_in_threads() -> None:
    import threading

    wrong: list[Any] = []

    def rules(k: int) -> None:
        for i in range(40):
            scope = sr.Scope()
            x = (f"n{k}", f"m{i}", 3)
            if sr.matmul(x, (x[0], 3, 5), scope=scope) != scope.shape((x[0], x[1], 5)):
                wrong.append((k, i))

    def compiles(k: int) -> None:
        for i in range(4):
            f = shapecast.jit(make(f"def f(x):\n    return x[1:] * {k}.5 + x[:-1] + {i}"))
            if f(np.ones(4))[0] != k + 1.5 + i:
                wrong.append((k, i))

    threads = [threading.Thread(target=t, args=(k,)) for k in range(3) for t in (rules, compiles)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
