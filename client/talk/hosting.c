#include "hosting.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/qr_code.h"
#include "common/xmalloc.h"

#include "client/lan/host.h"
#include "sitting.h"

bool hosting_launch(struct client *client, struct cause *cause)
{
    if (client->host != NULL)
        return true;
    struct host *host = xmalloc(sizeof *host);
    if (!host_start(host, cause)) {
        free(host);
        return false;
    }
    client->host = host;
    return true;
}

bool hosting_start(struct client *client)
{
    struct cause cause;

    if (!hosting_launch(client, &cause)) {
        client_fail(client, "host: %s", cause.text);
        return false;
    }
    client_aim(client, client->host->address, client->host->code);
    hosting_tell(client);
    return true;
}

static bool is_loopback(const char *address)
{
    static const char *const prefixes[] = {"localhost",       "127.",       "[::1]",
                                           "tls://localhost", "tls://127.", "tls://[::1]"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(address, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

bool hosting_would_help(const struct client *client)
{
    return hosting_invitation(client) == NULL && is_loopback(client->uplink.address);
}

const char *hosting_invitation(const struct client *client)
{
    if (client->host == NULL || strcmp(client->uplink.address, client->host->address) != 0)
        return NULL;
    return client->host->invitation;
}

const char *hosting_page(const struct client *client)
{
    return hosting_invitation(client) != NULL && client->host->page[0] != '\0' ? client->host->page
                                                                               : NULL;
}

void hosting_print_code(const struct client *client)
{
    const char *page = hosting_page(client);
    struct qr_code code;

    if (page != NULL && !client->no_qr && client->console.color && qr_code_make(&code, page))
        qr_code_print(&code, stdout, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
}

bool hosting_write_join(const struct client *client, char line[HOSTING_LINE_MAX])
{
    const char *invitation = hosting_invitation(client), *code = client->uplink.hello.code;
    bool usual = strcmp(client->uplink.address, LINK_DEFAULT_ADDRESS) == 0;

    if (invitation != NULL)
        snprintf(line, HOSTING_LINE_MAX, "%s", invitation);
    else
        snprintf(line, HOSTING_LINE_MAX, "ludus%s%s%s%s --join %s", usual ? "" : " --connect ",
                 usual ? "" : client->uplink.address, code[0] != '\0' ? " --code " : "", code,
                 client->view.match);
    return invitation != NULL;
}

/* In full screen this is one line, too, which must not be broken. */
void hosting_tell(struct client *client)
{
    const char *invitation = hosting_invitation(client);
    char line[HOST_INVITATION_MAX + 4];

    if (invitation == NULL)
        return;
    console_say(&client->console, "%s",
                client->host->on_network
                    ? "Your friend types this, or just `ludus join` and the code:"
                    : "This machine is not on a network. From another terminal here, join with:");
    snprintf(line, sizeof line, "  %s\n", invitation);
    console_text(&client->console, line);
    if (hosting_page(client) != NULL)
        console_say(&client->console, "Or they open this in a browser: %s", hosting_page(client));
}

void hosting_warn(struct client *client)
{
    if (hosting_invitation(client) != NULL && !client->host->keeps)
        console_say(&client->console, "Another server of yours has your store: nothing from this "
                                      "evening will be kept.");
}

static bool friend_plays(const struct client *client)
{
    if (hosting_invitation(client) == NULL)
        return false;
    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].match[0] != '\0' && client->sittings[i].with_person)
            return true;
    return false;
}

void hosting_warn_of_end(struct client *client)
{
    if (!input_is_typed(&client->input) || !friend_plays(client))
        return;
    client->warned = true;
    console_say(&client->console, "Quit again to end the server for your friend, too; %s.",
                client->host->keeps ? "the match is kept"
                                    : "nothing from this evening will be kept");
}

bool hosting_may_quit(struct client *client)
{
    if (client->warned)
        return true;
    hosting_warn_of_end(client);
    return !client->warned;
}

void hosting_end(struct client *client)
{
    if (client->host == NULL)
        return;
    host_stop(client->host);
    const char *kept = "";
    if (!client->host->keeps)
        kept = " Nothing from this evening is kept.";
    else if (hosting_invitation(client) != NULL && sitting_count(client) > 0)
        kept = " Unfinished matches are kept for the next `ludus host`.";
    printf("The server has ended.%s\n", kept);
    free(client->host);
    client->host = NULL;
}
