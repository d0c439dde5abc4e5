"""Pictures of the ratios, as SVG: a bar for each kind of kernel, or a line for each kernel."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from bench.report import largest, mean, over_numpy, over_peer, ratio, sentence

LEFT, RIGHT, TOP, STEP, GAP = 190, 60, 92, 15, 12
WIDTH = 820
NUMPY, PEER = "#2f6fb0", "#d9822b"
STYLE = (
    "text{font:11px sans-serif;fill:#333}.kind{font-weight:bold}.head{font-size:13px}"
    ".grid{stroke:#ddd}.one{stroke:#888}.link{stroke:#ccc}"
)


def picture(result: dict[str, Any]) -> str:
    """Dots of NumPy's time and of the best peer's over shapecast's, on a log axis."""
    rows = [row for row in largest(result) if over_numpy(row)]
    ratios = [r for row in rows for r in (over_numpy(row), over_peer(row)) if r]
    low = min(-1.0, math.floor(math.log10(min(ratios, default=1.0)) * 2) / 2)
    high = max(1.0, math.ceil(math.log10(max(ratios, default=1.0)) * 2) / 2)

    def x(value: float) -> float:
        return LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    kinds = len({row["kind"] for row in rows})
    height = TOP + STEP * (len(rows) + kinds) + GAP * kinds + 24
    parts = [*axis(x, low, high, height), *lines(rows, x), *legend(result)]
    return svg(height, parts)


BAR, BAR_GAP, BARS_TOP, KIND_LEFT = 11, 6, 62, 165


def bars(result: dict[str, Any]) -> str:
    """Bars for each kind of kernel, on a log axis: geometric means over NumPy and the best peer."""
    rows = largest(result)
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    groups = {kind: [row for row in rows if row["kind"] == kind] for kind in kinds}
    means = [
        (f"{kind} ({len(group)})", mean(map(over_numpy, group)), mean(map(over_peer, group)))
        for kind, group in [*groups.items(), ("all kernels", rows)]
    ]
    return bar_chart(means, sentence(result))


def bar_chart(means: list[tuple[str, float | None, float | None]], machine: str) -> str:
    """means: a label, how many times NumPy's speed, how many times the best peer's."""
    high = math.log10(max(10.0, *(value for _, *both in means for value in both if value)))
    height = BARS_TOP + (2 * BAR + BAR_GAP) * len(means) + 4

    def width(value: float) -> float:
        return max(1.0, math.log10(value) / high * (WIDTH - KIND_LEFT - RIGHT))

    parts = list(legend_of("Times faster than NumPy and than the best peer (log scale)", machine))
    for k, (label, *both) in enumerate(means):
        y = BARS_TOP + (2 * BAR + BAR_GAP) * k
        kind = "kind" if k == len(means) - 1 else ""
        parts.append(text(KIND_LEFT - 8, y + BAR + 4, label, "end", kind))
        for value, colour in zip(both, (NUMPY, PEER), strict=True):
            if value:
                parts.append(
                    f'<rect x="{KIND_LEFT}" y="{y}" width="{width(value):.1f}" '
                    f'height="{BAR - 1}" fill="{colour}"/>'
                )
                parts.append(text(KIND_LEFT + width(value) + 4, y + BAR - 2, ratio(value)))
            y += BAR
    return svg(height, parts)


def svg(height: float, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}">\n<style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def text(x: float, y: float, said: str, anchor: str = "start", kind: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(said)}</text>'
    )


def axis(x: Any, low: float, high: float, height: float) -> Iterator[str]:
    for power in range(math.ceil(low), math.floor(high) + 1):
        for factor in (1, 2, 5):
            value = factor * 10.0**power
            if math.log10(value) > high:
                break
            kind = "one" if value == 1 else "grid"
            place = x(value)
            yield (
                f'<line x1="{place:.1f}" x2="{place:.1f}" y1="{TOP - 4}" y2="{height - 20}" '
                f'class="{kind}"/>'
            )
            if factor == 1 or value in (2, 5, 0.5, 0.2):
                yield text(place, TOP - 8, f"{value:g}", "middle")


def lines(rows: list[dict[str, Any]], x: Any) -> Iterator[str]:
    y, kind = float(TOP), None
    for row in rows:
        if row["kind"] != kind:
            kind = row["kind"]
            y += GAP + STEP
            yield text(12, y, kind, kind="kind")
        y += STEP
        yield text(LEFT - 8, y, row["kernel"], "end")
        numpy, peer = over_numpy(row), over_peer(row)
        if peer:
            yield (
                f'<line x1="{x(numpy):.1f}" x2="{x(peer):.1f}" y1="{y - 4:.1f}" '
                f'y2="{y - 4:.1f}" class="link"/>'
            )
        for value, colour in ((numpy, NUMPY), (peer, PEER)):
            if value:
                yield f'<circle cx="{x(value):.1f}" cy="{y - 4:.1f}" r="3.5" fill="{colour}"/>'


def legend(result: dict[str, Any]) -> Iterator[str]:
    yield from legend_of(
        "How many times faster than NumPy and than the best peer", sentence(result), "circle"
    )


def legend_of(title: str, machine: str, mark: str = "rect") -> Iterator[str]:
    yield text(12, 18, title, kind="head")
    for k, part in enumerate(textwrap.wrap(machine, 125)):
        yield text(12, 34 + 14 * k, part)
    for left, colour, said in ((WIDTH - 230, NUMPY, "NumPy"), (WIDTH - 160, PEER, "best peer")):
        if mark == "circle":
            yield f'<circle cx="{left}" cy="14" r="4" fill="{colour}"/>'
        else:
            yield f'<rect x="{left - 4}" y="9" width="9" height="9" fill="{colour}"/>'
        yield text(left + 8, 18, said)
