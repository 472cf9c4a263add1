#include "relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/link/clock_ms.h"
#include "client/link/json_read.h"
#include "common/buffer.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "course_results.h"
#include "fd_pass.h"

enum {
    ANSWER_MS = 10000,    /* from a question to the relay to its answer */
    WIRES_MAX = 4,        /* connections of a bot at a time */
    CONNECTS_MAX = 20,    /* new ones in a second */
    LINES_A_SECOND = 300, /* of a bot; it may save up as many */
    BYTES_A_SECOND = 128 << 10,
    LINE_MAX_BYTES = 1024,  /* protocol.md */
    UNREAD_MAX = 256 << 10, /* that a bot leaves unread: it is cut off */
    EVENTS_MAX = 8 << 20,   /* bytes of events that nobody reads: more are dropped */
    SHOWN_MAX = 400,        /* bytes of a line that are kept */
    MATCH_MAX = 32,
    MOVE_MAX = 24,
    ID_MAX = 72,
    ASKED_MAX = 64, /* moves of a connection without a reply that are known */
    TURNS_MAX = 8   /* matches of a bot at a time that are known */
};

/* How the ids of our own commands begin. */
#define OWN_ID "ludus-relay-"

/* ---- The process of the relay ---- */

/* A move that was sent. */
struct asked {
    char id[ID_MAX]; /* "": none */
    char match[MATCH_MAX], move[MOVE_MAX];
};

/* A connection of a bot, and ours to the server for it. */
struct wire {
    int bot;
    int down, up;          /* to the bot, -1: it has gone; to the server */
    bool logged_in, ended; /* ended: what is left goes to the bot, then both close */
    bool is_long;          /* the rest of an overlong line is dropped */
    bool dead;             /* closed; freed at the end of the turn of the loop */
    struct buffer from_down, to_up, from_up, to_down;
    struct asked asked[ASKED_MAX];
    int asked_count;
    TAILQ_ENTRY(wire) next;
};
TAILQ_HEAD(wires, wire);

/* A match of a tournament, in which a bot is to move or was. */
struct turn {
    char match[MATCH_MAX]; /* "": none */
    int ply;
    bool waits, judged; /* for the bot's move; an illegal one was told */
    int64_t since_ms;
    char *position;    /* owned */
    cJSON *legal;      /* owned */
    struct wire *wire; /* by which it came; NULL: gone */
};

struct relay_bot {
    const char *name;
    int listen_fd; /* -1: none */
    int wire_count, connects;
    int64_t second, sent; /* of connects; bytes in the night */
    int64_t filled_ms;    /* when these were */
    int64_t lines, bytes; /* thousandths that it may send now */
    char last[RELAY_LINES][SHOWN_MAX + 32];
    long said; /* lines so far */
    struct turn turns[TURNS_MAX];
};

struct relay_state {
    const struct relay_plan *plan;
    int channel; /* to the process of the course */
    struct buffer to_course;
    struct relay_bot *bots;
    struct wires wires;
    int64_t now_ms;
    long random_count;
};

static void end_wire(struct relay_state *state, struct wire *wire);

/* Keeps the beginning of a line for verdicts, without tokens. */
static void keep_line(struct relay_bot *bot, char mark, const char *line, size_t length)
{
    enum { DIGITS_OF_TOKEN = 32 };
    static const char digits[] = "0123456789abcdef";
    char *kept = bot->last[bot->said++ % RELAY_LINES], text[SHOWN_MAX + 1];
    struct timespec now;
    struct tm day;

    size_t shown = length < SHOWN_MAX ? length : SHOWN_MAX;
    memcpy(text, line, shown);
    text[shown] = '\0';
    for (char *at = text; *at != '\0'; at++) {
        size_t run = strspn(at, digits);
        if (run >= DIGITS_OF_TOKEN ||
            (at[run] == '\0' && length > shown)) /* the cut may be in it */
            memset(at, '*', run);
        at += run > 0 ? run - 1 : 0;
    }
    utf8_clean(text);
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &day);
    snprintf(kept, sizeof bot->last[0], "%02d:%02d:%02d.%03ld %c %s%s", day.tm_hour, day.tm_min,
             day.tm_sec, now.tv_nsec / 1000000, mark, text, length > shown ? "..." : "");
}

static cJSON *last_lines(const struct relay_bot *bot)
{
    cJSON *lines = cJSON_CreateArray();
    long first = bot->said > RELAY_LINES ? bot->said - RELAY_LINES : 0;

    for (long i = first; i < bot->said; i++)
        cJSON_AddItemToArray(lines, cJSON_CreateString(bot->last[i % RELAY_LINES]));
    return lines;
}

