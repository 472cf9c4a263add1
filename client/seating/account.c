#include "account.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

/* A value that becomes one word of a command. */
static bool check_word(const char *option, const char *word, size_t max, struct cause *cause)
{
    if (word != NULL && (strlen(word) > max || strpbrk(word, " \t") != NULL))
        return cause_set(cause, "--%s: '%.40s' is not one word of at most %d bytes", option, word,
                         (int)max);
    return true;
}

/* Moves a secret out of the command line, which everybody on this machine may read. */
static void hide_secret(const char **secret, char **copy)
{
    char *shown = (char *)*secret;

    if (shown == NULL)
        return;
    *secret = *copy = xstrdup(shown);
    memset(shown, '*', strlen(shown));
}

bool account_check(struct account *account, struct cause *cause)
{
    hide_secret(&account->token, &account->secrets[0]);
    hide_secret(&account->code, &account->secrets[1]);
    if (!check_word("name", account->name, OWN_NAME_MAX - 1, cause) ||
        !check_word("token", account->token, TOKEN_MAX - 1, cause) ||
        !check_word("code", account->code, HELLO_CODE_MAX - 1, cause))
        return false;
    if (account->token != NULL && account->name == NULL)
        return cause_set(cause, "--token: a token belongs to a name: give --name");
    if (account->token_file != NULL && account->name == NULL)
        return cause_set(cause, "--token-file: a token belongs to a name: give --name");
    account->address = link_address(account->address, account->tls, account->tls_address);
    return true;
}

void account_release(struct account *account)
{
    for (int i = 0; i < 2; i++) {
        free(account->secrets[i]);
        account->secrets[i] = NULL;
    }
}

static bool is_token(const char *text)
{
    return text[0] != '\0' && strlen(text) < TOKEN_MAX && strpbrk(text, " \t") == NULL;
}

/* Reads the first line of --token-file. A file that does not exist yet gives "". */
static bool read_token_file(const char *path, char token[TOKEN_MAX], struct cause *cause)
{
    char line[RECORD_MAX] = "";
    FILE *file = fopen(path, "re");

    token[0] = '\0';
    if (file == NULL)
        return errno == ENOENT ||
               cause_set(cause, "--token-file: %.100s: %s", path, strerror(errno));
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    if (read && !is_token(line))
        return cause_set(cause, "--token-file: %.100s: holds no token", path);
    snprintf(token, TOKEN_MAX, "%.*s", TOKEN_MAX - 1, line);
    return true;
}

/* Finds the token that is kept, or "". */
static bool load_token(const struct account *account, char token[TOKEN_MAX], struct cause *cause)
{
    if (account->token_file != NULL)
        return read_token_file(account->token_file, token, cause);
    if (!token_load(account->address, account->name, token))
        token[0] = '\0';
    return true;
}

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from != NULL ? from : "");
}

bool account_set_up(const struct account *account, struct uplink *uplink, const char *program,
                    struct cause *cause)
{
    struct hello *hello = &uplink->hello;

    copy_text(uplink->address, sizeof uplink->address, account->address);
    copy_text(hello->name, sizeof hello->name, account->name);
    copy_text(hello->code, sizeof hello->code, account->code);
    copy_text(hello->token, sizeof hello->token, account->token);
    hello->bot = true;
    hello->program = program;
    uplink->retry_ms = account->retry_s * INT64_C(1000);
    uplink->comes_back = uplink->is_patient = account->name != NULL;
    return account->name == NULL || account->token != NULL ||
           load_token(account, hello->token, cause);
}

bool account_keep(const struct account *account, const struct uplink *uplink, struct cause *cause)
{
    const char *token = uplink->hello.token;
    char kept[TOKEN_MAX];

    if (account->name == NULL || token[0] == '\0' ||
        (load_token(account, kept, cause) && strcmp(kept, token) == 0))
        return true;
    if (account->token_file != NULL) {
        struct safe_file file;
        bool written = safe_file_open(&file, account->token_file);

        if (written) {
            fprintf(file.draft, "%s\n", token);
            written = safe_file_keep(&file);
        }
        return written || cause_set(cause, "%.150s: %s", account->token_file, strerror(errno));
    }
    return token_save(account->address, account->name, token, cause);
}
