"""Bipartite matching (augmenting paths) and stable marriage (Gale-Shapley)."""

from collections import deque


class Unmatched(Exception):
    """Raised when a perfect matching does not exist; carries a Hall violator."""

    def __init__(self, people, jobs):
        super().__init__(f"{len(people)} people compete for {len(jobs)} jobs")
        self.people = people
        self.jobs = jobs


def maximum_matching(wants):
    """wants: person -> list of jobs. Returns job -> person."""
    holder = {}

    def assign(person, visited):
        for job in wants[person]:
            if job in visited:
                continue
            visited.add(job)
            if job not in holder or assign(holder[job], visited):
                holder[job] = person
                return True
        return False

    for person in wants:
        assign(person, set())
    return holder


def hall_violator(wants, holder):
    lucky = set(holder.values())
    start = next(p for p in wants if p not in lucky)
    people, jobs = {start}, set()
    queue = deque([start])
    while queue:
        for job in wants[queue.popleft()]:
            if job not in jobs:
                jobs.add(job)
                owner = holder[job]
                if owner not in people:
                    people.add(owner)
                    queue.append(owner)
    return sorted(people), sorted(jobs)


def perfect_matching(wants):
    holder = maximum_matching(wants)
    if len(holder) < len(wants):
        raise Unmatched(*hall_violator(wants, holder))
    return holder


def stable_marriage(proposers, reviewers):
    rank = {r: {p: i for i, p in enumerate(prefs)} for r, prefs in reviewers.items()}
    nxt = dict.fromkeys(proposers, 0)
    engaged = {}
    free = deque(sorted(proposers))
    proposals = 0
    while free:
        p = free.popleft()
        r = proposers[p][nxt[p]]
        nxt[p] += 1
        proposals += 1
        if r not in engaged:
            engaged[r] = p
        elif rank[r][p] < rank[r][engaged[r]]:
            free.append(engaged[r])
            engaged[r] = p
        else:
            free.append(p)
    return engaged, proposals


def blocking_pairs(engaged, proposers, reviewers):
    partner = {p: r for r, p in engaged.items()}
    pairs = []
    for p, prefs in proposers.items():
        for r in prefs[: prefs.index(partner[p])]:
            if reviewers[r].index(p) < reviewers[r].index(engaged[r]):
                pairs.append((p, r))
    return pairs


def rotate(seq, k):
    return seq[k:] + seq[:k]


def main(wants, n):
    try:
        match = perfect_matching(wants)
        result = sorted(match.items())
    except Unmatched as e:
        print("not everyone can work:", e)
        result = (str(e), e.people, e.jobs)
    partial = maximum_matching(wants)
    for job, person in sorted(partial.items()):
        print(f"  {person} does {job}")
    men = [f"m{i}" for i in range(n)]
    women = [f"w{i}" for i in range(n)]
    proposers = {m: rotate(women, i * i % n) for i, m in enumerate(men)}
    reviewers = {w: rotate(men[::-1], (3 * i + 1) % n) for i, w in enumerate(women)}
    engaged, proposals = stable_marriage(proposers, reviewers)
    other, other_proposals = stable_marriage(reviewers, proposers)
    happiness = [proposers[m].index(w) for w, m in sorted(engaged.items())]
    return {
        "result": result,
        "size": len(partial),
        "engaged": sorted(engaged.items()),
        "proposals": (proposals, other_proposals),
        "blocking": blocking_pairs(engaged, proposers, reviewers),
        "same": {m: w for w, m in engaged.items()} == other,
        "happiness": happiness,
    }


ARGS = [
    ({"ann": ["cook", "drive"], "bob": ["cook"], "cid": ["drive", "paint", "clean"]}, 4),
    (
        {
            "ann": ["cook", "drive"],
            "bob": ["cook", "drive"],
            "cid": ["drive", "cook"],
            "dee": ["paint", "cook"],
        },
        7,
    ),
    ({"a": ["x"], "b": ["y", "x"], "c": ["z", "y"], "d": ["w", "z"], "e": ["w", "v", "x"]}, 10),
]
