#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum { EVAL_MAX = 30000, PV_TEXT_MAX = 60 };

static bool read_game(struct pgn_match *match, const cJSON *reply, struct cause *cause)
{
    const char *name = json_text_or(reply, "game", ""), *start = json_text_or(reply, "start", "");

    match->game = game_find(name, strlen(name));
    if (match->game == NULL)
        return cause_set(cause, "unknown game '%.24s'", name);
    return match->game->parse(json_text_or(reply, "variant", NULL), start, &match->start, cause);
}

/* Reads the values of the tags. The clock is null, or has base_ms and increment_ms. */
static void read_tags(struct pgn_match *match, const cJSON *reply)
{
    const cJSON *clock = json_member(reply, "clock");

    match->match = json_text_or(reply, "match", NULL);
    match->date = json_text_or(reply, "date", NULL);
    match->white = json_text_or(reply, "white", NULL);
    match->black = json_text_or(reply, "black", NULL);
    match->casual = cJSON_IsFalse(json_member(reply, "rated"));
    json_int(reply, "white_rating_before", &match->ratings[WHITE]);
    json_int(reply, "black_rating_before", &match->ratings[BLACK]);
    json_int(reply, "white_rating", &match->rating_after[WHITE]);
    json_int(reply, "black_rating", &match->rating_after[BLACK]);
    if (json_ms(clock, "base_ms") > 0) {
        int64_t increment_ms = json_ms(clock, "increment_ms");
        match->base_ms = json_ms(clock, "base_ms");
        match->increment_ms = increment_ms > 0 ? increment_ms : 0;
    }
}

/* Reads the moves and their times into these arrays, to which the match points from then on. */
static bool read_moves(struct pgn_match *match, struct move_text *moves, int64_t *times_ms,
                       const cJSON *reply, struct cause *cause)
{
    const cJSON *move, *time = json_member(reply, "times_ms");

    match->moves = moves;
    match->times_ms = times_ms;
    time = time != NULL ? time->child : NULL;
    cJSON_ArrayForEach (move, json_member(reply, "moves")) {
        const char *text = cJSON_GetStringValue(move);
        if (text == NULL || strlen(text) >= MOVE_TEXT_MAX)
            return cause_set(cause, "invalid move in the record");
        bool timed =
            cJSON_IsNumber(time) && time->valuedouble >= 0 && time->valuedouble <= UINT32_MAX;
        snprintf(moves[match->plies].text, MOVE_TEXT_MAX, "%s", text);
        times_ms[match->plies++] = timed ? (int64_t)time->valuedouble : -1;
        time = time != NULL ? time->next : NULL;
    }
    return true;
}

static bool is_move_text(const char *word)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@";

    return strspn(word, letters) == strlen(word);
}

/* Joins the moves of a line with spaces, as many as fit. */
static void read_pv(const cJSON *pv, char text[PV_TEXT_MAX])
{
    const cJSON *move;
    size_t length = 0;

    text[0] = '\0';
    cJSON_ArrayForEach (move, pv) {
        const char *word = cJSON_GetStringValue(move);
        if (word == NULL || strlen(word) >= MOVE_TEXT_MAX || !is_move_text(word) ||
            length + strlen(word) + 1 >= PV_TEXT_MAX)
            return;
        length += (size_t)snprintf(text + length, PV_TEXT_MAX - length, "%s%s",
                                   length > 0 ? " " : "", word);
    }
}

/* Reads what players said of their moves, into texts that the notes point to. */
static void read_said(const struct pgn_match *match, char (*said)[PGN_SAID_MAX],
                      const char *notes[], const cJSON *reply)
{
    const cJSON *evals = json_member(reply, "evals"), *pvs = json_member(reply, "pvs");
    const cJSON *eval = evals != NULL ? evals->child : NULL, *pv = pvs != NULL ? pvs->child : NULL;

    for (int ply = 0; ply < match->plies; ply++) {
        bool given =
            cJSON_IsNumber(eval) && eval->valuedouble >= -EVAL_MAX && eval->valuedouble <= EVAL_MAX;
        int value = given ? (int)eval->valuedouble : 0;
        char text[PV_TEXT_MAX];
        read_pv(pv, text);
        pgn_said(said[ply], given ? &value : NULL,
                 (match->start.side + ply) % 2 == BLACK ? BLACK : WHITE, text);
        notes[ply] = said[ply];
        eval = eval != NULL ? eval->next : NULL;
        pv = pv != NULL ? pv->next : NULL;
    }
}

