// What is special about Shakti: holes, and the warriors that give check.
import { cellAt, cells, squareName, STEPS } from '../grid.js';

const START = '*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0';

/** @param {string[]} rows @param {number} file @param {number} rank @returns {string[]} the squares seen from one */
function seenFrom(rows, file, rank) {
	const seen = [];

	for (const [dx, dy] of STEPS) {
		let [x, y] = [file + dx, rank + dy];
		while (cellAt(rows, x, y) === '*') [x, y] = [x + dx, y + dy];
		if (cellAt(rows, x, y) !== '') seen.push(squareName(x, y));
	}
	return seen;
}

/** @type {Game} */
export const shakti = {
	name: 'shakti',
	title: 'Shakti',
	summary: 'Checkmate the king on a board that loses a tile with every jump.',
	variants: ['standard'],
	pieces: { K: 'king', W: 'warrior' },
	start: () => START,
	sample: '*1w2k*/2*1w2/1*1*3/2W1*2/3*2*/1K*2W1/*2*2* w 0',
	aid: null,
	draws: true,
	marks(view) {
		const map = new Map();

		for (const [letter, warrior] of ['Kw', 'kW']) {
			const king = cells(view.rows).find(at => at.cell === letter);
			const checkers = cells(view.rows).filter(at => at.cell === warrior && king && seenFrom(view.rows, at.file, at.rank).includes(king.square));
			if (!king || checkers.length === 0) continue;
			map.set(king.square, { piece: 'checked', badge: 'check', words: 'in check' });
			for (const at of checkers) map.set(at.square, { badge: 'aim', words: 'gives check' });
		}
		return map;
	},
	tell(view) {
		const count = (/** @type {string} */ letter) => cells(view.rows).filter(at => at.cell === letter).length;
		const facts = [
			{ label: 'Tiles left', both: String(cells(view.rows).length - count('*')) },
			{ label: 'Warriors', white: String(count('W')), black: String(count('w')) },
		];

		return view.legal?.includes('pass') ? [...facts, { label: 'No move', both: 'you can only pass' }] : facts;
	},
	rules: [
		'Pieces stand on tiles, and see the first tile in each of the eight directions. They see across holes.',
		'A king moves to an empty tile that it sees. In check it may only step one square, to an empty tile or onto an enemy warrior, which is captured.',
		'A warrior moves to an empty tile that it sees, or jumps over it to the next tile seen beyond, if that is empty, too. The tile jumped over goes and leaves a hole. Warriors never capture.',
		'A king that an enemy warrior sees is in check. Kings may never see each other. A player in check who cannot move loses.',
		'A player who cannot move otherwise passes. Two passes in a row are a draw, and so is the third occurrence of a position.',
	],
	examples: [
		{ title: 'Checkmate', position: '*2*2*/1****2/1w*1*2/KW****1/2****1/1w***2/*2W1k* w 0',
			text: 'The warrior on b5 sees the king on a4, and each tile that the king could step to is seen by a warrior as well, or would let the kings see each other.' },
		{ title: 'Jumps', position: START,
			text: 'The start. Let a warrior jump, and see the tile between go.' },
	],
};
