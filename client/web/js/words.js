// Sentences about matches.
import { h } from './dom.js';
import { moveParts } from './grid.js';
import { say, sayPlural, told } from './language.js';
import { displayOf } from './names.js';

/** Why a side has lost, white first. @type {{[reason: string]: () => [string, string]}} */
const LOSSES = {
	'no-moves': () => [say('White cannot move.'), say('Black cannot move.')],
	'score': () => [say('White has fewer points.'), say('Black has fewer points.')],
	'dux-immobilised': () => [say('White’s dux is immobilised.'), say('Black’s dux is immobilised.')],
	'no-soldiers': () => [say('White has no soldiers left.'), say('Black has no soldiers left.')],
	'checkmate': () => [say('White is checkmated.'), say('Black is checkmated.')],
	'resign': () => [say('White resigned.'), say('Black resigned.')],
	'timeout': () => [say('White ran out of time.'), say('Black ran out of time.')],
	'forfeit': () => [say('White left the match.'), say('Black left the match.')],
};

/** Why it is a draw. @type {{[reason: string]: () => string}} */
const DRAWS = {
	'no-moves': () => say('Neither side can move.'),
	'score': () => say('Both sides have as many points.'),
	'repetition': () => say('The same position came for the third time.'),
	'no-capture': () => say('100 plies went by without a capture.'),
	'draw-agreed': () => say('Both players agreed.'),
};

/** The house bots, by their levels. @type {{[level: string]: () => string}} */
const BOTS = {
	random: () => say('Random bot'), greedy: () => say('Greedy bot'), gentle: () => say('Gentle bot'), easy: () => say('Easy bot'), medium: () => say('Medium bot'),
	hard: () => say('Hard bot'), expert: () => say('Expert bot'), master: () => say('Master bot'), max: () => say('Max bot'),
};

