"""torch.compile on the processor, for what is written as whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.kernel import Kernel
from bench.peers.contestant import Contestant, version_of

NAME = "torch"
version = partial(version_of, "torch")

PORTS: dict[str, Callable[..., Any]] = {}


def port(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The port's first parameter is the module, which is imported only where it is used."""

    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        PORTS[name] = f
        return f

    return register


@port("triad")
def triad(torch, a, b):
    return a + 3.0 * b


@port("arithmetic chain")
def chain(torch, a, b, c):
    return 2.0 * a * b + (a - c) / (b + 1.5) - 0.5 * c * c


@port("transcendental chain")
def transcendental(torch, a, b):
    return torch.exp(-a * a) * torch.log1p(b) + torch.tanh(a - b)


@port("where and clip")
def select(torch, a, low, high):
    return torch.where(a > 0, a * high, a * low).clamp(low, high) + a.abs()


@port("gelu")
def gelu(torch, x):
    return 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


@port("sum of squares")
def sum_of_squares(torch, a, b):
    return ((a - b) * (a - b)).sum()


@port("axis sums")
def axis_sums(torch, a):
    return a.sum(dim=0), a.sum(dim=1), a.mean(), a.amax(dim=1)


@port("softmax")
def softmax(torch, x):
    return torch.softmax(x, 1)


@port("log-sum-exp")
def log_sum_exp(torch, x):
    return torch.logsumexp(x, 0)


@port("layer norm")
def layer_norm(torch, x, gain, bias):
    return torch.nn.functional.layer_norm(x, (x.shape[1],), gain, bias, 1e-5)


@port("cosine similarity")
def cosine_similarity(torch, a, b):
    return (a * b).sum(1) / torch.sqrt((a * a).sum(1) * (b * b).sum(1))


@port("cross entropy")
def cross_entropy(torch, logits, labels):
    return torch.nn.functional.cross_entropy(logits, labels)


@port("attention")
def attention(torch, q, k, v):
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(q[None], k[None], v[None])[0]


@port("two-layer network")
def two_layers(torch, x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2 + b2


@port("matrix product")
def product(torch, a, b):
    return a @ b


@port("distance matrix")
def distances(torch, x, y):
    return torch.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(2))


@port("radial kernel")
def radial_kernel(torch, x, gamma):
    squares = (x * x).sum(1)
    return torch.exp(-gamma * (squares[:, None] + squares[None, :] - 2.0 * (x @ x.T)))


@port("sobel")
def sobel(torch, image):
    across, along = image[:, 2:] - image[:, :-2], image[2:] - image[:-2]
    gx = across[:-2] + 2 * across[1:-1] + across[2:]
    gy = along[:, :-2] + 2 * along[:, 1:-1] + along[:, 2:]
    return torch.sqrt(gx * gx + gy * gy)


@port("laplacian 4th order")
def laplacian_4th_order(torch, a):
    from bench.kernels.stencils import laplacian_4th_order as plain

    return plain(a)  # slices and arithmetic only


def build(f: Callable[..., Any], threads: int) -> Callable[..., Any]:
    import torch

    torch.set_num_threads(threads)
    return torch.compile(partial(f, torch), dynamic=False)


def enter(arguments: tuple) -> tuple:
    import torch

    return tuple(torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in arguments)


def contestants(kernel: Kernel, dtype: str, threads: int) -> list[Contestant]:
    f = PORTS.get(kernel.name)
    if f is None:
        return []
    make = partial(build, f, threads)
    return [Contestant("torch", make, enter=enter, functional=True, relaxed=True)]
