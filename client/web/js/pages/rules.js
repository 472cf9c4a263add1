// The rules of each game, with boards to try them on.
import { fill, h } from '../dom.js';
import { say } from '../language.js';
import { findGame, gameTabs, games } from '../games/index.js';
import { lessonsOf } from '../lessons.js';
import { practices } from '../practice.js';
import { linkTo } from '../router.js';
import { picture } from '../scene.js';

/** The rule of a lesson: what its task says before the exercise, which is the last sentence. @param {string} task */
function ruleOf(task) {
	return task.slice(0, task.lastIndexOf('. ') + 1) || task;
}

/** A rule, and a part of a board before and after a move. @param {Game} game @param {Lesson} lesson */
function shownRule(game, { shown, task, variant, position, moves, positions, done, frame }) {
	const side = (/** @type {string} */ at, /** @type {string} */ label) => h('div.part', { role: 'img', 'aria-label': label }, picture(game, at, variant, false, frame ?? ''));

	return h('section.rule', h('h2', shown), h('p', ruleOf(task)),
		h('div.parts', side(position, say('The board before the move')), h('span.way', { 'aria-hidden': 'true' }, '→'), side(positions[0], say('The board after {move}', { move: moves[0] }))), h('p', done));
}

/** @param {App} app @param {string} [name] */
export function page(app, name = '') {
	const game = findGame(name) ?? games[0];
	const boards = practices(app, game);
	const shown = h('div.examples', { id: 'shown-rules' });
	const stop = app.store.whenHere(() => void lessonsOf(app.session, game).catch(() => [])
		.then(lessons => shown.childElementCount > 0 || fill(shown, lessons.filter(lesson => lesson.frame).map(lesson => shownRule(game, lesson)))));

	return {
		node: h('div.rules', gameTabs('rules', game), h('article', h('h1', game.title), game.rules.map(text => h('p', text)),
			h('div.buttons', h('a.button.primary', { href: linkTo('new', game.name) }, say('Play {game}', { game: game.title })), h('a.button', { href: linkTo('learn', game.name) }, say('Learn it by moves')))),
		shown, h('div.examples', boards.nodes)),
		title: say('Rules of {game}', { game: game.title }),
		close: () => {
			stop();
			boards.close();
		},
	};
}
