"""State machine: a pedestrian crossing driven by events."""

from enum import Enum


class State(Enum):
    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    FLASHING = "flashing"
    FAULT = "fault"

    @property
    def cars_may_go(self):
        return self in (State.GREEN, State.FLASHING)


class Event(Enum):
    TICK = "t"
    BUTTON = "b"
    FAIL = "x"
    RESET = "r"


class InvalidTransition(Exception):
    def __init__(self, state, event):
        super().__init__(f"{event.name} not allowed in {state.name}")
        self.state, self.event = state, event


class Crossing:
    durations = {State.GREEN: 5, State.AMBER: 2, State.RED: 4, State.FLASHING: 3}
    cycle = {
        State.GREEN: State.AMBER,
        State.AMBER: State.RED,
        State.RED: State.FLASHING,
        State.FLASHING: State.GREEN,
    }

    def __init__(self):
        self.state = State.GREEN
        self.timer = 0
        self.requested = False
        self.listeners = []
        self.handlers = {
            Event.TICK: self.on_tick,
            Event.BUTTON: self.on_button,
            Event.FAIL: self.on_fail,
            Event.RESET: self.on_reset,
        }

    def enter(self, state):
        old, self.state = self.state, state
        self.timer = 0
        if state is State.RED:
            self.requested = False
        for listener in self.listeners:
            listener(old, state)

    def on_tick(self):
        if self.state is State.FAULT:
            return
        self.timer += 1
        if self.timer < self.durations[self.state]:
            return
        if self.state is State.GREEN and not self.requested:
            return  # stay green until somebody asks
        self.enter(self.cycle[self.state])

    def on_button(self):
        if self.state is State.FAULT:
            raise InvalidTransition(self.state, Event.BUTTON)
        self.requested = True

    def on_fail(self):
        self.enter(State.FAULT)

    def on_reset(self):
        if self.state is not State.FAULT:
            raise InvalidTransition(self.state, Event.RESET)
        self.enter(State.RED)

    def send(self, event):
        self.handlers[event]()


def main(script):
    light = Crossing()
    trace = []
    visits = {s: 0 for s in State}
    errors = []

    def remember(old, new):
        trace.append(f"{old.value}->{new.value}")
        visits[new] += 1

    light.listeners.append(remember)
    light.listeners.append(lambda old, new: print(f"{old.name:>9} => {new.name}"))
    go_time = 0
    for i, ch in enumerate(script):
        event = Event(ch)
        try:
            light.send(event)
        except InvalidTransition as e:
            errors.append((i, str(e)))
        if event is Event.TICK and light.state.cars_may_go:
            go_time += 1
    busiest = max(State, key=lambda s: (visits[s], s.value))
    return {
        "final": light.state.value,
        "trace": trace,
        "visits": {s.name: n for s, n in visits.items()},
        "busiest": busiest.name,
        "errors": errors,
        "go_time": go_time,
    }


ARGS = [
    ("tttttttt",),
    ("ttb" + "t" * 20 + "bb" + "t" * 15,),
    ("btttxbtrttttr" + "t" * 10,),
]
