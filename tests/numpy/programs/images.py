"""Images: convolution, edges, equalisation, bilateral filter, resampling."""

import numpy as np
from program import FLOATS, Program

KERNELS = {
    "blur": np.ones((3, 3)) / 9,
    "edge": np.array([[-1.0, -1, -1], [-1, 8, -1], [-1, -1, -1]]),
}


def convolve_loops(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1), dtype=image.dtype)
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            out[y, x] = (image[y : y + kh, x : x + kw] * kernel[::-1, ::-1]).sum()
    return out


def convolve_slices(image, kernel):
    kh, kw = kernel.shape
    h, w = image.shape[0] - kh + 1, image.shape[1] - kw + 1
    out = np.zeros((h, w), image.dtype)
    for i in range(kh):
        for j in range(kw):
            out += kernel[i, j] * image[i : i + h, j : j + w]
    return out


def named_filter(image, name):
    return convolve_slices(image, KERNELS[name])


def bilateral(image, radius, sigma_space, sigma_range):
    h, w = image.shape
    out = np.empty_like(image)
    for i in range(h):
        for j in range(w):
            total = 0.0
            weight = 0.0
            for di in range(-radius, radius + 1):
                for dj in range(-radius, radius + 1):
                    y = min(max(i + di, 0), h - 1)
                    x = min(max(j + dj, 0), w - 1)
                    difference = image[y, x] - image[i, j]
                    g = np.exp(
                        -(di * di + dj * dj) / (2 * sigma_space**2)
                        - difference * difference / (2 * sigma_range**2)
                    )
                    total += g * image[y, x]
                    weight += g
            out[i, j] = total / weight
    return out


def equalise(image):
    """Histogram equalisation of 8-bit grey values."""
    histogram = np.zeros(256, dtype=np.int64)
    for value in image.ravel():
        histogram[value] += 1
    cumulative = np.zeros(256, dtype=np.int64)
    running = 0
    for k in range(256):
        running += histogram[k]
        cumulative[k] = running
    first = 0
    while cumulative[first] == 0:
        first += 1
    low = cumulative[first]
    if low == image.size:
        return image.copy()
    table = np.round((cumulative - low) / (image.size - low) * 255).astype(np.uint8)
    out = np.empty_like(image)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = table[image[i, j]]
    return out


def equalise_short(image):
    histogram = np.bincount(image.ravel(), minlength=256)
    cdf = histogram.cumsum()
    table = (255 * cdf / cdf[-1]).astype(np.uint8)
    return table[image]


def otsu(image):
    counts = np.zeros(256)
    for row in image:
        for v in row:
            counts[v] += 1
    best, threshold = -1.0, 0
    total = counts.sum()
    mean_all = (counts * np.arange(256)).sum()
    below = below_sum = 0.0
    for t in range(256):
        below += counts[t]
        if below == 0 or below == total:
            continue
        below_sum += t * counts[t]
        m0 = below_sum / below
        m1 = (mean_all - below_sum) / (total - below)
        between = below * (total - below) * (m0 - m1) ** 2
        if between > best:
            best, threshold = between, t
    return threshold, (image > threshold).astype(np.uint8)


def resize_bilinear(image, height, width):
    h, w = image.shape
    out = np.zeros((height, width), dtype=image.dtype)
    for i in range(height):
        for j in range(width):
            y = i * (h - 1) / (height - 1)
            x = j * (w - 1) / (width - 1)
            y0, x0 = int(y), int(x)
            y1, x1 = min(y0 + 1, h - 1), min(x0 + 1, w - 1)
            fy, fx = y - y0, x - x0
            top = image[y0, x0] * (1 - fx) + image[y0, x1] * fx
            bottom = image[y1, x0] * (1 - fx) + image[y1, x1] * fx
            out[i, j] = top * (1 - fy) + bottom * fy
    return out


def grey(rgb):
    return (rgb[..., 0] * 299 + rgb[..., 1] * 587 + rgb[..., 2] * 114) // 1000


def sobel_magnitude(image):
    gx = np.zeros_like(image)
    gy = np.zeros_like(image)
    gx[1:-1, 1:-1] = (
        image[:-2, 2:] + 2 * image[1:-1, 2:] + image[2:, 2:]
        - image[:-2, :-2] - 2 * image[1:-1, :-2] - image[2:, :-2]
    )  # fmt: skip
    gy[1:-1, 1:-1] = (
        image[2:, :-2] + 2 * image[2:, 1:-1] + image[2:, 2:]
        - image[:-2, :-2] - 2 * image[:-2, 1:-1] - image[:-2, 2:]
    )  # fmt: skip
    magnitude = np.sqrt(gx**2 + gy**2)
    magnitude *= 255.0 / np.max(magnitude)
    return magnitude


