"""Programs on strings, and on lists, dicts and sets that they are given: word counts, searches of
graphs, parsers, tables, games.
"""

import bisect
import heapq
import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations


def word_count(text):
    c = {}
    for w in text.split():
        c[w] = c.get(w, 0) + 1
    return c


def group(rows):
    g = defaultdict(list)
    for k, v in rows:
        g[k].append(v)
    return {k: sum(v) / len(v) for k, v in g.items()}


def bfs(graph, s):
    dist = {s: 0}
    q = deque([s])
    while q:
        u = q.popleft()
        for v in graph[u]:
            if v not in dist:
                dist[v] = dist[u] + 1
                q.append(v)
    return dist


def dijkstra(g, s):
    d = {s: 0.0}
    h = [(0.0, s)]
    while h:
        du, u = heapq.heappop(h)
        if du > d[u]:
            continue
        for v, w in g[u].items():
            nd = du + w
            if nd < d.get(v, math.inf):
                d[v] = nd
                heapq.heappush(h, (nd, v))
    return d


def tokens(s):
    out = []
    i = 0
    while i < len(s):
        c = s[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < len(s) and s[j].isdigit():
                j += 1
            out.append(("num", int(s[i:j])))
            i = j
        else:
            out.append(("op", c))
            i += 1
    return out


def rpn(s):
    st = []
    for t in s.split():
        if t in "+-*/":
            b, a = st.pop(), st.pop()
            if t == "+":
                st.append(a + b)
            elif t == "-":
                st.append(a - b)
            elif t == "*":
                st.append(a * b)
            else:
                st.append(a / b)
        else:
            st.append(float(t))
    return st[0]


def edit(a, b):
    p = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        q = [i]
        for j, y in enumerate(b, 1):
            q.append(min(p[j] + 1, q[-1] + 1, p[j - 1] + (x != y)))
        p = q
    return p[-1]


def lcs(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            dp[i + 1][j + 1] = dp[i][j] + 1 if a[i] == b[j] else max(dp[i][j + 1], dp[i + 1][j])
    out = []
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            out.append(a[i - 1])
            i -= 1
            j -= 1
        elif dp[i - 1][j] >= dp[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(out))


@dataclass
class Account:
    owner: str
    balance: float = 0.0
    history: list = field(default_factory=list)

    def deposit(self, x):
        self.balance += x
        self.history.append(("dep", x))


class Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, name):
        self.accounts[name] = Account(name)

    def transfer(self, a, b, x):
        if self.accounts[a].balance < x:
            raise ValueError(f"{a} has only {self.accounts[a].balance}")
        self.accounts[a].balance -= x
        self.accounts[b].deposit(x)


def bank(n):
    b = Bank()
    for nm in ("ann", "bob"):
        b.open(nm)
    b.accounts["ann"].deposit(n)
    b.transfer("ann", "bob", 3.0)
    return {k: a.balance for k, a in b.accounts.items()}, b.accounts["bob"].history


def vm(prog):
    st = []
    pc = 0
    mem = {}
    while pc < len(prog):
        op, arg = prog[pc]
        pc += 1
        if op == "push":
            st.append(arg)
        elif op == "add":
            st.append(st.pop() + st.pop())
        elif op == "store":
            mem[arg] = st.pop()
        elif op == "load":
            st.append(mem[arg])
        elif op == "jnz":
            if st.pop():
                pc = arg
        elif op == "dup":
            st.append(st[-1])
    return st, mem


def roman(n):
    out = ""
    for v, s in [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ]:
        while n >= v:
            out += s
            n -= v
    return out


def caesar(s, k):
    return "".join(chr((ord(c) - 97 + k) % 26 + 97) if c.islower() else c for c in s)


def kmers(s, k):
    c = Counter(s[i : i + k] for i in range(len(s) - k + 1))
    return c.most_common(3)


def life(cells, n):
    for _ in range(n):
        cnt = Counter(
            (x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
        )
        cells = {c for c, k in cnt.items() if k == 3 or (k == 2 and c in cells)}
    return sorted(cells)


@lru_cache(maxsize=None)
def fibc(n):
    return n if n < 2 else fibc(n - 1) + fibc(n - 2)


def usefib(n):
    return fibc(n)


def memo(n, m={}):
    if n < 2:
        return n
    if n not in m:
        m[n] = memo(n - 1, m) + memo(n - 2, m)
    return m[n]


def tsp(d):
    best = math.inf
    for p in permutations(range(1, len(d))):
        c = d[0][p[0]] + sum(d[a][b] for a, b in zip(p, p[1:])) + d[p[-1]][0]  # noqa: RUF007
        if c < best:
            best = c
    return best


def queens(n):
    def place(row, cols, d1, d2):
        if row == n:
            return 1
        t = 0
        for c in range(n):
            if c in cols or row + c in d1 or row - c in d2:
                continue
            t += place(row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c})
        return t

    return place(0, set(), set(), set())


def sudoku(b):
    def ok(r, c, v):
        for i in range(4):
            if b[r][i] == v or b[i][c] == v:
                return False
        return True

    def solve():
        for r in range(4):
            for c in range(4):
                if b[r][c] == 0:
                    for v in range(1, 5):
                        if ok(r, c, v):
                            b[r][c] = v
                            if solve():
                                return True
                            b[r][c] = 0
                    return False
        return True

    return solve(), b


def csv(text):
    rows = [l.split(",") for l in text.strip().split("\n")]
    head = rows[0]
    return {h: [float(r[i]) for r in rows[1:]] for i, h in enumerate(head)}


def sumdict(d):
    t = 0
    for k, v in d.items():
        if isinstance(v, dict):
            t += sumdict(v)
        else:
            t += v
    return t


def pal(words):
    return [w for w in words if w == w[::-1]]


def anagrams(words):
    g = {}
    for w in words:
        g.setdefault("".join(sorted(w)), []).append(w)
    return list(g.values())


def topo(deps):
    indeg = {k: len(v) for k, v in deps.items()}
    rev = defaultdict(list)
    for k, vs in deps.items():
        for v in vs:
            rev[v].append(k)
    q = [k for k, d in indeg.items() if d == 0]
    out = []
    while q:
        u = q.pop(0)
        out.append(u)
        for w in rev[u]:
            indeg[w] -= 1
            if indeg[w] == 0:
                q.append(w)
    return out


def table(rows):
    out = []
    for n, v in rows:
        out.append(f"{n:<8}|{v:8.2f}|")
    return "\n".join(out)


def flood(grid, r, c):
    h, w = len(grid), len(grid[0])
    st = [(r, c)]
    seen = set()
    while st:
        r, c = st.pop()
        if (r, c) in seen or not (0 <= r < h and 0 <= c < w) or grid[r][c] == "#":
            continue
        seen.add((r, c))
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            st.append((r + dr, c + dc))
    return len(seen)


COMP = {"A": "T", "C": "G", "G": "C", "T": "A"}


def revcomp(s):
    return "".join(COMP[c] for c in reversed(s))


CODON = {"ATG": "M", "TAA": "*", "GGC": "G", "TTT": "F"}


def translate(s):
    p = ""
    for i in range(0, len(s) - 2, 3):
        a = CODON.get(s[i : i + 3], "X")
        if a == "*":
            break
        p += a
    return p


class Light:
    def __init__(self):
        self.state = "red"
        self.n = 0

    def step(self):
        if self.state == "red":
            self.state = "green"
        elif self.state == "green":
            self.state = "yellow"
        else:
            self.state = "red"
            self.n += 1


def light(n):
    l = Light()
    for _ in range(n):
        l.step()
    return l.state, l.n


def restock(inv, orders):
    for item, q in orders:
        if inv.get(item, 0) < q:
            inv[item] = inv.get(item, 0) + 10
        inv[item] -= q
    return sum(inv.values())


def grades(scores, cuts=(60, 70, 80, 90), letters="FDCBA"):
    return [letters[bisect.bisect(cuts, s)] for s in scores]


def digsum(n):
    return sum(int(c) for c in str(n))


def sim(jobs):
    t = 0
    h = []
    i = 0
    waits = {}
    jobs = sorted(jobs, key=lambda j: j[1])
    while i < len(jobs) or h:
        while i < len(jobs) and jobs[i][1] <= t:
            heapq.heappush(h, (jobs[i][2], jobs[i][0]))
            i += 1
        if not h:
            t = jobs[i][1]
            continue
        d, name = heapq.heappop(h)
        t += d
        waits[name] = t
    return waits


def rle(s):
    out = []
    for c in s:
        if out and out[-1][0] == c:
            out[-1][1] += 1
        else:
            out.append([c, 1])
    return "".join(c + str(n) for c, n in out)


def brackets(s):
    st = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for c in s:
        if c in "([{":
            st.append(c)
        elif c in pairs:
            if not st or st.pop() != pairs[c]:
                return False
    return not st


def huffman(text):
    h = [(n, c) for c, n in Counter(text).items()]
    heapq.heapify(h)
    codes = {c: "" for _, c in h}
    while len(h) > 1:
        (n1, a), (n2, b) = heapq.heappop(h), heapq.heappop(h)
        for c in a:
            codes[c] = "0" + codes[c]
        for c in b:
            codes[c] = "1" + codes[c]
        heapq.heappush(h, (n1 + n2, a + b))
    return codes


def collatz(n):
    cache = {1: 1}
    best = (0, 0)
    for i in range(1, n):
        seq = []
        k = i
        while k not in cache:
            seq.append(k)
            k = k // 2 if k % 2 == 0 else 3 * k + 1
        l = cache[k]
        for s in reversed(seq):
            l += 1
            cache[s] = l
        best = max(best, (cache[i], i))
    return best


def knap(items, cap):
    dp = [0] * (cap + 1)
    for it in items:
        for c in range(cap, it["w"] - 1, -1):
            dp[c] = max(dp[c], dp[c - it["w"]] + it["v"])
    return dp[cap]


def words(ws):
    root = {}
    for w in ws:
        n = root
        for c in w:
            n = n.setdefault(c, {})
        n["$"] = {}
    return len(root)


G = {0: [1, 2], 1: [3], 2: [3, 4], 3: [5], 4: [5], 5: []}


GS = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}


