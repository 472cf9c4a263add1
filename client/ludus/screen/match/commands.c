#include "commands.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/play.h"
#include "client/ludus/talk/record.h"
#include "client/ludus/term/console.h"

/* Requests that can wait: the offers of match_state.h, then requests outside the match on the
 * screen. */
enum { ASKED_REMATCH_ELSEWHERE = OFFER_KINDS, ASKED_CHALLENGE, ASKED_KINDS };
enum { LIST_MAX = 160 }; /* bytes, for "accept draw, accept undo, ..." */

static const char *word_of(int asked)
{
    if (asked == ASKED_CHALLENGE)
        return "challenge";
    return offer_word(asked == ASKED_REMATCH_ELSEWHERE ? OFFER_REMATCH : (enum offer)asked);
}

static bool is_waiting(const struct client *client, int asked)
{
    if (asked == ASKED_CHALLENGE)
        return client->challenge[0] != '\0';
    if (asked == ASKED_REMATCH_ELSEWHERE)
        return client->rematch[0] != '\0' && strcmp(client->rematch, client->view.match) != 0;
    return match_state_asked(&client->view, (enum offer)asked);
}

static int count_waiting(const struct client *client, int from, int to)
{
    int count = 0;

    for (int asked = from; asked < to; asked++)
        count += is_waiting(client, asked);
    return count;
}

/* The first that waits and has this word, or any for ""; ASKED_KINDS when there is none. */
static int find_asked(const struct client *client, const char *word)
{
    int asked = 0;

    while (asked < ASKED_KINDS && (!is_waiting(client, asked) ||
                                   (word[0] != '\0' && strcasecmp(word, word_of(asked)) != 0)))
        asked++;
    return asked;
}

/* Asks which one they mean: "accept draw, accept undo". */
static void ask_which(struct client *client, const char *verb)
{
    char list[LIST_MAX] = "";
    size_t used = 0;

    for (int asked = 0; asked < ASKED_KINDS; asked++)
        if (is_waiting(client, asked) && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s`%s %s`",
                                     used > 0 ? ", " : "", verb, word_of(asked));
    console_say(&client->console, "Several requests wait for your answer; which one? %s", list);
}

void answer_offer(struct client *client, enum offer what)
{
    cJSON *reply = client_ask(client, "%s %s", offer_word(what), client->view.match);
    bool done = reply != NULL;
    bool agreed = json_true(reply, "agreed");
    enum color mine;

    cJSON_Delete(reply);
    if (done && !agreed && match_state_my_color(&client->view, &mine)) {
        client->view.offers[what][mine] = true;
        char said[SENTENCE_MAX];
        console_say(&client->console, "%s",
                    sentence_about(offer_made(what), seat_shown(&client->view.seats[!mine]), said,
                                   sizeof said));
    }
}

void answer_accept(struct client *client, const char *word)
{
    char challenge[MATCH_ID_MAX];
    int asked = find_asked(client, word);

    if (asked == ASKED_KINDS)
        console_say(&client->console, "There is nothing to accept.");
    else if (word[0] == '\0' && count_waiting(client, 0, ASKED_KINDS) > 1)
        ask_which(client, "accept");
    else if (asked < OFFER_KINDS)
        answer_offer(client, (enum offer)asked);
    else if (asked == ASKED_CHALLENGE) {
        snprintf(challenge, sizeof challenge, "%s", client->challenge);
        client->challenge[0] = '\0';
        play_join(client, challenge);
    } else if (!client_do(client, "rematch %s", client->rematch)) {
        client->rematch[0] = '\0'; /* on agreement an event brings the new match to the screen */
    }
}

static void decline_match(struct client *client, const char *match)
{
    if (client_do(client, "decline %s", match))
        console_say(&client->console, "Declined.");
}

void answer_decline(struct client *client, const char *word)
{
    int asked = find_asked(client, word), offers = count_waiting(client, 0, OFFER_KINDS);

    int others = count_waiting(client, OFFER_KINDS, ASKED_KINDS);

    if (asked == ASKED_KINDS) {
        console_say(&client->console, "There is nothing to decline.");
    } else if (word[0] == '\0' && (offers > 0) + others > 1) {
        ask_which(client, "decline");
    } else if (asked >= OFFER_KINDS) {
        char *match = asked == ASKED_CHALLENGE ? client->challenge : client->rematch;
        decline_match(client, match);
        match[0] = '\0';
    } else if (word[0] != '\0' && offers > 1) {
        console_say(&client->console,
                    "The offers in a match are declined together: type `decline`, "
                    "or accept one of them.");
    } else {
        decline_match(client, client->view.match);
    }
}

