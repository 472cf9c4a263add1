#include "question.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/model/clock_words.h"
#include "client/model/match_words.h"
#include "client/play/play.h"
#include "client/play/player_command.h"
#include "client/talk/client_request.h"
#include "common/number.h"

enum { CHOICES_MAX = 32 };

struct choices {
    const char *words[CHOICES_MAX]; /* borrowed */
    int count;
    int usual; /* the default */
};

static void copy_trimmed(char answer[ANSWER_MAX], const char *line)
{
    snprintf(answer, ANSWER_MAX, "%s", line + strspn(line, " \t"));
    size_t length = strlen(answer);
    while (length > 0 && (answer[length - 1] == ' ' || answer[length - 1] == '\t'))
        answer[--length] = '\0';
}

bool ask(struct client *client, const char *prompt, char answer[ANSWER_MAX])
{
    const char *line;

    while ((line = client_await_line(client, prompt)) != NULL) {
        copy_trimmed(answer, line);
        if (strcasecmp(answer, "menu") == 0)
            return false;
        bool quits = strcasecmp(answer, "q") == 0; /* as in the menu */
        if (!player_command_run(client, quits ? "quit" : line + strspn(line, " \t")))
            return true;
    }
    return false;
}

static void add_choice(struct choices *choices, const char *word)
{
    if (word[0] != '\0' && choices->count < CHOICES_MAX)
        choices->words[choices->count++] = word;
}

/* The index of the choice given by number from 1 or by word; -1 for any other answer. */
static int pick(const struct choices *choices, const char *answer)
{
    long number;

    if (answer[0] == '\0')
        return choices->usual;
    if (number_parse(answer, strlen(answer), 1, choices->count, &number))
        return (int)number - 1;
    for (int i = 0; i < choices->count; i++)
        if (strcasecmp(answer, choices->words[i]) == 0)
            return i;
    return -1;
}

static void write_prompt(char prompt[PROMPT_MAX], const char *question, const char *usual)
{
    snprintf(prompt, PROMPT_MAX, "%s [%s]> ", question, usual);
}

static bool choose(struct client *client, const char *question, const struct choices *choices,
                   int *index)
{
    char prompt[PROMPT_MAX], answer[ANSWER_MAX];

    if (choices->count == 0)
        return false;
    write_prompt(prompt, question, choices->words[choices->usual]);
    while (ask(client, prompt, answer)) {
        *index = pick(choices, answer);
        if (*index >= 0)
            return true;
        console_say(&client->console, "Please type a number from 1 to %d, `menu`, or q.",
                    choices->count);
    }
    return false;
}

bool ask_color(struct client *client, const char *question, enum color *color)
{
    const struct choices colors = {.words = {"white", "black"}, .count = 2};
    int index;

    if (!choose(client, question, &colors, &index))
        return false;
    *color = (enum color)index;
    return true;
}

/* Any text is accepted: the server knows more variants than it lists. */
static bool ask_variant(struct client *client, const cJSON *game, const struct choices *variants,
                        char variant[ANSWER_MAX])
{
    char prompt[PROMPT_MAX];

    for (int i = 0; i < variants->count; i++)
        console_say(&client->console, "  %d  %s", i + 1, variants->words[i]);
    console_say(&client->console, "  (%s)", json_text_or(game, "variants_text", ""));
    write_prompt(prompt, "Variant", variants->words[variants->usual]);
    if (!ask(client, prompt, variant))
        return false;
    int index = pick(variants, variant);
    if (index >= 0)
        snprintf(variant, ANSWER_MAX, "%s", variants->words[index]);
    return true;
}

static bool ask_variant_of(struct client *client, const cJSON *game, char label[ANSWER_MAX])
{
    const cJSON *entry, *entries = json_member(game, "variants");
    struct choices variants = {.count = 0};
    char variant[ANSWER_MAX];
    const char *name = json_text_or(game, "name", "");

    cJSON_ArrayForEach (entry, entries) {
        const char *word = cJSON_GetStringValue(entry);
        add_choice(&variants, word != NULL ? word : "");
    }
    snprintf(label, ANSWER_MAX, "%s", name);
    if (variants.count < 2)
        return true;
    if (!ask_variant(client, game, &variants, variant))
        return false;
    return snprintf(label, ANSWER_MAX, "%s:%s", name, variant) < ANSWER_MAX;
}

bool ask_game(struct client *client, char label[ANSWER_MAX])
{
    cJSON *reply = client_ask(client, "games");
    const cJSON *game, *entries = json_member(reply, "games");
    struct choices names = {.count = 0};
    bool chosen = false;
    int index;

    cJSON_ArrayForEach (game, entries) {
        add_choice(&names, json_text_or(game, "name", ""));
        console_say(&client->console, "  %d  %s", names.count, json_text_or(game, "title", ""));
    }
    if (choose(client, "Game", &names, &index))
        chosen = ask_variant_of(client, cJSON_GetArrayItem(entries, index), label);
    cJSON_Delete(reply);
    return chosen;
}

bool ask_clock(struct client *client, char clock[ANSWER_MAX])
{
    char prompt[PROMPT_MAX], words[CLOCK_WORDS_MAX];
    struct cause cause;

    write_prompt(prompt, "Clock, minutes + seconds a move, as 5 + 3", "none");
    while (ask(client, prompt, clock)) {
        if (strcasecmp(clock, "none") == 0)
            clock[0] = '\0';
        if (clock[0] == '\0')
            return true;
        if (clock_words_read(clock, words, &cause)) {
            snprintf(clock, ANSWER_MAX, "%s", words);
            return true;
        }
        console_say(&client->console, "%s", cause.text);
    }
    return false;
}

bool ask_bot(struct client *client, const char *question, char bot[ANSWER_MAX])
{
    struct choices choices = {.count = 0};
    struct bot_choice bots;
    int index;

    play_list_bots(client, &bots);
    for (int i = 0; i < bots.count; i++) {
        add_choice(&choices, bots.names[i]);
        console_say(&client->console, "  %d  %s", i + 1, bots.names[i]);
    }
    choices.usual = bots.usual;
    if (!choose(client, question, &choices, &index))
        return false;
    snprintf(bot, ANSWER_MAX, "%s", bots.names[index]);
    return true;
}

/* Shows the matches and returns the first; NULL when there is none. */
static const char *show_matches(struct client *client, const cJSON *rows, const char *status)
{
    const char *first = NULL;
    char words[ROW_WORDS_MAX];
    const cJSON *row;

    cJSON_ArrayForEach (row, rows) {
        const char *match = json_text_or(row, "match", "");
        if (!play_is_listed(row, status))
            continue;
        row_words(row, words);
        console_say(&client->console, "  match %s: %s", match, words);
        if (first == NULL)
            first = match;
    }
    return first;
}

bool ask_match(struct client *client, const char *status, char match[ANSWER_MAX])
{
    cJSON *reply = client_request(client, "list");
    const cJSON *rows = json_member(reply, "matches");
    const char *first = show_matches(client, rows, status);
    char prompt[PROMPT_MAX];
    bool chosen = false;

    if (first == NULL) {
        console_say(&client->console, "There is no %s match.",
                    strcmp(status, "open") == 0 ? "open" : "running");
    } else {
        write_prompt(prompt, "Match", first);
        chosen = ask(client, prompt, match);
        if (chosen && match[0] == '\0')
            snprintf(match, ANSWER_MAX, "%s", first);
    }
    cJSON_Delete(reply);
    return chosen;
}
