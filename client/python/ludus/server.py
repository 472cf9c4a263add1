"""A player at a server, who does all that protocol.md's list "A bot should" asks for. AsyncServer is for asyncio, Server for all others."""
import asyncio
import contextlib
import inspect
import json
import os
import ssl
import threading
import time

from .engine import Thought
from .position import Game, Position

PASSING = ("rate-limited", "server-busy", "internal")  # nothing has changed: send it again later
FINAL = ("replaced", "revoked", "too-many-errors", "limit", "closed")  # reasons of `bye` after which one does not come back
SILENCE_S, LINE_BYTES_MAX, PV_MAX = 90, 1 << 24, 6  # a server is never silent for so long


class Gone(ConnectionError):
    """The connection has ended before a reply came."""


class Refused(Exception):
    """A server's error, or its goodbye: `code` is for programs, the text for people, `retry_ms` when to try again."""

    def __init__(self, code, message, retry_ms=1000):
        super().__init__(message)
        self.code, self.retry_ms = code, retry_ms


def token_path(name, host, port):
    folder = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(folder, "ludus", f"{name}@{host}:{port}.token")


def position_of(state):
    """Returns the Position in a `state`."""
    return Position(state["position"], f"{state['game']}:{state['variant']}")


async def in_thread(function, value):
    """Returns function(value), computed in a thread that the end of the program does not wait for."""
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def settle(result, error):
        if not future.done():  # nobody has given up waiting
            future.set_exception(error) if error is not None else future.set_result(result)

    def run():
        try:
            outcome = function(value), None
        except BaseException as error:  # no future takes a StopIteration
            outcome = None, RuntimeError(repr(error)) if isinstance(error, StopIteration) else error
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future


def words_of(thought):
    """The move, and what is thought of it, as words of the command."""
    if not isinstance(thought, Thought):
        return thought, ""
    eval_cp = thought.score_cp if not thought.mate else (30000 - 2 * abs(thought.mate)) * (1 if thought.mate > 0 else -1)
    said = "" if eval_cp is None else f" eval={max(-30000, min(30000, eval_cp))}"
    return thought.move, said + (f" pv={','.join(thought.pv[:PV_MAX])}" if thought.pv[:1] == [thought.move] else "")


