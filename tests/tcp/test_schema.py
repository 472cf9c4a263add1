"""common/protocol.schema.json: every message that the server sends fits it, and nothing else does.

usage: test_schema.py BUILD_DIR

The messages are those of the transcripts, which test_transcripts prints, and of a server that people and bots play at.
"""
import copy
import json
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder, games_of
from json_schema import Schema

BUILD = build_folder()
WHOLE = json.load(open("common/protocol.schema.json"))
SCHEMA = Schema(WHOLE)
FORMS = [part["$ref"].rsplit("/", 1)[1] for part in WHOLE["oneOf"]]
# Only servers that share a lobby send these: test_cluster_people.c and tests/cluster.
ELSEWHERE = {"nodes"}

seen = {}  # a message of each form


def form_of(message):
    """Returns the only form that the message has, or None."""
    fits = [name for name in FORMS if WHOLE["$defs"][name]["properties"]["type"]["const"] == message.get("type") and
            not SCHEMA.faults(message, {"$ref": f"#/$defs/{name}"})]
    return fits[0] if len(fits) == 1 else None


def check_all(checks, messages, what):
    wrong, kinds = {}, set()
    for message in messages:
        name = form_of(message)
        if name is None:
            wrong.setdefault(str(SCHEMA.faults(message))[:300], message)
        else:
            kinds.add(name)
            # One with much in it makes a better example.
            if len(json.dumps(message)) > len(json.dumps(seen.get(name, {}))):
                seen[name] = message
    checks.equal(list(wrong.items())[:5], [], f"{what}: every message fits")
    return kinds


