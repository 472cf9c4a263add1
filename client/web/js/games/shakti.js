// What is special about Shakti: holes, and the warriors that give check.
import { cellAt, cells, squareName, STEPS } from '../grid.js';
import { say } from '../language.js';

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

/** @type {Pictures} */
export const pictures = {
	pieces: { K: say('king'), W: say('warrior') },
	shapes: {
		K: [
			['path.body', 'M50 8c10 9 15 19 15 29 7-9 15-12 24-13 0 24-8 45-24 55H35C19 69 11 48 11 24c9 1 17 4 24 13 0-10 5-20 15-29z'],
			['path.line', 'M35 37c-1 15 5 29 15 40 10-11 16-25 15-40'],
			['rect.body', { x: 22, y: 79, width: 56, height: 11, rx: 4 }],
		],
		W: [
			['path.body', 'M43 66h14v15H43z'],
			['path.body', 'M50 6c17 18 21 37 13 54H37c-8-17-4-36 13-54z'],
			['path.body', 'M24 56h52l-6 12H30z'],
			['path.line', 'M50 23v33'],
			['rect.body', { x: 30, y: 79, width: 40, height: 11, rx: 4 }],
		],
	},
	style: `
		& { --frame:#2b2740; --light:#b3a9d3; --dark:#a89dcb; --mark:#d9d3ec; --hint:#1a1430; --last:#dcc48a }
		& .ground { fill:#17142a }
		& .square { transform-box:fill-box; transform-origin:center; transform:scale(.93); rx:.1px; transition:transform .25s .1s, opacity .25s .1s }
		& .square.hole { transform:scale(.3); opacity:0 }
		& .under rect { transform-box:fill-box; transform-origin:center; transform:scale(.93); rx:.1px }`,
	sample: '*1w2k*/2*1w2/1*1*3/2W1*2/3*2*/1K*2W1/*2*2* w 0',
	aid: null,
	draws: true,
	marks(view) {
		const map = new Map();

		for (const [letter, warrior] of ['Kw', 'kW']) {
			const king = cells(view.rows).find(at => at.cell === letter);
			const checkers = cells(view.rows).filter(at => at.cell === warrior && king && seenFrom(view.rows, at.file, at.rank).includes(king.square));
			if (!king || checkers.length === 0) continue;
			map.set(king.square, { piece: 'checked', badge: 'check', words: say('in check') });
			for (const at of checkers) map.set(at.square, { badge: 'aim', words: say('gives check') });
		}
		return map;
	},
	tell(view) {
		const count = (/** @type {string} */ letter) => cells(view.rows).filter(at => at.cell === letter).length;
		const facts = [
			{ label: say('Tiles left'), both: String(cells(view.rows).length - count('*')) },
			{ label: say('Warriors'), white: String(count('W')), black: String(count('w')) },
		];

		return view.legal?.includes('pass') ? [...facts, { label: say('No move'), both: say('you can only pass') }] : facts;
	},
	examples: [
		{ title: say('Checkmate'), position: '*2*2*/1****2/1w*1*2/KW****1/2****1/1w***2/*2W1k* w 0',
			text: say('The warrior on b5 sees the king on a4, and each tile that the king could step to is seen by a warrior as well, or would let the kings see each other.') },
		{ title: say('Jumps'), position: START,
			text: say('The start. Let a warrior jump, and see the tile between go.') },
	],
};
