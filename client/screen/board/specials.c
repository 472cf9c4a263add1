#include "special.h"

static const struct special *const specials[] = {&special_clobber, &special_xadrersi,
                                                 &special_latrunculi, &special_shakti};

const struct special *special_find(const struct game *game)
{
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++)
        if (specials[i]->game == game)
            return specials[i];
    return NULL;
}
