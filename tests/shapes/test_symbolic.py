"""What symbolic sizes come to: facts that go back to their producers, equations that are solved,
contradictions with both places, a network's head from end to end.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import shapecast
from helpers import jitted, make
from shapecast import shape_rules as sr

# ------------------------------------------------------------------------------ facts


def test_matmul_tells_the_size_that_it_contracts() -> None:
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


def test_a_compiled_function_unites_sizes() -> None:
    f = jitted(make("def f(x, y):\n    return (x + y).shape[0] + (x * y).sum()"))
    x = np.ones((4, 5, 6))
    text = f.stages(x, x.copy())["infer"]
    header = re.search(r"np.func.*", text).group()  # type: ignore[union-attr]
    assert set(re.findall(r"\bs\d\b", header.split("guards")[0].split("attributes")[0])) == {
        "s0", "s1", "s2"
    }  # fmt: skip
    assert "np.dim" not in re.sub(r"#np\.dims?", "", text)  # sizes are read from the types


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
    for name in ("infer", "simplify", "promote", "blocks", "nests", "schedule", "checks"):
        assert set(re.findall(r"\bs\d+\b", stages[name])) >= {"s0", "s1"}, name
    assert f.infer(("n", "m"), ("n", "m")).shape == ("n", "m")


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


def test_a_contradiction_names_both_places() -> None:
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


def test_nothing_is_learned_where_a_rule_raises() -> None:
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


def test_a_places_line_is_its_origin() -> None:
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


def test_the_weights_behind_it_tell_the_images_size() -> None:
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