/** @param {string} text */
export function capital(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A player's name for people, in plain text: the display name, whose direction stays its own (U+2068 and U+2069). @param {string | null | undefined} name */
export function nameOf(name) {
	const display = displayOf(name);

	if (!name) return say('Open seat');
	if (display) return `\u2068${display}\u2069`;
	return name.startsWith('bot:') ? BOTS[name.slice(4)]?.() ?? say('{name} bot', { name: capital(name.slice(4)) }) : name;
}

/** The same as an element, which tells the name that is typed, too. @param {string | null | undefined} name @returns {Child} */
export function shownName(name) {
	const display = displayOf(name);

	return display ? h('bdi', { title: name }, display) : nameOf(name);
}

/** The name that is typed, in brackets, of who is shown by another one: for those who have to know who it is, on a phone, too.
 * @param {string | null | undefined} name */
export function typedName(name) {
	return displayOf(name) ? ` (${name})` : '';
}

/** @param {string} result @param {string | null} reason */
export function resultWords(result, reason) {
	const winner = /** @type {Color | null} */ (result === '1-0' ? 'white' : result === '0-1' ? 'black' : null);
	const [white, black] = LOSSES[reason ?? '']?.() ?? ['', ''];

	if (winner !== null) return { winner, headline: winner === 'white' ? say('White wins') : say('Black wins'), detail: winner === 'white' ? black : white };
	if (result === '1/2-1/2') return { winner, headline: say('A draw'), detail: DRAWS[reason ?? '']?.() ?? '' };
	return { winner, headline: say('Broken off'), detail: say('The match ended without a result.') };
}

/** The result as this player sees it. @param {State} state */
export function outcomeWords(state) {
	const words = resultWords(state.result, state.reason);

	if (words.winner === null || state.you === null || state.you === 'both') return words;
	return { ...words, headline: state.you === words.winner ? say('You won') : say('You lost') };
}

/** The other player, for one who sits on one side. @param {State} state */
export function opponentOf({ you, players }) {
	return you === 'white' ? players.black : you === 'black' ? players.white : null;
}

/** Those who were challenged and have not answered. @param {State} state @returns {string[]} */
export function awaited({ players }) {
	return [players.white, players.black].flatMap(player => (player && !player.seated ? [player.name] : []));
}

/**
 * What a finished match has changed for this player. @param {State} state
 * @param {{white?: number | null, black?: number | null}} before the ratings before its end
 */
export function ratingWords({ you, players, rated, result }, before) {
	if (you !== 'white' && you !== 'black') return '';
	if (!rated) return say('A casual match: ratings stay as they were.');
	const [old, now] = [before[you], players[you]?.rating];
	const change = (now ?? 0) - (old ?? 0);

	if (result === '*' || typeof old !== 'number' || typeof now !== 'number' || change === 0) return '';
	return say('Your rating: {old} → {now} ({change}).', { old, now, change: signed(change) });
}

/** @param {number} change of a rating */
export function signed(change) {
	return change < 0 ? `−${-change}` : `+${change}`;
}

/** @param {Color} side */
export function moveNext(side) {
	return side === 'white' ? say('White to move.') : say('Black to move.');
}

/** What has been played. @param {Color} turn whose turn it is now @param {string} move of the other side */
export function playedWords(turn, move) {
	return turn === 'black' ? say('White: {move}.', { move }) : say('Black: {move}.', { move });
}

/** What the match waits for. @param {State} state */
export function turnWords(state) {
	if (state.status === 'open' && state.you === null && !(state.players.white && state.players.black)) return say('A seat is free');
	if (state.status === 'open') return waitWords(awaited(state).map(nameOf));
	if (state.you === 'both' || state.you === null) return state.turn === 'white' ? say('White to move') : say('Black to move');
	return state.you === state.turn ? say('Your move') : say('{name} to move', { name: nameOf(state.players[state.turn]?.name) });
}

/** @param {string[]} names of those who have not come yet */
function waitWords([name, other]) {
	if (name === undefined) return say('Waiting for an opponent');
	return other === undefined ? say('Waiting for {name}', { name }) : say('Waiting for {name} and {other}', { name, other });
}

/** What the side to move has to know. @param {State} state */
export function hintWords(state) {
	if (!state.check || state.status !== 'playing') return '';
	if (state.you === state.turn) return say('Your king is in check.');
	return state.turn === 'white' ? say('White’s king is in check.') : say('Black’s king is in check.');
}

/** @param {number} ms @returns {string} such as 4:32, 0:19.4, 1:00:05 */
export function clockText(ms) {
	const tenths = Math.max(0, Math.floor(ms / 100));
	const seconds = Math.floor(tenths / 10);
	const two = (/** @type {number} */ n) => String(n).padStart(2, '0');

	if (seconds < 20) return `0:${two(seconds)}.${tenths % 10}`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
	return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** @param {number} ms @returns {string} a time that is left, such as "7 days", "3 hours" or "1:59" */
export function spanText(ms) {
	const hours = Math.ceil(ms / 3600000);

	if (hours > 48) return sayPlural('{count} day', '{count} days', Math.floor(hours / 24));
	return ms > 3600000 ? sayPlural('{count} hour', '{count} hours', hours) : clockText(ms).replace(/\.\d/, '');
}

/** @param {TimeControl | null} clock @returns {string} such as "5 min + 5 s" */
export function controlText(clock) {
	if (clock === null) return say('no clock');
	const seconds = clock.base_ms / 1000;
	const base = seconds % 60 === 0 ? say('{count} min', { count: seconds / 60 }) : say('{count} s', { count: seconds });
	return clock.increment_ms > 0 ? say('{base} + {count} s', { base, count: clock.increment_ms / 1000 }) : base;
}

/** @param {TimeControl | null} clock @param {boolean} rated @returns {string} such as "5 min + 5 s, rated" */
export function termsText(clock, rated) {
	return rated ? say('{clock}, rated', { clock: controlText(clock) }) : say('{clock}, casual', { clock: controlText(clock) });
}

/** @param {{what: string, from: string}} offer @param {boolean} own */
export function offerWords({ what, from }, own) {
	const name = nameOf(from);

	if (what === 'draw') return own ? say('You have offered a draw.') : say('{name} has offered a draw.', { name });
	if (what === 'undo') return own ? say('You have asked to take a move back.') : say('{name} has asked to take a move back.', { name });
	return own ? say('You have asked for a rematch.') : say('{name} has asked for a rematch.', { name });
}

/** A move that no square shows. @param {string} move such as `pass` */
export function moveLabel(move) {
	return move === 'pass' ? say('Pass') : capital(move);
}

/** A move for people's ears. @param {string} move @param {{[letter: string]: string}} pieces */
export function moveWords(move, pieces) {
	const parts = moveParts(move);

	if (!parts) return move === 'pass' ? say('pass') : move;
	return say('{from} to {to}', { ...parts, from: parts.from.endsWith('@') ? pieces[move[0]] ?? move[0] : parts.from });
}

const CERTAIN = 29000; /* values from here on are wins, in a review */

/** The ply from which on one side is lost in each position, before the end; -1: there is none. @param {Judged[]} judged */
function lostFrom(judged) {
	const side = Math.sign(judged.at(-1)?.eval_cp ?? 0);
	const from = judged.findLastIndex(({ eval_cp: value }) => value * side < CERTAIN) + 1;

	return from < judged.length - 1 ? from : -1;
}

/** What was better than a mistake. @param {string | null} move @param {string | undefined} reason @param {boolean | undefined} lastWin nothing wins after it */
function betterWords(move, reason, lastWin) {
	const values = { move: move ?? '', why: whyWords(reason) };

	if (lastWin) return reason ? say('{move} was better, the last chance to win: it {why}', values) : say('{move} was better, the last chance to win', values);
	return reason ? say('{move} was better: it {why}', values) : say('{move} was better', values);
}

/** Why a move is good: "captures the soldier", "mates in 3". @param {string} [why] */
function whyWords(why = '') {
	return typeset(why);
}

/** What a review says at a ply. @param {Judged[]} judged @param {number} ply @param {Color} mover who made the move before it */
export function judgedWords(judged, ply, mover) {
	const { mark, best, why, last_win } = judged[ply - 1] ?? {};
	const lost = ply > 0 && ply === lostFrom(judged) && (judged[ply].eval_cp > 0 ? say('From here on Black is lost.') : say('From here on White is lost.'));
	const verdict = betterWords(best, why, last_win);
	const wrong = mark && (mark === '?' ? mover === 'white' ? say('Mistake of White: {verdict}.', { verdict }) : say('Mistake of Black: {verdict}.', { verdict })
		: mover === 'white' ? say('Blunder of White: {verdict}.', { verdict }) : say('Blunder of Black: {verdict}.', { verdict }));

	return judged[ply] && [wrong, lost, say('White’s chances: {chance} %.', { chance: judged[ply].chance })].filter(text => text).join(' ');
}

/** How a position stands. @param {Analysis} told */
export function verdictWords({ chance, winner, plies, exact }) {
	const white = winner === 'white';

	if (winner === null || plies === null) return say('White’s chances: {chance} %.', { chance });
	if (plies === 0) return white ? say('White has won.') : say('Black has won.');
	if (exact)
		return white ? sayPlural('White wins, in at most {count} ply: proved.', 'White wins, in at most {count} plies: proved.', plies)
			: sayPlural('Black wins, in at most {count} ply: proved.', 'Black wins, in at most {count} plies: proved.', plies);
	return white ? sayPlural('White wins by force, in at most {count} ply.', 'White wins by force, in at most {count} plies.', plies)
		: sayPlural('Black wins by force, in at most {count} ply.', 'Black wins by force, in at most {count} plies.', plies);
}

/** The best move, and why it is. @param {{best: string | null, why?: string}} told @returns {string} such as "a2a1, which captures the soldier" */
export function bestWords({ best, why }) {
	return why ? say('{move}, which {why}', { move: best ?? '', why: whyWords(why) }) : String(best);
}

/** @param {string} text @returns {string} as a sentence of its own; a move or a square at its beginning stays as it is */
export function sentence(text) {
	return text === '' ? '' : `${/^[a-j]\d/.test(text) ? text : capital(text)}${/[.!?…]$/.test(text) ? '' : '.'}`;
}

/** What the server says, for people to read. @param {string} text with the apostrophes of a typewriter */
export function typeset(text) {
	return told(text).replaceAll("'", '’');
}
