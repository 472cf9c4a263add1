// A match as a file, in the form that the other programs of Ludus read (common/pgn.h).
import { findGame } from './games/index.js';
import { sideOf } from './grid.js';
import { notation } from './tree.js';

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

/** @param {MatchRecord} record @param {string} title of the game */
function eventOf(record, title) {
	if (record.event) return record.event;
	const rated = record.white_rating !== null && record.black_rating !== null;

	return `${record.rated === false ? 'Casual ' : rated ? 'Rated ' : ''}${title} match`;
}

/** @param {MatchRecord} record the tags of the standard first, in its order, then those of Ludus */
function tags(record) {
	const { clock } = record;
	const game = findGame(record.game);
	const title = game?.title ?? record.game;
	const day = record.date.slice(0, 10).replaceAll('-', '.');
	const usual = record.start === game?.startOf(record.variant);

	return tag('Event', eventOf(record, title)) + tag('Site', location.host) +
		tag('Date', day) + tag('Round', '-') + tag('White', record.white ?? '?') + tag('Black', record.black ?? '?') + tag('Result', record.result) +
		tag('UTCDate', day) + tag('UTCTime', record.date.slice(11, 19)) +
		tag('WhiteElo', record.white_rating_before ?? null) + tag('BlackElo', record.black_rating_before ?? null) +
		tag('Variant', record.variant === 'standard' ? title : `${title} ${record.variant}`) +
		tag('TimeControl', clock ? `${clock.base_ms / 1000}+${clock.increment_ms / 1000}` : '-') +
		tag('SetUp', usual ? null : '1') + tag('FEN', usual ? null : record.start) +
		tag('Game', record.game) + tag('Match', record.match || null) +
		tag('WhiteRating', record.white_rating) + tag('BlackRating', record.black_rating) +
		tag('Rated', record.rated === false ? 'no' : null) + tag('Reason', record.reason);
}

/**
 * The time left after each move, as comments; the first move starts the clock.
 * @param {MatchRecord} record @param {number} first
 */
function clocks({ clock, times_ms: times, moves }, first) {
	if (!clock) return moves.map(() => '');
	const left = [clock.base_ms, clock.base_ms];
	return moves.map((_, i) => {
		const side = (i + first) % 2;
		left[side] = Math.max(0, left[side] + clock.increment_ms - (i === 0 ? 0 : times[i]));
		const seconds = Math.floor(left[side] / 1000);
		const two = (/** @type {number} */ value) => String(value % 60).padStart(2, '0');
		return `[%clk ${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}]`;
	});
}

/** An analysis. @param {Game} game @param {Branch} root @param {string} result of its main line */
export function analysisText(game, root, result) {
	const record = {
		match: '', event: `Analysis of ${game.title}`, game: game.name, variant: root.variant, start: root.position, moves: [], times_ms: [], white: null, black: null,
		date: new Date().toISOString(), clock: null, result, reason: null, white_rating: null, black_rating: null,
	};
	const words = notation(root).map(({ text }) => text).join(' ').replaceAll('( ', '(').replaceAll(' )', ')');

	return `${tags(record)}\n${wrap([...words.split(' ').filter(word => word !== ''), result])}`;
}

/** @param {MatchRecord} record */
export function pgnText(record) {
	const first = sideOf(record.start) === 'black' ? 1 : 0;
	const left = clocks(record, first);
	const moves = record.moves.flatMap((move, i) => {
		const ply = i + first;
		const number = `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? '.' : '...'}`;
		return [...ply % 2 === 0 || i === 0 || left[i - 1] !== '' ? [number] : [], move, ...left[i] === '' ? [] : [`{ ${left[i]}`, '}']];
	});

	return `${tags(record)}\n${wrap([...moves, record.result])}`;
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
