// What the server teaches: the lessons of a game, which of them this browser has done, and why a move is not legal.
import { cells } from './grid.js';
import { recall, remember } from './kept.js';
import { say, told } from './language.js';
import { typeset } from './words.js';

const KEY = 'ludus.learned';

/** @type {Map<string, Lesson[]>} by game */
const known = new Map();

/** @param {Session} session @param {Game} game @returns {Promise<Lesson[]>} */
export async function lessonsOf(session, game) {
	const lessons = known.get(game.name) ?? (await session.ask(`lessons ${game.name}`)).lessons
		.map((/** @type {Lesson} */ lesson) => ({ ...lesson, task: typeset(lesson.task), done: typeset(lesson.done), shown: typeset(lesson.title) }));

	known.set(game.name, lessons);
	return lessons;
}

/** @param {Game} game @returns {string[]} the titles of those that are done */
export function learned(game) {
	const titles = recall(KEY)?.[game.name];

	return Array.isArray(titles) ? titles : [];
}

/** @param {Game} game @param {Lesson} lesson is done */
export function keepLearned(game, lesson) {
	remember(KEY, { ...recall(KEY), [game.name]: [...new Set([...learned(game), lesson.title])] });
}

/**
 * The rule that forbids a move, or anything on a square (`b2`) or with a piece in hand (`Q@`); '' if none does.
 * @param {Session} session @param {Game} game @param {View} view @param {string} what
 */
export async function whyNot(session, game, view, what) {
	const move = what.endsWith('@') ? what + (cells(view.rows).find(at => at.cell === '.')?.square ?? 'a1') : what;
	const reply = await session.ask(`explain ${game.name}:${view.variant} ${move} position=${view.position}`);

	if (reply.legal) return game.hand && !move.includes('@') ? say('choose a piece in hand first') : '';
	return told(String(reply.why));
}
