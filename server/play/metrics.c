#include "metrics.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dispatch.h"
#include "session.h"

/* Begins a metric: what follows are its samples. */
static void begin_metric(struct buffer *text, const char *name, const char *type, const char *help)
{
    buffer_printf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A metric of one sample. */
static void write_metric(struct buffer *text, const char *name, const char *type, const char *help,
                         double value)
{
    begin_metric(text, name, type, help);
    buffer_printf(text, "%s %.15g\n", name, value);
}

static void write_people(struct buffer *text, const struct server *server, size_t pending_bytes)
{
    write_metric(text, "ludus_connections", "gauge", "Open connections.", server->session_count);
    write_metric(text, "ludus_connections_total", "counter", "Accepted connections.",
                 (double)server->tally.connections);
    write_metric(text, "ludus_connections_refused_total", "counter",
                 "Connections refused for lack of room.", (double)server->tally.refused);
    begin_metric(text, "ludus_http_answers_total", "counter",
                 "Answers to browsers by class of status.");
    for (int i = 0; i < TALLY_HTTP_CLASSES; i++)
        buffer_printf(text, "ludus_http_answers_total{status=\"%dxx\"} %" PRIu64 "\n", i + 1,
                      server->tally.http[i]);
    write_metric(text, "ludus_pending_bytes", "gauge", "Output that clients have not read yet.",
                 (double)pending_bytes);
    write_metric(text, "ludus_names", "gauge", "Names remembered.", server->players.named);
}

/* The matches of one game that are not over, by whether they have begun. */
static void count_matches(const struct server *server, const struct game *game, int counts[2])
{
    const struct table *table;

    counts[0] = counts[1] = 0;
    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        if (table->match.game == game)
            counts[table->match.status == MATCH_PLAYING]++;
}

static void write_by_game(struct buffer *text, const char *name, const char *help,
                          const uint64_t counts[TALLY_GAMES_MAX])
{
    begin_metric(text, name, "counter", help);
    for (int i = 0; i < TALLY_GAMES_MAX && games[i] != NULL; i++)
        buffer_printf(text, "%s{game=\"%s\"} %" PRIu64 "\n", name, games[i]->name, counts[i]);
}

static void write_matches(struct buffer *text, const struct server *server)
{
    int counts[2];

    begin_metric(text, "ludus_matches", "gauge", "Unfinished matches by game and status.");
    for (int i = 0; games[i] != NULL; i++) {
        count_matches(server, games[i], counts);
        buffer_printf(text,
                      "ludus_matches{game=\"%s\",status=\"open\"} %d\n"
                      "ludus_matches{game=\"%s\",status=\"playing\"} %d\n",
                      games[i]->name, counts[0], games[i]->name, counts[1]);
    }
    write_metric(text, "ludus_matches_broken", "gauge",
                 "Matches that are read-only until `ludusd check --repair` has mended them.",
                 server->lobby.broken);
    write_by_game(text, "ludus_matches_finished_total", "Finished matches by game.",
                  server->tally.finished);
    write_by_game(text, "ludus_moves_total", "Moves played by game.", server->tally.moves);
}

/* Only what has happened: there are a thousand pairs. */
static void write_replies(struct buffer *text, const char *verb,
                          const uint64_t counts[TALLY_STATUSES])
{
    for (int status = 0; status < TALLY_STATUSES; status++)
        if (counts[status] > 0)
            buffer_printf(text, "ludus_commands_total{command=\"%s\",result=\"%s\"} %" PRIu64 "\n",
                          verb, status_word((enum status)status), counts[status]);
}

static void write_commands(struct buffer *text, const struct server *server)
{
    begin_metric(
        text, "ludus_commands_total", "counter",
        "Replies by command and result; internal also takes the place of one that could not be "
        "written down.");
    write_replies(text, "none", server->tally.replies[0]);
    for (int number = 1; number < TALLY_COMMANDS_MAX; number++) {
        const struct command *command = command_at(server, number);
        if (command != NULL)
            write_replies(text, command->verb, server->tally.replies[number]);
    }
    begin_metric(text, "ludus_command_seconds_total", "counter",
                 "Time of the loop that lines took, by command.");
    for (int number = 1; number < TALLY_COMMANDS_MAX; number++) {
        const struct command *command = command_at(server, number);
        if (command != NULL && server->tally.busy_us[number] > 0)
            buffer_printf(text, "ludus_command_seconds_total{command=\"%s\"} %.6f\n", command->verb,
                          (double)server->tally.busy_us[number] / 1e6);
    }
}

static void write_store(struct buffer *text, const struct server *server)
{
    const struct tally *tally = &server->tally;

    write_metric(text, "ludus_store_failures_total", "counter",
                 "Transactions that failed and were rolled back.", (double)tally->commits_failed);
    begin_metric(text, "ludus_store_commit_duration_seconds", "histogram",
                 "Duration of store transactions.");
    for (int i = 0; i < TALLY_BUCKETS; i++)
        buffer_printf(text, "ludus_store_commit_duration_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                      (double)tally_bucket_us[i] / 1e6, tally->commits_within[i]);
    buffer_printf(text,
                  "ludus_store_commit_duration_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n"
                  "ludus_store_commit_duration_seconds_sum %.6f\n"
                  "ludus_store_commit_duration_seconds_count %" PRIu64 "\n",
                  tally->commits, (double)tally->commits_us / 1e6, tally->commits);
}

/* Writes the metrics of servers that share a database. */
static void write_database(struct buffer *text, const struct server *server)
{
    const struct tally *tally = &server->tally;
    static const char *const causes[] = {[SLEEPS_FOR_OWN] = "own",
                                         [SLEEPS_FOR_LOCK] = "lock",
                                         [SLEEPS_FOR_ANSWER] = "answer",
                                         [SLEEPS_FOR_DATABASE] = "database"};
    int waiting = 0, by_cause[SLEEPS_FOR_DATABASE + 1] = {0};
    const struct session *session;
    struct keeper_report report;

    if (!keeper_has_more(server->keeper) || server->keeper->kind->report == NULL)
        return;
    server->keeper->kind->report(server->keeper, &report);
    TAILQ_FOREACH (session, &server->sessions, link) {
        waiting += session->line.stage != LINE_NEW || session->again.text != NULL;
        by_cause[session->sleeps]++;
    }
    write_metric(text, "ludus_database_up", "gauge",
                 "1 while the database keeps changes; 0 when they have waited for over 0.5 s.",
                 report.is_up);
    if (report.committed_ms >= 0)
        write_metric(text, "ludus_database_last_commit_seconds", "gauge",
                     "Time since the database last kept something of this server.",
                     (double)report.committed_ms / 1e3);
    begin_metric(text, "ludus_database_unsafe", "gauge",
                 "1 if acknowledged changes can get lost by that setting of the database.");
    for (int i = 0; keeper_unsafe_settings[i] != NULL; i++)
        buffer_printf(text, "ludus_database_unsafe{setting=\"%s\"} %u\n", keeper_unsafe_settings[i],
                      report.unsafe >> i & 1);
    if (report.standbys >= 0) {
        write_metric(text, "ludus_database_standbys", "gauge",
                     "Synchronous standbys that follow the primary.", report.standbys);
        write_metric(text, "ludus_database_standby_lag_seconds", "gauge",
                     "How far the last of them is behind.", (double)report.standby_lag_ms / 1e3);
    }
    begin_metric(text, "ludus_waiting_lines", "gauge",
                 "Lines that wait, by what for: lines before them, a lock, an answer of the "
                 "database, or that it keeps changes again.");
    for (int cause = SLEEPS_FOR_OWN; cause <= SLEEPS_FOR_DATABASE; cause++)
        buffer_printf(text, "ludus_waiting_lines{cause=\"%s\"} %d\n", causes[cause],
                      by_cause[cause]);
    write_metric(text, "ludus_nodes", "gauge", "Servers that share the database and are alive.",
                 server->nodes.count);
    write_metric(
        text, "ludus_engine_units_total", "counter",
        "Changes that the database has kept, in as many batches as there are transactions.",
        (double)tally->kept_units);
    write_metric(text, "ludus_engine_stale_units_total", "counter",
                 "Changes that ran again as another server was first.", (double)tally->stale_units);
    write_metric(text, "ludus_engine_waiting_lines", "gauge", "Lines that wait for the database.",
                 waiting);
    write_metric(text, "ludus_engine_news_lag_seconds", "gauge",
                 "How long the latest notification of the database took.",
                 (double)tally->news_lag_us / 1e6);
}

/* The descriptors that are open; -1 where the system does not tell. */
static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    if (folder == NULL)
        return -1;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count - 1; /* but the one for this */
}

static void write_memory(struct buffer *text)
{
    FILE *statm = fopen("/proc/self/statm", "re");
    unsigned long virtual_pages, resident_pages;
    double page_bytes = (double)sysconf(_SC_PAGESIZE);

    if (statm == NULL)
        return;
    if (fscanf(statm, "%lu %lu", &virtual_pages, &resident_pages) == 2) {
        write_metric(text, "process_virtual_memory_bytes", "gauge", "Virtual memory size.",
                     (double)virtual_pages * page_bytes);
        write_metric(text, "process_resident_memory_bytes", "gauge", "Resident memory size.",
                     (double)resident_pages * page_bytes);
    }
    fclose(statm);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void write_process(struct buffer *text, const struct server *server)
{
    int64_t up_s = (server->now_ms - server->started_ms) / 1000;
    int descriptors = count_descriptors();
    struct rusage usage;
    struct rlimit limit;

    write_metric(text, "ludus_uptime_seconds", "gauge", "Time since the server started.",
                 (double)up_s);
    write_metric(text, "process_start_time_seconds", "gauge", "Start time since 1970.",
                 (double)server->started_s);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        write_metric(text, "process_cpu_seconds_total", "counter",
                     "User and system processor time.",
                     seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
    write_memory(text);
    if (descriptors >= 0)
        write_metric(text, "process_open_fds", "gauge", "Open file descriptors.", descriptors);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        write_metric(text, "process_max_fds", "gauge", "Limit of open file descriptors.",
                     (double)limit.rlim_cur);
}

bool metrics_write_health(struct buffer *text, const struct server *server)
{
    struct keeper_report report = {.is_up = true};

    if (server->keeper->kind->report != NULL)
        server->keeper->kind->report(server->keeper, &report);
    if (!report.is_up && report.committed_ms < 0)
        buffer_puts(text, "the database has kept no changes yet\n");
    else if (!report.is_up)
        buffer_printf(text, "the database has kept no changes for %.1f s\n",
                      (double)report.committed_ms / 1e3);
    if (server->keeper_fails)
        buffer_puts(text, "the store fails: changes are refused\n");
    bool healthy = text->length == 0;
    for (int i = 0; keeper_unsafe_settings[i] != NULL; i++)
        if (report.unsafe >> i & 1)
            buffer_printf(text, "warning: %s of the database: acknowledged changes can get lost\n",
                          keeper_unsafe_settings[i]);
    if (text->length == 0)
        buffer_puts(text, "ok\n");
    return healthy;
}

void metrics_write(struct buffer *text, const struct server *server, size_t pending_bytes)
{
    begin_metric(text, "ludus_build_info", "gauge", "Always 1; the label is the version.");
    buffer_puts(text, "ludus_build_info{version=\"" LUDUS_VERSION "\"} 1\n");
    write_people(text, server, pending_bytes);
    begin_metric(text, "ludus_house_bot_up", "gauge", "1 if the house bot of that level runs.");
    for (int i = 0; i < server->house.count; i++)
        buffer_printf(text, "ludus_house_bot_up{level=\"%s\"} %d\n", server->house.bots[i].level,
                      server->house.bots[i].pid != 0);
    write_matches(text, server);
    write_commands(text, server);
    write_store(text, server);
    write_database(text, server);
    write_process(text, server);
}
