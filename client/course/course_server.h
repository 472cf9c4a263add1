/*
 * The server of a course: a ludusd with the store DIR/server/, which does not outlive this process,
 * and the connection of its director, the player `teacher`. DIR/server/tokens has a line NAME TOKEN
 * for the director and for each student.
 */
#ifndef LUDUS_COURSE_SERVER_H
#define LUDUS_COURSE_SERVER_H

#include <sys/types.h>

#include "client/course/course_folder.h"
#include "client/link/link.h"
#include "common/buffer.h"

struct course_server {
    const char *dir; /* borrowed */
    pid_t pid;       /* 0: none */
    int output;
    int port;
    char address[LINK_ADDRESS_MAX]; /* as seen from this machine */
    struct link director;
    int asked; /* requests so far */
};

/* Starts the ludusd next to this program, or else the one in PATH, waits until it is ready, gets a
 * token for everybody who has none, and logs the director in. False with the cause; either way
 * course_server_stop() must follow. */
bool course_server_start(struct course_server *server, const struct course_folder *course,
                         struct cause *cause);
void course_server_stop(struct course_server *server);

/* Whether there is a token for everybody. */
bool course_server_knows(const struct course_server *server, const struct course_folder *course);

/* The token of a player; "" if there is none. */
void course_token(const struct course_server *server, const char *name, char token[TOKEN_MAX]);

/* Sends a command of the director. Returns the reply, owned by the caller; NULL with the cause,
 * also for a refusal. */
cJSON *course_ask(struct course_server *server, struct cause *cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sends a command as a student. False with the cause. */
bool course_ask_as(const struct course_server *server, const char *name, const char *command,
                   struct cause *cause);

/* Runs `ludus WORDS...` as a guest of the server, and takes what it prints. False with the cause.
 */
bool course_query(const struct course_server *server, char *const words[], struct buffer *output,
                  struct cause *cause);

#endif