def max_pool(image, size):
    h, w = image.shape[0] // size, image.shape[1] // size
    return image[: h * size, : w * size].reshape(h, size, w, size).max(axis=(1, 3))


def erode(mask):
    out = np.zeros_like(mask)
    for i in range(1, mask.shape[0] - 1):
        for j in range(1, mask.shape[1] - 1):
            out[i, j] = mask[i - 1 : i + 2, j - 1 : j + 2].all()
    return out


def integral_image(image):
    s = np.zeros((image.shape[0] + 1, image.shape[1] + 1), image.dtype)
    for i in range(image.shape[0]):
        row = 0
        for j in range(image.shape[1]):
            row += image[i, j]
            s[i + 1, j + 1] = s[i, j + 1] + row
    return s


def box_sum(image, r):
    s = integral_image(image)
    k = 2 * r + 1
    return s[k:, k:] - s[:-k, k:] - s[k:, :-k] + s[:-k, :-k]


def floyd_steinberg(image):
    """Dithers to black and white, in place."""
    h, w = image.shape
    for y in range(h):
        for x in range(w):
            old = image[y, x]
            new = 1.0 if old > 0.5 else 0.0
            image[y, x] = new
            error = old - new
            if x + 1 < w:
                image[y, x + 1] += error * 7 / 16
            if y + 1 < h:
                if x > 0:
                    image[y + 1, x - 1] += error * 3 / 16
                image[y + 1, x] += error * 5 / 16
                if x + 1 < w:
                    image[y + 1, x + 1] += error * 1 / 16


def composite(back, front, alpha):
    a = alpha[:, :, np.newaxis]
    return a * front + (1 - a) * back


def checkerboard(n, tile):
    board = np.zeros((n, n))
    board[::2, ::2] = 1
    board[1::2, 1::2] = 1
    return np.kron(board, np.ones((tile, tile)))


def picture(n, t, rng):
    return rng.random((n, n + 1)).astype(t)


def bytes_(n, t, rng):
    return rng.integers(30, 200, (n, n + 1)).astype(t)


SMALL = (np.uint8, np.int32)

PROGRAMS = [
    Program(
        convolve_loops, lambda n, t, rng: (picture(n, t, rng), picture(3, t, rng)), (6, 15), eps=16
    ),
    Program(convolve_slices, lambda n, t, rng: (picture(n, t, rng), picture(3, t, rng)), (6, 30)),
    Program(named_filter, lambda n, t, rng: (picture(n, t, rng), "edge"), (6, 30), (np.float64,)),
    Program(bilateral, lambda n, t, rng: (picture(n, t, rng), 2, 1.5, 0.2), (5, 12), eps=16),
    Program(equalise, lambda n, t, rng: (bytes_(n, t, rng),), (5, 30), (np.uint8, np.int64)),
    Program(equalise_short, lambda n, t, rng: (bytes_(n, t, rng),), (5, 30), (np.uint8, np.int64)),
    Program(otsu, lambda n, t, rng: (bytes_(n, t, rng),), (5, 30), SMALL),
    Program(resize_bilinear, lambda n, t, rng: (picture(n, t, rng), 9, 7), (5, 20)),
    Program(
        grey,
        lambda n, t, rng: (rng.integers(0, 255, (n, n, 3)).astype(t),),
        (4, 20),
        (np.int16, np.int32, np.int64),
    ),
    Program(sobel_magnitude, lambda n, t, rng: (picture(n, t, rng),), (5, 30)),
    Program(max_pool, lambda n, t, rng: (picture(n, t, rng), 2), (5, 30)),
    Program(erode, lambda n, t, rng: ((picture(n, t, rng) < 0.8).astype(t),), (5, 20), FLOATS),
    Program(
        box_sum, lambda n, t, rng: (bytes_(n, t, rng), 1), (5, 20), (np.int64, np.int32, np.float32)
    ),
    Program(floyd_steinberg, lambda n, t, rng: (picture(n, t, rng),), (5, 20)),
    Program(
        composite,
        lambda n, t, rng: (
            rng.random((n, n, 3)).astype(t),
            rng.random((n, n, 3)).astype(t),
            rng.random((n, n)).astype(t),
        ),
        (3, 20),
    ),
    Program(checkerboard, lambda n, t, rng: (n, 2), (3, 8), (np.float64,)),
]
