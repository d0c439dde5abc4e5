"""TCP connection state machine with a transition table, history, and a simulated lossy link."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import Deque, NamedTuple


class State(str, Enum):
    CLOSED = "closed"
    LISTEN = "listen"
    SYN_SENT = "syn-sent"
    SYN_RCVD = "syn-rcvd"
    ESTABLISHED = "established"
    FIN_WAIT = "fin-wait"
    CLOSE_WAIT = "close-wait"
    TIME_WAIT = "time-wait"


class Flags(Flag):
    NONE = 0
    SYN = auto()
    ACK = auto()
    FIN = auto()


class Segment(NamedTuple):
    flags: Flags
    seq: int
    ack: int = 0
    data: str = ""


TRANSITIONS = {
    (State.LISTEN, Flags.SYN): State.SYN_RCVD,
    (State.SYN_SENT, Flags.SYN | Flags.ACK): State.ESTABLISHED,
    (State.SYN_RCVD, Flags.ACK): State.ESTABLISHED,
    (State.ESTABLISHED, Flags.FIN): State.CLOSE_WAIT,
    (State.ESTABLISHED, Flags.ACK): State.ESTABLISHED,
    (State.FIN_WAIT, Flags.FIN | Flags.ACK): State.TIME_WAIT,
    (State.CLOSE_WAIT, Flags.ACK): State.CLOSED,
}


class ProtocolError(Exception):
    pass


@dataclass
class Endpoint:
    name: str
    state: State = State.CLOSED
    seq: int = 0
    expected: int = 0
    received: str = ""
    outbox: Deque[Segment] = field(default_factory=deque)
    history: list[str] = field(default_factory=list)

    def enter(self, state: State) -> None:
        self.history.append(f"{self.state.value}->{state.value}")
        self.state = state

    def send(self, flags: Flags, data: str = "") -> None:
        self.outbox.append(Segment(flags, self.seq, self.expected, data))
        self.seq += len(data) + bool(flags & (Flags.SYN | Flags.FIN))

    def handle(self, s: Segment) -> None:
        key = (self.state, s.flags)
        if key not in TRANSITIONS:
            raise ProtocolError(f"{self.name}: {s.flags.value} in {self.state.value}")
        if self.state is State.ESTABLISHED and s.data and s.seq != self.expected:
            self.send(Flags.ACK)
            return
        nxt = TRANSITIONS[key]
        if nxt is not self.state:
            self.enter(nxt)
        self.expected = s.seq + len(s.data) + bool(s.flags & (Flags.SYN | Flags.FIN))
        self.received += s.data
        if s.flags & Flags.SYN and not s.flags & Flags.ACK:
            self.send(Flags.SYN | Flags.ACK)
        elif s.flags & Flags.SYN or s.data:
            self.send(Flags.ACK)
        elif s.flags == Flags.FIN:
            self.send(Flags.FIN | Flags.ACK)
        elif s.flags & Flags.FIN:
            self.send(Flags.ACK)


def pump(a: Endpoint, b: Endpoint, lose=()) -> int:
    moved = 0
    while a.outbox or b.outbox:
        for src, dst in ((a, b), (b, a)):
            while src.outbox:
                segment = src.outbox.popleft()
                moved += 1
                if moved not in lose:
                    dst.handle(segment)
    return moved


def main(messages):
    client, server = Endpoint("client", seq=100), Endpoint("server", seq=500)
    server.enter(State.LISTEN)
    client.enter(State.SYN_SENT)
    client.send(Flags.SYN)
    moved = [pump(client, server)]
    for m in messages:
        client.send(Flags.ACK, m)
        moved.append(pump(client, server))
    client.enter(State.FIN_WAIT)
    client.send(Flags.FIN)
    moved.append(pump(client, server))
    try:
        server.handle(Segment(Flags.SYN | Flags.FIN, 1))
        error = None
    except ProtocolError as e:
        error = str(e)
    return (
        server.received,
        client.history,
        server.history,
        moved,
        error,
        client.state.value,
        client.seq,
        server.expected,
    )


ARGS = [(["hello ", "tcp ", "world"],)]
