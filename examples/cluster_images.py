"""A stack of images on a local Dask cluster: each frame is smoothed where it has no edges.

`map_blocks` hands each worker a few frames; what it calls is the jitted function itself.
"""

import numpy as np
from _cluster import WORKERS, compare
from _common import size, write_png

try:
    import dask.array as da
    from dask.distributed import Client, LocalCluster
except ImportError:
    raise SystemExit("this example needs Dask: pip install 'dask[distributed]'") from None

RADIUS = 2


def bilateral(frames):
    """Means over neighbours, with less weight for those of another brightness."""
    out = np.empty_like(frames)
    padded = np.empty((frames.shape[1] + 2 * RADIUS, frames.shape[2] + 2 * RADIUS))
    for k in range(frames.shape[0]):
        padded[:] = frames[k].mean()
        padded[RADIUS:-RADIUS, RADIUS:-RADIUS] = frames[k]
        total = np.zeros(frames.shape[1:])
        weights = np.zeros(frames.shape[1:])
        for dy in range(2 * RADIUS + 1):
            for dx in range(2 * RADIUS + 1):
                near = padded[dy : dy + frames.shape[1], dx : dx + frames.shape[2]]
                weight = np.exp(-50.0 * (near - frames[k]) ** 2)
                total += weight * near
                weights += weight
        out[k] = total / weights
    return out


def stack(n, frames):
    """A disc that moves, with noise."""
    y, x = np.mgrid[:n, :n] / n
    rng = np.random.default_rng(0)
    centres = np.linspace(0.2, 0.8, frames)[:, None, None]
    discs = 0.2 + 0.6 * ((x - centres) ** 2 + (y - 0.5) ** 2 < 0.03)
    return discs + 0.05 * rng.standard_normal((frames, n, n))


def main():
    n = size(250)
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        images = da.from_array(stack(n, 16), chunks=(4, n, n))
        got = compare(
            "images", bilateral, lambda f: images.map_blocks(f, dtype=float).compute(), 1e-12
        )
    path = write_png("images", np.uint8(255 * got[8].clip(0, 1))[..., None].repeat(3, axis=2))
    print(f"the ninth of {len(got)} frames is in {path.relative_to(path.parents[1])}")


if __name__ == "__main__":
    main()
