"""What there is to see of a variant: its source, loop nests, IR and machine code, and which lines
of one belong to which of the others. `_html` and `_terminal` draw it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import _nests
from ._machine_code import Loop, hot_loops
from ._source import SourceError, find

_APPENDED = re.compile(r"^// (optimised|assembly|ptx):$", re.MULTILINE)  # to the last stage

# What a call does for arrays on a device: a text, its lines, and whether it is a kernel.
DeviceNotes = list[tuple[str, list[int], bool]]


class Part(NamedTuple):
    """The text of a stage, or of what LLVM made of the last one."""

    name: str
    text: str
    changed: bool  # from the one before


def parts(stages: dict[str, str]) -> Iterator[Part]:
    before = None
    for name, text in stages.items():
        own, *appended = _APPENDED.split(text.rstrip())
        own = own.rstrip()
        yield Part(name, own, own != before)
        before = own
        for title, body in zip(appended[::2], appended[1::2], strict=True):
            lines = (line.removeprefix("//").removeprefix(" ") for line in body.splitlines())
            yield Part(title, "\n".join(lines).strip("\n"), True)


class SourceLine(NamedTuple):
    number: int
    text: str
    nests: list[int]  # that it is part of, from 1 on
    mark: str  # those, and the host where it works for arrays on a device
    heat: int  # 0 to 3: its share of what the nests read, write and compute


class Box(NamedTuple):
    """A loop nest as it is drawn."""

    number: int
    loops: list[str]  # outermost first
    body: str
    reads: list[str]
    writes: list[str]
    notes: list[str]  # what was not vectorised, or runs on one thread, and why
    lines: list[int]
    strip_mined: bool
    loop: Loop | None  # the hot one of its machine code


class View(NamedTuple):
    source: list[SourceLine]
    boxes: list[Box]
    device: list[str]
    ir_name: str  # the last stage with array operations
    ir: str
    ir_lines: dict[int, list[int]]  # lines of the source that a line of the IR comes from
    hot: list[Loop]  # of functions that belong to no nest
    parts: list[Part]
    milliseconds: dict[str, float]
    remarks: list[str]


def view(function: Any, variant: dict[str, Any]) -> View:
    """Of the result of `_inspect_variant`."""
    nests = _nests.describe(variant)
    all_parts = list(parts(variant["stages"]))
    texts = {part.name: part.text for part in all_parts}
    names = list(variant["stages"])
    # "profile", which follows, does nothing here.
    ir_name = names[names.index("profile") - 1] if "profile" in names[1:] else names[-1]
    loops = hot_loops(texts.get("assembly", ""))
    sizes = _sizes(texts.get("infer", ""))
    boxes = []
    for k, (nest, data) in enumerate(zip(nests, variant["nests"], strict=True), 1):
        own = [loops.pop(name) for name in data.get("functions", ()) if name in loops]
        boxes.append(_box(k, nest, data, sizes, own[0] if own else None))
    # Of the function itself, unless its loops only go around those of the nests.
    others = [k for k in loops.values() if k.vectors or not any(box.loop for box in boxes)]
    ir_lines: dict[int, list[int]] = {}
    for line, source in variant.get("lines", {}).get(ir_name, ()):
        if source not in ir_lines.setdefault(line, []):
            ir_lines[line].append(source)
    return View(
        source_lines(function, nests, variant["device"], variant["nests"]),
        boxes, [text for text, _, _ in variant["device"]],
        ir_name, texts[ir_name], ir_lines, others, all_parts,
        variant.get("milliseconds", {}), _counted(variant["remarks"]),
    )  # fmt: skip


def _counted(lines: list[str]) -> list[str]:
    """Each line once, with how often it is there."""
    return [f"{line} ({n} times)" if n > 1 else line for line, n in Counter(lines).items()]


def _box(
    number: int, nest: _nests.Nest, data: dict[str, Any], sizes: dict[str, int], loop: Loop | None
) -> Box:
    around = [frames[0][2] for frames in data["loops"] if frames]
    loops = [f"loop of line {line}" for line in dict.fromkeys(around)]
    code: dict[str, Any] = data.get("code") or {}
    notes = []
    if data["product"]:
        body = "matrix product"
    else:
        dims = [f"for {_with_size(size, sizes)}" for size in _split(data["space"])]
        lanes = code.get("vector_width")
        if code and dims:
            if not code["single_thread_reason"]:
                dims[0] += " · several threads if large"
            if lanes:
                dims[-1] += f" · {lanes} lanes"
            elif code["vectors"]:
                dims[-1] += " · vectors"
            elif code["partly_vectorised"]:
                dims[-1] += " · partly vectorised"
            elif code["not_vectorised_reason"]:
                notes.append(f"not vectorised: {code['not_vectorised_reason']}")
            if code["single_thread_reason"]:
                notes.append(f"one thread: {code['single_thread_reason']}")
        loops += dims
        count = data["operations"]
        words = [f"{count} operation{'s' * (count != 1)} an element"] if count else []
        words += [data["reductions"]] * bool(data["reductions"])
        words += ["non-temporal stores where it is large"] * bool(code.get("non_temporal"))
        words += ["prefetched where it is large"] * bool(code.get("prefetched"))
        body = ", ".join(words) or ("copy" if data["reads"] else "fill")
    return Box(
        number, loops, body, _nests.arrays(data["reads"]), _nests.arrays(data["writes"]), notes,
        nest.lines, bool(code.get("strip_mined")), loop,
    )  # fmt: skip


def _split(space: str) -> list[str]:
    """ "s0 x (s1 - 2)" without its product signs, which parentheses may hold as well."""
    sizes, depth = [""], 0
    for word in re.split(r"( x |[()])", space):
        depth += (word == "(") - (word == ")")
        if word == " x " and not depth:
            sizes.append("")
        else:
            sizes[-1] += word
    return [size for size in sizes if size]


def _with_size(size: str, sizes: dict[str, int]) -> str:
    """With its value at the call that was compiled for, where that is known."""
    found = re.fullmatch(r"\(?(s\d+)(?: ([+-]) (\d+))?\)?", size)
    if not found or found[1] not in sizes:
        return size
    return f"{size} = {sizes[found[1]] + int((found[2] or '') + (found[3] or '0'))}"


def _sizes(ir: str) -> dict[str, int]:
    """The symbols' values at the call that was compiled for, of its arrays' sizes."""
    hints, types = (_items(ir, name) for name in ("hints", "signature"))
    known: dict[str, int] = {}
    if len(hints) != len(types):
        return {}
    for shape, given in zip(types, hints, strict=True):
        array = re.match(r"!np\.array<([^,>]*)", shape)
        numbers = re.findall(r"-?\d+", given.removeprefix("array<i64"))
        dims = array[1].split(" x ")[:-1] if array else []
        if given.startswith("array<i64") and len(dims) == len(numbers):
            known.update(zip(dims, map(int, numbers), strict=True))
    return {name: size for name, size in known.items() if re.fullmatch(r"s\d+", name)}


def _items(ir: str, name: str) -> list[str]:
    """The items of an attribute that is a list."""
    start = ir.find(f"{name} = [")
    items, depth = [""], 0
    for character in ir[start + len(name) + 4 :] if start >= 0 else "":
        depth += (character in "[<(") - (character in "]>)")
        if depth < 0:
            break
        if character == "," and not depth:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items if item.strip()]


def lines_of(function: Any) -> tuple[int, list[str]]:
    """Number of the first line, and the lines of the definition; none where there is no source."""
    import linecache

    try:
        source = find(function)
    except SourceError:
        return 0, []
    node, filename = source.node, source.filename
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    lines = linecache.getlines(filename, function.__globals__)
    return first, [line.rstrip("\r\n") for line in lines[first - 1 : node.end_lineno]]


def source_lines(
    function: Any,
    nests: list[_nests.Nest],
    notes: DeviceNotes | None = None,
    data: list[dict[str, Any]] | None = None,
) -> list[SourceLine]:
    first, lines = lines_of(function)
    by_host = {line for _, own, is_kernel in notes or [] if not is_kernel for line in own}
    weights: dict[int, float] = {}
    for nest, facts in zip(nests, data or [], strict=False):
        rank = len(_split(facts["space"])) + len(facts["loops"]) + 2 * facts["product"]
        work = facts["operations"] + sum(n for _, _, n in [*facts["reads"], *facts["writes"]])
        for number in nest.lines:  # a nest of one more loop counts a hundred times as much
            weights[number] = weights.get(number, 0) + work * 100.0**rank
    most = max(weights.values(), default=0)
    rows = []
    for number, line in enumerate(lines, first):
        inside = [k for k, nest in enumerate(nests, 1) if number in nest.lines]
        marks = [f"nest {', '.join(map(str, inside))}"] * bool(inside)
        marks += ["the host"] * (number in by_host)
        share = weights.get(number, 0) / most if most else 0
        heat = 0 if not share else 3 if share > 0.5 else 2 if share > 0.1 else 1
        rows.append(SourceLine(number, line, inside, ", ".join(marks), heat))
    return rows
