"""The people of the crowd: players, watchers, and racers for names."""
import asyncio
import time

from wire import PATIENCE_S, Connection, Gone

GAMES = ("clobber:4x4", "clobber:4x4", "clobber:5x6", "clobber:3x4", "xadrersi:touch")
CLOCKS = ("", "", " clock=60+1", " clock=30+1", " clock=10+0.3", " clock=4+0.2")
PING_S = 1.0
LOOK_AGAIN_S = 4.0   # after so much silence in a match
AT_ONCE = 2          # matches of a pair: their ends change a rating at two servers
RETIRES_AFTER = 150  # matches under one name: `history` shows 200
PAUSE_S = 0.15       # before the next server
MOVES_ELSEWHERE = 0.01  # with each message, while the partner is at the same server
RESIGNS, OFFERS, ACCEPTS = 0.01, 0.03, 0.3
RETURNS = 0.004         # with each message, by another connection to the same server
WINDOWS, STAYS_S = 2, (2, 40)  # further connections of each player, and for how long each
MOVES_FIRST, ALONE = 0.3, 0.1  # a window sends the move, too; who comes back is to be the only one
OFFERED = ("draw", "draw", "undo")


class Person:
    """One player. `matches` has the latest state of each unfinished match, `plans` what to say when."""

    def __init__(self, crowd, number, name=None):
        self.crowd, self.number, self.id = crowd, number, name or f"p{number}"
        self.rng = crowd.rng.__class__(crowd.rng.getrandbits(64))
        self.partner, self.opens = None, False
        self.node, self.returns = number % len(crowd.addresses), False
        self.name, self.token, self.names, self.finished = self.id, None, 0, 0
        self.connection, self.wanted, self.keys = None, None, 0
        self.matches, self.plans, self.chosen, self.heard_s = {}, {}, {}, {}

    # Connections

    async def live(self):
        while self.goes_on():
            try:
                await self.play()
            except Gone:
                pass
            if self.returns:
                self.returns = False
                continue
            self.node = self.next_node()
            await asyncio.sleep(PAUSE_S * self.rng.random() * 2)

    def goes_on(self):
        return not self.crowd.closing or self.matches or self.wanted

    def next_node(self):
        """Prefers a server where the partner is not."""
        count = len(self.crowd.addresses)
        others = [(self.node + i) % count for i in range(1, count)] or [self.node]
        if self.rng.random() < 0.8:
            others.sort(key=lambda node: node == self.partner.node)
        return others[0]

    async def play(self):
        """Plays at one server until it is gone, or all is over."""
        self.plans.clear()
        self.matches = dict.fromkeys(self.matches)
        self.heard_s = {"open": self.heard_s.get("open", 0)}
        connection = await Connection.open(self.crowd, self.id, self.node)
        self.connection, left = connection, False
        try:
            self.say_hello()
            while self.goes_on():
                if left := self.wants_to_move():
                    return
                self.returns = not self.crowd.still and self.token is not None and self.rng.random() < RETURNS
                if self.returns:
                    raise Gone("returns")
                await self.step(connection)
            connection.close("has played")
        except Gone as error:
            connection.close(str(error))
            raise
        finally:
            if left:
                self.crowd.leave_behind(connection)

    def say_hello(self):
        alone = " only=yes" if self.token and self.rng.random() < ALONE else ""
        self.connection.ask(f"hello {self.name}" + (f" token={self.token}{alone}" if self.token else ""))

    def wants_to_move(self):
        """Returns whether to come back at another server while this one still has the connection."""
        together = not self.crowd.still and len(self.crowd.addresses) > 1 and self.partner.node == self.node
        return together and self.token is not None and self.rng.random() < MOVES_ELSEWHERE

    async def step(self, connection):
        """Sends what this person has to send by now, and reads one message or none."""
        now = time.monotonic()
        if connection.waits_s() > PATIENCE_S:
            raise Gone("no answer")
        if self.finished >= RETIRES_AFTER and not self.matches and not self.wanted and not self.crowd.closing:
            self.take_next_name()
            connection.note(event="retired")
            raise Gone("retired")
        if not self.crowd.still:
            self.go_on(connection, now)
        if not connection.asked and now > self.heard_s.get("", 0) + PING_S:
            connection.ask("ping")
        wake_s = 0.2 if self.crowd.still else min([at - now for at, _ in self.plans.values()] + [0.2])
        try:
            message, line = await asyncio.wait_for(connection.read(), max(0.001, wake_s))
        except asyncio.TimeoutError:
            return
        self.heard_s[""] = time.monotonic()
        self.hear(message, line)

    def go_on(self, connection, now):
        for match in [match for match, (at, _) in self.plans.items() if at <= now]:
            connection.ask(self.plans.pop(match)[1])
        if self.token is not None:
            self.open_match()
            self.look_again(now)

    # Hearing

    def hear(self, message, line):
        kind = message["type"]
        if kind == "state":
            self.on_state(message, line)
        elif kind == "challenge":
            self.plan(message["match"], 0, f"join {message['match']}")
        elif kind == "bye":
            raise Gone("bye " + message["reason"])
        elif line is not None and line.startswith("hello "):
            self.on_hello(message)
        elif line is not None and line == self.wanted:
            self.on_opened(message)
        elif kind == "error":
            self.on_error(message, line)

    def on_hello(self, message):
        if message["type"] == "ok":
            self.token = message.get("token", self.token)
        elif message["code"] == "name-taken" and self.token is None:
            self.take_next_name()
        else:
            raise Gone("hello: " + message["code"])

    def take_next_name(self):
        """The name is lost when nobody heard its token, or has played enough."""
        self.names += 1
        self.name, self.token, self.finished = f"{self.id}-{self.names}", None, 0
        self.say_hello()

    def on_opened(self, message):
        if message["type"] == "ok":
            self.wanted = None
            self.matches.setdefault(message["match"], None)
            self.heard_s[message["match"]] = time.monotonic()
        elif message["code"] != "internal":
            self.wanted = None  # refused, so nothing has changed: the next one has a key of its own
        self.heard_s["open"] = time.monotonic()

    def on_error(self, message, line):
        """A refusal of anything about a match: look at it again, later if the server is in trouble."""
        words = (line or "").split()
        if len(words) > 1 and words[1] in self.matches:
            wait_s = 1.0 if message["code"] == "internal" else message.get("retry_ms", 200) / 1000
            if message["code"] == "unknown-match":
                self.crowd.note(who=self.id, event="unknown", match=words[1])
                self.matches.pop(words[1])
                return
            self.plan(words[1], wait_s, f"state {words[1]}")

    def on_state(self, state, line):
        match, before = state["match"], self.matches.get(state["match"])
        if line is not None and line.startswith("state") and before and \
                (before["ply"], before["status"]) != (state["ply"], state["status"]):
            self.connection.note(event="missed", match=match, ply=state["ply"])
        self.heard_s[match] = time.monotonic()
        if state["status"] == "over" or state["you"] is None:
            if self.matches.pop(match, None) is not None:
                self.on_over(match)
            self.plans.pop(match, None)
            return
        self.matches[match] = state
        self.decide(match, state)

    def on_over(self, match):
        self.finished += 1
        self.chosen = {key: move for key, move in self.chosen.items() if key[0] != match}

    # Saying

    def plan(self, match, wait_s, line):
        self.plans[match] = (time.monotonic() + wait_s, line)

    def decide(self, match, state):
        """Plans the next command in a match."""
        seated = state["players"][state["you"]]
        if state["status"] == "open":
            if seated and not seated["seated"]:
                self.plan(match, 0, f"join {match}")
            elif all(player is None or player["name"] != self.partner.name for player in state["players"].values()):
                self.plan(match, 0, f"abort {match}")  # the partner has taken the next name
            return
        offers = {offer["what"]: offer["color"] for offer in state["offers"]}
        theirs = [what for what, color in offers.items() if color != state["you"]]
        if theirs:
            self.plan(match, 0.01, f"{theirs[0] if self.rng.random() < ACCEPTS else 'decline'} {match}")
        elif state["turn"] == state["you"] and state.get("legal"):
            self.plan_move(match, state, bool(offers))

    def plan_move(self, match, state, offered):
        """A move that was sent before is sent again, as it is."""
        ply, whim = state["ply"], self.rng.random()
        wait_s = 0 if self.crowd.closing else self.crowd.think_s * 2 * self.rng.random()
        if ply > 1 and whim < RESIGNS:
            self.plan(match, wait_s, f"resign {match}")
        elif ply > 1 and whim < RESIGNS + OFFERS and not offered:
            self.plan(match, wait_s, f"{self.rng.choice(OFFERED)} {match}")
        else:
            move = self.chosen.setdefault((match, ply), self.rng.choice(state["legal"]))
            self.plan(match, wait_s, f"move {match} {move} ply={ply}")

    def open_match(self):
        """Opens the next match of the pair; a command without a reply is said again after coming back."""
        if not self.opens or any(line == self.wanted for line, _ in self.connection.asked.values()):
            return
        if self.wanted is None:
            ready = self.partner.token and not self.crowd.closing and len(self.matches) < AT_ONCE and \
                max(self.finished, self.partner.finished) < RETIRES_AFTER
            if not ready or time.monotonic() < self.heard_s.get("open", 0) + 0.05:
                return
            self.keys += 1
            seats = ["me", self.partner.name]
            self.rng.shuffle(seats)
            self.wanted = (f"new {self.rng.choice(GAMES)} white={seats[0]} black={seats[1]}"
                           f"{self.rng.choice(CLOCKS)} once={self.id}-{self.keys}")
        elif time.monotonic() < self.heard_s.get("open", 0) + 0.5:
            return
        self.heard_s["open"] = time.monotonic()
        self.connection.ask(self.wanted)

    def look_again(self, now):
        """Asks for the state of matches that have been silent for long."""
        for match in self.matches:
            if match not in self.plans and now > self.heard_s.get(match, 0) + LOOK_AGAIN_S:
                self.heard_s[match] = now
                self.connection.ask(f"state {match}")
                if self.crowd.closing and self.rng.random() < 0.3:
                    self.connection.ask(f"abort {match}")
                    self.connection.ask(f"resign {match}")


