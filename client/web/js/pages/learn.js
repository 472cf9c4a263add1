// The lessons of a game: each explains a rule and asks for one move, on a board that takes no other.
import { fill, h } from '../dom.js';
import { Exercise } from '../exercise.js';
import { findGame, gameTabs, games } from '../games/index.js';
import { moveParts, viewOf } from '../grid.js';
import { say } from '../language.js';
import { keepLearned, learned, lessonsOf } from '../lessons.js';
import { linkTo } from '../router.js';

class LessonView {
	/** @param {App} app @param {Game} game @param {Lesson[]} lessons @param {number} at */
	constructor(app, game, lessons, at) {
		const { shown: title, task } = lessons[at];

		this.app = app;
		this.game = game;
		this.lessons = lessons;
		this.at = at;
		this.lesson = lessons[at];
		this.exercise = new Exercise(app, game, { id: 'lesson', 'data-lesson': at + 1 }, move => this.judge(move));
		this.node = this.exercise.node;
		this.list = h('ol.lessons');
		this.exercise.layOut([h('p.note', say('{game}, lesson {number} of {count}', { game: game.title, number: at + 1, count: lessons.length })), h('h1', title), h('p', { id: 'task' }, task)],
			h('nav', { 'aria-label': say('Lessons') }, this.list));
		this.begin();
	}

	begin() {
		const { position, variant, legal } = this.lesson;
		const view = { ...viewOf(position, variant), legal };

		this.exercise.show(view);
		this.exercise.say(view.turn === 'white' ? say('White is to move.') : say('Black is to move.'));
		this.showButtons(false);
	}

	/** @param {boolean} done whether the task is */
	showButtons(done) {
		const { game, lessons, at } = this;
		const last = at + 1 === lessons.length;
		const titles = learned(game);

		this.node.dataset.done = String(done);
		this.exercise.setButtons([done ? h('button', { 'data-action': 'again', onclick: () => this.begin() }, say('Again')) : h('button', { 'data-action': 'hint', onclick: () => this.hint() }, say('Show me')),
			last ? [h(`a.button${done ? '.primary' : ''}`, { href: linkTo('new', game.name) }, say('Play {game}', { game: game.title })), done && this.more()]
				: h(`a.button${done ? '.primary' : ''}`, { 'data-action': 'next', href: linkTo('learn', game.name, String(at + 2)) }, say('Next lesson'))]);
		fill(this.list, lessons.map(({ title, shown }, i) => h('li', h('a', { href: linkTo('learn', game.name, String(i + 1)), 'aria-current': i === at ? 'page' : null },
			h('span.number', i + 1), shown, titles.includes(title) && h('span', { role: 'img', 'aria-label': say('done') }, '✓')))));
	}

	/** What comes after the last lesson. @returns {Child} */
	more() {
		const { game } = this;
		const other = games[(games.indexOf(game) + 1) % games.length];

		return [h('a.button', { 'data-action': 'puzzles', href: linkTo('puzzle', game.name) }, say('Puzzles')),
			h('a.button', { 'data-action': 'other', href: linkTo('learn', other.name) }, say('Learn {game}', { game: other.title }))];
	}

	/** @param {string} move */
	judge(move) {
		const { lesson, exercise } = this;
		const answer = lesson.moves.indexOf(move);

		if (answer < 0) {
			exercise.board.refuse();
			exercise.say(say('{move} is legal, but not what is asked for. Try again.', { move }), 'problem');
			return;
		}
		keepLearned(this.game, lesson);
		exercise.show({ ...viewOf(lesson.positions[answer], lesson.variant), last: move });
		exercise.say([say('Right.'), lesson.done, this.at + 1 === this.lessons.length && say('You know the rules now: play a first match against a bot.')].filter(text => text).join(' '), 'right');
		this.app.sound.play('move');
		this.showButtons(true);
	}

	/** Shows one way on the board: it is left to play. */
	hint() {
		const { board } = this.exercise;
		const [move] = this.lesson.moves;
		const parts = moveParts(move);

		if (!parts) return;
		board.drawn.add(parts.from.endsWith('@') ? parts.to + parts.to : move);
		board.choose(parts.from);
		this.exercise.say(say('One way is {move}.', { move }));
	}
}

/** @param {App} app @param {string} [name] @param {string} [number] */
export function page(app, name = '', number = '1') {
	const game = findGame(name) ?? games[0];
	const place = h('div', h('p.loading', say('One moment…')));
	/** @type {LessonView | null} */
	let view = null;
	const begin = async () => {
		if (view) return;
		const lessons = await lessonsOf(app.session, game).catch(() => null);
		if (view || !lessons) return; /* the connection was lost: it comes again */
		if (lessons.length === 0) {
			fill(place, h('div.empty', h('h1', say('There are no lessons of {game}', { game: game.title })), h('a.button', { href: linkTo('rules', game.name) }, say('Rules'))));
			return;
		}
		view = new LessonView(app, game, lessons, Math.max(0, Math.min(lessons.length, Math.trunc(Number(number)) || 1) - 1));
		fill(place, view.node);
	};
	const stop = app.store.whenHere(() => void begin());
	const close = () => {
		stop();
		view?.exercise.stop();
	};

	return { node: h('div.learn', { id: 'learn' }, place, gameTabs('learn', game)), title: say('Learn {game}', { game: game.title }), close };
}
