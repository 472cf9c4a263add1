#include "course_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/engine/process.h"
#include "client/engine/server_process.h"
#include "client/link/json_read.h"
#include "course_results.h"
#include "file_tree.h"

enum {
    START_MS = 20000,
    STOP_MS = 10000,
    TRIES = 50, /* while the server of an earlier run, which was killed, still has the store */
    TRY_MS = 200,
    REPLY_MS = 30000,
    OUTPUT_MAX = 512,
    COMMAND_MAX = 900, /* bytes; a number comes before it */
    QUERY_WORDS_MAX = 12
};

static void pause_ms(int ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

    nanosleep(&pause, NULL);
}

/* ---- The process ---- */

/* Waits for the line that says where it listens. */
static bool read_port(struct course_server *server)
{
    struct pollfd output = {.fd = server->output, .events = POLLIN};
    char text[OUTPUT_MAX];
    long port;

    if (poll(&output, 1, START_MS) <= 0)
        return false;
    ssize_t length = read(server->output, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    const char *colon = strrchr(text, ':');
    if (colon == NULL || !number_parse(colon + 1, strlen(colon + 1), 1, 65535, &port))
        return false;
    server->port = (int)port;
    snprintf(server->address, sizeof server->address, "127.0.0.1:%ld", port);
    return true;
}

static int end_server(struct course_server *server)
{
    int status = server_process_end(server->pid, server->output, STOP_MS);

    server->pid = 0;
    return status;
}

static bool start_server(struct course_server *server, const char *listen, struct cause *cause)
{
    char program[PATH_MAX], store[PATH_MAX], log[PATH_MAX];
    const char *const words[] = {program,  "--config", "none",  "--no-bots", "--grace",
                                 "15",     "--drain",  "1",     "--listen",  listen,
                                 "--data", store,      "--log", log,         NULL};
    int status = SERVER_STORE_LOCKED;

    process_find("ludusd", program);
    snprintf(store, sizeof store, "%s/server", server->dir);
    snprintf(log, sizeof log, "%s/server/log", server->dir);
    for (int tries = 0; tries < TRIES && status == SERVER_STORE_LOCKED; tries++) {
        if (tries > 0)
            pause_ms(TRY_MS);
        server->pid = server_process_start(words, NULL, NULL, &server->output, cause);
        if (server->pid == 0)
            return false;
        if (read_port(server))
            return true;
        status = end_server(server);
    }
    return cause_set(cause, "the server does not start: see %.100s/server/log", server->dir);
}

/* ---- Requests ---- */

/* The reply to the last request, past events; NULL when there is none in time. */
static cJSON *read_reply(struct link *link, int asked)
{
    char id[NUMBER_DIGITS_MAX + 1];

    snprintf(id, sizeof id, "%d", asked);
    for (;;) {
        struct pollfd in = {.fd = link->fd, .events = POLLIN};
        cJSON *message = link_next(link);
        if (message != NULL && strcmp(json_text_or(message, "id", ""), id) == 0)
            return message;
        cJSON_Delete(message);
        if (message == NULL && (poll(&in, 1, REPLY_MS) == 0 || !link_read(link)))
            return NULL;
    }
}

static bool send_line(struct link *link, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool send_line(struct link *link, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bool sent = link_vsend(link, format, args);
    va_end(args);
    return sent;
}

/* Sends a command and returns its reply; NULL with the cause, also for a refusal. */
static cJSON *ask(struct link *link, int asked, struct cause *cause, const char *command)
{
    cJSON *reply = send_line(link, "#%d %s", asked, command) ? read_reply(link, asked) : NULL;

    if (reply == NULL) {
        cause_set(cause, "the connection to the server is lost");
    } else if (strcmp(json_text_or(reply, "type", ""), "error") == 0) {
        cause_set(cause, "%s", json_text_or(reply, "message", "the server refuses"));
        cJSON_Delete(reply);
        reply = NULL;
    }
    return reply;
}

cJSON *course_ask(struct course_server *server, struct cause *cause, const char *format, ...)
{
    char command[COMMAND_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return ask(&server->director, ++server->asked, cause, command);
}

/* ---- Tokens ---- */

static void tokens_path(const struct course_server *server, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/server/tokens", server->dir);
}

void course_token(const struct course_server *server, const char *name, char token[TOKEN_MAX])
{
    char path[PATH_MAX], line[OUTPUT_MAX];

    tokens_path(server, path);
    token[0] = '\0';
    FILE *file = fopen(path, "re");
    while (token[0] == '\0' && file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest = line;
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(text_line_word(&rest), name) == 0)
            snprintf(token, TOKEN_MAX, "%s", rest);
    }
    if (file != NULL)
        fclose(file);
}

/* Connects a player, by their token or else, with "", as a new one, whose token it writes. */
static bool log_in(const struct course_server *server, struct link *link, const char *name,
                   char token[TOKEN_MAX], struct cause *cause)
{
    const struct tls_terms terms = {0};
    char command[COMMAND_MAX];
    struct cause why;

    if (!link_connect(link, server->address, &terms, cause))
        return false;
    snprintf(command, sizeof command, "hello %s%s%s", name, token[0] != '\0' ? " token=" : "",
             token);
    cJSON *reply = ask(link, 0, &why, command);
    if (reply == NULL)
        return cause_set(cause, "%s: %s", name, why.text);
    json_copy(token, TOKEN_MAX, reply, "token");
    cJSON_Delete(reply);
    return true;
}

/* ---- New names ----
 *
 * The server tells the token of a new name once. If this process were killed before it has written
 * that, nobody could ever play by the name. So before new names are claimed, the store is copied to
 * DIR/claims/server, and all tokens are written at once; then the copy goes. A copy that is found
 * at a start takes the place of the store, to which nothing but claims has happened since.
 */

static void claims_path(const struct course_server *server, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/claims/%s", server->dir, name);
}

/* Takes the copy away, at once, so that half of it is never found. */
static bool drop_copy(const struct course_server *server, struct cause *cause)
{
    char copy[PATH_MAX], dropped[PATH_MAX];

    claims_path(server, "server", copy);
    claims_path(server, "dropped", dropped);
    file_tree_remove(dropped);
    if (rename(copy, dropped) != 0 && errno != ENOENT)
        return cause_set(cause, "%.150s: %s", copy, strerror(errno));
    claims_path(server, "", dropped);
    file_tree_remove(dropped);
    return true;
}

static bool restore_store(const struct course_server *server, struct cause *cause)
{
    char copy[PATH_MAX], store[PATH_MAX], before[PATH_MAX];

    claims_path(server, "server", copy);
    claims_path(server, "before", before);
    snprintf(store, sizeof store, "%s/server", server->dir);
    return access(copy, F_OK) != 0 || file_tree_replace(copy, store, before, cause);
}

static bool copy_store(const struct course_server *server, struct cause *cause)
{
    char copy[PATH_MAX], fresh[PATH_MAX], store[PATH_MAX];

    claims_path(server, "", fresh);
    if (mkdir(fresh, 0700) != 0 && errno != EEXIST)
        return cause_set(cause, "%.150s: %s", fresh, strerror(errno));
    claims_path(server, "server", copy);
    claims_path(server, "new", fresh);
    snprintf(store, sizeof store, "%s/server", server->dir);
    file_tree_remove(fresh);
    return file_tree_copy(store, fresh, LLONG_MAX, cause) &&
           ((chmod(fresh, 0700) == 0 && rename(fresh, copy) == 0) ||
            cause_set(cause, "%.150s: %s", copy, strerror(errno)));
}

/* Adds the line of a player to those of tokens, unless they have one. */
static bool claim_name(const struct course_server *server, const char *name, struct buffer *lines,
                       struct cause *cause)
{
    struct link link = {.fd = -1};
    char token[TOKEN_MAX];

    course_token(server, name, token);
    bool good = token[0] != '\0' || log_in(server, &link, name, token, cause);
    if (good)
        buffer_printf(lines, "%s %s\n", name, token);
    link_close(&link);
    return good;
}

bool course_server_knows(const struct course_server *server, const struct course_folder *course)
{
    char token[TOKEN_MAX];

    course_token(server, COURSE_DIRECTOR, token);
    for (int i = 0; token[0] != '\0' && i < course->bot_count; i++)
        course_token(server, course->bots[i].name, token);
    return token[0] != '\0';
}

static bool claim_names(const struct course_server *server, const struct course_folder *course,
                        struct cause *cause)
{
    struct buffer lines = {.bytes = NULL};
    char path[PATH_MAX], line[OUTPUT_MAX];

    tokens_path(server, path);
    FILE *from = fopen(path, "re");
    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        char *rest = line, whole[OUTPUT_MAX];
        snprintf(whole, sizeof whole, "%s", line);
        const char *name = text_line_word(&rest);
        if (strcmp(name, COURSE_DIRECTOR) != 0 && course_find_bot(course, name) == NULL)
            buffer_puts(&lines, whole);
    }
    if (from != NULL)
        fclose(from);
    bool good = claim_name(server, COURSE_DIRECTOR, &lines, cause);
    for (int i = 0; good && i < course->bot_count; i++)
        good = claim_name(server, course->bots[i].name, &lines, cause);
    good = good && course_write_file(path, &lines, cause);
    buffer_release(&lines);
    return good;
}

bool course_ask_as(const struct course_server *server, const char *name, const char *command,
                   struct cause *cause)
{
    struct link link = {.fd = -1};
    char token[TOKEN_MAX];
    struct cause why;

    course_token(server, name, token);
    bool good = log_in(server, &link, name, token, cause);
    if (good) {
        cJSON *reply = ask(&link, 1, &why, command);
        good = reply != NULL || cause_set(cause, "%s: %s", name, why.text);
        cJSON_Delete(reply);
    }
    link_close(&link);
    return good;
}

bool course_server_start(struct course_server *server, const struct course_folder *course,
                         struct cause *cause)
{
    char token[TOKEN_MAX], copy[PATH_MAX];
    bool claims;

    *server = (struct course_server){.dir = course->dir, .output = -1, .director.fd = -1};
    claims_path(server, "server", copy);
    claims = access(copy, F_OK) == 0 || !course_server_knows(server, course);
    if (!claims && !drop_copy(server, cause)) /* what an earlier run did not get to */
        return false;
    if (claims) {
        /* No other server has the store once one has started. */
        if (!start_server(server, course->listen, cause))
            return false;
        end_server(server);
        if (!restore_store(server, cause) || !copy_store(server, cause))
            return false;
    }
    if (!start_server(server, course->listen, cause) ||
        (claims && !(claim_names(server, course, cause) && drop_copy(server, cause))))
        return false;
    course_token(server, COURSE_DIRECTOR, token);
    return log_in(server, &server->director, COURSE_DIRECTOR, token, cause);
}

void course_server_stop(struct course_server *server)
{
    link_close(&server->director);
    if (server->pid > 0)
        end_server(server);
}

/* ---- What others print ---- */

_Noreturn static void become_query(const struct course_server *server, char *const words[],
                                   int output)
{
    static char connect[] = "--connect";
    char program[PATH_MAX], address[LINK_ADDRESS_MAX];
    char *all[QUERY_WORDS_MAX];
    int count = 0;

    process_find("ludus", program);
    snprintf(address, sizeof address, "%s", server->address);
    all[count++] = program;
    while (*words != NULL && count < QUERY_WORDS_MAX - 3)
        all[count++] = *words++;
    all[count++] = connect;
    all[count++] = address;
    all[count] = NULL;
    dup2(output, STDOUT_FILENO);
    execvp(program, all);
    _exit(127);
}

bool course_query(const struct course_server *server, char *const words[], struct buffer *output,
                  struct cause *cause)
{
    char bytes[16384];
    int ends[2], status = -1;
    ssize_t length;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return cause_set(cause, "no pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_query(server, words, ends[1]);
    close(ends[1]);
    while ((length = read(ends[0], bytes, sizeof bytes)) > 0 || (length < 0 && errno == EINTR))
        if (length > 0)
            buffer_add(output, bytes, (size_t)length);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return (pid > 0 && status == 0) || cause_set(cause, "ludus %s fails at the server", words[0]);
}
