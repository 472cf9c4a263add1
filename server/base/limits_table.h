/*
 * The limits that the server applies while it runs, for limits.h, which makes a member of struct
 * limits of each, and boot/server_options.c, which makes an option of it, in this order: the
 * member; the option and its argument; the least and the largest value; the default; what help
 * says.
 */
/* clang-format off */
LIMIT(connections, "max-connections", "N", 1, 1000000, "10000",
      "connections in all")
LIMIT(address_connections, "address-connections", "N", 1, 1000000, "100",
      "connections from one address, except loopback")
LIMIT(player_connections, "player-connections", "N", 1, 16, "8",
      "connections of one player; one more closes the oldest")
LIMIT(line_bytes, "max-line", "BYTES", 128, LINE_BYTES_MAX, "1024",
      "length of a line from a client, with its line end")
LIMIT(rate, "rate", "N", 0, 1000000, "10000",
      "commands a second on one connection; 0: unlimited")
LIMIT(address_rate, "address-rate", "N", 0, 1000000, "10000",
      "commands a second from one address, except loopback; 0: unlimited")
LIMIT(address_names, "address-names", "N", 0, 1000000, "100",
      "new names an hour from one address, except loopback; 0: unlimited")
LIMIT(address_matches, "address-matches", "N", 1, 1000000, "1000",
      "unfinished matches opened from one address, except loopback")
LIMIT(address_kept, "address-kept", "MB", 0, 1000000, "50",
      "megabytes a day that the server keeps for one address, except loopback;\n"
      "0: unlimited")
LIMIT_FLAG(limit_loopback, "limit-loopback",
           "apply the limits of an address to loopback, too")
LIMIT(names, "max-names", "N", 1, 10000000, "10000",
      "names remembered")
LIMIT(matches, "max-matches", "N", 1, 1000000, "100",
      "unfinished matches opened by one player")
LIMIT(unfinished, "max-unfinished", "N", 1, 10000000, "10000",
      "unfinished matches in all")
LIMIT(watchers, "max-watchers", "N", 1, 1000000, "1000",
      "watchers of one match")
LIMIT(chat_bytes, "max-chat", "BYTES", 1, 1024, "500",
      "length of a chat line")
LIMIT(chat_rate, "chat-rate", "N", 0, 6000, "60",
      "chat lines a minute of one player, ten seconds' worth at once;\n"
      "0: unlimited")
LIMIT(watch_chat, "watch-chat", "N", 0, 6000, "60",
      "chat lines a minute of all who watch one match, and of one watcher with a\n"
      "name, or all guests from one address; 0: unlimited")
LIMIT(challenges, "challenges", "N", 0, 6000, "60",
      "challenges a minute to one player; 0: unlimited")
LIMIT(guest_joins, "guest-joins", "N", 0, 6000, "30",
      "open matches of others a minute that a player with a name may join, or all\n"
      "guests from one address, except loopback; 0: unlimited")
LIMIT(finished, "keep-finished", "N", 1, 10000000, "1000",
      "finished matches kept in memory")
LIMIT(keep_days, "keep-days", "DAYS", 0, 36500, "0",
      "after DAYS days, finished matches go from the store into a PGN file of their\n"
      "month, in archive/ beside the store; 0: never")
LIMIT(keep_megabytes, "keep-bytes", "MEGABYTES", 0, 1000000000, "0",
      "the oldest finished matches go there while the store is larger; 0: never")
LIMIT(errors, "max-errors", "N", 1, 1000000, "100",
      "consecutive errors before a connection is closed")
LIMIT(pending_bytes, "max-pending", "BYTES", 65536, 1 << 30, "262144",
      "unread output before a connection is closed")
LIMIT(slow_s, "slow", "SECONDS", 1, 86400, "30",
      "time for which a quarter of that may stay unread")
LIMIT(lines_per_turn, "lines-per-turn", "N", 1, 10000, "16",
      "commands of one connection before other connections get their turn")
LIMIT(first_line_s, "first-line", "SECONDS", 1, 86400, "10",
      "time for a new connection to send its first line")
LIMIT(idle_s, "idle", "SECONDS", 2, 86400, "60",
      "silence before a connection is closed; half of it brings a ping")
LIMIT(text_idle_s, "text-idle", "SECONDS", 2, 86400, "1800",
      "silence before a connection in text format is closed")
LIMIT(grace_s, "grace", "SECONDS", 0, 86400, "120",
      "absence of a player before the opponent may claim the win")
LIMIT(abandon_days, "abandon", "DAYS", 1, 36500, "14",
      "absence of all players before a match without running clock is aborted")
LIMIT(bot_stall_s, "bot-stall", "SECONDS", 1, 86400, "600",
      "time for a bot's move when no clock runs")
LIMIT(stall_days, "stall", "DAYS", 0, 36500, "14",
      "time for a person's move when no clock runs, before the opponent may claim the\n"
      "win; 0: unlimited")
LIMIT(first_move_s, "first-move", "SECONDS", 0, 2592000, "86400",
      "time for the first move of a player who took an open seat, when no clock runs;\n"
      "then the seat is open again; 0: unlimited")
LIMIT(drain_s, "drain", "SECONDS", 0, 60, "3",
      "time for clients to read their last lines when the server stops")
/* clang-format on */
