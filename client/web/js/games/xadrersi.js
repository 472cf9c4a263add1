// What is special about Xadrersi: hands, attacked squares and the score.
import { cellAt, cells, colorOf, squareName, STEPS } from '../grid.js';

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

/** @type {Game} */
export const xadrersi = {
	name: 'xadrersi',
	title: 'Xadrersi',
	summary: 'Place chess pieces by turns. The side that attacks more squares wins.',
	variants: ['touch', 'attack'],
	pieces: { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' },
	start: () => '8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -',
	sample: '8/8/2nQ4/1r2qR2/3Kb3/2N5/8/8[RBBNkrbn] w - b5',
	aid: { label: 'Show attacks on each square', first: true },
	draws: true,
	marks(view, aid) {
		const map = new Map();

		for (const [square, counts] of aid ? points(view) : [])
			if (counts[0] + counts[1] > 0)
				map.set(square, { counts, words: `attacked ${counts[0]} by white, ${counts[1]} by black` });
		return map;
	},
	tell(view) {
		const sums = [0, 0];

		for (const counts of points(view).values()) counts.forEach((count, side) => { sums[side] += count; });
		const facts = [{ label: 'Score', white: String(sums[0]), black: String(sums[1]) }];
		return view.legal && view.position.includes(' Q ') ? [...facts, { label: 'Queen called', both: `${view.turn} must place the queen` }] : facts;
	},
	hand(view, color) {
		const letters = /\[(\w*)\]/.exec(view.position)?.[1] ?? '';

		return [...letters].filter(letter => colorOf(letter) === color).join('');
	},
	rules: [
		'By turns, each side places a piece on an empty square: a king, a queen, two rooks, two bishops and two knights. Pieces never move and are never taken. White’s first piece is the king; black’s king is black’s last. The two bishops of a side stand on squares of different colours.',
		'When a player places the queen and the opponent still holds theirs, the opponent’s next piece is that queen.',
		'Touch: each piece stands next to another one, of either colour, and black’s king next to the piece that white has just placed. A side scores a point for each empty square that one of its pieces attacks, once for each such piece.',
		'Attack: each piece stands where an enemy piece attacks, and all squares count.',
		'After 16 pieces the higher score wins. Equal scores are a draw.',
	],
	examples: [
		{ title: 'Touch', position: '8/8/8/2r5/3K4/8/8/8[QRRBBNNkqrbbnn] w - c5',
			text: 'White’s king attacks the seven empty squares around it, the rook those of its rank and file. White may place any piece but the king next to one of the two.' },
		{ title: 'The queen is called', position: '8/8/8/2rQ4/3K4/8/8/8[RRBBNNkqrbbnn] b Q d5',
			text: 'White has placed the queen. Black must answer with the queen, next to a piece.' },
	],
};
