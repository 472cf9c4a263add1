/*
 * Memory that is always there: these functions never return NULL. When there is no memory left,
 * they end the program: one line "PROGRAM: out of memory" on standard error, exit status 1.
 *
 * Call free() for what they return. Never pass a size that a peer chose without checking it
 * against a limit first: an enormous size ends the program.
 */
#ifndef LUDUS_XMALLOC_H
#define LUDUS_XMALLOC_H

#include <stddef.h>

/* Allocates at least one byte, even for size 0. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));

/* Allocates an array of zero bytes. A product that overflows counts as exhaustion. */
void *xcalloc(size_t count, size_t size)
    __attribute__((malloc, returns_nonnull, warn_unused_result));

/* Resize what these functions returned, or allocate if `old` is NULL. The old pointer is invalid
 * afterwards. Size 0 leaves one byte; it does not free. */
void *xrealloc(void *old, size_t size) __attribute__((returns_nonnull, warn_unused_result));
void *xreallocarray(void *old, size_t count, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));

/* Allocators for libraries that hand the place in their sources on, as OpenSSL does. Size 0 frees.
 */
void *xmalloc_at(size_t size, const char *file, int line) __attribute__((malloc, returns_nonnull));
void *xrealloc_at(void *old, size_t size, const char *file, int line);
void xfree_at(void *memory, const char *file, int line);

/* Copies a text, which must not be NULL. */
char *xstrdup(const char *text)
    __attribute__((malloc, nonnull, returns_nonnull, warn_unused_result));

/* Copies at most `bytes` bytes of a text. */
char *xstrndup(const char *text, size_t bytes)
    __attribute__((malloc, nonnull, returns_nonnull, warn_unused_result));

/* Ends the program as these functions do: for libraries that say that there is no memory left. */
_Noreturn void xmalloc_end(void);

/* Sets a function that reports the exhaustion in place of the line on standard error. It must not
 * allocate. The program ends when it returns. */
void xmalloc_set_report(void (*report)(void));

/* Writes the line to standard error: the report unless another is set. */
void xmalloc_report(void);

#endif
