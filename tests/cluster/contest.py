"""Tournaments of the crowd, one after the other: four new players each, of whom the first directs."""
import asyncio

from person import Person

FORMATS = ("knockout", "swiss rounds=2", "round-robin", "arena minutes=1")
PLAYERS = 4
PAUSE_S = 0.5  # between the commands of one about the tournament


class Contest:
    def __init__(self, crowd):
        self.crowd, self.count = crowd, 0
        self.players = []

    async def live(self):
        while not self.crowd.closing:
            self.count += 1
            event = Event(f"T-{self.count}", FORMATS[self.count % len(FORMATS)])
            self.players = [Contestant(self.crowd, self.count + place, f"t{self.count}-{place}", event)
                            for place in range(PLAYERS)]
            for player, other in zip(self.players, self.players[1:] + self.players[:1]):
                player.partner = other
            await asyncio.gather(*(player.live() for player in self.players))


class Event:
    """A tournament, as its players know it. `number` is its id; None until it is opened."""

    def __init__(self, name, form):
        self.name, self.form = name, form
        self.number, self.joined = None, set()
        self.started, self.over = False, False


class Contestant(Person):
    def __init__(self, crowd, number, name, event):
        super().__init__(crowd, number, name)
        self.event, self.directs = event, name.endswith("-0")
        self.next_s = 0.0

    def goes_on(self):
        return not self.event.over or self.matches

    def go_on(self, connection, now):
        super().go_on(connection, now)
        waits = any(line.startswith("tournament ") for line, _ in connection.asked.values())
        if self.token is not None and not waits and now > self.next_s and (line := self.next_line()) is not None:
            self.next_s = now + PAUSE_S
            connection.ask("tournament " + line)

    def next_line(self):
        """Returns what to say of the tournament. Who got no reply says it again: then a tournament may be left open."""
        event = self.event
        if event.number is None:
            return f"new {event.name} clobber:3x4 format={event.form} clock=10+0.1" if self.directs else None
        if self.id not in event.joined:
            return f"join {event.number}"
        if not self.directs or len(event.joined) < PLAYERS:
            return None
        if self.crowd.closing and event.form.startswith("arena"):
            return f"abort {event.number}"  # rather than to wait for its end
        return f"show {event.number}" if event.started else f"start {event.number}"

    def hear(self, message, line):
        if line is None or not line.startswith("tournament "):
            super().hear(message, line)
            return
        event, verb = self.event, line.split()[1]
        if message["type"] == "tournament":
            event.over = message["status"] in ("over", "aborted")
            event.started = message["status"] != "open"
        elif message["type"] == "ok" and verb == "new":
            event.number = message["tournament"]
        elif message["type"] == "ok" and verb == "join":
            event.joined.add(self.id)
        elif verb == "start":
            event.started = True  # or `show` says that it is not
        elif verb == "abort":  # or it is over already
            event.over = True
