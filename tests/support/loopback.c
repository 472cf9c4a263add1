#include "loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

void loopback_accept(struct loopback *wire)
{
    char line = '\0';

    if (wire->peer >= 0)
        close(wire->peer);
    wire->peer = accept(wire->listener, NULL, NULL);
    CHECK(recv(wire->peer, &line, 1, 0) == 1 && line == '\n');
}

int loopback_listen(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 &&
          listen(listener, 1) == 0 &&
          getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    *port = ntohs(address.sin_port);
    return listener;
}

void loopback_open(struct loopback *wire, const char *name)
{
    *wire = (struct loopback){.peer = -1, .now_ms = LOOPBACK_START_MS};
    int port;
    wire->listener = loopback_listen(&port);
    struct uplink *uplink = &wire->uplink;
    uplink->comes_back = true;
    uplink->retry_ms = 60000;
    uplink->hello.bot = true;
    snprintf(uplink->hello.name, sizeof uplink->hello.name, "%s", name);
    snprintf(uplink->address, sizeof uplink->address, "127.0.0.1:%d", port);
    uplink_open(uplink, wire->now_ms);
    uplink_tick(uplink, wire->now_ms);
    CHECK_INT(uplink->stage, UPLINK_CONNECTED);
    loopback_accept(wire);
}

void loopback_close(struct loopback *wire)
{
    cJSON_Delete(wire->message);
    uplink_close(&wire->uplink);
    if (wire->peer >= 0)
        close(wire->peer);
    if (wire->listener >= 0)
        close(wire->listener);
}

enum uplink_event loopback_next(struct loopback *wire)
{
    cJSON_Delete(wire->message);
    return uplink_next(&wire->uplink, wire->now_ms, &wire->message);
}

enum uplink_event loopback_say(struct loopback *wire, const char *line)
{
    CHECK(send(wire->peer, line, strlen(line), 0) > 0 && send(wire->peer, "\n", 1, 0) == 1);
    /* When the newline has come, both pieces have. */
    do
        uplink_receive(&wire->uplink, wire->now_ms);
    while (wire->uplink.link.used > 0 &&
           wire->uplink.link.buffer[wire->uplink.link.used - 1] != '\n');
    return loopback_next(wire);
}

void loopback_hear_at(const char *file, int line_number, struct loopback *wire, const char *want)
{
    char line[1100] = "";

    for (size_t i = 0; i < sizeof line - 1; i++) {
        if (recv(wire->peer, &line[i], 1, MSG_DONTWAIT) != 1 || line[i] == '\n') {
            line[i] = '\0';
            break;
        }
    }
    check_text_at(file, line_number, "line", line, want);
}

enum uplink_event loopback_hang_up(struct loopback *wire)
{
    close(wire->peer);
    wire->peer = -1;
    uplink_receive(&wire->uplink, wire->now_ms);
    return loopback_next(wire);
}

void loopback_pass_time(struct loopback *wire)
{
    wire->now_ms = uplink_due_ms(&wire->uplink);
    uplink_tick(&wire->uplink, wire->now_ms);
}
