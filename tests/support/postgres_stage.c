#include "postgres_stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "server/keep/postgres/postgres.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

enum { TURNS = 40, ROWS = 4, ROW_MAX = 2000 };

struct own_row own_row;

static const char *answer_call(const char *const *values)
{
    own_row.number = strtoll(values[2], NULL, 10);
    own_row.runs_late = false;
    return "{};";
}

static const char *answer_own(const char *const *values)
{
    static char text[80];

    (void)values;
    own_row.number += own_row.runs_late;
    own_row.runs_late = false;
    snprintf(text, sizeof text, "%" PRId64 "|%" PRId64 "|%s;", own_row.epoch, own_row.number,
             own_row.stale);
    return text;
}

static const char *answer_join(const char *const *values)
{
    static char text[40];

    (void)values;
    own_row = (struct own_row){.epoch = own_row.epoch + 1, .stale = "{}"};
    snprintf(text, sizeof text, "%" PRId64 "|;", own_row.epoch);
    return text;
}

void stage_answers(void)
{
    static char version[16];
    int newest = POSTGRES_SCHEMA_FIRST - 1;

    for (int i = 1; postgres_steps[i] != NULL; i++)
        newest++;
    snprintf(version, sizeof version, "%d;", newest);
    libpq_reset();
    own_row = (struct own_row){.epoch = 6, .stale = "{}"};
    libpq_answer("SELECT version FROM service", LIBPQ_ROWS, version);
    libpq_answer("nextval('match_number')", LIBPQ_ROWS, "1001;");
    libpq_answer("nextval('player_id')", LIBPQ_ROWS, "1000001;");
    libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;");
    libpq_answer_by("FROM join_nodes", answer_join);
    libpq_answer_by("FROM own(", answer_own);
    libpq_answer_by("CALL keep(", answer_call);
}

bool stage_start(struct stage *stage, struct cause *cause)
{
    static const struct node self = {.id = 1, .address = "192.0.2.1:7117"};
    struct server *server = &stage->server;

    stage->keeper = NULL;
    server_init(server, &test_limits);
    server->now_ms = 1000000;
    server->started_ms = 1000;
    server->wall_s = 1700000000;
    stage->keeper = keeper_postgres("hostaddr=127.0.0.1", &self, 5, cause);
    return stage->keeper != NULL && server_take_up(server, stage->keeper, cause);
}

void stage_begin(struct stage *stage)
{
    struct cause cause = {.text = ""};

    stage_answers();
    CHECK_THAT(stage_start(stage, &cause), "%s", cause.text);
    open_peer(&stage->server, &stage->anna);
    open_peer(&stage->server, &stage->carl);
    open_peer(&stage->server, &stage->eve);
    CHECK(stage_say(stage, &stage->anna, "hello anna"));
    CHECK(stage_say(stage, &stage->carl, "hello carl"));
    skip(&stage->anna);
    skip(&stage->carl);
    skip(&stage->eve);
}

void stage_end(struct stage *stage)
{
    struct server *server = &stage->server;

    server_shutdown(server);
    while (!TAILQ_EMPTY(&server->sessions))
        presence_free(TAILQ_FIRST(&server->sessions));
    server_release(server);
    if (stage->keeper != NULL)
        stage->keeper->kind->close(stage->keeper);
}

static void wake(struct peer *peer)
{
    bool woken = peer->woken;

    peer->woken = false;
    if (woken)
        dispatch_resume(peer->session);
}

void stage_work(struct stage *stage)
{
    for (int turn = 0; turn < TURNS; turn++) {
        server_end_turn(&stage->server);
        stage->keeper->kind->work(stage->keeper, stage->server.now_ms);
        wake(&stage->anna);
        wake(&stage->carl);
        wake(&stage->eve);
    }
}

void stage_pass(struct stage *stage, int64_t ms)
{
    libpq.now_us += ms * 1000;
    stage->server.now_ms += ms;
    server_tick(&stage->server);
    stage_work(stage);
}

bool stage_say(struct stage *stage, struct peer *peer, const char *line)
{
    bool done = say(peer, line);

    for (int tries = 0; !done && tries < 4; tries++) {
        stage_work(stage);
        done = say(peer, line);
    }
    stage_work(stage);
    return done;
}

const char *match_row_text(const struct match_row *row)
{
    static char texts[ROWS][ROW_MAX];
    static int next;
    char *text = texts[next++ % ROWS];
    bool over = strcmp(row->status, "over") == 0;

    /* the columns of a match in their order, then those that match_row adds */
    snprintf(text, ROW_MAX,
             "%d|%d|%s|~|f|t|%s|2x2|%s|%s|%s|%s|1000001|1000001|~|t|%c|~|0|%s|%c|%s|%s|%s|%s|%s|"
             "%d|1700000000|%d|%s|%s|1000001 anna named f 0 1 1:1 f 0|%s|~;",
             row->number, row->number, row->once != NULL ? row->once : "~",
             row->game != NULL ? row->game : "clobber", row->start != NULL ? row->start : "Pp/pP w",
             row->opened_s != NULL ? row->opened_s : "1700000000", row->timed ? "60000" : "~",
             row->timed ? "0" : "~", row->alone ? 'f' : 't', row->status,
             strcmp(row->status, "open") != 0 ? 't' : 'f', row->result != NULL ? row->result : "*",
             row->reason != NULL ? row->reason : "~",
             row->ended != NULL ? row->ended
             : over             ? "5"
                                : "~",
             over ? "1500" : "~", over ? "1500" : "~", row->version,
             row->turn_age_ms != 0 ? row->turn_age_ms : 1000, row->log,
             row->seeks != NULL ? row->seeks : "~",
             row->alone         ? "~"
             : row->bob != NULL ? row->bob
                                : "2000007 bob named f 0 1 2:1 f 0\n"
                                  "clobber 2x2 3 1600 100 0.06\nchess x 1 1 1 1");
    return text;
}

void meet_bob(struct stage *stage)
{
    static const struct match_row joined = {1001, 3, "playing", PLAYING_LOG, .bob = NULL};

    CHECK(stage_say(stage, &stage->anna, "new clobber:2x2"));
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&joined));
    libpq_notify("t 1001 3");
    stage_work(stage);
    GETS(stage->anna, "\"name\":\"bob\"");
    skip(&stage->anna);
}
