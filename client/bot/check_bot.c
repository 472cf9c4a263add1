/*
 * `ludus-bot check-bot`: whether a bot is a good citizen. It runs the bot against a server of its
 * own, which challenges it and does what servers do on bad days: it takes moves back, limits rates,
 * cuts the connection, and has opponents who leave.
 *
 * The server knows only what the checks need: one bot, two matches of one game. Each check prints a
 * line.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot.h"
#include "client/link/clock_ms.h"
#include "common/json_text.h"
#include "common/message.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum {
    START_MS = 30000,  /* until the bot is there, also again */
    MOVE_MS = 30000,   /* for a move, with no clock */
    ANSWER_MS = 10000, /* for what takes no thought */
    RETRY_MS = 700,    /* a rate limit's */
    CLAIM_MS = 1500,   /* until a match can be claimed */
    QUIET_MS = 500,    /* in which nothing must come */
    LINE_BYTES = 4096,
    MATCHES = 2
};

#define TOKEN "trick-token-0123456789abcdef"

/* A match in which the bot is white. */
struct trick_match {
    struct position position, before; /* now, and before the bot's last move */
    int ply;
};

struct trick_server {
    const struct game *game;
    struct position start; /* of each match; white is to move */
    pid_t pid;
    int listener, peer; /* peer -1: the bot is not connected */
    char address[32];
    char name[64]; /* of the bot */
    char bytes[LINE_BYTES];
    size_t used;
    char line[LINE_BYTES]; /* the last one awaited, without its id */
    char id[64];           /* its id with a blank, or "" */
    struct trick_match matches[MATCHES];
    int done, failed;
};

static bool report(struct trick_server *s, bool good, const char *name, const char *what)
{
    printf("%-4s  %-10s  %s\n", good ? "ok" : "BAD", name, what);
    fflush(stdout);
    s->done++;
    s->failed += !good;
    return good;
}

/* ---- The connection ---- */

/* Sends a line of JSON, which it releases. */
static void send_json(struct trick_server *s, struct buffer *json)
{
    buffer_puts(json, "\n");
    if (s->peer >= 0 && send(s->peer, json->bytes, json->length, MSG_NOSIGNAL) < 0 &&
        errno != EAGAIN)
        shutdown(s->peer, SHUT_RDWR); /* the next read tells */
    buffer_release(json);
}

static void send_text(struct trick_server *s, const char *text)
{
    struct buffer json = {0};

    buffer_puts(&json, text);
    send_json(s, &json);
}

/* Replies to the last line, with `more` members (beginning with a comma), or "". */
static void reply(struct trick_server *s, const char *type, const char *more)
{
    struct buffer json = {0};
    char verb[32];

    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(s->line, " "), s->line);
    buffer_printf(&json, "{\"type\":\"%s\"", type);
    if (s->id[0] != '\0')
        json_string(&json, "id", s->id);
    if (strcmp(type, "ok") == 0 || strcmp(type, "error") == 0)
        json_string(&json, "cmd", verb);
    buffer_printf(&json, "%s}", more);
    send_json(s, &json);
}

static void greet(struct trick_server *s)
{
    struct buffer json = {0};

    s->used = 0;
    buffer_printf(&json,
                  "{\"type\":\"hello\",\"proto\":1,\"server\":\"ludus-bot/check-bot\",\"games\":"
                  "[\"%s\"],\"code\":false,\"limits\":{\"line\":1024}}",
                  s->game->name);
    send_json(s, &json);
}

/* Reads what has come, for at most wait_ms. Accepts a connection, if there is none. Returns false
 * after nothing has come. */
static bool read_more(struct trick_server *s, int wait_ms)
{
    struct pollfd entry = {.fd = s->peer >= 0 ? s->peer : s->listener, .events = POLLIN};

    if (poll(&entry, 1, wait_ms > 0 ? wait_ms : 0) <= 0)
        return false;
    if (s->peer < 0) {
        s->peer = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
        if (s->peer >= 0)
            greet(s);
        return true;
    }
    if (s->used == sizeof s->bytes)
        s->used = 0; /* no line is as long */
    ssize_t count = recv(s->peer, s->bytes + s->used, sizeof s->bytes - s->used, 0);
    if (count > 0) {
        s->used += (size_t)count;
        return true;
    }
    close(s->peer);
    s->peer = -1;
    return true;
}

