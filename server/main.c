/* ludusd: reads the options, puts the server together and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/xmalloc.h"

#include "server/base/log.h"
#include "server/boot/confine.h"
#include "server/boot/join_code.h"
#include "server/boot/listen.h"
#include "server/boot/options.h"
#include "server/boot/reload.h"
#include "server/boot/systemd.h"
#include "server/keep/maintain.h"
#include "server/keep/store.h"
#include "server/net/beacon_listener.h"
#include "server/net/certificate.h"
#include "server/net/loop.h"
#include "server/net/metrics_http.h"
#include "server/net/now.h"
#include "server/play/lifecycle.h"

/* What main() has put together. */
struct program {
    struct options options;
    int argc;
    char **argv;
    struct server *server;
    struct service service;
    struct metrics_http *metrics;   /* owned; NULL: there are none */
    struct beacon_listener *beacon; /* owned; NULL: `ludus join` does not find the server */
    struct ssl_ctx_st *certificate; /* owned; NULL: no TLS */
    struct confinement confinement;
    char folder[FOLDER_TEXT_MAX]; /* of the store; "": there is none */
};

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "ludusd: %s%s%s\n", what, why != NULL ? ": " : "", why != NULL ? why : "");
    return 1;
}

static bool add_house(struct server *server, const struct options *options, struct cause *cause)
{
    struct house_bots *house = &server->house;

    if (options->no_bots)
        return true;
    house_bots_add_levels(house, options->bots);
    if (!house_bots_find_program(house, options->bot_program))
        return cause_set(cause,
                         "%.120s: house bot program not found: see --bot-program and --no-bots",
                         house->program);
    server_add_levels(server);
    return true;
}

/* The join code: as given, or a random one for --lan. */
static void set_code(struct server *server, const struct options *options)
{
    if (options->open)
        return;
    snprintf(server->code, sizeof server->code, "%s", options->code);
    if (options->lan && options->code[0] == '\0')
        join_code_make(server->code);
}

/* The folder of the store, from the option or the environment. */
static bool find_folder(const struct options *options, char folder[FOLDER_TEXT_MAX],
                        struct cause *cause)
{
    if (options->data[0] == '\0')
        return folder_of_state(folder) ||
               cause_set(cause, "no directory for the store: give --data DIR or --data none");
    snprintf(folder, FOLDER_TEXT_MAX, "%s", options->data);
    return true;
}

/* Opens the store, unless there is to be none, and takes up its matches. */
static bool open_keeper(struct program *program, struct keeper **keeper, struct cause *cause)
{
    const struct options *options = &program->options;
    struct server *server = program->server;
    char folder[FOLDER_TEXT_MAX];

    *keeper = NULL;
    if (strcmp(options->data, "none") == 0)
        return true;
    if (!find_folder(options, folder, cause))
        return false;
    if (!confine_may_use(folder, cause))
        return false;
    struct store *store = store_open(folder, options->durability, cause);
    if (store == NULL)
        return false;
    *keeper = keeper_sqlite(store);
    snprintf(program->folder, sizeof program->folder, "%s", folder);
    now_set(server);
    if (!server_take_up(server, *keeper, cause))
        return false;
    log_line(LOG_INFO, "event=store folder=%s names=%d open=%d playing=%d", log_quote(folder).text,
             server->players.named, server->lobby.open, server->lobby.playing);
    return true;
}

/* Looks after a store that no server uses. */
static int maintain(const struct options *options)
{
    char folder[FOLDER_TEXT_MAX];
    struct cause cause;

    if (strcmp(options->data, "none") == 0)
        return fail("--data none: no store to check or export", NULL);
    if (!find_folder(options, folder, &cause))
        return fail(cause.text, NULL);
    struct store *store = store_open_existing(folder, &cause);
    if (store == NULL)
        return fail(cause.text, NULL);
    int status = options->check ? maintain_check(store) : maintain_export(store, options->export);
    store_close(store);
    return status;
}

static void on_hangup(void *context)
{
    struct program *program = context;

    service_tell_reloading(&program->service);
    reload(program->server, &program->options, program->argc, program->argv);
    service_tell(&program->service, "READY=1");
}

static void on_watchdog(void *context)
{
    service_tell(context, "WATCHDOG=1");
}

static void on_stop(void *context)
{
    service_tell(context, "STOPPING=1");
}

/* Tells who started the server that it can be used, and from then on that it lives. */
static bool tell_ready(struct loop *loop, struct service *service)
{
    if (service->watchdog_ms > 0 &&
        !loop_call_every(loop, service->watchdog_ms / 2 + 1, on_watchdog, service))
        return false;
    if (!service_tell(service, "READY=1"))
        log_line(LOG_WARN, "event=not-told state=READY error=%s", log_quote(strerror(errno)).text);
    return true;
}

