// The shapes of all pieces, each drawn in a square of 100 by 100. Colours come from the style sheet.
import { s } from './dom.js';

/** @typedef {[string, string | {[name: string]: string | number}]} Part a tag with its class, and its path or its attributes */

const base = /** @type {Part} */ (['rect.body', { x: 22, y: 79, width: 56, height: 11, rx: 4 }]);

/** @type {{[name: string]: Part[]}} by game and letter */
const shapes = {
	'clobber-P': [
		['circle.body', { cx: 50, cy: 50, r: 39 }],
		['circle.ring', { cx: 50, cy: 50, r: 27 }],
	],
	'xadrersi-K': [
		['path.body', 'M46 9h8v8h8v8h-8v10h-8V25h-8v-8h8z'],
		['path.body', 'M29 79C27 66 14 60 14 47c0-10 9-16 19-14 8 1 14 6 17 13 3-7 9-12 17-13 10-2 19 4 19 14 0 13-13 19-15 32z'],
		['path.line', 'M29 69c14-4 28-4 42 0M50 46v19'],
		base,
	],
	'xadrersi-Q': [
		['path.body', 'M28 79 14 36l20 18 3-29 13 26 13-26 3 29 20-18-14 43z'],
		['circle.body', { cx: 14, cy: 31, r: 6 }],
		['circle.body', { cx: 37, cy: 19, r: 6 }],
		['circle.body', { cx: 63, cy: 19, r: 6 }],
		['circle.body', { cx: 86, cy: 31, r: 6 }],
		['path.line', 'M30 69c13-4 27-4 40 0'],
		base,
	],
	'xadrersi-R': [
		['path.body', 'M31 79l4-34h30l4 34z'],
		['path.body', 'M24 17h13v8h7v-8h12v8h7v-8h13v21l-9 9H33l-9-9z'],
		['path.line', 'M34 60h32'],
		base,
	],
	'xadrersi-B': [
		['path.body', 'M37 79c4-8 2-13-3-19-9-12-3-30 16-41 19 11 25 29 16 41-5 6-7 11-3 19z'],
		['circle.body', { cx: 50, cy: 13, r: 6 }],
		['path.line', 'M59 33 49 48M37 66h26'],
		base,
	],
	'xadrersi-N': [
		['path.body', 'M29 79c0-19 15-22 17-35-6 6-11 8-17 13-6 5-15 0-12-8 3-9 11-13 14-22 2-6 6-10 12-12l3-9 8 8c19 3 27 23 22 65z'],
		['circle.dot', { cx: 40, cy: 32, r: 3.5 }],
		['path.line', 'M60 25c8 8 10 23 8 42'],
		base,
	],
	'latrunculi-S': [
		['path.body', 'M25 18c16-6 34-6 50 0 4 20 4 44 0 64-16 6-34 6-50 0-4-20-4-44 0-64z'],
		['circle.ring', { cx: 50, cy: 50, r: 11 }],
		['path.line', 'M50 20v15M50 65v15M28 50h8M64 50h8'],
	],
	'latrunculi-D': [
		['path.crest', 'M10 50C6 20 26 3 50 3s44 17 40 47l-12-3c2-20-9-33-28-33S20 27 22 47z'],
		['path.body', 'M50 20c17 0 27 11 27 30l-2 30c-3 8-10 12-19 13l-2-31h-8l-2 31c-9-1-16-5-19-13l-2-30c0-19 10-30 27-30z'],
		['path.dot', 'M29 53c6-5 13-4 18 2l-1 6c-9 2-15-1-17-8zM71 53c-6-5-13-4-18 2l1 6c9 2 15-1 17-8z'],
	],
	'shakti-K': [
		['path.body', 'M50 8c10 9 15 19 15 29 7-9 15-12 24-13 0 24-8 45-24 55H35C19 69 11 48 11 24c9 1 17 4 24 13 0-10 5-20 15-29z'],
		['path.line', 'M35 37c-1 15 5 29 15 40 10-11 16-25 15-40'],
		base,
	],
	'shakti-W': [
		['path.body', 'M43 66h14v15H43z'],
		['path.body', 'M50 6c17 18 21 37 13 54H37c-8-17-4-36 13-54z'],
		['path.body', 'M24 56h52l-6 12H30z'],
		['path.line', 'M50 23v33'],
		['rect.body', { x: 30, y: 79, width: 40, height: 11, rx: 4 }],
	],
};

/** Puts the shapes into the page, for pieceShape(). Call it once. */
export function definePieces() {
	const symbols = Object.entries(shapes).map(([name, parts]) =>
		s('symbol', { id: `piece-${name}`, viewBox: '0 0 100 100' }, parts.map(([tag, shape]) => s(tag, typeof shape === 'string' ? { d: shape } : shape))));

	document.body.append(s('svg.defs', { width: 0, height: 0 }, symbols));
}

/**
 * The shape of a piece, one unit wide. @param {string} game @param {string} piece its letter
 */
export function pieceShape(game, piece) {
	return s('use', { href: `#piece-${game}-${piece.toUpperCase()}`, width: 1, height: 1 });
}

/** A piece as a picture by itself. @param {string} game @param {string} piece */
export function pieceIcon(game, piece) {
	const color = piece === piece.toUpperCase() ? 'white' : 'black';

	return s(`svg.piece.icon.${color}`, { viewBox: '0 0 1 1', 'data-game': game }, pieceShape(game, piece));
}