/* Takes a line out of the bytes, apart from its id. */
static bool take_line(struct trick_server *s)
{
    const char *end = memchr(s->bytes, '\n', s->used);

    if (end == NULL)
        return false;
    size_t length = (size_t)(end - s->bytes);
    memcpy(s->line, s->bytes, length);
    s->line[length] = '\0';
    s->used -= length + 1;
    memmove(s->bytes, end + 1, s->used);
    s->id[0] = '\0';
    if (s->line[0] == '#') {
        size_t word = strcspn(s->line, " ");
        snprintf(s->id, sizeof s->id, "%.*s", (int)word - 1, s->line + 1);
        memmove(s->line, s->line + word, strlen(s->line + word) + 1);
    }
    text_line_squeeze(s->line);
    return true;
}

static bool has_verb(const struct trick_server *s, const char *verb)
{
    size_t length = strlen(verb);

    return strncasecmp(s->line, verb, length) == 0 &&
           (s->line[length] == ' ' || s->line[length] == '\0');
}

/* Replies to what no check is about. */
static void reply_as_usual(struct trick_server *s)
{
    if (has_verb(s, "ping"))
        reply(s, "pong", "");
    else if (has_verb(s, "record"))
        reply(s, "error", ",\"code\":\"unknown-match\",\"message\":\"not here\"");
    else if (has_verb(s, "move"))
        reply(s, "error", ",\"code\":\"stale-ply\",\"message\":\"the match is at another ply\"");
    else if (s->line[0] != '\0')
        reply(s, "ok", "");
}

/* Awaits a line that begins with one of these words, and leaves the reply to the caller; replies to
 * others. False: none has come, or the bot has gone. */
static bool await_verbs(struct trick_server *s, const char *const verbs[], int wait_ms)
{
    int64_t until_ms = clock_ms() + wait_ms;

    for (;;) {
        while (take_line(s)) {
            for (int i = 0; verbs[i] != NULL; i++)
                if (has_verb(s, verbs[i]))
                    return true;
            reply_as_usual(s);
        }
        int64_t left_ms = until_ms - clock_ms();
        if (left_ms <= 0 || waitpid(s->pid, NULL, WNOHANG) == s->pid)
            return false;
        read_more(s, left_ms < 100 ? (int)left_ms : 100);
    }
}

static bool await_verb(struct trick_server *s, const char *verb, int wait_ms)
{
    return await_verbs(s, (const char *const[]){verb, NULL}, wait_ms);
}

