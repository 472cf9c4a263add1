#include "big_table.h"

#include <sys/mman.h>

void *big_table_new(size_t count, size_t bytes_each, bool huge_pages)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, bytes_each, &bytes) || bytes == 0)
        return NULL;
    void *table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED)
        return NULL;
    /* Works as well if this is refused, a little slower. */
    if (huge_pages)
        madvise(table, bytes, MADV_HUGEPAGE);
    return table;
}

void big_table_free(void *table, size_t count, size_t bytes_each)
{
    if (table != NULL)
        munmap(table, count * bytes_each);
}
