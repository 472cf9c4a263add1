/* The language of the person at the terminal: the option, and what stays English without a
 * catalogue. */
#include "client/ludus/term/language.h"

#include <string.h>

#include "check.h"

static void test_options(void)
{
    char *words[] = {"ludus", "--language", "pt", "who", "--language=en", "--", "--language", NULL};
    char *last[] = {"ludus", "who", "--language", NULL};
    int count = 7;

    CHECK(strcmp(language_option(&count, words), "en") == 0);
    CHECK(count == 4 && strcmp(words[1], "who") == 0 && strcmp(words[3], "--language") == 0);
    count = 3;
    CHECK(strcmp(language_option(&count, last), "") == 0 && count == 2);
    count = 2;
    CHECK(language_option(&count, last) == NULL && count == 2);
}

static void test_without_a_catalogue(void)
{
    struct cause cause;

    CHECK(language_choose("en_GB.UTF-8", &cause));
    CHECK(strcmp(language_name(), "en") == 0);
    CHECK(!language_choose("zz", &cause));
    CHECK(strstr(cause.text, "unknown language 'zz'") != NULL);
    CHECK(!language_choose("../../etc", &cause) && !language_choose("", &cause));
    CHECK(strcmp(_("Quit"), "Quit") == 0);
    CHECK(strcmp(text_counted("one", "many", 1), "one") == 0);
    CHECK(strcmp(text_counted("one", "many", 0), "many") == 0);
}

int main(void)
{
    test_options();
    test_without_a_catalogue();
    return check_end("test_language");
}
