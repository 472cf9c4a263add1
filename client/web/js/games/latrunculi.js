// What is special about Latrunculi XXI: locked soldiers, and how free each dux is.
import { cells, colorOf, neighbours, otherColor } from '../grid.js';

const SOLDIERS = 8;

/** @param {string[]} rows @param {At} at @param {Color} color @returns {At[]} the neighbours that are enemies of `color` */
function enemiesNextTo(rows, at, color) {
	return neighbours(rows, at.file, at.rank).filter(next => colorOf(next.cell) === otherColor(color));
}

/**
 * A soldier next to an enemy is locked, unless every such enemy has two enemies next to it.
 * @param {string[]} rows @param {At & {cell: string}} at
 */
function isLocked(rows, at) {
	const color = colorOf(at.cell);

	if (color === null || at.cell.toUpperCase() !== 'S') return false;
	return enemiesNextTo(rows, at, color).some(enemy => enemiesNextTo(rows, enemy, otherColor(color)).length < 2);
}

/** @param {string[]} rows @param {Color} color @returns {string} what the dux of that side may do */
function freedom(rows, color) {
	const dux = cells(rows).find(at => at.cell === (color === 'white' ? 'D' : 'd'));

	if (!dux) return '';
	const next = neighbours(rows, dux.file, dux.rank);
	const occupied = next.filter(at => at.cell !== '.').length;
	if (enemiesNextTo(rows, dux, color).length === 0) return 'free';
	if (occupied === next.length) return 'immobilised';
	if (occupied === 1 && next.length > 2) return 'a step, or an attack';
	return occupied === 2 && next.length === 4 ? 'attacks only' : 'cannot move';
}

/** @type {Game} */
export const latrunculi = {
	name: 'latrunculi',
	title: 'Latrunculi XXI',
	summary: 'Slide like rooks, capture soldiers between your own, and surround the dux.',
	variants: ['standard'],
	pieces: { S: 'soldier', D: 'dux' },
	start: () => 'ssssssss/3d4/8/8/8/8/4D3/SSSSSSSS w 0',
	sample: '2ss1s1s/3d4/1s6/3sS3/2S2s2/6S1/3SD3/S1S2S1S w 0',
	aid: { label: 'Mark locked soldiers', first: true },
	draws: true,
	marks(view, aid) {
		const locked = aid ? cells(view.rows).filter(at => isLocked(view.rows, at)) : [];

		return new Map(locked.map(at => [at.square, { piece: 'locked', badge: 'lock', words: 'locked' }]));
	},
	tell(view) {
		const count = (/** @type {string} */ soldier) => {
			const left = cells(view.rows).filter(at => at.cell === soldier).length;
			return left < SOLDIERS ? `${left} (${SOLDIERS - left} lost)` : String(left);
		};
		const quiet = Number(view.position.split(' ')[2]);
		const facts = [
			{ label: 'Soldiers', white: count('S'), black: count('s') },
			{ label: 'Dux', white: freedom(view.rows, 'white'), black: freedom(view.rows, 'black') },
		];

		return quiet >= 50 ? [...facts, { label: 'Without a capture', both: `${quiet} of 100 plies` }] : facts;
	},
	rules: [
		'All pieces move like rooks: any distance along a file or rank, over empty squares.',
		'A piece that has arrived captures an enemy soldier next to it: one between the mover and another piece of its side; on an edge, one with two of its three neighbours; in a corner, with both. More captures lie straight ahead of the mover: at the near end of a row of enemies with a friend behind it (flank), an enemy against a wall or a friend, pushed by a friend (push and crush), and an enemy ahead of two rows of friends side by side (phalanx). The dux is never captured.',
		'A soldier next to an enemy is locked: it may only capture or attack the dux, unless each such enemy has two enemies next to it.',
		'The fuller the squares next to a dux, an enemy among them, the less it may move. A player to move loses when all squares next to their dux are occupied, one of them by an enemy, when they have no soldiers left, or without a legal move.',
		'A match is drawn after 100 plies without a capture, or when a position occurs for the third time.',
	],
	examples: [
		{ title: 'A capture', position: '8/3d4/8/8/2Ss4/8/8/4S1D1 w 0',
			text: 'White plays e1e4: the soldier on d4 then stands between c4 and e4, and is captured. The one on c4 is locked: it stands next to an enemy.' },
		{ title: 'The dux hemmed in', position: '3S4/2SdS3/8/8/3S4/8/4D3/s6s w 0',
			text: 'White plays d4d6. Every square next to black’s dux is then occupied by white: black has lost.' },
	],
};
