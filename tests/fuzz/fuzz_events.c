/*
 * What a server tells the client: link.c, match_state.c, event.c and what draws it. The first byte
 * is the state of the client: bit 0 a person at a terminal, bit 1 the full screen. The rest comes
 * from the server.
 *
 * The client trusts no server: it always shows text that is safe on a terminal, and sends whole
 * lines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/ludus/cli/script.h"
#include "client/ludus/talk/event.h"
#include "common/text.h"
#include "fuzz.h"

enum { LINE_MAX_BYTES = 1 << 16, SENT_LINE_MAX = 1024 };

struct show {
    struct client client;
    struct front front;
    char line[LINE_MAX_BYTES]; /* the part of the screen's line that is written */
    size_t length;
    int server_fd; /* the other end of the connection */
};

/* Text comes in pieces; each complete line must be clean. */
static void put_text(void *context, const char *text)
{
    struct show *show = context;

    for (; *text != '\0'; text++) {
        if (*text != '\n') {
            REQUIRE(show->length < LINE_MAX_BYTES, "an endless line");
            show->line[show->length++] = *text;
            continue;
        }
        REQUIRE(utf8_is_clean(show->line, show->length), "this is shown: %.*s", (int)show->length,
                show->line);
        show->length = 0;
    }
}

static void draw(struct client *client)
{
    draw_match(&client->console, &client->view, 0);
}

static void put_view(void *context, const struct match_state *before)
{
    struct show *show = context;

    (void)before;
    draw(&show->client);
}

static void put_heard(void *context, const char *match, const char *from, const char *text)
{
    (void)context;
    REQUIRE(utf8_is_clean(match, strlen(match)), "a match: %s", match);
    REQUIRE(utf8_is_clean(from, strlen(from)) && utf8_is_clean(text, strlen(text)),
            "this is kept: %s %s", from, text);
}

static void open_show(struct show *show, uint8_t how)
{
    static const struct client_handlers handlers = {.draw = draw};
    int fds[2];

    memset(show, 0, sizeof *show);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) != 0)
        abort();
    show->server_fd = fds[1];
    show->front =
        (struct front){.context = show, .text = put_text, .heard = put_heard, .show = put_view};
    show->client = (struct client){.handlers = &handlers};
    show->client.uplink = (struct uplink){
        .address = "localhost:7117", .link.fd = fds[0], .stage = UPLINK_IN, .was_in = true};
    show->client.console = (struct console){.input = &show->client.input, .front = &show->front};
    show->client.input.mode = how & 1 ? INPUT_TYPED : INPUT_READ;
    show->client.front = how & 2 ? &show->front : NULL;
    client_show(&show->client, "1");
}

static void close_show(struct show *show)
{
    uplink_close(&show->client.uplink);
    close(show->server_fd);
}

/* Requires that the client has sent lines that a server would accept. */
static void check_sent(const struct show *show)
{
    char sent[8192];
    ssize_t length = recv(show->server_fd, sent, sizeof sent, MSG_DONTWAIT);

    for (char *line = sent; length > 0 && line < sent + length;) {
        char *end = memchr(line, '\n', (size_t)(sent + length - line));
        REQUIRE(end != NULL && end - line < SENT_LINE_MAX, "no line is sent");
        REQUIRE(utf8_is_clean(line, (size_t)(end - line)), "this is sent: %.*s", (int)(end - line),
                line);
        line = end + 1;
    }
}

static void receive(struct show *show, const uint8_t *data, size_t size)
{
    struct link *link = &show->client.uplink.link;

    link->buffer = malloc(size > 0 ? size : 1);
    if (link->buffer == NULL)
        abort();
    if (size > 0)
        memcpy(link->buffer, data, size);
    link->used = link->size = size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct show show;
    cJSON *message;

    if (size == 0)
        return 0;
    open_show(&show, data[0]);
    receive(&show, data + 1, size - 1);
    while (uplink_next(&show.client.uplink, 0, &message) == UPLINK_MESSAGE) {
        show.client.looks_again = (data[0] & 4) != 0; /* says everything, as after coming back */
        event_handle(&show.client, message);
        event_tell_claim(&show.client);
        check_sent(&show);
        cJSON_Delete(message);
    }
    close_show(&show);
    return 0;
}
