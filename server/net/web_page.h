/* The files of the page for browsers, packed into the program by server/web_page.py. */
#ifndef LUDUS_WEB_PAGE_H
#define LUDUS_WEB_PAGE_H

#include <stddef.h>

struct page_file {
    const char *path, *type; /* on the server, and of its contents */
    const char *tag;         /* identifies the contents */
    const unsigned char *plain;
    size_t plain_size;
    const unsigned char *packed; /* by gzip; of size 0 where that would be no smaller */
    size_t packed_size;
};

/* Ends with a row without a path. */
extern const struct page_file page_files[];

#endif
