#include "json_memory.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct json_memory {
    bool failed;
    size_t used; /* bytes of the reserve; all are free again once none is in use */
    int in_use;  /* pieces of it */
    _Alignas(max_align_t) char reserve[JSON_RESERVE_BYTES];
};

/* Here, because cJSON hands its hooks no context. */
static struct json_memory *the_memory(void)
{
    static struct json_memory memory;

    return &memory;
}

static void *take_of_reserve(struct json_memory *memory, size_t size)
{
    size_t room = sizeof memory->reserve - memory->used, unit = sizeof(max_align_t);

    if (size > room || (size + unit - 1) / unit * unit > room) {
        memory->failed = true;
        return NULL;
    }
    char *piece = memory->reserve + memory->used;
    memory->used += (size + unit - 1) / unit * unit;
    memory->in_use++;
    return piece;
}

static void *take(size_t size)
{
    void *piece = malloc(size);

    if (piece == NULL)
        piece = take_of_reserve(the_memory(), size);
    return piece;
}

static void give_back(void *piece)
{
    struct json_memory *memory = the_memory();
    uintptr_t begin = (uintptr_t)memory->reserve, at = (uintptr_t)piece;

    if (at < begin || at >= begin + sizeof memory->reserve)
        free(piece);
    else if (--memory->in_use == 0)
        memory->used = 0;
}

void json_memory_watch(void)
{
    cJSON_Hooks hooks = {.malloc_fn = take, .free_fn = give_back};

    cJSON_InitHooks(&hooks);
}

void json_memory_begin(void)
{
    the_memory()->failed = false;
}

bool json_memory_failed(void)
{
    return the_memory()->failed;
}
