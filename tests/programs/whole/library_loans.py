"""A lending library: ABC, dataclasses, enum, own exceptions with attributes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum, auto


class Genre(Enum):
    FICTION = auto()
    SCIENCE = auto()
    HISTORY = auto()

    @property
    def label(self) -> str:
        return self.name.title()

    @classmethod
    def parse(cls, text: str) -> "Genre":
        return cls[text.strip().upper()]


class LibraryError(Exception):
    """Base class."""


class LimitReached(LibraryError):
    def __init__(self, member: str, limit: int):
        super().__init__(f"{member} already has {limit} items")
        self.member = member
        self.limit = limit


class NotAvailable(LibraryError):
    def __init__(self, title: str, due: int):
        super().__init__(f"{title!r} is out until day {due}")
        self.title = title
        self.due = due


class Item(ABC):
    def __init__(self, title: str, genre: Genre):
        self.title = title
        self.genre = genre
        self.due: int | None = None

    @abstractmethod
    def loan_days(self) -> int: ...

    def fine(self, today: int) -> float:
        if self.due is None or today <= self.due:
            return 0.0
        return (today - self.due) * self.daily_rate

    @property
    @abstractmethod
    def daily_rate(self) -> float: ...

    def __str__(self):
        return f"{type(self).__name__}<{self.title}>"


class Book(Item):
    daily_rate = 0.25

    def loan_days(self):
        return 21


class Dvd(Item):
    daily_rate = 1.0

    def loan_days(self):
        return 3 if self.genre is Genre.FICTION else 7


@dataclass
class Member:
    name: str
    limit: int = 2
    items: list[Item] = field(default_factory=list)
    fines: float = 0.0


class Library:
    def __init__(self):
        self._items: dict[str, Item] = {}
        self._members: dict[str, Member] = {}
        self.log: list[str] = []

    def add(self, item: Item) -> None:
        self._items[item.title] = item

    def join(self, name: str, limit: int = 2) -> Member:
        m = self._members[name] = Member(name, limit)
        return m

    def lend(self, who: str, title: str, today: int) -> None:
        m = self._members[who]
        item = self._items[title]
        if len(m.items) >= m.limit:
            raise LimitReached(who, m.limit)
        if item.due is not None:
            raise NotAvailable(title, item.due)
        item.due = today + item.loan_days()
        m.items.append(item)
        self.log.append(f"day {today:>3}: {who} borrows {item}")

    def give_back(self, who: str, title: str, today: int) -> float:
        m = self._members[who]
        for i, item in enumerate(m.items):
            if item.title == title:
                break
        else:
            raise LibraryError(f"{who} does not hold {title}")
        fine = item.fine(today)
        m.fines += fine
        item.due = None
        del m.items[i]
        return fine


def main(catalog, events):
    lib = Library()
    for kind, title, genre in catalog:
        cls = Book if kind == "book" else Dvd
        lib.add(cls(title, Genre.parse(genre)))
    errors = []
    per_genre = defaultdict(int)
    for day, op, who, title in events:
        try:
            if op == "lend":
                lib.lend(who, title, day)
                per_genre[lib._items[title].genre.label] += 1
            elif op == "join":
                lib.join(who, int(title))
            else:
                print(f"{who} pays {lib.give_back(who, title, day):.2f}")
        except LimitReached as e:
            errors.append(("limit", e.member, e.limit, str(e)))
        except NotAvailable as e:
            errors.append(("out", e.title, e.due, str(e)))
        except LibraryError as e:
            errors.append(("other", "", 0, str(e)))
        except KeyError as e:
            errors.append(("key", e.args[0], 0, str(e)))
    return (
        errors,
        dict(per_genre),
        lib.log,
        [(m.name, m.fines, len(m.items)) for m in lib._members.values()],
    )


ARGS = [
    (
        [
            ("book", "Dune", "fiction"),
            ("dvd", "Alien", "Fiction"),
            ("dvd", "Cosmos", " science "),
            ("book", "SPQR", "history"),
        ],
        [
            (1, "join", "ann", "2"),
            (1, "join", "bob", "1"),
            (2, "lend", "ann", "Dune"),
            (2, "lend", "ann", "Alien"),
            (3, "lend", "ann", "SPQR"),
            (3, "lend", "bob", "Dune"),
            (3, "lend", "bob", "Cosmos"),
            (9, "back", "ann", "Alien"),
            (30, "back", "bob", "Cosmos"),
            (31, "back", "bob", "Cosmos"),
            (40, "lend", "zed", "Dune"),
            (41, "lend", "ann", "Ulysses"),
        ],
    )
]