/* Offers the numbers, where they are wanted. */
static bool open_metrics(struct program *program, struct loop *loop, struct cause *cause)
{
    char bound[ADDRESS_TEXT_MAX];

    if (program->options.metrics_port < 0)
        return true;
    program->metrics = metrics_http_open(loop, program->server, program->options.metrics_port,
                                         bound, sizeof bound, cause);
    if (program->metrics == NULL)
        return false;
    printf("ludusd: metrics on http://%s/metrics\n", bound);
    return true;
}

static int serve(struct program *program)
{
    struct server *server = program->server;
    const struct options *options = &program->options;
    struct listen_addresses addresses = {.count = 0};
    struct cause cause;
    struct loop *loop = loop_new(server);

    if (loop == NULL)
        return fail("event loop", "cannot be created");
    set_code(server, options);
    if (!listen_everywhere(&addresses, loop, options, program->certificate,
                           program->service.listen_count, &cause) ||
        !open_metrics(program, loop, &cause)) {
        loop_free(loop);
        return fail(cause.text, NULL);
    }
    listen_for_bots(&addresses, &server->house);
    if (server->code[0] != '\0')
        printf("ludusd: join code %s\n", server->code);
    if (options->lan) {
        listen_invite(&addresses, server->code);
        program->beacon = beacon_listener_open(loop, &addresses, server);
    }
    fflush(stdout);
    if (!isatty(STDERR_FILENO)) /* else it means that the terminal is gone */
        loop_on_hangup(loop, on_hangup, program);
    loop_on_stop(loop, on_stop, &program->service);
    confine_log(&program->confinement);
    if (!tell_ready(loop, &program->service))
        log_line(LOG_ERROR, "event=no-watchdog");
    bool good = loop_run(loop);
    if (!good)
        fail("event loop", strerror(errno));
    log_line(LOG_INFO, "event=stopped connections=%d", server->session_count);
    house_bots_stop(&server->house);
    metrics_http_close(program->metrics);
    beacon_listener_close(program->beacon);
    loop_free(loop);
    return good ? 0 : 1;
}

/* A connection is a descriptor: takes as many as the system grants. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* What is opened later must not become standard output or error, where these are closed: what is
 * meant for the log would go there. */
static void fill_standard_descriptors(void)
{
    int descriptor;

    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

/* Starts the log where the options say. */
static bool start_log(const struct options *options, struct cause *cause)
{
    log_set_level(options->log_level);
    return options->log[0] == '\0' || log_to_file(options->log, cause);
}

/* Tells that the options are good, and where they were read. */
static int tell_config(const struct options *options)
{
    if (options->config[0] != '\0')
        printf("ludusd: %s: good\n", options->config);
    else
        puts("ludusd: no configuration file; the command line is good");
    return 0;
}

/* Reads the certificate, if there is to be one, which only root may be allowed to. */
static bool load_certificate(struct program *program, struct cause *cause)
{
    const struct options *options = &program->options;

    if (options->tls_cert[0] != '\0')
        program->certificate = certificate_load(options->tls_cert, options->tls_key, cause);
    return options->tls_cert[0] == '\0' || program->certificate != NULL;
}

/* Runs a server with its store. */
static int run(struct program *program)
{
    struct options *options = &program->options;
    struct server *server = program->server = xmalloc(sizeof *server);
    struct keeper *keeper = NULL;
    struct cause cause;

    server_init(server, &options->limits);
    bool good = start_log(options, &cause) && open_keeper(program, &keeper, &cause) &&
                add_house(server, options, &cause);
    if (good)
        confine_files(&program->confinement, options, program->folder, server->house.program);
    int status = good ? serve(program) : fail(cause.text, NULL);
    server_release(server);
    if (keeper != NULL)
        keeper->kind->close(keeper);
    free(server);
    log_close();
    return status;
}

int main(int argc, char *argv[])
{
    struct program program = {.argc = argc, .argv = argv};
    struct cause cause;

    xmalloc_set_report(log_out_of_memory);
    loop_use_xmalloc();
    certificate_use_xmalloc();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is like a full disk */
    fill_standard_descriptors();
    service_read(&program.service);
    raise_descriptor_limit();
    switch (options_read(&program.options, argc, argv, NULL, &cause)) {
    case OPTIONS_DONE:
        return 0;
    case OPTIONS_BAD:
        fail(cause.text, NULL);
        return 2;
    default:
        break;
    }
    if (program.options.check_config)
        return tell_config(&program.options);
    bool serves = !program.options.check && program.options.export[0] == '\0';
    if (serves && !load_certificate(&program, &cause))
        return fail(cause.text, NULL);
    if (!confine_user(&program.options, &cause))
        return fail(cause.text, NULL);
    int status = serves ? run(&program) : maintain(&program.options);
    certificate_free(program.certificate);
    return status;
}
