#include "eval.h"

#include <stddef.h>

static const struct {
    const struct game *game;
    int (*eval)(const struct position *position);
} evals[] = {
    {.game = &clobber, .eval = eval_clobber},
    {.game = &xadrersi, .eval = eval_xadrersi},
    {.game = &latrunculi, .eval = eval_latrunculi},
    {.game = &shakti, .eval = eval_shakti},
};

int evaluate(const struct game *game, const struct position *position)
{
    for (size_t i = 0; i < sizeof evals / sizeof evals[0]; i++)
        if (evals[i].game == game)
            return evals[i].eval(position);
    return 0;
}
