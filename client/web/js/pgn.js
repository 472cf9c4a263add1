// A match as a file, in the form that the other programs of Ludus read (common/pgn.h).
import { findGame } from './games/index.js';
import { sideOf } from './grid.js';

const WIDTH = 79;

/** @param {string} name @param {string | number | null} value */
function tag(name, value) {
	return value === null ? '' : `[${name} "${String(value).replace(/[\\"]/g, '\\$&')}"]\n`;
}

/** @param {string[]} words @returns {string} lines of at most WIDTH */
function wrap(words) {
	let [text, line] = ['', ''];

	for (const word of words) {
		if (line !== '' && line.length + 1 + word.length > WIDTH) [text, line] = [`${text}${line}\n`, ''];
		line += line === '' ? word : ` ${word}`;
	}
	return `${text}${line}\n`;
}

/** @param {MatchRecord} record */
export function pgnText(record) {
	const { clock } = record;
	const first = sideOf(record.start) === 'black' ? 1 : 0;
	const moves = record.moves.flatMap((move, i) => {
		const ply = i + first;
		return ply % 2 === 0 ? [`${ply / 2 + 1}.`, move] : i === 0 ? ['1...', move] : [move];
	});

	return tag('Game', record.game) + tag('Variant', record.variant) + tag('Match', record.match) + tag('Date', record.date) +
		tag('White', record.white ?? '?') + tag('Black', record.black ?? '?') +
		tag('WhiteRating', record.white_rating) + tag('BlackRating', record.black_rating) +
		tag('TimeControl', clock ? `${clock.base_ms / 1000}+${clock.increment_ms / 1000}` : '-') +
		tag('Start', record.start === findGame(record.game)?.start(record.variant) ? null : record.start) + tag('Result', record.result) + tag('Reason', record.reason) + '\n' +
		wrap([...moves, record.result]);
}

/** Hands a text to the browser as a file. @param {string} name @param {string} text */
export function download(name, text) {
	const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
	const link = document.createElement('a');

	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
