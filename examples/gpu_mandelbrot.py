"""The Mandelbrot set by plain loops on the GPU, in smooth colours: a thread computes a pixel.

No kernel is written and no index of a thread is named: the two outer loops have independent
iterations, so they are one kernel. The while loop is each thread's own.
"""

import numpy as np
from _common import size, write_png
from _gpu import on_gpu


def mandelbrot(c, limit):
    """The number of steps until |z| is large; a fraction makes it smooth. 0 inside of the set."""
    steps = np.zeros(c.shape)
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            x = y = 0.0
            k = 0
            while k < limit and x * x + y * y < 256.0:
                x, y = x * x - y * y + c[i, j].real, 2.0 * x * y + c[i, j].imag
                k += 1
            if k < limit:
                steps[i, j] = k + 1.0 - np.log2(0.5 * np.log2(x * x + y * y))
    return steps


def colours(steps):
    """Waves of blue and gold along the steps' logarithm; black inside."""
    t = np.log1p(np.maximum(steps, 0))[..., None]
    rgb = 0.5 - 0.5 * np.cos(2.6 * t + np.array([0.0, 0.5, 1.1]))
    return (255 * np.where(steps[..., None] == 0, 0, rgb)).astype(np.uint8)


def main():
    width = size(1200)
    height = width * 2 // 3
    # A spiral in the valley of the seahorses.
    x, y = np.linspace(-1, 1, width), np.linspace(-2 / 3, 2 / 3, height)
    c = (-0.7435669 + 0.0012 * x) + 1j * (0.1314023 + 0.0012 * y[:, None])
    steps = on_gpu(mandelbrot, c, 1000, tolerance=1e-9)
    print(f"picture: {write_png('gpu_mandelbrot', colours(steps))}")


if __name__ == "__main__":
    main()
