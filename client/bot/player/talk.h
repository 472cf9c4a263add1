/*
 * What a bot and a server say to each other: which message is answered by which command. The
 * server is not trusted: what makes no sense is passed over.
 */
#ifndef LUDUS_BOT_TALK_H
#define LUDUS_BOT_TALK_H

#include "client/link/link.h"
#include "socket.h"
#include "turns.h"

/* How a conversation ended. */
enum ending { GOES_ON, DONE, FAILED, LOST };

struct bot {
    const struct socket_options *options;
    struct link link;
    enum ending ending;
    bool greeted, welcomed; /* the server has said hello, and has let the bot in */
    bool pinged; /* the server was asked whether it is there, and has said nothing since */
    bool known;  /* ... on this connection or one before */
    bool joined; /* the match of --join */
    int64_t heard_ms;
    char name[64];
    char token[64]; /* "" as long as there is none */
    struct turns turns;
};

/* Obeys one message. */
void talk_handle(struct bot *bot, const cJSON *message);

/* Sends the move that was thought of, if it is still wanted. */
void talk_move(struct bot *bot);

/* Sends a line to the server. */
void talk_tell(struct bot *bot, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a line for people, unless the bot is quiet. */
void talk_print(const struct bot *bot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints an error and ends the conversation. Nothing the server says reaches the terminal
 * unchecked; this and talk_print() see to that. */
void talk_fail(struct bot *bot, const char *what, const char *why);

#endif
