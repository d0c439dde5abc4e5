"""Monte Carlo estimates: pi, Buffon's needle, e, birthday paradox, Monty Hall."""

import math
import random
from functools import wraps

EXPERIMENTS = {}


def experiment(truth):
    """Register a trial function; each call performs one trial."""

    def decorate(fn):
        @wraps(fn)
        def runner(rng, n):
            total = total_sq = 0.0
            for _ in range(n):
                v = fn(rng)
                total += v
                total_sq += v * v
            mean = total / n
            var = max(0.0, total_sq / n - mean * mean)
            return mean, math.sqrt(var / n)

        runner.truth = truth
        EXPERIMENTS[fn.__name__] = runner
        return runner

    return decorate


@experiment(math.pi)
def circle(rng):
    x, y = rng.random(), rng.random()
    return 4.0 if x * x + y * y <= 1 else 0.0


@experiment(2 / math.pi)
def buffon(rng):
    centre = rng.uniform(0, 0.5)
    angle = rng.uniform(0, math.pi / 2)
    return centre <= 0.5 * math.sin(angle)


@experiment(math.e)
def uniform_sum(rng):
    """Number of uniforms needed to exceed 1 averages e."""
    s, count = 0.0, 0
    while s <= 1:
        s += rng.random()
        count += 1
    return count


def birthday_exact(people):
    p = 1.0
    for k in range(people):
        p *= (365 - k) / 365
    return 1 - p


@experiment(birthday_exact(23))
def birthday(rng):
    seen = set()
    for _ in range(23):
        day = rng.randrange(365)
        if day in seen:
            return 1
        seen.add(day)
    return 0


@experiment(2 / 3)
def monty_hall(rng):
    doors = [0, 1, 2]
    car = rng.choice(doors)
    pick = rng.choice(doors)
    opened = rng.choice([d for d in doors if d not in (car, pick)])
    switched = next(d for d in doors if d != pick and d != opened)
    return int(switched == car)


@experiment(0.5)
def gambler(rng, start=5, goal=10):
    money = start
    while 0 < money < goal:
        money += 1 if rng.random() < 0.5 else -1
    return money == goal


def main(n, seed):
    report = {}
    for name in sorted(EXPERIMENTS):
        run = EXPERIMENTS[name]
        rng = random.Random(f"{name}-{seed}")
        mean, err = run(rng, n)
        sigmas = (mean - run.truth) / err if err else 0.0
        verdict = "ok" if abs(sigmas) < 2 else "hmm" if abs(sigmas) < 3 else "bad"
        print(f"{name:<12} {mean:8.5f} ± {err:.5f}  (true {run.truth:.5f}) {verdict}")
        report[name] = (mean, round(err, 9), round(sigmas, 4), verdict)
    worst = max(report, key=lambda k: abs(report[k][2]))
    docs = {k: (v.__doc__ or "").split(" ")[0] for k, v in EXPERIMENTS.items()}
    return report, worst, docs


ARGS = [(200, 1), (1500, 2), (700, 12345)]
