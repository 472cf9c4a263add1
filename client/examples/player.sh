#!/usr/bin/env bash
# A bot for a Ludus server, in Bash alone, to copy: replace choose().
#
# usage: player.sh NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]
# It accepts challenges, or looks for opponents with seek= or tournament=, and plays many matches at once. It
# comes back after a lost connection, with the token that it keeps in the file NAME.token. Ctrl-C ends it.
set -f
trap '' PIPE
trap "exit 130" INT TERM
trap 'kill $(jobs -p) 2>/dev/null' EXIT
LC_ALL=C games=" clobber xadrersi latrunculi shakti " matches_max=8 retry_s=300

# Sets `move`: it is our turn. `legal` has the moves, `line` the whole state, of which `field position` sets REPLY to the position. It
# must not take more than 20 s, or the server misses us.
choose() { move=${legal[RANDOM % ${#legal[@]}]}; }
fail() { echo "player.sh: $1" >&2; exit 1; }
send() { printf '%s\n' "$1" 2>/dev/null >&3; } # the loop, which reads, notices a lost connection
send_later() { # MILLISECONDS LINE. What a server says is data, never an expression
    [[ $1 =~ ^[0-9]{1,9}$ ]] && (sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))" 3>&-; send "$2") &
}

# Sets REPLY to a member of the message, or to "". In texts quotes are never bare, so a pattern finds it.
field() { # NAME [TEXT]
    local pattern="\"$1\": ?(\"(([^\"\\\\]|\\\\.)*)\"|([^],}]*))"
    [[ ${2-$line} =~ $pattern ]] && REPLY=${BASH_REMATCH[2]}${BASH_REMATCH[4]} || REPLY=
}

hello() {
    local token=; [ -e "$name.token" ] && token=" token=$(<"$name.token")"
    send "hello $name bot=yes only=yes client=player.sh max=$matches_max$token"
}

welcome() {
    field token; (umask 077; printf %s "$REPLY" >"$name.token")
    welcome=yes; echo "$name plays at $address"
    field matches; [[ $REPLY ]] && send "#50 list mine from=50" # more than the 50 that come by themselves
    [[ ${wishes[seek]} ]] && send "seek ${wishes[seek]} ${wishes[clock]+clock=}${wishes[clock]} repeat=yes"
    [[ ${wishes[tournament]} ]] && send "tournament join ${wishes[tournament]}"
}

on_error() {
    local text; field message; text=$REPLY; field code
    case $cmd,$REPLY in
    move,rate-limited | move,server-busy | move,internal) # nothing has changed, so no state comes
        field id; text=${moves[$REPLY]}
        field retry_ms; send_later "${REPLY:-1000}" "$text" ;;
    hello,rate-limited | hello,server-busy | hello,internal) lost=yes ;;
    hello,*)
        [[ $REPLY =~ ^(name-taken|bad-token)$ && -e $name.token ]] || fail "$text"
        rm "$name.token"; hello ;; # the server does not know us any more
    seek,* | tournament,*) echo "$cmd: $text" ;;
    esac
}

answer() { # an offer, of which it is the text
    local what; field what "$1"; what=$REPLY
    field from "$1"; [[ $REPLY == "$name" ]] && return
    [[ $what == undo || $what == rematch && ${#matches[@]} -lt $matches_max ]] || what=decline
    send "$what $match"
}

on_state() {
    local you rest move legal pattern='"legal": ?\[([^]]+)\]'
    field you; you=$REPLY; field status
    if [[ $REPLY == over && ${matches[$match]} ]]; then
        unset "matches[$match]"; field result; echo "match $match: $REPLY, we were $you"
    elif [[ $REPLY != over && $you != null ]]; then
        rest=${line#*\"offers\":*[}
        while [[ ! ${matches[$match]} && $rest =~ ^[,\ ]*(\{[^{}]*\}) ]]; do # made while we were away
            rest=${rest#"${BASH_REMATCH[0]}"}; answer "${BASH_REMATCH[1]}"
        done
        matches[$match]=yes
        [[ $line =~ $pattern ]] || return
        IFS=, read -ra legal <<<"${BASH_REMATCH[1]//[\" ]/}"
        choose
        field ply; moves[$match]="#$match move $match $move ply=$REPLY"
        send "${moves[$match]}"
    fi
}

on_message() { # of type $REPLY
    case $REPLY in
    ok) [[ $cmd == hello ]] && welcome ;;
    error) on_error ;;
    state) on_state ;;
    list)
        mapfile -t rows < <(grep -o '"match": *"[^"]*"' <<<"$line" | cut -d'"' -f4)
        for match in "${rows[@]}"; do send "state $match"; done
        field id; [[ $REPLY =~ ^[0-9]{1,9}$ ]] && from=$((REPLY + ${#rows[@]}))
        ((${#rows[@]})) && send "#$from list mine from=$from" ;;
    challenge)
        if field game; ((${#matches[@]} >= matches_max)); then send "decline $match busy"
        elif [[ $games == *" $REPLY "* ]]; then send "join $match"; else send "decline $match game"; fi ;;
    offer) field open; [[ $REPLY == true ]] && answer "$line" ;;
    presence) field name; [[ $REPLY != "$name" ]] && field claim_ms && send_later "$REPLY" "claim $match" ;; # the opponent has gone
    ping) send ping ;;
    bye) field reason; [[ $REPLY =~ ^(replaced|too-many-errors|limit)$ ]] && fail "the server says goodbye: $REPLY" ;;
    esac
}

declare -A wishes=()
for word in "$@"; do [[ $word == *=* ]] && wishes[${word%%=*}]=${word#*=} || words+=("$word"); done
name=${words[0]} address=${words[1]-localhost:7117}
[[ $name ]] || fail "usage: player.sh NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]"
host=${address%:*} port=${address##*:}
[[ $address == *:* && $port =~ ^[0-9]+$ ]] || fail "$address: write HOST:PORT"
host=${host#[} host=${host%]} lost_s=$SECONDS
while ((SECONDS < lost_s + retry_s)); do
    declare -A matches=() moves=()
    welcome='' lost=''
    { exec 3<>"/dev/tcp/$host/$port"; } 2>/dev/null && hello || lost=yes
    while [[ ! $lost ]] && IFS= read -t 90 -u 3 -r line; do # it is never silent for 90 s
        field match; match=$REPLY; field cmd; cmd=$REPLY
        field type; [[ $match =~ ^[A-Za-z0-9_-]*$ ]] && on_message
    done
    exec 3>&-
    if [[ $welcome ]]; then lost_s=$SECONDS; sleep 0.2; else sleep 2; fi
done
fail "no server"
