"""All shortest paths of a road map: nested loops, and by whole rows as one writes for NumPy."""

import numpy as np
from _common import compare, size


def floyd_warshall(distance):
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
    return distance


def floyd_warshall_rows(distance):
    """The same with whole rows, which is how it is written where loops are slow."""
    for k in range(len(distance)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k, :])
    return distance


def roads(n):
    """Towns in a square, roads between those nearby."""
    towns = np.random.default_rng(11).random((n, 2))
    length = np.sqrt(((towns[:, None] - towns) ** 2).sum(axis=2))
    return np.where(length < 2.5 / np.sqrt(n), length, np.inf)


def main():
    n = size(250)
    compare(floyd_warshall_rows, lambda: (roads(n),))
    distance = compare(floyd_warshall, lambda: (roads(n),), reference=floyd_warshall_rows)
    reached = np.isfinite(distance)
    print(f"{reached.mean():.0%} of the pairs connected, longest way {distance[reached].max():.3f}")


if __name__ == "__main__":
    main()
