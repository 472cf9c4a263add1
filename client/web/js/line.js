// The lines that the page sends, as far as people, links and storages have words in them: no such word may become two,
import { isEnglish, say, told } from './language.js';
// or an option.

/** The server's answer to a command that it did not take, or why it was not sent (`lost`). */
export class Refusal extends Error {
	/** @param {string} code @param {string} message */
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/** What is wrong, by the code of the server's error, where the table has no word for the error itself. @type {{[code: string]: () => string}} */
const COMPLAINTS = {
	'line-too-long': () => say('That is too long for one line.'),
	'bad-encoding': () => say('The text has characters that the server does not take.'),
	'name-taken': () => say('This name is taken: choose another one.'),
	'bad-name': () => say('The server does not take this name: use 1 to 24 of A–Z, a–z, 0–9, _ and -'),
	'bad-token': () => say('This browser has no proof of that name that the server takes.'),
	'bad-code': () => say('The code is wrong.'),
	'code-needed': () => say('The server asks for a join code.'),
	'unknown-game': () => say('The server does not know this game.'),
	'unknown-variant': () => say('The server does not know this variant.'),
	'bad-position': () => say('This is no position of the game.'),
	'unknown-match': () => say('There is no such match.'),
	'unknown-player': () => say('There is no such player.'),
	'unknown-tournament': () => say('There is no such tournament.'),
	'seat-taken': () => say('No seat is free for you in that match.'),
	'not-a-player': () => say('You do not play in that match.'),
	'not-your-turn': () => say('It is not your turn.'),
	'illegal-move': () => say('This move is not legal.'),
	'stale-ply': () => say('The match has gone on meanwhile.'),
	'match-over': () => say('The match is over.'),
	'match-not-started': () => say('The match has not started.'),
	'match-archived': () => say('The server has the match in its archive only.'),
	'nothing-to-answer': () => say('There is nothing to answer: no offer or challenge stands.'),
	'not-allowed': () => say('That is not allowed here.'),
	'rate-limited': () => say('That was too much at once: wait a moment.'),
	'limit-reached': () => say('A limit of this server is reached.'),
	'server-busy': () => say('The server is full: try again later.'),
	'internal': () => say('The server failed; nothing has changed.'),
};

/** What the server's error says. @param {Message} error */
export function refusalText({ code, message }) {
	const text = told(message);

	return isEnglish() || text !== message ? text : COMPLAINTS[code]?.() ?? message;
}

/** @param {RegExp} pattern @param {string} code @param {(text: string) => string} complaint @returns {(text: string) => string} */
function word(pattern, code, complaint) {
	return text => {
		if (typeof text === 'string' && pattern.test(text)) return text;
		throw new Refusal(code, complaint(String(text)));
	};
}

const NAME = /^[A-Za-z0-9_-]{1,24}$/;
const nameRules = (/** @type {string} */ text) => say('{text} is no name: use 1 to 24 of A–Z, a–z, 0–9, _ and -', { text: shown(text) });

/** @param {string} text */
function shown(text) {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** @param {any} text */
export function isName(text) {
	return typeof text === 'string' && NAME.test(text);
}

/** Each gives the word back, or throws a Refusal that says what is wrong with it. */
export const checked = {
	name: word(NAME, 'bad-name', nameRules),
	/** Somebody else, or a house bot. */
	player: word(/^(?!(me|open)$)(bot:)?[A-Za-z0-9_-]{1,24}$/i, 'bad-name', nameRules),
	/** It may have blanks, and is the end of its line; the server says which letters it has. */
	display: word(/^[^\p{C}\p{Zl}\p{Zp}]{0,200}$/u, 'bad-name', () => say('a display name has letters, digits, blanks and . - \' only')),
	match: word(/^[A-Za-z0-9_-]{1,64}$/, 'unknown-match', text => say('{text} is no match', { text: shown(text) })),
	tournament: word(/^[A-Za-z0-9_.-]{1,32}$/, 'bad-name', text => say('{text} is no name of a tournament: use 1 to 32 of A–Z, a–z, 0–9, _ . and -', { text: shown(text) })),
	move: word(/^[A-Za-z0-9@*]{1,16}$/, 'illegal-move', text => say('{text} is no move', { text: shown(text) })),
	/** It has blanks, and is the end of its line. */
	position: word(/^[A-Za-z0-9/*[\] -]{1,159}$/, 'bad-position', text => say('{text} is no position', { text: shown(text) })),
	variant: word(/^[A-Za-z0-9]{1,15}$/, 'unknown-variant', text => say('{text} is no variant', { text: shown(text) })),
	code: word(/^[^\s\p{C}]{1,64}$/u, 'bad-code', () => say('a code is one word')),
};
