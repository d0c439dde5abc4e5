"""Models whose weights are in lists of dicts of arrays, sizes read from `shape`, as people write
them: they give NumPy's values, and compile as one function. `./dev bench --compile-time` prints the
cost of their first call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapecast import jit

from bench import compile_time, models


def agrees(function: Callable[..., Any], jitted: Any, arguments: tuple[Any, ...]) -> None:
    expected, result = function(*arguments), jitted(*arguments)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=2e-3, atol=1e-4)


def test_few_compilations_of_a_resnet_serve_images_batches_and_widths() -> None:
    jitted = jit(models.resnet)
    for size, width in ((32, 4), (40, 4), (33, 3)):
        image, *weights = models.resnet_arguments(size, width)
        agrees(models.resnet, jitted, (image, *weights))
        agrees(models.resnet, jitted, (np.concatenate([image, image, image]), *weights))
    assert len(jitted.signatures()) <= 3


# Its batch is fixed too; where that guard is dropped in the end, it compiles for 21 s (dev build).
def test_few_compilations_of_a_resnet_with_windows_serve_images() -> None:
    jitted = jit(models.sliding_resnet)
    for size in (32, 40, 33):
        agrees(models.sliding_resnet, jitted, models.resnet_arguments(size, 4))
    assert len(jitted.signatures()) <= 2


def test_kernels_of_a_deep_chain_are_fixed_and_others_are_compiled_anew() -> None:
    jitted = jit(models.convs)
    image, kernels = models.convs_arguments(6)
    agrees(models.convs, jitted, (image, kernels))
    [signature] = jitted.signatures()
    assert "== 3" in signature  # kernels
    assert "== 24" not in signature  # the image
    agrees(models.convs, jitted, (image[:, :, 1:, 2:].copy(), kernels))
    assert len(jitted.signatures()) == 1
    wide = tuple(np.concatenate([w, w[:, :, :, :1]], axis=3) for w in kernels)
    agrees(models.convs, jitted, (image, wide))
    assert len(jitted.signatures()) == 2
    agrees(models.convs, jitted, (image, kernels))


def test_kernels_of_one_and_two_convolutions_stay_symbols() -> None:
    for count in (1, 2):
        jitted = jit(models.convs)
        for size in (3, 5, 4, 1):
            kernels = tuple(np.ones((3, 3, size, size + 1)) / size for _ in range(count))
            agrees(models.convs, jitted, (models.convs_arguments(1)[0], kernels))
        assert len(jitted.signatures()) == 1


@pytest.mark.parametrize("function", [models.gpt2, models.reshaped_gpt2])
def test_a_gpt2_of_lists_of_dicts_serves_all_lengths(function: Any) -> None:
    jitted = jit(function)
    for tokens in (10, 7, 1):
        agrees(function, jitted, models.gpt2_arguments(2, tokens=tokens))
    agrees(function, jitted, models.gpt2_arguments(2, d=24))


def test_parts_of_parts_know_their_sizes() -> None:
    def heads(x: Any) -> Any:
        parts = [np.split(part, 4, axis=-1) for part in np.split(x, 3, axis=-1)]
        return np.hstack([q + k * v for q, k, v in zip(*parts)])

    jitted = jit(heads)
    for size in (24, 36, 12):
        agrees(heads, jitted, (np.arange(5.0 * size).reshape(5, size),))
    assert len(jitted.signatures()) == 1
    for size in (25, 27):
        with pytest.raises(ValueError, match="equal division"):
            jitted(np.ones((5, size)))


@pytest.mark.parametrize("kind", compile_time.KINDS)
def test_programs_of_the_bench_are_right(kind: str) -> None:
    before, statements = compile_time.KINDS[kind]
    function, arguments = compile_time.repeated(before, statements, 12)
    agrees(function, jit(function), arguments)


def test_unrolled_rules_and_heads_are_right() -> None:
    for function, arguments in (compile_time.rules(20), compile_time.transformer(2, 3)):
        np.testing.assert_allclose(jit(function)(*arguments), function(*arguments), rtol=1e-9)