/* Whether the words of the last line have this one. */
static bool has_word(const struct trick_server *s, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = s->line; (at = strstr(at, word)) != NULL; at += length)
        if (at > s->line && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* ---- Matches ---- */

/* Writes the members that show the position, as wire_state.c does. */
static void write_position(struct buffer *json, const struct game *game,
                           const struct position *position)
{
    char text[POSITION_TEXT_MAX];
    struct board board;
    int points[2];

    json_word(json, "turn", color_name(position->side));
    game->format(position, text);
    json_word(json, "position", text);
    json_open(json, "board", '[');
    game->board(position, &board);
    for (int rank = board.height; rank-- > 0;)
        json_quoted(json, NULL, board.cell + rank * board.width, (size_t)board.width);
    json_close(json, ']');
    if (game->check != NULL)
        json_bool(json, "check", game->check(position));
    if (game->score != NULL) {
        game->score(position, points);
        json_open(json, "score", '{');
        json_integer(json, "white", points[WHITE]);
        json_integer(json, "black", points[BLACK]);
        json_close(json, '}');
    }
}

static void send_state(struct trick_server *s, int number, const char *status)
{
    const struct trick_match *match = &s->matches[number - 1];
    bool playing = strcmp(status, "playing") == 0;
    struct move moves[MOVES_MAX];
    char variant[VARIANT_NAME_MAX], id[16];
    struct buffer json = {0};

    snprintf(id, sizeof id, "%d", number);
    json_open(&json, NULL, '{');
    json_word(&json, "type", "state");
    json_word(&json, "match", id);
    json_word(&json, "game", s->game->name);
    s->game->variant_name(&match->position, variant);
    json_word(&json, "variant", variant);
    json_word(&json, "status", status);
    json_word(&json, "you", "white");
    json_integer(&json, "ply", match->ply);
    write_position(&json, s->game, &match->position);
    json_null(&json, "last");
    json_open(&json, "players", '{');
    for (int i = 0; i < 2; i++) {
        json_open(&json, i == 0 ? "white" : "black", '{');
        json_word(&json, "name", i == 0 ? s->name : "trick");
        json_bool(&json, "bot", i == 0);
        json_integer(&json, "rating", 1500);
        json_bool(&json, "online", true);
        json_close(&json, '}');
    }
    json_close(&json, '}');
    json_null(&json, "clock");
    json_bool(&json, "rated", false);
    json_open(&json, "offers", '[');
    json_close(&json, ']');
    json_word(&json, "result", strcmp(status, "over") == 0 ? "1-0" : "*");
    json_word(&json, "reason", strcmp(status, "over") == 0 ? "resign" : NULL);
    json_integer(&json, "a_member_of_the_future", 1);
    if (playing && match->position.side == WHITE) {
        int count = s->game->legal(&match->position, moves);
        json_open(&json, "legal", '[');
        for (int i = 0; i < count; i++) {
            char text[MOVE_TEXT_MAX];
            move_format(&match->position, moves[i], text);
            json_word(&json, NULL, text);
        }
        json_close(&json, ']');
    }
    json_close(&json, '}');
    send_json(s, &json);
}

/* As if all moves were taken back. */
static void restart_match(struct trick_server *s, int number)
{
    s->matches[number - 1] = (struct trick_match){.position = s->start};
}

/* Challenges the bot. Returns whether it joins; *declines tells that it says no instead. */
static bool challenge(struct trick_server *s, int number, bool *declines)
{
    char variant[VARIANT_NAME_MAX];
    struct buffer json = {0};

    restart_match(s, number);
    s->game->variant_name(&s->start, variant);
    buffer_printf(&json,
                  "{\"type\":\"challenge\",\"match\":\"%d\",\"from\":\"trick\",\"game\":\"%s\","
                  "\"variant\":\"%s\",\"color\":\"white\",\"clock\":null,\"position\":null,"
                  "\"rated\":false,\"private\":false}",
                  number, s->game->name, variant);
    send_json(s, &json);
    bool answered = await_verbs(s, (const char *const[]){"join", "decline", NULL}, ANSWER_MS);
    *declines = answered && has_verb(s, "decline");
    if (answered)
        reply(s, "ok", "");
    return answered && !*declines;
}

/* Makes the move of the last line, in the match whose number *number becomes. Returns what is
 * wrong, or NULL; does not reply. */
static const char *take_move(struct trick_server *s, int *number)
{
    static char wrong[200];
    char id[16], text[32], ply[24];
    struct cause cause;
    struct move move;

    if (sscanf(s->line, "%*s %15s %31s", id, text) != 2 || id[1] != '\0' || id[0] < '1' ||
        id[0] > '0' + MATCHES)
        return "a move without its match";
    *number = id[0] - '0';
    struct trick_match *match = &s->matches[*number - 1];
    snprintf(ply, sizeof ply, "ply=%d", match->ply);
    if (match->position.side != WHITE)
        return "a move when it was not its turn";
    if (!has_word(s, ply)) {
        snprintf(wrong, sizeof wrong, "'%.80s' without %s", s->line, ply);
        return wrong;
    }
    if (!move_parse(s->game, &match->position, text, &move, &cause)) {
        snprintf(wrong, sizeof wrong, "an illegal move: %.150s", cause.text);
        return wrong;
    }
    match->before = match->position;
    s->game->apply(&match->position, move);
    match->ply++;
    return NULL;
}

static const char *await_move(struct trick_server *s, int *number, int wait_ms)
{
    return await_verb(s, "move", wait_ms) ? take_move(s, number) : "no move has come";
}

/* Lets the opponent reply to the bot's move. A match in which the bot would have no move begins
 * again: there are checks to come. */
static void move_opponent(struct trick_server *s, int number)
{
    struct trick_match *match = &s->matches[number - 1];
    struct move moves[MOVES_MAX];

    send_state(s, number, "playing");
    if (s->game->legal(&match->position, moves) > 0) {
        s->game->apply(&match->position, moves[0]);
        match->ply++;
    }
    if (match->position.side == BLACK || s->game->legal(&match->position, NULL) == 0)
        restart_match(s, number);
}

/* Accepts the move that has come, and lets the opponent reply. */
static void play_on(struct trick_server *s, int number)
{
    reply(s, "ok", "");
    move_opponent(s, number);
}

/* ---- The checks ---- */

/* Awaits the login. */
static bool await_login(struct trick_server *s)
{
    if (!await_verb(s, "hello", START_MS))
        return false;
    sscanf(s->line, "%*s %60s", s->name);
    return true;
}

static void accept_login(struct trick_server *s)
{
    char more[160];

    snprintf(more, sizeof more, ",\"name\":\"%s\",\"token\":\"" TOKEN "\"", s->name);
    reply(s, "ok", more);
}

static bool check_login(struct trick_server *s)
{
    if (!await_login(s))
        return report(s, false, "hello", "no `hello NAME` has come");
    report(s, has_word(s, "bot=yes"), "hello",
           has_word(s, "bot=yes") ? "it says that it is a bot" : "hello without bot=yes");
    accept_login(s);
    return true;
}

static bool check_match(struct trick_server *s)
{
    const char *wrong = NULL;
    bool declines;
    int number;

    if (!challenge(s, 1, &declines))
        return report(s, false, "challenge",
                      declines ? "it declines a match of the game" : "neither join nor decline");
    report(s, true, "challenge", "it joins");
    for (int i = 0; i < 3 && wrong == NULL; i++) {
        send_state(s, 1, "playing");
        wrong = await_move(s, &number, MOVE_MS);
        if (wrong == NULL)
            play_on(s, 1);
    }
    return report(s, wrong == NULL, "moves", wrong == NULL ? "legal, with their ply" : wrong);
}

/* The move is refused for now. */
static bool check_rate_limit(struct trick_server *s)
{
    const char *wrong;
    char more[100];
    int number;

    send_state(s, 1, "playing");
    wrong = await_move(s, &number, MOVE_MS);
    if (wrong != NULL)
        return report(s, false, "rate limit", wrong);
    s->matches[0].position = s->matches[0].before;
    s->matches[0].ply--;
    snprintf(more, sizeof more, ",\"code\":\"rate-limited\",\"message\":\"wait\",\"retry_ms\":%d",
             RETRY_MS);
    reply(s, "error", more);
    int64_t refused_ms = clock_ms();
    wrong = await_move(s, &number, RETRY_MS + ANSWER_MS);
    if (wrong == NULL && clock_ms() - refused_ms < RETRY_MS * 9 / 10)
        wrong = "the move comes again too early";
    if (wrong != NULL)
        return report(s, false, "rate limit", wrong);
    play_on(s, 1);
    return report(s, true, "rate limit", "the move comes again after retry_ms");
}

/* The moves are taken back: the match is at an earlier ply. */
static bool check_ply_back(struct trick_server *s)
{
    struct trick_match *match = &s->matches[0];
    struct position before = match->position;
    int ply = match->ply, number;

    send_state(s, 1, "playing");
    const char *wrong = await_move(s, &number, MOVE_MS);
    if (wrong == NULL) {
        play_on(s, 1);
        match->position = before;
        match->ply = ply;
        send_state(s, 1, "playing");
        wrong = await_move(s, &number, MOVE_MS);
    }
    if (wrong != NULL)
        return report(s, false, "take-back", wrong);
    play_on(s, 1);
    return report(s, true, "take-back", "it moves again at the earlier ply");
}

static void check_offer(struct trick_server *s, const char *what)
{
    struct buffer json = {0};
    char text[80];

    buffer_printf(&json,
                  "{\"type\":\"offer\",\"match\":\"1\",\"what\":\"%s\",\"from\":\"trick\","
                  "\"color\":\"black\",\"open\":true}",
                  what);
    send_json(s, &json);
    bool answered = await_verbs(s, (const char *const[]){what, "decline", NULL}, ANSWER_MS);
    snprintf(text, sizeof text, "%s an offer of %s", answered ? "it answers" : "no answer to",
             what);
    report(s, answered, "offer", text);
    if (answered)
        reply(s, "ok", "");
    json = (struct buffer){0};
    buffer_printf(&json,
                  "{\"type\":\"offer\",\"match\":\"1\",\"what\":\"%s\",\"from\":\"trick\","
                  "\"color\":\"black\",\"open\":false}",
                  what);
    send_json(s, &json);
}

/* A second match while the first one waits, then both at once. */
static bool check_two(struct trick_server *s)
{
    bool declines, moved[MATCHES] = {false};
    const char *wrong = NULL;

    if (!challenge(s, 2, &declines))
        return report(s, declines, "two",
                      declines ? "it declines a second match" : "neither join nor decline");
    send_state(s, 1, "playing");
    send_state(s, 2, "playing");
    for (int i = 0; i < MATCHES && wrong == NULL; i++) {
        int number = 1;
        wrong = await_move(s, &number, MOVE_MS);
        if (wrong == NULL && moved[number - 1])
            wrong = "a move twice";
        if (wrong == NULL) {
            moved[number - 1] = true;
            play_on(s, number);
        }
    }
    return report(s, wrong == NULL, "two",
                  wrong == NULL ? "it moves in two matches at once" : wrong);
}

/* Pings while it is to move: the answers come in any order. */
static bool check_ping(struct trick_server *s)
{
    static const char *const answers[] = {"ping", "pong", "move", NULL};
    int64_t begun_ms = clock_ms();
    const char *wrong = NULL;
    bool moved = false, answered = false;
    int number = 1;

    send_state(s, 1, "playing");
    send_text(s, "{\"type\":\"ping\"}");
    while (wrong == NULL && !(moved && answered)) {
        int64_t left_ms = begun_ms + (answered ? MOVE_MS : ANSWER_MS) - clock_ms();
        if (left_ms <= 0 || !await_verbs(s, answers, (int)left_ms)) {
            wrong = answered ? "no move has come" : "no ping within 10 s after a ping";
        } else if (has_verb(s, "move")) {
            wrong = take_move(s, &number);
            reply(s, "ok", "");
            moved = true;
        } else {
            reply_as_usual(s);
            answered = true;
        }
    }
    report(s, answered, "ping", answered ? "answered" : wrong);
    if (moved)
        move_opponent(s, 1);
    return moved;
}

/* What it does not know is passed over. */
static void check_unknown(struct trick_server *s)
{
    send_text(s, "{\"type\":\"weather\",\"match\":\"1\",\"rain\":[true,{\"mm\":1e3}]}");
    send_text(s, "{\"type\":\"chat\",\"match\":\"1\",\"from\":\"trick\",\"text\":\"hello\"}");
    await_verb(s, "nothing", QUIET_MS);
    report(s, s->peer >= 0, "unknown", s->peer >= 0 ? "passed over" : "it leaves at a message");
}

/* Cuts the connection while it is to move. */
static bool check_cut(struct trick_server *s)
{
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    const char *wrong = NULL;
    int number;

    send_state(s, 1, "playing");
    await_verb(s, "nothing", QUIET_MS / 10);
    setsockopt(s->peer, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(s->peer);
    s->peer = -1;
    s->used = 0;
    if (!await_login(s))
        return report(s, false, "cut", "it does not come back");
    if (!has_word(s, "token=" TOKEN))
        wrong = "it comes back without its token";
    accept_login(s);
    send_state(s, 1, "playing");
    if (wrong == NULL)
        wrong = await_move(s, &number, MOVE_MS);
    if (wrong == NULL)
        play_on(s, number);
    return report(s, wrong == NULL, "cut",
                  wrong == NULL ? "it comes back with its token, and moves" : wrong);
}

/* The opponent leaves, while it is their turn. */
static bool check_absent(struct trick_server *s)
{
    struct buffer json = {0};
    int number;

    restart_match(s, 1); /* no first move ends a game */
    send_state(s, 1, "playing");
    const char *wrong = await_move(s, &number, MOVE_MS);
    if (wrong != NULL)
        return report(s, false, "absent", wrong);
    reply(s, "ok", "");
    send_state(s, 1, "playing");
    buffer_printf(&json,
                  "{\"type\":\"presence\",\"match\":\"1\",\"name\":\"trick\",\"color\":\"black\","
                  "\"online\":false,\"claim_ms\":%d}",
                  CLAIM_MS);
    send_json(s, &json);
    bool claims = await_verb(s, "claim", CLAIM_MS + 2 * ANSWER_MS);
    report(s, claims, "absent",
           claims ? "it claims the win over an opponent who has gone"
                  : "it does not claim the win over an opponent who has gone");
    if (claims)
        reply(s, "ok", "");
    send_state(s, 1, "over");
    if (s->matches[1].ply > 0)
        send_state(s, 2, "over");
    return true;
}

/* The server ends and comes again. */
static void check_shutdown(struct trick_server *s)
{
    send_text(s, "{\"type\":\"bye\",\"reason\":\"shutdown\"}");
    await_verb(s, "nothing", QUIET_MS / 10);
    if (s->peer >= 0)
        close(s->peer);
    s->peer = -1;
    s->used = 0;
    bool back = await_login(s);
    if (back)
        accept_login(s);
    report(s, back, "shutdown",
           back ? "it comes back to a server that was restarted" : "it does not come back");
}

/* With no match left, SIGTERM ends it. */
static void check_end(struct trick_server *s)
{
    bool ended = false;

    kill(s->pid, SIGTERM);
    for (int64_t until_ms = clock_ms() + ANSWER_MS; !ended && clock_ms() < until_ms;) {
        ended = waitpid(s->pid, NULL, WNOHANG) == s->pid;
        if (!ended) {
            read_more(s, 50);
            while (take_line(s))
                reply_as_usual(s);
        }
    }
    report(s, ended, "SIGTERM", ended ? "ends it" : "does not end it within 10 s");
    if (ended)
        s->pid = -1;
}

static void check_all(struct trick_server *s)
{
    if (!check_login(s) || !check_match(s))
        return;
    check_unknown(s);
    if (!check_rate_limit(s) || !check_ply_back(s))
        return;
    check_offer(s, "draw");
    check_offer(s, "undo");
    check_two(s);
    if (!check_ping(s) || !check_cut(s) || !check_absent(s))
        return;
    check_shutdown(s);
    check_end(s);
}

/* ---- Running the bot ---- */

static bool listen_here(struct trick_server *s)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;

    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(s->listener, 8) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&address, &length) != 0)
        return bot_error("listen", "%s", strerror(errno));
    snprintf(s->address, sizeof s->address, "127.0.0.1:%d", ntohs(address.sin_port));
    return true;
}

