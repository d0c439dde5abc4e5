"""Lists and dicts that hold lists and dicts of their own kind, to any depth: trees, tries."""


def build_tree(lo, hi):
    if hi - lo < 2:
        return {"leaf": lo}
    mid = (lo + hi) // 2
    return {"left": build_tree(lo, mid), "right": build_tree(mid, hi)}


def total_tree(node):
    if "leaf" in node:
        return node["leaf"]
    return total_tree(node["left"]) + total_tree(node["right"])


def a_tree(n):
    return total_tree(build_tree(0, n))


def blist_tree(d):
    if d == 0:
        return [d]
    return [blist_tree(d - 1), blist_tree(d - 1)]


def count_tree(t):
    n = 1
    for k in t:
        if isinstance(k, list):
            n += count_tree(k)
    return n


def b_tree(n):
    return count_tree(blist_tree(n))


def flat_tree(t, out):
    for k in t:
        if isinstance(k, list):
            flat_tree(k, out)
        else:
            out.append(k)


def c_tree(n):
    t = []
    for i in range(n):
        t = [t, i]
    out = []
    flat_tree(t, out)
    return out


def d_tree(n):
    trie = {}
    for w in ("car", "cat", "dog", "do"):
        node = trie
        for ch in w[:n]:
            node = node.setdefault(ch, {})
        node["$"] = {}

    def cnt(node):
        return 1 + sum((cnt(k) for k in node.values()))

    return cnt(trie)


def e_tree(n):
    t = None
    for i in range(n):
        t = (t, i)
    s = 0
    while t is not None:
        t, v = t
        s += v
    return s


def f_tree(n):
    return build_tree(0, n)


def f_parsed(x, n):
    if n == 0:
        return x
    y = x * 2 if n % 2 else x / 3
    return f_parsed(y, n - 1)


def g_parsed(n):
    x = 1 if n > 3 else 2.5
    return f_parsed(x, n)


def ev_parsed(t):
    if isinstance(t, tuple):
        op, a, b = t
        if op == "+":
            return ev_parsed(a) + ev_parsed(b)
        return ev_parsed(a) * ev_parsed(b)
    return t


def h_parsed(n):
    return ev_parsed(("+", n, ("*", 2, n + 0.5)))


def parse_parsed(s, i):
    if s[i] == "[":
        out = []
        i += 1
        while s[i] != "]":
            v, i = parse_parsed(s, i)
            out.append(v)
            if s[i] == ",":
                i += 1
        return (out, i + 1)
    j = i
    while j < len(s) and s[j] in "0123456789":
        j += 1
    return (int(s[i:j]), j)


def p_parsed(s):
    return parse_parsed(s, 0)[0]


def pj_parsed(s, i):
    if s[i] == "[":
        out = []
        i += 1
        while s[i] != "]":
            v, i = pj_parsed(s, i)
            out.append(v)
            if s[i] == ",":
                i += 1
        return (out, i + 1)
    if s[i] == "{":
        d = {}
        i += 1
        while s[i] != "}":
            k, i = pj_parsed(s, i)
            v, i = pj_parsed(s, i + 1)
            d[k] = v
            if s[i] == ",":
                i += 1
        return (d, i + 1)
    if s[i] == '"':
        j = s.index('"', i + 1)
        return (s[i + 1 : j], j + 1)
    if s.startswith("true", i):
        return (True, i + 4)
    if s.startswith("null", i):
        return (None, i + 4)
    j = i
    while j < len(s) and s[j] in "0123456789.-":
        j += 1
    t = s[i:j]
    return (float(t) if "." in t else int(t), j)


def q_parsed(s):
    return pj_parsed(s, 0)[0]


def depth_parsed(t):
    if not isinstance(t, list):
        return 0
    return 1 + max([depth_parsed(k) for k in t], default=0)


def dd_parsed(n):
    t = [1]
    for i in range(n):
        t = [t, i, [t]]
    return (depth_parsed(t), t)


def sums_parsed(t):
    if isinstance(t, int):
        return t
    return sum((sums_parsed(k) for k in t))


def ss_parsed(n):
    t = [n, [n + 1, [n + 2]], []]
    t.append([t[1], 5])
    return (sums_parsed(t), t)


def selfref_parsed(n):
    a = [n]
    a.append(a)
    return (len(a), a[1][1][0])


