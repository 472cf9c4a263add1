#include "memory_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Makes room for so many bytes more, and a NUL. */
static bool reserve(struct memory_file *memory, size_t more)
{
    size_t needed = memory->length + more + 1, capacity = 2 * memory->capacity + 1024;

    if (needed <= memory->capacity)
        return true;
    if (capacity < needed)
        capacity = needed;
    char *text = realloc(memory->text, capacity);
    if (text == NULL)
        return false;
    memory->text = text;
    memory->capacity = capacity;
    return true;
}

static ssize_t append(void *cookie, const char *bytes, size_t count)
{
    struct memory_file *memory = cookie;

    if (memory->failed || !reserve(memory, count)) {
        memory->failed = true;
        return 0;
    }
    memcpy(memory->text + memory->length, bytes, count);
    memory->length += count;
    return (ssize_t)count;
}

FILE *memory_file_open(struct memory_file *memory)
{
    const cookie_io_functions_t functions = {.write = append};

    memory->text = NULL;
    memory->length = memory->capacity = 0;
    memory->failed = false;
    memory->file = fopencookie(memory, "w", functions);
    if (memory->file != NULL)
        setvbuf(memory->file, memory->buffer, _IOFBF, sizeof memory->buffer);
    return memory->file;
}

char *memory_file_close(struct memory_file *memory, size_t *length)
{
    bool good = fclose(memory->file) == 0 && !memory->failed && reserve(memory, 0);

    if (!good) {
        free(memory->text);
        return NULL;
    }
    memory->text[memory->length] = '\0';
    if (length != NULL)
        *length = memory->length;
    return memory->text;
}
