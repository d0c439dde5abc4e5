"""Hidden Markov model over dicts of dicts: forward, Viterbi and posterior decoding."""

import math
from typing import Dict, List, Tuple

Dist = Dict[str, float]


class HMM:
    def __init__(self, start: Dist, trans: Dict[str, Dist], emit: Dict[str, Dist]) -> None:
        for name, dist in [("start", start), *trans.items(), *emit.items()]:
            if not math.isclose(sum(dist.values()), 1.0, abs_tol=1e-9):
                raise ValueError(f"{name} sums to {sum(dist.values()):.3f}")
        self.states = list(start)
        self.start, self.trans, self.emit = start, trans, emit

    def forward(self, obs: List[str]) -> List[Dist]:
        alpha = [{s: self.start[s] * self.emit[s][obs[0]] for s in self.states}]
        for o in obs[1:]:
            prev = alpha[-1]
            alpha.append(
                {
                    s: self.emit[s][o] * sum(prev[r] * self.trans[r][s] for r in self.states)
                    for s in self.states
                }
            )
        return alpha

    def backward(self, obs: List[str]) -> List[Dist]:
        beta = [{s: 1.0 for s in self.states}]
        for o in reversed(obs[1:]):
            nxt = beta[0]
            beta.insert(
                0,
                {
                    s: sum(self.trans[s][r] * self.emit[r][o] * nxt[r] for r in self.states)
                    for s in self.states
                },
            )
        return beta

    def viterbi(self, obs: List[str]) -> Tuple[float, List[str]]:
        V = [
            {
                s: (math.log(self.start[s]) + math.log(self.emit[s][obs[0]]), None)
                for s in self.states
            }
        ]
        for o in obs[1:]:
            layer = {}
            for s in self.states:
                score, arg = max((V[-1][r][0] + math.log(self.trans[r][s]), r) for r in self.states)
                layer[s] = (score + math.log(self.emit[s][o]), arg)
            V.append(layer)
        state = max(self.states, key=lambda s: V[-1][s][0])
        best = V[-1][state][0]
        path = [state]
        for layer in reversed(V[1:]):
            path.append(layer[path[-1]][1])
        return best, path[::-1]


def main(model, text, repeat):
    hmm = HMM(*model)
    obs = text.split() * repeat
    logp, path = hmm.viterbi(obs)
    alpha, beta = hmm.forward(obs), hmm.backward(obs)
    z = sum(alpha[-1].values())
    post = [max(a, key=lambda s: a[s] * b[s]) for a, b in zip(alpha, beta)]
    agree = sum(p == q for p, q in zip(path, post))
    try:
        HMM({"x": 0.4}, {}, {})
        problem = None
    except ValueError as e:
        problem = str(e)
    return round(logp, 9), "".join(p[0] for p in path), agree, z, problem


ARGS = [
    (
        (
            {"Healthy": 0.6, "Fever": 0.4},
            {"Healthy": {"Healthy": 0.7, "Fever": 0.3}, "Fever": {"Healthy": 0.4, "Fever": 0.6}},
            {
                "Healthy": {"normal": 0.5, "cold": 0.4, "dizzy": 0.1},
                "Fever": {"normal": 0.1, "cold": 0.3, "dizzy": 0.6},
            },
        ),
        "normal cold dizzy dizzy normal",
        6,
    )
]
