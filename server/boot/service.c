#include "service.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/ports.h"
#include "common/text.h"
#include "server/base/folder.h"
#include "server/base/log.h"
#include "server/base/tally.h"
#include "server/net/listener.h"

/* Returns the number in an environment variable, or 0. */
static long read_variable(const char *name, long max)
{
    const char *text = getenv(name);
    long number = 0;

    if (text != NULL)
        number_parse(text, strlen(text), 0, max, &number);
    return number;
}

/* Returns whether a variable names this process, or `otherwise` if it is not set. */
static bool is_for_this_process(const char *name, bool otherwise)
{
    return getenv(name) == NULL ? otherwise : read_variable(name, INT32_MAX) == getpid();
}

void service_read(struct service *service)
{
    static const char *const names[] = {"NOTIFY_SOCKET",  "LISTEN_PID",   "LISTEN_FDS",
                                        "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC"};
    const char *notify = getenv("NOTIFY_SOCKET");

    *service = (struct service){.notify = ""};
    if (notify != NULL && (notify[0] == '/' || notify[0] == '@') &&
        strlen(notify) < sizeof service->notify)
        snprintf(service->notify, sizeof service->notify, "%s", notify);
    if (is_for_this_process("LISTEN_PID", false))
        service->listen_count = (int)read_variable("LISTEN_FDS", LISTEN_MAX);
    if (is_for_this_process("WATCHDOG_PID", true))
        service->watchdog_ms = read_variable("WATCHDOG_USEC", LONG_MAX) / 1000;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

bool service_tell(const struct service *service, const char *state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(service->notify);

    if (length == 0)
        return true;
    memcpy(address.sun_path, service->notify, length);
    if (address.sun_path[0] == '@')
        address.sun_path[0] = '\0';
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return false;
    ssize_t sent =
        sendto(descriptor, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(descriptor);
    return sent == (ssize_t)strlen(state);
}

bool service_is_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat output;
    char own[64];

    if (stream == NULL || fstat(STDOUT_FILENO, &output) != 0)
        return false;
    snprintf(own, sizeof own, "%ju:%ju", (uintmax_t)output.st_dev, (uintmax_t)output.st_ino);
    return strcmp(stream, own) == 0;
}

void service_tell_reloading(const struct service *service)
{
    char state[80];

    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, tally_now_us());
    service_tell(service, state);
}

/* Arguments of the functions below. */
struct listening {
    struct listeners *listeners;
    struct listen_addresses *addresses;
    struct ssl_ctx_st *certificate; /* NULL: without TLS */
    bool lan;                       /* on all addresses where none is named */
    struct cause *cause;
};

/* Prints where the server has just begun to listen. */
static void print_latest(const struct listen_addresses *addresses)
{
    bool tls = addresses->list[addresses->count - 1].tls;

    printf("ludusd: %s on %s\n", tls ? "TLS" : "listening",
           addresses->list[addresses->count - 1].bound);
    fflush(stdout);
}

static bool listen_on(const struct listening *to, const char *address)
{
    if (!listeners_add(to->listeners, address, to->certificate, to->addresses, to->cause))
        return false;
    print_latest(to->addresses);
    return true;
}

/* Listens on a port of the default addresses. IPv6 may fail: not every machine has it. */
static bool listen_on_port(const struct listening *to, const char *port)
{
    char ipv4[ADDRESS_TEXT_MAX], ipv6[ADDRESS_TEXT_MAX];

    snprintf(ipv4, sizeof ipv4, "%s:%.8s", to->lan ? "0.0.0.0" : "127.0.0.1", port);
    snprintf(ipv6, sizeof ipv6, "%s:%.8s", to->lan ? "[::]" : "[::1]", port);
    if (!listen_on(to, ipv4))
        return false;
    listen_on(to, ipv6);
    return true;
}

/* Listens without TLS: on the sockets handed over and the addresses named, or else on the default
 * addresses. */