/* Sends an object to the course, and frees it. */
static void tell_course(struct relay_state *state, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);

    if (state->to_course.length < EVENTS_MAX)
        buffer_printf(&state->to_course, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

static cJSON *make_event(const struct relay_state *state, const char *what,
                         const struct relay_bot *bot, const struct turn *turn)
{
    cJSON *event = cJSON_CreateObject();

    cJSON_AddStringToObject(event, "event", what);
    cJSON_AddNumberToObject(event, "bot", (double)(bot - state->bots));
    if (turn != NULL) {
        cJSON_AddStringToObject(event, "match", turn->match);
        cJSON_AddNumberToObject(event, "ply", turn->ply);
    }
    return event;
}

/* ---- Turns, and moves at random ---- */

static void forget_turn(struct turn *turn)
{
    free(turn->position);
    cJSON_Delete(turn->legal);
    turn->position = NULL;
    turn->legal = NULL;
    turn->waits = false;
}

static struct turn *find_turn(struct relay_bot *bot, const char *match)
{
    for (int i = 0; i < TURNS_MAX; i++)
        if (match[0] != '\0' && strcmp(bot->turns[i].match, match) == 0)
            return &bot->turns[i];
    return NULL;
}

/* The match that a move without one means; NULL: it could be several. */
static struct turn *only_turn(struct relay_bot *bot)
{
    struct turn *only = NULL;

    for (int i = 0; i < TURNS_MAX; i++) {
        if (!bot->turns[i].waits)
            continue;
        if (only != NULL)
            return NULL;
        only = &bot->turns[i];
    }
    return only;
}

/* Tells the course of a match that the bot has lost by its clock, or by being away. */
static void note_loss(struct relay_state *state, const struct wire *wire, const cJSON *message)
{
    const struct relay_bot *bot = &state->bots[wire->bot];
    const char *reason = json_text_or(message, "reason", "");
    bool white = strcmp(json_text_or(message, "you", ""), "white") == 0;

    if (strcmp(json_text_or(message, "result", ""), white ? "0-1" : "1-0") != 0 ||
        (strcmp(reason, "timeout") != 0 && strcmp(reason, "forfeit") != 0))
        return;
    cJSON *event = make_event(state, "lost", bot, NULL);
    cJSON_AddStringToObject(event, "match", json_text_or(message, "match", ""));
    cJSON_AddNumberToObject(event, "ply", json_int_or(message, "ply", 0));
    cJSON_AddStringToObject(event, "position", json_text_or(message, "position", ""));
    cJSON_AddStringToObject(event, "reason", reason);
    cJSON_AddItemToObject(event, "last", last_lines(bot));
    tell_course(state, event);
}

/* Takes note of a state of a match: who is to move there. */
static void note_state(struct relay_state *state, struct wire *wire, cJSON *message)
{
    struct relay_bot *bot = &state->bots[wire->bot];
    const char *match = json_text_or(message, "match", "");
    int ply = json_int_or(message, "ply", -1);
    struct turn *turn = find_turn(bot, match);
    bool waits = json_member(message, "legal") != NULL;

    if (json_member(message, "tournament") == NULL || strlen(match) >= MATCH_MAX ||
        (turn != NULL && turn->ply > ply))
        return;
    if (strcmp(json_text_or(message, "status", ""), "over") == 0)
        note_loss(state, wire, message);
    if (turn != NULL && turn->ply == ply && turn->waits == waits) { /* it came once more */
        turn->wire = wire;
        return;
    }
    for (int i = 0; turn == NULL && i < TURNS_MAX; i++)
        if (bot->turns[i].match[0] == '\0' || !bot->turns[i].waits)
            turn = &bot->turns[i];
    if (turn == NULL)
        turn = &bot->turns[0];
    bool judged = turn->judged && strcmp(turn->match, match) == 0;
    forget_turn(turn);
    *turn = (struct turn){.ply = ply, .waits = waits, .judged = judged, .wire = wire};
    snprintf(turn->match, sizeof turn->match, "%s", match);
    turn->since_ms = state->now_ms;
    if (waits) {
        turn->position = xstrdup(json_text_or(message, "position", ""));
        turn->legal = cJSON_DetachItemFromObjectCaseSensitive(message, "legal");
    }
}

/* The number of a move at random: FNV-1a of the words is the seed. */
static int choose_number(const struct relay_state *state, const struct turn *turn, int count)
{
    char words[160];
    uint64_t seed = 0xcbf29ce484222325u;

    snprintf(words, sizeof words, "%s/%s/%d", state->plan->seed, turn->match, turn->ply);
    for (const char *at = words; *at != '\0'; at++)
        seed = (seed ^ (unsigned char)*at) * 0x100000001b3u;
    return rng_below(&seed, count);
}

/* Any connection of the bot by which a move can be sent. */
static struct wire *find_wire(struct relay_state *state, int bot)
{
    struct wire *wire;

    TAILQ_FOREACH (wire, &state->wires, next)
        if (wire->bot == bot && wire->logged_in && !wire->ended && !wire->dead)
            return wire;
    return NULL;
}

/* Plays for the bot. The file is written first: no such move is without its mark. */
static void play_random(struct relay_state *state, struct relay_bot *bot, struct turn *turn,
                        const char *why)
{
    int count = cJSON_GetArraySize(turn->legal);
    struct wire *wire = turn->wire != NULL && !turn->wire->ended
                            ? turn->wire
                            : find_wire(state, (int)(bot - state->bots));
    const cJSON *legal =
        count > 0 ? cJSON_GetArrayItem(turn->legal, choose_number(state, turn, count)) : NULL;
    struct cause ignored;

    if (!state->plan->plays || !turn->waits || wire == NULL || !cJSON_IsString(legal))
        return;
    cJSON *event = make_event(state, "random", bot, turn);
    cJSON_AddStringToObject(event, "move", legal->valuestring);
    cJSON_AddStringToObject(event, "name", bot->name);
    cJSON_AddStringToObject(event, "why", why);
    if (!course_lines_add(state->plan->random_path, event, &ignored)) {
        cJSON_Delete(event);
        return;
    }
    char move[LINE_MAX_BYTES];
    int length = snprintf(move, sizeof move, "#" OWN_ID "%ld move %s %s ply=%d\n",
                          ++state->random_count, turn->match, legal->valuestring, turn->ply);
    buffer_add(&wire->to_up, move, (size_t)length);
    keep_line(bot, '*', move, (size_t)length - 1);
    tell_course(state, event);
    turn->waits = false;
}

/* What is left of an illegal move for others to see: it may be anything. */
static void show_move(const char *move, char shown[MOVE_MAX])
{
    int length = 0;

    for (; *move != '\0' && length < MOVE_MAX / 2; move++)
        shown[length++] = (*move >= 'a' && *move <= 'z') || (*move >= 'A' && *move <= 'Z') ||
                                  (*move >= '0' && *move <= '9') || *move == '@'
                              ? *move
                              : '?';
    shown[length] = '\0';
}

static void note_illegal(struct relay_state *state, struct relay_bot *bot,
                         const struct asked *asked, const cJSON *reply)
{
    struct turn *turn = asked->match[0] != '\0' ? find_turn(bot, asked->match) : only_turn(bot);
    char shown[MOVE_MAX], why[MOVE_MAX + 32];

    if (turn == NULL || !turn->waits)
        return;
    show_move(asked->move, shown);
    if (!turn->judged) {
        cJSON *event = make_event(state, "illegal", bot, turn);
        cJSON_AddStringToObject(event, "position", turn->position);
        cJSON_AddStringToObject(event, "move", shown);
        cJSON_AddStringToObject(event, "why", json_text_or(reply, "message", ""));
        cJSON_AddItemToObject(event, "last", last_lines(bot));
        tell_course(state, event);
        turn->judged = true;
    }
    snprintf(why, sizeof why, "illegal move %s", shown);
    play_random(state, bot, turn, why);
}

/* ---- Lines ---- */

static bool is_own_id(const char *id)
{
    return strncmp(id, OWN_ID, strlen(OWN_ID)) == 0;
}

/* Takes the move off the list to which this is the reply. False: it is to none. */
static bool take_asked(struct wire *wire, const char *id, struct asked *asked)
{
    for (int i = 0; i < wire->asked_count; i++) {
        if (strcmp(wire->asked[i].id, id) != 0)
            continue;
        *asked = wire->asked[i];
        wire->asked_count -= i + 1;
        memmove(wire->asked, wire->asked + i + 1,
                (size_t)wire->asked_count * sizeof wire->asked[0]);
        return true;
    }
    return false;
}

/* The bot is back: what kept its place is not needed any more. */
static void end_stand_ins(struct relay_state *state, const struct wire *back)
{
    struct wire *wire;

    TAILQ_FOREACH (wire, &state->wires, next)
        if (wire->bot == back->bot && wire != back && wire->down < 0)
            end_wire(state, wire);
}

/* Reads a line of the server. Returns whether the bot gets it. */
static bool note_server_line(struct relay_state *state, struct wire *wire, const char *line,
                             size_t length)
{
    struct relay_bot *bot = &state->bots[wire->bot];
    cJSON *message = cJSON_ParseWithLength(line, length);
    const char *type = json_text_or(message, "type", ""), *cmd = json_text_or(message, "cmd", "");
    const char *id = json_text_or(message, "id", "");
    bool passes = !is_own_id(id);
    struct asked asked;

    if (passes && wire->down >= 0)
        keep_line(bot, '<', line, length);
    if (strcmp(type, "state") == 0) {
        note_state(state, wire, message);
    } else if (strcmp(type, "ping") == 0 && wire->down < 0) {
        buffer_puts(&wire->to_up, "ping\n");
    } else if (strcmp(type, "ok") == 0 && strcmp(cmd, "hello") == 0) {
        wire->logged_in = strcasecmp(json_text_or(message, "name", ""), bot->name) == 0;
        if (wire->logged_in)
            end_stand_ins(state, wire);
    } else if (passes && strcmp(cmd, "move") == 0 && take_asked(wire, id, &asked) &&
               strcmp(type, "error") == 0 &&
               (strcmp(json_text_or(message, "code", ""), "illegal-move") == 0 ||
                strcmp(json_text_or(message, "code", ""), "bad-arguments") == 0)) {
        note_illegal(state, bot, &asked, message);
    }
    cJSON_Delete(message);
    return passes;
}

/* Takes note of a move. */
static void note_move(struct wire *wire, const char *id, char *rest)
{
    struct asked *asked;
    const char *first = text_line_word(&rest), *second = text_line_word(&rest);

    if (wire->asked_count == ASKED_MAX)
        memmove(wire->asked, wire->asked + 1, (size_t)--wire->asked_count * sizeof *asked);
    asked = &wire->asked[wire->asked_count++];
    bool has_match = second[0] != '\0' && strchr(second, '=') == NULL;
    snprintf(asked->id, sizeof asked->id, "%s", id);
    snprintf(asked->match, sizeof asked->match, "%s", has_match ? first : "");
    snprintf(asked->move, sizeof asked->move, "%s", has_match ? second : first);
}

/* Answers a line of the bot that the server does not get. */
static void refuse_line(struct wire *wire, const char *id, const char *code, const char *message)
{
    cJSON *error = cJSON_CreateObject();

    cJSON_AddStringToObject(error, "type", "error");
    if (id[0] != '\0')
        cJSON_AddStringToObject(error, "id", id);
    cJSON_AddStringToObject(error, "code", code);
    cJSON_AddStringToObject(error, "message", message);
    char *words = cJSON_PrintUnformatted(error);
    buffer_printf(&wire->to_down, "%s\n", words);
    cJSON_free(words);
    cJSON_Delete(error);
}

/* Says why a bot may not send a command; NULL: it may. Ends the words of `rest`. */
static const char *find_refusal(const struct relay_bot *bot, const char *verb, char *rest)
{
    /* With these it could make the token of the course invalid, let the server's engine think for
     * it, draw others into further matches, or speak HTTP, of which the relay understands nothing.
     */
    static const char *const refused[] = {"device", "tokens",  "revoke", "analyse",
                                          "review", "hint",    "new",    "seek",
                                          "join",   "rematch", "get",    "head"};

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcasecmp(verb, refused[i]) == 0)
            return "bots of a course may not use this command";
    /* Names are for the students to come, and those of tournaments for the nights. */
    if (strcasecmp(verb, "hello") == 0 && strcasecmp(text_line_word(&rest), bot->name) != 0)
        return "bots of a course have the name that they are given";
    if (strcasecmp(verb, "tournament") == 0 && strcasecmp(text_line_word(&rest), "new") == 0)
        return "bots of a course open no tournaments";
    return NULL;
}

