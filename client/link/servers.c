#include "servers.h"

#include <stdio.h>
#include <string.h>

#include "json_read.h"

/* HOST:PORT without a scheme, which only the user chooses. */
static bool is_address(const char *text)
{
    const char *colon = strrchr(text, ':');
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] >= 0x7f || text[i] == '/')
            return false;
    return colon != NULL && colon > text && colon[1] != '\0' &&
           strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
           length + LINK_TLS_PREFIX_BYTES < SERVER_TEXT_MAX;
}

/* The place of an address among all; 0 for one that is not there. */
static int find(const struct servers *servers, const char *address)
{
    for (int i = 0; i < servers->count; i++)
        if (strcmp(servers->others[i], address) == 0)
            return i + 1;
    return 0;
}

static void add(struct servers *servers, const char *home, const char *text)
{
    char space[LINK_ADDRESS_MAX];
    const char *address = link_address(text, link_has_tls(home), space);

    if (strcmp(address, home) != 0 && find(servers, address) == 0)
        snprintf(servers->others[servers->count++], SERVER_TEXT_MAX, "%s", address);
}

void servers_take(struct servers *servers, const char *home, const cJSON *message)
{
    const cJSON *nodes = json_member(message, "nodes"), *node;

    if (!cJSON_IsArray(nodes))
        return;
    servers->count = 0;
    cJSON_ArrayForEach (node, nodes) {
        if (cJSON_IsString(node) && is_address(node->valuestring) && servers->count < SERVERS_MAX)
            add(servers, home, node->valuestring);
    }
    servers->place = find(servers, servers->at);
}

bool servers_is_home(const struct servers *servers, const char *home)
{
    return strcmp(servers->at, home) == 0;
}

static void turn_to(struct servers *servers, const char *home, int place)
{
    servers->place = place % (servers->count + 1);
    snprintf(servers->at, sizeof servers->at, "%s",
             servers->place == 0 ? home : servers->others[servers->place - 1]);
}

void servers_init(struct servers *servers, const char *home)
{
    servers->count = 0;
    turn_to(servers, home, 0);
}

void servers_leave(struct servers *servers, const char *home, unsigned seed)
{
    if (servers->count > 0)
        turn_to(servers, home, servers->place + 1 + (int)(seed % (unsigned)servers->count));
}

bool servers_next(struct servers *servers, const char *home)
{
    turn_to(servers, home, servers->place + 1);
    return servers->place == 0;
}