class Window:
    """Another connection of a player, now at this server, now at that one. It sometimes sends the move, too."""

    def __init__(self, person):
        self.person, self.crowd = person, person.crowd
        self.rng = person.rng.__class__(person.rng.getrandbits(64))

    async def live(self):
        while True:
            await asyncio.sleep(self.rng.uniform(0.2, 3))
            if self.person.token is None or self.crowd.closing:
                continue
            try:
                await self.stay(await Connection.open(self.crowd, self.person.id,
                                                      self.rng.randrange(len(self.crowd.addresses))))
            except Gone:
                pass

    async def stay(self, connection):
        name, low, high = self.person.name, *STAYS_S
        now = time.monotonic()
        end_s, pinged_s = now + low * (high / low) ** self.rng.random(), now
        connection.note(event="window")
        connection.ask(f"hello {name} token={self.person.token}")
        try:
            while time.monotonic() < end_s and self.person.name == name:
                if connection.waits_s() > PATIENCE_S:
                    raise Gone("no answer")
                if time.monotonic() > pinged_s + PING_S and not connection.asked:
                    pinged_s = time.monotonic()
                    connection.ask("ping")
                try:
                    message, _ = await asyncio.wait_for(connection.read(), 0.5)
                except asyncio.TimeoutError:
                    continue
                self.hear(connection, message)
        except Gone as error:
            connection.close(str(error))
            raise
        connection.close("leaves")

    def hear(self, connection, message):
        if message["type"] == "bye":
            raise Gone("bye " + message["reason"])
        if message["type"] == "state" and message["status"] == "playing" and message["turn"] == message["you"] and \
                message.get("legal") and not self.crowd.still and self.rng.random() < MOVES_FIRST:
            match, ply = message["match"], message["ply"]
            move = self.person.chosen.setdefault((match, ply), self.rng.choice(message["legal"]))
            connection.ask(f"move {match} {move} ply={ply}")


