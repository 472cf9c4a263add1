#include "tournament.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/opening.h"
#include "common/xmalloc.h"
#include "common/zobrist.h"
#include "server/tournament/swiss.h"

static const char *const statuses[] = {[TOURNAMENT_OPEN] = "open",
                                       [TOURNAMENT_RUNNING] = "running",
                                       [TOURNAMENT_PAUSED] = "paused",
                                       [TOURNAMENT_OVER] = "over",
                                       [TOURNAMENT_ABORTED] = "aborted"};

void tournaments_init(struct tournaments *tournaments)
{
    *tournaments = (struct tournaments){.last = 0};
    TAILQ_INIT(&tournaments->list);
    TAILQ_INIT(&tournaments->opening);
}

/* Frees a tournament that is in no list. */
static void tournament_free(struct tournament *tournament)
{
    while (!LIST_EMPTY(&tournament->watches))
        tournament_unwatch(LIST_FIRST(&tournament->watches));
    for (int i = 0; i < tournament->contest.entrant_count; i++)
        player_let_go(tournament->players[i]);
    player_let_go(tournament->plan.director);
    lock_destroy(&tournament->lock);
    contest_release(&tournament->contest);
    free(tournament->players);
    free(tournament->matches);
    free(tournament->forfeits);
    free(tournament->barred);
    free(tournament);
}

void tournaments_release(struct tournaments *tournaments)
{
    struct tournament *tournament;

    while ((tournament = TAILQ_FIRST(&tournaments->list)) != NULL) {
        TAILQ_REMOVE(&tournaments->list, tournament, link);
        tournament_free(tournament);
    }
}

struct tournament *tournaments_find_number(const struct tournaments *tournaments, int64_t number)
{
    struct tournament *tournament;

    if (number == 0)
        return NULL;
    TAILQ_FOREACH_REVERSE (tournament, &tournaments->list, tournament_list, link)
        if (tournament->number == number)
            break;
    return tournament;
}

struct tournament *tournaments_find(const struct tournaments *tournaments, const char *id)
{
    struct tournament *tournament;

    TAILQ_FOREACH_REVERSE (tournament, &tournaments->list, tournament_list, link)
        if (strcasecmp(tournament->id, id) == 0)
            break;
    return tournament;
}

bool tournament_name_read(const char *text, char name[TOURNAMENT_NAME_MAX])
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    size_t length = strlen(text);

    if (length == 0 || length >= TOURNAMENT_NAME_MAX || strspn(text, letters) != length)
        return false;
    memcpy(name, text, length + 1);
    return true;
}

bool series_name_read(const char *text, char name[TOURNAMENT_NAME_MAX])
{
    if (!tournament_name_read(text, name))
        return false;
    for (; *name != '\0'; name++)
        *name = (char)tolower((unsigned char)*name);
    return true;
}

struct tournament *tournament_new(struct tournaments *tournaments,
                                  const struct tournament_plan *plan, int64_t number)
{
    struct tournament *tournament = xcalloc(1, sizeof *tournament);

    tournament->number = number != 0 ? number : ++tournaments->last;
    tournament->plan = *plan;
    tournament->contest.format = plan->format;
    tournament->contest.rounds = plan->rounds;
    tournament->contest.cycles = plan->cycles;
    tournament->contest.pairs = plan->openings != OPENINGS_NONE;
    snprintf(tournament->id, sizeof tournament->id, "t%" PRId64, tournament->number);
    lock_init(&tournament->lock);
    LIST_INIT(&tournament->watches);
    player_hold(plan->director);
    if (number == 0)
        TAILQ_INSERT_TAIL(&tournaments->opening, tournament, link);
    return tournament;
}

bool tournaments_is_opening(const struct tournaments *tournaments, int64_t number)
{
    const struct tournament *tournament;

    TAILQ_FOREACH (tournament, &tournaments->opening, link)
        if (tournament->number == number)
            return true;
    return false;
}

const struct tournament *tournaments_find_opening(const struct tournaments *tournaments,
                                                  const char *series)
{
    const struct tournament *tournament;

    TAILQ_FOREACH (tournament, &tournaments->opening, link)
        if (strcmp(tournament->plan.series, series) == 0)
            break;
    return tournament;
}

void tournaments_discard(struct tournaments *tournaments, struct tournament *tournament)
{
    TAILQ_REMOVE(&tournaments->opening, tournament, link);
    if (tournaments->last == tournament->number)
        tournaments->last--;
}

