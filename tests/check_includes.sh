#!/bin/sh
# Checks who includes whom: the layers of the program. A rule looks at everything that a file
# includes, directly or through other headers of the project. Run from the root of the sources.
set -u

# shellcheck disable=SC2046 # no file of the sources has a space in its name
awk '
FNR == 1 { files[++file_count] = FILENAME }

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    split($0, parts, /[<">]/)
    includes[FILENAME] = includes[FILENAME] " " ($0 ~ /</ ? "<" parts[2] ">" : resolve(parts[2]))
}

# Code that the rules on calls and variables look at: no comments, no include lines.
!/^[ \t]*(\/?\*|\/\/|#[ \t]*include)/ { code[FILENAME] = code[FILENAME] FNR ":" $0 "\n" }

END {
    c_library = "^<(assert|ctype|inttypes|limits|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings)[.]h>$"
    sockets = "^<(sys/socket|sys/un|netinet/.*|arpa/.*|netdb|poll|sys/epoll)[.]?h?>$"

    rule("games include common headers and the C library only",
         "^common/games/", "", "only", "^common/|" c_library)
    rule("common/ knows neither server nor client",
         "^common/", "", "never", "^(server|client)/")
    rule("common/ knows no clock, files or sockets",
         "^common/", "", "never", "^<(time|sys/|unistd|fcntl|poll|signal|netdb|netinet|arpa)")
    rule("in common/ only board_json turns positions into JSON",
         "^common/", "^common/board_json[.]", "never", "^<cjson/|^common/board_json")
    rule("only the loop, connections, listeners, metrics and lan of the server know libevent",
         "^", "^server/(loop|connection|listener|metrics_http|beacon_listener|avahi_poll|dns_sd|lan)[.][ch]$",
         "never", "^<event")
    rule("nothing uses HTTP, DNS and RPC of libevent, in which most of its bugs were found",
         "^", "", "never", "^<event2/(http|dns|rpc)")
    rule("Avahi is known to two files of the server, and to the search of the client",
         "^", "^(server/(avahi_poll|dns_sd)|client/lan/(search|asking|browsing|browser))[.][ch]$", "never",
         "^<avahi-")
    rule("TLS is known to connections and the certificate, and to one file of the client",
         "^", "^(server/(connection|certificate)|client/link/tls)[.]c$", "never", "^<openssl/")
    rule("only server/database.c knows SQLite",
         "^", "^server/database[.]c$", "never", "^<sqlite3")
    rule("the store knows no sessions and commands",
         "^server/(database|store|store_load|store_check)[.]", "", "never", "^server/(session|command|server|turn|announce)[.]h$")
    rule("a match knows the rules and itself only",
         "^server/match[.]", "", "only", "^common/|^server/(match|clock|status)[.]h$|" c_library)
    rule("a clock knows nothing of the match",
         "^server/clock[.]", "", "only", "^common/|^server/clock[.]h$|" c_library)
    rule("deadlines know neither matches nor the loop",
         "^server/deadline[.]", "", "only", "^server/deadline[.]h$|" c_library)
    rule("what cuts lines knows neither sockets nor sessions",
         "^server/splitter[.]", "", "only", "^common/|^server/splitter[.]h$|" c_library)
    rule("a match knows no JSON",
         "^server/match[.]", "", "never", "^<cjson/|^common/(board_json|json_text)")
    rule("the server knows nothing of the client",
         "^server/", "", "never", "^client/")
    rule("the client knows common/ and itself only",
         "^client/", "", "only", "^(common|client)/|^<")
    rule("only client/screen/ knows curses",
         "^", "^client/screen/", "never", "^<(n?curses|ncursesw/.*|term)[.]?h?>$")
    rule("talking to engines knows neither the bridge nor the bots",
         "^client/engine/", "", "only", "^common/|^client/engine/|^<")
    rule("sessions and commands know no sockets",
         "^server/",
         "^server/(loop|connection|listener|beacon_listener|invitation|address|attached|advert|avahi_poll|systemd|metrics_http)[.][ch]$", "never",
         sockets)

    rule_code("games allocate nothing, print nothing and ask for no time", "^common/games/",
              "(^|[^a-z_])(malloc|calloc|realloc|free|strdup|f?printf|f?puts|putchar|fopen|read|write|time|rand|getenv)[(]")
    rule_code("games have no variables that change", "^common/games/",
              "^[0-9]+:([ \t]*static |[a-z])[^(]*[;=]", "(^|[^a-z_])(const|enum|typedef)[ \t]")

    printf "check_includes: %d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}

# The path, from the root, of what the present file includes as "name".
function resolve(name,   folder, path) {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    path = folder name
    while (sub(/[^\/]+\/\.\.\//, "", path)) continue
    return (path in exists) ? path : name
}

# Marks in seen[] what a file includes, and for each the file that includes it.
function follow(file,   list, count, i) {
    count = split(includes[file], list, " ")
    for (i = 1; i <= count; i++) {
        if (list[i] in seen) continue
        seen[list[i]] = file
        follow(list[i])
    }
}

function rule(title, where, except, kind, what,   i, header, matched, bad) {
    for (i = 1; i <= file_count; i++) {
        if (files[i] !~ where || (except != "" && files[i] ~ except)) continue
        matched++
        split("", seen)
        follow(files[i])
        for (header in seen) {
            if ((header ~ what) == (kind == "only")) continue
            bad++
            printf "%s: %s includes %s", title, files[i], header
            print (seen[header] == files[i] ? "" : " (through " seen[header] ")")
        }
    }
    count_rule(title, matched, bad)
}

# Lines that match `what`, but for those that match `unless`.
function rule_code(title, where, what, unless,   i, j, lines, count, matched, bad) {
    for (i = 1; i <= file_count; i++) {
        if (files[i] !~ where) continue
        matched++
        count = split(code[files[i]], lines, "\n")
        for (j = 1; j <= count; j++) {
            if (lines[j] !~ what || (unless != "" && lines[j] ~ unless)) continue
            bad++
            printf "%s: %s:%s\n", title, files[i], lines[j]
        }
    }
    count_rule(title, matched, bad)
}

# A rule about no file at all is not kept but forgotten.
function count_rule(title, matched, bad) {
    if (!matched) print title ": no such files"
    if (matched && !bad) passed++; else failed++
}

BEGIN { for (i = 1; i < ARGC; i++) exists[ARGV[i]] }
' $(find common server client -name '*.[ch]' | sort)
