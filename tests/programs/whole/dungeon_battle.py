"""Turn-based battle: class hierarchy with super(), abilities as callables, decorators, random.Random."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from functools import wraps
from random import Random


class Dead(Exception):
    def __init__(self, who):
        super().__init__(f"{who.name} is dead")
        self.name = who.name


def cooldown(turns):
    def deco(fn):
        @wraps(fn)
        def wrapper(self, target):
            if self.wait > 0:
                return self.attack(target)
            self.wait = turns
            return fn(self, target)

        return wrapper

    return deco


class Fighter(ABC):
    def __init__(self, name: str, hp: int, power: int, rng: Random):
        self.name = name
        self.max_hp = hp
        self._hp = hp
        self.power = power
        self.rng = rng
        self.wait = 0
        self.kills: list[str] = []

    @property
    def hp(self) -> int:
        return self._hp

    @hp.setter
    def hp(self, value: int) -> None:
        self._hp = max(0, min(self.max_hp, value))

    @property
    def alive(self) -> bool:
        return self._hp > 0

    def attack(self, target: Fighter) -> int:
        if not target.alive:
            raise Dead(target)
        roll = self.rng.randint(1, 20)
        dmg = 0 if roll == 1 else self.power * (2 if roll == 20 else 1) - target.defence
        dmg = max(dmg, 0)
        target.hp -= dmg
        if not target.alive:
            self.kills.append(target.name)
        return dmg

    defence = 0

    @abstractmethod
    def special(self, target: Fighter) -> int: ...

    def tick(self):
        self.wait = max(0, self.wait - 1)

    def __repr__(self):
        bar = "#" * (10 * self.hp // self.max_hp)
        return f"{self.__class__.__name__}({self.name}, {self.hp}/{self.max_hp}, [{bar:<10}])"


class Knight(Fighter):
    defence = 3

    def __init__(self, name, rng):
        super().__init__(name, 60, 9, rng)

    @cooldown(3)
    def special(self, target):
        return self.attack(target) + (self.attack(target) if target.alive else 0)


class Mage(Fighter):
    def __init__(self, name, rng, mana=3):
        super().__init__(name, 35, 7, rng)
        self.mana = mana

    @cooldown(2)
    def special(self, target):
        if self.mana == 0:
            return self.attack(target)
        self.mana -= 1
        target.hp -= 15
        if not target.alive:
            self.kills.append(target.name)
        return 15

    def tick(self):
        super().tick()
        if self.alive:
            self.hp += 1


class Goblin(Fighter):
    def __init__(self, number, rng):
        super().__init__(f"gob{number:02d}", rng.randrange(12, 25), 8, rng)

    def special(self, target):
        if self.rng.random() < 0.3:
            self.hp += 3
            return 0
        return self.attack(target)


def battle(heroes, foes, rng, limit=50):
    log = []
    for turn in range(1, limit + 1):
        order = [f for f in heroes + foes if f.alive]
        order.sort(key=lambda f: (-f.power, f.name))
        for f in order:
            enemies = [e for e in (foes if f in heroes else heroes) if e.alive]
            if not f.alive or not enemies:
                continue
            t = rng.choice(enemies)
            d = f.special(t) if rng.random() < 0.5 else f.attack(t)
            log.append((turn, f.name, t.name, d))
            f.tick()
        if not any(h.alive for h in heroes):
            return "foes", turn, log
        if not any(e.alive for e in foes):
            return "heroes", turn, log
    return "draw", limit, log


def main(seed, goblins):
    rng = Random(seed)
    heroes = [Knight("Lancelot", rng), Mage("Merlin", rng)]
    foes = [Goblin(i, rng) for i in range(goblins)]
    winner, turns, log = battle(heroes, foes, rng)
    try:
        foes[0].attack(next(f for f in foes + heroes if not f.alive))
    except Dead as e:
        dead = (e.name, str(e))
    dealt = Counter()
    for _, who, _, d in log:
        dealt[who] += d
    return (
        winner,
        turns,
        dealt.most_common(3),
        dead,
        [repr(f) for f in heroes],
        {h.name: h.kills for h in heroes},
        len(log),
    )


ARGS = [(11, 5)]