bool tournament_is_over(const struct tournament *tournament)
{
    return tournament->status >= TOURNAMENT_OVER;
}

void tournaments_remove(struct tournaments *tournaments, struct tournament *tournament)
{
    bool over = tournament_is_over(tournament);

    TAILQ_REMOVE(&tournaments->list, tournament, link);
    tournaments->unfinished -= !over;
    tournaments->over -= over;
    tournament_free(tournament);
}

/* Frees the oldest ones that are over and that nobody changes. */
static void trim_over(struct tournaments *tournaments)
{
    struct tournament *tournament, *next;

    for (tournament = TAILQ_FIRST(&tournaments->list);
         tournament != NULL && tournaments->over > TOURNAMENTS_OVER_MAX; tournament = next) {
        next = TAILQ_NEXT(tournament, link);
        if (!tournament_is_over(tournament) || tournament->pending > 0 ||
            tournament->lock.owner != NULL)
            continue;
        tournaments_remove(tournaments, tournament);
    }
}

void tournaments_add(struct tournaments *tournaments, struct tournament *tournament)
{
    struct tournament *before = TAILQ_LAST(&tournaments->list, tournament_list);
    bool over = tournament_is_over(tournament);

    while (before != NULL && before->number > tournament->number)
        before = TAILQ_PREV(before, tournament_list, link);
    if (before != NULL)
        TAILQ_INSERT_AFTER(&tournaments->list, before, tournament, link);
    else
        TAILQ_INSERT_HEAD(&tournaments->list, tournament, link);
    tournaments->unfinished += !over;
    tournaments->over += over;
    if (tournaments->last < tournament->number)
        tournaments->last = tournament->number;
    trim_over(tournaments);
}

int tournament_entrant(const struct tournament *tournament, const struct player *player)
{
    for (int i = 0; i < tournament->contest.entrant_count; i++)
        if (tournament->players[i] == player)
            return i;
    return NOBODY;
}

bool tournament_bars(const struct tournament *tournament, const struct player *player)
{
    for (int i = 0; i < tournament->barred_count; i++)
        if (tournament->barred[i] == player->id)
            return true;
    return false;
}

void tournament_bar(struct tournament *tournament, int64_t player)
{
    tournament->barred = xreallocarray(tournament->barred, (size_t)tournament->barred_count + 1,
                                       sizeof *tournament->barred);
    tournament->barred[tournament->barred_count++] = player;
}

/* The rating of a player as this tournament counts it. */
static double rating_in(const struct tournament *tournament, const struct player *player)
{
    char variant[VARIANT_NAME_MAX];
    struct glicko now = glicko_start();

    tournament->plan.game->variant_name(&tournament->plan.start, variant);
    player_glicko(player, tournament->plan.game, variant, &now);
    return now.rating;
}

struct tournament_change *tournament_change_new(struct tournament *tournament,
                                                enum tournament_change_kind kind)
{
    struct tournament_change *change = xcalloc(1, sizeof *change);

    change->tournament = tournament;
    change->kind = kind;
    change->entrant = NOBODY;
    return change;
}

void tournament_change_set_player(struct tournament_change *change, struct player *player)
{
    player_hold(player);
    change->entry = (struct tournament_entry){player, rating_in(change->tournament, player)};
    change->entrant = tournament_entrant(change->tournament, player);
    if (change->entrant == NOBODY && change->kind != CHANGE_BARRED)
        change->entrant = change->tournament->contest.entrant_count;
}

struct tournament_change *tournament_start(struct tournament *tournament, time_t now_s)
{
    const struct contest *contest = &tournament->contest;
    struct tournament_change *change = tournament_change_new(tournament, CHANGE_STARTED);

    change->status = TOURNAMENT_RUNNING;
    change->at_s = now_s;
    change->entries = xcalloc((size_t)contest->entrant_count + 1, sizeof *change->entries);
    for (int i = 0; i < contest->entrant_count; i++) {
        struct player *player = tournament->players[i];
        if (contest->entrants[i].left)
            continue;
        player_hold(player);
        change->entries[change->entry_count++] =
            (struct tournament_entry){player, rating_in(tournament, player)};
    }
    change->rounds = contest->rounds;
    if (contest->format == FORMAT_SWISS && contest->rounds == 0)
        change->rounds = swiss_rounds(change->entry_count);
    return change;
}

