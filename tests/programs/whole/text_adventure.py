"""A scripted text adventure."""

from collections import deque

OPPOSITE = {
    "north": "south",
    "south": "north",
    "east": "west",
    "west": "east",
    "up": "down",
    "down": "up",
}


class GameError(Exception):
    """Something the player cannot do; shown to the player."""


class GameOver(Exception):
    def __init__(self, won, turns):
        super().__init__("You win!" if won else "You died.")
        self.won = won
        self.turns = turns


class Room:
    def __init__(self, name, description, dark=False):
        self.name = name
        self.description = description
        self.dark = dark
        self.exits = {}
        self.locked = {}
        self.items = set()

    def connect(self, direction, other, key=None):
        self.exits[direction] = other
        other.exits[OPPOSITE[direction]] = self
        if key:
            self.locked[direction] = key


class Game:
    def __init__(self):
        hall = Room("Hall", "A dusty hall.")
        kitchen = Room("Kitchen", "It smells of old soup.")
        cellar = Room("Cellar", "Cobwebs everywhere.", dark=True)
        garden = Room("Garden", "Roses and a rusty gate.")
        vault = Room("Vault", "Gold glitters.")
        hall.connect("east", kitchen)
        kitchen.connect("down", cellar)
        hall.connect("south", garden)
        cellar.connect("west", vault, key="brass key")
        kitchen.items |= {"lamp", "spoon"}
        garden.items.add("brass key")
        vault.items.add("gold")
        self.here = self.start = hall
        self.bag = []
        self.lit = False
        self.turns = 0

    def do_look(self, *_):
        if self.here.dark and not self.lit:
            return "It is pitch dark."
        text = self.here.description
        if self.here.items:
            text += " You see: " + ", ".join(sorted(self.here.items)) + "."
        return text + " Exits: " + "/".join(self.here.exits)

    def do_go(self, direction):
        if direction not in self.here.exits:
            raise GameError(f"You can't go {direction}.")
        key = self.here.locked.get(direction)
        if key and key not in self.bag:
            raise GameError(f"The door is locked; you need the {key}.")
        if self.here.dark and not self.lit and direction != "up":
            raise GameOver(False, self.turns)
        self.here = self.here.exits[direction]
        return self.here.name + ". " + self.do_look()

    def do_take(self, *words):
        item = " ".join(words)
        if item not in self.here.items:
            raise GameError(f"There is no {item} here.")
        self.here.items.remove(item)
        self.bag.append(item)
        if item == "gold":
            raise GameOver(True, self.turns)
        return f"Taken: {item}."

    def do_light(self, what):
        if what not in self.bag:
            raise GameError("You don't have that.")
        self.lit = True
        return "The lamp burns brightly."

    def do_inventory(self):
        return "You carry " + (", ".join(self.bag) if self.bag else "nothing") + "."

    def command(self, line):
        self.turns += 1
        verb, *words = line.lower().split()
        if verb in OPPOSITE:
            verb, words = "go", [verb]
        method = getattr(self, "do_" + verb, None)
        if method is None:
            raise GameError(f"I don't know how to {verb}.")
        return method(*words)

    def distances(self):
        dist = {self.start.name: 0}
        queue = deque([self.start])
        while queue:
            room = queue.popleft()
            for other in room.exits.values():
                if other.name not in dist:
                    dist[other.name] = dist[room.name] + 1
                    queue.append(other)
        return dist


def main(script):
    game = Game()
    transcript = []
    outcome = "unfinished"
    for line in script.split(","):
        line = line.strip()
        try:
            reply = game.command(line)
        except GameError as e:
            reply = str(e)
        except GameOver as e:
            transcript.append((line, str(e)))
            outcome = f"{'won' if e.won else 'lost'} in {e.turns}"
            break
        transcript.append((line, reply))
    for cmd, reply in transcript:
        print(f"> {cmd}\n{reply}")
    return outcome, transcript, game.bag, game.distances()


ARGS = [
    (
        "look, east, take lamp, light lamp, down, west, up, west, south, take brass key, "
        "north, east, down, west, take gold, look",
    ),
    ("east, down, look, west, dance",),
    ("dance, take sofa, inventory, light lamp, west, south, take brass key, inventory",),
    ("south, take brass key, north, east, down, west",),
]
