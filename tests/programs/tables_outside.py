"""Tables outside: views of dicts, members of enums by name and in sets."""

from enum import Enum
from types import MappingProxyType

COSTS = MappingProxyType({"add": 1, "mul": 3})
BY_NUMBER = MappingProxyType({1: "a", 2: "b"})


class Colour(Enum):
    RED = "r"
    BLUE = "b"
    GREEN = "g"


WARM = {Colour.RED, Colour.GREEN}


def one_cost(op):
    return COSTS[op], COSTS.get("x", 0), op in COSTS, len(COSTS)


def by_number(k):
    return BY_NUMBER[k], [v for v in BY_NUMBER.values()]


def all_costs(ops):
    return sum(COSTS[o] for o in ops), sorted(COSTS), dict(COSTS), {k: v for k, v in COSTS.items()}


def missing_cost(op):
    try:
        return COSTS[op]
    except KeyError as e:
        return str(e)


def costs_in_turn(op):
    total = 0
    for k in COSTS:
        total += COSTS[k]
    return total, [*COSTS.keys()], [*COSTS], COSTS == {"add": 1, "mul": 3}, {**COSTS.copy(), op: 0}


def members_by_name(name):
    return name in Colour.__members__, list(Colour.__members__), Colour.__members__[name].value


def members_of_words(words):
    return [word.upper() in Colour.__members__ for word in words.split()]


def members_found(name):
    values = {n: m.value for n, m in Colour.__members__.items()}
    return Colour.__members__.get(name), values


def members_in_a_set(names):
    return [Colour[name] in WARM for name in names]


CASES = [
    (one_cost, ("mul",)),
    (by_number, (2,)),
    (all_costs, (["add", "mul"],)),
    (missing_cost, ("no",)),
    (costs_in_turn, ("sub",)),
    (members_by_name, ("RED",)),
    (members_of_words, ("red pink blue",)),
    (members_found, ("BLUE",)),
    (members_in_a_set, (["RED", "BLUE", "GREEN"],)),
]
