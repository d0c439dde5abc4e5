"""Models as people write them: weights in lists of dicts of arrays, sizes read off `shape`.

Small ones: few channels, few tokens. Each function is jitted as a whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# --------------------------------------------------------------------- ResNet-18, by im2col


def conv(x, w, stride=1, pad=0):
    n, c, h, width = x.shape
    f, _, kh, kw = w.shape
    xp = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    oh = (h + 2 * pad - kh) // stride + 1
    ow = (width + 2 * pad - kw) // stride + 1
    cols = np.empty((n, c, kh, kw, oh, ow), dtype=x.dtype)
    for i in range(kh):
        for j in range(kw):
            cols[:, :, i, j] = xp[:, :, i : i + stride * oh : stride, j : j + stride * ow : stride]
    out = w.reshape(f, -1) @ cols.reshape(n, c * kh * kw, oh * ow)
    return out.reshape(n, f, oh, ow)


def relu(x):
    return np.maximum(x, 0)


def max_pool(x, k=3, stride=2, pad=1):
    n, c, h, w = x.shape
    xp = np.full((n, c, h + 2 * pad, w + 2 * pad), -np.inf, dtype=x.dtype)
    xp[:, :, pad:-pad, pad:-pad] = x
    oh = (h + 2 * pad - k) // stride + 1
    ow = (w + 2 * pad - k) // stride + 1
    out = np.full((n, c, oh, ow), -np.inf, dtype=x.dtype)
    for i in range(k):
        for j in range(k):
            out = np.maximum(
                out, xp[:, :, i : i + stride * oh : stride, j : j + stride * ow : stride]
            )
    return out


def residual(x, w1, b1, w2, b2, w_skip=None, b_skip=None, stride=1):
    y = relu(conv(x, w1, stride, 1) + b1[:, None, None])
    y = conv(y, w2, 1, 1) + b2[:, None, None]
    if w_skip is not None:
        x = conv(x, w_skip, stride, 0) + b_skip[:, None, None]
    return relu(x + y)


def resnet(x, stem, stages, head):
    x = relu(conv(x, stem["w"], 2, 3) + stem["b"][:, None, None])
    x = max_pool(x)
    first = stages[0]
    x = residual(x, **first[0])
    x = residual(x, **first[1])
    for stage in stages[1:]:
        x = residual(x, **stage[0], stride=2)
        x = residual(x, **stage[1])
    return x.mean(axis=(2, 3)) @ head["w"].T + head["b"]


def sliding_conv(x, w, stride=1, pad=0):
    kh, kw = w.shape[2:]
    if pad:
        n, c, h, width = x.shape
        padded = np.zeros((n, c, h + 2 * pad, width + 2 * pad), dtype=x.dtype)
        padded[:, :, pad:-pad, pad:-pad] = x
        x = padded
    windows = np.lib.stride_tricks.sliding_window_view(x, (kh, kw), axis=(2, 3))
    windows = windows[:, :, ::stride, ::stride]
    n, c, oh, ow = windows.shape[:4]
    cols = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * oh * ow, c * kh * kw)
    return (cols @ w.reshape(w.shape[0], -1).T).reshape(n, oh, ow, -1).transpose(0, 3, 1, 2)


def sliding_residual(x, w1, b1, w2, b2, w_skip=None, b_skip=None, stride=1):
    y = relu(sliding_conv(x, w1, stride, 1) + b1[:, None, None])
    y = sliding_conv(y, w2, 1, 1) + b2[:, None, None]
    if w_skip is not None:
        x = sliding_conv(x, w_skip, stride, 0) + b_skip[:, None, None]
    return relu(x + y)


def sliding_resnet(x, stem, stages, head):
    x = relu(sliding_conv(x, stem["w"], 2, 3) + stem["b"][:, None, None])
    x = max_pool(x)
    for i, stage in enumerate(stages):
        x = sliding_residual(x, **stage[0], stride=1 if i == 0 else 2)
        x = sliding_residual(x, **stage[1])
    return x.mean(axis=(2, 3)) @ head["w"].T + head["b"]


def resnet_arguments(size: int = 32, width: int = 4, stages: int = 4) -> tuple[Any, ...]:
    random = np.random.default_rng(0)

    def weights(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * 0.2).astype(np.float32)

    made, channels = [], width
    for s in range(stages):
        features = width * 2**s
        blocks = []
        for _ in range(2):
            block = {"w1": weights(features, channels, 3, 3), "b1": weights(features)}
            block |= {"w2": weights(features, features, 3, 3), "b2": weights(features)}
            if channels != features:
                block |= {"w_skip": weights(features, channels, 1, 1), "b_skip": weights(features)}
            blocks.append(block)
            channels = features
        made.append(blocks)
    stem = {"w": weights(width, 3, 7, 7), "b": weights(width)}
    head = {"w": weights(10, channels), "b": weights(10)}
    return weights(2, 3, size, size), stem, made, head


def valid_conv(x, w):
    n, c, h, width = x.shape
    f, _, kh, kw = w.shape
    oh, ow = h - kh + 1, width - kw + 1
    cols = np.empty((n, c, kh, kw, oh, ow), dtype=x.dtype)
    for i in range(kh):
        for j in range(kw):
            cols[:, :, i, j] = x[:, :, i : i + oh, j : j + ow]
    return (w.reshape(f, -1) @ cols.reshape(n, c * kh * kw, oh * ow)).reshape(n, f, oh, ow)


def convs(x, ws):
    for w in ws:
        x = np.maximum(valid_conv(x, w), 0)
    return x


def convs_arguments(count: int, size: int = 24) -> tuple[Any, ...]:
    random = np.random.default_rng(0)
    kernels = tuple(random.normal(size=(3, 3, 3, 3)) for _ in range(count))
    return random.normal(size=(2, 3, size, size)), kernels


# ---------------------------------------------------------------------------------- GPT-2


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def layer_norm(x, g, b, eps=1e-5):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + eps) + b


def linear(x, w, b):
    return x @ w + b


def feed_forward(x, c_fc, c_proj):
    return linear(gelu(linear(x, **c_fc)), **c_proj)


def attention(q, k, v, mask):
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v


def split_heads(x, c_attn, c_proj, heads):
    parts = np.split(linear(x, **c_attn), 3, axis=-1)
    split = list(map(lambda x: np.split(x, heads, axis=-1), parts))
    mask = (1 - np.tri(x.shape[0], dtype=x.dtype)) * -1e10
    out = [attention(q, k, v, mask) for q, k, v in zip(*split)]
    return linear(np.hstack(out), **c_proj)


def reshaped_heads(x, c_attn, c_proj, heads):
    t, d = x.shape
    q, k, v = linear(x, **c_attn).reshape(t, 3, heads, d // heads).transpose(1, 2, 0, 3)
    mask = (1 - np.tri(t, dtype=x.dtype)) * -1e10
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d // heads) + mask)
    return linear((weights @ v).transpose(1, 0, 2).reshape(t, d), **c_proj)


def split_block(x, mlp, attn, ln_1, ln_2, heads):
    x = x + split_heads(layer_norm(x, **ln_1), **attn, heads=heads)
    return x + feed_forward(layer_norm(x, **ln_2), **mlp)


def reshaped_block(x, mlp, attn, ln_1, ln_2, heads):
    x = x + reshaped_heads(layer_norm(x, **ln_1), **attn, heads=heads)
    return x + feed_forward(layer_norm(x, **ln_2), **mlp)


HEADS = 12


def gpt2(ids, wte, wpe, blocks, ln_f):
    x = wte[ids] + wpe[: len(ids)]
    for i in range(len(blocks)):
        x = split_block(x, **blocks[i], heads=HEADS)
    return layer_norm(x, **ln_f) @ wte.T


def reshaped_gpt2(ids, wte, wpe, blocks, ln_f):
    x = wte[ids] + wpe[: len(ids)]
    for i in range(len(blocks)):
        x = reshaped_block(x, **blocks[i], heads=HEADS)
    return layer_norm(x, **ln_f) @ wte.T


def gpt2_arguments(layers: int = 12, d: int = 48, tokens: int = 10) -> tuple[Any, ...]:
    random = np.random.default_rng(0)

    def weights(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * 0.1).astype(np.float32)

    def dense(rows: int, columns: int) -> dict[str, np.ndarray]:
        return {"w": weights(rows, columns), "b": weights(columns)}

    def norm() -> dict[str, np.ndarray]:
        return {"g": weights(d), "b": weights(d)}

    blocks = [
        {
            "mlp": {"c_fc": dense(d, 4 * d), "c_proj": dense(4 * d, d)},
            "attn": {"c_attn": dense(d, 3 * d), "c_proj": dense(d, d)},
            "ln_1": norm(),
            "ln_2": norm(),
        }
        for _ in range(layers)
    ]
    ids = random.integers(0, 50, tokens)
    return ids, weights(50, d), weights(32, d), blocks, norm()
