/*
 * The account of a bot at a server: where it is, the name, the join code and the token that proves
 * the name. For the programs that seat bots, ludus-bot and ludus-bridge.
 *
 * The token is kept as the terminal client keeps its own (identity.h), or in the file of
 * --token-file. A token of the command line counts first, and is kept, too.
 */
#ifndef LUDUS_ACCOUNT_H
#define LUDUS_ACCOUNT_H

#include "client/link/uplink.h"
#include "common/usage.h"

enum { ACCOUNT_RETRY_MAX_S = 1000000 };

/* Texts are NULL unless given, and borrowed. */
struct account {
    const char *address, *name, *token, *token_file, *code;
    const char *config; /* the file that options were read from; NULL: none */
    long retry_s;       /* how long to try to connect, the first time or again */
    bool tls;
    char tls_address[LINK_ADDRESS_MAX]; /* what `address` points to with --tls */
    char *secrets[2];                   /* owned: what token and code point to */
};

/* The rows of the options, for a struct with a member `account`. */
#define ACCOUNT_ROWS(type)                                                                         \
    {OPTION("token", "TOKEN", "the token of the name, to come back to it"),                        \
     TO_WORD(type, account.token)},                                                                \
        {OPTION("token-file", "FILE", "keep the token in FILE, instead of where ludus keeps its"), \
         TO_WORD(type, account.token_file), .path = true},                                         \
        {OPTION("tls", NULL, "use TLS, as with --connect tls://HOST:PORT"),                        \
         TO_FLAG(type, account.tls)},                                                              \
        {OPTION("code", "CODE", "the join code, if the server requires one"),                      \
         TO_WORD(type, account.code)},                                                             \
        {OPTION("retry", "SECONDS", "how long to try to connect, and to reconnect"),               \
         TO_NUMBER(type, account.retry_s, 0, ACCOUNT_RETRY_MAX_S), .standard = "300"},             \
    {                                                                                              \
        OPTION("config", "FILE", "read options from FILE first: lines `name = value`"),            \
            TO_WORD(type, account.config), .path = true, .config = true                            \
    }

/* Checks the options, completes the address, and hides token and code from `ps`: from now on the
 * account owns copies, for account_release(). False with the cause, which names the option. */
bool account_check(struct account *account, struct cause *cause);

void account_release(struct account *account);

/* Sets a zeroed uplink up to log in as `program`, with the token that is kept. A guest, who has no
 * name, does not come back. False with the cause if the token's file cannot be read. */
bool account_set_up(const struct account *account, struct uplink *uplink, const char *program,
                    struct cause *cause);

/* Keeps the token after a login unless it is kept already. False with the cause. */
bool account_keep(const struct account *account, const struct uplink *uplink, struct cause *cause);

#endif
