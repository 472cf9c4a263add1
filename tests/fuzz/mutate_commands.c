/*
 * Scripts for fuzz_commands.c. In a mutation by libFuzzer half of the time a meaningful step is
 * inserted, or an existing one doubled or removed. A made-up script has meaningful steps only, and
 * players in it have several connections.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

enum {
    STEP_MAX = 256,
    SCRIPT_STEPS = 400, /* of a made-up script */
    WINDOW_STEPS = 16   /* after which its players open their windows again */
};

/* libFuzzer's own mutation, and the one that it calls instead. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#define COUNT(array) (unsigned)(sizeof(array) / sizeof(array)[0])

static const char *const peers[] = {"a", "a", "b", "b", "c", "d"};
static const char *const names[] = {"anna", "bob", "carl", "dora", "bot:random"};
static const char *const hellos[] = {
    "",          " token=$a",          " token=$b",  " token=$c",  " token=secret", " bot=yes",
    " only=yes", " token=$a only=yes", " device=^a", " device=^b", " device=^a",    " code=x"};
static const char *const matches[] = {"1", "2", "3", "%a", "%b", "%c", ""};
static const char *const game_names[] = {
    "clobber:1x2", "clobber:2x1", "clobber:2x2", "clobber:2x2", "clobber:2x3",
    "clobber",     "shakti",      "latrunculi",  "xadrersi",    "xadrersi:attack"};
static const char *const seats[] = {
    "",          "",          " white=me black=me", " white=open black=open",
    " black=*N", " white=*N", " white=*N black=*N"};
static const char *const terms[] = {
    "", "", "", " clock=1", " clock=10+1", " private=yes", " code=x", " position=Pp/pP w"};
static const char *const wishes[] = {"",          "",         " repeat=yes",      " color=white",
                                     " rated=no", " bots=no", " rating=1400-1600"};
static const char *const moves[] = {"a1a2", "a2a1", "a1b1", "b1a1", "b1b2", "b2b1",
                                    "a2b2", "b2a2", "a1a4", "a8a5", "d2d3", "d6d5",
                                    "d3d2", "d5d6", "K@d4", "q@d5", "pass"};
static const char *const plies[] = {"", "", "", " ply=0", " ply=1", " ply=2"};
static const char *const times[] = {"10",    "900",    "1100",   "10000",     "31000",
                                    "61000", "130000", "700000", "1300000000"};
static const char *const settings[] = {
    "finished=1",      "names=1",           "errors=3",    "matches=2",
    "unfinished=2",    "watchers=1",        "grace=1",     "code=x",
    "rate=20",         "address-rate=9",    "bots=random", "idle=5",
    "chat=3",          "chat-rate=1",       "bot-stall=2", "abandon=1",
    "address-names=1", "address-matches=1", "first-move=2"};

/* The lines that peers send, and other events. */
static const char *const lines[] = {"hello *N*T",
                                    "hello *N*T",
                                    "new *G*S*C",
                                    "new *G*S*C",
                                    "new *G*S*C",
                                    "join *M",
                                    "join *M",
                                    "join *M white",
                                    "join *M black",
                                    "decline *M",
                                    "decline *M later",
                                    "watch *M",
                                    "watch lobby",
                                    "leave *M",
                                    "leave lobby",
                                    "move *V*L",
                                    "move *V",
                                    "move *V",
                                    "move *M *V*L",
                                    "move *M *V",
                                    "resign *M",
                                    "abort *M",
                                    "claim *M",
                                    "draw *M",
                                    "draw",
                                    "undo *M",
                                    "undo",
                                    "hint *M",
                                    "hint",
                                    "rematch *M",
                                    "rematch",
                                    "say *M x",
                                    "state *M",
                                    "#7 state",
                                    "moves *M",
                                    "record *M",
                                    "list",
                                    "list *G status=open",
                                    "list bot=no from=1",
                                    "who",
                                    "who bot=yes from=1",
                                    "top",
                                    "history *N",
                                    "history *N *G against=*N",
                                    "stats",
                                    "device",
                                    "device",
                                    "tokens",
                                    "revoke 1",
                                    "revoke 2",
                                    "ping",
                                    "tournament new x *G format=swiss clock=2",
                                    "tournament new x *G format=knockout clock=2+1",
                                    "tournament new x *G format=arena clock=9 minutes=1",
                                    "tournament new x *G format=round-robin start=3 cycles=2",
                                    "tournament new x *G format=swiss clock=2 start=3 series=s",
                                    "tournament join t1",
                                    "tournament join t1",
                                    "tournament join t1",
                                    "tournament join t2",
                                    "tournament leave t1",
                                    "tournament start t1",
                                    "tournament start t1",
                                    "tournament start t2",
                                    "tournament pause t1",
                                    "tournament resume t1",
                                    "tournament abort t1",
                                    "tournament show t1",
                                    "tournament show t2 players=2 pairings=1",
                                    "tournament series s players=2",
                                    "tournaments",
                                    "watch tournament t1",
                                    "leave tournament t1",
                                    "quit",
                                    "",
                                    "set format=text",
                                    "set format=json",
                                    "set legal=off",
                                    "kick *M",
                                    "kick *M color=black",
                                    "join *M code=x",
                                    "seek *G*K",
                                    "seek *G*K",
                                    "seek *G*K",
                                    "unseek",
                                    "unseek 1",
                                    "seeks"};
