#!/usr/bin/env node
/* A bot for a Ludus server, to copy: replace choose().

usage: node player.js NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]
It accepts challenges, or looks for opponents with seek= or tournament=, and plays many matches at once. It
comes back after a lost connection, with the token that it keeps in the file NAME.token. Ctrl-C ends it. */
"use strict";
const GAMES = ["clobber", "xadrersi", "latrunculi", "shakti"];
const MATCHES_MAX = 8;
const RETRY_MS = 300000; // how long to try to connect

/* Returns a move: it is our turn. protocol.md describes `state`; with a clock, state.clock[state.turn + "_ms"] are
 * left. It must not take more than 20 s, or the server misses us. */
function choose(state) {
    return state.legal[Math.floor(Math.random() * state.legal.length)];
}

const words = process.argv.slice(2).filter((word) => !word.includes("="));
const wishes = Object.fromEntries(process.argv.slice(2).filter((word) => word.includes("="))
    .map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
if (words.length === 0)
    fail("usage: node player.js NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]");
const [name, address = "localhost:7117"] = words;
const [, host, port] = address.match(/^\[?(.*?)\]?:(\d+)$/) || fail(`${address}: write HOST:PORT`);
const file = `${name}.token`;
let fs, net, server, matches, moves, pauseMs = 100, lostMs = Date.now();

function fail(why) {
    console.error(`player.js: ${why}`);
    process.exit(1);
}

function send(line) {
    server.write(line + "\n");
}
function hello() {
    const token = fs.existsSync(file) ? ` token=${fs.readFileSync(file, "utf8").trim()}` : "";
    send(`hello ${name} bot=yes only=yes client=player.js max=${MATCHES_MAX}${token}`);
}

const handlers = {
    ok(message) {
        if (message.cmd !== "hello")
            return;
        fs.writeFileSync(file, message.token, { mode: 0o600 });
        [pauseMs, lostMs] = [100, 0];
        console.log(`${name} plays at ${address}`);
        if (message.matches) // more than the 50 that come by themselves
            send("#50 list mine from=50");
        if (wishes.seek)
            send(`seek ${wishes.seek}${wishes.clock ? ` clock=${wishes.clock}` : ""} repeat=yes`);
        if (wishes.tournament)
            send(`tournament join ${wishes.tournament}`);
    },
    error({ cmd, code, id, message, retry_ms: retryMs = 1000 }) {
        const passes = ["rate-limited", "server-busy", "internal"].includes(code);
        if (cmd === "move" && passes) { // nothing has changed, so no state comes
            setTimeout(() => send(moves.get(id) || ""), retryMs);
        } else if (cmd === "hello" && ["name-taken", "bad-token"].includes(code) && fs.existsSync(file)) {
            fs.unlinkSync(file); // the server does not know us any more
            hello();
        } else if (cmd === "hello" && passes) {
            server.destroy();
        } else if (cmd === "hello") {
            fail(message);
        } else if (cmd === "seek" || cmd === "tournament") {
            console.log(`${cmd}: ${message}`);
        }
    },
    state(state) {
        const { match } = state;
        if (state.status === "over") {
            if (matches.delete(match))
                console.log(`match ${match}: ${state.result} ${state.reason}, we were ${state.you}`);
        } else if (state.you) {
            for (const offer of matches.has(match) ? [] : state.offers) // made while we were away
                handlers.offer({ ...offer, match, open: true });
            matches.add(match);
            if (state.legal && state.legal.length > 0) {
                moves.set(match, `#${match} move ${match} ${choose(state)} ply=${state.ply}`);
                send(moves.get(match));
            }
        }
    },
    list({ id, matches: rows }) {
        rows.forEach((row) => send(`state ${row.match}`));
        if (rows.length > 0)
            send(`#${Number(id) + rows.length} list mine from=${Number(id) + rows.length}`);
    },
    challenge({ match, game }) {
        const why = matches.size >= MATCHES_MAX ? "busy" : GAMES.includes(game) ? "" : "game";
        send(why ? `decline ${match} ${why}` : `join ${match}`);
    },
    offer({ match, what, from, open }) {
        const agreed = what === "undo" || (what === "rematch" && matches.size < MATCHES_MAX);
        if (open && from !== name)
            send(`${agreed ? what : "decline"} ${match}`);
    },
    presence({ match, name: who, claim_ms: claimMs }) {
        if (claimMs !== null && who !== name) // the opponent has gone
            setTimeout(() => send(`claim ${match}`), claimMs + 100);
    },
    ping: () => send("ping"),
    bye({ reason }) {
        if (["replaced", "too-many-errors", "limit"].includes(reason))
            fail(`the server says goodbye: ${reason}`);
    },
};

function play() {
    let text = "";
    [matches, moves] = [new Set(), new Map()];
    server = net.connect(Number(port), host || "localhost", hello).setEncoding("utf8").setNoDelay(true);
    server.setTimeout(90000, () => server.destroy()); // the server is never silent for so long
    server.on("data", (more) => {
        const lines = (text + more).split("\n");
        text = lines.pop();
        for (const message of lines.map((line) => JSON.parse(line)))
            (handlers[message.type] || (() => {}))(message);
    });
    server.on("error", (error) => console.log(`${error.message}: trying again`));
    server.on("close", () => {
        if (Date.now() > (lostMs ||= Date.now()) + RETRY_MS)
            fail("no server");
        setTimeout(play, pauseMs);
        pauseMs = Math.min(2 * pauseMs, 5000);
    });
}
// import() works in packages of either type.
Promise.all([import("node:fs"), import("node:net")]).then((modules) => { [fs, net] = modules; play(); });
