"""Every screen of the page, for the tests that look at them and for pictures."""
from page import by_click, square

# One position of each game that shows what is special about it.
POSITIONS = {
    "clobber": "1pPpP/pP1Pp/P1PpP/pPp1p/Pp1pP/pPpP1 w",
    "xadrersi": "8/8/2nQ4/1r2qR2/3Kb3/2N5/8/8[RBBNkrbn] w - b5",
    "latrunculi": "2ss1s1s/3d4/1s6/3sS3/2S2s2/6S1/3SD3/S1S2S1S w 0",
    "shakti": "*1w2k*/2*1w2/1*1*3/2W1*2/3*2*/1K*2W1/*2*2* w 0",
}
# What is picked up there, to show where it may go.
CHOSEN = {"clobber": "b5", "xadrersi": None, "latrunculi": "f1", "shakti": "c4"}


class Gallery:
    """A server with a page, and with peers that give it something to show."""

    def __init__(self, stage):
        self.stage = stage
        self.server = stage.server("--no-bots", "--grace", "1", "--idle", "3600")
        self.page = stage.page(self.server)
        self.bob, self.carla = stage.peer(self.server, "bob"), stage.peer(self.server, "carla")
        self.page.take_name("anna")

    def match(self, game, position=None, clock="clock=300+5 "):
        """Seats the page as white against bob."""
        where = f"position={position}" if position else ""
        reply = self.bob.ask(f"new {game} white=anna black=me {clock}{where}")
        match = reply["match"] if reply["type"] == "ok" else self.stage.checks.check(False, "new", reply)
        self.page.click(f'.challenge[data-match="{match}"] .primary').there(f'#match[data-match="{match}"]')
        self.page.there('#match[data-status="playing"]')
        return match

    def board(self, game):
        """Shows a position of the game, with a piece picked up."""
        match = self.match(game, POSITIONS[game])
        self.page.mine(int(self.page.run("return document.querySelector('#match').dataset.ply")))
        if CHOSEN[game]:
            self.page.click(square(CHOSEN[game])).there(".cell.target")
        return match

    def screens(self):
        """Shows one screen after the other, and yields its name."""
        for group in (self.places, self.boards, self.talks, self.notices):
            yield from group()

    def places(self):
        self.carla.ask("new shakti white=me black=open clock=180+2")
        self.carla.ask("seek clobber clock=300+5")
        self.bob.ask("new clobber white=me black=me")
        yield "start", self.page.go("#/").there('[data-list="open"] .row').there(".lobby .scene")
        yield "looking for an opponent", self.page.seek("shakti", clock="600+5")
        self.page.click('[data-action="unseek"]').gone("#seeking")
        invitation = self.bob.ask("new latrunculi private=yes clock=300+5")["match"]
        yield "an invitation", self.page.go(f"#/m/{invitation}").there("#invited")
        for name, shown in (("new/clobber", "#setup"), ("new/xadrersi", "#setup"), ("players", "#here li"),
                            ("history", "#history"), ("you", "#name"), ("settings", "#settings .scene"), ("m/4711", ".empty"),
                            ("device/dora/ABCD-2345", '[data-action="use"]')):
            yield name, self.page.go(f"#/{name}").there(shown)
        for game in POSITIONS:
            yield f"rules/{game}", self.page.go(f"#/rules/{game}").there("#shown-rules .rule")
            yield f"learn/{game}", self.page.go(f"#/learn/{game}/2").there("#lesson [data-square]")
            yield f"puzzle/{game}", self.page.go(f"#/puzzle/{game}/1").there("#puzzle [data-square]")
            yield f"analysis/{game}", self.page.go(f"#/analysis/{game}").there("#analysis [data-square]")
        self.page.start("clobber", opponent="friend", color="white")
        yield "an open match", self.page.there("#link")

    def boards(self):
        for game in POSITIONS:
            self.board(game)
            yield f"a match of {game}", self.page

    def talks(self):
        match = self.match("xadrersi")
        by_click(self.page.mine(0), "K@d4")
        self.page.at(1)
        for line in ("move {} Q@d5", "say {} Good luck, and a line that is long enough for two on a phone!", "draw {}", "undo {}"):
            self.bob.ask(line.format(match))
        self.page.write("#say", "and you").press("enter").expect("and you", "#chat-lines")
        self.page.write("#move", "h8h7").press("enter").there("#problem")
        yield "offers, chat and a problem", self.page.there('[data-offer="draw"]')
        self.bob.ask(f"resign {match}")
        yield "the end", self.page.there('#match[data-status="over"]')
        yield "a player with ratings", self.page.go("#/players").there("#top table")
        yield "a history", self.page.go("#/history").there("#history .row")
        yield "a profile", self.page.go("#/p/bob").there("#sums")
        cup = self.bob.ask("tournament new Friday-cup clobber:4x5 format=round-robin")["tournament"]
        for player in (self.bob, self.carla):
            player.ask(f"tournament join {cup}")
        yield "tournaments", self.page.go("#/tournaments").there("#tournaments .row").click("#open-form summary").there("#new-tournament")
        self.bob.ask(f"tournament start {cup}")
        yield "a tournament", self.page.go(f"#/t/{cup}").there("#boards .scene").there("#crosstable")
        yield "a tournament on a projector", self.page.go(f"#/t/{cup}/screen").there("#screen-match .scene").there("#standings")
        self.page.go("#/")
        self.bob.ask(f"tournament abort {cup}")
        self.match("clobber", clock="")
        self.bob.close()
        yield "a claim", self.page.there('[data-action="claim"]')

    def notices(self):
        self.carla.ask("new shakti white=me black=anna")
        yield "a challenge", self.page.go("#/").there(".challenge")
        player = self.page.run("return JSON.parse(localStorage.getItem('ludus.player'))")
        self.server.connect().ask(f"hello anna token={player['token']} only=yes")
        yield "replaced", self.page.there("#replaced")
        guarded = self.stage.server("--no-bots", "--code", "sesame99")
        self.page.top = f"http://{guarded.address}/"
        self.page.window.go(self.page.top)
        yield "a join code", self.page.write("#code", "wrong").press("enter").there("#code-form .problem")
