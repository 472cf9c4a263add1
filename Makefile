# Ludus. The targets are listed by `make help`.

BUILD  ?= build
PORT   ?= 7117
# Where the server of `make run` keeps its matches; empty: where ludusd does by itself.
DATA   ?=
CC     ?= cc
# -O2 takes twice as long to compile as -Og: it is for what people wait for, see LEVEL below.
CFLAGS ?= -O$(LEVEL)
LEVEL   = g
VERSION = 0.1.0

WARN  = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla \
        -Wformat=2 -Wundef
# Every x86-64 processor since 2009 has the popcnt instruction, which move counting lives on.
ifeq ($(shell uname -m),x86_64)
CPU ?= -march=x86-64-v2
endif
# make WERROR= builds with a compiler that has warnings of its own
WERROR ?= -Werror

# All cores, unless make was told otherwise, is a part of another make, or has several goals, which it
# takes in turn.
JOBS     ?= $(shell nproc)
SUB_MAKE  = $(MAKE) --no-print-directory
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))$(word 2,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS)
endif

ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(CPPFLAGS) -DLUDUS_VERSION='"$(VERSION)"' $(WARN) $(WERROR) $(CPU) \
             -include common/banned.h -I. $(SANITIZE) $(CFLAGS)
SANITIZE ?=

# By the names that the libraries have in Debian; another system may call them otherwise:
# make SHOW_LIBS="-ledit -lncurses"
EVENT_LIBS = -levent_openssl -levent_core
TLS_LIBS   = -lssl -lcrypto
CJSON_LIBS = -lcjson
# What the server needs, and so do the tests of its parts.
SERVER_LIBS = $(EVENT_LIBS) $(TLS_LIBS) -lz -lwslay -lsqlite3 -lpq -lsodium -lunistring -lm
# What the client shows itself with.
SHOW_LIBS = -ledit -lncursesw -ltinfo
QR_LIBS   = -lqrencode

# What only ludusd and ludus are linked with: QR codes and puzzles.
BOTH    := common/qr_code.c common/puzzle.c puzzle_files.c
COMMON  := $(filter-out $(BOTH),$(wildcard common/*.c common/games/*.c)) opening_files.c
SERVER  := $(wildcard server/*.c server/*/*.c server/*/*/*.c server/*/*/*/*.c)
LINK    := $(wildcard client/link/*.c)
GUIDES  := $(wildcard client/games/*.c)
ENGINE  := $(wildcard client/engine/*.c)
SEATING := $(wildcard client/seating/*.c)
CLIENT  := $(wildcard client/ludus/*.c client/ludus/*/*.c client/ludus/*/*/*.c client/course/*.c) board_files.c $(GUIDES) $(ENGINE) $(LINK)
BOT     := $(wildcard client/bot/*.c client/bot/*/*.c client/gauntlet/*.c) $(GUIDES) $(ENGINE) $(SEATING) $(LINK)
BRIDGE  := $(wildcard client/bridge/*.c) $(ENGINE) $(SEATING) $(LINK)
# Made of other files, so that ludusd needs none of them at run time.
PACKED := page_files.c postgres_sql.c
# The parts of the programs that tests drive in memory: all but what has main().
SERVER_CORE := $(filter-out server/main.c,$(SERVER)) $(PACKED)
BOT_CORE    := $(filter-out client/bot/main.c,$(BOT))

# The rules and the search of the bots; and the server and what measures it, but for tests with sanitizers.
$(patsubst %,$(BUILD)/obj/%/%.o,common client/bot client/games): LEVEL = 2
$(patsubst %,$(BUILD)/obj/%/%.o,server tests/bench): LEVEL = $(if $(SANITIZE),g,2)

# make coverage counts the branches of server/ and common/: by these flags, with this linked into
# ludusd, and with the objects of the bots, which are not counted, from this folder.
COUNT      ?=
COUNT_LINK ?=
PLAIN      ?= $(BUILD)
$(BUILD)/obj/server/%.o $(BUILD)/obj/common/%.o: ALL_CFLAGS += $(COUNT)

PROGRAMS := $(BUILD)/ludusd $(BUILD)/ludus $(BUILD)/ludus-bot $(BUILD)/ludus-bridge
TESTS    := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(wildcard tests/unit/*/test_*.c tests/bench/test_*.c)))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

