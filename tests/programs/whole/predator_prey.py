class Animal:
    symbol = "?"

    def __init__(self, x, y, energy):
        self.x, self.y = x, y
        self.energy = energy
        self.alive = True

    def move(self, dx, dy, size):
        self.x = (self.x + dx) % size
        self.y = (self.y + dy) % size
        self.energy -= 1

    def act(self, world):
        raise NotImplementedError


class Rabbit(Animal):
    symbol = "r"

    def act(self, world):
        dx, dy = world.random_step()
        self.move(dx, dy, world.size)
        self.energy += 2
        if self.energy > 12:
            self.energy //= 2
            world.newborn.append(Rabbit(self.x, self.y, self.energy))


class Fox(Animal):
    symbol = "F"

    def act(self, world):
        dx, dy = world.random_step()
        self.move(dx, dy, world.size)
        for other in world.animals:
            if isinstance(other, Rabbit) and other.alive and (other.x, other.y) == (self.x, self.y):
                other.alive = False
                self.energy += 8
                break
        if self.energy <= 0:
            self.alive = False
        elif self.energy > 20:
            self.energy //= 2
            world.newborn.append(Fox(self.x, self.y, self.energy))


class World:
    STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]

    def __init__(self, size, rabbits, foxes, seed):
        self.size = size
        self.seed = seed
        self.newborn = []
        self.animals = []
        for _ in range(rabbits):
            self.animals.append(Rabbit(self.rand(size), self.rand(size), 5))
        for _ in range(foxes):
            self.animals.append(Fox(self.rand(size), self.rand(size), 10))

    def rand(self, n):
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.seed >> 16) % n

    def random_step(self):
        return self.STEPS[self.rand(4)]

    def tick(self):
        self.newborn = []
        for a in self.animals:
            if a.alive:
                a.act(self)
        self.animals = [a for a in self.animals if a.alive] + self.newborn

    def counts(self):
        r = sum(1 for a in self.animals if a.symbol == "r")
        return r, len(self.animals) - r


def main(size, rabbits, foxes, ticks, seed):
    w = World(size, rabbits, foxes, seed)
    history = [w.counts()]
    for _ in range(ticks):
        w.tick()
        history.append(w.counts())
    for t, (r, f) in enumerate(history):
        if t % 5 == 0:
            print(f"{t:3d} rabbits={r} foxes={f}")
    return history


ARGS = [(8, 10, 3, 20, 5), (5, 3, 1, 10, 77)]
