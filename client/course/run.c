#include "course_actions.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bot_command.h"
#include "box.h"
#include "cgroup.h"
#include "client/engine/process.h"
#include "client/engine/stop_signal.h"
#include "client/link/clock_ms.h"
#include "client/link/json_read.h"
#include "common/xmalloc.h"
#include "course_results.h"
#include "course_server.h"
#include "file_tree.h"
#include "orders.h"
#include "relay.h"
#include "verdict.h"

enum {
    LOOK_MS = 100,           /* between two looks at the boxes */
    SHOW_MS = 1000,          /* between two looks at the tournament */
    CRASHES_MAX = 3,         /* in a night; after each but the last the bot starts again */
    FIRST_USER = 1819607041, /* of root's boxes: numbers that nobody has */
    TOURNAMENT_MAX = 32
};

/* The bot of a student in a night. */
struct player {
    const struct course_bot *bot;
    uid_t user;
    char work[PATH_MAX];
    struct box box;
    int port; /* where it finds the relay */
    FILE *log;
    bool runs; /* it has a box */
    bool came; /* it has been at the server */
    bool out;  /* it does not start again in this night */
    bool left; /* ... and has left the tournament */
    int crashes;
};

struct run {
    char dir[PATH_MAX]; /* without links */
    struct course_folder course;
    struct course_server server;
    struct relay relay; /* of this night */
    int lock, wake;
    int control;           /* where the teacher's orders come in (orders.h) */
    bool own_network;      /* each bot has one */
    char groups[PATH_MAX]; /* where each gets a group of the kernel's; "": nowhere */
    int night;             /* from 1 */
    char tournament[TOURNAMENT_MAX];
    bool called_off;  /* the night is, and is to be played again */
    cJSON *shown;     /* the tournament at the last look; owned */
    int64_t begun_ms; /* when the bots of the night were started */
    struct player players[COURSE_BOTS_MAX];
};

static bool is_stopped(struct cause *cause)
{
    return stop_signal_wanted() != STOP_NOT &&
           !cause_set(cause, "stopped: the same command goes on from here");
}

/* Waits, or until a signal comes or the relay says something. False with the cause. */
static bool wait_ms(struct run *run, int ms, struct cause *cause)
{
    struct pollfd fds[] = {{.fd = run->wake, .events = POLLIN},
                           {.fd = run->relay.link.fd, .events = POLLIN},
                           {.fd = run->control, .events = POLLIN}};

    if (poll(fds, 3, ms) <= 0)
        return true;
    if (fds[0].revents != 0)
        stop_signal_read(run->wake);
    return fds[1].revents == 0 || relay_read(&run->relay, cause);
}

