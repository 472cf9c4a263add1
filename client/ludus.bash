# bash completion for ludus.

# Games, and with their variants, as the program's help lists them.
_ludus_games()
{
    "${1/#\~/$HOME}" --help 2>/dev/null | awk '/^Games:/ { on = 1; next }
        !NF { on = 0 }
        on { print $1; for (i = 2; i <= NF; i++) print $1 ":" $i }'
}

_ludus()
{
    local seats='me open bot:random bot:greedy bot:gentle bot:easy bot:medium bot:hard bot:expert bot:master bot:max'
    local typed=${COMP_LINE:0:COMP_POINT} server='--connect --tls --code --name --json --help'
    local typed_word=${typed##*[[:space:]]} options values='' kind='' words word before breaks at=1
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}
    # Options may stand before the command.
    while [[ ${words[at]} == --* ]]; do
        case ${words[at]} in
        *=* | --tls | --line | --json | --plain | --all | --pgn | --times | --private | --rated | --unrated | --no-qr | \
            --new-code | --help) ((at += 1)) ;;
        *) ((at += 2)) ;;
        esac
    done

    case ${words[at]} in
    host) options='--name --color --clock --unrated --new-code --no-qr --line --help' kind=games ;;
    join) options='--code --name --tls --line --help' kind='-A hostname' ;;
    seek) options='--connect --tls --code --name --clock --color --rating --bots --unrated --line --help' kind=games ;;
    list | who | history) options="$server --from --limit --all --plain" ;;
    inbox | games | stats | state | moves) options="$server --plain" ;;
    top) options="$server --plain" kind=games ;;
    watch) options="$server --plain --pace" values=lobby ;;
    new) options="$server --vs --color --white --black --clock --position --rated --unrated --private" kind=games ;;
    move) options="$server --ply" ;;
    say | display | device | draw | undo | resign) options=$server ;;
    hint) options='--connect --tls --code --name --help' ;;
    record) options="$server --pgn --times" ;;
    share) options='--connect --tls --code --name --ply --svg --cast --help' ;;
    export) options='--connect --tls --code --name --jsonl --from --game --after --help' ;;
    tournament)
        options="$server --plain --pgn" values='new list show series watch export join leave kick start pause resume abort'
        ;;
    course) options=--help values='init run add expel replay pause resume submit report' kind=-f ;;
    rules) options=--help kind=games ;;
    learn) options='--line --help' kind=games ;;
    puzzle) options='--daily --help' kind=games ;;
    replay) options='--all --line --help' kind=-f ;;
    review) options="$server --movetime --pgn --line" kind=-f ;;
    *)
        options='--connect --name --tls --code --device --play --vs --color --white --black --clock --position
            --rated --unrated --join --watch --line --language --help --version'
        [[ ${#words[@]} -gt at && ${words[at]} != help ]] || values='host join seek list who top history inbox games stats new
            state watch moves move draw undo resign hint say record share export display device tournament course rules learn puzzle replay review help'
        ;;
    esac
    case $before in
    --connect) values='' kind='-A hostname' ;;
    --play | --game) values='' kind=games ;;
    --vs | --white | --black) values=$seats kind='' ;;
    --language) values='en pt' kind='' ;;
    --color) values='white black random' kind='' ;;
    --bots) values='yes no only' kind='' ;;
    --name | --code | --clock | --rating | --position | --join | --watch | --ply | --movetime | --pace | --from | --after) return ;;
    *) [[ $word != -* ]] || values=$options kind='' ;;
    esac

    [[ $kind != games ]] || values=$(_ludus_games "${words[0]}") kind=''
    [[ $kind != -f ]] || compopt -o filenames 2>/dev/null
    # shellcheck disable=SC2086 # $kind is an option and its argument
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludus ludus
