/* House bots as processes: start, secret and exit. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "server/base/log.h"
#include "server/play/house.h"

static char folder[] = "/tmp/test_house.XXXXXX";

static void make_program(char path[64], const char *name, const char *script)
{
    snprintf(path, 64, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file == NULL)
        return;
    fputs(script, file);
    fclose(file);
    CHECK(chmod(path, 0700) == 0);
}

static void set_up(struct house_bots *house, const char *program)
{
    *house = (struct house_bots){.address = "127.0.0.1:1"};
    CHECK(house_bots_add_levels(house, "easy"));
    snprintf(house->program, sizeof house->program, "%s", program);
}

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void wait_for_end(struct house_bots *house, int64_t now_ms)
{
    for (int i = 0; i < 30000 && house->bots[0].pid != 0; i++) {
        pause_shortly();
        house_bots_reap(house, now_ms);
    }
    CHECK_INT(house->bots[0].pid, 0);
}

/* A bot that exits at once is restarted after ever longer delays; one that ran for long is
 * restarted at once. */
static void test_restarts(const char *program)
{
    static const int delays_ms[] = {200, 400, 800, 1600, 3200, 6400, 10000, 10000};
    struct house_bots house;
    int64_t now_ms = 1000;

    set_up(&house, program);
    for (size_t i = 0; i < LENGTH(delays_ms); i++) {
        check_about("quick end %d", (int)i);
        house_bots_tick(&house, now_ms);
        CHECK(house.bots[0].pid > 0 && strlen(house.bots[0].secret) == SECRET_TEXT_MAX - 1);
        wait_for_end(&house, now_ms);
        CHECK_TEXT(house.bots[0].secret, "");
        CHECK_INT(house.bots[0].start_ms, now_ms + delays_ms[i]);
        house_bots_tick(&house, now_ms + delays_ms[i] - 1);
        CHECK_INT(house.bots[0].pid, 0);
        now_ms += delays_ms[i];
    }
    check_about("after a long life");
    house_bots_tick(&house, now_ms);
    wait_for_end(&house, now_ms + 2000);
    CHECK_INT(house.bots[0].start_ms, now_ms + 2000 + 100);
}

static void test_no_start(void)
{
    struct house_bots house;

    check_about("a program that is not there");
    set_up(&house, "/nonexistent/bot");
    house_bots_tick(&house, 1000);
    CHECK_INT(house.bots[0].pid, 0);
    CHECK_INT(house.bots[0].start_ms, 11000);
    house_bots_reap(&house, 2000);
    CHECK_INT(house.bots[0].start_ms, 11000);

    check_about("no address yet, or the end has come");
    house.address[0] = '\0';
    house_bots_tick(&house, 20000);
    CHECK_INT(house.bots[0].start_ms, 11000);
    house.address[0] = '1';
    house.stopping = true;
    house_bots_tick(&house, 20000);
    CHECK_INT(house.bots[0].start_ms, 11000);
}

static void test_secrets(const char *program)
{
    struct house_bots house;
    char secret[SECRET_TEXT_MAX];

    check_about("a secret admits one bot, once");
    set_up(&house, program);
    CHECK(house_bots_add_levels(&house, "hard"));
    CHECK(!house_bots_admit(&house, "easy", ""));
    house_bots_tick(&house, 1000);
    memcpy(secret, house.bots[0].secret, sizeof secret);
    CHECK(strcmp(secret, house.bots[1].secret) != 0);
    CHECK(!house_bots_admit(&house, "easy", "") &&
          !house_bots_admit(&house, "easy", house.bots[1].secret));
    CHECK(!house_bots_admit(&house, "max", secret) && !house_bots_admit(&house, "hard", secret));
    CHECK(house_bots_admit(&house, "easy", secret));
    CHECK(!house_bots_admit(&house, "easy", secret));
    CHECK(house_bots_admit(&house, "hard", house.bots[1].secret));

    check_about("the end of those who hear, and of those who do not");
    house_bots_stop(&house);
    CHECK(house.bots[0].pid == 0 && house.bots[1].pid == 0);
}

/* The environment may have the password of PostgreSQL. */
static void test_environment(void)
{
    struct house_bots house;
    char program[64], script[128], found[64];

    check_about("a bot gets nothing through the environment");
    snprintf(found, sizeof found, "%s/found", folder);
    snprintf(script, sizeof script, "#!/bin/sh\nenv > %s\n", found);
    make_program(program, "env", script);
    setenv("PGPASSWORD", "sesame", 1);
    setenv("LUDUS_TEST", "here", 1);
    set_up(&house, program);
    house_bots_tick(&house, 1000);
    wait_for_end(&house, 1000);
    FILE *file = fopen(found, "r");
    char text[16384] = "";
    if (CHECK(file != NULL)) {
        CHECK(fread(text, 1, sizeof text - 1, file) > 0);
        fclose(file);
    }
    CHECK(strstr(text, "LUDUS_TEST") == NULL && strstr(text, "sesame") == NULL);
    unlink(found);
    unlink(program);
}

int main(void)
{
    char quick[64], slow[64], deaf[64];

    log_set_level(LOG_ERROR);
    if (!CHECK(mkdtemp(folder) != NULL))
        return check_end("test_house");
    make_program(quick, "quick", "#!/bin/sh\nexit 3\n");
    make_program(slow, "slow", "#!/bin/sh\nexec sleep 1000\n");
    make_program(deaf, "deaf", "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 0.05; done\n");
    test_restarts(quick);
    test_no_start();
    test_environment();
    test_secrets(slow);
    test_secrets(deaf);
    unlink(quick);
    unlink(slow);
    unlink(deaf);
    CHECK(rmdir(folder) == 0);
    return check_end("test_house");
}