char *record_pgn(const cJSON *reply, const struct record_about *about, struct cause *cause)
{
    const char *result = json_text_or(reply, "result", "*");
    size_t count = (size_t)cJSON_GetArraySize(json_member(reply, "moves"));
    struct move_text *moves = xcalloc(count, sizeof *moves);
    int64_t *times_ms = xcalloc(count, sizeof *times_ms);
    char(*said)[PGN_SAID_MAX] = xcalloc(count, sizeof *said);
    const char **notes = xcalloc(count, sizeof *notes);
    struct pgn_match match = {.site = about->site, .event = about->event, .round = about->round};
    char *text = NULL;

    if (!pgn_outcome(result, json_text_or(reply, "reason", NULL), &match.outcome))
        cause_set(cause, "invalid result in the record");
    else if (read_game(&match, reply, cause) && read_moves(&match, moves, times_ms, reply, cause)) {
        read_tags(&match, reply);
        read_said(&match, said, notes, reply);
        match.notes = notes;
        text = pgn_write(&match, about->with_times);
    }
    free(moves);
    free(times_ms);
    free(said);
    free(notes);
    return text;
}

enum { CHUNK_BYTES = 1 << 16 };

/* Reads to the end, or just beyond the limit. The caller frees *text, after a failure too. */
static bool read_stream(FILE *stream, char **text, size_t *length)
{
    size_t size = 0, count;

    *text = NULL;
    *length = 0;
    do {
        if (size - *length < CHUNK_BYTES) {
            size = size * 2 + CHUNK_BYTES;
            *text = xrealloc(*text, size);
        }
        count = fread(*text + *length, 1, CHUNK_BYTES, stream);
        *length += count;
    } while (count > 0 && *length <= PGN_BYTES_MAX);
    return !ferror(stream);
}

bool record_read_file(const char *path, struct pgn_file *file, struct cause *cause)
{
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char *text;
    size_t length;

    if (stream == NULL)
        return cause_set(cause, "%s", strerror(errno));
    bool good = read_stream(stream, &text, &length) || cause_set(cause, "%s", strerror(errno));
    good = good && pgn_read(file, text, length, cause);
    free(text);
    if (stream != stdin)
        fclose(stream);
    return good;
}

bool record_read_reply(const cJSON *reply, struct pgn_file *file, struct cause *cause)
{
    char *text = record_pgn(reply, &(struct record_about){.with_times = true}, cause);
    bool read = text != NULL && pgn_read(file, text, strlen(text), cause);

    free(text);
    if (!read || pgn_check(&file->matches[0], cause))
        return read;
    pgn_release(file);
    return false;
}

bool record_is_over(const struct pgn_match *match)
{
    return match->outcome.result != RESULT_NONE || match->outcome.reason != REASON_NONE;
}

struct position record_position(const struct pgn_match *match, int ply)
{
    struct position position = match->start;
    struct cause cause;
    struct move move;

    for (int i = 0; i < ply; i++)
        if (move_parse(match->game, &position, match->moves[i].text, &move, &cause))
            match->game->apply(&position, move);
    return position;
}

static void begin_played(struct played *played, const char *match, bool known, const char *start)
{
    snprintf(played->match, sizeof played->match, "%s", match);
    snprintf(played->start, sizeof played->start, "%s", start);
    played->known = known;
    played->count = 0;
}

void played_follow(struct played *played, const struct match_state *view)
{
    if (strcmp(played->match, view->match) != 0)
        begin_played(played, view->match, view->ply == 0, view->ply == 0 ? view->position : "");
    if (!played->known || view->ply < 0 || view->ply > PGN_PLIES_MAX)
        return;
    if (view->ply == played->count + 1)
        snprintf(played->moves[played->count++].text, MOVE_TEXT_MAX, "%s", view->last);
    else if (view->ply <= played->count)
        played->count = view->ply;
    const char *last = played->count > 0 ? played->moves[played->count - 1].text : "";
    played->known = view->ply == played->count && strcmp(last, view->last) == 0;
}

void played_read(struct played *played, const cJSON *reply)
{
    const cJSON *move, *moves = json_member(reply, "moves");
    char match[MATCH_ID_MAX];

    json_copy(match, sizeof match, reply, "match");
    if (!cJSON_IsArray(moves))
        return;
    begin_played(played, match, true, json_text_or(reply, "start", ""));
    cJSON_ArrayForEach (move, moves) {
        const char *text = cJSON_GetStringValue(move);
        if (played->count < PGN_PLIES_MAX)
            snprintf(played->moves[played->count++].text, MOVE_TEXT_MAX, "%s",
                     text != NULL ? text : "?");
    }
}

bool played_position(const struct played *played, const struct match_state *view, int ply,
                     struct position *position, struct cause *cause)
{
    const struct game *game = game_find(view->game, strlen(view->game));
    struct move move;

    if (game == NULL || played->start[0] == '\0')
        return cause_set(cause, "the moves are not known here");
    if (!game->parse(view->variant, played->start, position, cause))
        return false;
    for (int i = 0; i < ply; i++) {
        if (!move_parse(game, position, played->moves[i].text, &move, cause))
            return false;
        game->apply(position, move);
    }
    return true;
}
