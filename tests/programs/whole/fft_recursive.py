import cmath


def fft(x):
    n = len(x)
    if n == 1:
        return x
    if n % 2:
        raise ValueError("length must be a power of two")
    even = fft(x[0::2])
    odd = fft(x[1::2])
    out = [0j] * n
    for k in range(n // 2):
        t = cmath.exp(-2j * cmath.pi * k / n) * odd[k]
        out[k] = even[k] + t
        out[k + n // 2] = even[k] - t
    return out


def ifft(x):
    n = len(x)
    y = fft([v.conjugate() for v in x])
    return [v.conjugate() / n for v in y]


def convolve(a, b):
    n = 1
    while n < len(a) + len(b):
        n *= 2
    fa = fft([complex(v) for v in a] + [0j] * (n - len(a)))
    fb = fft([complex(v) for v in b] + [0j] * (n - len(b)))
    c = ifft([p * q for p, q in zip(fa, fb)])
    return [round(v.real) for v in c[: len(a) + len(b) - 1]]


def main(a, b):
    c = convolve(a, b)
    print("product:", c)
    spectrum = [round(abs(v), 6) for v in fft([complex(x) for x in a])]
    return c, spectrum


ARGS = [([1, 2, 3, 4, 5, 6, 7, 8], [1, 0, -1, 2]), ([1, 2, 3], [1])]
