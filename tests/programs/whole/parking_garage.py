"""A parking garage with several levels, vehicle sizes, tickets and fees."""

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Dict, List, Optional


class Size(IntEnum):
    MOTORCYCLE = 1
    CAR = 2
    VAN = 3


class Status(Enum):
    FREE = "free"
    TAKEN = "taken"
    BROKEN = "out of order"


class GarageFull(Exception):
    """No spot is left for a vehicle."""


class UnknownTicket(KeyError):
    pass


@dataclass(frozen=True)
class Vehicle:
    plate: str
    size: Size


@dataclass
class Spot:
    level: int
    number: int
    size: Size
    status: Status = Status.FREE
    vehicle: Optional[Vehicle] = None

    @property
    def label(self) -> str:
        return f"{'ABCDEF'[self.level]}{self.number:02d}"

    def fits(self, vehicle: Vehicle) -> bool:
        return self.status is Status.FREE and vehicle.size <= self.size


@dataclass
class Ticket:
    id: int
    spot: Spot
    arrived: int
    paid: Optional[int] = None


RATES = {Size.MOTORCYCLE: 50, Size.CAR: 120, Size.VAN: 200}


@dataclass
class Garage:
    spots: List[Spot] = field(default_factory=list)
    tickets: Dict[int, Ticket] = field(default_factory=dict)
    revenue: int = 0
    _next: int = 1

    @classmethod
    def build(cls, levels, layout):
        garage = cls()
        for level in range(levels):
            number = 1
            for size, count in layout.items():
                for _ in range(count):
                    garage.spots.append(Spot(level, number, Size[size]))
                    number += 1
        return garage

    def find_spot(self, vehicle):
        candidates = [s for s in self.spots if s.fits(vehicle)]
        if not candidates:
            raise GarageFull(f"no room for {vehicle.plate} ({vehicle.size.name.lower()})")
        return min(candidates, key=lambda s: (s.size, s.level, s.number))

    def enter(self, vehicle, now):
        spot = self.find_spot(vehicle)
        spot.status, spot.vehicle = Status.TAKEN, vehicle
        ticket = Ticket(self._next, spot, now)
        self._next += 1
        self.tickets[ticket.id] = ticket
        return ticket

    def leave(self, ticket_id, now):
        try:
            ticket = self.tickets.pop(ticket_id)
        except KeyError:
            raise UnknownTicket(ticket_id) from None
        hours = max(1, -(-(now - ticket.arrived) // 60))
        vehicle = ticket.spot.vehicle
        ticket.paid = hours * RATES[vehicle.size]
        ticket.spot.status, ticket.spot.vehicle = Status.FREE, None
        self.revenue += ticket.paid
        return ticket

    def occupancy(self):
        counts = {status: 0 for status in Status}
        for spot in self.spots:
            counts[spot.status] += 1
        return counts


def main(levels, layout, events):
    garage = Garage.build(levels, layout)
    garage.spots[-1].status = Status.BROKEN
    log = []
    for minute, action, what in events:
        stamp = f"{minute // 60:02d}:{minute % 60:02d}"
        try:
            if action == "in":
                plate, size = what.split("/")
                t = garage.enter(Vehicle(plate, Size[size.upper()]), minute)
                log.append(f"{stamp} {plate} -> {t.spot.label} (ticket {t.id})")
            else:
                t = garage.leave(int(what), minute)
                log.append(f"{stamp} {t.spot.label} free, paid {t.paid / 100:.2f}")
        except GarageFull as e:
            log.append(f"{stamp} FULL: {e}")
        except UnknownTicket as e:
            log.append(f"{stamp} bad ticket {e.args[0]}")
    print("\n".join(log))
    for status, n in garage.occupancy().items():
        print(f"{status.value:>13}: {n}")
    return log, garage.revenue, sorted(garage.tickets)


ARGS = [
    (
        1,
        {"MOTORCYCLE": 1, "CAR": 2},
        [
            (480, "in", "ABC-1/car"),
            (490, "in", "MOTO-9/motorcycle"),
            (500, "in", "XYZ-2/car"),
            (610, "out", "1"),
            (615, "in", "XYZ-2/car"),
            (620, "out", "77"),
            (700, "in", "BIG-3/van"),
        ],
    ),
    (
        2,
        {"CAR": 1, "VAN": 1},
        [
            (0, "in", "V1/van"),
            (5, "in", "C1/car"),
            (6, "in", "C2/car"),
            (7, "in", "C3/car"),
            (130, "out", "1"),
            (131, "in", "C3/car"),
            (200, "out", "2"),
        ],
    ),
]
