import heapq
from collections import Counter
from itertools import count


class Node:
    def __init__(self, freq, symbol=None, left=None, right=None):
        self.freq = freq
        self.symbol = symbol
        self.left = left
        self.right = right

    @property
    def is_leaf(self):
        return self.symbol is not None


def build_tree(text):
    ticket = count()
    heap = []
    for sym, freq in sorted(Counter(text).items()):
        heapq.heappush(heap, (freq, next(ticket), Node(freq, sym)))
    if len(heap) == 1:
        freq, _, only = heap[0]
        return Node(freq, left=only)
    while len(heap) > 1:
        f1, _, a = heapq.heappop(heap)
        f2, _, b = heapq.heappop(heap)
        heapq.heappush(heap, (f1 + f2, next(ticket), Node(f1 + f2, None, a, b)))
    return heap[0][2]


def make_codes(root):
    codes = {}

    def walk(node, prefix):
        if node is None:
            return
        if node.is_leaf:
            codes[node.symbol] = prefix or "0"
            return
        walk(node.left, prefix + "0")
        walk(node.right, prefix + "1")

    walk(root, "")
    return codes


def encode(text, codes):
    return "".join(codes[c] for c in text)


def decode(bits, root):
    out = []
    node = root
    for bit in bits:
        node = node.left if bit == "0" else node.right
        if node.is_leaf:
            out.append(node.symbol)
            node = root
    return "".join(out)


def pack(bits):
    pad = -len(bits) % 8
    bits += "0" * pad
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)), pad


def unpack(data, pad):
    bits = "".join(format(b, "08b") for b in data)
    return bits[: len(bits) - pad] if pad else bits


def depth(node):
    if node is None or node.is_leaf:
        return 0
    return 1 + max(depth(node.left), depth(node.right))


def main(text, repeat):
    message = text * repeat
    root = build_tree(message)
    codes = make_codes(root)
    bits = encode(message, codes)
    data, pad = pack(bits)
    assert unpack(data, pad) == bits
    assert decode(bits, root) == message
    ratio = len(data) / len(message)
    for sym, code in sorted(codes.items(), key=lambda kv: (len(kv[1]), kv[1])):
        print(f"{sym!r:>6} {code}")
    print(f"{len(message)} chars -> {len(data)} bytes ({ratio:.1%}), depth {depth(root)}")
    return codes, data.hex()[:40], pad, round(ratio, 4)


ARGS = [
    ("abracadabra", 1),
    ("the quick brown fox jumps over the lazy dog. ", 20),
    ("zzzz", 3),
]