static void path_in(const struct run *run, char path[PATH_MAX], const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void path_in(const struct run *run, char path[PATH_MAX], const char *format, ...)
{
    va_list args;
    int length = snprintf(path, PATH_MAX, "%s/", run->dir);

    va_start(args, format);
    vsnprintf(path + length, (size_t)(PATH_MAX - length), format, args);
    va_end(args);
}

static bool fail_at(const char *path, struct cause *cause)
{
    return cause_set(cause, "%.150s: %s", path, strerror(errno));
}

static bool cut_line(const struct run *run, const char *name, struct cause *cause)
{
    char path[PATH_MAX];

    path_in(run, path, "results/%s", name);
    return course_lines_cut(path, cause);
}

static bool add_line(const struct run *run, const char *name, const cJSON *object,
                     struct cause *cause)
{
    char path[PATH_MAX];

    path_in(run, path, "results/%s", name);
    return course_lines_add(path, object, cause);
}

/* ---- Verdicts ---- */

/* The match in which a player sits now, by the last look; NULL: none. */
static const char *running_match(const struct run *run, const char *name)
{
    const cJSON *round, *pairing;

    cJSON_ArrayForEach (round, json_member(run->shown, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings"))
            if (strcmp(json_text_or(pairing, "result", ""), "*") == 0 &&
                (strcmp(json_text_or(pairing, "white", ""), name) == 0 ||
                 strcmp(json_text_or(pairing, "black", ""), name) == 0))
                return json_text(pairing, "match");
    return NULL;
}

/* Writes a verdict about a player, with the match in which they sit and how that stands. */
static bool judge_player(struct run *run, const struct player *player, const char *kind,
                         struct cause *cause, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static bool judge_player(struct run *run, const struct player *player, const char *kind,
                         struct cause *cause, const char *format, ...)
{
    struct verdict verdict = {
        .dir = run->dir, .night = run->night, .bot = player->bot->name, .kind = kind, .ply = -1};
    struct cause ignored;
    va_list args;

    va_start(args, format);
    vsnprintf(verdict.text, sizeof verdict.text, format, args);
    va_end(args);
    verdict.match = running_match(run, player->bot->name);
    cJSON *state = verdict.match != NULL
                       ? course_ask(&run->server, &ignored, "state %.24s", verdict.match)
                       : NULL;
    verdict.ply = json_int_or(state, "ply", -1);
    verdict.position = json_text(state, "position");
    cJSON *last = relay_last(&run->relay, (int)(player - run->players), cause);
    verdict.last = last;
    bool good = last != NULL && verdict_add(&verdict, cause);
    cJSON_Delete(last);
    cJSON_Delete(state);
    return good;
}

/* ---- The bots of a night ---- */

static bool is_status(const struct run *run, const char *status)
{
    return strcmp(json_text_or(run->shown, "status", ""), status) == 0;
}

static bool is_over(const struct run *run)
{
    return is_status(run, "over") || is_status(run, "aborted");
}

/* Looks at the tournament, and notes who has come. */
static bool look_at_tournament(struct run *run, struct cause *cause)
{
    const cJSON *shown;
    cJSON *reply = course_ask(&run->server, cause, "tournament show %s", run->tournament);

    if (reply == NULL)
        return false;
    cJSON_Delete(run->shown);
    run->shown = reply;
    cJSON_ArrayForEach (shown, json_member(reply, "players")) {
        const struct course_bot *bot =
            course_find_bot(&run->course, json_text_or(shown, "name", ""));
        if (bot != NULL && json_true(shown, "online"))
            run->players[bot - run->course.bots].came = true;
    }
    return true;
}

/* Leaves the token where the examples keep theirs, as they do not read the environment. */
static bool leave_token(const struct run *run, const struct player *player, struct cause *cause)
{
    char token[TOKEN_MAX], path[PATH_MAX];

    course_token(&run->server, player->bot->name, token);
    path_in(run, path, "work/%s/%s.token", player->bot->name, player->bot->name);
    unlink(path);
    FILE *file = fopen(path, "wxe");
    bool written = file != NULL && fprintf(file, "%s\n", token) > 0;
    if (file != NULL && fclose(file) != 0)
        written = false;
    return (written && chmod(path, 0600) == 0) || fail_at(path, cause);
}

/* Copies the files of a bot to where it runs. */
static bool prepare_player(const struct run *run, struct player *player, struct cause *cause)
{
    char from[PATH_MAX];

    path_in(run, from, "bots/%s", player->bot->name);
    path_in(run, player->work, "work/%s", player->bot->name);
    file_tree_remove(player->work);
    return file_tree_copy(from, player->work, run->course.limits.disk_mb * (1LL << 20), cause) &&
           leave_token(run, player, cause) &&
           (player->user == 0 ||
            (file_tree_give(player->work, player->user, cause) && chmod(player->work, 0700) == 0));
}

/* Opens a port of loopback for a bot. Returns the socket; -1 with the cause. */
static int open_port(int *port, struct cause *cause)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen(fd, SOMAXCONN) == 0 && getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
        *port = ntohs(address.sin_port);
        return fd;
    }
    cause_set(cause, "no port for a bot: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Chooses the port by which a bot reaches the relay: one of this machine, or, where each has a
 * network of its own, the usual one. */
static bool choose_port(struct run *run, struct player *player, struct cause *cause)
{
    if (run->own_network)
        player->port = DEFAULT_PORT;
    if (player->port != 0)
        return true;
    int fd = open_port(&player->port, cause);
    return fd >= 0 && relay_listen(&run->relay, (int)(player - run->players), fd, cause);
}

static bool start_box(struct run *run, struct player *player, struct cause *cause)
{
    struct bot_command command;
    char token[TOKEN_MAX], path[PATH_MAX];

    if (!choose_port(run, player, cause))
        return false;
    course_token(&run->server, player->bot->name, token);
    const struct bot_place place = {.host = "127.0.0.1",
                                    .port = player->port,
                                    .token = token,
                                    .tournament = run->tournament,
                                    .home = player->work};
    path_in(run, path, "logs/%d/%s.log", run->night, player->bot->name);
    player->log = fopen(path, "ae");
    if (player->log == NULL)
        return fail_at(path, cause);
    bool made = bot_command_make(&command, &run->course, player->bot, &place, cause);
    char own_bot[PATH_MAX];
    process_find("ludus-bot", own_bot);
    char group[80];
    struct stat folder = {.st_ino = 0};
    stat(run->dir, &folder);
    snprintf(group, sizeof group, "%ju-%ju-%s", (uintmax_t)folder.st_dev, (uintmax_t)folder.st_ino,
             player->bot->name);
    const char *const tools[] = {own_bot, player->bot->engine ? command.bridge : NULL, NULL};
    const struct box_plan plan = {.command = command.words,
                                  .environment = command.environment,
                                  .folder = player->work,
                                  .work = player->work,
                                  .tools = tools,
                                  .port = player->port,
                                  .own_network = run->own_network,
                                  .groups = run->groups[0] != '\0' ? run->groups : NULL,
                                  .group_name = group,
                                  .user = player->user,
                                  .limits = run->course.limits};
    player->runs = made && box_start(&player->box, &plan, player->log, cause);
    bot_command_release(&command);
    return player->runs &&
           (player->box.listener < 0 ||
            relay_listen(&run->relay, (int)(player - run->players), player->box.listener, cause));
}

static void end_player(struct player *player)
{
    if (player->runs)
        box_kill(&player->box);
    if (player->log != NULL)
        fclose(player->log);
    player->log = NULL;
    player->runs = false;
}

/* A bot that does not start again in this night: its connections end. */
static bool put_out(struct run *run, struct player *player, struct cause *cause)
{
    end_player(player);
    player->out = true;
    return relay_listen(&run->relay, (int)(player - run->players), -1, cause);
}

/* Starts a bot. One that does not start is out, with a verdict. */
static bool start_player(struct run *run, struct player *player, bool again, struct cause *cause)
{
    struct cause why;

    if ((again || prepare_player(run, player, &why)) && start_box(run, player, &why))
        return true;
    return judge_player(run, player, "no-start", cause, "%s", why.text) &&
           put_out(run, player, cause);
}

static const char *const end_kinds[] = {
    [BOX_EXITED] = "crash",        [BOX_TIME] = "time",     [BOX_MEMORY] = "memory",
    [BOX_PROCESSES] = "processes", [BOX_OUTPUT] = "output", [BOX_DISK] = "disk",
};

static bool judge_end(struct run *run, const struct player *player, struct cause *cause)
{
    const struct course_limits *limits = &run->course.limits;
    const char *kind = end_kinds[player->box.end];
    int status = player->box.status;

    switch (player->box.end) {
    case BOX_TIME:
        return judge_player(run, player, kind, cause, "it took more than %ld s of the processor",
                            limits->cpu_s);
    case BOX_MEMORY:
        return judge_player(run, player, kind, cause, "it took more than %ld MB of memory",
                            limits->memory_mb);
    case BOX_PROCESSES:
        return judge_player(run, player, kind, cause, "it had %ld processes and threads",
                            limits->processes);
    case BOX_OUTPUT:
        return judge_player(run, player, kind, cause, "it printed more than %ld MB",
                            limits->output_mb);
    case BOX_DISK:
        return judge_player(run, player, kind, cause, "its files took more than %ld MB",
                            limits->disk_mb);
    default:
        if (!player->came)
            kind = "no-start";
        return status > 128
                   ? judge_player(run, player, kind, cause, "it was ended by signal %d",
                                  status - 128)
                   : judge_player(run, player, kind, cause, "it ended with status %d", status);
    }
}

/* Takes note of a bot that has ended. A bot that leaves after the last match has done well. */
static bool note_end(struct run *run, struct player *player, struct cause *cause)
{
    enum box_end end = player->box.end;

    if (!look_at_tournament(run, cause))
        return false;
    if (is_over(run)) {
        end_player(player);
        return true;
    }
    bool good = judge_end(run, player, cause);
    end_player(player);
    if (end != BOX_EXITED || !player->came || ++player->crashes > CRASHES_MAX)
        return good && put_out(run, player, cause);
    return good && start_player(run, player, true, cause);
}

/* Looks at each box once. */
static bool watch_players(struct run *run, struct cause *cause)
{
    for (int i = 0; i < run->course.bot_count; i++) {
        struct player *player = &run->players[i];
        if (player->runs && box_watch(&player->box) != BOX_RUNS && !note_end(run, player, cause))
            return false;
    }
    return true;
}

static const char ran_out_text[] = "its clock ran out",
                  away_text[] = "it made no first move in time, or was away";

/* Takes note of what a bot did at the relay. */
static bool note_event(struct run *run, const cJSON *event, struct cause *cause)
{
    struct player *player = &run->players[json_int_or(event, "bot", 0)];
    const char *what = json_text_or(event, "event", "");
    struct verdict verdict = {.dir = run->dir,
                              .night = run->night,
                              .bot = player->bot->name,
                              .match = json_text(event, "match"),
                              .ply = json_int_or(event, "ply", -1),
                              .position = json_text(event, "position"),
                              .last = json_member(event, "last")};

    if (strcmp(what, "illegal") == 0) {
        verdict.kind = "illegal";
        snprintf(verdict.text, sizeof verdict.text, "%s: %s", json_text_or(event, "move", ""),
                 json_text_or(event, "why", ""));
        return verdict_add(&verdict, cause);
    }
    if (strcmp(what, "lost") == 0 && !player->out) {
        verdict.kind = "time";
        bool ran_out = strcmp(json_text_or(event, "reason", ""), "timeout") == 0;
        snprintf(verdict.text, sizeof verdict.text, "%s", ran_out ? ran_out_text : away_text);
        return verdict_add(&verdict, cause);
    }
    if (strcmp(what, "flood") == 0 && !player->out)
        return judge_player(run, player, "output", cause, "it sent more than %d MB to the server",
                            RELAY_SENT_MB) &&
               put_out(run, player, cause);
    return true;
}

static bool note_events(struct run *run, struct cause *cause)
{
    bool good = true;
    cJSON *event;

    while (good && (event = relay_event(&run->relay)) != NULL) {
        good = note_event(run, event, cause);
        cJSON_Delete(event);
    }
    return good;
}

/* Whether all bots are there, or had the time for it: those who do not come are out. */
static bool wait_players(struct run *run, bool *all, struct cause *cause)
{
    bool late = clock_ms() - run->begun_ms > run->course.limits.start_s * 1000;

    *all = true;
    for (int i = 0; i < run->course.bot_count; i++) {
        struct player *player = &run->players[i];
        if (player->came || player->out)
            continue;
        *all = *all && late;
        if (!late || !player->runs)
            continue;
        if (!judge_player(run, player, "no-start", cause, "it was not at the server after %ld s",
                          run->course.limits.start_s) ||
            !put_out(run, player, cause))
            return false;
    }
    return true;
}

/* ---- What the teacher tells us meanwhile ---- */

/* Whether the teacher has expelled a student, in any night. False with the cause. */
static bool find_expelled(const struct run *run, const char *name, bool *expelled,
                          struct cause *cause)
{
    struct course_lines lines;
    char path[PATH_MAX];
    cJSON *object;

    *expelled = false;
    path_in(run, path, "results/orders.jsonl");
    course_lines_open(&lines, path);
    while ((object = course_lines_next(&lines)) != NULL) {
        *expelled = *expelled || (strcmp(json_text_or(object, "order", ""), "expel") == 0 &&
                                  strcasecmp(json_text_or(object, "name", ""), name) == 0);
        cJSON_Delete(object);
    }
    return course_lines_close(&lines, cause);
}

/* Writes what was ordered, and by when. */
static bool note_order(const struct run *run, const char *order, const char *name,
                       struct cause *cause)
{
    char date[32] = "";
    time_t now = time(NULL);
    cJSON *object = cJSON_CreateObject();

    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    cJSON_AddNumberToObject(object, "night", run->night);
    cJSON_AddStringToObject(object, "date", date);
    cJSON_AddStringToObject(object, "order", order);
    if (name != NULL)
        cJSON_AddStringToObject(object, "name", name);
    bool good = add_line(run, "orders.jsonl", object, cause);
    cJSON_Delete(object);
    if (good)
        printf("night %d: %s%s%s\n", run->night, order, name != NULL ? " " : "",
               name != NULL ? name : "");
    fflush(stdout);
    return good;
}

/* Takes a student out of the tournament. */
static void kick_player(struct run *run, const char *name)
{
    struct cause ignored; /* that it is over by now, or they have been taken out of it */

    cJSON_Delete(
        course_ask(&run->server, &ignored, "tournament kick %s %s", run->tournament, name));
}

/* Takes a student out of this night and all that follow. */
static bool expel_player(struct run *run, const char *name, struct cause *why)
{
    const struct course_bot *bot = course_find_bot(&run->course, name);
    bool expelled;

    if (bot == NULL)
        return cause_set(why, "course.conf has no bot called %.40s", name);
    if (!find_expelled(run, bot->name, &expelled, why))
        return false;
    if (expelled)
        return cause_set(why, "%s is expelled already", bot->name);
    struct player *player = &run->players[bot - run->course.bots];
    if (!note_order(run, "expel", bot->name, why))
        return false;
    if (run->tournament[0] == '\0')
        return true;
    kick_player(run, bot->name);
    player->left = true;
    return run->relay.pid == 0 || put_out(run, player, why);
}

/* Ends the tournament of the night without results. The night is played again in another one. */
static bool call_off_night(struct run *run, struct cause *why)
{
    if (run->tournament[0] == '\0')
        return cause_set(why, "no night is being played");
    cJSON *reply = course_ask(&run->server, why, "tournament abort %s", run->tournament);
    run->called_off = reply != NULL;
    cJSON_Delete(reply);
    return run->called_off && note_order(run, "replay", NULL, why);
}

/* Does what a line says; the answer is why not, or what. */
static bool obey_order(struct run *run, char *line, char answer[ORDER_MAX])
{
    const char *order = text_line_word(&line), *name = text_line_word(&line);
    struct cause why = {""};
    bool good = false;

    if (strcmp(order, "expel") == 0) {
        good = expel_player(run, name, &why);
        snprintf(answer, ORDER_MAX, "%.40s is expelled", name);
    } else if (strcmp(order, "replay") == 0) {
        good = call_off_night(run, &why);
        snprintf(answer, ORDER_MAX, "night %d is called off, and is played again", run->night);
    } else if (strcmp(order, "pause") == 0 || strcmp(order, "resume") == 0) {
        bool pauses = order[0] == 'p';
        cJSON *reply =
            run->tournament[0] != '\0'
                ? course_ask(&run->server, &why, "tournament %s %s", order, run->tournament)
                : NULL;
        if (run->tournament[0] == '\0')
            cause_set(&why, "no night is being played");
        good = reply != NULL && note_order(run, order, NULL, &why);
        cJSON_Delete(reply);
        snprintf(answer, ORDER_MAX, "night %d %s", run->night,
                 pauses ? "is paused: matches that run go on" : "goes on");
    } else {
        cause_set(&why, "unknown order '%.40s'", order);
    }
    if (!good)
        snprintf(answer, ORDER_MAX, "%s", why.text);
    return good;
}

/* Takes the orders that have come. */
static void take_orders(struct run *run)
{
    char line[ORDER_MAX], answer[ORDER_MAX];
    int fd;

    while ((fd = orders_take(run->control, line)) >= 0) {
        bool good = obey_order(run, line, answer);
        orders_answer(fd, good, answer);
    }
}

/* ---- A night ---- */

/* Finds the tournament of the night, which an earlier run may have opened. A student may have
 * opened one of the same name. */
static bool find_tournament(struct run *run, struct cause *cause)
{
    char name[TOURNAMENT_MAX];
    const cJSON *row;
    cJSON *reply = course_ask(&run->server, cause, "tournaments");

    run->tournament[0] = '\0';
    if (reply == NULL)
        return false;
    snprintf(name, sizeof name, "Night_%d", run->night);
    cJSON_ArrayForEach (row, json_member(reply, "tournaments"))
        if (strcmp(json_text_or(row, "name", ""), name) == 0 &&
            strcmp(json_text_or(row, "director", ""), COURSE_DIRECTOR) == 0 &&
            strcmp(json_text_or(row, "status", ""), "aborted") != 0)
            json_copy(run->tournament, sizeof run->tournament, row, "tournament");
    cJSON_Delete(reply);
    return true;
}

static bool open_tournament(struct run *run, struct cause *cause)
{
    const struct course_folder *course = &run->course;
    char rounds[32] = "", openings[COURSE_TEXT_MAX + 16] = "";

    if (course->format == COURSE_SWISS && course->rounds > 0)
        snprintf(rounds, sizeof rounds, " rounds=%d", course->rounds);
    if (strcmp(course->openings, "none") != 0)
        snprintf(openings, sizeof openings, " openings=%s", course->openings);
    cJSON *reply = course_ask(
        &run->server, cause, "tournament new Night_%d %s format=%s%s clock=%s%s series=%s",
        run->night, course->game, course->format == COURSE_SWISS ? "swiss" : "round-robin", rounds,
        course->clock, openings, course->series);
    json_copy(run->tournament, sizeof run->tournament, reply, "tournament");
    cJSON_Delete(reply);
    return reply != NULL;
}

/* Whether a player has left the tournament, in an earlier run. */
static bool has_left(const struct run *run, const char *name)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(run->shown, "players"))
        if (strcmp(json_text_or(player, "name", ""), name) == 0)
            return json_true(player, "left");
    return false;
}

/* Lets those who are out leave, so that nobody waits for them. Before the start that would take
 * them off the table. */
static void let_leave(struct run *run)
{
    char leave[2 * TOURNAMENT_MAX];
    struct cause ignored; /* that it is over by now */

    snprintf(leave, sizeof leave, "tournament leave %s", run->tournament);
    for (int i = 0; i < run->course.bot_count && is_status(run, "running"); i++) {
        struct player *player = &run->players[i];
        if (!player->out || player->left)
            continue;
        player->left = true;
        course_ask_as(&run->server, player->bot->name, leave, &ignored);
    }
}

static bool start_relay(struct run *run, struct cause *cause)
{
    char seed[COURSE_SERIES_MAX + 16], random_path[PATH_MAX];
    const struct relay_plan plan = {.server_port = run->server.port,
                                    .plays = run->course.lost == COURSE_LOSE_MOVE,
                                    .move_s = run->course.move_s,
                                    .seed = seed,
                                    .random_path = random_path,
                                    .course = &run->course};

    snprintf(seed, sizeof seed, "%s/%d", run->course.series, run->night);
    path_in(run, random_path, "results/random.jsonl");
    return relay_start(&run->relay, &plan, cause);
}

/* Enters all students for the tournament, and says who does not take part: those who are expelled,
 * and those whose token is invalid, as a bot that runs elsewhere can revoke it. */
static bool enter_players(struct run *run, bool absent[COURSE_BOTS_MAX], struct cause *cause)
{
    char join[2 * TOURNAMENT_MAX];
    bool open = is_status(run, "open");
    struct cause why;

    snprintf(join, sizeof join, "tournament join %s", run->tournament);
    for (int i = 0; i < run->course.bot_count; i++) {
        const char *name = run->course.bots[i].name;
        if (!find_expelled(run, name, &absent[i], cause))
            return false;
        if (absent[i]) { /* an earlier run may have been killed between the order and this */
            kick_player(run, name);
        } else if (open && !course_ask_as(&run->server, name, join, &why)) {
            struct verdict verdict = {
                .dir = run->dir, .night = run->night, .bot = name, .kind = "no-start", .ply = -1};
            snprintf(verdict.text, sizeof verdict.text, "%.100s", why.text);
            absent[i] = true;
            if (!look_at_tournament(run, cause) || !verdict_add(&verdict, cause))
                return false;
        }
    }
    return true;
}

/* Opens the tournament, or goes on with it, and starts all bots. */
static bool begin_night(struct run *run, struct cause *cause)
{
    bool absent[COURSE_BOTS_MAX];
    char path[PATH_MAX];

    if (!find_tournament(run, cause) ||
        (run->tournament[0] == '\0' &&
         (!verdict_drop_night(run->dir, run->night, cause) || !open_tournament(run, cause))) ||
        !look_at_tournament(run, cause) || !enter_players(run, absent, cause))
        return false;
    path_in(run, path, "logs/%d", run->night);
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return fail_at(path, cause);
    if (!start_relay(run, cause))
        return false;
    printf("night %d: %s, %d bots\n", run->night, run->tournament, run->course.bot_count);
    fflush(stdout);
    run->begun_ms = clock_ms();
    for (int i = 0; i < run->course.bot_count; i++) {
        struct player *player = &run->players[i];
        *player = (struct player){.bot = &run->course.bots[i],
                                  .user = geteuid() == 0 ? (uid_t)(FIRST_USER + i) : 0};
        player->out = player->left = absent[i] || has_left(run, player->bot->name);
        if (player->bot->command[0] != '\0' && !player->out && !is_over(run) &&
            !start_player(run, player, false, cause))
            return false;
    }
    return true;
}

static bool start_tournament(struct run *run, struct cause *cause)
{
    struct cause why;
    cJSON *reply = course_ask(&run->server, &why, "tournament start %s", run->tournament);

    cJSON_Delete(reply);
    return reply != NULL || cause_set(cause, "night %d does not start: %s", run->night, why.text);
}

/* Watches the bots and the tournament until that is over. */
static bool follow_night(struct run *run, struct cause *cause)
{
    int64_t look_ms = 0;
    bool all = false;

    while (!is_over(run)) {
        if (!wait_ms(run, LOOK_MS, cause) || is_stopped(cause) || !watch_players(run, cause) ||
            !note_events(run, cause))
            return false;
        take_orders(run);
        if (run->called_off)
            return true;
        if (clock_ms() < look_ms)
            continue;
        look_ms = clock_ms() + SHOW_MS;
        if (!look_at_tournament(run, cause) || !wait_players(run, &all, cause))
            return false;
        let_leave(run);
        if (all && is_status(run, "open") && !start_tournament(run, cause))
            return false;
    }
    return is_status(run, "over") || cause_set(cause, "night %d was aborted", run->night);
}

/* Writes the verdict about a match that was lost on time, unless the bot was gone: why it was is a
 * verdict already. */
static bool judge_match(const struct run *run, const cJSON *record, struct cause *cause)
{
    const char *reason = json_text_or(record, "reason", "");
    bool white_lost = strcmp(json_text_or(record, "result", ""), "0-1") == 0;
    const cJSON *positions = json_member(record, "positions");
    int count = cJSON_GetArraySize(positions);
    bool ran_out = strcmp(reason, "timeout") == 0;
    struct verdict verdict = {.dir = run->dir,
                              .night = run->night,
                              .bot = json_text_or(record, white_lost ? "white" : "black", ""),
                              .match = json_text(record, "match"),
                              .kind = "time",
                              .ply = cJSON_GetArraySize(json_member(record, "moves")),
                              .position =
                                  cJSON_GetStringValue(cJSON_GetArrayItem(positions, count - 1))};
    const struct course_bot *bot = course_find_bot(&run->course, verdict.bot);

    snprintf(verdict.text, sizeof verdict.text, "%s", ran_out ? ran_out_text : away_text);
    return (!ran_out && strcmp(reason, "forfeit") != 0) || bot == NULL ||
           run->players[bot - run->course.bots].out || verdict_add(&verdict, cause);
}

static bool is_marked(const cJSON *marks, int number)
{
    const cJSON *mark;

    cJSON_ArrayForEach (mark, marks)
        if (json_int_or(mark, "number", 0) == number)
            return true;
    return false;
}

/* Marks the moves of a match that were played at random. One that the server did not take, as it
 * came too late, stands in the file, too; and one may stand there twice, as it was sent again by
 * another connection, or by another run. */
static bool mark_random(const struct run *run, cJSON *record, struct cause *cause)
{
    const cJSON *moves = json_member(record, "moves");
    cJSON *marks = cJSON_CreateArray(), *line;
    struct course_lines lines;
    char path[PATH_MAX];

    path_in(run, path, "results/random.jsonl");
    course_lines_open(&lines, path);
    while ((line = course_lines_next(&lines)) != NULL) {
        int ply = json_int_or(line, "ply", -1);
        const char *move = cJSON_GetStringValue(cJSON_GetArrayItem(moves, ply));
        if (ply >= 0 && move != NULL && strcmp(move, json_text_or(line, "move", "")) == 0 &&
            strcmp(json_text_or(line, "match", ""), json_text_or(record, "match", "?")) == 0 &&
            !is_marked(marks, ply + 1)) {
            cJSON *mark = cJSON_CreateObject();
            cJSON_AddNumberToObject(mark, "number", ply + 1);
            cJSON_AddStringToObject(mark, "by", json_text_or(line, "name", ""));
            cJSON_AddStringToObject(mark, "why", json_text_or(line, "why", ""));
            cJSON_AddItemToArray(marks, mark);
        }
        cJSON_Delete(line);
    }
    if (cJSON_GetArraySize(marks) > 0)
        cJSON_AddItemToObject(record, "random", marks);
    else
        cJSON_Delete(marks);
    return course_lines_close(&lines, cause);
}

/* Takes those that are written off the matches that are wanted. */
static bool pass_recorded(const struct run *run, cJSON *wanted, struct cause *cause)
{
    struct course_lines lines;
    char path[PATH_MAX];
    cJSON *record;

    path_in(run, path, "results/matches.jsonl");
    course_lines_open(&lines, path);
    while ((record = course_lines_next(&lines)) != NULL) {
        cJSON_DeleteItemFromObjectCaseSensitive(wanted, json_text_or(record, "match", ""));
        cJSON_Delete(record);
    }
    return course_lines_close(&lines, cause);
}

/* Writes the verdicts about matches that were lost before the first move, which have no record. */
static bool judge_unplayed(const struct run *run, const cJSON *night, const cJSON *unplayed,
                           struct cause *cause)
{
    const cJSON *round, *pairing;
    bool good = true;

    cJSON_ArrayForEach (round, json_member(night, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings"))
            for (int white = 0; good && white < 2; white++) {
                const char *result = json_text_or(pairing, "result", "");
                struct verdict verdict = {.dir = run->dir,
                                          .night = run->night,
                                          .bot =
                                              json_text_or(pairing, white ? "white" : "black", ""),
                                          .match = json_text(pairing, "match"),
                                          .kind = "time"};
                const struct course_bot *bot = course_find_bot(&run->course, verdict.bot);
                if (verdict.match == NULL || json_member(unplayed, verdict.match) == NULL ||
                    (strcmp(result, white ? "0-1" : "1-0") != 0 && strcmp(result, "0-0") != 0) ||
                    bot == NULL || run->players[bot - run->course.bots].out)
                    continue;
                snprintf(verdict.text, sizeof verdict.text, "%s", away_text);
                good = verdict_add(&verdict, cause);
            }
    return good;
}

/* Adds the matches of the night that are not written yet. */
static bool record_matches(struct run *run, const cJSON *night, struct cause *cause)
{
    static char export[] = "export", jsonl[] = "--jsonl";
    char *const words[] = {export, jsonl, NULL};
    struct course_lines lines = {.good = true, .path = "ludus export"};
    cJSON *wanted = cJSON_CreateObject(), *record;
    const cJSON *round, *pairing;

    cJSON_ArrayForEach (round, json_member(night, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings"))
            if (json_text(pairing, "match") != NULL)
                cJSON_AddTrueToObject(wanted, json_text(pairing, "match"));
    bool good =
        pass_recorded(run, wanted, cause) && course_query(&run->server, words, &lines.text, cause);
    while (good && (record = course_lines_next(&lines)) != NULL) {
        if (json_member(wanted, json_text_or(record, "match", "")) != NULL) {
            good = judge_match(run, record, cause);
            cJSON_AddNumberToObject(record, "night", run->night);
            good = good && mark_random(run, record, cause) &&
                   add_line(run, "matches.jsonl", record, cause);
            cJSON_DeleteItemFromObjectCaseSensitive(wanted, json_text_or(record, "match", ""));
        }
        cJSON_Delete(record);
    }
    good = good && judge_unplayed(run, night, wanted, cause);
    cJSON_Delete(wanted);
    struct cause why;
    return course_lines_close(&lines, &why) ? good : good && cause_set(cause, "%s", why.text);
}

static bool write_result(const struct run *run, const char *name, const struct buffer *text,
                         struct cause *cause)
{
    char path[PATH_MAX];

    path_in(run, path, "results/%s", name);
    return course_write_file(path, text, cause);
}

/* Writes what the night has come to. The file of the night is the last: it says that all is there.
 */
static bool end_night(struct run *run, struct cause *cause)
{
    static char tournament[] = "tournament", export[] = "export", series[] = "series",
                json[] = "--json";
    char *const night_words[] = {tournament, export, run->tournament, json, NULL};
    char *const series_words[] = {tournament, series, run->course.series, json, NULL};
    struct buffer night = {.bytes = NULL}, all = {.bytes = NULL};
    char name[TOURNAMENT_MAX];

    bool good = course_query(&run->server, night_words, &night, cause);
    cJSON *object = good ? cJSON_ParseWithLength(night.bytes, night.length) : NULL;
    snprintf(name, sizeof name, "%d.json", run->night);
    good = good && record_matches(run, object, cause) &&
           course_query(&run->server, series_words, &all, cause) &&
           write_result(run, "series.json", &all, cause) && write_result(run, name, &night, cause);
    if (good)
        printf("night %d is over: %s/results/%s\n", run->night, run->dir, name);
    fflush(stdout);
    cJSON_Delete(object);
    buffer_release(&night);
    buffer_release(&all);
    return good;
}

static bool play_night(struct run *run, struct cause *cause)
{
    bool good = true;

    do {
        run->called_off = false;
        good = begin_night(run, cause) && follow_night(run, cause);
        for (int i = 0; i < run->course.bot_count; i++)
            end_player(&run->players[i]);
        relay_stop(&run->relay);
    } while (good && run->called_off);
    return good && end_night(run, cause);
}

/* ---- All nights ---- */

/* When the night before began, in seconds since 1970; 0: not known. */
static time_t night_before(const struct run *run)
{
    struct buffer text = {.bytes = NULL};
    char path[PATH_MAX];
    struct tm began = {.tm_year = 0};

    path_in(run, path, "results/%d.json", run->night - 1);
    if (access(path, F_OK) != 0 || !course_read_file(path, &text))
        return 0;
    cJSON *night = cJSON_ParseWithLength(text.bytes, text.length);
    bool known = strptime(json_text_or(night, "started", ""), "%Y-%m-%dT%H:%M:%S", &began) != NULL;
    cJSON_Delete(night);
    buffer_release(&text);
    return known ? timegm(&began) : 0;
}

/* Waits until the night is to begin. */
static bool wait_for_night(struct run *run, struct cause *cause)
{
    time_t begins = night_before(run) + run->course.every_s;
    char text[32] = "";

    if (run->course.every_s > 0 && time(NULL) < begins) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", localtime(&begins));
        printf("night %d begins at %s\n", run->night, text);
        fflush(stdout);
    }
    while (run->course.every_s > 0 && time(NULL) < begins) {
        if (!wait_ms(run, SHOW_MS, cause))
            return false;
        take_orders(run);
        cJSON *pong = course_ask(&run->server, cause, "ping");
        if (pong == NULL || is_stopped(cause)) {
            cJSON_Delete(pong);
            return false;
        }
        cJSON_Delete(pong);
    }
    return true;
}

/* Opens the way to the folders of bots for the users of root's boxes. */
static bool open_way(const struct run *run, struct cause *cause)
{
    char path[PATH_MAX];
    struct stat found;

    if (geteuid() != 0)
        return true;
    path_in(run, path, "work");
    if (chmod(path, 0711) != 0)
        return fail_at(path, cause);
    for (char *slash = strrchr(path, '/'); slash != NULL && slash != path;
         slash = strrchr(path, '/')) {
        *slash = '\0';
        if (stat(path, &found) != 0 || (found.st_mode & S_IXOTH) == 0)
            return cause_set(cause,
                             "%.100s is closed to the users as whom root runs bots: put the course "
                             "elsewhere, or run it as somebody else",
                             path);
    }
    return true;
}

static bool lock_course(struct run *run, struct cause *cause)
{
    char path[PATH_MAX];

    path_in(run, path, "lock");
    run->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (run->lock < 0)
        return fail_at(path, cause);
    return flock(run->lock, LOCK_EX | LOCK_NB) == 0 ||
           cause_set(cause, "%.150s: this course is running already", run->dir);
}

/* Reads course.conf again before a night: there may be other students. One that makes no sense is
 * not taken. For new names the server starts again, while nobody plays. */
static bool read_again(struct run *run, struct cause *cause)
{
    struct course_folder *fresh = xcalloc(1, sizeof *fresh);
    struct cause why;

    if (course_read(fresh, run->dir, &why) &&
        (fresh->bot_count >= 2 || cause_set(&why, "fewer than two bots")))
        run->course = *fresh;
    else
        printf("night %d: course.conf stays what it was: %s\n", run->night, why.text);
    free(fresh);
    if (!course_complete(&run->course, cause))
        return false;
    if (course_server_knows(&run->server, &run->course))
        return true;
    course_server_stop(&run->server);
    return course_server_start(&run->server, &run->course, cause);
}

static bool play_nights(struct run *run, struct cause *cause)
{
    char line[BOX_LINE_MAX], path[PATH_MAX];
    bool good = true;

    run->own_network = box_has_network();
    box_describe(line, run->groups[0] != '\0');
    printf("limits held here: %s\nthe server is at %s\n", line, run->server.address);
    fflush(stdout);
    for (run->night = 1; good && run->night <= run->course.nights; run->night++) {
        path_in(run, path, "results/%d.json", run->night);
        run->tournament[0] = '\0';
        good = access(path, F_OK) == 0 ||
               (wait_for_night(run, cause) && read_again(run, cause) && play_night(run, cause));
    }
    return good;
}

bool course_run(const char *dir, struct cause *cause)
{
    struct run *run = xcalloc(1, sizeof *run);

    run->lock = run->control = -1;
    run->server.output = run->server.director.fd = run->relay.link.fd = -1;
    if (realpath(dir, run->dir) == NULL || strlen(run->dir) > PATH_MAX / 2) {
        free(run);
        return fail_at(dir, cause);
    }
    bool good = course_read(&run->course, run->dir, cause) &&
                (run->course.bot_count >= 2 ||
                 cause_set(cause, "%.150s/course.conf: fewer than two bots", run->dir)) &&
                course_complete(&run->course, cause) && lock_course(run, cause) &&
                open_way(run, cause) && cut_line(run, "matches.jsonl", cause) &&
                cut_line(run, "verdicts.jsonl", cause) && cut_line(run, "random.jsonl", cause) &&
                cut_line(run, "orders.jsonl", cause) &&
                (run->control = orders_listen(run->dir, cause)) >= 0;
    if (good) {
        run->wake = stop_signal_watch();
        if (!cgroup_find("/sys/fs/cgroup", "/proc/self/cgroup", run->groups))
            run->groups[0] = '\0';
        good = course_server_start(&run->server, &run->course, cause) && play_nights(run, cause);
        course_server_stop(&run->server);
    }
    if (run->control >= 0)
        close(run->control);
    if (run->lock >= 0)
        close(run->lock);
    cJSON_Delete(run->shown);
    free(run);
    return good;
}

bool course_order(const char *dir, const char *order, const char *name, struct cause *cause)
{
    char line[ORDER_MAX];

    snprintf(line, sizeof line, "%s %.100s", order, name);
    return orders_send(dir, line, cause);
}
