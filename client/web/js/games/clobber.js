// What is special about Clobber: stones and groups that are out of play.
import { cells, colorOf, neighbours, squareName } from '../grid.js';
import { say, sayAs } from '../language.js';

/**
 * The group that a stone belongs to; its squares are added to `seen`.
 * @param {string[]} rows @param {{square: string, file: number, rank: number, cell: string}} start @param {Set<string>} seen
 */
function groupFrom(rows, start, seen) {
	const queue = [start];
	let live = false;

	seen.add(start.square);
	for (const at of queue) {
		const stones = neighbours(rows, at.file, at.rank).filter(next => colorOf(next.cell) !== null);
		live ||= stones.some(next => next.cell !== at.cell);
		for (const next of stones) {
			const square = squareName(next.file, next.rank);
			if (!seen.has(square)) queue.push({ ...next, square });
			seen.add(square);
		}
	}
	return { squares: queue.map(at => at.square), live };
}

/**
 * The groups of stones that stand together along files and ranks. One of a single colour is dead.
 * @param {string[]} rows @returns {Group[]}
 */
function groupsOf(rows) {
	const seen = new Set();

	return cells(rows).filter(at => colorOf(at.cell) !== null).flatMap(at => (seen.has(at.square) ? [] : [groupFrom(rows, at, seen)]));
}

/** @type {Pictures} */
export const pictures = {
	pieces: { P: say('stone') },
	shapes: {
		P: [
			['circle.body', { cx: 50, cy: 50, r: 39 }],
			['circle.ring', { cx: 50, cy: 50, r: 27 }],
		],
	},
	style: `
		& { --frame:#3c4f60; --light:#91a6b5; --dark:#869cac; --mark:#dbe4ea; --hint:#14222e; --last:#cdbb78 }`,
	startOf(variant) {
		const [files, ranks] = variant.split('x').map(Number);
		const rows = [...Array(ranks).keys()].map(y => 'pP'.repeat(6).slice((ranks - 1 - y) % 2).slice(0, files));

		return `${rows.join('/')} w`;
	},
	sample: 'pP1pPp/Pp1PpP/1PpP1p/PpPp1P/p1PPpP/PpP1Pp w',
	aid: { label: say('Fade stones that are out of play'), first: true },
	draws: false,
	marks(view, aid) {
		const map = new Map();

		if (!aid) return map;
		for (const group of groupsOf(view.rows).filter(each => !each.live))
			for (const square of group.squares) map.set(square, { piece: 'dead', words: say('out of play') });
		return map;
	},
	tell(view) {
		const live = groupsOf(view.rows).filter(group => group.live);
		const facts = [{ label: say('Groups in play'), both: live.length === 0 ? sayAs('groups', 'none') : say('{count}, of {sizes} stones', { count: live.length, sizes: live.map(group => group.squares.length).join(', ') }) }];

		if (view.legal) facts.push({ label: say('Moves you can make'), both: String(view.legal.length) });
		return facts;
	},
	examples: [
		{ title: say('The last move'), position: '5/1Pp2/2P2/5/3p1/5 w',
			text: say('White may play b5c5 or c4c5, and takes the stone on c5. The stone on d2 is out of play. After b5c5 black has no move and has lost.') },
		{ title: say('A small start'), position: 'pPpP/PpPp/pPpP/PpPp w', variant: '4x4',
			text: say('A whole match on four by four takes a minute. Play both sides.') },
	],
};
