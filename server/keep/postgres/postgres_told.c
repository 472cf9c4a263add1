/* What other servers tell of matches, as postgres_tell.c writes it. */
#include <string.h>

#include "common/pgn.h"
#include "postgres.h"

bool told_read(struct words *words, struct told *told)
{
    told->number = words_integer(words);
    told->version = (int)words_integer(words);
    told->ply = (int)words_integer(words);
    words_text(words, told->move, sizeof told->move);
    told->took_ms = words_integer(words);
    told->left_ms[WHITE] = words_integer(words);
    told->left_ms[BLACK] = words_integer(words);
    told->offers = (int)words_integer(words);
    told->note = words->at;
    return words->at != NULL;
}

static void read_rating(struct words *words, struct glicko *now, int *matches)
{
    now->rating = words_real(words);
    now->deviation = words_real(words);
    now->volatility = words_real(words);
    *matches = (int)words_integer(words);
}

bool told_read_start(struct words *words, struct told_start *start)
{
    char what[sizeof NEWS_START];

    told_read(words, &start->told);
    words_text(words, what, sizeof what);
    if (strcmp(what, NEWS_START) != 0)
        return false;
    start->color = words_integer(words) == BLACK ? BLACK : WHITE;
    start->id = words_integer(words);
    start->node = (int)words_integer(words);
    start->login = (int)words_integer(words);
    start->kind = (int)words_integer(words);
    start->bot = words_integer(words) != 0;
    words_text(words, start->name, sizeof start->name);
    read_rating(words, &start->now, &start->matches);
    return words->at != NULL;
}

bool told_read_end(struct words *words, struct told_end *end)
{
    char result[8], reason[32];

    told_read(words, &end->told);
    words_text(words, result, sizeof result);
    words_text(words, reason, sizeof reason);
    for (int color = WHITE; color <= BLACK; color++) {
        end->rated[color] = words_real(words);
        read_rating(words, &end->now[color], &end->matches[color]);
    }
    end->told.note = words->at;
    return words->at != NULL && pgn_outcome(result, reason, &end->outcome);
}
