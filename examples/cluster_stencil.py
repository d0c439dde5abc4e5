"""A stencil over a chunked array: heat on a plate, whose blocks overlap by as many rows as steps.

`map_overlap` gives each block a halo of its neighbours' elements; a block then makes `STEPS` steps
on its own, each of which spoils one row of the halo.
"""

import numpy as np
from _cluster import WORKERS, compare
from _common import size

try:
    import dask.array as da
    from dask.distributed import Client, LocalCluster
except ImportError:
    raise SystemExit("this example needs Dask: pip install 'dask[distributed]'") from None

STEPS, ROUNDS = 16, 3


def heat(u):
    u = u.copy()
    new = u.copy()
    for _ in range(STEPS):
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.2 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        u, new = new, u
    return u


def main():
    n = size(1000)
    plate = np.zeros((n, n))
    plate[n // 4 : n // 2, n // 3 : n // 2] = 100.0
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        start = da.from_array(plate, chunks=max(n // 2, STEPS))

        def on_cluster(f):
            u = start
            for _ in range(ROUNDS):
                u = da.map_overlap(f, u, depth=STEPS, boundary="none", dtype=float)
            return u.compute()

        u = compare("stencil", heat, on_cluster, 1e-12)
    # The blocks' seams are nowhere to be seen: it is what one array gives.
    whole = plate
    for _ in range(ROUNDS):
        whole = heat(whole)
    print(f"differs from one array by {np.abs(u - whole).max():.1e}; hottest {u.max():.2f}")


if __name__ == "__main__":
    main()
