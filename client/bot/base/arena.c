#include "arena.h"

#include <assert.h>
#include <sys/mman.h>

bool arena_map(struct arena *arena, size_t bytes, bool huge_pages)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return false;
    /* The system may ignore this; then reads are a little slower. */
    if (huge_pages)
        madvise(memory, bytes, MADV_HUGEPAGE);
    *arena = (struct arena){.memory = memory, .bytes = bytes};
    return true;
}

void *arena_take(struct arena *arena, size_t count, size_t bytes_each)
{
    void *piece = arena->memory + arena->taken;

    arena->taken += (count * bytes_each + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    assert(arena->taken <= arena->bytes);
    return piece;
}

void arena_unmap(struct arena *arena)
{
    if (arena->memory != NULL)
        munmap(arena->memory, arena->bytes);
    *arena = (struct arena){.memory = NULL};
}
