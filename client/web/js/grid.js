// Squares, rows of a board, and the text of a position. No rule of any game is in here.

export const STEPS = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];

/** @param {number} file @param {number} rank both from 0 */
export function squareName(file, rank) {
	return String.fromCharCode(97 + file) + (rank + 1);
}

/** @param {string} square @returns {[number, number]} file and rank, from 0 */
export function squareAt(square) {
	return [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
}

/** @param {string[]} rows the highest rank first @param {number} file @param {number} rank @returns {string} '' off the board */
export function cellAt(rows, file, rank) {
	return rows[rows.length - 1 - rank]?.[file] ?? '';
}

/** @param {string} cell @returns {Color | null} of the piece in it */
export function colorOf(cell) {
	if (!/^[A-Za-z]$/.test(cell)) return null;
	return cell === cell.toUpperCase() ? 'white' : 'black';
}

/** @param {Color} color */
export function otherColor(color) {
	return color === 'white' ? 'black' : 'white';
}

/** @param {string[]} rows @returns {{square: string, file: number, rank: number, cell: string}[]} from a1 on */
export function cells(rows) {
	const all = [];

	for (let rank = 0; rank < rows.length; rank++)
		for (let file = 0; file < rows[0].length; file++)
			all.push({ square: squareName(file, rank), file, rank, cell: cellAt(rows, file, rank) });
	return all;
}

/** The orthogonal neighbours on the board. @param {string[]} rows @param {number} file @param {number} rank */
export function neighbours(rows, file, rank) {
	return STEPS.slice(0, 4).map(([dx, dy]) => ({ file: file + dx, rank: rank + dy }))
		.map(at => ({ ...at, cell: cellAt(rows, at.file, at.rank) })).filter(at => at.cell !== '');
}

/** @param {string} position @returns {string[]} its rows, as `board` of a state has them */
export function rowsOf(position) {
	const placement = position.split(/[ []/)[0];

	return placement.split('/').map(rank => rank.replace(/\d+/g, run => '.'.repeat(Number(run))));
}

/** @param {string} position @returns {Color} the side to move */
export function sideOf(position) {
	return position.split(' ')[1] === 'b' ? 'black' : 'white';
}

/**
 * The parts of a move: `b2b3`, `K@e4`; others, such as `pass`, have none.
 * @param {string} move @returns {{from: string, to: string} | null}
 */
export function moveParts(move) {
	const parts = /^([a-j]\d+|[A-Z]@)([a-j]\d+)$/.exec(move);

	return parts === null ? null : { from: parts[1], to: parts[2] };
}

/** A position to look at. @param {string} position @param {string} variant @returns {View} */
export function viewOf(position, variant) {
	return { rows: rowsOf(position), position, variant, turn: sideOf(position), last: null, legal: null };
}
