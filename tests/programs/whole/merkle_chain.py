"""A toy blockchain with Merkle trees, proof of work, and a home-made hash."""

from dataclasses import dataclass, field, replace
from typing import List, Tuple

M64 = 2**64 - 1


def mix(h: int) -> int:
    h ^= h >> 33
    h = h * 0xFF51AFD7ED558CCD & M64
    h ^= h >> 33
    h = h * 0xC4CEB9FE1A85EC53 & M64
    return h ^ h >> 33


def toy_hash(data: str) -> str:
    """128-bit hex digest; certainly not secure."""
    a, b = 0x243F6A8885A308D3, 0x13198A2E03707344
    for i, byte in enumerate(data.encode("utf-8")):
        a = mix(a ^ (byte + 1) * 0x9E3779B97F4A7C15 & M64)
        b = (b * 31 + (a >> i % 32) + byte) & M64
    return f"{mix(a ^ b):016x}{mix(b + len(data) & M64):016x}"


@dataclass(frozen=True)
class Tx:
    sender: str
    receiver: str
    amount: int

    def digest(self):
        return toy_hash(f"{self.sender}>{self.receiver}:{self.amount}")


def merkle_levels(leaves: List[str]) -> List[List[str]]:
    levels = [leaves or [toy_hash("")]]
    while len(levels[-1]) > 1:
        row = levels[-1] + levels[-1][-1:] * (len(levels[-1]) % 2)
        levels.append([toy_hash(row[i] + row[i + 1]) for i in range(0, len(row), 2)])
    return levels


def merkle_proof(leaves, index) -> List[Tuple[str, str]]:
    proof = []
    for row in merkle_levels(leaves)[:-1]:
        sibling = index ^ 1 if index ^ 1 < len(row) else index
        proof.append(("L" if sibling < index else "R", row[sibling]))
        index //= 2
    return proof


def check_proof(leaf, proof, root):
    for side, other in proof:
        leaf = toy_hash(other + leaf if side == "L" else leaf + other)
    return leaf == root


class ChainError(Exception):
    def __init__(self, height, reason):
        super().__init__(f"block {height}: {reason}")
        self.height = height
        self.reason = reason


@dataclass
class Block:
    height: int
    previous: str
    txs: List[Tx]
    nonce: int = 0
    root: str = field(init=False)

    def __post_init__(self):
        self.root = merkle_levels([t.digest() for t in self.txs])[-1][0]

    def digest(self):
        return toy_hash(f"{self.height}|{self.previous}|{self.root}|{self.nonce}")

    def mine(self, zeros):
        while not self.digest().startswith("0" * zeros):
            self.nonce += 1
        return self


class Chain:
    def __init__(self, zeros):
        self.zeros = zeros
        self.blocks = [Block(0, "", [Tx("mint", "alice", 100), Tx("mint", "bob", 50)]).mine(zeros)]

    def add(self, txs):
        last = self.blocks[-1]
        self.blocks.append(Block(last.height + 1, last.digest(), txs).mine(self.zeros))

    def balances(self):
        out = {}
        for block in self.blocks:
            for t in block.txs:
                left = out.get(t.sender, 0) - t.amount
                if left < 0 and t.sender != "mint":
                    raise ChainError(block.height, f"{t.sender} overspends by {-left}")
                out[t.sender] = left
                out[t.receiver] = out.get(t.receiver, 0) + t.amount
        return dict(sorted(out.items()))

    def validate(self):
        previous = ""
        for b in self.blocks:
            if b.previous != previous:
                raise ChainError(b.height, "broken link")
            if merkle_levels([t.digest() for t in b.txs])[-1][0] != b.root:
                raise ChainError(b.height, "merkle root mismatch")
            previous = b.digest()
            if not previous.startswith("0" * self.zeros):
                raise ChainError(b.height, "insufficient work")
        return self.balances()


def main(batches, zeros, tamper=None):
    chain = Chain(zeros)
    for batch in batches:
        chain.add([Tx(*t) for t in batch])
    proofs = []
    block = chain.blocks[-1]
    leaves = [t.digest() for t in block.txs]
    for i, leaf in enumerate(leaves):
        proof = merkle_proof(leaves, i)
        proofs.append(
            (
                "".join(s for s, _ in proof),
                check_proof(leaf, proof, block.root),
                check_proof(toy_hash("fake"), proof, block.root),
            )
        )
    if tamper:
        height, index, amount = tamper
        txs = chain.blocks[height].txs
        txs[index] = replace(txs[index], amount=amount)
    try:
        result = chain.validate()
    except ChainError as e:
        result = (str(e), e.height, e.reason)
    for b in chain.blocks:
        print(b.height, b.digest()[:12], b.root[:12], "nonce", b.nonce, len(b.txs), "tx")
    return (
        result,
        proofs,
        [b.nonce for b in chain.blocks],
        chain.blocks[-1].digest(),
        toy_hash("abc"),
    )


DAY1 = [("alice", "bob", 30), ("bob", "carol", 20), ("carol", "alice", 5)]
DAY2 = [
    ("alice", "dave", 1),
    ("dave", "bob", 1),
    ("bob", "alice", 2),
    ("carol", "bob", 3),
    ("bob", "erin", 4),
]

ARGS = [
    ([DAY1, DAY2], 1),
    ([DAY1, [("bob", "zoe", 400)]], 1),
    ([DAY1, DAY2], 2, (1, 0, 99)),
]
