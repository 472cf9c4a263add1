// Sentences about matches.
import { h } from './dom.js';
import { otherColor } from './grid.js';
import { displayOf } from './names.js';

/** @type {{[reason: string]: [string, string]}} after the colour of the loser, and for a draw */
const ENDINGS = {
	'no-moves': [' cannot move', 'neither side can move'],
	'score': [' has fewer points', 'both sides have as many points'],
	'dux-immobilised': ['’s dux is immobilised', ''],
	'no-soldiers': [' has no soldiers left', ''],
	'checkmate': [' is checkmated', ''],
	'repetition': ['', 'the same position came for the third time'],
	'no-capture': ['', '100 plies went by without a capture'],
	'resign': [' resigned', ''],
	'draw-agreed': ['', 'both players agreed'],
	'timeout': [' ran out of time', ''],
	'forfeit': [' left the match', ''],
};

/** @param {string} text */
export function capital(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A player's name for people, in plain text: the display name, whose direction stays its own (U+2068 and U+2069). @param {string | null | undefined} name */
export function nameOf(name) {
	const display = displayOf(name);

	if (!name) return 'Open seat';
	if (display) return `\u2068${display}\u2069`;
	return name.startsWith('bot:') ? `${capital(name.slice(4))} bot` : name;
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
	const [lost, drawn] = ENDINGS[reason ?? ''] ?? ['', ''];

	if (winner !== null)
		return { winner, headline: `${capital(winner)} wins`, detail: lost ? `${capital(otherColor(winner))}${lost}.` : '' };
	if (result === '1/2-1/2') return { winner, headline: 'A draw', detail: drawn ? `${capital(drawn)}.` : '' };
	return { winner, headline: 'Broken off', detail: 'The match ended without a result.' };
}

/** The result as this player sees it. @param {State} state */
export function outcomeWords(state) {
	const words = resultWords(state.result, state.reason);

	if (words.winner === null || state.you === null || state.you === 'both') return words;
	return { ...words, headline: state.you === words.winner ? 'You won' : 'You lost' };
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
	if (!rated) return 'A casual match: ratings stay as they were.';
	const [old, now] = [before[you], players[you]?.rating];
	const change = (now ?? 0) - (old ?? 0);

	if (result === '*' || typeof old !== 'number' || typeof now !== 'number' || change === 0) return '';
	return `Your rating: ${old} → ${now} (${change > 0 ? '+' : '−'}${Math.abs(change)}).`;
}

/** What the match waits for. @param {State} state */
export function turnWords(state) {
	if (state.status === 'open' && state.you === null && !(state.players.white && state.players.black)) return 'A seat is free';
	if (state.status === 'open') return `Waiting for ${awaited(state).map(nameOf).join(' and ') || 'an opponent'}`;
	if (state.you === 'both' || state.you === null) return `${capital(state.turn)} to move`;
	return state.you === state.turn ? 'Your move' : `${nameOf(state.players[state.turn]?.name)} to move`;
}

/** What the side to move has to know. @param {State} state */
export function hintWords(state) {
	const whose = state.you === state.turn ? 'Your' : `${capital(state.turn)}’s`;

	return state.check && state.status === 'playing' ? `${whose} king is in check.` : '';
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

	if (hours > 48) return `${Math.floor(hours / 24)} days`;
	return ms > 3600000 ? `${hours} hours` : clockText(ms).replace(/\.\d/, '');
}

/** @param {TimeControl | null} clock @returns {string} such as "5 min + 5 s" */
export function controlText(clock) {
	if (clock === null) return 'no clock';
	const seconds = clock.base_ms / 1000;
	const base = seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
	return clock.increment_ms > 0 ? `${base} + ${clock.increment_ms / 1000} s` : base;
}

/** @param {TimeControl | null} clock @param {boolean} rated @returns {string} such as "5 min + 5 s, rated" */
export function termsText(clock, rated) {
	return `${controlText(clock)}, ${rated ? 'rated' : 'casual'}`;
}

/** @param {number} number @param {string} one @param {string} many */
export function count(number, one, many) {
	return `${number} ${number === 1 ? one : many}`;
}

/** @param {{what: string, from: string}} offer @param {boolean} own */
export function offerWords({ what, from }, own) {
	const did = { draw: 'offered a draw', undo: 'asked to take a move back' }[what] ?? 'asked for a rematch';

	return `${own ? 'You have' : `${nameOf(from)} has`} ${did}.`;
}

/** A move for people's ears. @param {string} move @param {{[letter: string]: string}} pieces */
export function moveWords(move, pieces) {
	if (move.includes('@')) return `${pieces[move[0]] ?? move[0]} to ${move.slice(2)}`;
	return move.replace(/^([a-j]\d+)([a-j]\d+)$/, '$1 to $2');
}

const CERTAIN = 29000; /* values from here on are wins, in a review */

/** The ply from which on one side is lost in each position, before the end; -1: there is none. @param {Judged[]} judged */
function lostFrom(judged) {
	const side = Math.sign(judged.at(-1)?.eval_cp ?? 0);
	const from = judged.findLastIndex(({ eval_cp: value }) => value * side < CERTAIN) + 1;

	return from < judged.length - 1 ? from : -1;
}

/** What a review says at a ply. @param {Judged[]} judged @param {number} ply */
export function judgedWords(judged, ply) {
	const { mark, best, why, last_win } = judged[ply - 1] ?? {};
	const lost = ply > 0 && ply === lostFrom(judged) ? `From here on ${judged[ply].eval_cp > 0 ? 'Black' : 'White'} is lost. ` : '';

	return judged[ply] && `${mark ? `${mark === '?' ? 'Mistake' : 'Blunder'}: ${best} was better${last_win ? ', the last chance to win' : ''}${why ? `: it ${why}` : ''}. ` : ''}${lost}White’s chances: ${judged[ply].chance} %.`;
}

/** How a position stands. @param {Analysis} told */
export function verdictWords({ chance, winner, plies, exact }) {
	if (winner === null || plies === null) return `White’s chances: ${chance} %.`;
	if (plies === 0) return `${capital(winner)} has won.`;
	return `${capital(winner)} wins${exact ? '' : ' by force'}, in at most ${count(plies, 'ply', 'plies')}${exact ? ': proved' : ''}.`;
}

/** The best move, and why it is. @param {{best: string | null, why?: string}} told @returns {string} such as "a2a1, which captures the soldier" */
export function bestWords({ best, why }) {
	return `${best}${why ? `, which ${why}` : ''}`;
}

/** @param {string} text @returns {string} as a sentence of its own */
export function sentence(text) {
	return text === '' ? '' : `${capital(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** @param {string} text with the apostrophes of a typewriter */
export function typeset(text) {
	return text.replaceAll("'", '’');
}
