/* Commands about people: who is here, how well they play, and what they have played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "server/play/dispatch.h"

enum {
    TOP_ROWS = 10,      /* of each game and variant, where several are asked for */
    COUNTED_A_ROW = 20, /* counting this many costs as much as sending one, */
    SCANNED_A_ROW = 3,  /* as does looking at this many of a history, */
    SORTED_A_ROW = 2    /* and sorting this many */
};

/* Adds those who are connected here and whom the filter takes. */
static int who_is_here(const struct request *request, const struct row_filter *filter,
                       struct who_row rows[REPLY_ROWS_MAX], int count, int *total)
{
    bool shared = request_is_shared(request); /* then the keeper has rows of all but guests */
    const struct session *session;

    TAILQ_FOREACH (session, &request->server->sessions, link) {
        if (session->player == NULL || !session_is_admitted(session) ||
            session != first_session_of(session->player) ||
            (shared && session->player->kind == PLAYER_NAMED))
            continue;
        const struct player *player = session->player;
        if (filter->bots != ANYBODY && player->bot != (filter->bots == ONLY_BOTS))
            continue;
        if (filter->playing != ANY_PLAYERS &&
            (player->playing > 0) != (filter->playing == ONLY_BUSY))
            continue;
        if ((*total)++ < filter->from || count >= REPLY_ROWS_MAX)
            continue;
        struct who_row *row = &rows[count++];
        *row = (struct who_row){.bot = player->bot, .playing = player->playing};
        snprintf(row->name, sizeof row->name, "%s", player->name);
        player_copy_display(player, row->display);
        const struct rating *rating = rating_main(&player->ratings);
        if (rating == NULL)
            continue;
        row->game = rating->game;
        row->rating = rating->now.rating;
        snprintf(row->variant, sizeof row->variant, "%s", rating->variant);
    }
    return count;
}

static enum status find_who(struct request *request)
{
    struct row_filter *filter = &request->question.filter;
    int bots = 0, playing = 0;

    request->question = (struct question){.kind = LOOK_WHO, .rows_max = REPLY_ROWS_MAX};
    request->asks = request_is_shared(request);
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
    const struct look_up *found = request->found;
    struct who_row rows[REPLY_ROWS_MAX];
    int count = 0, total = 0;

    if (found != NULL) {
        count = found->count;
        total = found->total;
        memcpy(rows, found->who, (size_t)count * sizeof *rows);
    }
    count = who_is_here(request, &request->question.filter, rows, count, &total);
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
    const struct row_filter *filter; /* the game and variant that it is about; "": of all */
    struct top_entry *entries;
    struct top_row *rows; /* of the best */
    size_t count, capacity;
    size_t looked; /* players that were looked at */
};