static bool listen_plain(const struct listening *to, const struct server_options *options,
                         int handed_over)
{
    for (int i = 0; i < handed_over; i++) {
        if (!listeners_adopt(to->listeners, SERVICE_FIRST_DESCRIPTOR + i, to->addresses, to->cause))
            return false;
        print_latest(to->addresses);
    }
    for (int i = 0; i < options->listen_count; i++)
        if (!listen_on(to, options->listen[i]))
            return false;
    return options->listen_count > 0 || handed_over > 0 || listen_on_port(to, DEFAULT_PORT_TEXT);
}

bool listen_everywhere(struct listen_addresses *addresses, struct listeners *listeners,
                       const struct server_options *options, struct ssl_ctx_st *certificate,
                       int handed_over, struct cause *cause)
{
    const struct listening plain = {listeners, addresses, NULL, options->lan, cause},
                           tls = {listeners, addresses, certificate, options->lan, cause};

    const char *port = options->tls_port[0] != '\0' ? options->tls_port : DEFAULT_TLS_PORT_TEXT;

    if (!listen_plain(&plain, options, handed_over))
        return false;
    if (certificate == NULL)
        return true;
    return strchr(port, ':') != NULL ? listen_on(&tls, port) : listen_on_port(&tls, port);
}

void listen_for_bots(const struct listen_addresses *addresses, struct house_bots *house)
{
    const char *bound = addresses->list[0].bound, *port = strrchr(bound, ':');

    if (strncmp(bound, "0.0.0.0:", 8) == 0)
        snprintf(house->address, sizeof house->address, "127.0.0.1%s", port);
    else if (strncmp(bound, "[::]:", 5) == 0)
        snprintf(house->address, sizeof house->address, "[::1]%s", port);
    else
        snprintf(house->address, sizeof house->address, "%s", bound);
}

enum { PATH_TEXT_MAX = FOLDER_TEXT_MAX + 32 };

const char join_code_letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

void join_code_make(char code[JOIN_CODE_LETTERS + 1])
{
    for (int i = 0; i < JOIN_CODE_LETTERS; i++)
        code[i] = join_code_letters[randombytes_uniform(sizeof join_code_letters - 1)];
    code[JOIN_CODE_LETTERS] = '\0';
}

/* False when there is no file, or no code in it. */
static bool read_join_code(const char *path, char code[JOIN_CODE_LETTERS + 1])
{
    char text[JOIN_CODE_LETTERS + 3] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;

    if (fd >= 0)
        close(fd);
    if (length != JOIN_CODE_LETTERS + 1 || text[JOIN_CODE_LETTERS] != '\n' ||
        strspn(text, join_code_letters) != JOIN_CODE_LETTERS)
        return false;
    memcpy(code, text, JOIN_CODE_LETTERS);
    code[JOIN_CODE_LETTERS] = '\0';
    return true;
}

/* Puts a new file in the place of the old one. False with errno. */
static bool write_join_code(const char *path, const char *code)
{
    char draft[PATH_TEXT_MAX];

    snprintf(draft, sizeof draft, "%.*s.new", FOLDER_TEXT_MAX + 16, path);
    int fd = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool written = dprintf(fd, "%s\n", code) == JOIN_CODE_LETTERS + 1;
    return close(fd) == 0 && written && rename(draft, path) == 0;
}

void join_code_keep(const char *folder, bool replace, char code[JOIN_CODE_LETTERS + 1])
{
    char path[PATH_TEXT_MAX];

    snprintf(path, sizeof path, "%.*s/join-code", FOLDER_TEXT_MAX, folder);
    if (folder[0] != '\0' && !replace && read_join_code(path, code))
        return;
    join_code_make(code);
    if (folder[0] != '\0' && !write_join_code(path, code))
        log_line(LOG_WARN, "event=code-not-kept file=%s error=%s", log_quote(path).text,
                 log_quote(strerror(errno)).text);
}
