"""Shell-style globbing: *, ?, [..], {a,b} and ** against a fake file tree."""

from functools import lru_cache

TREE = {
    "README.md": 1200,
    "setup.py": 800,
    "src": {
        "app.py": 5300,
        "app_test.py": 2100,
        "util": {
            "io.py": 900,
            "io.pyc": 1700,
            "data1.json": 64,
            "data2.json": 65,
            "data10.json": 70,
        },
    },
    "docs": {"index.html": 450, "img": {"logo.png": 9000, "logo@2x.png": 22000}},
    ".hidden": {"secret.txt": 3},
}


def walk(tree, prefix=""):
    for name, value in tree.items():
        path = f"{prefix}/{name}" if prefix else name
        if isinstance(value, dict):
            yield from walk(value, path)
        else:
            yield path, value


def expand_braces(pattern):
    """'a{b,c{d,e}}' -> ['ab', 'acd', 'ace']"""
    start = pattern.find("{")
    if start < 0:
        return [pattern]
    depth = 0
    parts, last = [], start + 1
    for i in range(start, len(pattern)):
        ch = pattern[i]
        if ch == "{":
            depth += 1
        elif ch == "}":
            depth -= 1
            if depth == 0:
                parts.append(pattern[last:i])
                head, tail = pattern[:start], pattern[i + 1 :]
                return [out for p in parts for out in expand_braces(head + p + tail)]
        elif ch == "," and depth == 1:
            parts.append(pattern[last:i])
            last = i + 1
    raise ValueError("unbalanced braces in " + repr(pattern))


def parse_class(pattern, i):
    """Parse [..] starting just after the bracket; returns (predicate, next index)."""
    end = pattern.index("]", i + 1)
    body = pattern[i:end]
    negate = body[0] in "!^"
    if negate:
        body = body[1:]
    allowed = set()
    j = 0
    while j < len(body):
        if j + 2 < len(body) and body[j + 1] == "-":
            for code in range(ord(body[j]), ord(body[j + 2]) + 1):
                allowed.add(chr(code))
            j += 3
        else:
            allowed.add(body[j])
            j += 1
    return (lambda c: (c in allowed) != negate), end + 1


def segment_match(pattern, name):
    if name.startswith(".") and not pattern.startswith("."):
        return False

    @lru_cache(maxsize=None)
    def go(i, j):
        if i == len(pattern):
            return j == len(name)
        p = pattern[i]
        if p == "*":
            return go(i + 1, j) or (j < len(name) and go(i, j + 1))
        if j == len(name):
            return False
        if p == "?":
            return go(i + 1, j + 1)
        if p == "[":
            test, nxt = parse_class(pattern, i + 1)
            return test(name[j]) and go(nxt, j + 1)
        return p == name[j] and go(i + 1, j + 1)

    return go(0, 0)


def path_match(pats, names):
    if not pats:
        return not names
    if pats[0] == "**":
        if path_match(pats[1:], names):
            return True
        return bool(names) and not names[0].startswith(".") and path_match(pats, names[1:])
    if not names:
        return False
    return segment_match(pats[0], names[0]) and path_match(pats[1:], names[1:])


def natural_key(path):
    key, digits = [], ""
    for ch in path + "\0":
        if ch.isdigit():
            digits += ch
        else:
            if digits:
                key.append((0, int(digits), ""))
                digits = ""
            key.append((1, 0, ch))
    return key


def glob(pattern, files):
    found = set()
    for p in expand_braces(pattern):
        pats = p.split("/")
        found.update(f for f in files if path_match(pats, f.split("/")))
    return sorted(found, key=natural_key)


def main(*patterns):
    files = dict(walk(TREE))
    out = {}
    for p in patterns:
        try:
            hits = glob(p, files)
        except ValueError as e:
            out[p] = f"{type(e).__name__}: {e}"
            continue
        total = sum(files[h] for h in hits)
        out[p] = (hits, total)
        print(f"{p:<24} {len(hits)} files, {total:>6} bytes")
    never = sorted(set(files).difference(*(v[0] for v in out.values() if isinstance(v, tuple))))
    return out, never


ARGS = [
    ("*.py", "src/*.py", "**/*.py", "**/data[0-9].json"),
    ("docs/**", "src/util/io.py?", "{README.md,docs/*.html}", ".hidden/*", "**/*[!c]"),
    ("src/{app,util/{io,data*}}.{py,json}", "{broken", "**/[x"),
]
