"""CSV with type inference, column statistics, pivot table and percentiles."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import mean, median, pstdev
from typing import Any, Callable, Dict, List, Union

Cell = Union[int, float, str, None]


def infer(text: str) -> Cell:
    text = text.strip()
    if not text:
        return None
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return text


def split_line(line: str) -> List[str]:
    fields, field, quoted = [], "", False
    i = 0
    while i < len(line):
        ch = line[i]
        if quoted:
            if ch == '"' and line[i + 1 : i + 2] == '"':
                field += '"'
                i += 1
            elif ch == '"':
                quoted = False
            else:
                field += ch
        elif ch == '"':
            quoted = True
        elif ch == ",":
            fields.append(field)
            field = ""
        else:
            field += ch
        i += 1
    if quoted:
        raise ValueError("unterminated quote")
    return fields + [field]


@dataclass
class Column:
    name: str
    values: List[Cell]

    @property
    def numbers(self):
        return [v for v in self.values if isinstance(v, (int, float))]

    def summary(self) -> Dict[str, Any]:
        nums = self.numbers
        if len(nums) < len([v for v in self.values if v is not None]):
            texts = sorted({str(v) for v in self.values if v is not None})
            return {"type": "text", "distinct": len(texts), "first": texts[0]}
        return {
            "type": "number",
            "mean": mean(nums),
            "median": median(nums),
            "sd": round(pstdev(nums), 6),
            "missing": self.values.count(None),
        }


class Table:
    def __init__(self, text: str):
        lines = text.strip().splitlines()
        header = split_line(lines[0])
        rows = []
        self.bad = []
        for number, line in enumerate(lines[1:], 2):
            try:
                cells = split_line(line)
                if len(cells) != len(header):
                    raise ValueError(f"{len(cells)} cells")
                rows.append([infer(c) for c in cells])
            except ValueError as e:
                self.bad.append((number, str(e)))
        self.columns = {name: Column(name, list(col)) for name, col in zip(header, zip(*rows))}
        self.rows = [dict(zip(header, r)) for r in rows]

    def pivot(self, row: str, col: str, value: str, agg: Callable):
        cells = defaultdict(list)
        for r in self.rows:
            if r[value] is not None:
                cells[r[row], r[col]].append(r[value])
        out = defaultdict(dict)
        for (a, b), vs in sorted(cells.items()):
            out[a][b] = agg(vs)
        return {k: dict(v) for k, v in out.items()}


def main(text):
    t = Table(text)
    return (
        {name: c.summary() for name, c in t.columns.items()},
        t.pivot("city", "kind", "price", max),
        t.bad,
    )


ARGS = [
    (
        '''city,kind,price,rooms,note
Oslo,flat,420.5,3,"quiet, sunny"
Oslo,house,900,6,
Bergen,flat,310,2,"has ""view"""
Bergen,flat,355.25,,old
Bergen,house,700,5
Oslo,flat,,1,new
Tromso,house,515,4,"broken
Tromso,house,480,4,cold
''',
    )
]
