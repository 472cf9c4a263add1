#include "eval.h"

#include <stddef.h>

static const struct {
    const struct game *game;
    int (*eval)(const struct position *position);
} evals[] = {
    {&clobber, eval_clobber},
    {&xadrersi, eval_xadrersi},
    {&latrunculi, eval_latrunculi},
    {&shakti, eval_shakti},
};

int evaluate(const struct game *game, const struct position *position)
{
    for (size_t i = 0; i < sizeof evals / sizeof evals[0]; i++)
        if (evals[i].game == game)
            return evals[i].eval(position);
    return 0;
}
