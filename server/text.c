#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/board_text.h"
#include "common/game.h"
#include "memory_file.h"

static const cJSON *item(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The text of a member; "" when it is missing or no text. */
static const char *text(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(item(object, name));

    return value != NULL ? value : "";
}

static int number(const cJSON *object, const char *name)
{
    const cJSON *value = item(object, name);

    return cJSON_IsNumber(value) ? value->valueint : 0;
}

static bool is_true(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(item(object, name));
}

/* Writes the strings of an array with spaces between, wrapped at about 76 columns. */
static void write_words(FILE *out, const cJSON *array)
{
    const cJSON *word;
    size_t column = 0;

    cJSON_ArrayForEach (word, array) {
        size_t length = strlen(word->valuestring);
        if (column + length > 74) {
            fputc('\n', out);
            column = 0;
        }
        fprintf(out, "%s%s", column == 0 ? "  " : " ", word->valuestring);
        column += length + 1;
    }
    if (column > 0)
        fputc('\n', out);
}

static double milliseconds(const cJSON *object, const char *name)
{
    const cJSON *value = item(object, name);

    return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

/* A time left: 4:32, 1:05:00, and 0:19.4 when it gets short. Rounded down, but never to nothing
 * where something is left. */
static void write_time(FILE *out, double left_ms)
{
    long long tenths = (long long)left_ms / 100, seconds = tenths / 10;

    if (left_ms > 0 && tenths == 0)
        tenths = 1;
    if (seconds >= 3600)
        fprintf(out, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
    else if (seconds >= 20)
        fprintf(out, "%lld:%02lld", seconds / 60, seconds % 60);
    else
        fprintf(out, "0:%02lld.%lld", seconds, tenths % 10);
}

/* A clock as `new` takes it, such as 300+5, behind `before`; nothing where there is none. */
static void write_time_control(FILE *out, const char *before, const cJSON *message)
{
    const cJSON *clock = item(message, "clock");

    if (cJSON_IsObject(clock))
        fprintf(out, "%s%.10g+%.10g", before, milliseconds(clock, "base_ms") / 1000,
                milliseconds(clock, "increment_ms") / 1000);
}

/* From when on the match may be claimed from one who is away. */
static void write_claim(FILE *out, const cJSON *player)
{
    double claim_ms = milliseconds(player, "claim_ms");

    if (!cJSON_IsNumber(item(player, "claim_ms")))
        return;
    if (claim_ms > 0)
        fprintf(out, ", claim in %.0f s", (claim_ms + 999) / 1000 - 0.5);
    else
        fprintf(out, ", claim now");
}

static const char *seat_text(const cJSON *name, const char *open)
{
    return cJSON_IsString(name) ? name->valuestring : open;
}

static void render_ok(FILE *out, const cJSON *message)
{
    const char *command = text(message, "cmd");

    if (strcmp(command, "hello") == 0)
        fprintf(out, "you are %s; to come back after a lost connection: hello %s token=%s\n",
                text(message, "name"), text(message, "name"), text(message, "token"));
    else if (strcmp(command, "new") == 0)
        fprintf(out, "opened match %s\n", text(message, "match"));
    else if (strcmp(command, "set") == 0)
        fprintf(out, "ok: help lists the commands, games the games\n");
    else if (strcmp(command, "move") != 0)
        fprintf(out, "ok\n");
}

static void render_error(FILE *out, const cJSON *message)
{
    fprintf(out, "! %s (%s)\n", text(message, "message"), text(message, "code"));
}

static void render_board(FILE *out, const cJSON *state)
{
    const cJSON *row, *board = item(state, "board");
    const char *rows[BOARD_SIDE_MAX];
    char drawn[BOARD_TEXT_MAX];
    int height = 0;

    cJSON_ArrayForEach (row, board)
        rows[height++] = row->valuestring;
    board_text(rows, height, strcmp(text(state, "you"), "black") == 0, drawn);
    fputs(drawn, out);
}

static void render_player(FILE *out, const cJSON *state, const char *color)
{
    const cJSON *player = item(item(state, "players"), color);

    if (!cJSON_IsObject(player))
        fprintf(out, "open (join %s %s)", text(state, "match"), color);
    else
        fprintf(out, "%s%s", text(player, "name"), is_true(player, "seated") ? "" : " (asked)");
    if (cJSON_IsObject(player) && !is_true(player, "online")) {
        fputs(" (away", out);
        write_claim(out, player);
        fputc(')', out);
    }
}

static void render_clock(FILE *out, const cJSON *state)
{
    const cJSON *clock = item(state, "clock");

    if (!cJSON_IsObject(clock))
        return;
    fputs("clock: white ", out);
    write_time(out, milliseconds(clock, "white_ms"));
    fputs("  black ", out);
    write_time(out, milliseconds(clock, "black_ms"));
    bool over = strcmp(text(state, "status"), "over") == 0;
    fputs(over || cJSON_IsString(item(clock, "running")) ? "\n"
                                                         : "  (starts with the first move)\n",
          out);
}

static const char *winner_text(const char *result)
{
    if (strcmp(result, "1-0") == 0)
        return "white wins";
    if (strcmp(result, "0-1") == 0)
        return "black wins";
    return strcmp(result, "*") == 0 ? "no result" : "a draw";
}

static void render_turn(FILE *out, const cJSON *state)
{
    const char *turn = text(state, "turn"), *you = text(state, "you");

    if (strcmp(text(state, "status"), "over") == 0) {
        fprintf(out, "over: %s, %s (%s)\n", text(state, "result"),
                winner_text(text(state, "result")), text(state, "reason"));
        return;
    }
    if (strcmp(text(state, "status"), "open") == 0) {
        fprintf(out, "waiting for the players\n");
        return;
    }
    bool yours = strcmp(you, turn) == 0 || strcmp(you, "both") == 0;
    fprintf(out, "%s to move%s%s\n", turn, is_true(state, "check") ? ", in check" : "",
            yours ? ": your move" : "");
}

static void render_offers(FILE *out, const cJSON *state)
{
    const cJSON *offer;

    cJSON_ArrayForEach (offer, item(state, "offers"))
        fprintf(out, "%s offers: %s\n", text(offer, "from"), text(offer, "what"));
}

/* What a Xadrersi player wants to see beside the board. */
static void render_hands(FILE *out, const cJSON *state)
{
    const char *hand = strchr(text(state, "position"), '[');

    if (hand != NULL)
        fprintf(out, "in hand: %.*s\n", (int)strcspn(hand + 1, "]"), hand + 1);
    if (item(state, "score") != NULL)
        fprintf(out, "score: white %d, black %d\n", number(item(state, "score"), "white"),
                number(item(state, "score"), "black"));
}

static void render_state(FILE *out, const cJSON *state)
{
    fprintf(out, "\nmatch %s  %s %s  ply %d\n", text(state, "match"), text(state, "game"),
            text(state, "variant"), number(state, "ply"));
    fputs("white (capitals): ", out);
    render_player(out, state, "white");
    fputs("   black: ", out);
    render_player(out, state, "black");
    fputs("\n\n", out);
    render_board(out, state);
    fputc('\n', out);
    render_hands(out, state);
    render_clock(out, state);
    if (cJSON_IsString(item(state, "last")))
        fprintf(out, "last move: %s\n", text(state, "last"));
    render_turn(out, state);
    render_offers(out, state);
}

static void render_moves(FILE *out, const cJSON *message)
{
    const cJSON *moves = item(message, "moves");

    fprintf(out, "%d moves of %s in match %s:\n", cJSON_GetArraySize(moves), text(message, "turn"),
            text(message, "match"));
    write_words(out, moves);
}

static void render_games(FILE *out, const cJSON *message)
{
    const cJSON *game;

    cJSON_ArrayForEach (game, item(message, "games"))
        fprintf(out, "%-11s %s\n            variants: %s; new %s:%s\n", text(game, "name"),
                text(game, "summary"), text(game, "variants_text"), text(game, "name"),
                text(game, "default"));
}

static void render_row(FILE *out, const cJSON *row)
{
    fprintf(out, "%-6s %-8s %s:%s  %s - %s  ply %d, %d watching", text(row, "match"),
            text(row, "status"), text(row, "game"), text(row, "variant"),
            seat_text(item(row, "white"), "(open)"), seat_text(item(row, "black"), "(open)"),
            number(row, "ply"), number(row, "watchers"));
    write_time_control(out, ", clock ", row);
    fputc('\n', out);
}

static void render_list(FILE *out, const cJSON *message)
{
    const cJSON *row, *matches = item(message, "matches");

    cJSON_ArrayForEach (row, matches)
        render_row(out, row);
    if (number(message, "total") > cJSON_GetArraySize(matches))
        fprintf(out, "(the newest %d of %d)\n", cJSON_GetArraySize(matches),
                number(message, "total"));
    if (cJSON_GetArraySize(matches) == 0)
        fputs("no open or running matches: new clobber opens one\n", out);
}

static void render_lobby(FILE *out, const cJSON *message)
{
    fprintf(out, "%s: ", text(message, "what"));
    render_row(out, message);
}

static void render_who(FILE *out, const cJSON *message)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, item(message, "players")) {
        fprintf(out, "%-24s %s", text(player, "name"), is_true(player, "bot") ? "bot, " : "");
        if (cJSON_IsNumber(item(player, "rating")))
            fprintf(out, "rated %d in %s, ", number(player, "rating"), text(player, "rating_game"));
        fprintf(out, "playing %d\n", number(player, "playing"));
    }
}

static void render_top(FILE *out, const cJSON *message)
{
    const cJSON *row, *rows = item(message, "players");

    cJSON_ArrayForEach (row, rows) {
        if (number(row, "rank") == 1)
            fprintf(out, "%s:%s\n", text(row, "game"), text(row, "variant"));
        fprintf(out, "%4d  %-24s %4d +-%-3d  %s%d %s\n", number(row, "rank"), text(row, "name"),
                number(row, "rating"), number(row, "deviation"), is_true(row, "bot") ? "bot, " : "",
                number(row, "matches"), number(row, "matches") == 1 ? "match" : "matches");
    }
    if (cJSON_GetArraySize(rows) == 0)
        fputs("nobody has a rating there yet: take a name with hello, and play\n", out);
}

/* A name, and the rating that its player had after the match. */
static void render_rated(FILE *out, const cJSON *object, const char *color, const char *rating)
{
    fputs(seat_text(item(object, color), "(open)"), out);
    if (cJSON_IsNumber(item(object, rating)))
        fprintf(out, " (%d)", number(object, rating));
}

static void render_rated_players(FILE *out, const cJSON *object)
{
    render_rated(out, object, "white", "white_rating");
    fputs(" - ", out);
    render_rated(out, object, "black", "black_rating");
}

static void render_history(FILE *out, const cJSON *message)
{
    const cJSON *row, *rows = item(message, "matches");

    cJSON_ArrayForEach (row, rows) {
        fprintf(out, "%-6s %.10s %s:%s  ", text(row, "match"), text(row, "date"), text(row, "game"),
                text(row, "variant"));
        render_rated_players(out, row);
        fprintf(out, "  %s %s, ply %d\n", text(row, "result"), text(row, "reason"),
                number(row, "plies"));
    }
    if (number(message, "total") > cJSON_GetArraySize(rows))
        fprintf(out, "(the newest %d of %d)\n", cJSON_GetArraySize(rows), number(message, "total"));
    if (cJSON_GetArraySize(rows) == 0)
        fprintf(out, "no finished matches of %s\n", text(message, "name"));
}

static void render_challenge(FILE *out, const cJSON *message)
{
    const char *match = text(message, "match");

    fprintf(out, "%s asks you to play %s %s as %s", text(message, "from"), text(message, "game"),
            text(message, "variant"), text(message, "color"));
    write_time_control(out, " with clock ", message);
    fprintf(out, ": join %s, or decline %s\n", match, match);
}

static void render_offer(FILE *out, const cJSON *message)
{
    const char *what = text(message, "what"), *match = text(message, "match");

    if (is_true(message, "open"))
        fprintf(out, "%s offers in match %s: %s (%s %s accepts, decline %s refuses)\n",
                text(message, "from"), match, what, what, match, match);
    else
        fprintf(out, "the offer of %s in match %s was %s: %s\n", text(message, "from"), match,
                is_true(message, "accepted") ? "accepted" : "refused", what);
}

static void render_presence(FILE *out, const cJSON *message)
{
    fprintf(out, "%s (%s) is %s in match %s", text(message, "name"), text(message, "color"),
            is_true(message, "online") ? "here" : "away", text(message, "match"));
    write_claim(out, message);
    fputc('\n', out);
}

static void render_chat(FILE *out, const cJSON *message)
{
    fprintf(out, "[%s] %s: %s\n", text(message, "match"), text(message, "from"),
            text(message, "text"));
}

static void render_rematch(FILE *out, const cJSON *message)
{
    fprintf(out, "the rematch of match %s is match %s\n", text(message, "match"),
            text(message, "new"));
}

static void render_record(FILE *out, const cJSON *message)
{
    const cJSON *move;
    int ply = 0;

    fprintf(out, "match %s, %s %s, %s: ", text(message, "match"), text(message, "game"),
            text(message, "variant"), text(message, "date"));
    render_rated_players(out, message);
    write_time_control(out, ", clock ", message);
    fprintf(out, "\nstart: %s\n", text(message, "start"));
    cJSON_ArrayForEach (move, item(message, "moves")) {
        fprintf(out, "%s%d. %s", ply % 8 == 0 ? "  " : " ", ply + 1, move->valuestring);
        ply++;
        if (ply % 8 == 0)
            fputc('\n', out);
    }
    bool over = text(message, "reason")[0] != '\0';
    fprintf(out, "%s%s%s%s\n", ply % 8 == 0 ? "" : "\n", text(message, "result"), over ? " " : "",
            text(message, "reason"));
}

static void render_stats(FILE *out, const cJSON *message)
{
    const cJSON *value;

    cJSON_ArrayForEach (value, message) {
        if (cJSON_IsNumber(value))
            fprintf(out, "%-17s %.0f\n", value->string, value->valuedouble);
    }
}

static void render_help(FILE *out, const cJSON *message)
{
    const cJSON *command;

    cJSON_ArrayForEach (command, item(message, "commands"))
        fprintf(out, "%s%s%s\n    %s\n", text(command, "verb"),
                text(command, "usage")[0] != '\0' ? " " : "", text(command, "usage"),
                text(command, "summary"));
}

static void render_pong(FILE *out, const cJSON *message)
{
    fprintf(out, "pong%s%s\n", text(message, "text")[0] != '\0' ? " " : "", text(message, "text"));
}

static void render_ping(FILE *out, const cJSON *message)
{
    (void)message;
    fputs("(still there? press Enter)\n", out);
}

static void render_bye(FILE *out, const cJSON *message)
{
    fprintf(out, "bye: %s\n", text(message, "reason"));
}

static void render_unknown(FILE *out, const cJSON *message)
{
    fprintf(out, "%s\n", text(message, "type"));
}

static const struct {
    const char *type;
    void (*render)(FILE *out, const cJSON *message);
} renderers[] = {
    {"state", render_state},
    {"ok", render_ok},
    {"error", render_error},
    {"moves", render_moves},
    {"games", render_games},
    {"list", render_list},
    {"lobby", render_lobby},
    {"who", render_who},
    {"offer", render_offer},
    {"chat", render_chat},
    {"challenge", render_challenge},
    {"record", render_record},
    {"stats", render_stats},
    {"presence", render_presence},
    {"help", render_help},
    {"rematch", render_rematch},
    {"pong", render_pong},
    {"ping", render_ping},
    {"bye", render_bye},
    {"top", render_top},
    {"history", render_history},
};

char *text_render(const cJSON *message)
{
    const char *type = text(message, "type");
    void (*render)(FILE *, const cJSON *) = render_unknown;
    struct memory_file memory;

    for (size_t i = 0; i < sizeof renderers / sizeof renderers[0]; i++) {
        if (strcmp(renderers[i].type, type) == 0)
            render = renderers[i].render;
    }
    FILE *out = memory_file_open(&memory);
    if (out == NULL)
        return NULL;
    render(out, message);
    return memory_file_close(&memory, NULL);
}
