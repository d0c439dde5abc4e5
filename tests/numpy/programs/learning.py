"""Machine learning from scratch: clustering, regression, layers of networks."""

import math

import numpy as np
from program import Program


def kmeans(points, centres, steps):
    n, d = points.shape
    k = len(centres)
    label = np.zeros(n, dtype=np.int64)
    for _ in range(steps):
        for i in range(n):
            best = np.inf
            for c in range(k):
                distance = ((points[i] - centres[c]) ** 2).sum()
                if distance < best:
                    best = distance
                    label[i] = c
        total = np.zeros((k, d))
        count = np.zeros(k)
        for i in range(n):
            total[label[i]] += points[i]
            count[label[i]] += 1
        for c in range(k):
            if count[c] > 0:
                centres[c] = total[c] / count[c]
    return label


def kmeans_vectorised(points, centres, steps):
    for _ in range(steps):
        distance = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
        label = distance.argmin(axis=1)
        for c in range(len(centres)):
            members = points[label == c]
            if len(members):
                centres[c] = members.mean(axis=0)
    return label, centres


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def layer_norm_var(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gain + bias


def attention(q, k, v, causal):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    if causal:
        n = q.shape[0]
        allowed = np.arange(n)[:, None] >= np.arange(n)[None, :]
        scores = np.where(allowed, scores, -np.inf)
    return softmax(scores) @ v


def multi_head(x, wq, wk, wv, wo, heads):
    n, d = x.shape  # noqa: RUF059
    size = d // heads
    q, k, v = x @ wq, x @ wk, x @ wv
    out = np.empty_like(x)
    for h in range(heads):
        part = slice(h * size, (h + 1) * size)
        out[:, part] = attention(q[:, part], k[:, part], v[:, part], False)
    return out @ wo


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_cell(x, h, c, w, u, b):
    gates = w @ x + u @ h + b
    i, f, g, o = np.split(gates, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def lstm_cell_slices(x, h, c, w, u, b):
    n = h.shape[0]
    gates = w @ x + u @ h + b
    i, f = sigmoid(gates[:n]), sigmoid(gates[n : 2 * n])
    g, o = np.tanh(gates[2 * n : 3 * n]), sigmoid(gates[3 * n :])
    c = f * c + i * g
    return o * np.tanh(c), c


def lstm_sequence(xs, w, u, b):
    n = u.shape[1]
    h, c = np.zeros(n, xs.dtype), np.zeros(n, xs.dtype)
    outputs = np.zeros((len(xs), n), xs.dtype)
    for t, x in enumerate(xs):
        h, c = lstm_cell_slices(x, h, c, w, u, b)
        outputs[t] = h
    return outputs


def logistic_regression(x, y, rate, steps):
    n, d = x.shape
    w = np.zeros(d, x.dtype)
    b = 0.0
    for _ in range(steps):
        error = sigmoid(x @ w + b) - y
        w -= rate * (x.T @ error) / n
        b -= rate * error.mean()
    loss = -np.mean(y * np.log(sigmoid(x @ w + b)) + (1 - y) * np.log(1 - sigmoid(x @ w + b)))
    return w, b, loss


def perceptron(x, y, epochs):
    w = np.zeros(x.shape[1] + 1)
    for _ in range(epochs):
        mistakes = 0
        for xi, target in zip(x, y):
            predicted = 1 if xi[0] * w[1] + xi[1] * w[2] + w[0] >= 0 else -1
            if predicted != target:
                w[1:] += target * xi
                w[0] += target
                mistakes += 1
        if mistakes == 0:
            break
    return w, mistakes


def relu(x):
    return np.maximum(x, 0)


def mlp_train(x, y, w1, b1, w2, b2, rate, steps):
    losses = np.empty(steps)
    for step in range(steps):
        z = x @ w1 + b1
        a = relu(z)
        out = a @ w2 + b2
        difference = out - y
        losses[step] = (difference**2).mean()
        dout = 2 * difference / difference.size
        dw2 = a.T @ dout
        db2 = dout.sum(axis=0)
        dz = (dout @ w2.T) * (z > 0)
        dw1 = x.T @ dz
        db1 = dz.sum(axis=0)
        for p, g in ((w1, dw1), (b1, db1), (w2, dw2), (b2, db2)):
            p -= rate * g
    return losses


def adam(p, gradient_at, steps, rate=0.1, beta1=0.9, beta2=0.999, eps=1e-8):
    m = np.zeros_like(p)
    v = np.zeros_like(p)
    for t in range(1, steps + 1):
        g = gradient_at(p)
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        p -= rate * (m / (1 - beta1**t)) / (np.sqrt(v / (1 - beta2**t)) + eps)
    return p


def minimise_bowl(p, steps):
    return adam(p, lambda q: 2 * (q - 3), steps)


def nearest_neighbour(train, labels, queries):
    out = np.empty(len(queries), dtype=labels.dtype)
    for i, q in enumerate(queries):
        d = ((train - q) ** 2).sum(axis=1)
        out[i] = labels[np.argmin(d)]
    return out


def k_nearest(train, labels, query, k):
    d = np.sqrt(((train - query) ** 2).sum(axis=1))
    votes = labels[np.argsort(d)[:k]]
    return np.bincount(votes).argmax()


def standardise(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def pca_covariance(x):
    centred = x - x.mean(axis=0)
    return centred.T @ centred / (len(x) - 1)


def pairwise_distances(x, y):
    return np.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))


def pairwise_by_products(x, y):
    xx = (x * x).sum(axis=1)[:, None]
    yy = (y * y).sum(axis=1)[None, :]
    return np.sqrt(np.maximum(xx + yy - 2 * x @ y.T, 0))


def rbf_kernel(x, gamma):
    n = len(x)
    k = np.eye(n, dtype=x.dtype)
    for i in range(n):
        for j in range(i):
            d = x[i] - x[j]
            k[i, j] = k[j, i] = np.exp(-gamma * (d @ d))
    return k


def batch_norm(x, gamma, beta, running_mean, running_var, momentum, training):
    if training:
        mean, var = x.mean(axis=0), x.var(axis=0)
        running_mean *= momentum
        running_mean += (1 - momentum) * mean
        running_var *= momentum
        running_var += (1 - momentum) * var
    else:
        mean, var = running_mean, running_var
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


def cross_entropy(logits, targets):
    logits = logits - logits.max(axis=1, keepdims=True)
    log_probability = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -log_probability[np.arange(len(targets)), targets].mean()


def gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def rms_norm(x, weight):
    return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-6) * weight