def keywords(checks):
    """Each keyword refuses what it has to, and an unknown one is an error."""
    for schema, good, bad in (
            ({"type": "integer"}, [0, 2.0], [True, 1.5, "1", None]), ({"type": ["string", "null"]}, ["", None], [0, []]),
            ({"type": "number"}, [1, 1.5], [True]), ({"const": True}, [True], [1]), ({"enum": [None, "a", 1]}, [None, "a", 1], [True, "b", 0]),
            ({"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False},
             [{"a": "x"}, 7], [{}, {"a": 1}, {"a": "x", "b": 1}]),
            ({"items": {"minimum": 1, "maximum": 3}, "minItems": 1, "maxItems": 2}, [[1], [3, 1]], [[], [0], [4], [1, 1, 1]]),
            ({"pattern": "^a"}, ["ab", 3], ["ba"]), ({"oneOf": [{"type": "integer"}, {"minimum": 5}]}, [3, 5.5], [7, 3.5]),
            ({"$ref": "#/$defs/x", "$defs": {"x": {"const": 1}}}, [1], [2])):
        checks.equal([value for value in good if Schema(schema).faults(value)], [], f"{schema} takes these")
        checks.equal([value for value in bad if not Schema(schema).faults(value)], [], f"{schema} refuses these")
    for schema in ({"format": "date"}, {"properties": {"a": {"if": {}}}}, {"items": {"prefixItems": []}}):
        try:
            checks.check(not Schema(schema), f"{schema} is refused")
        except ValueError as error:
            checks.check("not known" in str(error), f"{schema} is refused", error)


def transcripts(checks):
    program = os.path.join(BUILD, "tests", "test_transcripts")
    if not os.path.exists(program):
        print("test_schema: SKIPPED the transcripts: test_transcripts is not built")
        return
    # A pipe, as in some transcripts the disk is full, and one of its own, as standard output has what fails.
    reader, writer = os.pipe()
    with subprocess.Popen([program, "--messages", f"/dev/fd/{writer}"], pass_fds=[writer], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL), open(reader, errors="replace") as pipe:
        os.close(writer)
        lines = {line for line in pipe if line.startswith("{")}
    checks.check(len(lines) > 5000, "so many different messages", len(lines))
    kinds = check_all(checks, map(json.loads, lines), "transcripts")
    checks.equal(sorted(set(FORMS) - kinds - ELSEWHERE - {"review", "analysis"}), [], "they have every form")


def a_server(checks):
    """A tournament of bots, reviews, analyses, and every command without arguments, of all games."""
    rng, got = random.Random(1), []
    with Server(BUILD, "--bots", "random,greedy", checks=checks) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        verbs = [row["verb"] for row in anna.ask("help")["commands"]]
        for verb in verbs:
            if verb not in ("quit", "hello", "set"):
                got.append(anna.ask(verb))
        match = None
        for game in games_of(BUILD):
            match = anna.ask(f"new {game} black=bot:greedy")["match"]
            while True:
                state = anna.wait_for("state", match=match)
                got.append(state)
                if state["status"] == "over":
                    break
                if state.get("legal"):
                    anna.send(f"move {match} {rng.choice(state['legal'])} ply={state['ply']} eval=12")
        match = anna.ask("new clobber:3x3 white=me black=me")["match"]
        while (state := anna.ask(f"state {match}"))["status"] != "over":
            if not state.get("legal"):
                continue
            got.append(anna.ask(f"move {match} {state['legal'][0]} eval=1 pv={state['legal'][0]}"))
        got += [bob.ask(line) for line in (f"review {match}", "analyse clobber:3x3", "analyse clobber b2c2 position=3/1Pp/3 w", f"record {match} positions=0", "top clobber", "history anna", "list", "who")]
        got.append(bob.ask("quit"))
    check_all(checks, got, "a server")
    # Each verb has its own reply, or an ok.
    replies = {name for form in WHOLE["$defs"].values() for name in [form.get("properties", {}).get("type", {}).get("const")] if name}
    oks = {cmd for form in FORMS if form.startswith("ok_") for rule in [WHOLE["$defs"][form]["properties"]["cmd"]]
           for cmd in rule.get("enum", [rule.get("const")])}
    known = oks | (replies - {"ok", "error"}) | {"ping", "quit", "analyse"}
    checks.equal(sorted(set(verbs) - known), [], "every command has a reply there")
    checks.equal(sorted(oks - set(verbs)), [], "and no other has an ok")


def another_validator(checks):
    """ajv, in its strict mode, which `make web-test` installs, agrees about the schema and the messages."""
    if not os.path.exists("tests/web/node_modules/ajv/dist/2020.js") or shutil.which("node") is None:
        print("test_schema: SKIPPED another validator: ajv is not in tests/web/node_modules, see make web-tools")
        return
    lines = [json.dumps(message) for message in seen.values()] + ['{"type":"news"}', '{"type":"ping","novelty":1}']
    script = """const Ajv = require("./tests/web/node_modules/ajv/dist/2020"), fs = require("fs");
        const schema = JSON.parse(fs.readFileSync("common/protocol.schema.json"));
        const validate = new Ajv({strict: true, allowUnionTypes: true}).compile(schema);
        for (const line of fs.readFileSync(0, "utf8").trim().split("\\n"))
            console.log(validate(JSON.parse(line)));"""
    done = subprocess.run(["node", "-e", script], input="\n".join(lines), capture_output=True, text=True)
    checks.equal((done.stderr, done.stdout.split()), ("", ["true"] * len(seen) + ["false"] * 2), "ajv agrees")


def nothing_else(checks):
    """An unknown field or message is refused, at any depth, and so is one that lacks a field."""
    def objects(value):
        if isinstance(value, dict):
            yield value
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from objects(part)

    if "ok_match" in seen and "challenge" in seen:  # the transcripts were there
        checks.equal(sorted(set(FORMS) - set(seen)), sorted(ELSEWHERE), "there is an example of every form")
    nodes = {"type": "nodes", "node": 2, "nodes": ["10.0.0.1:7117", "10.0.0.2:7117"]}
    checks.equal(form_of(nodes), "nodes", "one that only servers in company send")
    for name, message in seen.items():
        for i in range(len(list(objects(message)))):
            changed = copy.deepcopy(message)
            list(objects(changed))[i]["novelty"] = 1
            checks.check(form_of(changed) is None and SCHEMA.faults(changed), f"{name}: an unknown field is refused", changed)
        for field in WHOLE["$defs"][name]["required"]:
            less = {key: value for key, value in message.items() if key != field}
            checks.check(form_of(less) != name, f"{name}: without {field}", less)
    for message in ({"type": "news"}, {"type": "ok", "cmd": "fly"}, {}, [], "hello", {"type": "error", "code": "nonsense", "message": ""}):
        checks.check(SCHEMA.faults(message), f"{message} is refused")


if __name__ == "__main__":
    sys.exit(Checks("test_schema").run([keywords, transcripts, a_server, nothing_else, another_validator]))