void tournament_add_entrant(struct tournament *tournament, struct player *player, double rating,
                            bool left)
{
    int entrant = contest_enter(&tournament->contest, rating);

    if (entrant == tournament->player_capacity) {
        tournament->player_capacity = entrant > 0 ? 2 * entrant : 16;
        tournament->players = xreallocarray(
            tournament->players, (size_t)tournament->player_capacity, sizeof(struct player *));
    }
    tournament->players[entrant] = player;
    tournament->contest.entrants[entrant].left = left;
    player_hold(player);
}

void tournament_add_pairing(struct tournament *tournament, struct contest_pairing pairing,
                            int64_t match)
{
    int number = contest_add(&tournament->contest, pairing);

    if (number == tournament->match_capacity) {
        tournament->match_capacity = number > 0 ? 2 * number : 16;
        tournament->matches = xreallocarray(tournament->matches, (size_t)tournament->match_capacity,
                                            sizeof *tournament->matches);
        tournament->forfeits = xreallocarray(
            tournament->forfeits, (size_t)tournament->match_capacity, sizeof *tournament->forfeits);
    }
    tournament->matches[number] = match;
    tournament->forfeits[number] = false;
}

static void set_status(struct tournaments *tournaments, struct tournament *tournament,
                       const struct tournament_change *change)
{
    bool was_over = tournament_is_over(tournament);

    tournament->status = change->status;
    if (change->kind == CHANGE_STARTED)
        tournament->started_s = change->at_s;
    if (was_over || !tournament_is_over(tournament))
        return;
    tournament->ended_s = change->at_s;
    tournaments->unfinished--;
    tournaments->over++;
}

void tournament_apply(struct tournaments *tournaments, struct tournament_change *change)
{
    struct tournament *tournament = change->tournament;
    struct contest *contest = &tournament->contest;

    change->applied = true;
    tournament->due = tournaments->due = true;
    tournament->left_ms = 0;
    tournament->version += change->kind != CHANGE_PAIRING;
    switch (change->kind) {
    case CHANGE_OPENED:
        TAILQ_REMOVE(&tournaments->opening, tournament, link);
        tournaments_add(tournaments, tournament);
        break;
    case CHANGE_JOINED:
        if (change->entrant < contest->entrant_count)
            contest->entrants[change->entrant].left = false;
        else
            tournament_add_entrant(tournament, change->entry.player, change->entry.rating, false);
        break;
    case CHANGE_LEFT:
        contest->entrants[change->entrant].left = true;
        break;
    case CHANGE_BARRED:
        tournament_bar(tournament, change->entry.player->id);
        if (change->entrant != NOBODY)
            contest->entrants[change->entrant].left = true;
        break;
    case CHANGE_STARTED:
        for (int i = 0; i < contest->entrant_count; i++)
            player_let_go(tournament->players[i]);
        contest->entrant_count = 0;
        contest->rounds = change->rounds;
        for (int i = 0; i < change->entry_count; i++)
            tournament_add_entrant(tournament, change->entries[i].player, change->entries[i].rating,
                                   false);
        set_status(tournaments, tournament, change);
        break;
    case CHANGE_STATUS:
        set_status(tournaments, tournament, change);
        break;
    case CHANGE_PAIRED:
        for (int i = 0; i < change->pairings.count; i++)
            tournament_add_pairing(tournament, change->pairings.rows[i],
                                   change->matches != NULL ? change->matches[i] : 0);
        break;
    case CHANGE_PAIRING:
        if (change->match != 0)
            tournament->matches[change->pairing] = change->match;
        if (change->result != PAIRING_OPEN)
            contest_score(contest, change->pairing, change->result);
        tournament->forfeits[change->pairing] = change->forfeit;
    }
}

void tournament_change_free(struct tournament_change *change)
{
    if (change == NULL)
        return;
    if (change->entry.player != NULL)
        player_let_go(change->entry.player);
    for (int i = 0; i < change->entry_count; i++)
        player_let_go(change->entries[i].player);
    if (change->kind == CHANGE_OPENED && !change->applied)
        tournament_free(change->tournament);
    pairing_list_release(&change->pairings);
    free(change->matches);
    free(change->entries);
    free(change);
}

