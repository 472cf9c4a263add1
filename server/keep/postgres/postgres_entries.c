/* The entries of a match's log: what they are made of, and replayed by the rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/xmalloc.h"
#include "postgres.h"

/* Reads the next line. Returns what is behind it; NULL: it is none. */
static const char *read_entry(const char *text, struct entry *entry)
{
    struct words words = {text + 1};

    entry->kind = text[0];
    entry->ply = (int)words_integer(&words);
    entry->took_ms = words_integer(&words);
    entry->left_ms[WHITE] = words_integer(&words);
    entry->left_ms[BLACK] = words_integer(&words);
    entry->offers = (int)words_integer(&words);
    entry->move[0] = '\0';
    if (words.at == NULL)
        return NULL;
    text = words.at;
    if (*text == ' ')
        text++;
    size_t length = strcspn(text, " \n");
    if (length < sizeof entry->move) {
        memcpy(entry->move, text, length);
        entry->move[length] = '\0';
    }
    text += length;
    entry->note = text;
    text += strcspn(text, "\n");
    return *text == '\n' ? text + 1 : text;
}

/* The number of its lines, and one more if the last has no end. */
static size_t count_lines(const char *text)
{
    size_t count = 1;

    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

bool entries_read(struct entries *entries, const char *text, struct cause *cause)
{
    struct entry entry;

    *entries = (struct entries){.moves = xcalloc(count_lines(text), sizeof *entries->moves)};
    while (*text != '\0') {
        text = read_entry(text, &entry);
        if (text == NULL || entry.ply < 0 || entry.ply > PLIES_MAX ||
            (entry.kind == 'm' ? entry.ply != entries->plies + 1 : entry.ply > entries->plies))
            return cause_set(cause, "the log is broken after ply %d", entries->plies);
        if (entry.kind == 'm')
            entries->moves[entry.ply - 1] = entry;
        entries->plies = entry.ply;
        entries->last = entry;
    }
    return true;
}

struct ply_note entry_note(const struct match *match, const char *text)
{
    struct ply_note note = {.eval = EVAL_NONE};
    char pv[PV_TEXT_MAX], *end;

    text += *text == ' ';
    if (*text == 'e') {
        note.eval = (int16_t)strtol(text + 1, &end, 10);
        text = end + (*end == ' ');
    }
    if (*text == 'p') {
        snprintf(pv, sizeof pv, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
        match_read_pv(match, pv, &note);
    }
    return note;
}

bool entries_play(const struct entries *entries, struct match *match, struct cause *cause)
{
    struct cause why = {.text = ""};

    for (int i = 0; i < entries->plies; i++) {
        const struct entry *entry = &entries->moves[i];
        struct ply_note note = entry_note(match, entry->note);
        if (match_play_text(match, SEATS_BOTH, entry->move, -1, 0, &why) != STATUS_OK)
            return cause_set(cause, "move %d, '%.10s': %.80s", i + 1, entry->move, why.text);
        match_annotate(match, &note);
        match->plies[i].took_ms = (uint32_t)entry->took_ms;
    }
    return true;
}

void entries_release(struct entries *entries)
{
    free(entries->moves);
}

char entry_kind(const struct table_draft *draft)
{
    const struct match *next = &draft->next->match;
    const struct match *before = draft->table != NULL ? &draft->table->match : NULL;
    int plies = before != NULL ? before->ply_count : 0;

    if (next->ply_count > plies)
        return 'm';
    if (next->ply_count < plies)
        return 'b';
    return before == NULL || next->turn_ms != before->turn_ms ||
                   next->clock.since_ms != before->clock.since_ms
               ? 's'
               : 'o';
}

int64_t entry_left_ms(const struct match *match, enum color color)
{
    return match->clock.base_ms > 0 ? match->clock.left_ms[color] : -1;
}

void entry_last_move(const struct match *match, char text[MOVE_TEXT_MAX])
{
    move_format(&match->start, match->plies[match->ply_count - 1].move, text);
}