def deep_deep(n):
    t = []
    for i in range(n):
        t = [t]
    c = 0
    while t:
        t = t[0]
        c += 1
    return c


def deepdrop_deep(n):
    t = []
    for i in range(n):
        t = [t, i]
    return len(t)


def deepreturn_deep(n):
    t = []
    for i in range(n):
        t = [t, i]
    return t


def trie_words_deep(words, q):
    root = {}
    for w in words:
        node = root
        for ch in w:
            if ch not in node:
                node[ch] = {}
            node = node[ch]
        node["end"] = {}
    node = root
    for ch in q:
        if ch not in node:
            return (False, root)
        node = node[ch]
    return ("end" in node, root)


def count_nodes_deep(n):
    tree = {"v": 0, "kids": []}
    todo = [tree]
    for i in range(1, n):
        node = {"v": i, "kids": []}
        todo[i // 2]["kids"].append(node)
        todo.append(node)

    def walk(node, depth):
        best = depth
        for k in node["kids"]:
            best = max(best, walk(k, depth + 1))
        return best

    return (walk(tree, 0), tree["kids"][0]["v"])


def flatten_deep(t):
    out = []
    for k in t:
        if isinstance(k, list):
            out.extend(flatten_deep(k))
        else:
            out.append(k)
    return out


def fl_deep(n):
    t = [n, [n + 1, [n + 2, []], n + 3]]
    return flatten_deep(t)


def nested_eq_deep(n):
    a = [n]
    b = [n]
    for i in range(3):
        a = [a, i]
        b = [b, i]
    return (a == b, a != b, a == [b, 1])


def nested_repr_deep(n):
    a = [n]
    for i in range(3):
        a = [a, i]
    return (repr(a), str(a))


def nested_in_deep(n):
    a = [n]
    for i in range(3):
        a = [a, i]
    return ([n] in a, 2 in a)


def sorting_deep(n):
    t = [[3, [n]], [1, []], [2, [5]]]
    t.sort(key=lambda k: k[0])
    return t


def nary_deep(n):

    def make(d):
        return [make(d - 1) for _ in range(d)]

    def size(t):
        return 1 + sum(map(size, t))

    t = make(n)
    return (size(t), t)


def mutual_deep(n):
    d = {"list": []}
    d["list"].append(d)
    return (len(d["list"]), d["list"][0] is d)


def pop_tree_deep(n):
    stack = [[n]]
    seen = 0
    while stack:
        cur = stack.pop()
        seen += 1
        for k in range(cur[0]):
            stack.append([k])
    return seen


def expr_deep(n):
    toks = ["(", "+", "1", "(", "*", "2", "3", ")", ")"]
    pos = 0

    def parse():
        nonlocal pos
        t = toks[pos]
        pos += 1
        if t == "(":
            out = []
            while toks[pos] != ")":
                out.append(parse())
            pos += 1
            return out
        if t.isdigit():
            return int(t)
        return t

    def ev(x):
        if isinstance(x, int):
            return x
        op = x[0]
        a, b = (ev(x[1]), ev(x[2]))
        return a + b if op == "+" else a * b

    return ev(parse()) * n


CASES = [
    *[(a_tree, (5,)), (b_tree, (3,)), (c_tree, (4,)), (d_tree, (3,)), (f_tree, (3,))],
    *[
        (g_parsed, (3,)),
        (g_parsed, (5,)),
        (h_parsed, (3,)),
        (p_parsed, ("[1,[2,3],[],[[4]]]",)),
        (dd_parsed, (3,)),
        (ss_parsed, (2,)),
        (selfref_parsed, (3,)),
    ],
    *[
        (deep_deep, (5,)),
        (deep_deep, (100,)),
        (deepdrop_deep, (10,)),
        (deepdrop_deep, (1000,)),
        (deepreturn_deep, (5,)),
        (trie_words_deep, (["car", "cat", "do"], "cat")),
        (trie_words_deep, (["car", "cat", "do"], "cx")),
        (count_nodes_deep, (9,)),
        (fl_deep, (3,)),
        (nested_eq_deep, (2,)),
        (nested_repr_deep, (2,)),
        (nested_in_deep, (2,)),
        (sorting_deep, (2,)),
        (nary_deep, (3,)),
        (pop_tree_deep, (4,)),
        (expr_deep, (3,)),
    ],
]