/* Runs the command, with the address of the server for each {} or else as a last word. */
static bool run_bot(struct trick_server *s, char *const words[], int count)
{
    char **command = xcalloc((size_t)count + 2, sizeof *command);
    bool placed = false;

    for (int i = 0; i < count; i++) {
        struct buffer word = {0};
        const char *rest = words[i], *mark;
        for (; (mark = strstr(rest, "{}")) != NULL; rest = mark + 2, placed = true)
            buffer_printf(&word, "%.*s%s", (int)(mark - rest), rest, s->address);
        buffer_printf(&word, "%s%c", rest, '\0');
        command[i] = word.bytes;
    }
    if (!placed)
        command[count] = xstrdup(s->address);
    s->pid = fork();
    if (s->pid == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        setpgid(0, 0);
        dup2(nowhere, STDIN_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* our output is the report */
        execvp(command[0], command);
        fprintf(stderr, "ludus-bot: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    for (int i = 0; i <= count; i++)
        free(command[i]);
    free(command);
    return s->pid > 0 || bot_error("fork", "%s", strerror(errno));
}

static bool read_game(void *context, const struct option_input *input, struct cause *cause)
{
    struct trick_server *s = context;

    s->game = game_open(input->value, &s->start, NULL, cause);
    return s->game != NULL;
}

const struct option_row check_bot_rows[] = {
    {OPTION("game", "GAME[:VARIANT]", "the game"), .read = read_game, .standard = "clobber:5x6"},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Checks whether a bot is a good citizen. Runs COMMAND, with the address HOST:PORT of a\n"
    "server of its own for each {} in it, or else as its last word, and there challenges\n"
    "the bot, takes moves back, limits rates, cuts the connection, and has an opponent who\n"
    "leaves. Prints a line for each check. The status is 0 if all is good, 1 if something\n"
    "is bad, 2 for wrong usage. The bot must accept challenges to the game.";

int check_bot_main(const struct usage_command *command, int argc, char **argv)
{
    struct trick_server *s = xcalloc(1, sizeof *s);
    int status = options_read("ludus-bot", check_bot_rows, OPTIONS_FIRST, argc, argv, s);

    s->peer = s->listener = -1;
    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        status = 0;
    } else if (status == OPTIONS_RUN && optind == argc) {
        bot_error("check-bot", "no command: see --help");
        status = EXIT_USAGE;
    } else if (status == OPTIONS_RUN) {
        status = EXIT_FAILURE;
        if (listen_here(s) && run_bot(s, argv + optind, argc - optind)) {
            check_all(s);
            if (s->pid > 0) {
                kill(-s->pid, SIGKILL);
                waitpid(s->pid, NULL, 0);
            }
            printf("%s: %d of %d checks passed\n", s->failed == 0 ? "good" : "bad",
                   s->done - s->failed, s->done);
            status = s->failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    }
    if (s->peer >= 0)
        close(s->peer);
    if (s->listener >= 0)
        close(s->listener);
    free(s);
    return status;
}
