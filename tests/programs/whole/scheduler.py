from collections import deque
from dataclasses import dataclass, field


@dataclass
class Process:
    pid: str
    arrival: int
    burst: int
    remaining: int = field(init=False)
    finish: int = 0

    def __post_init__(self):
        self.remaining = self.burst

    @property
    def turnaround(self):
        return self.finish - self.arrival

    @property
    def waiting(self):
        return self.turnaround - self.burst


def round_robin(procs, quantum):
    pending = deque(sorted(procs, key=lambda p: p.arrival))
    ready = deque()
    clock = 0
    timeline = []
    while pending or ready:
        while pending and pending[0].arrival <= clock:
            ready.append(pending.popleft())
        if not ready:
            clock = pending[0].arrival
            continue
        p = ready.popleft()
        run = min(quantum, p.remaining)
        timeline.append((p.pid, clock, clock + run))
        clock += run
        p.remaining -= run
        while pending and pending[0].arrival <= clock:
            ready.append(pending.popleft())
        if p.remaining > 0:
            ready.append(p)
        else:
            p.finish = clock
    return timeline


def main(rows, quantum):
    procs = [Process(*r) for r in rows]
    timeline = round_robin(procs, quantum)
    print("".join(f"|{pid}{a}-{b}" for pid, a, b in timeline) + "|")
    n = len(procs)
    avg_wait = sum(p.waiting for p in procs) / n
    avg_turn = sum(p.turnaround for p in procs) / n
    print(f"wait {avg_wait:.2f} turnaround {avg_turn:.2f}")
    return timeline, avg_wait, avg_turn, procs[0]


ARGS = [([("P1", 0, 5), ("P2", 1, 3), ("P3", 2, 8), ("P4", 20, 2)], 2), ([("A", 3, 1)], 4)]
