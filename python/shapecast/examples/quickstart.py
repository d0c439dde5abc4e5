"""A picture through plain NumPy functions, as NumPy runs them and as @jit does: times, and a check.

    python -m shapecast.examples.quickstart [FOLDER]

FOLDER gets the pictures before and after, as PNGs. The picture is a photograph where scikit-learn
is installed, else one that is drawn here; nothing but NumPy and shapecast is needed.
"""

from __future__ import annotations

import os
import struct
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

# One thread for both sides; must be set before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from shapecast import jit

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


# ------------------------------------------------------------------------------------ the picture


def photograph() -> tuple[str, np.ndarray]:
    """What it is, and its colours from 0 to 1: (height, width, 3)."""
    try:
        from sklearn.datasets import load_sample_image

        return "a photograph, china.jpg of scikit-learn", load_sample_image("china.jpg") / 255.0
    except ImportError:  # scikit-learn, or its Pillow
        return "hills under a sun, drawn here", landscape(427, 640)


def landscape(height: int, width: int) -> np.ndarray:
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : width / height : width * 1j]
    sky = np.stack([0.35 + 0.5 * y, 0.55 + 0.3 * y, 0.95 - 0.2 * y], axis=2)
    sky += 0.8 * np.exp(-60 * ((x - 1.1) ** 2 + (y - 0.25) ** 2))[:, :, None]
    for layer, colour in enumerate([(0.45, 0.5, 0.6), (0.3, 0.45, 0.35), (0.15, 0.3, 0.15)]):
        top = 0.5 + 0.15 * layer + 0.06 * np.sin((4 + 3 * layer) * x + layer)
        top += 0.02 * np.sin(23 * x + 5 * layer)
        sky = np.where((y > top)[:, :, None], np.array(colour), sky)
    grain = np.random.default_rng(0).normal(scale=0.02, size=sky.shape)
    return np.clip(sky + grain, 0, 1)


def write_png(path: Path, image: np.ndarray) -> None:
    height, width = image.shape[:2]
    colours = image if image.ndim == 3 else np.repeat(image[:, :, None], 3, axis=2)
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    lines[:, 1:] = (np.clip(colours, 0, 1) * 255 + 0.5).astype(np.uint8).reshape(height, -1)
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines.tobytes())),
        (b"IEND", b""),
    ):
        data += struct.pack(">I", len(body)) + kind + body
        data += struct.pack(">I", zlib.crc32(kind + body))
    path.write_bytes(data)


# ------------------------------------------------------------------------------ timing and checking


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(f: Callable, arguments: tuple) -> tuple[np.ndarray, float]:
    """Prints a line of times; the compiled function's result, and how far it is from NumPy's."""
    compiled = jit(f)
    first = seconds(lambda: compiled(*arguments))
    # Interleaved, so that other load on the machine affects both.
    plain, steady = np.inf, np.inf
    for _ in range(REPEATS):
        plain = min(plain, seconds(lambda: f(*arguments)))
        steady = min(steady, seconds(lambda: compiled(*arguments)))
    got = compiled(*arguments)
    difference = float(np.abs(f(*arguments) - got).max())
    print(
        f"{f.__name__:10}{plain * 1e3:9.1f} ms{first * 1e3:9.1f} ms{steady * 1e3:9.1f} ms"
        f"{plain / steady:9.1f} x{difference:14.1e}"
    )
    return got, difference


def main(folder: str | None = None) -> int:
    what, image = photograph()
    height, width, _ = image.shape
    print(f"{what}: {width} x {height} pixels, float64\n")
    print("program           NumPy  first call      later   speed-up    difference")
    pictures, differences = {"before": image}, []
    for f, arguments in ((blur, (image, 6, 2.5)), (sobel, (image,)), (quantise, (image, 12, 4))):
        pictures[f.__name__], difference = compare(f, arguments)
        differences.append(difference)
    worst = max(differences)
    right = worst < 1e-9
    verdict = "equal" if worst == 0 else f"within {worst:.1e}" if right else f"TOO FAR: {worst:.1e}"
    print(f"\ncheck against NumPy: {verdict}")
    if folder is not None:
        out = Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            write_png(out / f"{name}.png", picture)
        print(f"pictures: {', '.join(str(out / f'{name}.png') for name in pictures)}")
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
