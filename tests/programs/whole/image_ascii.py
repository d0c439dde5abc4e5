"""Images: PBM/PGM parsing, dithering, flood fill, connected components, histogram equalization, run lengths, NumPy ops."""

from __future__ import annotations

from collections import deque
from enum import IntEnum
from typing import NamedTuple

import numpy as np


class Conn(IntEnum):
    FOUR = 4
    EIGHT = 8


class BBox(NamedTuple):
    top: int
    left: int
    bottom: int
    right: int

    @property
    def area(self):
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def union(self, other: BBox) -> BBox:
        return BBox(
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )


class FormatError(ValueError):
    def __init__(self, what, token=""):
        self.token = token
        super().__init__(f"{what}: {token!r}" if token else what)


def read_pgm(text: str) -> np.ndarray:
    tokens = []
    for line in text.splitlines():
        tokens += line.partition("#")[0].split()
    if not tokens or tokens[0] != "P2":
        raise FormatError("bad magic", tokens[0] if tokens else "")
    w, h, maxval = map(int, tokens[1:4])
    data = [int(t) for t in tokens[4:]]
    if len(data) != w * h:
        raise FormatError(f"expected {w * h} pixels, got {len(data)}")
    return np.array(data, dtype=np.uint8).reshape(h, w)


def equalize(img):
    hist = np.bincount(img.ravel(), minlength=256)
    cdf = hist.cumsum()
    lo = cdf[cdf > 0][0]
    if cdf[-1] == lo:
        return img.copy()
    table = np.round((cdf - lo) / (cdf[-1] - lo) * 255).astype(np.uint8)
    return table[img]


def floyd_steinberg(img):
    a = img.astype(float)
    h, w = a.shape
    for y in range(h):
        for x in range(w):
            old = a[y, x]
            new = 255.0 if old >= 128 else 0.0
            a[y, x] = new
            err = old - new
            if x + 1 < w:
                a[y, x + 1] += err * 7 / 16
            if y + 1 < h:
                if x > 0:
                    a[y + 1, x - 1] += err * 3 / 16
                a[y + 1, x] += err * 5 / 16
                if x + 1 < w:
                    a[y + 1, x + 1] += err / 16
    return a > 127


def neighbours(conn):
    steps = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    if conn is Conn.EIGHT:
        steps += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    return steps


def components(mask, conn=Conn.FOUR):
    h, w = mask.shape
    labels = np.zeros((h, w), dtype=int)
    boxes: dict[int, BBox] = {}
    n = 0
    for y, x in zip(*np.nonzero(mask)):
        if labels[y, x]:
            continue
        n += 1
        labels[y, x] = n
        q = deque([(int(y), int(x))])
        box = BBox(int(y), int(x), int(y), int(x))
        while q:
            cy, cx = q.popleft()
            box = box.union(BBox(cy, cx, cy, cx))
            for dy, dx in neighbours(conn):
                ny, nx = cy + dy, cx + dx
                if 0 <= ny < h and 0 <= nx < w and mask[ny, nx] and not labels[ny, nx]:
                    labels[ny, nx] = n
                    q.append((ny, nx))
        boxes[n] = box
    return labels, boxes


def runs(row):
    out, prev, n = [], None, 0
    for v in row:
        if v == prev:
            n += 1
        else:
            if prev is not None:
                out.append((int(prev), n))
            prev, n = v, 1
    out.append((int(prev), n))
    return out


def erode(mask):
    p = np.pad(mask, 1)
    return p[1:-1, 1:-1] & p[:-2, 1:-1] & p[2:, 1:-1] & p[1:-1, :-2] & p[1:-1, 2:]


def show(mask, on="#", off="."):
    return "\n".join("".join(on if v else off for v in row) for row in mask)


def main(text, broken):
    img = read_pgm(text)
    errors = []
    for b in broken:
        try:
            errors.append(str(read_pgm(b).shape))
        except FormatError as e:
            errors.append(f"{e} [{e.token}]")
        except ValueError:
            errors.append("not a number")
    eq = equalize(img)
    dith = floyd_steinberg(img)
    print(show(dith))
    mask = img > img.mean()
    res = []
    for conn in Conn:
        labels, boxes = components(mask, conn)
        res.append(
            (
                conn.name,
                int(labels.max()),
                [b.area for b in boxes.values()],
                max(boxes.values(), key=lambda b: b.area),
            )
        )
    return (
        int(eq.sum()),
        int(dith.sum()),
        [(n, c, a, tuple(b)) for n, c, a, b in res],
        runs(mask[0].astype(int).tolist()),
        int(erode(mask).sum()),
        errors,
        np.rot90(img)[0],
        img[::2, ::-1].tolist(),
    )


ARGS = [
    (
        "P2 # demo\n6 5\n255\n10 200 200 30 40 50\n0 210 190 20 220 60\n90 80 70 230 240 250\n200 10 10 10 245 5\n201 202 3 4 5 100\n",
        ["P5 1 1 255 0", "P2 2 2 255 1 2 3", "", "P2 x 1 1 1"],
    )
]
