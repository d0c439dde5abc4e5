"""Functions compiled on all cores before the first call, for each dtype in their annotations."""

import time

import numpy as np
from _common import compare, size
from shapecast import compile_many, jit, spec

DTYPES = ("float32", "float64")


def blurred(image):
    wide = (image[:, :-2] + 2 * image[:, 1:-1] + image[:, 2:]) / 4
    return (wide[:-2] + 2 * wide[1:-1] + wide[2:]) / 4


def stretched(image):
    low, high = image.min(), image.max()
    return (image - low) / (high - low)


def edges(image):
    across = image[1:-1, 2:] - image[1:-1, :-2]
    down = image[2:, 1:-1] - image[:-2, 1:-1]
    return np.sqrt(across * across + down * down)


def main():
    n = size(1500)
    functions = [jit(f) for f in (blurred, stretched, edges)]
    start = time.perf_counter()
    made = compile_many([(f, spec(dtype, 2)) for f in functions for dtype in DTYPES])
    print(f"{len(made)} variants in {(time.perf_counter() - start) * 1e3:.0f} ms, for example")
    print(f"  edges({made[-1]})")
    image = np.random.default_rng(3).uniform(size=(n, n))
    for f in functions:
        f(image)
        assert len(f.signatures()) == len(DTYPES)  # calls compile nothing
        compare(f.__wrapped__, lambda: (image,), tolerance=1e-12)


if __name__ == "__main__":
    main()
