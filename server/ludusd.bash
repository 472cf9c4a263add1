# bash completion for ludusd.
_ludusd()
{
    local typed=${COMP_LINE:0:COMP_POINT}
    local typed_word=${typed##*[[:space:]]} values=check kind='' words word before breaks
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    case $before in
    --data) values=none kind=-d ;;
    --export) values='' kind=-d ;;
    --config) values=none kind=-f ;;
    --tls-cert | --tls-key | --bot-program | --log) values='' kind=-f ;;
    --user) values='' kind=-u ;;
    --durability) values='process power' ;;
    --log-level) values='debug info warn error' ;;
    --bots) values='random greedy easy medium hard max' word=${word##*,} ;;
    --lan | --open | --no-bots | --limit-loopback | --no-fence | --check-config | [!-]*)
        [[ $word != -* ]] || values='--listen --lan --code --open --tls-cert --tls-key --tls-port --data
            --durability --export --no-bots --bots --bot-program --max-connections
            --address-connections --max-line --rate --address-rate --address-names --address-matches
            --limit-loopback --max-names --max-matches --max-unfinished --max-watchers --max-chat
            --chat-rate --keep-finished --max-errors --max-pending --slow --lines-per-turn --first-line
            --idle --text-idle --grace --abandon --bot-stall --drain --log --log-level --user --no-fence
            --metrics --config --check-config --help --version'
        ;;
    *) return ;; # the value of another option
    esac

    [[ $kind != -[df] ]] || compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludusd ludusd
