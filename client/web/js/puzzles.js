// Puzzles: what the server tells of them, and what this browser has solved.
import { fill, h } from './dom.js';
import { findGame, gameLabel } from './games/index.js';
import { recall, remember } from './kept.js';
import { say } from './language.js';
import { linkTo } from './router.js';
import { picture } from './scene.js';
import { signed, typeset } from './words.js';

const KEY = 'ludus.puzzles';
const DAY_MS = 86400000;

/**
 * A puzzle: that of today (of the game of the day without a game), or one by its number. Rejects with a Refusal.
 * @param {Session} session @param {Game} [game] @param {string} [which] its number or `daily` @returns {Promise<Puzzle>}
 */
export function puzzleOf(session, game, which = 'daily') {
	return session.ask(game ? `puzzle ${game.name} ${which}` : 'puzzle');
}

/** The puzzle of a game for a player's rating, or that of today for a guest. @param {Session} session @param {string} game @returns {Promise<Puzzle>} */
export function puzzleFor(session, game) {
	return session.ask(`puzzle ${game}`);
}

/** What a move comes to, or with `answer` the one that wins. @param {Session} session @param {Puzzle} puzzle @param {string} move @returns {Promise<Attempt>} */
export function attempt(session, puzzle, move) {
	return session.ask(`puzzle ${puzzle.game} ${puzzle.number} ${move}`);
}

/** What a storm is, with its puzzles and their answers. @param {Session} session @param {Game} game @returns {Promise<Storm>} */
export function stormOf(session, game) {
	return session.ask(`puzzle ${game.name} storm`);
}

/** @returns {{next: {[game: string]: number}, storm: {[game: string]: number}, shown: {[game: string]: string}, day: string, streak: number}} of each game the number of the next one, the most solved in a storm, and the last day of whose puzzle the answer was shown; the last day solved, and how many in a row */
function kept() {
	const { next, storm, shown, day, streak } = recall(KEY) ?? {};

	return { storm: storm instanceof Object ? storm : {}, shown: shown instanceof Object ? shown : {}, next: next instanceof Object ? next : {}, day: typeof day === 'string' ? day : '', streak: Number.isInteger(streak) && streak > 0 ? streak : 0 };
}

/** @param {Game} game @returns {number} of the one after the last that was solved */
export function nextNumber(game) {
	const number = kept().next[game.name];

	return Number.isInteger(number) && number > 0 ? number : 1;
}

/** How many puzzles were solved in the best storm; 0: in none yet. @param {Game} game @returns {number} */
export function bestStorm(game) {
	const best = kept().storm[game.name];

	return Number.isInteger(best) && best > 0 ? best : 0;
}

/** @param {Game} game @param {number} solved */
export function keepStorm(game, solved) {
	const { storm, ...rest } = kept();

	remember(KEY, { ...rest, storm: { ...storm, [game.name]: solved } });
}

/** @param {string} day as 2026-11-28 */
function dayBefore(day) {
	return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

/** How many days in a row the puzzle of the day has been solved, up to that day or the one before. @param {string} today */
export function streakOf(today) {
	const { day, streak } = kept();

	return day === today || day === dayBefore(today) ? streak : 0;
}

/** @param {number} streak */
export function streakWords(streak) {
	return streak > 0 ? say('Days in a row: {count}.', { count: streak }) : '';
}

/** @param {string} today @returns {boolean} whether the puzzle of that day is solved */
export function isSolved(today) {
	return kept().day === today;
}

/** Keeps that one of today is solved. @param {string} today */
export function keepDay(today) {
	if (!isSolved(today)) remember(KEY, { ...kept(), streak: streakOf(today) + 1, day: today });
}

/** @param {Puzzle} puzzle @returns {boolean} whether it is one of today, and its answer was shown before */
export function wasShown({ game, date }) {
	return date !== undefined && kept().shown[game] === date;
}

/** Keeps that the answer of a puzzle of today was shown. @param {Puzzle} puzzle */
export function keepShown({ game, date }) {
	const { shown, ...rest } = kept();

	if (date) remember(KEY, { ...rest, shown: { ...shown, [game]: date } });
}

/** Keeps that a puzzle is solved: the next one comes the next time. @param {Puzzle} puzzle */
export function keepNumber({ game, number, count }) {
	const { next, ...rest } = kept();

	remember(KEY, { ...rest, next: { ...next, [game]: number % count + 1 } });
}

/** How a puzzle and its solver are rated; '' for a guest. @param {Puzzle} puzzle */
export function ratingWords({ rating, solver, tried }) {
	if (!solver) return '';
	return tried ? say('You have tried it before: it is not rated. Your rating: {own}.', { own: solver.rating }) : say('Its difficulty: {rating}. Your rating: {own}. It rises if your first try is right, and falls if not.', { rating, own: solver.rating });
}

/** What an attempt has changed; '' where it did not count. @param {Attempt} answer */
export function changeWords({ rated, solver }) {
	return rated && solver ? say('Your rating: {rating} ({change}).', { rating: solver.rating, change: signed(solver.change ?? 0) }) : '';
}

/** @param {Puzzle} puzzle @param {boolean} daily whether it is meant as that of its day */
export function puzzleTitle({ game, variant, number, count, date }, daily) {
	const label = gameLabel(game, variant);

	return daily && date ? say('{game}, puzzle of {date}', { game: label, date }) : say('{game}, puzzle {number} of {count}', { game: label, number, count });
}

/** The way to the puzzle of the day, which is filled when the server tells of it. @param {App} app */
export function dailyPuzzle(app) {
	const board = h('span');
	const task = h('span', '…');
	const node = h('section.daily', { id: 'daily' },
		h('a.row', { href: linkTo('puzzle') }, board, h('span.what', h('strong', say('Puzzle of the day')), task)));
	const show = async () => {
		const puzzle = await puzzleOf(app.session).catch(refusal => {
			node.hidden = refusal.code !== 'lost'; /* a server without puzzles */
			return null;
		});
		const game = puzzle && findGame(puzzle.game);

		if (!game) return;
		fill(board, picture(game, puzzle.position, puzzle.variant));
		task.textContent = `${game.title}. ${puzzle.date && isSolved(puzzle.date) ? `${say('Solved.')} ${streakWords(streakOf(puzzle.date))}` : typeset(puzzle.task)}`;
	};

	return { node, close: app.store.whenHere(() => void show()) };
}
