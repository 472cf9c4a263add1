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

/* The best ratings of a game and variant. */
struct top_entry {
    const struct player *player;
    const struct rating *rating;
};

struct top_group {
    int game; /* its place in the list of games */
    const char *variant;
    struct top_group *next; /* with the same hash */
    int count;
    struct top_entry best[]; /* the best first */
};

enum { TOP_HASHES = 128, TOP_GROUPS_MAX = 500 /* more than there are variants */ };

/* What `top` is about. Of all others than the best nothing is kept: sorting them would take long.
 */
struct top {
    const struct game *game; /* that it is about; NULL: of all */
    const char *variant;     /* "": of all */
    int rows_max;            /* of each group */
    struct top_group *by_hash[TOP_HASHES];
    struct top_group *groups[TOP_GROUPS_MAX]; /* owned */
    int group_count;
    size_t looked, count; /* players, and ratings, that were looked at */
};

/* By what is shown, the better rating first, then the surer one. */
static int compare_entries(const struct top_entry *a, const struct top_entry *b)
{
    if (a->rating->now.rating != b->rating->now.rating)
        return a->rating->now.rating > b->rating->now.rating ? -1 : 1;
    if (a->rating->now.deviation != b->rating->now.deviation)
        return a->rating->now.deviation < b->rating->now.deviation ? -1 : 1;
    return strcmp(a->player->name, b->player->name);
}

/* Finds or adds the group of a rating. NULL: there are too many. */
static struct top_group *find_group(struct top *top, const struct rating *rating)
{
    unsigned hash = 0;
    int game = 0;

    while (games[game] != rating->game)
        game++;
    for (const char *at = rating->variant; *at != '\0'; at++)
        hash = hash * 31 + (unsigned char)*at;
    struct top_group **first = &top->by_hash[(hash + (unsigned)game) % TOP_HASHES];
    struct top_group *group = *first;
    while (group != NULL && (group->game != game || strcmp(group->variant, rating->variant) != 0))
        group = group->next;
    if (group != NULL || top->group_count == TOP_GROUPS_MAX)
        return group;
    group = xcalloc(1, sizeof *group + (size_t)top->rows_max * sizeof group->best[0]);
    group->game = game;
    group->variant = rating->variant;
    group->next = *first;
    return top->groups[top->group_count++] = *first = group;
}

/* Adds a rating to its group, if it is one of the best there. */
static void add_entry(struct top *top, struct top_entry entry)
{
    struct top_group *group = find_group(top, entry.rating);
    int low = 0;

    if (group == NULL || (group->count == top->rows_max &&
                          compare_entries(&entry, &group->best[group->count - 1]) >= 0))
        return;
    group->count += group->count < top->rows_max;
    for (int high = group->count - 1; low < high;) {
        int middle = (low + high) / 2;
        if (compare_entries(&entry, &group->best[middle]) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    memmove(&group->best[low + 1], &group->best[low],
            (size_t)(group->count - 1 - low) * sizeof entry);
    group->best[low] = entry;
}

static void top_visit(const struct player *player, void *context)
{
    struct top *top = context;
    const struct rating *rating;

    top->looked++;
    SLIST_FOREACH(rating, &player->ratings, link)
    {
        if ((top->game != NULL && rating->game != top->game) || rating->matches == 0 ||
            rating_is_of_puzzles(rating) ||
            (top->variant[0] != '\0' && strcmp(rating->variant, top->variant) != 0))
            continue;
        top->count++;
        add_entry(top, (struct top_entry){player, rating});
    }
}

/* By game and variant: 2x10 stands before 10x2. */
static int compare_groups(const void *left, const void *right)
{
    const struct top_group *const *a = left, *const *b = right;

    if ((*a)->game != (*b)->game)
        return (*a)->game < (*b)->game ? -1 : 1;
    return strverscmp((*a)->variant, (*b)->variant);
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

/* Rows of each game and variant. */
static int top_rows_max(const struct row_filter *filter)
{
    return filter->variant[0] != '\0' ? REPLY_ROWS_MAX : TOP_ROWS;
}

/* Answers with what memory has, which is all. */
static enum status top_of_memory(struct request *request)
{
    const struct row_filter *filter = &request->question.filter;
    struct top top = {.game = game_find(filter->game, strlen(filter->game)),
                      .variant = filter->variant,
                      .rows_max = top_rows_max(filter)};
    int count = 0;

    players_each(&request->server->players, top_visit, &top);
    qsort(top.groups, (size_t)top.group_count, sizeof(struct top_group *), compare_groups);
    struct top_row *rows =
        xcalloc((size_t)(top.group_count * top.rows_max) + 1, sizeof(struct top_row));
    for (int i = 0; i < top.group_count; i++) {
        for (int j = 0; j < top.groups[i]->count; j++)
            rows[count++] =
                top_row(j + 1, top.groups[i]->best[j].player, top.groups[i]->best[j].rating);
        free(top.groups[i]);
    }
    request->rows = count + (int)(top.looked / COUNTED_A_ROW) + (int)(top.count / SORTED_A_ROW);
    wire_top(request_begin(request), rows, count);
    free(rows);
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