GD = {"a": {"b": 1.0, "c": 4.0}, "b": {"c": 2.0}, "c": {}}


GI = {0: {1: 1.0, 2: 4.0}, 1: {2: 2.0}, 2: {}}


CASES = [
    (word_count, ("the cat the dog a cat",)),
    (group, ([("a", 1.0), ("b", 2.0), ("a", 3.0)],)),
    (bfs, (G, 0)),
    (bfs, (GS, "a")),
    (dijkstra, (GD, "a")),
    (dijkstra, (GI, 0)),
    (tokens, ("12 + (3*45)",)),
    (rpn, ("3 4 + 2 *",)),
    (edit, ("kitten", "sitting")),
    (lcs, ("ABCBDAB", "BDCABA")),
    (bank, (10.0,)),
    (vm, ([("push", 3), ("dup", 0), ("add", 0), ("store", 7), ("load", 7)],)),
    (roman, (1994,)),
    (caesar, ("Hello xyz", 3)),
    (kmers, ("ACGTACGTAC", 3)),
    (life, ({(0, 0), (0, 1), (0, 2)}, 3)),
    (usefib, (30,)),
    (memo, (30,)),
    (tsp, ([[0, 2, 9], [1, 0, 6], [15, 7, 0]],)),
    (queens, (6,)),
    (sudoku, ([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]],)),
    (csv, ("a,b\n1,2\n3,4\n",)),
    (sumdict, ({"a": 1, "b": {"c": 2, "d": {"e": 3}}},)),
    (pal, (["abba", "abc", "x"],)),
    (anagrams, (["eat", "tea", "tan", "nat"],)),
    (topo, ({"a": {"b"}, "b": {"c"}, "c": set()},)),
    (table, ([("ab", 1.5), ("c", 22.25)],)),
    (flood, (["..#.", "..#.", "...."], 0, 0)),
    (revcomp, ("ACGTT",)),
    (translate, ("ATGTTTGGCTAA",)),
    (light, (7,)),
    (restock, ({"a": 5, "b": 1}, [("a", 3), ("b", 4), ("c", 2)])),
    (grades, ([33, 99, 77, 70],)),
    (digsum, (98765,)),
    (sim, ([("x", 0, 3), ("y", 1, 9), ("z", 2, 6)],)),
    (rle, ("aaabccd",)),
    (brackets, ("{[()]}(",)),
    (huffman, ("abracadabra",)),
    (collatz, (50,)),
    (knap, ([{"w": 2, "v": 3}, {"w": 3, "v": 4}, {"w": 4, "v": 5}], 7)),
    (words, (["ab", "ac", "b"],)),
]