/* Reads a line of the bot. Returns whether the server gets it. */
static bool note_bot_line(struct relay_state *state, struct wire *wire, const char *line,
                          size_t length)
{
    char text[LINE_MAX_BYTES], *rest = text;

    keep_line(&state->bots[wire->bot], '>', line, length);
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    text_line_squeeze(text);
    const char *verb = text_line_word(&rest), *id = "";
    if (verb[0] == '#') {
        id = verb + 1;
        verb = text_line_word(&rest);
    }
    if (is_own_id(id)) { /* the reply would count as one to us */
        refuse_line(wire, id, "not-allowed", "ids that begin with " OWN_ID " are for the relay");
        return false;
    }
    if (strcasecmp(verb, "move") == 0) {
        note_move(wire, id, rest);
        return true;
    }
    const char *why = find_refusal(&state->bots[wire->bot], verb, rest);
    if (why != NULL)
        refuse_line(wire, id, "not-allowed", why);
    return why == NULL;
}

/* ---- Connections ---- */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void end_wire(struct relay_state *state, struct wire *wire)
{
    struct relay_bot *bot = &state->bots[wire->bot];

    if (wire->dead)
        return;
    close_fd(&wire->down);
    close_fd(&wire->up);
    wire->dead = true;
    bot->wire_count--;
    for (int i = 0; i < TURNS_MAX; i++)
        if (bot->turns[i].wire == wire)
            bot->turns[i].wire = NULL;
}