class Watcher:
    """A guest who watches the newest matches at one server."""

    def __init__(self, crowd, node):
        self.crowd, self.node = crowd, node

    async def live(self):
        while True:
            try:
                await self.watch(await Connection.open(self.crowd, f"w{self.node}", self.node))
            except Gone:
                await asyncio.sleep(PAUSE_S)

    async def watch(self, connection):
        seen, asked_s = set(), 0.0
        try:
            while True:
                if time.monotonic() > asked_s + 2 and not connection.asked:
                    asked_s = time.monotonic()
                    connection.ask("list")
                if connection.waits_s() > PATIENCE_S:
                    raise Gone("no answer")
                try:
                    message, _ = await asyncio.wait_for(connection.read(), 0.5)
                except asyncio.TimeoutError:
                    continue
                for row in message.get("matches", [])[:5]:
                    if row["match"] not in seen:
                        seen.add(row["match"])
                        connection.ask(f"watch {row['match']}")
        except Gone as error:
            connection.close(str(error))
            raise


class Racers:
    """Two who ask for one name at the same time, and two for one seat, at two servers if there are any."""

    def __init__(self, crowd):
        self.crowd, self.count = crowd, 0

    async def live(self):
        while True:
            self.count += 1
            names = [f"race-{self.count}", f"RACE-{self.count}"]
            nodes = [(self.count + i) % len(self.crowd.addresses) for i in range(2)]
            await asyncio.gather(*(self.ask(f"r-{name}", node, f"hello {name}")
                                   for name, node in zip(names, nodes)), self.race_for_a_seat(nodes))
            await asyncio.sleep(1)

    async def ask(self, who, node, line):
        """Says one thing, and leaves once it is answered."""
        try:
            connection = await Connection.open(self.crowd, who, node)
        except Gone:
            return
        connection.ask(line)
        await connection.drain(until_answered=True)

    async def race_for_a_seat(self, nodes):
        """A guest opens a match, and two more want the free seat; when they leave, it ends."""
        try:
            opener = await Connection.open(self.crowd, f"g-{self.count}", nodes[0])
        except Gone:
            return
        opener.ask("new clobber:3x4 white=me black=open")
        try:
            message, line = None, None
            while line is None:
                message, line = await asyncio.wait_for(opener.read(), PATIENCE_S)
            if message["type"] == "ok":
                await asyncio.gather(*(self.ask(f"g-{self.count}-{node}", node, f"join {message['match']}")
                                       for node in nodes))
        except (Gone, asyncio.TimeoutError):
            pass
        opener.close("race is over")


