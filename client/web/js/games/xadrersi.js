// What is special about Xadrersi: hands, attacked squares and the score.
import { cellAt, cells, colorOf, squareAt, squareName, STEPS } from '../grid.js';
import { say, sayAs } from '../language.js';

/** @type {Part} */
const base = ['rect.body', { x: 22, y: 79, width: 56, height: 11, rx: 4 }];
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

/** @type {{[piece: string]: {steps: number[][], far: boolean}}} */
const REACH = {
	K: { steps: STEPS, far: false },
	Q: { steps: STEPS, far: true },
	R: { steps: STEPS.slice(0, 4), far: true },
	B: { steps: STEPS.slice(4), far: true },
	N: { steps: JUMPS, far: false },
};

/** @param {string[]} rows @param {number} file @param {number} rank @param {string} piece @returns {string[]} the squares it attacks */
function attackedFrom(rows, file, rank, piece) {
	const { steps, far } = REACH[piece.toUpperCase()] ?? { steps: [], far: false };

	return steps.flatMap(([dx, dy]) => {
		const ray = [];
		for (let [x, y] = [file + dx, rank + dy]; cellAt(rows, x, y) !== ''; [x, y] = [x + dx, y + dy]) {
			ray.push(squareName(x, y));
			if (!far || cellAt(rows, x, y) !== '.') break;
		}
		return ray;
	});
}

/** @param {string[]} rows @returns {Map<string, [number, number]>} how often white and black attack each square */
function attacksOn(rows) {
	/** @type {Map<string, [number, number]>} */
	const counts = new Map(cells(rows).map(at => [at.square, [0, 0]]));

	for (const { cell, file, rank } of cells(rows))
		for (const square of attackedFrom(rows, file, rank, cell)) {
			const count = counts.get(square);
			if (count) count[colorOf(cell) === 'white' ? 0 : 1]++;
		}
	return counts;
}

/** @param {View} view @returns {Map<string, [number, number]>} the attacks that score */
function points(view) {
	const empty = new Set(cells(view.rows).filter(at => at.cell === '.').map(at => at.square));

	return new Map([...attacksOn(view.rows)].filter(([square]) => view.variant === 'attack' || empty.has(square)));
}

/** @type {Pictures} */
export const pictures = {
	pieces: { K: say('king'), Q: say('queen'), R: say('rook'), B: say('bishop'), N: say('knight') },
	variantNames: { touch: sayAs('variant', 'Touch'), attack: sayAs('variant', 'Attack') },
	shapes: {
		K: [
			['path.body', 'M46 9h8v8h8v8h-8v10h-8V25h-8v-8h8z'],
			['path.body', 'M29 79C27 66 14 60 14 47c0-10 9-16 19-14 8 1 14 6 17 13 3-7 9-12 17-13 10-2 19 4 19 14 0 13-13 19-15 32z'],
			['path.line', 'M29 69c14-4 28-4 42 0M50 46v19'],
			base,
		],
		Q: [
			['path.body', 'M28 79 14 36l20 18 3-29 13 26 13-26 3 29 20-18-14 43z'],
			['circle.body', { cx: 14, cy: 31, r: 6 }],
			['circle.body', { cx: 37, cy: 19, r: 6 }],
			['circle.body', { cx: 63, cy: 19, r: 6 }],
			['circle.body', { cx: 86, cy: 31, r: 6 }],
			['path.line', 'M30 69c13-4 27-4 40 0'],
			base,
		],
		R: [
			['path.body', 'M31 79l4-34h30l4 34z'],
			['path.body', 'M24 17h13v8h7v-8h12v8h7v-8h13v21l-9 9H33l-9-9z'],
			['path.line', 'M34 60h32'],
			base,
		],
		B: [
			['path.body', 'M37 79c4-8 2-13-3-19-9-12-3-30 16-41 19 11 25 29 16 41-5 6-7 11-3 19z'],
			['circle.body', { cx: 50, cy: 13, r: 6 }],
			['path.line', 'M59 33 49 48M37 66h26'],
			base,
		],
		N: [
			['path.body', 'M29 79c0-19 15-22 17-35-6 6-11 8-17 13-6 5-15 0-12-8 3-9 11-13 14-22 2-6 6-10 12-12l3-9 8 8c19 3 27 23 22 65z'],
			['circle.dot', { cx: 40, cy: 32, r: 3.5 }],
			['path.line', 'M60 25c8 8 10 23 8 42'],
			base,
		],
	},
	style: `
		& { --frame:#5c4632; --light:#e6d6b8; --dark:#b3946d; --mark:#eadfcb; --hint:#2a1d0e; --last:#dfb64d }`,
	startOf: () => '8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -',
	sample: '8/8/2nQ4/1r2qR2/3Kb3/2N5/8/8[RBBNkrbn] w - b5',
	aid: { label: say('Show attacks on each square'), first: true },
	draws: true,
	marks(view, aid) {
		const map = new Map();

		for (const [square, counts] of aid ? points(view) : [])
			if (counts[0] + counts[1] > 0)
				map.set(square, { counts, words: say('attacked {white} by white, {black} by black', { white: counts[0], black: counts[1] }) });
		return map;
	},
	tell(view) {
		const sums = [0, 0];

		for (const counts of points(view).values()) counts.forEach((count, side) => { sums[side] += count; });
		const facts = [{ label: say('Score'), white: String(sums[0]), black: String(sums[1]) }];
		return view.legal && view.position.includes(' Q ') ? [...facts, { label: say('Queen called'), both: view.turn === 'white' ? say('white must place the queen') : say('black must place the queen') }] : facts;
	},
	fields(rows, hand, side, last) {
		const queen = last && cellAt(rows, ...squareAt(last)).toUpperCase() === 'Q';

		return ` ${queen && hand.includes(side === 'w' ? 'Q' : 'q') ? 'Q' : '-'} ${last || '-'}`;
	},
	hand(view, color) {
		const letters = /\[(\w*)\]/.exec(view.position)?.[1] ?? '';

		return [...letters].filter(letter => colorOf(letter) === color).join('');
	},
	examples: [
		{ title: say('Touch'), position: '8/8/8/2r5/3K4/8/8/8[QRRBBNNkqrbbnn] w - c5',
			text: say('White’s king attacks the seven empty squares around it, the rook those of its rank and file. White may place any piece but the king next to one of the two.') },
		{ title: say('A queen calls for the other'), position: '8/8/8/2rQ4/3K4/8/8/8[RRBBNNkqrbbnn] b Q d5',
			text: say('White has placed the queen. Black must answer with the queen, next to a piece.') },
	],
};