def transformer_block(x, wq, wk, wv, wo, w1, w2, gain):
    x = x + multi_head(rms_norm(x, gain), wq, wk, wv, wo, 2)
    return x + gelu(rms_norm(x, gain) @ w1) @ w2


def conv_layer(x, w, b):
    """Channels first: x (c, h, w), w (o, c, 3, 3)."""
    o, c, kh, kw = w.shape
    h, width = x.shape[1] - kh + 1, x.shape[2] - kw + 1
    y = np.zeros((o, h, width), dtype=x.dtype)
    for f in range(o):
        for ch in range(c):
            for i in range(kh):
                for j in range(kw):
                    y[f] += w[f, ch, i, j] * x[ch, i : i + h, j : j + width]
        y[f] += b[f]
    return relu(y)


def normal(rng, t, *shape):
    return rng.standard_normal(shape).astype(t)


PROGRAMS = [
    Program(kmeans, lambda n, t, rng: (normal(rng, t, n, 2), normal(rng, t, 3, 2), 4), (6, 40)),
    Program(
        kmeans_vectorised,
        lambda n, t, rng: (normal(rng, t, n, 2), normal(rng, t, 3, 2), 4),
        (6, 40),
        eps=32,
    ),
    Program(softmax, lambda n, t, rng: (normal(rng, t, n, n + 2),), (3, 40), eps=16),
    Program(
        layer_norm,
        lambda n, t, rng: (normal(rng, t, 3, n), normal(rng, t, n), normal(rng, t, n)),
        (4, 50),
        eps=32,
    ),
    Program(
        layer_norm_var,
        lambda n, t, rng: (normal(rng, t, 3, n), normal(rng, t, n), normal(rng, t, n)),
        (4, 50),
        eps=32,
    ),
    Program(
        attention,
        lambda n, t, rng: (normal(rng, t, n, 4), normal(rng, t, n, 4), normal(rng, t, n, 4), n > 5),
        (5, 20),
        eps=64,
    ),
    Program(
        multi_head,
        lambda n, t, rng: (normal(rng, t, n, 8), *normal(rng, t, 4, 8, 8), 2),
        (5, 20),
        eps=256,
    ),
    Program(
        lstm_cell,
        lambda n, t, rng: (
            normal(rng, t, 3),
            normal(rng, t, n),
            normal(rng, t, n),
            normal(rng, t, 4 * n, 3),
            normal(rng, t, 4 * n, n),
            normal(rng, t, 4 * n),
        ),
        (4, 20),
        eps=64,
    ),
    Program(
        lstm_sequence,
        lambda n, t, rng: (
            normal(rng, t, 6, 3),
            normal(rng, t, 4 * n, 3),
            normal(rng, t, 4 * n, n),
            normal(rng, t, 4 * n),
        ),
        (4, 20),
        eps=256,
    ),
    Program(
        logistic_regression,
        lambda n, t, rng: (normal(rng, t, n, 3), (rng.random(n) < 0.5).astype(t), 0.1, 10),
        (6, 50),
        eps=256,
    ),
    Program(
        perceptron,
        lambda n, t, rng: (normal(rng, t, n, 2), np.where(rng.random(n) < 0.5, 1, -1), 6),
        (6, 50),
    ),
    Program(
        mlp_train,
        lambda n, t, rng: (
            normal(rng, t, n, 3),
            normal(rng, t, n, 1),
            normal(rng, t, 3, 8),
            normal(rng, t, 8),
            normal(rng, t, 8, 1),
            normal(rng, t, 1),
            t(0.01),
            5,
        ),
        (6, 40),
        eps=512,
    ),
    Program(minimise_bowl, lambda n, t, rng: (normal(rng, t, n), 12), (3, 20), eps=64),
    Program(
        nearest_neighbour,
        lambda n, t, rng: (normal(rng, t, n, 3), rng.integers(0, 4, n), normal(rng, t, 5, 3)),
        (6, 40),
    ),
    Program(
        k_nearest,
        lambda n, t, rng: (normal(rng, t, n, 3), rng.integers(0, 4, n), normal(rng, t, 3), 5),
        (6, 40),
    ),
    Program(standardise, lambda n, t, rng: (normal(rng, t, n, 3),), (4, 60), eps=64),
    Program(pca_covariance, lambda n, t, rng: (normal(rng, t, n, 3),), (4, 60), eps=64),
    Program(
        pairwise_distances,
        lambda n, t, rng: (normal(rng, t, n, 3), normal(rng, t, 5, 3)),
        (4, 40),
        eps=16,
    ),
    Program(
        pairwise_by_products,
        lambda n, t, rng: (normal(rng, t, n, 3), normal(rng, t, 5, 3)),
        (4, 40),
        eps=256,
    ),
    Program(rbf_kernel, lambda n, t, rng: (normal(rng, t, n, 3), 0.5), (4, 20), eps=16),
    Program(
        batch_norm,
        lambda n, t, rng: (
            normal(rng, t, n, 3),
            normal(rng, t, 3),
            normal(rng, t, 3),
            np.zeros(3, t),
            np.ones(3, t),
            0.9,
            n < 10,
        ),
        (4, 40),
        eps=64,
    ),
    Program(
        cross_entropy,
        lambda n, t, rng: (normal(rng, t, n, 5), rng.integers(0, 5, n)),
        (4, 40),
        eps=64,
    ),
    Program(gelu, lambda n, t, rng: (normal(rng, t, n, 5),), (4, 40), eps=16),
    Program(
        transformer_block,
        lambda n, t, rng: (
            normal(rng, t, n, 8),
            *normal(rng, t, 4, 8, 8),
            normal(rng, t, 8, 16),
            normal(rng, t, 16, 8),
            normal(rng, t, 8),
        ),
        (4, 12),
        eps=512,
    ),
    Program(
        conv_layer,
        lambda n, t, rng: (normal(rng, t, 2, n, n), normal(rng, t, 3, 2, 3, 3), normal(rng, t, 3)),
        (4, 14),
    ),
]
