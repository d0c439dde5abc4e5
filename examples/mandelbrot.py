"""The Mandelbrot set by plain loops over pixels, written to examples/out/mandelbrot.png."""

import numpy as np
from _common import compare, size, write_png


def escape_time(cr, ci, limit):
    zr = zi = 0.0
    k = 0
    while k < limit and zr * zr + zi * zi <= 4.0:
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        k += 1
    return k


def mandelbrot(height, width, limit):
    count = np.empty((height, width), dtype=np.int64)
    for i in range(height):
        for j in range(width):
            count[i, j] = escape_time(
                -2.2 + 3.2 * j / (width - 1), -1.2 + 2.4 * i / (height - 1), limit
            )
    return count


def colours(count, limit):
    """Dark blue to white along the escape time; black inside the set."""
    t = (count / limit) ** 0.4
    rgb = np.stack([t**2, t, 0.3 + 0.7 * t], axis=2)
    rgb[count == limit] = 0
    return (255 * rgb).astype(np.uint8)


def main():
    width = size(400)
    height, limit = width * 3 // 4, 100
    count = compare(mandelbrot, lambda: (height, width, limit))
    print(f"picture: {write_png('mandelbrot', colours(count, limit))}")


if __name__ == "__main__":
    main()
