"""A pipeline for images on the GPU: blur, edges, and a histogram that is made even.

Slices are the filters. The steps follow each other on the GPU; what the histogram needs of the host
is in the list that explain() prints.
"""

import numpy as np
from _common import size, write_png
from _gpu import on_gpu


def blur(image):
    """The binomial filter 1 4 6 4 1 along both axes; the border stays."""
    rows = image.copy()
    rows[2:-2] = (image[:-4] + 4 * image[1:-3] + 6 * image[2:-2] + 4 * image[3:-1] + image[4:]) / 16
    out = rows.copy()
    out[:, 2:-2] = (
        rows[:, :-4] + 4 * rows[:, 1:-3] + 6 * rows[:, 2:-2] + 4 * rows[:, 3:-1] + rows[:, 4:]
    ) / 16
    return out


def edges(image):
    """Sobel's: the length of the gradient, from 0 to 1."""
    out = np.zeros_like(image)
    across = image[:, 2:] - image[:, :-2]
    down = image[2:] - image[:-2]
    x = across[:-2] + 2 * across[1:-1] + across[2:]
    y = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    out[1:-1, 1:-1] = np.sqrt(x * x + y * y)
    return out / out.max()


def equalised(image):
    """Each of 256 greys as the share of pixels that are not lighter: contrast where pixels are."""
    grey = (255 * image).astype(np.int64)
    count = np.bincount(grey.ravel(), minlength=256)
    return (np.cumsum(count) / image.size)[grey]


def pipeline(image):
    soft = blur(image)
    return soft, edges(soft), equalised(soft)


def hills(n):
    """A foggy landscape with a sun, and grain: low contrast, for the pipeline to find it."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[0 : 1 : n * 1j, 0 : 1 : n * 1j]
    image = 0.62 - 0.1 * y
    image[(x - 0.7) ** 2 + (y - 0.25) ** 2 < 0.1**2] = 0.8
    for k in range(4):
        ridge = 0.45 + 0.13 * k + 0.06 * np.sin((5 + 2 * k) * x + 2 * k) + 0.02 * np.sin(31 * x + k)
        image = np.where(y > ridge, 0.52 - 0.07 * k, image)
    return np.clip(image + 0.03 * rng.standard_normal(image.shape), 0, 1)


def main():
    n = size(1024)
    image = hills(n)
    after = on_gpu(pipeline, image, tolerance=1e-13)
    side_by_side = np.concatenate([image, *after], axis=1)
    rgb = np.repeat((255 * side_by_side).astype(np.uint8)[:, :, None], 3, axis=2)
    print(f"picture: {write_png('gpu_image', rgb)}")


if __name__ == "__main__":
    main()
