#include "bots_wanted.h"

#include <strings.h>

static const char *const words[] = {[BOTS_YES] = "yes", [BOTS_NO] = "no", [BOTS_ONLY] = "only"};

const char *bots_wanted_text(enum bots_wanted bots)
{
    return words[bots];
}

bool bots_wanted_parse(const char *text, enum bots_wanted *bots)
{
    for (int i = BOTS_YES; i <= BOTS_ONLY; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *bots = i;
            return true;
        }
    return false;
}

bool bots_wanted_fit(enum bots_wanted bots, bool is_bot)
{
    return bots == BOTS_YES || is_bot == (bots == BOTS_ONLY);
}
