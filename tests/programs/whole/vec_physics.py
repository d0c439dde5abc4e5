import math


class Vec:
    def __init__(self, x, y, z=0.0):
        self.x, self.y, self.z = x, y, z

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y, self.z + o.z)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y, self.z - o.z)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k, self.z * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, -self.y, -self.z)

    def __abs__(self):
        return math.sqrt(self.x**2 + self.y**2 + self.z**2)

    def __eq__(self, o):
        return (self.x, self.y, self.z) == (o.x, o.y, o.z)

    def __repr__(self):
        return f"Vec({self.x:.3f}, {self.y:.3f}, {self.z:.3f})"

    def __iter__(self):
        yield self.x
        yield self.y
        yield self.z


class Body:
    def __init__(self, name, mass, pos, vel):
        self.name = name
        self.mass = mass
        self.pos = pos
        self.vel = vel


def energy(bodies):
    e = sum(0.5 * b.mass * abs(b.vel) ** 2 for b in bodies)
    for i, a in enumerate(bodies):
        for b in bodies[i + 1 :]:
            e -= a.mass * b.mass / abs(a.pos - b.pos)
    return e


def step(bodies, dt):
    forces = []
    for a in bodies:
        f = Vec(0.0, 0.0)
        for b in bodies:
            if a is not b:
                d = b.pos - a.pos
                f = f + (a.mass * b.mass / abs(d) ** 3) * d
        forces.append(f)
    for b, f in zip(bodies, forces):
        b.vel = b.vel + f * (dt / b.mass)
        b.pos = b.pos + b.vel * dt


def main(steps, dt):
    bodies = [
        Body("sun", 100.0, Vec(0.0, 0.0), Vec(0.0, 0.0)),
        Body("earth", 1.0, Vec(10.0, 0.0), Vec(0.0, 3.0)),
        Body("moon", 0.1, Vec(10.5, 0.0), Vec(0.0, 4.4)),
    ]
    e0 = energy(bodies)
    for _ in range(steps):
        step(bodies, dt)
    for b in bodies:
        print(b.name, b.pos)
    drift = (energy(bodies) - e0) / e0
    return [tuple(b.pos) for b in bodies], drift, -bodies[0].pos == bodies[0].pos


ARGS = [(200, 0.001), (3, 0.01)]
