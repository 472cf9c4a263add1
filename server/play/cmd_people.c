/* Commands about people: who is here, how well they play, and what they have played. */
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "request.h"
#include "server/base/log.h"

enum {
    TOP_ROWS = 10,      /* of each game and variant, where several are asked for */
    COUNTED_A_ROW = 20, /* so many rows that are only counted cost as much as one that is sent, */
    SORTED_A_ROW = 2    /* and so many that are sorted */
};

static enum status run_who(struct request *request)
{
    const struct player *players[REPLY_ROWS_MAX];
    const struct session *session;
    int shown = 0, total = 0;

    TAILQ_FOREACH (session, &request->server->sessions, link) {
        if (session->player == NULL || !session_is_admitted(session))
            continue;
        total++;
        if (shown < REPLY_ROWS_MAX)
            players[shown++] = session->player;
    }
    request->rows = shown;
    wire_who(request_begin(request), players, shown, total);
    return STATUS_OK;
}

/* Gathers the ratings that `top` is about. */
struct top {
    const struct game *game; /* NULL: of all */
    const char *variant;     /* NULL: of all */
    struct top_row *rows;
    size_t count, capacity;
    size_t looked; /* players that were looked at */
};

static void top_add(struct top *top, const struct player *player, const struct rating *rating)
{
    if (top->count == top->capacity) {
        top->capacity = top->capacity > 0 ? 2 * top->capacity : 64;
        top->rows = xreallocarray(top->rows, top->capacity, sizeof *top->rows);
    }
    top->rows[top->count++] = (struct top_row){.player = player, .rating = rating};
}

static void top_visit(const struct player *player, void *context)
{
    struct top *top = context;
    const struct rating *rating;

    top->looked++;
    SLIST_FOREACH(rating, &player->ratings, link)
    if (rating->matches > 0 && (top->game == NULL || rating->game == top->game) &&
        (top->variant == NULL || strcmp(rating->variant, top->variant) == 0))
        top_add(top, player, rating);
}

/* The place of a game in the list of games. */
static int place_of(const struct game *game)
{
    int place = 0;

    while (games[place] != game)
        place++;
    return place;
}

/* By game and variant: 2x10 stands before 10x2. */
static int compare_groups(const struct top_row *a, const struct top_row *b)
{
    int order = place_of(a->rating->game) - place_of(b->rating->game);

    return order != 0 ? order : strverscmp(a->rating->variant, b->rating->variant);
}

/* Within a group by what is shown, the better rating first, then the surer one. */
static int compare_rows(const void *left, const void *right)
{
    const struct top_row *a = left, *b = right;
    int order = compare_groups(a, b);

    if (order != 0)
        return order;
    if (a->rating->now.rating != b->rating->now.rating)
        return a->rating->now.rating > b->rating->now.rating ? -1 : 1;
    if (a->rating->now.deviation != b->rating->now.deviation)
        return a->rating->now.deviation < b->rating->now.deviation ? -1 : 1;
    return strcmp(a->player->name, b->player->name);
}

/* Ranks the rows, and keeps the first `rows_max` of each game and variant; returns how many. */
static int rank_rows(struct top *top, int rows_max)
{
    int count = 0, rank = 0;

    for (size_t i = 0; i < top->count; i++) {
        struct top_row *row = &top->rows[i];
        rank = i > 0 && compare_groups(row - 1, row) == 0 ? rank + 1 : 1;
        row->rank = rank;
        if (rank <= rows_max)
            top->rows[count++] = *row; /* a place that has been looked at */
    }
    return count;
}

/* Reads GAME or GAME:VARIANT into `top`; `variant` is where the name is put. */
static enum status read_top(struct request *request, const char *word, struct top *top,
                            char variant[VARIANT_NAME_MAX])
{
    struct position start;
    bool unknown_game;

    top->game = game_open(word, &start, &unknown_game, &request->cause);
    if (top->game == NULL)
        return unknown_game ? STATUS_UNKNOWN_GAME : STATUS_UNKNOWN_VARIANT;
    if (strchr(word, ':') == NULL)
        return STATUS_OK;
    top->game->variant_name(&start, variant);
    top->variant = variant;
    return STATUS_OK;
}

static enum status run_top(struct request *request)
{
    char variant[VARIANT_NAME_MAX];
    struct top top = {0};

    if (request->arguments.count > 0) {
        enum status status = read_top(request, request->arguments.words[0], &top, variant);
        if (status != STATUS_OK)
            return status;
    }
    players_each(&request->server->players, top_visit, &top);
    if (top.count > 0)
        qsort(top.rows, top.count, sizeof *top.rows, compare_rows);
    int count = rank_rows(&top, top.variant != NULL ? REPLY_ROWS_MAX : TOP_ROWS);
    request->rows = count + (int)(top.looked / COUNTED_A_ROW) + (int)(top.count / SORTED_A_ROW);
    wire_top(request_begin(request), top.rows, count);
    free(top.rows);
    return STATUS_OK;
}

/* The player whose history is wanted. A client without the join code is not here yet. */
static const struct player *find_player(const struct request *request)
{
    if (request->arguments.count == 0)
        return request->player;
    const struct player *player =
        players_find(&request->server->players, request->arguments.words[0]);
    if (player == NULL || (player->session != NULL && !session_is_admitted(player->session)))
        return NULL;
    return player;
}

static enum status run_history(struct request *request)
{
    const struct player *player = find_player(request), *asker = request->player;
    struct keeper *keeper = request->server->keeper;
    struct history_row rows[REPLY_ROWS_MAX];
    struct cause cause;
    int total;

    if (player == NULL)
        return request_fail(request, STATUS_UNKNOWN_PLAYER, "unknown player '%.32s'",
                            request->arguments.words[0]);
    int count = keeper->kind->history(keeper, player, asker, rows, REPLY_ROWS_MAX, &total, &cause);
    if (count < 0) {
        log_line(LOG_ERROR, "event=store-error error=%s", log_quote(cause.text).text);
        return STATUS_INTERNAL;
    }
    request->rows = count;
    if (keeper->kind->find_match != NULL) /* it was looked up in a store */
        request->rows += ROWS_A_LOOK_UP + total / COUNTED_A_ROW;
    wire_history(request_begin(request), player->name, rows, count, total);
    return STATUS_OK;
}

const struct command people_commands[] = {
    {.verb = "who", .summary = "lists the connected players", .run = run_who},
    {.verb = "top",
     .usage = "[GAME[:VARIANT]]",
     .summary = "lists the best players by their rating",
     .max = 1,
     .cost = COST_BOARD,
     .run = run_top},
    {.verb = "history",
     .usage = "[NAME]",
     .summary = "lists the finished matches of a player, or yours",
     .max = 1,
     .cost = COST_BOARD,
     .run = run_history},
    {0},
};
