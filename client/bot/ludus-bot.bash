# bash completion for ludus-bot.

# Games, and with their variants, as the program's help lists them.
_ludus_bot_games()
{
    "${1/#\~/$HOME}" --help 2>/dev/null | awk '/^Games:/ { on = 1; next }
        !NF { on = 0 }
        on { print $1; for (i = 2; i <= NF; i++) print $1 ":" $i }'
}

_ludus_bot()
{
    local levels='random greedy gentle easy medium hard expert master max'
    local typed=${COMP_LINE:0:COMP_POINT}
    local typed_word=${typed##*[[:space:]]} options values='' kind='' words word before breaks
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    case ${words[1]} in
    ugi) options='--level --seed' ;;
    gauntlet)
        options='--game --movetime --nodes --clock --margin --startup --restart --memory --pairs --parallel --opening --openings
            --adjudicate-score --adjudicate-plies --adjudicate-draw --draw-from --adjudicate-solver --plies --sprt --seed --option
            --player --gauntlet --event --site --progress --json --engine-log --pgn --resume'
        values=$levels kind=-f
        ;;
    solve) options='--outcome --all --json --memory --threads --progress --book --openings --effort' kind=boards ;;
    review) options='--movetime --nodes --threads --words' ;;
    perft) options='--game' kind=games ;;
    selfplay) options='--games --nodes --level --opening --seed --jsonl' kind=games ;;
    puzzles) options='--seed' kind=games ;;
    openings) options='--plies --nodes --matches --level --seed' kind=games ;;
    check-bot) options='--game' kind=-c ;;
    check) options='--game --protocol --startup --option --engine-log' kind=-f ;;
    *)
        options='--connect --name --level --join --seek --clock --tournament --accept-games --accept-clocks
            --opponents --first-move --max-matches --token --token-file --tls --code --retry --config --house
            --threads --seed --quiet'
        ((${#words[@]} > 1)) || values='ugi gauntlet solve review perft selfplay puzzles openings check check-bot'
        ;;
    esac
    case $before in
    --connect) values='' kind='-A hostname' ;;
    --protocol) values='ugi uci gtp auto' kind='' ;;
    --level | --house) values=$levels kind='' ;;
    --game | --seek | --accept-games) values='' kind=games ;;
    --pgn | --resume | --openings | --engine-log | --config | --token-file | --book | --file) values='' kind=-f ;;
    --name | --join | --tournament | --accept-clocks | --opponents | --first-move | --max-matches | --token | --code | --retry | --threads | --seed | --movetime | --nodes | --clock | \
        --margin | --startup | --draw-from | --player | --event | --site | --pairs | --parallel | --opening | --adjudicate-* | --plies | --matches | --sprt | --option | --memory | --openings | --effort | --progress) return ;;
    *) [[ $word != -* ]] || values="$options --help --version" kind='' ;;
    esac

    [[ $kind != games ]] || values=$(_ludus_bot_games "${words[0]}") kind=''
    [[ $kind != boards ]] || values=$(_ludus_bot_games "${words[0]}" | grep '^clobber:') kind=''
    [[ $kind != -f ]] || compopt -o filenames 2>/dev/null
    # shellcheck disable=SC2086 # $kind is an option and its argument
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludus_bot ludus-bot
