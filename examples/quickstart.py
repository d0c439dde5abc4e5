"""A photograph through plain NumPy functions, as NumPy runs them and as @jit does: pictures,
times, and a check.

Writes before/after PNGs to examples/out/. Run it with `./dev quickstart`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

# One thread for both sides; must be set before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from PIL import Image
from rich.console import Console
from rich.table import Table
from shapecast import jit
from sklearn.datasets import load_sample_image

OUT = Path(__file__).parent / "out"
REPEATS = 3


# ----------------------------------------------------------- the program: plain NumPy, nothing else


def gaussian_weights(radius, sigma):
    """Weights of a Gaussian window, sum 1."""
    offsets = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (offsets / sigma) ** 2)
    return weights / weights.sum()


def blur(image, radius, sigma):
    """Gaussian blur, first down the columns, then along the rows; the picture's edge is
    replicated.
    """
    weights = gaussian_weights(radius, sigma)
    height, width, colours = image.shape
    padded = np.empty((height + 2 * radius, width + 2 * radius, colours))
    padded[radius : radius + height, radius : radius + width] = image
    padded[:radius, radius : radius + width] = image[0]
    padded[radius + height :, radius : radius + width] = image[-1]
    padded[:, :radius] = padded[:, radius : radius + 1]
    padded[:, radius + width :] = padded[:, radius + width - 1 : radius + width]

    down = np.zeros((height, width + 2 * radius, colours))
    for k in range(2 * radius + 1):
        down += weights[k] * padded[k : k + height]
    result = np.zeros((height, width, colours))
    for k in range(2 * radius + 1):
        result += weights[k] * down[:, k : k + width]
    return result


def sobel(image):
    """Strength of edges: both Sobel derivatives of the brightness."""
    grey = 0.299 * image[:, :, 0] + 0.587 * image[:, :, 1] + 0.114 * image[:, :, 2]
    across = grey[:, 2:] - grey[:, :-2]
    along = grey[2:] - grey[:-2]
    gx = across[:-2] + 2 * across[1:-1] + across[2:]
    gy = along[:, :-2] + 2 * along[:, 1:-1] + along[:, 2:]
    return np.clip(np.sqrt(gx * gx + gy * gy), 0.0, 1.0)


def nearest(pixels, centres):
    """For each pixel the number of the nearest colour."""
    label = np.zeros(len(pixels), dtype=np.int64)
    shortest = np.full(len(pixels), np.inf)
    for k in range(len(centres)):
        distance = ((pixels - centres[k]) ** 2).sum(axis=1)
        label = np.where(distance < shortest, k, label)
        shortest = np.minimum(distance, shortest)
    return label


def quantise(image, count, steps):
    """The picture in few colours: k-means over its pixels, from colours spread over the picture."""
    pixels = image.reshape(-1, 3)
    centres = np.empty((count, 3))
    for k in range(count):
        centres[k] = pixels[k * (len(pixels) // count)]
    for _ in range(steps):
        label = nearest(pixels, centres)
        for k in range(count):
            member = label == k
            size = member.sum()
            if size > 0:
                centres[k] = (pixels * member[:, None]).sum(axis=0) / size
    label = nearest(pixels, centres)
    result = np.zeros(pixels.shape)
    for k in range(count):
        result += (label == k)[:, None] * centres[k]
    return result.reshape(image.shape)


# ------------------------------------------------------------------------------ timing and checking


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def save(name: str, image: np.ndarray) -> Path:
    path = OUT / f"{name}.png"
    Image.fromarray((np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)).save(path)
    return path


def main() -> int:
    OUT.mkdir(exist_ok=True)
    image = load_sample_image("china.jpg") / 255.0
    height, width, _ = image.shape
    console = Console(highlight=False)
    console.print(f"photograph: china.jpg of scikit-learn, {width} x {height} pixels, float64\n")
    table = Table("program", "NumPy", "first call", "steady call", "speed-up", "largest difference")
    for column in table.columns[1:]:
        column.justify = "right"

    pictures = [save("before", image)]
    worst = 0.0
    for f, arguments in ((blur, (image, 6, 2.5)), (sobel, (image,)), (quantise, (image, 12, 4))):
        compiled = jit(f)
        first = seconds(lambda: compiled(*arguments))  # noqa: B023 - called at once
        # Interleaved, so that other load on the machine affects both.
        numpy_times, steady_times = [], []
        for _ in range(REPEATS):
            numpy_times.append(seconds(lambda: f(*arguments)))  # noqa: B023
            steady_times.append(seconds(lambda: compiled(*arguments)))  # noqa: B023
        want, got = f(*arguments), compiled(*arguments)
        difference = float(np.abs(want - got).max())
        worst = max(worst, difference)
        pictures.append(save(f.__name__, got))
        numpy_time, steady = min(numpy_times), min(steady_times)
        table.add_row(
            f.__name__,
            f"{numpy_time * 1e3:.1f} ms",
            f"{first * 1e3:.1f} ms",
            f"{steady * 1e3:.1f} ms",
            f"{numpy_time / steady:.1f} x",
            f"{difference:.1e}",
        )
    console.print(table)
    ok = worst < 1e-9
    verdict = "equal" if worst == 0 else f"within {worst:.1e}" if ok else f"TOO FAR: {worst:.1e}"
    print(f"check against NumPy: {verdict}")
    shown = [os.path.relpath(p) for p in pictures]
    print(f"before: {shown[0]}\nafter:  {', '.join(shown[1:])}")
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