static const char *const events[] = {"A",   "B",     "C",     "+*W",   "+*W",   "!*X",
                                     "!*X", "@full", "@full", "@room", "@kill", "@stop"};

/* In a text *N stands for a random name; the other letters are below. */
static const struct kind {
    char letter;
    const char *const *words;
    unsigned count;
} kinds[] = {
    {'N', names, COUNT(names)},       {'T', hellos, COUNT(hellos)},
    {'M', matches, COUNT(matches)},   {'G', game_names, COUNT(game_names)},
    {'S', seats, COUNT(seats)},       {'C', terms, COUNT(terms)},
    {'V', moves, COUNT(moves)},       {'L', plies, COUNT(plies)},
    {'K', wishes, COUNT(wishes)},     {'W', times, COUNT(times)},
    {'X', settings, COUNT(settings)},
};

static const char *pick(struct dice *dice, const char *const *words, unsigned count)
{
    return words[dice_throw(dice, count)];
}

static const char *pick_kind(struct dice *dice, char letter)
{
    for (unsigned i = 0; i < COUNT(kinds); i++)
        if (kinds[i].letter == letter)
            return pick(dice, kinds[i].words, kinds[i].count);
    return "";
}

/* Writes the text with its placeholders replaced, and returns its length. */
static size_t write_text(struct dice *dice, const char *text, char *step)
{
    size_t length = 0;

    for (; *text != '\0' && length < STEP_MAX / 2; text++)
        if (*text == '*')
            length += write_text(dice, pick_kind(dice, *++text), step + length);
        else
            step[length++] = *text;
    return length;
}

static size_t write_step(struct dice *dice, char step[STEP_MAX])
{
    size_t length = 0;

    if (dice_throw(dice, 5) == 0) {
        length = write_text(dice, pick(dice, events, COUNT(events)), step);
    } else {
        if (dice_throw(dice, 3) == 0)
            step[length++] = '&';
        step[length++] = pick(dice, peers, COUNT(peers))[0];
        length += write_text(dice, pick(dice, lines, COUNT(lines)), step + length);
    }
    step[length++] = '\n';
    return length;
}

/* Returns where a step of the script begins: after a newline, or at the beginning or the end. */
static size_t some_begin(struct dice *dice, const uint8_t *data, size_t size)
{
    size_t at = dice_throw(dice, (unsigned)size + 1);

    while (at > 0 && at < size && data[at - 1] != '\n')
        at++;
    return at;
}

static size_t step_length(const uint8_t *data, size_t size, size_t at)
{
    const uint8_t *end = at < size ? memchr(data + at, '\n', size - at) : NULL;

    return end != NULL ? (size_t)(end - data) + 1 - at : size - at;
}

/* Inserts bytes and returns the new size. */
static size_t put_in(uint8_t *data, size_t size, size_t max_size, size_t at, const char *bytes,
                     size_t length)
{
    if (size + length > max_size)
        return size;
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, bytes, length);
    return size + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct dice dice = {seed};
    char step[STEP_MAX];
    size_t at = some_begin(&dice, data, size), length = step_length(data, size, at);

    switch (dice_throw(&dice, 6)) {
    case 0: /* remove a step */
        memmove(data + at, data + at + length, size - at - length);
        return size > length ? size - length : LLVMFuzzerMutate(data, size, max_size);
    case 1: /* repeat a step elsewhere */
        if (length > sizeof step)
            length = sizeof step;
        memcpy(step, data + at, length);
        return put_in(data, size, max_size, some_begin(&dice, data, size), step, length);
    case 2: /* insert a new one */
    case 3:
        return put_in(data, size, max_size, at, step, write_step(&dice, step));
    default:
        return LLVMFuzzerMutate(data, size, max_size);
    }
}

/* Two peers come under one name, the second by the token of the first or by a device code. */
static size_t write_windows(struct dice *dice, char *script, size_t size)
{
    static const char first[] = "aac", second[] = "bcd";
    unsigned pair = dice_throw(dice, COUNT(first) - 1);
    char own = first[pair], other = second[pair];
    const char *name = own == 'a' ? "anna" : "carl";
    bool by_code = dice_throw(dice, 4) == 0;
    int length = snprintf(script, size, "%c\n%c\n%chello %s\n%chello %s token=$%c\n",
                          own - 'a' + 'A', other - 'a' + 'A', own, name, own, name, own);

    script += length;
    size -= (size_t)length;
    length +=
        by_code ? snprintf(script, size, "%cdevice\n%chello %s device=^%c\n", own, other, name, own)
                : snprintf(script, size, "%chello %s token=$%c\n", other, name, own);
    return (size_t)length;
}

size_t fuzz_make_input(unsigned seed, uint8_t *data, size_t size)
{
    struct dice dice = {seed};
    char *script = (char *)data;
    size_t length = 0;

    if (dice_throw(&dice, 8) == 0)
        length += (size_t)snprintf(script, size, "store\n");
    for (int i = 0; i < SCRIPT_STEPS && size - length > STEP_MAX; i++)
        length += i % WINDOW_STEPS < 2 ? write_windows(&dice, script + length, STEP_MAX)
                                       : write_step(&dice, script + length);
    return length;
}
