#include "clobber_table_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first page of the file; entries follow it. The number changes whenever keys or entries do. */
struct header {
    char magic[24];
    uint64_t bytes; /* of the entries: a power of two */
};

enum { HEADER_BYTES = 4096, BYTES_LEAST = 4096 };

static const char magic[24] = "ludus clobber table 2\n";

static bool refuse(int descriptor, const char *path, const char *why, struct cause *cause)
{
    cause_set(cause, "%s: %s", path, why);
    close(descriptor);
    return false;
}

/* Reads the header; that of an empty file is all 0. Returns false if the file is something else. */
static bool read_header(int descriptor, struct header *header)
{
    struct stat stat;

    *header = (struct header){.bytes = 0};
    if (fstat(descriptor, &stat) != 0)
        return false;
    if (stat.st_size == 0)
        return true;
    return pread(descriptor, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
           memcmp(header->magic, magic, sizeof magic) == 0 && header->bytes >= BYTES_LEAST &&
           (header->bytes & (header->bytes - 1)) == 0 &&
           (uint64_t)stat.st_size >= header->bytes + HEADER_BYTES;
}

/* A bucket of the larger table is one of the smaller table, or its copy: an entry does not tell
 * which of them is its own. The header says so last, so that it never promises too much. */
static void grow(unsigned char *memory, size_t old_bytes, size_t bytes)
{
    struct header header = {.bytes = bytes};

    memcpy(header.magic, magic, sizeof magic);
    for (size_t at = old_bytes; old_bytes > 0 && at < bytes; at += old_bytes)
        memcpy(memory + HEADER_BYTES + at, memory + HEADER_BYTES, old_bytes);
    memcpy(memory, &header, sizeof header);
}

static bool map(struct table_file *file, int descriptor, size_t old_bytes, size_t bytes)
{
    file->bytes = bytes + HEADER_BYTES;
    if (bytes > old_bytes && ftruncate(descriptor, (off_t)file->bytes) != 0)
        return false;
    void *memory = mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return false;
    file->memory = memory;
    if (bytes > old_bytes)
        grow(file->memory, old_bytes, bytes);
    return true;
}

bool table_file_open(struct table_file *file, const char *path, size_t bytes, struct table *table,
                     struct cause *cause)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    size_t wanted = BYTES_LEAST;
    struct header header;

    if (descriptor < 0)
        return cause_set(cause, "%s: %s", path, strerror(errno));
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return refuse(descriptor, path, "another process uses it", cause);
    if (!read_header(descriptor, &header))
        return refuse(descriptor, path, "not a table of this version", cause);
    while (wanted * 2 <= bytes)
        wanted *= 2;
    wanted = header.bytes > wanted ? header.bytes : wanted;
    if (!map(file, descriptor, header.bytes, wanted))
        return refuse(descriptor, path, strerror(errno), cause);
    file->descriptor = descriptor;
    *table = table_at((unsigned char *)file->memory + HEADER_BYTES, wanted);
    return true;
}

void table_file_close(struct table_file *file)
{
    if (file->memory == NULL)
        return;
    munmap(file->memory, file->bytes);
    close(file->descriptor);
    *file = (struct table_file){.memory = NULL};
}
