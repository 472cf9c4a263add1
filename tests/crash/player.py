"""A person at the server: a connection, a name with its token, and random actions."""
import errno
import json
import socket

from model import BLACK, OPEN, OVER, PLAYING, WHITE, Command, other
from table import Pending

GAMES = ("clobber:3x4", "clobber:4x4", "clobber:5x6", "xadrersi:touch", "xadrersi:attack",
         "latrunculi:standard", "shakti:standard")
CLOCKS = ("", "", "", " clock=60+1", " clock=20+0.5", " clock=3+0.1")


class Player:
    """States: away; `arriving` until the server answers hello; then asking for the matches until all
    replies are in; then `ready` to play."""

    def __init__(self, world, name):
        self.world, self.name = world, name
        self.token, self.socket = None, None
        self.unsure = False  # a hello for a new name went unanswered
        self.lost_news = []  # `new` commands that never got an answer
        self.reset()

    def reset(self):
        self.out, self.buffer = b"", b""
        self.asked = {}  # by id: the handler of the reply
        self.count = 0
        self.welcomed = set()  # matches whose state came unasked
        self.records = {}
        self.news = []  # `new` commands without an answer
        self.ready = False

    # The connection

    def connect(self):
        self.reset()
        self.socket = socket.create_connection(("127.0.0.1", self.world.server.port), 5)
        self.socket.setblocking(False)
        if self.token is None and self.unsure:
            self.world.rename(self)
        self.unsure = self.token is None
        token = f" token={self.token}" if self.token else ""
        self.ask(f"hello {self.name}{token}", self.on_hello)
        self.ask("ping", lambda reply: self.look_again())

    def close(self):
        self.socket.close()
        self.socket = None

    def ask(self, line, then):
        """Sends a command; `then` gets the reply."""
        self.count += 1
        self.asked[str(self.count)] = then
        self.out += f"#{self.count} {line}\n".encode()
        self.flush()

    def flush(self):
        try:
            while self.out and self.socket is not None:
                self.out = self.out[self.socket.send(self.out):]
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise

    def read(self):
        """Reads all input. Returns False at the end of the connection."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            self.hear(json.loads(line))
        return bool(data)

    # Input

    def hear(self, message):
        kind = message["type"]
        if "id" in message:
            self.asked.pop(message["id"])(message)
        elif kind == "state":
            self.hear_state(message)
        elif kind == "challenge":
            self.world.hear_challenge(self, message)
        elif kind == "offer":
            table = self.world.tables.get(message["match"])
            if table is not None:
                table.hear_offer(self.name, message)
                self.world.wake(self, table)
        elif kind == "rematch":
            self.world.hear_rematch(message)
        elif kind == "ping":
            self.out += b"\n"
            self.flush()
        elif kind == "error" or kind == "bye" and message["reason"] != "shutdown":
            self.world.problem(f"{self.name} is told", message)

    def hear_state(self, state):
        table = self.world.table_of(self, state)
        if table is None:
            return
        self.welcomed.add(table.match)
        table.hear_state(self.name, state)
        self.world.wake(self, table)

    # Coming back

    def on_hello(self, reply):
        if reply["type"] == "ok" and reply["name"] == self.name:
            self.token, self.unsure = reply.get("token", self.token), False
        elif self.token is not None:
            self.world.problem(f"{self.name} cannot come back", reply)
        else:
            self.world.problem(f"{self.name} cannot come", reply)

    def look_again(self):
        """Asks for all known matches, and now and then for finished ones."""
        for table in self.world.tables_of(self):
            if table.archived:
                continue
            self.ask(f"record {table.match}", self.keep_record(table))
            self.ask(f"state {table.match}", self.on_state(table))
        for table in self.world.sample_archived(2):
            self.ask_record(table)
        self.ask("ping", self.on_ready)

    def ask_record(self, table):
        def compare(reply):
            if reply["type"] == "record":
                table.check_record(reply)
            elif not (table.may_be_unplayed() and reply.get("code") == "unknown-match"):
                table.problem("has no record any more", reply)
        self.ask(f"record {table.match}", compare)

    def keep_record(self, table):
        def keep(reply):
            self.records[table.match] = reply
        return keep

    def on_state(self, table):
        def see(reply):
            record = self.records.pop(table.match)
            if table.may_be_unplayed() and reply.get("code") == record.get("code") == "unknown-match":
                table.see_unplayed()
                return
            if table.known.status == OVER and reply.get("code") == "unknown-match" and \
                    record["type"] == "record":
                table.see_forgotten(record)
                return
            if reply["type"] != "state" or record["type"] != "record":
                table.problem(f"is gone, says the server to {self.name}", reply, record)
                return
            table.see_again(self.name, reply, record["moves"])
            color = table.color_of(self.name)
            sits = color is not None and reply["players"][color]["seated"]
            if reply["you"] != (color if sits else None) and table.joiner != self.name:
                table.problem(f"{self.name} is not {color} any more", reply)
            if reply["status"] == PLAYING and color and table.match not in self.welcomed:
                table.problem(f"{self.name} came back and was not told of it")
        return see

    def on_ready(self, reply):
        self.ready = True

    # Playing

    def command(self, table, verb, color, move=None, ply=None):
        """Sends a command for a match, one at a time."""
        pending = Pending(Command(verb, color, move, ply))
        table.pending[self.name] = pending
        words = f"{verb} {table.match}"
        if verb == "move":
            words += f" {move} ply={ply}"

        def on_reply(reply):
            if table.pending.get(self.name) is not pending:
                table.problem("a reply too many", reply)
            elif reply["type"] == "ok":
                pending.acknowledged = True
                self.world.count["moves acknowledged"] += verb == "move"
            else:
                del table.pending[self.name]
                self.world.hear_refusal(self, table, reply)
        self.ask(words, on_reply)

    def decide(self, table):
        """Does something in a match, or waits."""
        if self.name in table.pending or self.name not in table.place:
            return
        known = table.told[max(table.place[self.name], 0)]
        color = table.color_of(self.name)
        if known.status == OPEN:
            self.decide_open(table, color)
        elif color is None:
            return
        elif known.status == OVER:
            self.decide_rematch(table, known, color)
        else:
            self.decide_playing(table, known, color)

    def decide_open(self, table, color):
        rng = self.world.rng
        if table.seats[WHITE] and table.seats[BLACK] and table.opener != self.name:
            self.command(table, "decline" if rng.random() < 0.1 else "join", color)
        elif table.joiner == self.name:
            self.command(table, "join", WHITE if table.seats[WHITE] is None else BLACK)
        elif table.opener == self.name and rng.random() < (0.5 if self.world.closing else 0.01):
            self.command(table, "abort", color)

    def decide_rematch(self, table, known, color):
        rng, mine = self.world.rng, ("rematch", color) in known.offers
        if ("rematch", other(color)) in known.offers:
            wanted = not self.world.closing and rng.random() < 0.5
            self.command(table, "rematch" if wanted else "decline", color)
        elif not mine and self.name not in table.done:
            table.done.add(self.name)
            if not self.world.closing and known.reason != "aborted" and rng.random() < 0.15:
                self.command(table, "rematch", color)

    def decide_playing(self, table, known, color):
        rng, ply = self.world.rng, len(known.moves)
        tired = ply > table.patience or self.world.closing
        my_turn = (color == WHITE) == (ply % 2 == 0)
        offered = [what for what, by in known.offers if by != color]
        if offered and rng.random() < (0.9 if tired else 0.5):
            wanted = tired or rng.random() < 0.4
            self.command(table, offered[0] if wanted else "decline", color)
        elif rng.random() < 0.03 + 0.2 * tired and ("draw", color) not in known.offers:
            self.command(table, "draw", color)
        elif rng.random() < 0.04 and ("undo", color) not in known.offers and \
                ply >= (2 if my_turn else 1):
            self.command(table, "undo", color)
        elif rng.random() < 0.003 + 0.1 * tired:
            self.command(table, "resign", color)
        elif ply < 2 and rng.random() < 0.01:
            self.command(table, "abort", color)
        elif my_turn and table.legal.get(self.name):
            self.command(table, "move", color, rng.choice(table.legal[self.name]), ply)

    def open_match(self):
        rng, world = self.world.rng, self.world
        game = rng.choice(GAMES)
        own = rng.choice((WHITE, BLACK))
        kind = rng.random()
        if kind < 0.3:
            seat = rng.choice(world.bots)
        elif kind < 0.7:
            seat = rng.choice([p.name for p in world.players if p is not self])
        else:
            seat = "open"
        # Without a clock bot:greedy thinks for a second on each move.
        clock = " clock=3+0.1" if seat == "bot:greedy" else rng.choice(CLOCKS)
        private = " private=yes" if rng.random() < 0.15 else ""
        seats = {own: self.name, other(own): None if seat == "open" else seat}
        wish = (game, seats, clock, bool(private))
        self.news.append(wish)

        def on_reply(reply):
            self.news.remove(wish)
            if reply["type"] == "ok":
                world.hear_opened(self, reply["match"], game, seats, clock)
            else:
                world.problem(f"{self.name} cannot open a match", wish, reply)
        self.ask(f"new {game} {own}=me {other(own)}={seat}{clock}{private}", on_reply)
