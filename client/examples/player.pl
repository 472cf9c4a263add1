#!/usr/bin/env swipl
/* A bot for a Ludus server, to copy: it plays Clobber by alpha-beta search, over the rules that stand here.

usage: swipl player.pl NAME [HOST:PORT] [seek=clobber[:SIZE]] [clock=BASE+INC] [tournament=ID]
It accepts challenges, or looks for opponents with seek= or tournament=, and plays many matches at once. It
comes back after a lost connection, with the token that it keeps in the file NAME.token. Ctrl-C ends it. */
:- use_module([library(filesex), library(http/json), library(random), library(socket), library(time)]).
:- dynamic me/2, wish/2, server/1, match/1, sent/2, welcome/0.
:- on_signal(int, _, leave), on_signal(term, _, leave).
:- initialization(main, main).

/* The rules. A board is squares(S1, S2, ...) from a1 on, each white, black or empty. A stone moves onto a neighbour of the other colour. */
legal(Board, Width, Side, From-To) :- other(Side, Other), arg(From, Board, Side), neighbour(Width, From, To), arg(To, Board, Other).
neighbour(Width, From, To) :- From mod Width =\= 0, To is From + 1.
neighbour(Width, From, To) :- From mod Width =\= 1, Width > 1, To is From - 1.
neighbour(Width, From, To) :- To is From + Width.
neighbour(Width, From, To) :- From > Width, To is From - Width.
after(Board, From-To, Side, After) :- duplicate_term(Board, After), nb_setarg(From, After, empty), nb_setarg(To, After, Side).
other(white, black).
other(black, white).

/* The search: value of a position for the side to move, and the best move. Who cannot move has lost; else the more moves, the better. */
search(Board, Width, Side, Depth, Alpha, Beta, Move, Value) :-
    findall(M, legal(Board, Width, Side, M), Moves), length(Moves, Count),
    (   Count =:= 0 -> Move = none, Value is -1000 - Depth
    ;   Depth =:= 0 -> Move = none, other(Side, Other), aggregate_all(count, distinct_from(Board, Width, Other), Theirs),
        aggregate_all(count, distinct_from(Board, Width, Side), Mine), Value is Mine - Theirs
    ;   Moves = [First|_], best(Moves, Board, Width, Side, Depth, Alpha, Beta, First, Move, Value) ).

distinct_from(Board, Width, Side) :- arg(From, Board, Side), once(legal(Board, Width, Side, From-_)).

best([], _, _, _, _, Alpha, _, Move, Move, Alpha).
best([M|Moves], Board, Width, Side, Depth, Alpha, Beta, Best, Move, Value) :-
    after(Board, M, Side, After), other(Side, Other), Less is Depth - 1, A is -Beta, B is -Alpha,
    search(After, Width, Other, Less, A, B, _, Negated), V is -Negated,
    (   V >= Beta -> Move = M, Value = V
    ;   V > Alpha -> best(Moves, Board, Width, Side, Depth, V, Beta, M, Move, Value)
    ;   best(Moves, Board, Width, Side, Depth, Alpha, Beta, Best, Move, Value) ).

/* Finds a move: it is our turn. Looks ever deeper for a part of the time; above 20 s the server would miss us. */
choose(State, Move) :-
    reverse(State.board, Ranks), maplist(string_chars, Ranks, Rows), Rows = [Row|_], length(Row, Width), append(Rows, Cells),
    maplist([Cell, Square]>>memberchk(Cell-Square, ['P'-white, p-black, '.'-empty]), Cells, Squares), Board =.. [squares|Squares],
    atom_string(Side, State.turn), atom_concat(Side, '_ms', Key), random_member(Any, State.legal), nb_setval(move, Any),
    aggregate_all(count, match(_), Count), % which share the time
    (   is_dict(State.clock) -> Seconds is max(0.02, min(1, State.clock.Key / 40000 / Count)) ; Seconds = 0.3 ),
    catch(call_with_time_limit(Seconds, deepen(Board, Width, Side, 1)), time_limit_exceeded, true), nb_getval(move, Move).

deepen(Board, Width, Side, Depth) :-
    search(Board, Width, Side, Depth, -5000, 5000, From-To, Value), maplist(square(Width), [From, To], Names),
    atomic_list_concat(Names, Move), nb_setval(move, Move), Next is Depth + 1,
    (   abs(Value) < 1000, Next < 30 -> deepen(Board, Width, Side, Next) ; true ).

square(Width, Number, Name) :-
    File is 0'a + (Number - 1) mod Width, Rank is (Number - 1) // Width + 1, format(atom(Name), "~c~d", [File, Rank]).

/* The player. on(Type, Message) answers a message; others are passed over. */
send(Format, Values) :- format(string(Line), Format, Values),
    catch((server(Server), format(Server, "~s~n", [Line]), flush_output(Server)), _, true).

send_later(Seconds, Line) :- thread_create((sleep(Seconds), send("~w", [Line])), _, [detached(true)]).

hello :- me(Name, File), ( catch(read_file_to_string(File, Token, []), _, fail) -> atom_concat(' token=', Token, Word) ; Word = '' ),
    send("hello ~w bot=yes only=yes client=player.pl max=8~w", [Name, Word]).