static void free_dead_wires(struct relay_state *state)
{
    struct wire *wire, *next;

    for (wire = TAILQ_FIRST(&state->wires); wire != NULL; wire = next) {
        next = TAILQ_NEXT(wire, next);
        if (!wire->dead)
            continue;
        TAILQ_REMOVE(&state->wires, wire, next);
        buffer_release(&wire->from_down);
        buffer_release(&wire->to_up);
        buffer_release(&wire->from_up);
        buffer_release(&wire->to_down);
        free(wire);
    }
}

/* The bot's end has gone. Where moves are played for it, ours stays. */
static void lose_bot(struct relay_state *state, struct wire *wire, const char *why)
{
    struct relay_bot *bot = &state->bots[wire->bot];

    keep_line(bot, '!', why, strlen(why));
    if (!state->plan->plays || !wire->logged_in || wire->ended) {
        end_wire(state, wire);
        return;
    }
    close_fd(&wire->down);
    wire->to_down.length = 0;
    /* One keeps the place, and no other connection of the bot has it. */
    struct wire *other;
    TAILQ_FOREACH (other, &state->wires, next)
        if (other != wire && other->bot == wire->bot && other->logged_in && !other->ended &&
            !other->dead)
            break;
    if (other != NULL) {
        end_wire(state, wire);
        return;
    }
    for (int i = 0; i < TURNS_MAX; i++)
        play_random(state, bot, &bot->turns[i], "it was gone");
}

