/* The language of the person at the terminal: how it counts, what stays English without a
 * catalogue. */
#include "client/ludus/term/language.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static void test_plural_forms(void)
{
    static const char *const portuguese = "Plural-Forms: nplurals=2; plural=n != 1;\n";
    static const char *const polish =
        "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
    static const char *const arabic = "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : "
                                      "n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;";

    CHECK(language_plural(portuguese, 1) == 0);
    CHECK(language_plural(portuguese, 0) == 1 && language_plural(portuguese, 2) == 1);
    CHECK(language_plural("nplurals=1; plural=0;", 7) == 0);
    CHECK(language_plural(polish, 1) == 0);
    CHECK(language_plural(polish, 3) == 1 && language_plural(polish, 24) == 1);
    CHECK(language_plural(polish, 5) == 2 && language_plural(polish, 13) == 2);
    CHECK(language_plural(polish, 112) == 2 && language_plural(polish, 0) == 2);
    CHECK(language_plural(arabic, 0) == 0 && language_plural(arabic, 2) == 2);
    CHECK(language_plural(arabic, 105) == 3 && language_plural(arabic, 111) == 4);
    CHECK(language_plural(arabic, 100) == 5);
    CHECK(language_plural("plural=n-1*2+10/5;", 3) == 3);
    CHECK(language_plural("plural=!(n>1)+n/0+n%0;", 1) == 1);
}

/* A catalogue may have been damaged, or made by anybody. */
static void test_forms_that_make_no_sense(void)
{
    char deep[20000];

    CHECK(language_plural(NULL, 1) == 0);
    CHECK(language_plural("", 1) == 0);
    CHECK(language_plural("nplurals=2;", 2) == 0);
    CHECK(language_plural("plural=", 2) == 0);
    CHECK(language_plural("plural=x", 2) == 0);
    memset(deep, '(', sizeof deep);
    memcpy(deep, "plural=", strlen("plural="));
    deep[sizeof deep - 1] = '\0';
    CHECK(language_plural(deep, 2) == 0);
    memset(deep + strlen("plural="), '!', sizeof deep - strlen("plural=") - 1);
    language_plural(deep, 2);
}

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
    test_plural_forms();
    test_forms_that_make_no_sense();
    test_options();
    test_without_a_catalogue();
    return check_end("test_language");
}