on(ok, M) :- M.cmd == "hello", me(Name, File), assertz(welcome), format("~w plays~n", [Name]),
    open(File, write, New), chmod(File, 0o600), write(New, M.token), close(New),
    ( get_dict(matches, M, _) -> send("#50 list mine from=50", []) ; true ), % more than the 50 that come by themselves
    ( wish(clock, Clock) -> atom_concat('clock=', Clock, Word) ; Word = '' ),
    forall(wish(seek, Game), send("seek ~w ~w repeat=yes", [Game, Word])), forall(wish(tournament, Id), send("tournament join ~w", [Id])).
on(error, M) :- get_dict(cmd, M, Cmd), refused(Cmd, M.code, M).
on(state, M) :- M.status == "over", retract(match(M.match)), format("match ~w: ~w, we were ~w~n", [M.match, M.result, M.you]).
on(state, M) :- M.status \== "over", M.you \== null,
    ( match(M.match) -> true ; forall(member(Offer, M.offers), answer(Offer, M.match)), assertz(match(M.match)) ), % made while we were away
    get_dict(legal, M, [_|_]), choose(M, Move), retractall(sent(M.match, _)),
    format(string(Line), "#~w move ~w ~w ply=~w", [M.match, M.match, Move, M.ply]), assertz(sent(M.match, Line)), send("~w", [Line]).
on(list, M) :- forall(member(Row, M.matches), send("state ~w", [Row.match])), length(M.matches, Count), Count > 0,
    number_string(From, M.id), Next is From + Count, send("#~d list mine from=~d", [Next, Next]).
on(challenge, M) :- aggregate_all(count, match(_), Count),
    ( Count >= 8 -> Line = "decline ~w busy" ; M.game == "clobber" -> Line = "join ~w" ; Line = "decline ~w game" ), send(Line, [M.match]).
on(offer, M) :- M.open == true, answer(M, M.match).
on(presence, M) :- number(M.claim_ms), \+ own(M.name), Seconds is M.claim_ms / 1000.0 + 0.1, % the opponent has gone
    format(string(Line), "claim ~w", [M.match]), send_later(Seconds, Line).
on(ping, _) :- send("ping", []).
on(bye, M) :- member(M.reason, ["replaced", "too-many-errors", "limit"]), fail_with("the server says goodbye: ~w", [M.reason]).
own(Name) :- me(Me, _), atom_string(Me, Name).
answer(Offer, _) :- own(Offer.from), !.
answer(Offer, Match) :- aggregate_all(count, match(_), Count),
    ( ( Offer.what == "undo" ; Offer.what == "rematch", Count < 8 ) -> send("~w ~w", [Offer.what, Match]) ; send("decline ~w", [Match]) ).

refused("move", Code, M) :- passes(Code), sent(M.id, Line), % nothing has changed, so no state comes
    ( get_dict(retry_ms, M, Wait) -> true ; Wait = 1000 ), Seconds is Wait / 1000.0, send_later(Seconds, Line).
refused("hello", Code, M) :- passes(Code) -> throw(error(M.message, _))
    ; memberchk(Code, ["name-taken", "bad-token"]), me(_, File), exists_file(File) -> delete_file(File), hello % we are new there
    ; fail_with("~w", [M.message]).
refused(Cmd, _, M) :- memberchk(Cmd, ["seek", "tournament"]), format("~w: ~w~n", [Cmd, M.message]).

passes(Code) :- memberchk(Code, ["rate-limited", "server-busy", "internal"]).

fail_with(Format, Values) :- format(user_error, "player.pl: ", []), format(user_error, Format, Values), nl(user_error), halt(1).
leave(_) :- halt(130).
play(Host, Port) :- retractall(match(_)), retractall(server(_)), retractall(welcome),
    setup_call_cleanup(tcp_connect(Host:Port, Server, []),
        ( set_stream(Server, encoding(utf8)), set_stream(Server, timeout(90)), assertz(server(Server)), hello, listen(Server) ),
        close(Server, [force(true)])).

listen(Server) :- read_line_to_string(Server, Line), string(Line), !, atom_json_dict(Line, M, []), atom_string(Type, M.type),
    ignore(on(Type, M)), listen(Server).

keep_playing(Host, Port, Lost) :- catch(ignore(play(Host, Port)), error(_, _), true), get_time(Now),
    ( welcome -> Since = Now ; Since = Lost ), ( Now > Since + 300 -> fail_with("no server", []) ; true ),
    sleep(0.3), keep_playing(Host, Port, Since).

main :- current_prolog_flag(argv, Words), set_stream(user_output, buffer(line)),
    partition([Word]>>sub_atom(Word, _, _, _, =), Words, Wishes, Rest),
    forall(( member(Wish, Wishes), atomic_list_concat([Key, Value], =, Wish) ), assertz(wish(Key, Value))),
    ( Rest = [Name, Address|_] -> true ; Rest = [Name], Address = 'localhost:7117' -> true
    ; fail_with("usage: player.pl NAME [HOST:PORT] [seek=GAME] [clock=BASE+INC] [tournament=ID]", []) ),
    ( atomic_list_concat([Host, Digits], :, Address), atom_number(Digits, Port) -> true ; fail_with("~w: write HOST:PORT", [Address]) ),
    atom_concat(Name, '.token', File), assertz(me(Name, File)), get_time(Now), keep_playing(Host, Port, Now).
