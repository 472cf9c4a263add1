#include "fuzz.h"

#include <string.h>

#include "common/text.h"

unsigned dice_throw(struct dice *dice, unsigned sides)
{
    /* Knuth's MMIX generator, whose upper bits are the good ones. */
    dice->state = dice->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(dice->state >> 33) % sides;
}

const struct game *fuzz_game(uint8_t letter, const char **variant)
{
    static const struct {
        const struct game *game;
        const char *variant;
    } rows[] = {{&clobber, NULL},  {&xadrersi, "touch"}, {&xadrersi, "attack"}, {&latrunculi, NULL},
                {&shakti, NULL},   {&clobber, "5x6"},    {&xadrersi, NULL},     {&clobber, "10x10"},
                {&clobber, "1x2"}, {&clobber, "2x3"},    {&clobber, "3x3"}};
    size_t count = sizeof rows / sizeof rows[0];
    size_t row = (size_t)(uint8_t)(letter - 'a') % count;

    *variant = rows[row].variant;
    return rows[row].game;
}

void fuzz_require_cause(const struct cause *cause)
{
    size_t length = strnlen(cause->text, sizeof cause->text);

    REQUIRE(length > 0, "no cause is given");
    REQUIRE(length < sizeof cause->text, "the cause has no end");
    REQUIRE(utf8_is_clean(cause->text, length), "the cause is no clean text: %s", cause->text);
}
