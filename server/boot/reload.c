#include "reload.h"

#include <stdio.h>
#include <string.h>

#include "server/play/lifecycle.h"

/* Returns why a change needs a restart, or NULL. */
static const char *obstacle(const struct options *options, const struct options *wanted,
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

static void log_change(const struct option_row *row, const char *from, const char *to,
                       const char *why_not)
{
    log_line(why_not == NULL ? LOG_INFO : LOG_WARN, "event=option name=%s from=%s to=%s %s%s",
             row->name, row->secret ? "hidden" : log_quote(from).text,
             row->secret ? "hidden" : log_quote(to).text,
             why_not == NULL ? "changed=yes" : "changed=no why=",
             why_not == NULL ? "" : log_quote(why_not).text);
}

/* Returns whether the option has changed. */
static bool apply_row(struct options *options, const struct options *wanted,
                      const struct option_row *row)
{
    char from[OPTION_VALUE_MAX], to[OPTION_VALUE_MAX];
    struct cause cause;

    option_value(options, row, from);
    option_value(wanted, row, to);
    if (strcmp(from, to) == 0)
        return false;
    const char *why_not = obstacle(options, wanted, row);
    if (why_not == NULL)
        option_set(options, row, to, &cause); /* the text of a valid value */
    log_change(row, from, to, why_not);
    return why_not == NULL;
}

void reload_apply(struct server *server, struct options *options, const struct options *wanted)
{
    int changed = 0;

    for (int i = 0; i < option_row_count; i++)
        changed += apply_row(options, wanted, &option_rows[i]);
    server_set_limits(server, &options->limits);
    if (options->code[0] != '\0' && !options->open)
        snprintf(server->code, sizeof server->code, "%s", options->code);
    log_line(LOG_INFO, "event=reloaded config=%s changed=%d",
             log_quote(options->config[0] != '\0' ? options->config : "none").text, changed);
    log_set_level(options->log_level);
}

void reload(struct server *server, struct options *options, int argc, char *argv[])
{
    struct options wanted;
    struct cause cause;

    if (options->log[0] != '\0' && !log_to_file(options->log, &cause))
        log_line(LOG_ERROR, "event=log-not-reopened error=%s", log_quote(cause.text).text);
    if (options_read(&wanted, argc, argv, options->config, &cause) != OPTIONS_RUN) {
        log_line(LOG_ERROR, "event=not-reloaded error=%s", log_quote(cause.text).text);
        return;
    }
    reload_apply(server, options, &wanted);
}