SOURCES := $(sort $(COMMON) $(BOTH) $(SERVER) $(CLIENT) $(BOT) $(BRIDGE) $(wildcard client/library/*.c))

# Catalogues of the languages of ludus: one client/languages/LANG.po each, and nothing else.
LANGUAGES  := $(patsubst client/languages/%.po,%,$(wildcard client/languages/*.po))
CATALOGUES := $(LANGUAGES:%=$(BUILD)/locale/%/LC_MESSAGES/ludus.mo)

# Short lines for what is done; V=1 shows the commands.
Q    = $(if $(V),,@)
SAYS = $(if $(V),@:,@echo "  $(1)	$@")

.PHONY: all help deps run test long-test fuzz coverage demo bench crash-test strength check format \
        clean
.DELETE_ON_ERROR:
.SECONDARY: # keep the objects of the tests

# The object is what `make check` looks at.
all: $(PROGRAMS) $(CATALOGUES) $(BUILD)/obj/client/library/ludus.o
	@:

help:
	@echo "make             build the programs into $(BUILD)/"
	@echo "make lib         build the games as a library, libludus.so, for C and for Python (client/python)"
	@echo "make run         install missing packages, build, start the server on port $(PORT)"
	@echo "                 (PORT=N for another port, DATA=DIR for another store)"
	@echo "make test        install missing packages, build with sanitizers, run the tests (5 to 10 minutes)"
	@echo "make long-test   run those tests that compute or play for long (about as long)"
	@echo "make demo        play and draw a match of every game and variant, bot against bot"
	@echo "make shots       play matches in full screen and draw the pictures of the README"
	@echo "make web-shots   draw the page: each game on a phone and a desktop, light and dark"
	@echo "make web-bench   measure how soon the page paints, can be played on, and shows a move"
	@echo "make bench       measure perft, the server beside a bare one, and durability (7 minutes)"
	@echo "make crash-test  kill the server N=1000 times during matches, then fill its disk"
	@echo "make model-test  send every command at random through N=1000 restarts on SQLite and as many on"
	@echo "                 PostgreSQL, and compare all matches with an independent model (10 minutes)"
	@echo "make cluster     run three servers on a PostgreSQL primary with two standbys, to try it"
	@echo "make cluster-bench  measure one, two and four such servers"
	@echo "make engine-transcripts  run the transcripts on PostgreSQL"
	@echo "make tournament-test  a tournament of 1000 at three servers, each of which is killed"
	@echo "make upgrade-test  replace three servers by those of a next version, as CLUSTER.md has it, while people play"
	@echo "make patroni-test  three servers on PostgreSQL with Patroni as CLUSTER.md has it, whose leader fails"
	@echo "make cluster-test  break three servers on one PostgreSQL for MINUTES=60 while people play"
	@echo "make course-trial  play courses of 24 bots in all languages, cheats among them, and kill them in each night"
	@echo "                 (12 minutes)"
	@echo "make soak        play 500 matches at a time for MINUTES=60, under attack all the time"
	@echo "make abuse       measure what each attack costs the server and its clients"
	@echo "make strangers   let strangers do their worst for MINUTES=10, and measure what others notice"
	@echo "make puzzles-check  prove every puzzle twice more, once by rules of their own (minutes)"
	@echo "make mutants     plant a fault at a time, and see whether the tests notice (40 minutes)"
	@echo "make fuzz        search for inputs that break a reader: SECONDS=60 for each of"
	@echo "                 TARGETS=\"lines ...\" (all); needs clang"
	@echo "make web-test    play in Chromium: every way to move, every screen (minutes)"
	@echo "make web-firefox the main ones of these in Firefox (a few minutes)"
	@echo "make fault-test  break and interrupt connections"
	@echo "make valgrind    run a server, bots and unit tests under Valgrind (10 minutes)"
	@echo "make tsan        run the bots with ThreadSanitizer (5 minutes)"
	@echo "make strength    play levels and Fairy-Stockfish, PAIRS=100 of matches each, in"
	@echo "                 GAMES=\"shakti clobber:8x8 ...\" (all); hours, continues when interrupted"
	@echo "make coverage    show which branches of server/ and common/ the tests take; needs gcovr"
	@echo "make install     install into PREFIX=/usr/local, or DESTDIR/PREFIX; make uninstall"
	@echo "make dist        pack the sources into $(BUILD)/ludus-$(VERSION).tar.gz"
	@echo "make deb         build Debian packages in $(BUILD)/deb/; CHECK=yes runs the tests, too"
	@echo "make deb-test    install, use, upgrade and purge them in a fresh Debian (root; minutes)"
	@echo "make check       run static analysis, and check which file depends on which"
	@echo "make walk        count the files and functions that a move visits, and how the sources are cut"
	@echo "make languages   bring the catalogues in client/languages/ up to date with the sources; needs gettext"
	@echo "make deps        install missing packages"
	@echo "make format      format the sources with clang-format"
	@echo "make clean       remove $(BUILD)/"

# With the sanitizers' code linked in, as clang does it, and at a fixed address a program starts in three quarters of the time.
$(PROGRAMS): LDFLAGS += $(if $(findstring address,$(SANITIZE)),$(if $(findstring clang,$(CC)),,-static-libasan -static-libubsan -no-pie))

$(BUILD)/ludusd: $(call objects,$(SERVER) $(BOTH) $(COMMON) $(COUNT_LINK) $(PACKED))
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS) $(QR_LIBS)

$(BUILD)/ludus: $(call objects,$(CLIENT) $(BOTH) $(COMMON))
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(SHOW_LIBS) $(QR_LIBS) $(CJSON_LIBS) $(TLS_LIBS) -lm

$(BUILD)/ludus-bot: $(patsubst $(BUILD)/%,$(PLAIN)/%,$(call objects,$(BOT) $(COMMON)))
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(CJSON_LIBS) $(TLS_LIBS) -lm

$(BUILD)/ludus-bridge: $(patsubst $(BUILD)/%,$(PLAIN)/%,$(call objects,$(BRIDGE) $(COMMON)))
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(CJSON_LIBS) $(TLS_LIBS)

# Sentences that are not translated yet, or were before the English changed, stay English.
$(BUILD)/locale/%/LC_MESSAGES/ludus.mo: client/languages/%.po
	@mkdir -p $(@D)
	$(call SAYS,PO)
	$(Q)msgfmt --check --output-file=$@ $<

# The games for other programs: one header, client/library/ludus.h, and client/python. Never with sanitizers, which
# programs that load it do not have.
LIBRARY := $(wildcard client/library/*.c common/games/*.c) $(addprefix common/,game.c move.c text.c position_text.c)

.PHONY: lib
lib: $(BUILD)/libludus.so
	@:

$(BUILD)/libludus.so: $(LIBRARY:%.c=$(BUILD)/lib/%.o)
	$(call SAYS,LD)
	$(Q)$(CC) -shared -Wl,--no-undefined $(LDFLAGS) -o $@ $^

$(BUILD)/lib/%.o: override SANITIZE =
$(BUILD)/lib/%.o: override CFLAGS = -O2
$(BUILD)/lib/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call SAYS,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

-include $(LIBRARY:%.c=$(BUILD)/lib/%.d)

# Where libpq has its header.
PQ_INCLUDE ?= /usr/include/postgresql
$(BUILD)/obj/server/keep/%.o $(BUILD)/obj/tests/support/libpq_fake.o: ALL_CFLAGS += -I$(PQ_INCLUDE)

# The page for browsers. The directories are named, too, for files that go.
$(BUILD)/page_files.c: server/web_page.py server/web_language.py $(wildcard client/link/refusal.c) $(shell find client/web client/languages common 2>/dev/null)
	@mkdir -p $(@D)
	$(call SAYS,PACK)
	$(Q)python3 $< client/web client/languages common >$@

# The schema of PostgreSQL: a text for each version, and one for the functions.
$(BUILD)/postgres_sql.c: $(addprefix server/keep/postgres/,sql_text.sh schema.sql functions.sql)
	@mkdir -p $(@D)
	$(call SAYS,PACK)
	$(Q)sh $^ >$@

# The puzzles of each game, and the balanced openings of each variant.
$(BUILD)/puzzle_files.c: $(wildcard common/puzzles/*.txt)
$(BUILD)/opening_files.c: $(wildcard common/openings/*.txt)
$(BUILD)/puzzle_files.c $(BUILD)/opening_files.c: common/pack.py
	@mkdir -p $(@D)
	$(call SAYS,PACK)
	$(Q)python3 $< $(basename $(@F)) $(filter %.txt,$^) >$@

# The board of the page, for the reports of courses.
BOARD_OF := client/web client/course/match_page.js client/course/report.css
$(BUILD)/board_files.c: client/course/pack_board.py $(BOARD_OF) $(wildcard client/web/style.css client/web/js/*.js client/web/js/games/*.js)
	@mkdir -p $(@D)
	$(call SAYS,PACK)
	$(Q)python3 $< $(BOARD_OF) >$@

$(patsubst %.c,$(BUILD)/obj/%.o,$(PACKED) puzzle_files.c opening_files.c board_files.c): $(BUILD)/obj/%.o: $(BUILD)/%.c server/net/http.h common/text.h client/course/report_html.h
	@mkdir -p $(@D)
	$(call SAYS,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call SAYS,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)) \
	$(patsubst %,$(BUILD)/obj/%.o,$(basename $(wildcard tests/*/*.c tests/unit/*/*.c))))

# All of the programs but their main(). A test takes from it what it uses; of the client, what needs no
# terminal. A game has two files of one name, hence q: r would replace the first.
$(BUILD)/parts.a: $(call objects,$(filter-out %/main.c,$(SOURCES)) $(PACKED))
	$(call SAYS,AR)
	$(Q)rm -f $@ && ar qcs $@ $^

$(BUILD)/tests/test_keys $(BUILD)/tests/test_palette: SERVER_LIBS += $(SHOW_LIBS)

# What tests share. A test is linked with what it includes of it (with "two_players.h" comes two_players.c),
# and with what that uses.
$(BUILD)/obj/tests/%.o: ALL_CFLAGS += -Itests/support
$(BUILD)/support.a: $(call objects,$(wildcard tests/support/*.c))
	$(call SAYS,AR)
	$(Q)rm -f $@ && ar rcs $@ $^
TEST_INCLUDES := $(shell grep -H '^\#include "[a-z_]*\.h"' tests/unit/*/test_*.c | \
                 sed 's,.*/\(test_[a-z_]*\)\.c:.* "\([a-z_]*\)\.h",\1:\2,')
included_by    = $(wildcard $(patsubst $(1):%,tests/support/%.c,$(filter $(1):%,$(TEST_INCLUDES))))

# tests/unit/ROOM/test_NAME.c becomes $(BUILD)/tests/test_NAME.
.SECONDEXPANSION:
$(BUILD)/tests/test_%: $$(call objects,$$(wildcard tests/*/test_$$*.c tests/unit/*/test_$$*.c) $$(call included_by,test_$$*)) \
		$(BUILD)/support.a $(BUILD)/parts.a
	@mkdir -p $(@D)
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(SERVER_LIBS) $(CJSON_LIBS) $(QR_LIBS)

# The programs with a fifth game, which is one file, and tests that know no list of games: in $(BUILD)/five/.
FIVE       := $(BUILD)/five
FIVE_GAMES := $(BUILD)/obj/tests/games/breakthrough.o $(FIVE)/games.o
FIVE_TESTS := $(patsubst %,$(FIVE)/tests/test_%,games rules play special lessons lan)
FIVE_ALL   := $(patsubst $(BUILD)/%,$(FIVE)/%,$(PROGRAMS)) $(FIVE_TESTS)
with_five   = $(FIVE_GAMES) $(filter-out %/common/games/games.o,$(call objects,$(1)))

$(FIVE)/games.o: common/games/games.c common/game.h Makefile
	@mkdir -p $(@D)
	$(call SAYS,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -DFURTHER_GAME=breakthrough -c -o $@ $<

$(FIVE)/ludusd: $(call with_five,$(SERVER) $(BOTH) $(COMMON) $(COUNT_LINK) $(PACKED))
$(FIVE)/ludusd: FIVE_LIBS = $(SERVER_LIBS) $(QR_LIBS)
$(FIVE)/ludus: $(call with_five,$(CLIENT) $(BOTH) $(COMMON))
$(FIVE)/ludus: FIVE_LIBS = $(SHOW_LIBS) $(QR_LIBS) $(CJSON_LIBS) $(TLS_LIBS) -lm
$(FIVE)/ludus-bot: $(call with_five,$(BOT) $(COMMON))
$(FIVE)/ludus-bridge: $(call with_five,$(BRIDGE) $(COMMON))
$(FIVE)/ludus-bot $(FIVE)/ludus-bridge: FIVE_LIBS = $(CJSON_LIBS) $(TLS_LIBS) -lm
$(FIVE_TESTS): $(FIVE)/tests/test_%: $$(call objects,$$(wildcard tests/unit/*/test_$$*.c) $$(call included_by,test_$$*)) \
		$(FIVE_GAMES) $(BUILD)/support.a $(BUILD)/parts.a
$(FIVE_TESTS): FIVE_LIBS = $(SERVER_LIBS) $(CJSON_LIBS) $(QR_LIBS)
$(FIVE_ALL):
	@mkdir -p $(@D)
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(FIVE_LIBS)

# The server of the version after this one, as far as PostgreSQL sees it: upgrade_test.py upgrades to it.
NEXT := $(BUILD)/next
$(NEXT)/schema.sql: server/keep/postgres/schema.sql tests/cluster/next_step.sql
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

$(NEXT)/postgres_sql.c: server/keep/postgres/sql_text.sh $(NEXT)/schema.sql server/keep/postgres/functions.sql
	$(call SAYS,PACK)
	$(Q)sh $^ >$@

$(NEXT)/postgres_sql.o: $(NEXT)/postgres_sql.c
	$(call SAYS,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(NEXT)/ludusd: $(NEXT)/postgres_sql.o \
		$(filter-out %/postgres_sql.o,$(call objects,$(SERVER) $(BOTH) $(COMMON) $(COUNT_LINK) $(PACKED)))
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS) $(QR_LIBS)

# Programs that make data for the tests, and two that prove the puzzles.
$(BUILD)/tools/check_puzzles: $(call objects,tests/support/puzzle_proof.c)
$(BUILD)/tools/prove_puzzles: $(call objects,tests/tools/own_rules.c)
$(BUILD)/tools/%: $(BUILD)/obj/tests/tools/%.o $(BUILD)/parts.a
	@mkdir -p $(@D)
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(SERVER_LIBS) $(CJSON_LIBS) $(QR_LIBS)

# Fuzz targets (tests/fuzz/fuzz.h) for what the server reads, and some for what the client reads.
# Programs in tests/ have a main() of their own that replays the inputs in tests/fuzz/corpus.
FUZZERS     := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SERVER := $(call objects,$(patsubst %,tests/fuzz/%.c,fuzz symmetry world audit told) tests/support/full_disk.c \
              $(SERVER_CORE) $(BOTH) $(COMMON))
FUZZ_BY_CLIENT = fuzz_events fuzz_engine
FUZZ_BY_BOT    = fuzz_ugi fuzz_state
FUZZ_CLIENT := $(call objects,tests/fuzz/fuzz.c $(filter-out client/ludus/main.c,$(CLIENT)) $(BOTH) $(COMMON))
FUZZ_BOT    := $(call objects,tests/fuzz/fuzz.c $(BOT_CORE) $(COMMON))
FUZZ_MAIN   = $(call objects,tests/fuzz/run_corpus.c)
FUZZ_FAIL   = $(call objects,tests/fuzz/fail.c)

define link_fuzzer
@mkdir -p $(@D)
$(call SAYS,LD)
$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS) $(CJSON_LIBS) $(QR_LIBS)
endef

$(patsubst %,$(BUILD)/%,$(FUZZ_BY_CLIENT) $(FUZZ_BY_CLIENT:%=tests/%)): SERVER_LIBS += $(SHOW_LIBS)
$(BUILD)/fuzz_%: LDFLAGS += -fsanitize=fuzzer

$(FUZZ_BY_CLIENT:%=$(BUILD)/tests/%): $(BUILD)/tests/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_MAIN) $(FUZZ_CLIENT)
	$(link_fuzzer)
$(FUZZ_BY_BOT:%=$(BUILD)/tests/%): $(BUILD)/tests/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_MAIN) $(FUZZ_BOT)
	$(link_fuzzer)
$(BUILD)/tests/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_MAIN) $(FUZZ_SERVER)
	$(link_fuzzer)
$(FUZZ_BY_CLIENT:%=$(BUILD)/%): $(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_FAIL) $(FUZZ_CLIENT)
	$(link_fuzzer)
$(FUZZ_BY_BOT:%=$(BUILD)/%): $(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_FAIL) $(FUZZ_BOT)
	$(link_fuzzer)
$(BUILD)/fuzz_commands $(BUILD)/tests/fuzz_commands: $(call objects,tests/fuzz/mutate_commands.c)
$(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_FAIL) $(FUZZ_SERVER)
	$(link_fuzzer)

# What is in there only checks: libFuzzer is to go through the program, not through that.
$(BUILD)/obj/tests/fuzz/%.o: CFLAGS += $(NO_COVERAGE)

comma := ,

# The time of PostgreSQL is that of tests/support/libpq_fake.c.
$(BUILD)/tests/test_postgres_%: override LDFLAGS += -Wl,--wrap=tally_now_us
# SQLite and files fail when a test says so.
$(BUILD)/tests/test_store_faults: override LDFLAGS += $(addprefix -Wl$(comma)--wrap=,sqlite3_step sqlite3_exec \
	sqlite3_prepare_v3 pwrite pread ftruncate fstat)

$(BUILD)/tests/test_load: $(patsubst %,$(BUILD)/obj/tests/bench/load_%.o,scan samples options process)

# Loaded into a server by LD_PRELOAD, which sanitizers do not like.
$(BUILD)/tests/faults.so: tests/crash/faults.c
$(BUILD)/tests/sockets.so: tests/faults/sockets.c
PRELOADS = $(patsubst %,$(BUILD)/tests/%.so,faults sockets)
$(PRELOADS): tests/faults/shared.h Makefile
	@mkdir -p $(@D)
	$(call SAYS,LD)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -include common/banned.h -I. -O2 -g -fPIC \
		-shared -o $@ $(filter %.c,$^) -ldl

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(call objects,$(COMMON))
	@mkdir -p $(@D)
	$(call SAYS,LD)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(BENCH_LIBS) $(CJSON_LIBS) -lm

$(BUILD)/bench/bare: BENCH_LIBS = $(EVENT_LIBS)
$(BUILD)/bench/bare: $(call objects,tests/bench/load_process.c)

$(BUILD)/bench/load: $(call objects,$(wildcard tests/bench/load_*.c))

deps:
	@sh tests/support/deps.sh

run: deps
	+@$(SUB_MAKE) all
	@sh server/run.sh $(BUILD) $(PORT) "$(DATA)"

test long-test: deps
	+@$(SUB_MAKE) BUILD=$(BUILD)/san CFLAGS='-O$$(LEVEL) -g1 -DCHECK_KEPT' \
		SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
		test-programs
	@sh tests/test.sh $(BUILD)/san $(if $(filter long-test,$@),--long)

.PHONY: test-programs
# The objects, too, are checked.
test-programs: $(PROGRAMS) $(CATALOGUES) $(call objects,$(SOURCES)) $(TESTS) $(FIVE_ALL) $(FUZZERS:%=$(BUILD)/tests/%) $(BUILD)/bench/load $(BUILD)/bench/bare $(BUILD)/tools/check_puzzles $(BUILD)/tools/prove_puzzles $(PRELOADS) $(BUILD)/libludus.so

# Counting needs the gcov of the compiler. Bots think in threads, hence the atomic counters.
coverage: deps
	@sh tests/coverage/coverage.sh --needs
	+@$(SUB_MAKE) CC=gcc $(BUILD)/ludus-bot $(BUILD)/ludus-bridge
	+@$(SUB_MAKE) CC=gcc BUILD=$(BUILD)/cov PLAIN=$(BUILD) COUNT="-O0 --coverage -fprofile-update=atomic" LDFLAGS=--coverage \
		COUNT_LINK=tests/coverage/hooks.c test-programs
	@PLAIN=$(BUILD) sh tests/coverage/coverage.sh $(BUILD)/cov

# How long to fuzz each target, and which ones; make fuzz SECONDS=600 TARGETS="lines move"
SECONDS ?= 60
TARGETS ?= $(FUZZERS:fuzz_%=%)

fuzz:
	@sh tests/support/deps.sh fuzz
	+@$(SUB_MAKE) BUILD=$(BUILD)/fuzz CC=clang CFLAGS="-O1 -g" \
		NO_COVERAGE=-fno-sanitize=fuzzer-no-link \
		SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
		-fno-omit-frame-pointer" $(TARGETS:%=$(BUILD)/fuzz/fuzz_%)
	@sh tests/fuzz/fuzz.sh $(BUILD)/fuzz $(SECONDS) $(TARGETS)

# How often to kill, and with which random numbers; make crash-test N=5000 SEED=7
N    ?= 1000
SEED ?=

crash-test: deps
	+@$(SUB_MAKE) all $(PRELOADS)
	@python3 tests/crash/crash_test.py $(BUILD) --kills $(N) $(if $(SEED),--seed $(SEED))
	@python3 tests/crash/fault_test.py $(BUILD)

.PHONY: course-trial
course-trial: deps
	+@$(SUB_MAKE) all
	@python3 tests/course/trial.py $(BUILD)

.PHONY: model-test
model-test: deps
	+@$(SUB_MAKE) $(BUILD)/ludusd $(BUILD)/ludus-bot
	@python3 tests/model/model_test.py $(BUILD) --restarts $(N) $(if $(SEED),--seed $(SEED))
	@python3 tests/model/model_test.py $(BUILD) --restarts $(N) $(if $(SEED),--seed $(SEED)) --postgres

# Proves every puzzle once more, by the rules alone, and then by rules that share nothing with the programs.
.PHONY: puzzles-check
puzzles-check: deps
	+@$(SUB_MAKE) LEVEL=2 $(BUILD)/tools/check_puzzles $(BUILD)/tools/prove_puzzles
	@$(BUILD)/tools/check_puzzles
	@$(BUILD)/tools/prove_puzzles common/puzzles/*.txt

# PARTS: only faults in files whose name has one of these
PARTS ?=
.PHONY: mutants
mutants: deps
	@CC="$(CC)" JOBS=$(JOBS) python3 tests/tools/mutants.py $(if $(UNDER_FAULTS),--under-faults) $(BUILD)/mutants $(PARTS)

include tests/faults/faults.mk
include tests/soak/soak.mk
include tests/cluster/cluster.mk
include tests/web/web.mk

.PHONY: shots
shots: deps
	+@$(SUB_MAKE) all
	@python3 tests/shots/shots.py $(BUILD)

demo: deps
	+@$(SUB_MAKE) all
	@sh tests/shots/demo.sh $(BUILD)

bench: deps
	+@$(SUB_MAKE) $(BUILD)/bench/perft_bench $(BUILD)/bench/load $(BUILD)/bench/bare $(BUILD)/ludusd
	@sh tests/bench/bench.sh $(BUILD)
	@sh tests/bench/peer.sh $(BUILD)
	@sh tests/bench/durability.sh $(BUILD)
	@python3 tests/bench/seeks.py $(BUILD)

# How many pairs of matches for each line, and in which games (all)
PAIRS ?= 100
GAMES ?=

strength: deps
	+@$(SUB_MAKE) $(BUILD)/ludus-bot
	@sh tests/bench/strength.sh $(BUILD) $(PAIRS) $(GAMES)

include server/install.mk

# How many files, functions and lines a reader of a move meets
.PHONY: walk
walk: deps
	+@$(SUB_MAKE) all
	@python3 tests/structure/walk.py $(BUILD)
	@python3 tests/structure/walk.py $(BUILD) --store

check:
	+@$(SUB_MAKE) all
	@sh tests/structure/check.sh $(BUILD)

.PHONY: languages
languages:
	@python3 client/languages/update.py

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf $(BUILD)
