#include "reload.h"

#include <stdio.h>
#include <string.h>

#include "server/play/lifecycle.h"

/* Returns why a change needs a restart, or NULL. */
static const char *reload_obstacle(const struct server_options *options,
                                   const struct server_options *wanted,
                                   const struct option_row *row)
{
    bool is_code = strcmp(row->name, "code") == 0;

    if (!row->live)
        return "needs a restart";
    /* A configuration without a code may mean a random one, or none. */
    if (is_code && (wanted->code[0] == '\0' || wanted->open))
        return "removing the join code needs a restart";
    if (is_code && options->open)
        return "adding a join code to an open server needs a restart";
    return NULL;
}

/* Returns whether the option has changed. */
static bool apply_option(struct server_options *options, const struct server_options *wanted,
                         const struct option_row *row)
{
    char from[OPTION_VALUE_MAX], to[OPTION_VALUE_MAX];
    struct cause cause;

    server_option_value(options, row, from);
    server_option_value(wanted, row, to);
    if (strcmp(from, to) == 0)
        return false;
    const char *why_not = reload_obstacle(options, wanted, row);
    if (why_not == NULL)
        option_set(row, options, to, SOURCE_FILE, &cause); /* the text of a valid value */
    log_line(why_not == NULL ? LOG_INFO : LOG_WARN, "event=option name=%s from=%s to=%s %s%s",
             row->name, row->secret ? "hidden" : log_quote(from).text,
             row->secret ? "hidden" : log_quote(to).text,
             why_not == NULL ? "changed=yes" : "changed=no why=",
             why_not == NULL ? "" : log_quote(why_not).text);
    return why_not == NULL;
}

void reload_apply(struct server *server, struct server_options *options,
                  const struct server_options *wanted)
{
    int changed = 0;

    for (const struct option_row *row = server_option_rows; row->name != NULL; row++)
        changed += !row->hidden && apply_option(options, wanted, row);
    server_set_limits(server, &options->limits);
    if (options->code[0] != '\0' && !options->open)
        snprintf(server->code, sizeof server->code, "%s", options->code);
    log_line(LOG_INFO, "event=reloaded config=%s changed=%d",
             log_quote(options->config[0] != '\0' ? options->config : "none").text, changed);
    log_set_level(options->log_level);
}

void reload(struct server *server, struct server_options *options, int argc, char *argv[])
{
    struct server_options wanted;
    struct cause cause;

    if (options->log[0] != '\0' && !log_to_file(options->log, &cause))
        log_line(LOG_ERROR, "event=log-not-reopened error=%s", log_quote(cause.text).text);
    if (server_options_read(&wanted, argc, argv, options->config, &cause) != OPTIONS_RUN) {
        log_line(LOG_ERROR, "event=not-reloaded error=%s", log_quote(cause.text).text);
        return;
    }
    reload_apply(server, options, &wanted);
}