/* Fills up what a bot may send. */
static void fill_bot(const struct relay_state *state, struct relay_bot *bot)
{
    int64_t passed_ms = state->now_ms - bot->filled_ms;

    bot->filled_ms = state->now_ms;
    bot->lines += passed_ms * LINES_A_SECOND;
    bot->bytes += passed_ms * BYTES_A_SECOND;
    if (bot->lines > LINES_A_SECOND * 1000LL)
        bot->lines = LINES_A_SECOND * 1000LL;
    if (bot->bytes > BYTES_A_SECOND * 1000LL)
        bot->bytes = BYTES_A_SECOND * 1000LL;
}

static bool may_send(const struct relay_bot *bot)
{
    return bot->lines > 0 && bot->bytes > 0;
}

/* A bot that is out: its port, and all of its connections, end. */
static void shut_out(struct relay_state *state, int number)
{
    struct wire *wire;

    close_fd(&state->bots[number].listen_fd);
    for (int i = 0; i < TURNS_MAX; i++)
        forget_turn(&state->bots[number].turns[i]);
    TAILQ_FOREACH (wire, &state->wires, next)
        if (wire->bot == number)
            end_wire(state, wire);
}

/* Passes on the whole lines of a bot. */
static void pass_up(struct relay_state *state, struct wire *wire)
{
    struct relay_bot *bot = &state->bots[wire->bot];
    struct buffer *from = &wire->from_down;
    size_t taken = 0;

    while (taken < from->length) {
        const char *line = from->bytes + taken, *end = memchr(line, '\n', from->length - taken);
        size_t length = end != NULL ? (size_t)(end - line) : from->length - taken;
        if (wire->is_long || length >= LINE_MAX_BYTES) {
            if (!wire->is_long) {
                refuse_line(wire, "", "line-too-long", "line too long");
                keep_line(bot, '>', line, length);
                bot->lines -= 1000;
            }
            wire->is_long = end == NULL;
        } else if (end == NULL) {
            break;
        } else {
            bot->lines -= 1000;
            if (note_bot_line(state, wire, line, length))
                buffer_add(&wire->to_up, line, length + 1);
        }
        taken += length + (end != NULL);
    }
    memmove(from->bytes, from->bytes + taken, from->length - taken);
    from->length -= taken;
}

