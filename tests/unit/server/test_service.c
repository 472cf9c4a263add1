/* The interface to the service manager: sockets passed by the environment, and notifications. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "server/boot/server_options.h"
#include "server/boot/service.h"

static const char *const names[] = {"NOTIFY_SOCKET",  "LISTEN_PID",   "LISTEN_FDS",
                                    "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC"};

static char longest[108]; /* one byte too long for a name */

/* Values in the order of names[]; NULL: not set; "me": the id of this process. */
static void test_environment(void)
{
    static const struct {
        const char *title, *values[LENGTH(names)];
        const char *notify;
        int listen_count;
        int64_t watchdog_ms;
    } rows[] = {
        {"nothing", {NULL}, "", 0, 0},
        {"all", {"/run/x", "me", "2", "a:b", "me", "3000000"}, "/run/x", 2, 3000},
        {"an abstract name", {"@x"}, "@x", 0, 0},
        {"a name of another kind", {"vsock:2:1"}, "", 0, 0},
        {"a relative name", {"run/x"}, "", 0, 0},
        {"no name", {""}, "", 0, 0},
        {"a name that is too long", {longest}, "", 0, 0},
        {"sockets for nobody in particular", {NULL, NULL, "2"}, "", 0, 0},
        {"sockets for another process", {NULL, "1", "2"}, "", 0, 0},
        {"sockets for no process", {NULL, "x", "2"}, "", 0, 0},
        {"no number of sockets", {NULL, "me", NULL}, "", 0, 0},
        {"more sockets than there may be", {NULL, "me", "17"}, "", 0, 0},
        {"as many as there may be", {NULL, "me", "16"}, "", LISTEN_MAX, 0},
        {"a watchdog for everybody", {NULL, NULL, NULL, NULL, NULL, "1000"}, "", 0, 1},
        {"a watchdog for another process", {NULL, NULL, NULL, NULL, "1", "1000"}, "", 0, 0},
        {"a watchdog without sense", {NULL, NULL, NULL, NULL, NULL, "-1"}, "", 0, 0},
    };
    char me[24];
    struct service service;

    snprintf(me, sizeof me, "%d", (int)getpid());
    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s", rows[i].title);
        for (size_t j = 0; j < LENGTH(names); j++) {
            const char *value = rows[i].values[j];
            unsetenv(names[j]);
            if (value != NULL)
                setenv(names[j], strcmp(value, "me") == 0 ? me : value, 1);
        }
        service_read(&service);
        CHECK_TEXT(service.notify, rows[i].notify);
        CHECK_INT(service.listen_count, rows[i].listen_count);
        CHECK_INT(service.watchdog_ms, rows[i].watchdog_ms);
        for (size_t j = 0; j < LENGTH(names); j++)
            CHECK_TEXT(getenv(names[j]), NULL);
    }
}

static void test_tell(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct service service = {.notify = ""};
    char got[64] = "";

    check_about("no listener, or no longer one");
    CHECK(service_tell(&service, "READY=1"));
    snprintf(service.notify, sizeof service.notify, "/nonexistent/socket");
    CHECK(!service_tell(&service, "READY=1"));

    check_about("an abstract name");
    int length = snprintf(service.notify, sizeof service.notify, "@ludus-test-%d", (int)getpid());
    memcpy(address.sun_path + 1, service.notify + 1, (size_t)length - 1);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    CHECK(bind(fd, (struct sockaddr *)&address,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length)) == 0);
    CHECK(service_tell(&service, "READY=1"));
    CHECK_INT(recv(fd, got, sizeof got - 1, MSG_DONTWAIT), strlen("READY=1"));
    CHECK_TEXT(got, "READY=1");
    service_tell_reloading(&service);
    CHECK(recv(fd, got, sizeof got - 1, MSG_DONTWAIT) > 0);
    CHECK_THAT(strncmp(got, "RELOADING=1\nMONOTONIC_USEC=", 27) == 0, "%s", got);
    close(fd);
}

int main(void)
{
    memset(longest, '/', sizeof longest);
    test_environment();
    test_tell();
    return check_end("test_service");
}
