"""Ten-pin bowling: parse score sheets, validate, score, print a table."""

import re
from dataclasses import dataclass, field


class BadSheet(ValueError):
    pass


@dataclass
class Frame:
    rolls: list = field(default_factory=list)
    score: int = 0

    @property
    def strike(self):
        return self.rolls[0] == 10

    @property
    def spare(self):
        return not self.strike and sum(self.rolls[:2]) == 10

    def symbols(self, last):
        out = []
        for i, pins in enumerate(self.rolls):
            if pins == 10 and (i == 0 or last):
                out.append("X")
            elif i and pins + self.rolls[i - 1] == 10 and self.rolls[i - 1] != 10:
                out.append("/")
            else:
                out.append("-" if pins == 0 else str(pins))
        return " ".join(out)


def parse_rolls(sheet):
    rolls = []
    for ch in re.sub(r"[\s|]", "", sheet.upper()):
        if ch == "X":
            rolls.append(10)
        elif ch == "/":
            if not rolls:
                raise BadSheet("a spare cannot come first")
            rolls.append(10 - rolls[-1])
        elif ch == "-":
            rolls.append(0)
        elif ch.isdigit():
            rolls.append(int(ch))
        else:
            raise BadSheet(f"unknown symbol {ch!r}")
    return rolls


def make_frames(rolls):
    frames = []
    i = 0
    for number in range(1, 11):
        if i >= len(rolls):
            raise BadSheet(f"sheet ends before frame {number}")
        if number == 10:
            size = 3 if sum(rolls[i : i + 2]) >= 10 else 2
            frame = Frame(rolls[i : i + size])
            if len(frame.rolls) < size:
                raise BadSheet("last frame is not complete")
            bonus = 0
            i += size
        elif rolls[i] == 10:
            frame = Frame([10])
            bonus = sum(rolls[i + 1 : i + 3])
            i += 1
        else:
            frame = Frame(rolls[i : i + 2])
            if sum(frame.rolls) > 10:
                raise BadSheet(f"{sum(frame.rolls)} pins in frame {number}")
            bonus = rolls[i + 2] if frame.spare and i + 2 < len(rolls) else 0
            i += 2
        previous = frames[-1].score if frames else 0
        frame.score = previous + sum(frame.rolls) + bonus
        frames.append(frame)
    if i != len(rolls):
        raise BadSheet(f"{len(rolls) - i} rolls too many")
    return frames


def show(name, frames):
    top = [f.symbols(i == 9) for i, f in enumerate(frames)]
    width = max(map(len, top)) + 1
    line = "+".join("-" * width for _ in frames)
    print(name.center(len(line), "="))
    print("|".join(t.ljust(width) for t in top))
    print("|".join(f"{f.score:>{width}}" for f in frames))
    print(line)


def main(sheets):
    board = []
    problems = {}
    for name, sheet in sheets.items():
        try:
            frames = make_frames(parse_rolls(sheet))
        except BadSheet as problem:
            problems[name] = str(problem)
            continue
        show(name, frames)
        strikes = sum(f.strike for f in frames)
        spares = sum(1 for f in frames if f.spare)
        board.append((frames[-1].score, strikes, spares, name))
    board.sort(reverse=True)
    for place, (score, strikes, spares, name) in enumerate(board, start=1):
        print(f"{place:>2}. {name:<8} {score:>4} ({strikes} strikes, {spares} spares)")
    average = sum(b[0] for b in board) / len(board) if board else None
    return board, problems, average


ARGS = [
    (
        {
            "Ann": "X X X X X X X X X XXX",
            "Bob": "9- 9- 9- 9- 9- 9- 9- 9- 9- 9-",
            "Cy": "5/ 5/ 5/ 5/",
        },
    ),
    ({"Dee": "X|7/|9-|X|-8|8/|-6|X|X|X81", "Eve": "99", "Flo": "/1", "Gus": "12 Q"},),
]
