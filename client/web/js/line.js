// The lines that the page sends, as far as people, links and storages have words in them: no such word may become two,
// or an option.

/** The server's answer to a command that it did not take, or why it was not sent (`lost`). */
export class Refusal extends Error {
	/** @param {string} code @param {string} message */
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/** @param {RegExp} pattern @param {string} code @param {(text: string) => string} complaint @returns {(text: string) => string} */
function word(pattern, code, complaint) {
	return text => {
		if (typeof text === 'string' && pattern.test(text)) return text;
		throw new Refusal(code, complaint(String(text)));
	};
}

const NAME = /^[A-Za-z0-9_-]{1,24}$/;
const nameRules = (/** @type {string} */ text) => `${shown(text)} is no name: use 1 to 24 of A–Z, a–z, 0–9, _ and -`;

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
	display: word(/^[^\p{C}\p{Zl}\p{Zp}]{0,200}$/u, 'bad-name', () => 'a display name has letters, digits, blanks and . - \' only'),
	match: word(/^[A-Za-z0-9_-]{1,64}$/, 'unknown-match', text => `${shown(text)} is no match`),
	tournament: word(/^[A-Za-z0-9_.-]{1,32}$/, 'bad-name', text => `${shown(text)} is no name of a tournament: use 1 to 32 of A–Z, a–z, 0–9, _ . and -`),
	move: word(/^[A-Za-z0-9@*]{1,16}$/, 'illegal-move', text => `${shown(text)} is no move`),
	/** It has blanks, and is the end of its line. */
	position: word(/^[A-Za-z0-9/*[\] -]{1,159}$/, 'bad-position', text => `${shown(text)} is no position`),
	variant: word(/^[A-Za-z0-9]{1,15}$/, 'unknown-variant', text => `${shown(text)} is no variant`),
	code: word(/^[^\s\p{C}]{1,64}$/u, 'bad-code', () => 'a code is one word'),
};
