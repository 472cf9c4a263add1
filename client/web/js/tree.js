// The moves of an analysis: variations, as a tree, and their notation.
import { sideOf } from './grid.js';

/** @param {Standing} standing @param {string | null} [move] that leads there @param {Branch | null} [parent] @returns {Branch} */
export function branch({ variant, position, moves, result, reason }, move = null, parent = null) {
	return { variant, position, moves, result, reason, move, parent, next: [] };
}

/** Adds what a move leads to, unless it is there. @param {Branch} from @param {string} move @param {Standing} standing */
export function grow(from, move, standing) {
	const known = from.next.find(each => each.move === move);
	const grown = known ?? branch(standing, move, from);

	if (!known) from.next.push(grown);
	return grown;
}

/** Takes a move and all that follows away. @param {Branch} what @returns {Branch} where it was played */
export function prune(what) {
	const { parent } = what;

	if (!parent) return what;
	parent.next = parent.next.filter(each => each !== what);
	return parent;
}

/** Makes the line of a move the main one, as far back as it goes. @param {Branch} what */
export function promote(what) {
	for (let each = what; each.parent; each = each.parent) each.parent.next = [each, ...each.parent.next.filter(other => other !== each)];
}

/** Whether a move is in the main line. @param {Branch} what */
export function isMain(what) {
	for (let each = what; each.parent; each = each.parent) if (each.parent.next[0] !== each) return false;
	return true;
}

/** The moves that lead from the beginning to a position. @param {Branch} what @returns {string[]} */
export function movesTo(what) {
	const moves = [];

	for (let each = what; each.parent; each = each.parent) moves.unshift(String(each.move));
	return moves;
}

/** The last position of the line that goes on from one. @param {Branch} from */
export function endOf(from) {
	let end = from;

	while (end.next.length > 0) [end] = end.next;
	return end;
}

/** A word of the notation: a number, a bracket, or a move. @typedef {{text: string, at?: Branch}} Word */

/** @param {number} half moves before it, of both sides @param {boolean} always of Black's, too */
function numbers(half, always) {
	return half % 2 === 0 || always ? [{ text: `${Math.floor(half / 2) + 1}${half % 2 === 0 ? '.' : '...'}` }] : [];
}

/**
 * The notation: the main line, and in brackets behind each of its moves the others that were tried there.
 * @param {Branch} from @param {number} [half] @param {boolean} [always] the first move has its number @returns {Word[]}
 */
export function notation(from, half = sideOf(from.position) === 'black' ? 1 : 0, always = true) {
	/** @type {Word[]} */
	const words = [];

	for (let [at, ply, numbered] = [from, half, always]; at.next.length > 0; [at] = at.next) {
		const [main, ...others] = at.next;
		words.push(...numbers(ply, numbered), { text: String(main.move), at: main });
		for (const other of others)
			words.push({ text: '(' }, ...numbers(ply, true), { text: String(other.move), at: other }, ...notation(other, ply + 1, false), { text: ')' });
		numbered = others.length > 0;
		ply++;
	}
	return words;
}
