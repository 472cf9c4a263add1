#include "policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/link/match_state.h"
#include "common/time_control.h"

enum { ITEM_MAX = 128, NAME_LINE_MAX = 256 };

enum { HELD_MAX = 2 }; /* matches of one player */

/* Copies the next of the items that commas separate, and moves *list past it. False at the end. An
 * item that is too long is cut, and then fits nothing. */
static bool next_item(const char **list, char item[ITEM_MAX])
{
    if (*list == NULL)
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(item, ITEM_MAX, "%.*s", (int)length, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return true;
}

/* Reads the value of the option. False with the cause, if a game is unknown or the list too long.
 */
static bool game_list_read(struct game_list *list, const char *text, struct cause *cause)
{
    char name[ITEM_MAX];

    for (list->count = 0; next_item(&text, name); list->count++) {
        struct listed_game *item = &list->items[list->count];
        if (list->count == GAME_LIST_MAX)
            return cause_set(cause, "more than %d games", GAME_LIST_MAX);
        item->game = game_open(name, &item->start, NULL, cause);
        item->every_variant = strchr(name, ':') == NULL;
        if (item->game == NULL)
            return false;
    }
    return true;
}

bool game_list_has(const struct game_list *list, const struct game *game,
                   const struct position *start)
{
    for (int i = 0; i < list->count; i++) {
        const struct listed_game *item = &list->items[i];
        if (item->game == game &&
            (item->every_variant || memcmp(&item->start, start, sizeof *start) == 0))
            return true;
    }
    return false;
}

/* An item of --accept-clocks: no clock, or all between two. */
struct clock_range {
    bool none;
    struct time_control low, high;
};

static bool read_range(struct clock_range *range, char *item, struct cause *cause)
{
    char *dots = strstr(item, "..");

    *range = (struct clock_range){.none = strcasecmp(item, "none") == 0};
    if (range->none)
        return true;
    if (dots != NULL)
        *dots = '\0';
    return time_control_parse(item, &range->low, cause) &&
           time_control_parse(dots != NULL ? dots + 2 : item, &range->high, cause);
}

/* Splits --opponents. NULL unless it is allow:FILE or block:FILE. */
static const char *opponents_file(const char *opponents, bool *allows)
{
    *allows = strncmp(opponents, "allow:", 6) == 0;
    if ((!*allows && strncmp(opponents, "block:", 6) != 0) || opponents[6] == '\0')
        return NULL;
    return option_path(opponents + 6);
}

static bool check_games(struct policy *policy, struct cause *cause)
{
    const char *option = policy->only_games ? "--games" : "--accept-games";
    struct cause why;

    return policy->games == NULL || game_list_read(&policy->game_list, policy->games, &why) ||
           cause_set(cause, "%s: %.150s", option, why.text);
}

static bool check_seek(const struct policy *policy, struct cause *cause)
{
    struct position start;
    struct time_control clock;
    struct cause why;

    if (policy->seek == NULL)
        return policy->clock == NULL || cause_set(cause, "--clock: give --seek, too");
    const struct game *game = game_open(policy->seek, &start, NULL, &why);
    if (game == NULL)
        return cause_set(cause, "--seek: %.150s", why.text);
    if (policy->only_games && !game_list_has(&policy->game_list, game, &start))
        return cause_set(cause, "--seek: --games does not have %.80s", policy->seek);
    return policy->clock == NULL || time_control_parse(policy->clock, &clock, &why) ||
           cause_set(cause, "--clock: %.150s", why.text);
}

bool policy_check(struct policy *policy, struct cause *cause)
{
    bool allows;

    if (!check_games(policy, cause) || !check_seek(policy, cause))
        return false;
    if (policy->tournament != NULL && strpbrk(policy->tournament, " \t") != NULL)
        return cause_set(cause, "--tournament: '%.40s' is not one word", policy->tournament);
    if (policy->opponents != NULL && opponents_file(policy->opponents, &allows) == NULL)
        return cause_set(cause, "--opponents: '%.80s' is not allow:FILE or block:FILE",
                         policy->opponents);
    const char *list = policy->clocks;
    struct clock_range range;
    struct cause why;
    char item[ITEM_MAX];
    while (next_item(&list, item))
        if (!read_range(&range, item, &why))
            return cause_set(cause, "--accept-clocks: %.150s", why.text);
    return true;
}

bool policy_has_game(const struct policy *policy, const cJSON *message)
{
    const char *name = json_text_or(message, "game", "");
    const struct game *game = game_find(name, strlen(name));
    struct position start;
    struct cause cause;

    return game != NULL && game->start(json_text(message, "variant"), &start, &cause) &&
           (policy->games == NULL || game_list_has(&policy->game_list, game, &start));
}

bool policy_has_room(const struct policy *policy, int matches, struct cause *cause)
{
    return matches < policy->matches_max ||
           cause_set(cause, "as many matches as --max-matches allows");
}

static bool has_clock(const struct policy *policy, const cJSON *challenge)
{
    const cJSON *clock = json_member(challenge, "clock");
    const char *list = policy->clocks;
    struct clock_range range;
    struct cause cause;
    char item[ITEM_MAX];

    int64_t base_ms = json_ms(clock, "base_ms"), increment_ms = json_ms(clock, "increment_ms");
    while (next_item(&list, item)) {
        if (!read_range(&range, item, &cause))
            continue;
        bool fits = range.none ? base_ms < 0
                               : base_ms >= range.low.base_ms && base_ms <= range.high.base_ms &&
                                     increment_ms >= range.low.increment_ms &&
                                     increment_ms <= range.high.increment_ms;
        if (fits)
            return true;
    }
    return policy->clocks == NULL;
}

/* Whether --opponents lets that player in. A file that cannot be read lets nobody in. */
static bool may_come(const struct policy *policy, const char *name, struct cause *cause)
{
    char line[NAME_LINE_MAX];
    bool allows, found = false;

    if (policy->opponents == NULL)
        return true;
    const char *path = opponents_file(policy->opponents, &allows);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return cause_set(cause, "--opponents: %.100s: %s", path, strerror(errno));
    while (!found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, " \t\r\n")] = '\0';
        found = strcasecmp(line, name) == 0;
    }
    fclose(file);
    return found == allows || cause_set(cause, "--opponents keeps %.40s out", name);
}

const char *policy_refusal(const struct policy *policy, const cJSON *challenge, int matches,
                           int held, struct cause *cause)
{
    const char *name = json_text_or(challenge, "from", "");

    if (!policy_has_room(policy, matches, cause))
        return "busy";
    if (held >= HELD_MAX && !policy->is_house) {
        cause_set(cause, "%.40s has %d matches with it", name, held);
        return "busy";
    }
    if (!policy_has_game(policy, challenge)) {
        cause_set(cause, "a game that it does not play");
        return "game";
    }
    if (!has_clock(policy, challenge)) {
        cause_set(cause, "--accept-clocks does not have the clock");
        return "clock";
    }
    return may_come(policy, name, cause) ? NULL : "no";
}

bool policy_decline_failed(const cJSON *error)
{
    return strcmp(json_text_or(error, "cmd", ""), "decline") == 0 &&
           strcmp(json_text_or(error, "code", ""), "bad-arguments") == 0 &&
           match_id_is_valid(json_text(error, "id"));
}