static void top_visit(const struct player *player, void *context)
{
    struct top *top = context;
    const struct row_filter *filter = top->filter;
    const struct rating *rating;

    top->looked++;
    SLIST_FOREACH(rating, &player->ratings, link)
    {
        int game = 0;
        if (rating->matches == 0 || rating_is_of_puzzles(rating) ||
            (filter->game[0] != '\0' && strcmp(rating->game->name, filter->game) != 0) ||
            (filter->variant[0] != '\0' && strcmp(rating->variant, filter->variant) != 0))
            continue;
        if (top->count == top->capacity) {
            top->capacity = top->capacity > 0 ? 2 * top->capacity : 64;
            top->entries = xreallocarray(top->entries, top->capacity, sizeof *top->entries);
        }
        while (games[game] != rating->game)
            game++;
        top->entries[top->count++] = (struct top_entry){player, rating, game};
    }
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
    player_copy_display(player, row.display);
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

/* Rows of each game and variant. */
static int top_rows_max(const struct row_filter *filter)
{
    return filter->variant[0] != '\0' ? REPLY_ROWS_MAX : TOP_ROWS;
}

/* Answers with what memory has, which is all. */
static enum status top_of_memory(struct request *request)
{
    struct top top = {.filter = &request->question.filter};

    players_each(&request->server->players, top_visit, &top);
    if (top.count > 0)
        qsort(top.entries, top.count, sizeof *top.entries, compare_entries);
    int count = rank_entries(&top, top_rows_max(top.filter));
    request->rows = count + (int)(top.looked / COUNTED_A_ROW) + (int)(top.count / SORTED_A_ROW);
    wire_top(request_begin(request), top.rows, count);
    free(top.rows);
    free(top.entries);
    return STATUS_OK;
}

static enum status find_top(struct request *request)
{
    struct question *question = &request->question;
    struct row_filter filter = {.from = 0};

    if (request->arguments.count > 0) {
        enum status status = request_game(request, request->arguments.words[0], &filter);
        if (status != STATUS_OK)
            return status;
    }
    *question =
        (struct question){.kind = LOOK_TOP, .rows_max = top_rows_max(&filter), .filter = filter};
    snprintf(question->key, sizeof question->key, "%s%s%s", filter.game,
             filter.variant[0] != '\0' ? ":" : "", filter.variant);
    request->asks = request_is_shared(request);
    return STATUS_OK;
}

static enum status run_top(struct request *request)
{
    const struct look_up *found = request->found;

    if (found == NULL)
        return top_of_memory(request);
    request->rows = found->count + ROWS_A_LOOK_UP;
    wire_top(request_begin(request), found->top, found->count);
    return STATUS_OK;
}

/* Checks whether the player was found whom a line names. A client without the join code is not
 * here yet.
 */
static enum status check_player(struct request *request, const char *name,
                                const struct player *player)
{
    if (name != NULL && (player == NULL || player_is_stranger(player)))
        return request_fail(request, STATUS_UNKNOWN_PLAYER, "unknown player '%.32s'", name);
    return STATUS_OK;
}

/* Reads [NAME] [GAME[:VARIANT]]: whose history is wanted, and which matches of it. A single word
 * that names a game is one. */
static enum status find_history(struct request *request)
{
    const struct arguments *arguments = &request->arguments;
    const char *word = arguments->count > 0 ? arguments->words[0] : NULL;
    const char *name = word, *game = arguments->count > 1 ? arguments->words[1] : NULL;
    struct question *question = &request->question;

    if (arguments->count == 1 && game_find(word, strcspn(word, ":")) != NULL) {
        name = NULL;
        game = word;
    }
    *question = (struct question){
        .kind = LOOK_HISTORY, .asker = request->player->id, .rows_max = REPLY_ROWS_MAX};
    request->asks = request->server->keeper->kind->look_up != NULL;
    enum status status = request_from(request, &question->filter);
    if (status == STATUS_OK && game != NULL)
        status = request_game(request, game, &question->filter);
    if (status == STATUS_OK)
        status = check_player(request, name, request->players[0]);
    if (status == STATUS_OK)
        status = check_player(request, arguments_option(arguments, "against"), request->players[1]);
    if (status != STATUS_OK)
        return status;
    if (name == NULL)
        request->players[0] = request->player;
    question->player = request->players[0]->id;
    question->filter.against = request->players[1] != NULL ? request->players[1]->id : 0;
    return STATUS_OK;
}

/* Returns whether a seat is a row of its player's history that is wanted: of a match that was
 * played and is over, counted once for both seats. Only its players see a private match. */
static bool is_history(const struct row_filter *filter, const struct seat *seat,
                       const struct player *asker)
{
    const struct table *table = seat->table;
    const struct player *other = table->seats[!seat->color].player;

    if (table->match.status != MATCH_OVER || table->match.ply_count == 0)
        return false;
    if (seat->color == BLACK && other == seat->player)
        return false;
    if (table->is_private && table_seats_of(table, asker) == SEATS_NONE)
        return false;
    if (filter->against != 0 && (other == NULL || other->id != filter->against))
        return false;
    return filter_takes_game(filter, &table->match);
}

static void history_row_of_table(struct history_row *row, const struct table *table)
{
    const struct match *match = &table->match;

    *row = (struct history_row){
        .game = match->game,
        .outcome = match->outcome,
        .date = table->date,
        .plies = match->ply_count,
        .casual = table->casual,
        .rating_after = {table->rating_after[WHITE], table->rating_after[BLACK]}};
    snprintf(row->id, sizeof row->id, "%s", table->id);
    match->game->variant_name(&match->start, row->variant);
    for (int color = WHITE; color <= BLACK; color++)
        snprintf(row->names[color], NAME_TEXT_MAX, "%s", table->seats[color].player->name);
}

/* Answers with what memory has, which is all. */
static enum status show_remembered(struct request *request, const struct player *player,
                                   const struct row_filter *filter)
{
    struct history_row rows[REPLY_ROWS_MAX];
    const struct seat *seat;
    int count = 0, total = 0;

    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (is_history(filter, seat, request->player) && total++ >= filter->from &&
            count < REPLY_ROWS_MAX)
            history_row_of_table(&rows[count++], seat->table);
    request->rows = count;
    wire_history(request_begin(request), player, rows, count, total, 0);
    return STATUS_OK;
}

static enum status run_history(struct request *request)
{
    const struct player *player = request->players[0];
    const struct look_up *found = request->found;

    if (found == NULL)
        return show_remembered(request, player, &request->question.filter);
    request->rows = found->count + ROWS_A_LOOK_UP + found->looked_at / SCANNED_A_ROW;
    wire_history(request_begin(request), player, found->history, found->count, found->total,
                 found->archived);
    return STATUS_OK;
}

const struct command people_commands[] = {
    {.verb = "who",
     .usage = "[bot=yes|no] [playing=yes|no] [from=N]",
     .summary = "lists the connected players; from=N skips the first N",
     .options = "bot playing from",
     .find = find_who,
     .run = run_who},
    {.verb = "top",
     .usage = "[GAME[:VARIANT]]",
     .summary = "lists the best players by their rating",
     .max = 1,
     .cost = COST_BOARD,
     .find = find_top,
     .run = run_top},
    {.verb = "history",
     .usage = "[NAME] [GAME[:VARIANT]] [against=NAME] [from=N]",
     .summary = "lists the finished matches of a player, or yours; from=N skips the first N",
     .options = "against from",
     .max = 2,
     .cost = COST_BOARD,
     .players = {"", "against"},
     .find = find_history,
     .run = run_history},
    {0},
};
