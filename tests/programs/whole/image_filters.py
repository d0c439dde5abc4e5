"""Image processing with NumPy: synthetic picture, convolution, equalisation, flood fill."""

import numpy as np

KERNELS = {
    "blur": np.ones((3, 3)) / 9,
    "sharpen": np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], dtype=float),
    "edge": np.array([[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]], dtype=float),
    "sobel_x": np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=float),
}


def make_image(h, w):
    """A dim gradient with a bright disc and a dark square."""
    y, x = np.mgrid[0:h, 0:w]
    img = 60 + 40 * x / max(1, w - 1)
    disc = (y - h * 0.4) ** 2 + (x - w * 0.3) ** 2 < (min(h, w) * 0.25) ** 2
    img[disc] += 50
    img[h // 2 : h // 2 + h // 4, w // 2 : w // 2 + w // 4] -= 30
    return np.clip(np.round(img), 0, 255).astype(np.uint8)


def convolve(img, kernel):
    kh, kw = kernel.shape
    padded = np.pad(img.astype(float), ((kh // 2, kh // 2), (kw // 2, kw // 2)), mode="edge")
    out = np.zeros(img.shape)
    flipped = kernel[::-1, ::-1]
    for i in range(kh):
        for j in range(kw):
            out += flipped[i, j] * padded[i : i + img.shape[0], j : j + img.shape[1]]
    return out


def convolve_slow(img, kernel):
    h, w = img.shape
    k = kernel.shape[0] // 2
    out = np.empty((h, w))
    for r in range(h):
        for c in range(w):
            acc = 0.0
            for dr in range(-k, k + 1):
                for dc in range(-k, k + 1):
                    rr = min(max(r + dr, 0), h - 1)
                    cc = min(max(c + dc, 0), w - 1)
                    acc += kernel[k - dr, k - dc] * img[rr, cc]
            out[r, c] = acc
    return out


def equalise(img):
    hist = np.bincount(img.ravel(), minlength=256)
    cdf = hist.cumsum()
    first = cdf[cdf > 0][0]
    if cdf[-1] == first:
        return img.copy()
    table = np.round((cdf - first) / (cdf[-1] - first) * 255).clip(0, 255).astype(np.uint8)
    return table[img]


def otsu(img):
    """Threshold that maximises the between-class variance."""
    hist = np.bincount(img.ravel(), minlength=256).astype(float)
    levels = np.arange(256)
    weight = hist.cumsum()
    total = weight[-1]
    mean = (hist * levels).cumsum()
    best, best_var = 0, -1.0
    for t in range(256):
        w0, w1 = weight[t], total - weight[t]
        if w0 == 0 or w1 == 0:
            continue
        m0 = mean[t] / w0
        m1 = (mean[-1] - mean[t]) / w1
        var = w0 * w1 * (m0 - m1) ** 2
        if var > best_var:
            best, best_var = t, var
    return best


def label_regions(mask):
    labels = np.zeros(mask.shape, dtype=int)
    count = 0
    for start in zip(*np.nonzero(mask)):
        if labels[start]:
            continue
        count += 1
        stack = [start]
        while stack:
            r, c = stack.pop()
            if (
                0 <= r < mask.shape[0]
                and 0 <= c < mask.shape[1]
                and mask[r, c]
                and not labels[r, c]
            ):
                labels[r, c] = count
                stack += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    sizes = np.bincount(labels.ravel())[1:]
    return count, [int(s) for s in sizes]


def ascii_art(img):
    ramp = np.array(list(" .:-=+*#%@"))
    return ["".join(row) for row in ramp[(img.astype(int) * 9) // 255]]


def main(h, w, kernel):
    img = make_image(h, w)
    filtered = convolve(img, KERNELS[kernel])
    check = bool(np.allclose(filtered, convolve_slow(img, KERNELS[kernel])))
    better = equalise(img)
    t = otsu(img)
    regions = label_regions(img > t)
    art = ascii_art(better)
    print("\n".join(art))
    return {
        "range": (int(img.min()), int(img.max())),
        "equalised": (int(better.min()), int(better.max())),
        "filtered": [round(float(v), 4) for v in filtered[h // 2, :6]],
        "stats": (round(float(filtered.mean()), 4), round(float(filtered.std()), 4)),
        "check": check,
        "otsu": t,
        "regions": regions,
        "row": art[h // 3],
        "corner": img[:2, :3].tolist(),
    }


ARGS = [(12, 24, "blur"), (16, 20, "edge"), (20, 40, "sobel_x"), (9, 9, "sharpen")]