/* Returns false when the wire is gone. */
static bool read_bot(struct relay_state *state, struct wire *wire)
{
    enum { PIECE = 4096 };
    struct relay_bot *bot = &state->bots[wire->bot];
    ssize_t length = recv(wire->down, buffer_room(&wire->from_down, PIECE), PIECE, MSG_DONTWAIT);

    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (length == 0 && (!state->plan->plays || !wire->logged_in)) {
        /* All that it has sent is answered first. */
        keep_line(bot, '!', "it sends no more", strlen("it sends no more"));
        buffer_puts(&wire->to_up, "quit\n");
        wire->ended = true;
        return true;
    }
    if (length <= 0) {
        lose_bot(state, wire, "its connection has ended");
        return false;
    }
    wire->from_down.length += (size_t)length;
    bot->bytes -= length * 1000;
    bot->sent += length;
    if (bot->sent > (int64_t)RELAY_SENT_MB << 20) {
        tell_course(state, make_event(state, "flood", bot, NULL));
        shut_out(state, wire->bot);
        return false;
    }
    pass_up(state, wire);
    return true;
}

/* Returns false when the wire is gone. */
static bool read_server(struct relay_state *state, struct wire *wire)
{
    enum { PIECE = 65536 };
    struct buffer *from = &wire->from_up;
    ssize_t length = recv(wire->up, buffer_room(from, PIECE), PIECE, MSG_DONTWAIT);
    size_t taken = 0;

    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (length <= 0) {
        /* What is left is for the bot. */
        if (wire->down >= 0 && wire->to_down.length > 0)
            send(wire->down, wire->to_down.bytes, wire->to_down.length,
                 MSG_DONTWAIT | MSG_NOSIGNAL);
        end_wire(state, wire);
        return false;
    }
    from->length += (size_t)length;
    for (char *end; (end = memchr(from->bytes + taken, '\n', from->length - taken)) != NULL;) {
        const char *line = from->bytes + taken;
        size_t bytes = (size_t)(end - line);
        if (note_server_line(state, wire, line, bytes) && wire->down >= 0)
            buffer_add(&wire->to_down, line, bytes + 1);
        taken += bytes + 1;
    }
    memmove(from->bytes, from->bytes + taken, from->length - taken);
    from->length -= taken;
    return true;
}

/* Sends what there is. False when the other end is gone. */
static bool send_rest(int fd, struct buffer *rest)
{
    while (fd >= 0 && rest->length > 0) {
        ssize_t length = send(fd, rest->bytes, rest->length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (length < 0)
            return errno == EAGAIN || errno == EINTR;
        memmove(rest->bytes, rest->bytes + length, rest->length - (size_t)length);
        rest->length -= (size_t)length;
    }
    return true;
}

/* Connects to the server without waiting. */
static int connect_server(const struct relay_plan *plan)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)plan->server_port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 &&
        errno != EINPROGRESS)
        close_fd(&fd);
    return fd;
}

/* Makes room for a connection of the bot: one by which nobody has logged in goes first. */
static void end_oldest(struct relay_state *state, int number)
{
    struct wire *wire, *oldest = NULL;

    TAILQ_FOREACH (wire, &state->wires, next)
        if (wire->bot == number && !wire->dead &&
            (oldest == NULL || (oldest->logged_in && !wire->logged_in)))
            oldest = wire;
    if (oldest != NULL) {
        keep_line(&state->bots[number], '!', "a connection too many: the oldest ends",
                  strlen("a connection too many: the oldest ends"));
        end_wire(state, oldest);
    }
}

