#include "hosting.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/qr_code.h"
#include "common/xmalloc.h"

#include "client.h"
#include "client/ludus/lan/host.h"
#include "client/ludus/lan/search.h"

bool hosting_launch(struct client *client, const struct host_terms *terms, struct cause *cause)
{
    if (client->host == NULL)
        client->host = xcalloc(1, sizeof *client->host);
    if (host_start(client->host, terms, cause))
        return true;
    free(client->host);
    client->host = NULL;
    return false;
}

/* Starts the server that the client then goes to. */
static bool start(struct client *client, const struct host_terms *terms)
{
    struct cause cause;

    if (!hosting_launch(client, terms, &cause)) {
        client_fail(client, "host: %s", cause.text);
        return false;
    }
    client_aim(client, client->host->address, client->host->code);
    return true;
}

bool hosting_start(struct client *client, bool new_code)
{
    if (!start(client, &(struct host_terms){.lan = true, .new_code = new_code}))
        return false;
    hosting_tell(client);
    return true;
}

static const struct host_terms private_terms = {.private_store = true};

bool hosting_start_private(struct client *client)
{
    if (!start(client, &private_terms))
        return false;
    if (client->host->borrowed)
        console_say(&client->console, "You play on the private server of your other `ludus`.");
    else
        console_say(&client->console,
                    client->host->keeps
                        ? N_("No server runs on this machine: you play on a private one, which "
                             "keeps your matches for the next time.")
                        : N_("No server runs on this machine: you play on a private one, which "
                             "keeps nothing, as another one of yours runs."));
    return true;
}

bool hosting_find_private(struct client *client)
{
    if (client->host == NULL)
        client->host = xcalloc(1, sizeof *client->host);
    if (host_find(client->host))
        return true;
    free(client->host);
    client->host = NULL;
    return false;
}

enum { END_MS = 3000 }; /* a server that has closed its connections ends by then */

void hosting_replace_private(struct client *client)
{
    if (hosting_is_private(client) && !host_outlives(client->host, END_MS) &&
        start(client, &private_terms))
        servers_init(&client->uplink.servers, client->uplink.address);
}

static bool is_at_own(const struct client *client)
{
    return client->host != NULL && strcmp(client->uplink.address, client->host->address) == 0;
}

bool hosting_is_private(const struct client *client)
{
    return is_at_own(client) && !client->host->terms.lan;
}

const char *hosting_realm(const struct client *client)
{
    if (!is_at_own(client))
        return client->uplink.address;
    if (!client->host->keeps)
        return "unkept";
    return client->host->terms.private_store ? "private" : LINK_DEFAULT_ADDRESS;
}

const char *hosting_command(const struct client *client)
{
    if (!is_at_own(client))
        return NULL;
    return client->host->terms.private_store ? "ludus" : "ludus host";
}

bool hosting_would_help(const struct client *client)
{
    return hosting_invitation(client) == NULL && lan_is_loopback(client->uplink.address);
}

const char *hosting_invitation(const struct client *client)
{
    return is_at_own(client) && client->host->terms.lan ? client->host->invitation : NULL;
}

bool hosting_page(const struct client *client, char page[HOSTING_LINE_MAX])
{
    const struct match_state *view = &client->view;

    if (hosting_invitation(client) == NULL || client->host->page[0] == '\0')
        return false;
    const char *own = client->host->page;
    int before = (int)strcspn(own, "#");
    bool waits = view->match[0] != '\0' && (!view->known || view->status == STATE_OPEN);
    if (waits && own[before] != '\0') /* the code, which browsers send to nobody */
        snprintf(page, HOSTING_LINE_MAX, "%.*s#/m/%s&%s", before, own, view->match,
                 own + before + 1);
    else if (waits) /* of this page chats show more */
        snprintf(page, HOSTING_LINE_MAX, "%sm/%s", own, view->match);
    else
        snprintf(page, HOSTING_LINE_MAX, "%s", own);
    return true;
}

void hosting_print_code(const struct client *client)
{
    char page[HOSTING_LINE_MAX];
    struct qr_code code;

    if (!client->no_qr && client->console.color && hosting_page(client, page) &&
        qr_code_make(&code, page))
        qr_code_print(&code, stdout, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
}

const char *hosting_write_join(const struct client *client, char line[HOSTING_LINE_MAX])
{
    const char *invitation = hosting_invitation(client), *code = client->uplink.hello.code;
    bool usual = strcmp(client->uplink.address, LINK_DEFAULT_ADDRESS) == 0;

    if (invitation != NULL) {
        snprintf(line, HOSTING_LINE_MAX, "%s", invitation);
        return client->host->on_network ? _("Your friend types")
                                        : _("No network here; in another terminal, type");
    }
    snprintf(line, HOSTING_LINE_MAX, "ludus%s%s%s%s --join %s", usual ? "" : " --connect ",
             usual ? "" : client->uplink.address, code[0] != '\0' ? " --code " : "", code,
             client->view.match);
    return _("Waiting for an opponent, who types");
}

/* In full screen this is one line, too, which must not be broken. */
void hosting_tell(struct client *client)
{
    const char *invitation = hosting_invitation(client);
    char line[HOST_INVITATION_MAX + 4], page[HOSTING_LINE_MAX];

    if (invitation == NULL)
        return;
    console_say(
        &client->console, "%s",
        client->host->on_network
            ? _("Your friend types this, or just `ludus join` and then the code:")
            : _("No network here, so friends cannot reach you. In another terminal, type:"));
    snprintf(line, sizeof line, "  %s\n", invitation);
    console_text(&client->console, line);
    if (hosting_page(client, page))
        console_say(&client->console, "Or they open this in a browser: %s", page);
}

void hosting_warn(struct client *client)
{
    if (hosting_invitation(client) != NULL && !client->host->keeps)
        console_say(&client->console, "Your store is in use by another server: nothing from this "
                                      "evening will be kept.");
}

bool hosting_ends_friend(const struct client *client)
{
    if (hosting_invitation(client) == NULL)
        return false;
    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].match[0] != '\0' && client->sittings[i].with_person)
            return true;
    return false;
}

const char *hosting_question(const struct client *client)
{
    return client->host->keeps
               ? _("Your friend is still connected. Stop the server? The match is saved.")
               : _("Your friend is still connected. Stop the server? The match is lost then.");
}

void hosting_interrupted(struct client *client)
{
    if (hosting_ends_friend(client))
        client_ask_to_quit(client);
}

/* Nobody but the player has seen a private server: only matches left there are worth a line. */
static void tell_end(const struct client *client)
{
    bool matches = is_at_own(client) && sitting_count(client) > 0;

    if (client->host->terms.lan)
        fputs(_("The server has ended. "), stdout);
    if (!client->host->keeps && (matches || client->host->terms.lan))
        puts(_("Nothing from this evening is kept."));
    else if (matches)
        printf(_("Unfinished matches are kept for the next `%s`.\n"), hosting_command(client));
    else if (client->host->terms.lan)
        puts("");
}

void hosting_end(struct client *client)
{
    if (client->host == NULL)
        return;
    host_stop(client->host);
    tell_end(client);
    free(client->host);
    client->host = NULL;
}
