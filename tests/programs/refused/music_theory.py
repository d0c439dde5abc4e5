"""Music: notes, intervals, chords, scales; Enum with alias, Flag-free; transpose, chord naming, rhythm grid."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import accumulate, cycle, islice

NAMES = "C C# D D# E F F# G G# A A# B".split()
FLATS = {"Db": "C#", "Eb": "D#", "Gb": "F#", "Ab": "G#", "Bb": "A#"}


class Scale(Enum):
    MAJOR = (2, 2, 1, 2, 2, 2, 1)
    MINOR = (2, 1, 2, 2, 1, 2, 2)
    PENTA = (2, 2, 3, 2, 3)

    def degrees(self) -> list[int]:
        return list(accumulate(self.value[:-1], initial=0))


class Quality(Enum):
    MAJ = frozenset({0, 4, 7})
    MIN = frozenset({0, 3, 7})
    DIM = frozenset({0, 3, 6})
    AUG = frozenset({0, 4, 8})
    DOM7 = frozenset({0, 4, 7, 10})

    @property
    def suffix(self) -> str:
        return {"MAJ": "", "MIN": "m", "DIM": "dim", "AUG": "+", "DOM7": "7"}[self.name]


@dataclass(frozen=True, order=True)
class Note:
    midi: int

    @classmethod
    def parse(cls, text: str) -> Note:
        name, octave = text[:-1], int(text[-1])
        name = FLATS.get(name, name)
        if name not in NAMES:
            raise ValueError(f"unknown note {text!r}")
        return cls(12 * (octave + 1) + NAMES.index(name))

    @property
    def freq(self) -> float:
        return 440.0 * 2 ** ((self.midi - 69) / 12)

    def __add__(self, semis: int) -> Note:
        return Note(self.midi + semis)

    def __sub__(self, other: Note) -> int:
        return self.midi - other.midi

    def __str__(self) -> str:
        octave, pc = divmod(self.midi, 12)
        return f"{NAMES[pc]}{octave - 1}"


class Chord:
    def __init__(self, *notes: Note):
        if not notes:
            raise ValueError("empty chord")
        self.notes = tuple(sorted(notes))

    @cached_property
    def name(self) -> str:
        for root in self.notes:
            shape = frozenset((n - root) % 12 for n in self.notes)
            for q in Quality:
                if q.value == shape:
                    inv = "" if root == self.notes[0] else f"/{NAMES[self.notes[0].midi % 12]}"
                    return NAMES[root.midi % 12] + q.suffix + inv
        return "?"

    def transpose(self, k: int) -> Chord:
        return Chord(*(n + k for n in self.notes))

    def __iter__(self):
        return iter(self.notes)

    def __len__(self):
        return len(self.notes)


def scale(root: Note, kind: Scale) -> list[Note]:
    return [root + d for d in kind.degrees()]


def harmonize(root: Note, kind: Scale) -> list[str]:
    base = scale(root, kind)
    two = base + [n + 12 for n in base]
    return [Chord(two[i], two[i + 2], two[i + 4]).name for i in range(len(base))]


def euclid(k: int, n: int) -> str:
    pattern, bucket = [], 0
    for _ in range(n):
        bucket += k
        pattern.append("x" if bucket >= n else ".")
        bucket %= n
    return "".join(pattern)


def arpeggio(chord: Chord, n: int) -> list[str]:
    return [str(x) for x in islice(cycle(chord), n)]


def main(root, chords, rhythm):
    r = Note.parse(root)
    out = {k.name.lower(): [str(n) for n in scale(r, k)] for k in Scale}
    named, errors = [], []
    for text in chords:
        try:
            c = Chord(*map(Note.parse, text.split()))
        except ValueError as e:
            errors.append(str(e))
        else:
            named.append((c.name, c.transpose(3).name, arpeggio(c, 5)))
    for n in scale(r, Scale.PENTA):
        print(f"{n!s:>4} {n.freq:8.2f} Hz {'#' * (n - r)}")
    return (
        out,
        named,
        errors,
        harmonize(r, Scale.MAJOR),
        [euclid(*kn) for kn in rhythm],
        min(scale(r, Scale.MINOR)).midi,
    )


ARGS = [
    (
        "A3",
        ["C4 E4 G4", "E4 G4 C5", "A3 C4 Eb4", "G3 B3 D4 F4", "", "C4 H4", "C4 D4 E4"],
        [(3, 8), (5, 16), (2, 5)],
    )
]
