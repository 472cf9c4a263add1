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

/* Reads the header; that of a file without entries yet is all 0. Returns false if the file is
 * something else. */
static bool read_header(int descriptor, struct header *header)
{
    static const struct header none;
    struct stat stat;

    *header = (struct header){.bytes = 0};
    if (fstat(descriptor, &stat) != 0)
        return false;
    if (stat.st_size == 0)
        return true;
    if (pread(descriptor, header, sizeof *header, 0) != (ssize_t)sizeof *header)
        return false;
    if (memcmp(header, &none, sizeof none) == 0)
        return true;
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->bytes >= BYTES_LEAST &&
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

/* Takes all of the room on the disk now: where it is full, writing to a page that is mapped would
 * end the program. False with errno. */
static bool take_room(int descriptor, size_t bytes)
{
    errno = posix_fallocate(descriptor, 0, (off_t)bytes);
    return errno == 0;
}

/* Gives back what a file has grown by. Keeps errno. */
static void give_back(int descriptor, size_t bytes)
{
    int error = errno;

    (void)!ftruncate(descriptor, (off_t)bytes);
    errno = error;
}

static bool map(struct table_file *file, int descriptor, size_t old_bytes, size_t bytes)
{
    bool grows = bytes > old_bytes;
    void *memory = MAP_FAILED;

    file->bytes = bytes + HEADER_BYTES;
    if (!grows || take_room(descriptor, file->bytes))
        memory = mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        if (grows)
            give_back(descriptor, old_bytes > 0 ? old_bytes + HEADER_BYTES : 0);
        return false;
    }
    file->memory = memory;
    if (grows)
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
        return refuse(descriptor, path,
                      errno == EWOULDBLOCK ? "another process uses it" : strerror(errno), cause);
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
