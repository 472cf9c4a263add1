// What is special about Latrunculi XXI: locked soldiers, and how free each dux is.
import { cells, colorOf, neighbours, otherColor } from '../grid.js';
import { say, sayAs } from '../language.js';

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
	if (enemiesNextTo(rows, dux, color).length === 0) return sayAs('dux', 'free');
	if (occupied === next.length) return say('immobilised');
	if (occupied === 1 && next.length > 2) return say('a step, or an attack');
	return occupied === 2 && next.length === 4 ? say('attacks only') : say('cannot move');
}

/** @type {Pictures} */
export const pictures = {
	pieces: { S: say('soldier'), D: say('dux') },
	shapes: {
		S: [
			['path.body', 'M25 18c16-6 34-6 50 0 4 20 4 44 0 64-16 6-34 6-50 0-4-20-4-44 0-64z'],
			['circle.ring', { cx: 50, cy: 50, r: 11 }],
			['path.line', 'M50 20v15M50 65v15M28 50h8M64 50h8'],
		],
		D: [
			['path.crest', 'M10 50C6 20 26 3 50 3s44 17 40 47l-12-3c2-20-9-33-28-33S20 27 22 47z'],
			['path.body', 'M50 20c17 0 27 11 27 30l-2 30c-3 8-10 12-19 13l-2-31h-8l-2 31c-9-1-16-5-19-13l-2-30c0-19 10-30 27-30z'],
			['path.dot', 'M29 53c6-5 13-4 18 2l-1 6c-9 2-15-1-17-8zM71 53c-6-5-13-4-18 2l1 6c9 2 15-1 17-8z'],
		],
	},
	style: `
		& { --frame:#7a4a35; --light:#dcb995; --dark:#dcb995; --mark:#f3e2d2; --hint:#3b1d0c; --grid:#b98c66; --last:#efca6e }
		& .square { stroke:var(--grid); stroke-width:.025 }`,
	sample: '2ss1s1s/3d4/1s6/3sS3/2S2s2/6S1/3SD3/S1S2S1S w 0',
	aid: { label: say('Mark locked soldiers'), first: true },
	draws: true,
	marks(view, aid) {
		const locked = aid ? cells(view.rows).filter(at => isLocked(view.rows, at)) : [];

		return new Map(locked.map(at => [at.square, { piece: 'locked', badge: 'lock', words: say('locked') }]));
	},
	tell(view) {
		const count = (/** @type {string} */ soldier) => {
			const left = cells(view.rows).filter(at => at.cell === soldier).length;
			return left < SOLDIERS ? say('{left} ({lost} lost)', { left, lost: SOLDIERS - left }) : String(left);
		};
		const quiet = Number(view.position.split(' ')[2]);
		const facts = [
			{ label: say('Soldiers'), white: count('S'), black: count('s') },
			{ label: say('Dux'), white: freedom(view.rows, 'white'), black: freedom(view.rows, 'black') },
		];

		return quiet >= 50 ? [...facts, { label: say('Without a capture'), both: say('{count} of 100 plies', { count: quiet }) }] : facts;
	},
	examples: [
		{ title: say('A capture'), position: '8/3d4/8/8/2Ss4/8/8/4S1D1 w 0',
			text: say('White plays e1e4: the soldier on d4 then stands between c4 and e4, and is captured. The one on c4 is locked: it stands next to an enemy.') },
		{ title: say('The dux hemmed in'), position: '3S4/2SdS3/8/8/3S4/8/4D3/s6s w 0',
			text: say('White plays d4d6. Every square next to black’s dux is then occupied by white: black has lost.') },
	],
};
