#include "language.h"

#include <ctype.h>
#include <dirent.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char domain[] = "ludus";
static char present[LANGUAGE_NAME_MAX] = "en";

/* ---- Catalogues ---- */

enum { FOLDERS = 2 };

/* Writes a folder of catalogues: beside the program, as after a build, or where `make install` puts
 * them. */
static bool write_folder(int place, char path[PATH_MAX])
{
    static const char *const folders[FOLDERS] = {"locale", "../share/locale"};
    ssize_t bytes = readlink("/proc/self/exe", path, PATH_MAX - 1);

    path[bytes > 0 ? bytes : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) + 64 > PATH_MAX)
        return false;
    snprintf(slash + 1, PATH_MAX - (size_t)(slash - path) - 1, "%s", folders[place]);
    return true;
}

static bool has_catalogue(const char *folder, const char *language)
{
    char path[PATH_MAX + 64];

    snprintf(path, sizeof path, "%s/%s/LC_MESSAGES/%s.mo", folder, language, domain);
    return access(path, R_OK) == 0;
}

/* Finds the catalogue for a name such as "pt_PT.UTF-8": that of "pt_PT", or else of "pt". */
static bool find_catalogue(const char *name, char folder[PATH_MAX],
                           char language[LANGUAGE_NAME_MAX])
{
    const size_t lengths[] = {strcspn(name, ".@"), strcspn(name, "_.@")};

    for (int i = 0; i < 2; i++) {
        snprintf(language, LANGUAGE_NAME_MAX, "%.*s", (int)lengths[i], name);
        bool good = lengths[i] >= 2 && lengths[i] < LANGUAGE_NAME_MAX;
        for (const char *at = language; *at != '\0'; at++)
            good = good && (isalpha((unsigned char)*at) || *at == '_');
        for (int place = 0; good && place < FOLDERS; place++)
            if (write_folder(place, folder) && has_catalogue(folder, language))
                return true;
    }
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

enum { LANGUAGES_MAX = 32 };

void language_list(char list[LANGUAGE_LIST_MAX])
{
    char names[LANGUAGES_MAX][LANGUAGE_NAME_MAX], path[PATH_MAX];
    int count = 0;

    for (int place = 0; place < FOLDERS; place++) {
        DIR *folder = write_folder(place, path) ? opendir(path) : NULL;
        struct dirent *entry;
        while (folder != NULL && count < LANGUAGES_MAX && (entry = readdir(folder)) != NULL)
            if (strlen(entry->d_name) < LANGUAGE_NAME_MAX && has_catalogue(path, entry->d_name))
                memcpy(names[count++], entry->d_name, strlen(entry->d_name) + 1);
        if (folder != NULL)
            closedir(folder);
    }
    qsort(names[0], (size_t)count, sizeof names[0], compare_names);
    size_t used = (size_t)snprintf(list, LANGUAGE_LIST_MAX, "en");
    for (int i = 0; i < count && used < LANGUAGE_LIST_MAX; i++)
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
            used += (size_t)snprintf(list + used, LANGUAGE_LIST_MAX - used, ", %s", names[i]);
}

/* ---- The language ---- */

static const char *say_sentence(const char *english)
{
    return dgettext(domain, english);
}

static const char *say_counted(const char *one, const char *many, unsigned long count)
{
    return dngettext(domain, one, many, count);
}

static const struct translator by_catalogue = {say_sentence, say_counted};

extern int _nl_msg_cat_cntr; /* of gettext(), which looks for its catalogue again when it changes */

/* Gettext translates by LANGUAGE, but nothing in the locale "C". So where the environment has no
 * locale that this system knows, one is taken that any system of today has. */
static void use_catalogue(const char *folder, const char *language)
{
    static const char *const others[] = {"C.UTF-8", "en_US.UTF-8"};
    const char *locale = setlocale(LC_MESSAGES, "");

    for (int i = 0;
         i < 2 && (locale == NULL || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0); i++)
        locale = setlocale(LC_MESSAGES, others[i]);
    setenv("LANGUAGE", language, 1);
    bindtextdomain(domain, folder);
    bind_textdomain_codeset(domain, "UTF-8");
    _nl_msg_cat_cntr++;
    text_translate_by(&by_catalogue);
}

/* The locale that the environment names for a category; "" for none. */
static const char *locale_named(const char *category)
{
    const char *const variables[] = {"LC_ALL", category, "LANG"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "";
}

/* Libraries must know the encoding: that of the environment, or UTF-8 where that is meant by a
 * locale that this system does not have, and where the letters of a catalogue need it. */
static void set_encoding(bool english)
{
    bool known = setlocale(LC_CTYPE, "") != NULL;
    bool is_meant = !known && strcasestr(locale_named("LC_CTYPE"), "utf") != NULL;

    if (is_meant || (!english && strcmp(nl_langinfo(CODESET), "UTF-8") != 0))
        setlocale(LC_CTYPE, "C.UTF-8");
}

bool language_choose(const char *wanted, struct cause *cause)
{
    const char *name = wanted != NULL ? wanted : locale_named("LC_MESSAGES");
    bool english = strncmp(name, "en", 2) == 0 && !isalpha((unsigned char)name[2]);
    char folder[PATH_MAX], language[LANGUAGE_NAME_MAX], list[LANGUAGE_LIST_MAX];
    bool found = !english && find_catalogue(name, folder, language);

    if (!found && !english && wanted != NULL) {
        language_list(list);
        return cause_set(cause, "unknown language '%.40s': there are %.120s", wanted, list);
    }
    if (found)
        use_catalogue(folder, language);
    else
        text_translate_by(NULL);
    snprintf(present, sizeof present, "%s", found ? language : "en");
    set_encoding(!found);
    return true;
}

const char *language_name(void)
{
    return present;
}

const char *language_option(int *argc, char *argv[])
{
    static const char option[] = "--language";
    const char *value = NULL;
    int kept = 1;

    for (int i = 1; i < *argc; i++) {
        size_t length = strlen(option);
        bool is_option = strncmp(argv[i], option, length) == 0;
        if (strcmp(argv[i], "--") == 0) {
            while (i < *argc)
                argv[kept++] = argv[i++];
        } else if (is_option && argv[i][length] == '=') {
            value = argv[i] + length + 1;
        } else if (is_option && argv[i][length] == '\0') {
            value = i + 1 < *argc ? argv[++i] : "";
        } else {
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = NULL;
    *argc = kept;
    return value;
}