class Devices:
    """A name that comes to another device by a code, which two want at once, and whose token then ends."""

    def __init__(self, crowd):
        self.crowd, self.count = crowd, 0

    async def live(self):
        while True:
            self.count += 1
            try:
                await self.lend(f"d-{self.count}")
            except (Gone, asyncio.TimeoutError):
                pass
            await asyncio.sleep(1)

    async def lend(self, name):
        count = len(self.crowd.addresses)
        nodes = [(self.count + i) % count for i in range(3)]
        owner, *phones = [await Connection.open(self.crowd, f"{name}-{i}", node) for i, node in enumerate(nodes)]
        try:
            if (await self.reply(owner, f"hello {name}"))["type"] == "ok":
                await self.revoke(owner, phones, name)
        finally:
            for connection in (owner, *phones):
                connection.close("done")

    async def revoke(self, owner, phones, name):
        made = await self.reply(owner, "device")
        if made["type"] != "device":
            return
        heard = await asyncio.gather(*(self.reply(phone, f"hello {name} device={made['code']} client=phone")
                                       for phone in phones))
        taken = [phone for phone, reply in zip(phones, heard) if reply["type"] == "ok"]
        tokens = [row["token"] for row in (await self.reply(owner, "tokens")).get("tokens", ()) if row["label"] == "phone"]
        if not taken or not tokens or (await self.reply(owner, f"revoke {tokens[0]}"))["type"] != "ok":
            return
        taken[0].note(event="revoked")
        await asyncio.wait_for(self.pinging(taken[0]), 3 * PATIENCE_S)

    @staticmethod
    async def pinging(connection):
        """Asks until the connection ends."""
        while True:
            connection.ask("ping")
            await asyncio.wait_for(connection.read(), PATIENCE_S)
            await asyncio.sleep(0.2)

    @staticmethod
    async def reply(connection, line):
        connection.ask(line)
        message, said = None, None
        while said != line:
            message, said = await asyncio.wait_for(connection.read(), PATIENCE_S)
        return message
