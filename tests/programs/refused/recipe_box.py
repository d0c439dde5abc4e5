"""Recipes: parse ingredient lines, scale them, merge a shopping list, plan a week."""

import random
import textwrap
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Optional

UNITS = {"tsp": Fraction(1), "tbsp": Fraction(3), "cup": Fraction(48)}
VULGAR = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3)}


@dataclass(frozen=True)
class Ingredient:
    name: str
    amount: Fraction
    unit: Optional[str] = None

    @classmethod
    def parse(cls, line):
        amount = Fraction(0)
        words = line.strip("- ").split()
        while words:
            word = words[0]
            if word in VULGAR:
                amount += VULGAR[word]
            elif word[-1] in VULGAR and word[:-1].isdigit():
                amount += int(word[:-1]) + VULGAR[word[-1]]
            elif word.replace("/", "", 1).isdecimal():
                amount += Fraction(word)
            else:
                break
            words.pop(0)
        unit = None
        if words and words[0].rstrip("s") in UNITS:
            unit = words.pop(0).rstrip("s")
        if not words:
            raise ValueError(f"no name in {line!r}")
        return cls(" ".join(words).lower(), amount, unit)

    def scaled(self, by):
        return Ingredient(self.name, self.amount * by, self.unit)

    def __str__(self):
        whole, part = divmod(self.amount, 1)
        pieces = []
        if whole:
            pieces.append(str(whole))
        if part:
            glyph = next((g for g, f in VULGAR.items() if f == part), None)
            pieces.append(glyph or str(part))
        if self.unit:
            pieces.append(self.unit + ("s" if self.amount > 1 else ""))
        return " ".join(pieces + [self.name])


@dataclass
class Recipe:
    title: str
    serves: int
    ingredients: list = field(default_factory=list)
    steps: str = ""
    tags: set = field(default_factory=set)

    def for_people(self, n):
        k = Fraction(n, self.serves)
        return Recipe(self.title, n, [i.scaled(k) for i in self.ingredients], self.steps, self.tags)

    def card(self, width=36):
        rule = "=" * width
        body = [f"{self.title.upper()} (serves {self.serves})".center(width)]
        body += [f"* {i}" for i in self.ingredients]
        body += textwrap.wrap(self.steps, width)
        return "\n".join([rule, *body, rule])


def read_recipes(text):
    for block in text.strip().split("\n\n"):
        head, *rest = block.splitlines()
        title, serves, *tags = [x.strip() for x in head.split("|")]
        recipe = Recipe(title, int(serves), tags=set(tags))
        for line in rest:
            if line.startswith("-"):
                recipe.ingredients.append(Ingredient.parse(line))
            else:
                recipe.steps += (" " if recipe.steps else "") + line.strip()
        yield recipe


def shopping_list(recipes):
    totals = defaultdict(Fraction)
    for r in recipes:
        for i in r.ingredients:
            if i.unit is None:
                totals[i.name, None] += i.amount
            else:
                totals[i.name, "tsp"] += i.amount * UNITS[i.unit]
    for (name, unit), amount in sorted(totals.items(), key=lambda kv: kv[0][0]):
        if unit:
            unit = max((u for u in UNITS if UNITS[u] <= amount), key=UNITS.get, default="tsp")
            amount = amount / UNITS[unit]
        yield Ingredient(name, amount, unit)


def main(text, people, seed):
    book = {r.title: r for r in read_recipes(text)}
    rng = random.Random(seed)
    week = [rng.choice(sorted(book)) for _ in range(5)]
    planned = [book[t].for_people(people) for t in week]
    print(planned[0].card())
    tags = Counter(tag for r in planned for tag in r.tags)
    shopping = [str(i) for i in shopping_list(planned)]
    for n, line in enumerate(shopping, 1):
        print(f"{n:>2}. [ ] {line}")
    return week, sorted(tags.items()), shopping


ARGS = [
    (
        "Pancakes | 4 | sweet | quick\n- 1½ cups Flour\n- 2 eggs\n- 3 tbsp Sugar\nMix it all and fry\n"
        "in a hot pan until brown on both sides.\n\nSoup|2|vegan\n- 3/4 cup red lentils\n- 1 onion\n"
        "- 1 ½ tsp Salt\nBoil.",
        6,
        4,
    ),
    ("Toast | 1 | quick\n- 2 slices bread\n- ⅓ tsp salt\nToast it.", 3, 1),
]
