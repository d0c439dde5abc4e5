"""The shortest ways through a town of one-way streets: a graph as a dict of lists, a search with a
heap (Dijkstra), and the way back by a dict of predecessors.
"""

import heapq

import numpy as np
from _common import compare, size


def routes(starts, ends, minutes, home):
    streets = {}
    for k in range(len(starts)):
        if starts[k] not in streets:
            streets[starts[k]] = []
        streets[starts[k]].append((ends[k], minutes[k]))
    best = {home: 0.0}
    came_from = {home: home}
    done = set()
    queue = [(0.0, home)]
    while queue:
        time, here = heapq.heappop(queue)
        if here in done:
            continue
        done.add(here)
        if here not in streets:
            continue
        for there, more in streets[here]:
            if there not in best or time + more < best[there]:
                best[there] = time + more
                came_from[there] = here
                heapq.heappush(queue, (time + more, there))
    farthest = home
    for place in best:
        if best[place] > best[farthest]:
            farthest = place
    way = [farthest]
    while way[-1] != home:
        way.append(came_from[way[-1]])
    way.reverse()
    return way, best[farthest], len(best)


def main():
    blocks = size(150)
    rng = np.random.default_rng(3)
    corners = np.arange(blocks * blocks).reshape(blocks, blocks)
    pairs = [(corners[:, :-1], corners[:, 1:]), (corners[1:], corners[:-1])]
    pairs += [(corners[:-1], corners[1:]), (corners[:, 1:], corners[:, :-1])]
    starts = np.concatenate([a.ravel() for a, _ in pairs])
    ends = np.concatenate([b.ravel() for _, b in pairs])
    usable = rng.random(len(starts)) < 0.8
    starts, ends = starts[usable], ends[usable]
    minutes = 1 + rng.random(len(starts))
    way, time, reached = compare(routes, lambda: (starts, ends, minutes, int(corners[0, 0])))
    print(f"{reached} of {blocks * blocks} corners can be reached")
    print(f"the farthest is {time:.1f} minutes and {len(way) - 1} streets away")


if __name__ == "__main__":
    main()
