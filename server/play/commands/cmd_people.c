/* Commands about people: who is here, how well they play, and what they have played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "server/play/request.h"

enum {
    TOP_ROWS = 10,      /* of each game and variant, where several are asked for */
    COUNTED_A_ROW = 20, /* so many rows that are only counted cost as much as one that is sent, */
    SORTED_A_ROW = 2    /* and so many that are sorted */
};

/* Whether a row of the keeper is about them: the others here are guests, of whom it has none. */
static bool is_kept(const struct request *request, const struct player *player)
{
    return request_is_shared(request) && player->kind == PLAYER_NAMED;
}

/* Adds those who are connected here and whom the filter takes. */
static int who_is_here(const struct request *request, const struct row_filter *filter,
                       struct who_row rows[REPLY_ROWS_MAX], int count, int *total)
{
    const struct session *session;

    TAILQ_FOREACH (session, &request->server->sessions, link) {
        if (session->player == NULL || !session_is_admitted(session) ||
            is_kept(request, session->player) || !filter_takes_player(filter, session->player))
            continue;
        if ((*total)++ >= filter->from && count < REPLY_ROWS_MAX)
            who_row_of_player(&rows[count++], session->player);
    }
    return count;
}

static enum status read_who(struct request *request, struct row_filter *filter)
{
    int bots = 0, playing = 0;

    enum status status = request_from(request, filter);
    if (status == STATUS_OK)
        status = request_yes_or_no(request, "bot", &bots);
    if (status == STATUS_OK)
        status = request_yes_or_no(request, "playing", &playing);
    filter->bots = bots;
    filter->playing = playing;
    return status;
}

static enum status run_who(struct request *request)
{
    struct question question = {.kind = LOOK_WHO, .rows_max = REPLY_ROWS_MAX};
    struct who_row rows[REPLY_ROWS_MAX];
    int count = 0, total = 0;

    enum status status = read_who(request, &question.filter);
    if (status != STATUS_OK)
        return status;
    if (request_is_shared(request)) {
        const struct look_up *found;
        status = request_rows(request, &question, &found);
        if (found == NULL)
            return status;
        count = found->count;
        total = found->total;
        memcpy(rows, found->who, (size_t)count * sizeof *rows);
    }
    count = who_is_here(request, &question.filter, rows, count, &total);
    request->rows = count;
    wire_who(request_begin(request), rows, count, total);
    return STATUS_OK;
}

/* Gathers the ratings that `top` is about. */
struct top_entry {
    const struct player *player;
    const struct rating *rating;
    int game; /* its place in the list of games */
};

struct top {
    const struct game *game; /* NULL: of all */
    const char *variant;     /* NULL: of all */
    struct top_entry *entries;
    struct top_row *rows; /* of the best */
    size_t count, capacity;
    size_t looked; /* players that were looked at */
};

