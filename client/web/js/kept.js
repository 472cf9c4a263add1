// What this browser keeps for its next visit: the name with its token, other names that it has, and what was chosen.
import { isName } from './line.js';

const PLAYER = 'ludus.player';
const OTHERS = 'ludus.players';
const IGNORED = 'ludus.ignored';

const PLACE = new URL('.', document.baseURI).pathname; /* under an address there may be several servers, by their paths */

/** @param {string} key */
function place(key) {
	return PLACE === '/' ? key : `${key} ${PLACE}`;
}

/** @param {string} key @returns {any} what was kept under a key; null: nothing that can be read */
export function recall(key) {
	try {
		return JSON.parse(localStorage.getItem(place(key)) ?? 'null');
	} catch {
		return null;
	}
}

/** @param {string} key @param {any} value null forgets it */
export function remember(key, value) {
	try {
		if (value === null) localStorage.removeItem(place(key));
		else localStorage.setItem(place(key), JSON.stringify(value));
	} catch { /* a browser that keeps nothing: the page works until it is closed */ }
}

/** @param {any} kept @returns {kept is Identity} */
function isIdentity(kept) {
	return kept instanceof Object && isName(kept.name) && (kept.token === undefined || /^[0-9a-f]{32}$/.test(kept.token));
}

/** @returns {Identity | null} */
export function ownIdentity() {
	const kept = recall(PLAYER);

	return isIdentity(kept) ? kept : null;
}

/** The names that this browser has had before and can come back to. @returns {Identity[]} */
export function otherIdentities() {
	const kept = recall(OTHERS);

	return Array.isArray(kept) ? kept.filter(isIdentity) : [];
}

/** @param {Identity[]} list */
function keepOthers(list) {
	remember(OTHERS, list.length > 0 ? list : null);
}

/** @param {{name: string}} one @param {{name: string}} other */
function isSame(one, other) {
	return one.name.toLowerCase() === other.name.toLowerCase();
}

/** Makes this the name of the next visits; the one so far stays among the others. @param {Identity | null} identity */
export function keepIdentity(identity) {
	const before = ownIdentity();
	const others = otherIdentities().filter(other => !(identity && isSame(other, identity)) && !(before && isSame(other, before)));

	keepOthers(before?.token && !(identity && isSame(before, identity)) ? [before, ...others] : others);
	remember(PLAYER, identity);
}

/** Forgets one of the other names, and its token with it. @param {string} name */
export function forgetIdentity(name) {
	keepOthers(otherIdentities().filter(other => !isSame(other, { name })));
}

/** The players whose words and challenges are hidden. @returns {string[]} */
export function ignoredPlayers() {
	const kept = recall(IGNORED);

	return Array.isArray(kept) ? kept.filter(name => typeof name === 'string') : [];
}

/** @param {string} name @param {boolean} ignored */
export function keepIgnored(name, ignored) {
	const others = ignoredPlayers().filter(other => other !== name);
	const list = ignored ? [name, ...others] : others;

	remember(IGNORED, list.length > 0 ? list : null);
}