static void accept_bot(struct relay_state *state, int number)
{
    struct relay_bot *bot = &state->bots[number];
    const int one = 1;
    int fd = accept4(bot->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    bot->connects++; /* a failure, too, or it would be tried again at once */
    if (fd < 0)
        return;
    if (bot->wire_count == WIRES_MAX)
        end_oldest(state, number);
    int up = connect_server(state->plan);
    if (up < 0) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(up, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct wire *wire = xcalloc(1, sizeof *wire);
    wire->bot = number;
    wire->down = fd;
    wire->up = up;
    bot->wire_count++;
    TAILQ_INSERT_TAIL(&state->wires, wire, next);
}

/* Whether the bot may connect now. */
static bool may_connect(const struct relay_state *state, struct relay_bot *bot)
{
    if (bot->second != state->now_ms / 1000) {
        bot->second = state->now_ms / 1000;
        bot->connects = 0;
    }
    return bot->listen_fd >= 0 && bot->connects < CONNECTS_MAX;
}

/* ---- The loop ---- */

/* A command of the course, perhaps with a listening socket. */
struct relay_command {
    int bot;
    bool asks; /* for the last lines */
};

/* Reads one. False when the course has ended. */
static bool read_command(struct relay_state *state)
{
    struct relay_command command;
    int fd;
    ssize_t length = fd_receive(state->channel, &command, sizeof command, &fd);

    if (length < 0)
        return errno == EAGAIN || errno == EINTR;
    if (length != (ssize_t)sizeof command)
        return false;
    struct relay_bot *bot = &state->bots[command.bot];
    if (command.asks) {
        cJSON *answer = make_event(state, "last", bot, NULL);
        cJSON_AddItemToObject(answer, "last", last_lines(bot));
        tell_course(state, answer);
    } else if (fd < 0) {
        shut_out(state, command.bot);
    } else {
        close_fd(&bot->listen_fd);
        bot->listen_fd = fd;
        fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    return true;
}

/* Plays for those who take too long. Returns when the next one does, or when to try again where it
 * cannot be done: no connection is there. */
static int64_t play_late(struct relay_state *state)
{
    enum { AGAIN_MS = 1000 };
    int64_t due_ms = INT64_MAX, most_ms = state->plan->move_s * 1000;
    char why[48];

    snprintf(why, sizeof why, "no move in %ld s", state->plan->move_s);
    for (int i = 0; most_ms > 0 && i < state->plan->course->bot_count; i++)
        for (int j = 0; j < TURNS_MAX; j++) {
            struct turn *turn = &state->bots[i].turns[j];
            if (turn->waits && turn->since_ms + most_ms <= state->now_ms)
                play_random(state, &state->bots[i], turn, why);
            if (turn->waits)
                due_ms = sooner_ms(due_ms, turn->since_ms + most_ms > state->now_ms
                                               ? turn->since_ms + most_ms
                                               : state->now_ms + AGAIN_MS);
        }
    return due_ms;
}

/* Deals with what poll() has found of a connection. */
static void run_wire(struct relay_state *state, struct wire *wire, short down, short up)
{
    if (wire->dead)
        return;
    if ((down & (POLLIN | POLLHUP | POLLERR)) != 0 && !wire->ended && !read_bot(state, wire))
        return;
    if ((up & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_server(state, wire))
        return;
    if (!send_rest(wire->up, &wire->to_up)) {
        end_wire(state, wire);
        return;
    }
    if (!send_rest(wire->down, &wire->to_down))
        lose_bot(state, wire, "its connection has ended");
    else if (wire->to_down.length > UNREAD_MAX)
        lose_bot(state, wire, "cut off: it does not read");
}

/* Waits once, and deals with all that has come. False when the course has ended. */
static bool run_relay(struct relay_state *state, struct pollfd **polled, size_t *room)
{
    enum { PAUSE_MS = 20 }; /* until a bot that has sent too much may go on */
    int bots = state->plan->course->bot_count, wait_ms = -1;
    size_t count = 1 + (size_t)bots, at;
    struct wire *wire;

    state->now_ms = clock_ms();
    int64_t due_ms = play_late(state);
    TAILQ_FOREACH (wire, &state->wires, next)
        count += 2;
    if (count > *room)
        *polled = xrealloc(*polled, (*room = 2 * count) * sizeof **polled);
    struct pollfd *fds = *polled;
    fds[0] =
        (struct pollfd){.fd = state->channel,
                        .events = (short)(POLLIN | (state->to_course.length > 0 ? POLLOUT : 0))};
    for (int i = 0; i < bots; i++) {
        struct relay_bot *bot = &state->bots[i];
        fill_bot(state, bot);
        bool may = may_connect(state, bot);
        fds[1 + i] = (struct pollfd){.fd = may ? bot->listen_fd : -1, .events = POLLIN};
        if ((!may && bot->listen_fd >= 0) || !may_send(bot))
            wait_ms = PAUSE_MS;
    }
    at = 1 + (size_t)bots;
    TAILQ_FOREACH (wire, &state->wires, next) {
        bool reads = may_send(&state->bots[wire->bot]) && !wire->ended &&
                     wire->to_up.length < BYTES_A_SECOND;
        fds[at++] = (struct pollfd){
            .fd = reads || wire->to_down.length > 0 ? wire->down : -1,
            .events = (short)((reads ? POLLIN : 0) | (wire->to_down.length > 0 ? POLLOUT : 0))};
        fds[at++] = (struct pollfd){
            .fd = wire->up, .events = (short)(POLLIN | (wire->to_up.length > 0 ? POLLOUT : 0))};
    }
    if (due_ms != INT64_MAX && (wait_ms < 0 || until_ms(due_ms) < wait_ms))
        wait_ms = until_ms(due_ms);
    if (poll(fds, (nfds_t)count, wait_ms) < 0)
        return errno == EINTR;
    state->now_ms = clock_ms();
    at = 1 + (size_t)bots;
    TAILQ_FOREACH (wire, &state->wires, next) {
        run_wire(state, wire, fds[at].revents, fds[at + 1].revents);
        at += 2;
    }
    free_dead_wires(state);
    for (int i = 0; i < bots; i++)
        if ((fds[1 + i].revents & POLLIN) != 0 && state->bots[i].listen_fd == fds[1 + i].fd)
            accept_bot(state, i);
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_command(state))
        return false;
    return send_rest(state->channel, &state->to_course);
}

_Noreturn static void become_relay(const struct relay_plan *plan, int channel, pid_t parent)
{
    struct relay_state state = {.plan = plan, .channel = channel};
    struct pollfd *polled = NULL;
    struct rlimit files;
    size_t room = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_IGN); /* Ctrl-C at the terminal is for the course */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
        if (fd != channel)
            close(fd);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    TAILQ_INIT(&state.wires);
    state.bots = xcalloc((size_t)plan->course->bot_count, sizeof *state.bots);
    for (int i = 0; i < plan->course->bot_count; i++) {
        state.bots[i].name = plan->course->bots[i].name;
        state.bots[i].listen_fd = -1;
    }
    while (run_relay(&state, &polled, &room))
        continue;
    _exit(0);
}

/* ---- The process of the course ---- */

bool relay_start(struct relay *relay, const struct relay_plan *plan, struct cause *cause)
{
    pid_t parent = getpid();
    int ends[2];

    *relay = (struct relay){.link.fd = -1, .events = cJSON_CreateArray()};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cause_set(cause, "no socket for the relay: %s", strerror(errno));
    fflush(NULL);
    relay->pid = fork();
    if (relay->pid == 0)
        become_relay(plan, ends[1], parent);
    close(ends[1]);
    relay->link.fd = ends[0];
    if (relay->pid > 0)
        return true;
    relay->pid = 0;
    return cause_set(cause, "no process for the relay: %s", strerror(errno));
}

void relay_stop(struct relay *relay)
{
    if (relay->pid > 0) {
        kill(relay->pid, SIGKILL);
        while (waitpid(relay->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    link_close(&relay->link);
    cJSON_Delete(relay->events);
    *relay = (struct relay){.link.fd = -1};
}

static bool lose_relay(struct cause *cause)
{
    return cause_set(cause, "the relay between the bots and the server has ended");
}

static bool send_command(const struct relay *relay, struct relay_command command, int fd,
                         struct cause *cause)
{
    return fd_send(relay->link.fd, &command, sizeof command, fd) || lose_relay(cause);
}

bool relay_listen(struct relay *relay, int bot, int fd, struct cause *cause)
{
    bool good = send_command(relay, (struct relay_command){.bot = bot}, fd, cause);

    if (fd >= 0)
        close(fd);
    return good;
}

bool relay_read(struct relay *relay, struct cause *cause)
{
    cJSON *event;

    if (!link_read(&relay->link))
        return lose_relay(cause);
    while ((event = link_next(&relay->link)) != NULL)
        cJSON_AddItemToArray(relay->events, event);
    return true;
}

cJSON *relay_event(struct relay *relay)
{
    return cJSON_DetachItemFromArray(relay->events, 0);
}

/* Takes the answer off the events that have come; NULL: it has not. */
static cJSON *take_answer(struct relay *relay)
{
    cJSON *event;

    cJSON_ArrayForEach (event, relay->events)
        if (strcmp(json_text_or(event, "event", ""), "last") == 0)
            return cJSON_DetachItemViaPointer(relay->events, event);
    return NULL;
}

cJSON *relay_last(struct relay *relay, int bot, struct cause *cause)
{
    cJSON *answer = NULL;

    if (!send_command(relay, (struct relay_command){.bot = bot, .asks = true}, -1, cause))
        return NULL;
    while ((answer = take_answer(relay)) == NULL) {
        struct pollfd in = {.fd = relay->link.fd, .events = POLLIN};
        int ready = poll(&in, 1, ANSWER_MS);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            lose_relay(cause);
            return NULL;
        }
        if (!relay_read(relay, cause))
            return NULL;
    }
    cJSON *last = cJSON_DetachItemFromObjectCaseSensitive(answer, "last");
    cJSON_Delete(answer);
    return last;
}