void tournament_watch(struct tournament *tournament, struct session *session,
                      struct tournament_watch_list *list)
{
    struct tournament_watch *watch = xcalloc(1, sizeof *watch);

    watch->tournament = tournament;
    watch->session = session;
    LIST_INSERT_HEAD(&tournament->watches, watch, by_tournament);
    LIST_INSERT_HEAD(list, watch, by_session);
    tournament->watcher_count++;
}

struct tournament_watch *tournament_find_watch(const struct tournament *tournament,
                                               const struct tournament_watch_list *list)
{
    struct tournament_watch *watch;

    LIST_FOREACH (watch, list, by_session)
        if (watch->tournament == tournament)
            break;
    return watch;
}

int tournament_watch_count(const struct tournament_watch_list *list)
{
    const struct tournament_watch *watch;
    int count = 0;

    LIST_FOREACH (watch, list, by_session)
        count++;
    return count;
}

void tournament_unwatch(struct tournament_watch *watch)
{
    LIST_REMOVE(watch, by_tournament);
    LIST_REMOVE(watch, by_session);
    watch->tournament->watcher_count--;
    free(watch);
}

void tournament_opening(const struct tournament *tournament, int pairing, struct position *start)
{
    const struct tournament_plan *plan = &tournament->plan;
    struct opening opening = {.start = plan->start};
    struct opening_book book;

    *start = plan->start;
    if (plan->openings == OPENINGS_NONE)
        return;
    uint64_t seed = splitmix64((uint64_t)tournament->number);
    unsigned number = (unsigned)contest_opening(&tournament->contest, pairing);
    if (plan->openings == OPENINGS_BALANCED) {
        /* Those that a newer version knows, too, change nothing: a return match has the opening of
         * the first one. What is not known here begins at the start. */
        unsigned known =
            (unsigned)(plan->openings_known > 0 ? plan->openings_known
                                                : opening_count(plan->game, &plan->start));
        if (known > 0)
            opening_find(plan->game, &plan->start, (int)((seed + number) % known), &opening);
    } else {
        book_init(&book, plan->game, &plan->start, plan->openings, splitmix64(seed + number));
        const struct opening *found = book_opening(&book, 0);
        if (found != NULL)
            opening = *found;
        book_release(&book);
    }
    opening_play(plan->game, &opening, start);
}

void openings_format(int openings, char text[OPENINGS_TEXT_MAX])
{
    text[0] = '\0';
    if (openings == OPENINGS_BALANCED)
        snprintf(text, OPENINGS_TEXT_MAX, "balanced");
    else if (openings != OPENINGS_NONE)
        snprintf(text, OPENINGS_TEXT_MAX, "random:%d", openings);
}

bool openings_parse(const char *text, int *openings)
{
    static const char random[] = "random:";
    long plies;

    if (strcasecmp(text, "balanced") == 0) {
        *openings = OPENINGS_BALANCED;
        return true;
    }
    if (strncasecmp(text, random, sizeof random - 1) != 0)
        return false;
    text += sizeof random - 1;
    if (!number_parse(text, strlen(text), 1, RANDOM_PLIES_MAX, &plies))
        return false;
    *openings = (int)plies;
    return true;
}

void openings_format_kept(const struct tournament_plan *plan, char text[OPENINGS_TEXT_MAX])
{
    openings_format(plan->openings, text);
    if (plan->openings == OPENINGS_BALANCED && plan->openings_known > 0)
        snprintf(text, OPENINGS_TEXT_MAX, "balanced:%d", plan->openings_known);
}

bool openings_parse_kept(const char *text, struct tournament_plan *plan)
{
    static const char balanced[] = "balanced:";
    long known;

    if (strncmp(text, balanced, sizeof balanced - 1) != 0)
        return openings_parse(text, &plan->openings);
    text += sizeof balanced - 1;
    if (!number_parse(text, strlen(text), 1, INT16_MAX, &known))
        return false;
    plan->openings = OPENINGS_BALANCED;
    plan->openings_known = (int)known;
    return true;
}

const char *tournament_status_text(enum tournament_status status)
{
    return statuses[status];
}

bool tournament_status_parse(const char *text, enum tournament_status *status)
{
    for (int i = 0; i <= TOURNAMENT_ABORTED; i++)
        if (strcasecmp(statuses[i], text) == 0) {
            *status = i;
            return true;
        }
    return false;
}
