/*
 * A descriptor that goes with a message from one process to another.
 */
#ifndef LUDUS_FD_PASS_H
#define LUDUS_FD_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Sends bytes by a socket of two processes, with a descriptor unless that is -1. False with errno.
 */
bool fd_send(int socket, const void *bytes, size_t size, int fd);

/* Receives up to `size` bytes without waiting, and returns their number as recv() does. *fd is the
 * descriptor that came with them, which the caller owns, or -1. */
ssize_t fd_receive(int socket, void *bytes, size_t size, int *fd);

#endif