static void top_add(struct top *top, const struct player *player, const struct rating *rating)
{
    int game = 0;

    if (top->count == top->capacity) {
        top->capacity = top->capacity > 0 ? 2 * top->capacity : 64;
        top->entries = xreallocarray(top->entries, top->capacity, sizeof *top->entries);
    }
    while (games[game] != rating->game)
        game++;
    top->entries[top->count++] = (struct top_entry){player, rating, game};
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

/* By game and variant: 2x10 stands before 10x2. */
static int compare_groups(const struct top_entry *a, const struct top_entry *b)
{
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return strverscmp(a->rating->variant, b->rating->variant);
}

/* Within a group by what is shown, the better rating first, then the surer one. */
static int compare_entries(const void *left, const void *right)
{
    const struct top_entry *a = left, *b = right;
    int order = compare_groups(a, b);

    if (order != 0)
        return order;
    if (a->rating->now.rating != b->rating->now.rating)
        return a->rating->now.rating > b->rating->now.rating ? -1 : 1;
    if (a->rating->now.deviation != b->rating->now.deviation)
        return a->rating->now.deviation < b->rating->now.deviation ? -1 : 1;
    return strcmp(a->player->name, b->player->name);
}

static struct top_row top_row(int rank, const struct player *player, const struct rating *rating)
{
    struct top_row row = {.rank = rank,
                          .bot = player->bot,
                          .game = rating->game,
                          .now = rating->now,
                          .matches = rating->matches};

    snprintf(row.name, sizeof row.name, "%s", player->name);
    snprintf(row.variant, sizeof row.variant, "%s", rating->variant);
    return row;
}

/* Makes rows of the first `rows_max` of each game and variant; returns how many. */
static int rank_entries(struct top *top, int rows_max)
{
    int count = 0, rank = 0;

    top->rows = xreallocarray(NULL, top->count, sizeof *top->rows);
    for (size_t i = 0; i < top->count; i++) {
        const struct top_entry *entry = &top->entries[i];
        rank = i > 0 && compare_groups(entry - 1, entry) == 0 ? rank + 1 : 1;
        if (rank <= rows_max)
            top->rows[count++] = top_row(rank, entry->player, entry->rating);
    }
    return count;
}

/* Reads GAME or GAME:VARIANT into `top`; `variant` is where the name is put. */
static enum status read_top(struct request *request, const char *word, struct top *top,
                            char variant[VARIANT_NAME_MAX])
{
    struct position start;

    enum status status = request_start(request, word, &top->game, &start);
    if (status != STATUS_OK || strchr(word, ':') == NULL)
        return status;
    top->game->variant_name(&start, variant);
    top->variant = variant;
    return STATUS_OK;
}

/* Answers with what memory has, which is all. */
static void top_of_memory(struct request *request, struct top *top)
{
    players_each(&request->server->players, top_visit, top);
    if (top->count > 0)
        qsort(top->entries, top->count, sizeof *top->entries, compare_entries);
    int count = rank_entries(top, top->variant != NULL ? REPLY_ROWS_MAX : TOP_ROWS);
    request->rows = count + (int)(top->looked / COUNTED_A_ROW) + (int)(top->count / SORTED_A_ROW);
    wire_top(request_begin(request), top->rows, count);
    free(top->rows);
    free(top->entries);
}

/* Answers with what the keeper has. */
static enum status top_of_keeper(struct request *request, const struct top *top)
{
    struct question question = {.kind = LOOK_TOP,
                                .rows_max = top->variant != NULL ? REPLY_ROWS_MAX : TOP_ROWS};
    const struct look_up *found;

    if (top->game != NULL)
        snprintf(question.key, sizeof question.key, "%s%s%s", top->game->name,
                 top->variant != NULL ? ":" : "", top->variant != NULL ? top->variant : "");
    enum status status = request_rows(request, &question, &found);
    if (found != NULL)
        wire_top(request_begin(request), found->top, found->count);
    return status;
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
    if (request_is_shared(request))
        return top_of_keeper(request, &top);
    top_of_memory(request, &top);
    return STATUS_OK;
}

/* Finds a player who is named. A client without the join code is not here yet. */
static enum status find_player(struct request *request, const char *name, struct player **player)
{
    enum status status = request_find_player(request, name, player);

    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    if (*player == NULL || ((*player)->session != NULL && !session_is_admitted((*player)->session)))
        return request_fail(request, STATUS_UNKNOWN_PLAYER, "unknown player '%.32s'", name);
    return STATUS_OK;
}

/* Splits [NAME] [GAME[:VARIANT]]: a single word that names a game is one. */
static void split_words(const struct arguments *arguments, const char **name, const char **game)
{
    const char *word = arguments->count > 0 ? arguments->words[0] : NULL;

    *name = word;
    *game = arguments->count > 1 ? arguments->words[1] : NULL;
    if (arguments->count == 1 && game_find(word, strcspn(word, ":")) != NULL) {
        *name = NULL;
        *game = word;
    }
}

/* Reads whose history is wanted, and which matches of it. The line may have to sleep. */
static enum status read_history(struct request *request, struct player **player,
                                struct row_filter *filter)
{
    const char *against = arguments_option(&request->arguments, "against"), *name, *game;
    struct player *other = NULL;

    split_words(&request->arguments, &name, &game);
    *player = request->player;
    enum status status = request_from(request, filter);
    if (status == STATUS_OK && game != NULL)
        status = request_game(request, game, filter);
    if (status == STATUS_OK && name != NULL)
        status = find_player(request, name, player);
    if (status == STATUS_OK && !request->waits_for_answer && against != NULL)
        status = find_player(request, against, &other);
    filter->against = other != NULL ? other->id : 0;
    return status;
}

/* Whether a seat is a row of its player's history: of a match that was played and is over, counted
 * once for both seats. Only its players see a private match. */
static bool is_history(const struct seat *seat, const struct player *asker)
{
    const struct table *table = seat->table;

    if (table->match.status != MATCH_OVER || table->match.ply_count == 0)
        return false;
    if (seat->color == BLACK && table->seats[WHITE].player == seat->player)
        return false;
    return !table->is_private || table_seats_of(table, asker) != SEATS_NONE;
}

/* Answers with what memory has, which is all. */
static enum status show_remembered(struct request *request, const struct player *player,
                                   const struct row_filter *filter)
{
    struct history_row rows[REPLY_ROWS_MAX];
    const struct seat *seat;
    int count = 0, total = 0;

    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (is_history(seat, request->player) && filter_takes_history(filter, seat) &&
            total++ >= filter->from && count < REPLY_ROWS_MAX)
            history_row_of_table(&rows[count++], seat->table);
    request->rows = count;
    wire_history(request_begin(request), player->name, rows, count, total, 0);
    return STATUS_OK;
}

static enum status run_history(struct request *request)
{
    struct question question = {
        .kind = LOOK_HISTORY, .asker = request->player->id, .rows_max = REPLY_ROWS_MAX};
    struct player *player;

    enum status status = read_history(request, &player, &question.filter);
    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    if (request->server->keeper->kind->look_up == NULL)
        return show_remembered(request, player, &question.filter);
    question.player = player->id;
    const struct look_up *found = request_look_up(request, &question);
    if (found == NULL)
        return STATUS_OK;
    if (found->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    request->rows = found->count + ROWS_A_LOOK_UP + found->looked_at / COUNTED_A_ROW;
    wire_history(request_begin(request), player->name, found->history, found->count, found->total,
                 found->archived);
    return STATUS_OK;
}

const struct command people_commands[] = {
    {.verb = "who",
     .usage = "[bot=yes|no] [playing=yes|no] [from=N]",
     .summary = "lists the connected players; from=N skips the first N",
     .options = "bot playing from",
     .run = run_who},
    {.verb = "top",
     .usage = "[GAME[:VARIANT]]",
     .summary = "lists the best players by their rating",
     .max = 1,
     .cost = COST_BOARD,
     .run = run_top},
    {.verb = "history",
     .usage = "[NAME] [GAME[:VARIANT]] [against=NAME] [from=N]",
     .summary = "lists the finished matches of a player, or yours; from=N skips the first N",
     .options = "against from",
     .max = 2,
     .cost = COST_BOARD,
     .run = run_history},
    {0},
};