enum { WORDS_MAX = 2048 }; /* bytes with the final NUL */

/* Adds a value in words: "white anna, black bob", "b1a1 c1d1". */
static void add_reply_words(const cJSON *value, char words[WORDS_MAX])
{
    size_t used = strlen(words);
    const cJSON *item;

    if (cJSON_IsString(value)) {
        snprintf(words + used, WORDS_MAX - used, "%s", value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        snprintf(words + used, WORDS_MAX - used, "%.15g", value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        snprintf(words + used, WORDS_MAX - used, "%s", cJSON_IsTrue(value) ? "yes" : "no");
    } else if (value->child == NULL) {
        snprintf(words + used, WORDS_MAX - used, "none");
    }
    cJSON_ArrayForEach (item, value) {
        used = strlen(words);
        snprintf(words + used, WORDS_MAX - used, "%s%s%s", item == value->child ? "" : ", ",
                 item->string != NULL ? item->string : "", item->string != NULL ? " " : "");
        add_reply_words(item, words);
    }
}

static void show_words(struct client *client, const cJSON *reply)
{
    const cJSON *member;
    int count = 0;

    if (!client_accepted(client, reply))
        return;
    cJSON_ArrayForEach (member, reply) {
        if (strcmp(member->string, "type") == 0 || strcmp(member->string, "cmd") == 0)
            continue;
        /* Say a member in a line, or a list of objects in a line each. */
        bool list = cJSON_IsArray(member) && cJSON_IsObject(member->child);
        const cJSON *first = list ? member->child : member, *row;
        for (row = first; row != NULL; row = list ? row->next : NULL) {
            char words[WORDS_MAX] = "";
            add_reply_words(row, words);
            console_say(&client->console, "%s: %s", member->string, words);
        }
        count++;
    }
    if (count == 0)
        console_say(&client->console, "Done.");
}

static void raw_command_run(struct client *client, const char *line)
{
    const char *fault = client_line_fault(client, line);

    if (fault != NULL) {
        console_say(&client->console, "%s", fault);
        return;
    }
    cJSON *reply = client_request(client, "%s", line);
    if (reply == NULL)
        return;
    show_words(client, reply);
    if (strcmp(json_text_or(reply, "type", ""), "bye") == 0)
        client->quit = true;
    cJSON_Delete(reply);
}

/* Shows the server's summary of a game, or with NULL of all games. */
static void player_command_rules(struct client *client, const char *name)
{
    cJSON *reply = client_ask(client, "games");
    const cJSON *entry, *entries = json_member(reply, "games");

    cJSON_ArrayForEach (entry, entries) {
        if (name == NULL || strcmp(name, json_text_or(entry, "name", "")) == 0) {
            console_say(&client->console, "%s", _(json_text_or(entry, "title", "?")));
            console_say(&client->console, "  %s", _(json_text_or(entry, "summary", "")));
            console_say(&client->console, "  Variants: %s",
                        _(json_text_or(entry, "variants_text", "?")));
        }
    }
    cJSON_Delete(reply);
}

/* Flags of a command: it is about the match on the screen; /COMMAND shows its reply as text, too,
 * not as JSON. */
enum { NEEDS_MATCH = 1, READABLE = 2 };

static void say_text(struct client *client, const char *text)
{
    console_say(&client->console, "%s", text);
}

/* The name of a row of the table, and the rest of the line. */
struct typed {
    const char *name, *rest;
};

static void run_offer(struct client *client, const struct typed *typed)
{
    answer_offer(client, offer_find(typed->name));
}

static void run_end(struct client *client, const struct typed *typed)
{
    client_do(client, "%s %s", typed->name, client->view.match);
}

static void run_accept(struct client *client, const struct typed *typed)
{
    answer_accept(client, typed->rest);
}

static void run_decline(struct client *client, const struct typed *typed)
{
    answer_decline(client, typed->rest);
}

static void run_moves(struct client *client, const struct typed *typed)
{
    cJSON *reply = client_ask(client, "moves %s%s%s", client->view.match,
                              typed->rest[0] != '\0' ? " " : "", typed->rest);
    const cJSON *move, *moves = json_member(reply, "moves");
    char list[MOVES_MAX * MOVE_TEXT_MAX] = "";
    int count = cJSON_GetArraySize(moves);
    size_t used = 0;

    cJSON_ArrayForEach (move, moves)
        if (cJSON_IsString(move) && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, " %s", move->valuestring);
    if (reply != NULL)
        console_say(&client->console,
                    count > 0 ? text_counted("%d legal move:\n %s", "%d legal moves:\n %s",
                                             (unsigned long)count)
                              : _("0 legal moves."),
                    count, list);
    cJSON_Delete(reply);
}

static void run_say(struct client *client, const struct typed *typed)
{
    if (typed->rest[0] == '\0')
        say_text(client, _("Say what? `say TEXT`"));
    else
        client_do(client, "say %s %s", client->view.match, typed->rest);
}

static void run_rules(struct client *client)
{
    player_command_rules(client, client->view.known ? client->view.game : NULL);
}

/* The match that `rest` names, or the one on the screen; NULL after a message when there is
 * none. */
static const char *match_meant(struct client *client, const char *rest)
{
    if (rest[0] != '\0')
        return rest;
    if (client->view.match[0] != '\0')
        return client->view.match;
    say_text(client, _("There is no match on the screen. Name one."));
    return NULL;
}

static void run_record(struct client *client, const struct typed *typed)
{
    const char *match = match_meant(client, typed->rest);
    cJSON *reply = match != NULL ? client_ask(client, "record %s", match) : NULL;

    if (reply != NULL) {
        struct cause cause;
        const struct record_about about = {.site = client->uplink.address};
        char *text = record_pgn(reply, &about, &cause);

        if (text == NULL)
            console_say(&client->console, "The record cannot be shown: %s.", cause.text);
        else
            console_text(&client->console, text);
        free(text);
    }
    cJSON_Delete(reply);
}

static void run_claim(struct client *client, const struct typed *typed)
{
    const char *match = match_meant(client, typed->rest);

    if (match != NULL)
        client_do(client, "claim %s", match);
}

/* Asks the server for a list and shows it as a table, or says that it is empty. */
static void show_list(struct client *client, const struct typed *typed, const char *list,
                      const char *fields, const char *none)
{
    cJSON *reply =
        client_ask(client, "%s%s%s", typed->name, typed->rest[0] != '\0' ? " " : "", typed->rest);
    const cJSON *rows = json_member(reply, list);

    if (reply != NULL && cJSON_GetArraySize(rows) == 0)
        say_text(client, none);
    else if (reply != NULL)
        columns_print(&client->console, rows, fields, true);
    columns_print_rest(&client->console, reply, list);
    cJSON_Delete(reply);
}

static void run_who(struct client *client, const struct typed *typed)
{
    show_list(client, typed, "players", "name rating playing bot", _("Nobody is online."));
}

static void run_top(struct client *client, const struct typed *typed)
{
    show_list(client, typed, "players", "rank name rating deviation matches game variant",
              _("Nobody has a rating yet."));
}

static void run_history(struct client *client, const struct typed *typed)
{
    show_list(client, typed, "matches", "match date game variant white black result reason plies",
              _("No finished games yet."));
}

static void run_seek(struct client *client, const struct typed *typed)
{
    char words[TYPED_LINE_MAX];
    struct cause cause;

    if (typed->rest[0] == '\0')
        say_text(client, _("Seek what? `seek GAME`, such as `seek clobber clock=5m+3`"));
    else if (!clock_line_read(typed->rest, words, sizeof words, &cause)) {
        client->refusals++;
        client_say_refusal(client, cause.text);
    } else if (client_do(client, "seek %s", words))
        say_text(client, _("The server looks for an opponent; `unseek` stops that."));
}

static void run_unseek(struct client *client)
{
    if (client_do(client, "unseek"))
        say_text(client, _("You no longer seek an opponent."));
}

static void run_go(struct client *client, const struct typed *typed)
{
    const char *match = typed->rest[0] != '\0' ? typed->rest : sitting_other(client);
    char id[MATCH_ID_MAX];

    if (match == NULL) {
        say_text(client, _("Go where? `go MATCH`"));
        return;
    }
    snprintf(id, sizeof id, "%s", match);
    play_watch(client, id);
}

void player_command_leave(struct client *client)
{
    const struct match_state *view = &client->view;
    bool seated = view->known && match_state_seated(view),
         runs = seated && view->status != STATE_OVER;
    char match[MATCH_ID_MAX];

    memcpy(match, view->match, sizeof match);
    if (view->known && !seated)
        client_do(client, "leave %s", match);
    client_show(client, "");
    if (runs)
        console_say(&client->console, "Match %s is saved; the menu continues it.",
                    match); /* the menu has a row for it */
}

/* Changes the language, for the next time, too; or says which there are. */
static void run_language(struct client *client, const struct typed *typed)
{
    char list[LANGUAGE_LIST_MAX];
    struct cause cause;

    if (typed->rest[0] == '\0') {
        language_list(list);
        console_say(&client->console, "The languages are %s; this is %s.", list, language_name());
        return;
    }
    if (!language_choose(typed->rest, &cause)) {
        client->refusals++;
        client_say_refusal(client, cause.text);
        return;
    }
    snprintf(client->settings.language, sizeof client->settings.language, "%s", language_name());
    client_keep_settings(client);
    /* Translators: say that they are in your language. */
    console_say(&client->console, "The texts are in English now.");
}

static void run_quit(struct client *client)
{
    if (hosting_ends_friend(client))
        client_ask_to_quit(client);
    else
        client->quit = true;
}

static void run_help(struct client *client);

static const struct {
    const char *name, *arguments, *help;
    unsigned flags;
    void (*run)(struct client *client, const struct typed *typed);
    void (*plain)(struct client *client); /* runs it instead where the name says all */
    /* Neither: the screen does it before the line comes here. */
} commands[] = {
    {"moves", "[SQUARE]", N_("the legal moves, or those of one square"), NEEDS_MATCH,
     .run = run_moves},
    {"hint", "", N_("what a bot would play"), NEEDS_MATCH, .run = NULL},
    {"board", "", N_("the board again"), NEEDS_MATCH, .run = NULL},
    {"flip", "", N_("turn the board"), NEEDS_MATCH, .run = NULL},
    {"rules", "", N_("the rules of the game in short"), .plain = run_rules},
    {"record", "[MATCH]", N_("all moves so far, as PGN"), READABLE, .run = run_record},
    {"review", "[MATCH]", N_("after the end: where the match was lost"), .run = NULL},
    {"analyse", "", N_("from the position shown: try moves, ask a bot"), NEEDS_MATCH, .run = NULL},
    {"say", "TEXT", N_("chat; watchers: to=watchers TEXT"), NEEDS_MATCH, .run = run_say},
    {"undo", "", N_("ask to take back your last move"), NEEDS_MATCH, .run = run_offer},
    {"draw", "", N_("offer a draw"), NEEDS_MATCH, .run = run_offer},
    {"resign", "", N_("resign the match"), NEEDS_MATCH, .run = run_end},
    {"abort", "", N_("abort the match before each side has moved"), NEEDS_MATCH, .run = run_end},
    {"claim", "[MATCH]", N_("claim the win when the other player stays away"), READABLE,
     .run = run_claim},
    {"rematch", "", N_("after the end: play again, colours swapped"), NEEDS_MATCH,
     .run = run_offer},
    {"accept", "[WHAT]",
     N_("accept an offer; name it (draw, undo, rematch, challenge) if several wait"),
     .run = run_accept},
    {"decline", "[WHAT]", N_("decline an offer, or all offers of a match"), .run = run_decline},
    {"go", "[MATCH]", N_("go to another match"), .run = run_go},
    {"seek", "GAME", N_("wait for another player who seeks that game"), .run = run_seek},
    {"unseek", "", N_("stop seeking"), .plain = run_unseek},
    {"invite", "", N_("let friends on this network join: open your server"), .plain = invite_tell},
    {"who", "", N_("players online"), READABLE, .run = run_who},
    {"top", "[GAME]", N_("the best players"), READABLE, .run = run_top},
    {"history", "[NAME]", N_("finished matches, your own or another player's"), READABLE,
     .run = run_history},
    {"language", "[LANG]", N_("the language of the texts, such as pt or en"), .run = run_language},
    {"bell", "", N_("a bell when it is your turn, on or off"), .plain = client_change_bell},
    {"menu", "", N_("go to the menu; you can continue later"), .plain = player_command_leave},
    {"leave", "", N_("same as menu"), .plain = player_command_leave},
    {"help", "", N_("this list"), .plain = run_help},
    {"quit", "", N_("end the program"), .plain = run_quit},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void run_help(struct client *client)
{
    char usage[32];

    say_text(client, _("  MOVE             such as b2b3, Q@d4 or pass"));
    for (int i = 0; i < COMMANDS; i++) {
        snprintf(usage, sizeof usage, "%s %s", commands[i].name, commands[i].arguments);
        console_say(&client->console, "  %-16s %s", usage, _(commands[i].help));
    }
    say_text(client, _("  /LINE            send a line to the server as it is, such as /stats"));
}

/* The index of the command, or COMMANDS. */
static int find_command(const char *word, size_t length)
{
    int i = 0;

    while (i < COMMANDS &&
           (strlen(commands[i].name) != length || strncasecmp(commands[i].name, word, length) != 0))
        i++;
    return i;
}

/* Whether a command takes as many words. What takes a GAME takes its options, too, and a TEXT has
 * no end. */
static bool fits_words(int command, const char *rest)
{
    const char *arguments = commands[command].arguments;
    bool one = rest[0] == '\0' || rest[strcspn(rest, " \t")] == '\0';

    return rest[0] == '\0' || (one && arguments[0] == '[') ||
           (arguments[0] != '\0' && arguments[0] != '[');
}

bool player_command_run(struct client *client, const char *line)
{
    bool slash = line[0] == '/';
    const char *word = slash ? line + 1 : line;
    size_t length = strcspn(word, " \t");
    const char *rest = word + length + strspn(word + length, " \t");
    int i = find_command(word, length);

    if (slash && (i == COMMANDS || (commands[i].flags & READABLE) == 0)) {
        raw_command_run(client, word);
        return true;
    }
    if (i == COMMANDS)
        return false;
    if (!fits_words(i, rest)) {
        client->refusals++;
        console_say(&client->console, "Too many words: write `%s%s%s`.", commands[i].name,
                    commands[i].arguments[0] != '\0' ? " " : "", commands[i].arguments);
    } else if ((commands[i].flags & NEEDS_MATCH) != 0 && client->view.match[0] == '\0')
        say_text(client, _("There is no match on the screen."));
    else if (commands[i].plain != NULL)
        commands[i].plain(client);
    else if (commands[i].run != NULL)
        commands[i].run(client, &(struct typed){commands[i].name, rest});
    return true;
}

/* Sends the move until it is known to have arrived. The ply keeps it from counting twice: after a
 * lost connection the next state shows whether it has counted. */
static void send_move(struct client *client, const char *move)
{
    int ply = client->view.ply;
    cJSON *reply = NULL;

    snprintf(client->sent_move, sizeof client->sent_move, "%.*s", MOVE_TEXT_MAX - 1, move);
    while (!client->quit && match_state_my_turn(&client->view) && client->view.ply == ply) {
        reply = client_request(client, "move %s %s ply=%d", client->view.match, move, ply);
        if (reply != NULL)
            break;
        while (!client->quit && client->looks_again)
            client_wait(client, NULL);
    }
    client->sent_move[0] = '\0';
    if (reply != NULL)
        client_accepted(client, reply);
    cJSON_Delete(reply);
}

/* Reads a move of the match on the screen. */
static bool read_move(const struct client *client, const char *line, char move[PLAYER_MOVE_MAX])
{
    const char *name = client->view.game;

    return player_move_read(game_find(name, strlen(name)), line, move);
}

bool player_command_move(const struct client *client, const char *line, char move[PLAYER_MOVE_MAX])
{
    line += strspn(line, " \t");
    return line[0] != '/' && find_command(line, strcspn(line, " \t")) == COMMANDS &&
           read_move(client, line, move);
}

/* Says that a line is neither a move nor a command, and which command was meant. */
static void refuse_line(struct client *client, const char *line)
{
    char word[MEANT_TEXT_MAX], text[MEANT_TEXT_MAX];
    struct meant_word meant;

    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \t"), line);
    meant_begin(&meant, word);
    for (int i = 0; i < COMMANDS; i++)
        meant_try(&meant, commands[i].name);
    console_say(&client->console,
                "\"%.40s\" is not a move or a command%s. F1 lists the commands. To chat: say %.40s",
                line, meant_text(&meant, "", text), line);
}

static void play_move(struct client *client, const char *line)
{
    const struct match_state *view = &client->view;
    struct console *console = &client->console;
    char move[PLAYER_MOVE_MAX];

    if (!read_move(client, line, move))
        refuse_line(client, line);
    else if (!match_state_seated(view))
        console_say(console, "You are watching. Only the players can move.");
    else if (view->status == STATE_OPEN)
        console_say(console, "The game has not begun: your opponent is not here yet.");
    else if (view->status == STATE_OVER)
        console_say(console, "The game is over.");
    else if (!match_state_my_turn(view))
        console_say(console,
                    view->turn == WHITE ? N_("It is white's turn. Wait for %s to move.")
                                        : N_("It is black's turn. Wait for %s to move."),
                    seat_shown(&view->seats[view->turn]));
    else
        send_move(client, move);
}

void player_command_type(struct client *client, const char *line)
{
    line += strspn(line, " \t");
    if (line[0] != '\0' && !player_command_run(client, line))
        play_move(client, line);
}
