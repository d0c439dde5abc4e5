"""Functions as they are in many programs, with holes for what differs."""

from __future__ import annotations

from fuzz.choices import Chooser
from fuzz.people.body import Body, Callable, Stuck, World
from fuzz.people.tables import HOLE, template
from fuzz.people.types import split

# The first line: what the function takes and gives; its own names are those of the text.
TEXTS = [
    """str -> list[tuple[str, str]]
def NAME(s):
    out, i = [], 0
    while i < len(s):
        c = s[i]
        if c.isdigit():
            j = i
            while j < len(s) and s[j].isdigit():
                j += 1
            out.append(("num", s[i:j]))
            i = j
            continue
        if c.isalpha():
            `block|c:str,i:int,out:list[tuple[str, str]]`
            out.append(("word", `str|c:str`))
        elif not c.isspace():
            out.append(("op", c))
        i += 1
    return out""",
    """list[str] -> list[int]
def NAME(ops):
    stack = []
    for op in ops:
        try:
            if op == "add":
                b, a = stack.pop(), stack.pop()
                stack.append(`int|a:int,b:int`)
            elif op == "dup":
                stack.append(stack[-1])
            elif op.isdigit():
                stack.append(int(op))
            else:
                `block|op:str,stack:list[int]`
                stack.append(len(op))
        except IndexError as e:
            print(op, e)
            stack.append(`int|op:str`)
    return stack""",
    """dict[str, list[int]], str -> dict[str, int]
def NAME(graph, start):
    seen = {start: 0}
    queue = deque([start])
    while queue:
        u = queue.popleft()
        for w in graph.get(u, []):
            v = str(w)
            if v not in seen and `bool|v:str,w:int`:
                seen[v] = seen[u] + 1
                queue.append(v)
        `block|u:str,seen:dict[str, int]`
    return seen""",
    """list[tuple[str, int]] -> dict[str, tuple[int, int]]
def NAME(rows):
    groups = defaultdict(list)
    for key, value in rows:
        `block|key:str,value:int`
        groups[key].append(`int|key:str,value:int`)
    return {k: (len(v), sum(v)) for k, v in sorted(groups.items())}""",
    """list[tuple[str, int]] -> list[str]
def NAME(events):
    heap, log, clock = [], [], 0
    for who, at in events:
        heapq.heappush(heap, (at, who))
    while heap and clock < 50:
        clock, who = heapq.heappop(heap)
        log.append(f"{clock}:{who}")
        if `bool|clock:int,who:str` and len(log) < 12:
            heapq.heappush(heap, (clock + 7, who + "'"))
        `block|clock:int,who:str,log:list[str]`
    return log""",
    """str -> list[tuple[str, int]]
def NAME(s):
    out = []
    for c in s:
        if out and out[-1][0] == c:
            out[-1] = (c, out[-1][1] + 1)
        else:
            `block|c:str`
            out.append((c, `int|c:str`))
    return out""",
    """int, int -> int
def NAME(n, k):
    memo = {}
    def go(i, j):
        if i <= 0 or j <= 0:
            return `int|i:int,j:int`
        if (i, j) in memo:
            return memo[i, j]
        memo[i, j] = (go(i - 1, j) + go(i, j - 1) * 2) % 97
        return memo[i, j]
    return go(n % 8, k % 8)""",
    """list[int], int -> list[int]
def NAME(values, size):
    window, best = deque(), []
    for i, v in enumerate(values):
        while window and values[window[-1]] <= v:
            window.pop()
        window.append(i)
        if window[0] <= i - (size % 4 + 1):
            window.popleft()
        `block|i:int,v:int`
        best.append(values[window[0]])
    return best""",
    """str -> dict[str, float]
def NAME(text):
    table = {}
    for line in text.split(","):
        name, sign, value = line.partition("=")
        try:
            table[name.strip()] = float(value)
        except ValueError as e:
            table[str(e)] = `float|line:str,sign:str`
        `block|name:str,value:str`
    return table""",
    """list[tuple[int, int]] -> list[tuple[int, int]]
def NAME(spans):
    done = []
    for a, b in sorted(spans):
        if done and a <= done[-1][1]:
            done[-1] = (done[-1][0], max(b, done[-1][1]))
        else:
            `block|a:int,b:int`
            done.append((a, `int|a:int,b:int`))
    return done""",
    """list[str] -> dict[str, int]
def NAME(lines):
    state, counts = "idle", {}
    for line in lines:
        if state == "idle":
            state = "run" if line else "idle"
        elif state == "run" and `bool|line:str`:
            state = "stop"
            `block|line:str,counts:dict[str, int]`
        else:
            state = "idle"
        counts[state] = counts.get(state, 0) + 1
    return counts""",
    """int -> list[list[int]]
def NAME(n):
    out = []
    def go(i, path):
        if i == 0 or len(path) > 3:
            out.append(path[:])
            return
        for k in range(1, min(i, 3) + 1):
            path.append(k)
            go(i - k, path)
            path.pop()
    go(n % 6, [])
    return [`list[int]|p:list[int]` for p in out]""",
    """list[int] -> tuple[int, str]
def NAME(codes):
    regs = {"x": 1, "y": `=int`}
    trace, pc = "", 0
    for _ in range(20):
        if pc >= len(codes):
            break
        match codes[pc] % 4:
            case 0:
                regs["x"] += regs["y"]
            case 1:
                regs["y"] = `int|pc:int` % 50
            case 2:
                `block|pc:int,regs:dict[str, int]`
                trace += "j"
            case _:
                trace += str(regs["x"] % 10)
        pc += 1
    return regs["x"], trace[-9:]""",
]


def function(choose: Chooser, world: World) -> list[str]:
    head, text = choose.pick(TEXTS).split("\n", 1)
    takes, gives = head.split(" -> ")
    name = world.fresh("job")
    body = Body(choose, world, {})
    body.depth = body.loops = 1
    body.budget = 4
    lines = []
    for line in text.replace("NAME", name).split("\n"):
        found = HOLE.search(line)
        if found:
            lines += _filled(body, line)
        else:
            lines.append(line)
    for one in body.local:
        world.callables.remove(one)
    kinds = split(f"x[{takes}]")[1]
    world.callables.append(Callable(name, kinds, gives))
    return lines


def _filled(body: Body, line: str) -> list[str]:
    one = template("own", "", line)
    indent = line[: len(line) - len(line.lstrip())]
    (hole,) = one.holes
    variables = {name: kind for name, kind in hole.variables}
    with body.inside(variables):
        if hole.pattern == "block":
            body.reserved -= {n for n, k in variables.items() if "[" in k}
            body.captured = set(variables)
            return [indent + inner for inner in body.block(0, 2)]
        if hole.mark == "=":
            return [HOLE.sub(lambda _: body.small(hole.pattern), line)]
        try:
            text = body.expression(hole.pattern, 2)
        except Stuck:
            text = body.literal(hole.pattern)
        return [HOLE.sub(lambda _: f"({text})", line)]
