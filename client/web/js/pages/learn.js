// The lessons of a game: each explains a rule and asks for one move, on a board that takes no other.
import { Board } from '../board.js';
import { fill, h } from '../dom.js';
import { findGame, games, gameTabs } from '../games/index.js';
import { moveParts, viewOf } from '../grid.js';
import { keepLearned, learned, lessonsOf, whyNot } from '../lessons.js';
import { linkTo } from '../router.js';
import { onFrames } from '../scene.js';
import { Seat } from '../seat.js';
import { sentence } from '../words.js';

class LessonView {
	/** @param {App} app @param {Game} game @param {Lesson[]} lessons @param {number} at */
	constructor(app, game, lessons, at) {
		this.app = app;
		this.game = game;
		this.lessons = lessons;
		this.at = at;
		this.lesson = lessons[at];
		this.board = new Board(game, { play: move => this.play(move), chose: source => this.chose(source), why: what => this.explain(what) });
		this.seat = new Seat(game, (piece, event) => this.board.pick(piece, event));
		this.said = h('p.said', { id: 'said', role: 'status' });
		this.buttons = h('div.buttons');
		this.list = h('ol.lessons');
		const { title, task } = this.lesson;
		this.node = h('div.lesson', { id: 'lesson', 'data-lesson': at + 1 },
			h('div.task', h('p.note', `${game.title}, lesson ${at + 1} of ${lessons.length}`), h('h1', title), h('p', { id: 'task' }, task)),
			this.board.node, h('div.answer', this.seat.hand, this.said, this.buttons, h('nav', { 'aria-label': 'Lessons' }, this.list)));
		this.begin();
	}

	begin() {
		const { position, variant, legal } = this.lesson;

		this.show({ ...viewOf(position, variant), legal });
		this.say(`${this.board.view?.turn === 'white' ? 'White' : 'Black'} is to move.`);
		this.showButtons(false);
	}

	/** @param {View} view */
	show(view) {
		const { board } = this;

		board.show(view, false, false);
		for (const side of ['--files', '--ranks']) this.node.style.setProperty(side, board.scene.node.style.getPropertyValue(side));
		this.showHand();
	}

	/** @param {string | null} source is picked up */
	chose(source) {
		if (source !== null && this.said.matches('.problem')) this.say('');
		this.showHand();
	}

	showHand() {
		const { view, source } = this.board;

		if (!view) return;
		this.seat.color = view.turn;
		this.seat.showHand(view, source?.endsWith('@') ? source[0] : null);
	}

	/** @param {boolean} done whether the task is */
	showButtons(done) {
		const { game, lessons, at } = this;
		const last = at + 1 === lessons.length;
		const titles = learned(game);

		this.node.dataset.done = String(done);
		fill(this.buttons, done ? h('button', { 'data-action': 'again', onclick: () => this.begin() }, 'Again') : h('button', { 'data-action': 'hint', onclick: () => this.hint() }, 'Show me'),
			last ? h(`a.button${done ? '.primary' : ''}`, { href: linkTo('new', game.name) }, `Play ${game.title}`)
				: h(`a.button${done ? '.primary' : ''}`, { 'data-action': 'next', href: linkTo('learn', game.name, String(at + 2)) }, 'Next lesson'));
		fill(this.list, lessons.map(({ title }, i) => h('li', h('a', { href: linkTo('learn', game.name, String(i + 1)), 'aria-current': i === at ? 'page' : null },
			h('span.number', i + 1), title, titles.includes(title) && h('span', { role: 'img', 'aria-label': 'done' }, '✓')))));
	}

	/** @param {string} text @param {string} [style] */
	say(text, style = '') {
		this.said.className = `said ${style}`;
		this.said.textContent = text;
	}

	/** @param {string} move */
	play(move) {
		const { lesson, board } = this;
		const answer = lesson.moves.indexOf(move);

		if (answer < 0) {
			board.refuse();
			if (lesson.legal.includes(move)) this.say(`${move} is legal, but not what is asked for. Try again.`, 'problem');
			else void this.explain(move);
			return;
		}
		keepLearned(this.game, lesson);
		this.show({ ...viewOf(lesson.positions[answer], lesson.variant), last: move });
		this.say(`Right. ${lesson.done}`, 'right');
		this.app.sound.play('move');
		this.showButtons(true);
	}

	/** @param {string} what a move, a square or a piece in hand that the rules forbid */
	async explain(what) {
		const { view } = this.board;

		if (!view?.legal) return;
		const why = await whyNot(this.app.session, this.game, view, what).catch(refusal => refusal.message);
		if (this.board.view === view) this.say(sentence(why), 'problem');
	}

	/** Shows one way on the board: it is left to play. */
	hint() {
		const [move] = this.lesson.moves;
		const parts = moveParts(move);

		if (!parts) return;
		this.board.drawn.add(parts.from.endsWith('@') ? parts.to + parts.to : move);
		this.board.choose(parts.from);
		this.say(`One way is ${move}.`);
	}
}

/** @param {App} app @param {string} [name] @param {string} [number] */
export function page(app, name = '', number = '1') {
	const game = findGame(name) ?? games[0];
	const place = h('div', h('p.loading', 'One moment…'));
	/** @type {LessonView | null} */
	let view = null;
	const begin = async () => {
		if (view) return;
		const lessons = await lessonsOf(app.session, game).catch(() => null);
		if (view || !lessons) return; /* the connection was lost: it comes again */
		if (lessons.length === 0) {
			fill(place, h('div.empty', h('h1', `There are no lessons of ${game.title}`), h('a.button', { href: linkTo('rules', game.name) }, 'Rules')));
			return;
		}
		view = new LessonView(app, game, lessons, Math.max(0, Math.min(lessons.length, Math.trunc(Number(number)) || 1) - 1));
		fill(place, view.node);
	};
	const stops = [app.store.whenHere(() => void begin()), onFrames(() => view?.board.view && view.show(view.board.view))];

	return { node: h('div.learn', { id: 'learn' }, place, gameTabs('learn', game)), title: `Learn ${game.title}`, close: () => stops.forEach(stop => stop()) };
}
