"""How a jitted function is shown: HTML in a notebook, rich in a terminal, plain text everywhere."""

from __future__ import annotations

import copy
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import _html, _machine_code, _nests, _show, _view
from support.compare import jitted, make, without_source
from support.toolchain import missing

BLUR = """
    def blur(image):
        out = np.zeros_like(image)
        out[1:-1] = (image[:-2] + 2 * image[1:-1] + image[2:]) / 4
        return out
"""


class Checked(HTMLParser):
    """Balanced tags, no address of anything outside, and the text between the tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.stack, self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= {"class", "open", "tabindex"}, attrs
        self.stack.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.stack[-1] not in ("style", "script"):
            self.text += data


def page(f: Any) -> Checked:
    checked = Checked(f._repr_html_())
    assert not {"img", "link", "iframe"} & set(checked.tags)
    return checked


def words(source: str, *arguments: Any) -> list[_nests.Nest]:
    f = jitted(make(source))
    f(*arguments)
    return _nests.describe(f._inspect_variant(0))


# ------------------------------------------------------------------------------------------- HTML


def test_html_shows_signatures_nests_and_stages_beside_the_source() -> None:
    f = jitted(make(BLUR))
    image = np.ones((6, 5))
    f(image)
    shown = page(f)
    assert "image: float64[s0, s1]" in shown.text and "new key, " in shown.text
    assert re.search(r"   3 +out\[1:-1\] = .* / 4  ← nest 2", shown.text), shown.text[:1500]
    assert "image (3 windows) → for (s0 - 2) = 4" in shown.text
    assert "4 operations an element" in shown.text and " → out" in shown.text
    for stage in [*f.stages(image), "optimised", "assembly"]:
        assert re.search(rf"{stage}(\d+|as before)", shown.text), stage
    assert "vectorized loop (" in shown.text
    assert "np.nest" in shown.text and "Assembly of the hot loops" in shown.text


def test_html_before_any_call_shows_the_source() -> None:
    f = shapecast.jit(make(BLUR))
    shown = page(f)
    assert "0 variants compiled" in shown.text and "out = np.zeros_like(image)" in shown.text
    assert f.signatures() == []  # showing compiles nothing


def test_html_of_a_function_that_failed_says_why() -> None:
    f = shapecast.jit(make("def f(x):\n    with open(x) as g:\n        return g"))
    for _ in range(3):
        with pytest.raises(shapecast.UnsupportedError):
            f("a")
    shown = page(f)
    assert shown.text.count("UnsupportedError") == 1 and "with open(x)" in shown.text


def test_html_of_twenty_signatures_shows_the_newest_in_full() -> None:
    f = shapecast.jit(make("def f(x, k):\n    return x * k", name="f"), static_argnames="k")
    for k in range(20):
        f(np.ones(3), k)
    shown = page(f)
    assert "20 variants compiled" in shown.text
    assert all(f"k: {k}, " in shown.text or f"k: {k} " in shown.text for k in range(20))
    assert shown.text.count("all stages") == 3
    assert len(f._repr_html_()) < 120_000


def test_html_of_a_lambda_and_of_a_function_without_source() -> None:
    f = shapecast.jit(make("f = lambda x: x < 1", name="f"))
    f(np.ones(3))
    assert "f = lambda x: x < 1" in page(f).text
    g = shapecast.jit(without_source("g"))
    assert "The source is not available" in page(g).text


def test_html_escapes_what_the_user_wrote() -> None:
    f = shapecast.jit(make("def f(x, s):\n    return x + 1 if s == '<b>&' else x"))
    f(np.ones(3), "<script>")
    html = f._repr_html_()
    assert (
        html.count("<script>") == 1  # the view's own
        and "&lt;script&gt;" in html
        and "'&lt;b&gt;&amp;'" in html.replace("&#x27;", "'")
    )
    page(f)


def test_html_after_a_global_changed_shows_the_log() -> None:
    f = make("K = 'a'\ndef f(x):\n    return x + 1 if K == 'a' else x", name="f")
    g = shapecast.jit(f)
    g(np.ones(2))
    f.__globals__["K"] = "b"
    g(np.ones(2))
    assert "1 variant compiled" in page(g).text
    assert "compiled again" in Checked(g.explain()._repr_html_()).text


def test_showing_has_no_effect_on_the_program() -> None:
    f = shapecast.jit(make("def f(x):\n    x[0] += 1\n    return x"))
    x = np.zeros(3)
    f(x)
    before = f.signatures(), f.explain()
    f._repr_html_()
    assert (f.signatures(), f.explain()) == before and x[0] == 1


def test_an_evicted_variant_is_an_index_error() -> None:
    f = jitted(make("def f(x):\n    return x + 1"))
    f(np.ones(2))
    for wrong in (-1, 5):
        with pytest.raises(IndexError):
            f._inspect_variant(wrong)
    with pytest.raises(TypeError):
        f._inspect_variant("0")


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", _html.THEMES)
def test_contrast_of_every_colour_on_every_ground_is_4_5(theme: str) -> None:
    html = _html.page("")
    colours = _html.THEMES[theme]
    for ink in _html.INKS:
        for ground in _html.GROUNDS:
            dark, light = sorted([_luminance(colours[ink]), _luminance(colours[ground])])
            contrast = (light + 0.05) / (dark + 0.05)
            assert contrast >= 4.5, f"{ink} on {ground}: {contrast:.2f}"
            assert f"--{ink}:{colours[ink]};" in html and f"--{ground}:{colours[ground]};" in html
    # No text has a colour besides these, and none is made paler.
    used = set(re.findall(r"[{;\n](?:color|background):([^;}!]*)", html))
    assert used == {f"var(--{name})" for name in (*_html.INKS, *_html.GROUNDS)} | {"none"}
    assert "opacity" not in html


def test_code_is_monospaced_and_never_wrapped_whatever_the_notebooks_style() -> None:
    rule = re.search(r"\.shapecast :is\(pre,code\)\{([^}]*)\}", _html.page(""))
    assert rule
    declared = dict(part.split(":", 1) for part in rule[1].replace("\n", "").split(";") if part)
    important = {k: v.removesuffix("!important") for k, v in declared.items() if "!imp" in v}
    assert important["white-space"] == "pre" and important["word-break"] == "normal"
    assert important["overflow-wrap"] == "normal"
    assert important["font-family"].endswith("monospace")


SOFTMAX = """
    def softmax(x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
"""


def test_a_notebook_stores_60_kilobytes_of_softmax() -> None:
    f = jitted(make(SOFTMAX))
    f(np.ones((100, 200)))
    page(f)
    assert 10_000 < len(json.dumps(f._repr_html_()).encode()) <= 60_000


def classes(html: str, tag: str) -> list[set[str]]:
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
            if name == tag:
                found.append(set((dict(attrs).get("class") or "").split()))

    Reader().feed(html)
    return found


def test_source_lines_and_ir_lines_mark_each_other() -> None:
    f = jitted(make(SOFTMAX))
    f(np.ones((100, 200)))
    html = f._repr_html_()
    source = html.partition("<pre>")[2].partition("</pre>")[0]
    ir = html.partition(">IR <")[2].partition("<pre>")[2].partition("</pre>")[0]
    assert "softmax" in source and "np.nest" in ir
    for line in (2, 3):
        # One rule for both directions: what is pointed at or clicked, and all of the same line.
        assert f".v:has(.l{line}:is(:hover,:focus)) .l{line}{{background:var(--mark)}}" in html
        assert sum(f"l{line}" in names for names in classes(source, "span")) == 1
        assert sum(f"l{line}" in names for names in classes(ir, "span")) >= 3
        assert sum(f"l{line}" in names for names in classes(html, "div")) >= 1  # of its nests
    marked = re.search(r'<span class="l2" tabindex=-1>(?:(?!\n).)*subtract', ir)
    assert marked and "divide" not in marked[0]  # each operation belongs to its own line
    assert re.search(r'<span class="l3" tabindex=-1>(?:(?!\n).)*divide', ir)


def test_each_nest_has_the_hot_loop_of_its_machine_code() -> None:
    f = jitted(make(SOFTMAX))
    f(np.ones((100, 200)))
    shown = _view.view(f.__wrapped__, f._inspect_variant(0))
    assert [box.number for box in shown.boxes if box.loop] == [1, 2, 3]
    for box in shown.boxes:
        assert box.loop and box.loop.vectors > 0 and box.loop.bits >= 128 and box.loop.loads > 0
    assert "vmax" in "".join(shown.boxes[0].loop.lines)  # type: ignore[union-attr]
    assert "vdivpd" in "".join(shown.boxes[2].loop.lines)  # type: ignore[union-attr]


def test_innermost_loops_and_their_instructions_are_found() -> None:
    loop = _machine_code.hot_loops(
        """
\t.p2align\t4
f.nest0:
.LBB0_1:
\tmovq\t-8(%rsp), %rax
.LBB0_2:
\tvmovupd\t(%rdi,%rcx,8), %ymm0
\tvaddpd\t32(%rsi), %ymm0, %ymm0
\tvmovupd\t%ymm0, (%rdx)
\tvmovq\t%rbx, 8(%rsp)
\taddq\t$4, %rcx
\tjne\t.LBB0_2
\tjmp\t.LBB0_1
.Lfunc_end0:
"""
    )["f.nest0"]
    assert len(loop.lines) == 7 and loop.instructions == 6
    assert (loop.vectors, loop.bits, loop.loads, loop.stores, loop.spills) == (3, 256, 2, 2, 1)
    assert loop.summary == (
        "6 instructions, 3 on vectors of up to 256 bits, 2 loads, 2 stores, 1 of the stack"
    )


def test_long_texts_are_cut_with_how_to_get_the_rest() -> None:
    lines = "\n".join(f"        x = x * {k}.5 + np.roll(x, {k + 1})" for k in range(60))
    f = jitted(make(f"\n    def f(x):\n{lines}\n        return x\n"))
    f(np.ones(300))
    shown = page(f)
    assert re.search(r'\.\.\. \d+ more lines: print\(f\.stages\(\.\.\.\)\["[\w-]+"\]\)', shown.text)
    assert len(json.dumps(f._repr_html_())) < 150_000


def test_show_prints_the_view_without_rich(capsys: pytest.CaptureFixture[str]) -> None:
    f = jitted(make(SOFTMAX))
    f(np.ones((100, 200)))
    f.show()
    text = capsys.readouterr().out
    assert "e = np.exp(" in text and "  ← nest 1, 2\n" in text
    assert "for s1 = 200" in text and "# hot loop of nest 3: " in text and "vdivpd" in text
    assert "│" not in text and "\x1b" not in text


# ------------------------------------------------------------------------------------------ nests


def test_a_nests_description_names_arrays_windows_and_the_outer_loop() -> None:
    (nest,) = words(
        """
        def step(a, b, n):
            for k in range(n):
                b[1:-1] = 0.5 * (a[:-2] + a[2:])
                a, b = b, a
            return a
        """,
        np.ones(8), np.ones(8), 3,
    )  # fmt: skip
    assert nest.lines == [3]
    assert nest.text.startswith(
        "loop nest over (s0 - 2): reads a (2 windows); writes b; 2 operations an element"
    )
    assert "inside the loop of line 2" in nest.text and "vectorised, " in nest.text


def test_new_arrays_have_the_name_that_they_are_assigned_to() -> None:
    nests = words(
        """
        def softmax(x):
            e = np.exp(x - x.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)
        """,
        np.ones((4, 5)),
    )
    assert [nest.lines for nest in nests] == [[2], [2, 3], [3]]
    assert "maxima along s1" in nests[0].text
    assert "writes e, `e.sum(axis=1, keepdims=True)`" in nests[1].text


def test_product_is_a_call_and_the_rest_one_nest() -> None:
    product, rest = words(
        "def f(x, w, b):\n    return np.maximum(x @ w + b, 0)",
        np.ones((4, 30)), np.ones((30, 20)), np.ones(20),
    )  # fmt: skip
    assert product.text == "matrix product: reads x, w; writes `x @ w`"
    assert "reads `x @ w`, b" in rest.text and "2 operations" in rest.text


def test_small_product_is_part_of_the_nest_around_it() -> None:
    (nest,) = words(
        "def f(x, w, b):\n    return np.maximum(x @ w + b, 0)",
        np.ones((4, 2)), np.ones((2, 3)), np.ones(3),
    )  # fmt: skip
    assert "reads x (2 windows), w (2 windows), b" in nest.text and "4 operations" in nest.text


def test_lines_of_a_called_function_count_as_the_call() -> None:
    (nest,) = words(
        "def g(x):\n    y = x * 2\n    return y + 1\n\ndef f(x):\n    z = -x\n    return g(z)",
        np.ones(3),
    )
    assert nest.lines == [6, 7] and "3 operations" in nest.text


def test_array_outside_the_function_is_named() -> None:
    (nest,) = words("K = np.ones(3)\ndef f(x):\n    return x + K", np.ones(3))
    assert "reads x, K" in nest.text


# --------------------------------------------------------------------------------- stages, explain


def test_stages_are_a_dict_and_print_as_one_text() -> None:
    f = jitted(make(BLUR))
    stages = f.stages(np.ones((6, 5)))
    assert isinstance(stages, dict) and json.loads(json.dumps(stages)) == stages
    assert copy.copy(stages) == stages and {**stages} == stages
    text = str(stages)
    assert [m for m in re.findall(r"^// (\w+)$", text, re.M) if m in stages][0] == "capture"
    assert "// optimised\n" in text and "\ndefine i32 @py.blur" in text
    assert repr(stages).startswith("<stages and their lines: capture ") and "\n" not in repr(stages)
    assert "np.nest" in Checked(stages._repr_html_()).text


def test_kernels_for_a_device_are_a_part_of_their_own() -> None:
    f = jitted(make("def f(x):\n    return x * 2"))
    text = str(f.stages(shapecast.spec("float32", 1, device="cuda:0")))
    assert "\n// ptx\n" in text and "\n.visible .entry" in text


def test_explain_is_a_string_and_prints_as_one() -> None:
    f = shapecast.jit(make("def f(x):\n    return x[1:] + x[:-1]"))
    assert f.explain() == "" and repr(f.explain()) == "nothing compiled yet"
    assert "Nothing compiled" in Checked(f.explain()._repr_html_()).text
    f(np.ones(3))
    f(np.ones(3, "f4"))
    text = f.explain()
    assert isinstance(text, str) and len(text.splitlines()) == 2 and repr(text) == str(text)
    assert Checked(text._repr_html_()).tags.count("tr") == 3


def test_explain_has_a_row_for_every_reason_to_compile() -> None:
    lines = [
        "x: float64[s0]: new key, 9.1 ms",
        "x: float64[s0]: guard failed: s0 == 3 (line 2), 8.0 ms",
        "n: int: an assumption about values failed, 7.2 ms",
        "x: float64[s0]: new key, 0.9 ms, code found on disk",
        "evicted: x: float64[s0]",
    ]
    assert _show.Explanation("\n".join(lines))._rows() == [
        ("x: float64[s0]", "new key", "9.1 ms"),
        ("x: float64[s0]", "guard failed: s0 == 3 (line 2)", "8.0 ms"),
        ("n: int", "an assumption about values failed", "7.2 ms"),
        ("x: float64[s0]", "new key", "0.9 ms, from disk"),
        ("", "evicted: x: float64[s0]", ""),
    ]


def test_rich_prints_ir_without_boxes_and_the_view_of_a_function() -> None:
    if importlib.util.find_spec("rich") is None:
        missing("rich is not installed")
    from rich.console import Console

    console = Console(width=100, record=True, file=io.StringIO(), force_terminal=True)
    f = jitted(make(BLUR))
    f(np.ones((6, 5)))
    console.print(f.stages(np.ones((6, 5))))
    console.print(f.explain())
    console.print(f)
    styled = console.export_text(clear=False, styles=True)
    plain = console.export_text()
    assert "\n// nests\n" in plain and "\n// optimised\n" in plain and "signature" in plain
    assert "│" not in plain.split("signature")[0]  # what is copied is IR
    assert "1 variant compiled" in plain and "← nest 2" in plain
    assert "image (3 windows)" in plain and "hot loop of" in plain
    assert "\x1b[" in styled and "[array<i64" in plain  # no markup was taken out of the IR


def test_plain_text_needs_no_rich_and_importing_takes_nothing_for_the_views() -> None:
    program = """
import sys
sys.modules["rich"] = None  # cannot be imported
import numpy, shapecast
views = {f"shapecast.{name}" for name in ("_show", "_view", "_html", "_terminal", "_nests")}
loaded = (views | {"html"}) & sys.modules.keys()
assert not loaded, loaded
f = shapecast.jit(lambda x: x + 1)
print(f.explain(), repr(f.explain()), f._repr_html_()[:23])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, timeout=120, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == 'nothing compiled yet <div class="shapecast">'