class AsyncServer:
    def __init__(self, name, address="localhost:7117", games=None, max_matches=8, accept=None, agree=None, token_file=None, code=None,
                 tls=None, retry_s=300):
        """A player of this name; tls://HOST:PORT for TLS, or `tls` with an ssl.SSLContext. It joins challenges to `games` (all), as far as
        accept(challenge) is True; a text, such as "rated", is its reason to decline. It accepts take-backs and rematches, or what
        agree(offer) says. Its token is in `token_file`; it tries for `retry_s` to connect, and to come back."""
        secure = address.startswith("tls://")
        host, _, port = address[6 * secure:].rpartition(":")
        if not port.isdigit():
            raise ValueError(f"{address}: write HOST:PORT")
        self.name, self.host, self.port, self.code, self.retry_s = name, host.strip("[]") or "localhost", int(port), code, retry_s
        self.tls = tls or (ssl.create_default_context() if secure else None)
        self.games, self.max_matches = games, max_matches
        self._accept, self._agree = accept or (lambda challenge: True), agree or (lambda offer: offer["what"] != "draw")
        self.token_file = token_file or token_path(name, self.host, self.port)
        self.matches, self.wishes, self._granted = set(), [], set()
        self._writer, self._asked, self._turns, self._claims = None, {}, {}, {}
        self._number, self._live, self._here, self._ended, self._tasks = 0, None, None, None, set()
        self._choose = self._told = self._played = None
        self._left = float("inf")

    # ---- For users ----

    async def __aenter__(self):
        self.start()
        return self

    async def __aexit__(self, *ignored):
        await self.close()

    def start(self):
        """Connects, in a task that comes back until close()."""
        if self._live is None:
            self._here, self._ended = asyncio.Event(), asyncio.get_running_loop().create_future()
            self._live = asyncio.ensure_future(self._stay())

    async def close(self):
        """Leaves: matches go on at the server, which waits for the player."""
        if self._live is not None:
            for task in (*self._tasks, self._live):
                task.cancel()
            while not self._live.done():  # before Python 3.12, wait_for() can lose a cancel()
                self._live.cancel()
                await asyncio.wait({*self._tasks, self._live}, timeout=0.1)
            self._live = None

    async def play(self, choose, matches=None, told=None):
        """Plays for ever, or until so many matches are over. choose(state), a function, which runs in a thread, or a coroutine, returns a
        move, or a Thought, whose value goes into the record. told(message), if given, hears all that the server says."""
        self._choose, self._told, self._left = choose, told, float("inf") if matches is None else matches
        self._played = asyncio.get_running_loop().create_future()
        self.start()
        try:
            await asyncio.wait({self._played, self._ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._choose = self._told = None
        if self._ended.done():
            self._ended.result()

    async def ask(self, line):
        """Sends a command as protocol.md has it, once the player is there, and returns the reply. Refused, or ConnectionError if the
        connection ends before it comes."""
        self.start()
        waiter = asyncio.ensure_future(self._here.wait())
        await asyncio.wait({waiter, self._ended}, return_when=asyncio.FIRST_COMPLETED)
        waiter.cancel()
        if self._ended.done():
            self._ended.result()
            raise ConnectionError("it has left")
        return await self._ask(line)

    async def wish(self, line):
        """Sends a command when the player is there, and whenever it comes back. If it is refused then, play() ends with that."""
        self.wishes.append(line)
        if self._here is not None and self._here.is_set():
            self._spawn(self._repeat(line))

    async def seek(self, game, clock=None, more=""):
        """Lets the server find opponents, one after the other; `more` such as "rating=1400-1600 bots=no"."""
        await self.wish(f"seek {game}{f' clock={clock}' if clock else ''} repeat=yes {more}".rstrip())

    async def enter(self, tournament):
        """Takes part in a tournament."""
        await self.wish(f"tournament join {tournament}")

    async def new(self, game, **options):
        """Opens a match and returns its id: new("shakti", black="bot:easy", clock="60+1")."""
        last = options.pop("position", None)
        words = "".join(f" {name}={value}" for name, value in options.items())
        return (await self.ask(f"new {game}{words}{f' position={last}' if last else ''}"))["match"]

    async def game(self, match):
        """Returns the Game of a match so far, or of one that is over."""
        record = await self.ask(f"record {match}")
        game = Game(Position(record["start"], f"{record['game']}:{record['variant']}"))
        for move in record["moves"]:
            game.play(move)
        return game

    # ---- The connection ----

    async def _stay(self):
        """Connects and comes back, until there is a reason not to."""
        pause_s, lost = 0.1, time.monotonic()
        try:
            while True:
                try:
                    await self._visit()
                except (OSError, EOFError, asyncio.TimeoutError) as error:
                    if self._here.is_set():
                        pause_s, lost = 0.1, time.monotonic()
                    if time.monotonic() > lost + self.retry_s or isinstance(error, ssl.SSLCertVerificationError):
                        raise ConnectionError(f"{self.host}:{self.port}: {error}") from None
                finally:
                    self._part()
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, 5)
        except (Exception, asyncio.CancelledError) as error:
            self._end(None if isinstance(error, asyncio.CancelledError) else error)

    async def _visit(self):
        reader, self._writer = await asyncio.wait_for(asyncio.open_connection(self.host, self.port, ssl=self.tls, limit=LINE_BYTES_MAX), 30)
        self._hello()
        while True:
            silence = asyncio.get_running_loop().call_later(SILENCE_S, self._writer.transport.abort)
            try:
                line = await reader.readline()
            finally:
                silence.cancel()
            if not line.endswith(b"\n"):
                raise EOFError("the connection has ended")
            try:
                message = json.loads(line)
            except ValueError:
                raise Gone("the server does not speak JSON") from None
            if "id" in message and message["id"] in self._asked:
                self._answer(message)
            else:
                getattr(self, "_on_" + message["type"], lambda message: None)(message)
            if self._told is not None:
                self._told(message)

    def _part(self):
        self._here.clear()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self.matches.clear()
        for claim in self._claims.values():
            claim.cancel()
        self._claims.clear()
        asked, self._asked = self._asked, {}
        for future in asked.values():
            future.done() or future.set_exception(Gone("the connection has ended"))

    def _end(self, error):
        if self._ended.done():
            return
        if error is None:
            self._ended.set_result(None)
        else:
            self._ended.set_exception(error)
            self._ended.exception()  # who waits sees it; nobody need

    def _send(self, line):
        if self._writer is not None:
            self._writer.write((line + "\n").encode())

    async def _ask(self, line):
        if self._writer is None:
            raise Gone("the connection has ended")
        self._number += 1
        number, future = str(self._number), asyncio.get_running_loop().create_future()
        self._asked[number] = future
        self._send(f"#{number} {line}")
        return await future

    def _answer(self, message):
        future = self._asked.pop(message["id"])
        if future.done():
            return
        if message["type"] == "error":
            future.set_exception(Refused(message["code"], message["message"], message.get("retry_ms", 1000)))
        else:
            future.set_result(message)

    def _spawn(self, coroutine):
        """Runs it. What it raises ends play(), but for what a server may refuse and a connection that ends."""
        async def guarded():
            try:
                await coroutine
            except (asyncio.CancelledError, Gone):
                pass  # what was to be done is said again with the name
            except BaseException as error:
                self._end(error)
                self._live.cancel()
        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---- The player ----

    def _hello(self):
        token = ""
        with contextlib.suppress(FileNotFoundError), open(self.token_file, encoding="ascii") as file:
            token = f" token={file.read().strip()}"
        code = f" code={self.code}" if self.code else ""
        self._send(f"hello {self.name} bot=yes only=yes client=ludus-python/1 max={self.max_matches}{code}{token}")

    def _keep(self, token):
        os.makedirs(os.path.dirname(self.token_file) or ".", mode=0o700, exist_ok=True)
        draft = f"{self.token_file}.{os.getpid()}"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(token)
        os.replace(draft, self.token_file)

    def _on_ok(self, message):
        if message["cmd"] != "hello":
            return
        self._keep(message["token"])
        self._here.set()
        if "matches" in message:
            self._spawn(self._fetch_others())
        for wish in self.wishes[:]:
            self._spawn(self._repeat(wish))

    def _on_error(self, message):
        if message.get("cmd") != "hello":
            return
        if message["code"] in ("name-taken", "bad-token") and os.path.exists(self.token_file):
            os.unlink(self.token_file)  # the server does not know us any more
            self._hello()
        elif message["code"] in PASSING:
            raise ConnectionError(message["message"])
        else:
            raise Refused(message["code"], message["message"])

    async def _repeat(self, wish):
        """Sends a wish, again if it is refused for now. One that was granted before is dropped if it cannot be granted any more."""
        while True:
            try:
                await self._ask(wish)
                self._granted.add(wish)
                return
            except Refused as refused:
                if refused.code in PASSING or refused.code == "limit-reached":
                    await asyncio.sleep(max(refused.retry_ms, 1000) / 1000)
                elif wish in self._granted:
                    self.wishes.remove(wish)  # such as a tournament that is over
                    return
                else:
                    raise

    async def _fetch_others(self):
        """Asks for the matches beyond the fifty that come by themselves. As one that ends moves the others up, it asks again."""
        known, new = set(), True
        while new:
            start, new = 0, False
            while True:
                rows = (await self._ask(f"list mine from={start}"))["matches"]
                if not rows:
                    break
                for row in rows:
                    if row["match"] not in known and row["match"] not in self.matches:
                        new = True
                        self._send(f"state {row['match']}")
                    known.add(row["match"])
                start += len(rows)

    def _on_state(self, state):
        match, key = state["match"], (state["ply"], state["position"])
        turn = self._turns.get(match)
        if turn is not None and (turn[0] != key or not state.get("legal")):
            self._turns.pop(match)[1].cancel()  # the match is elsewhere
        self._await_claim(match, None)
        if state["status"] == "over" or not state["you"]:
            if match in self.matches:
                self.matches.discard(match)
                self._left -= 1
                if self._left <= 0 and not self._played.done():
                    self._played.set_result(None)
            return
        if match not in self.matches:
            for offer in state["offers"]:  # made while we were away
                self._on_offer({**offer, "match": match, "open": True})
            self.matches.add(match)
        for side, player in state.get("players", {}).items():
            if player is not None and side != state["you"]:
                late = [player[name] for name in ("claim_ms", "stall_ms") if player.get(name) is not None]
                self._await_claim(match, min(late) if late else None)
        if state.get("legal") and self._choose is not None and match not in self._turns:
            task = self._spawn(self._move(state))
            self._turns[match] = key, task
            task.add_done_callback(lambda task: self._turns.get(match) == (key, task) and self._turns.pop(match))

    async def _move(self, state):
        if inspect.iscoroutinefunction(self._choose):
            chosen = await self._choose(state)
        else:
            chosen = await in_thread(self._choose, state)
        move, said = words_of(chosen)
        while True:
            try:
                await self._ask(f"move {state['match']} {move} ply={state['ply']}{said}")
                return
            except Refused as refused:
                if refused.code in ("stale-ply", "match-over", "not-your-turn", "unknown-match"):
                    return  # the next state has everything
                if refused.code not in PASSING:
                    raise
                await asyncio.sleep(refused.retry_ms / 1000 + 0.01)

    def _await_claim(self, match, wait_ms):
        """Claims the win over an opponent who has gone, in so many milliseconds."""
        if match in self._claims:
            self._claims.pop(match).cancel()
        if wait_ms is not None:
            self._claims[match] = asyncio.get_running_loop().call_later(wait_ms / 1000 + 0.1, self._send, f"claim {match}")

    def _on_presence(self, presence):
        if presence["name"].lower() != self.name.lower():
            self._await_claim(presence["match"], presence["claim_ms"])

    def _on_challenge(self, challenge):
        match = challenge["match"]
        reason = "busy" if len(self.matches) >= self.max_matches and match not in self.matches else \
            "game" if self.games is not None and challenge["game"] not in self.games and \
            f"{challenge['game']}:{challenge['variant']}" not in self.games else self._accept(challenge)
        if reason is True:
            self.matches.add(match)  # a place is taken
            self._send(f"join {match}")
        else:
            self._send(f"decline {match} {reason or ''}".rstrip())

    def _on_offer(self, offer):
        if offer["open"] and offer["from"].lower() != self.name.lower():
            full = offer["what"] == "rematch" and len(self.matches) >= self.max_matches
            self._send(f"{offer['what'] if not full and self._agree(offer) else 'decline'} {offer['match']}")

    def _on_ping(self, message):
        self._send("ping")

    def _on_bye(self, message):
        if message["reason"] in FINAL:
            raise Refused(message["reason"], f"the server says goodbye: {message['reason']}")


class Server:
    """The same for programs without asyncio: every method returns when it is done, and may be called from any thread, also from choose()."""

    def __init__(self, name, address="localhost:7117", **options):
        """As AsyncServer()."""
        self._server, self._loop = AsyncServer(name, address, **options), asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def _wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self):
        self._wait(self._server.close())

    def play(self, choose, matches=None, told=None):
        self._wait(self._server.play(choose, matches, told))

    def ask(self, line):
        return self._wait(self._server.ask(line))

    def seek(self, game, clock=None, more=""):
        self._wait(self._server.seek(game, clock, more))

    def enter(self, tournament):
        self._wait(self._server.enter(tournament))

    def new(self, game, **options):
        return self._wait(self._server.new(game, **options))

    def game(self, match):
        return self._wait(self._server.game(match))

    @property
    def matches(self):
        """The ids of matches that run."""
        return set(self._server.matches)
