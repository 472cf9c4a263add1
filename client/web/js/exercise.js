// A board on which one move is asked for, and what is said of each that is tried: lessons and puzzles.
import { Board } from './board.js';
import { fill, h } from './dom.js';
import { whyNot } from './lessons.js';
import { onFrames } from './scene.js';
import { Seat } from './seat.js';
import { sentence } from './words.js';

export class Exercise {
	/**
	 * @param {App} app @param {Game} game @param {Props} props of its element
	 * @param {(move: string) => void} judge gets each legal move that is tried
	 * @param {(square: string) => void} [idle] the board is pressed while it takes no move
	 */
	constructor(app, game, props, judge, idle) {
		this.app = app;
		this.game = game;
		this.judge = judge;
		this.flipped = false;
		this.board = new Board(game, { play: move => this.play(move), chose: source => this.chose(source), why: what => this.explain(what), idle });
		this.seat = new Seat(game, (piece, event) => this.board.pick(piece, event));
		this.said = h('p.said', { id: 'said', role: 'status' });
		this.buttons = h('div.buttons');
		this.node = h('div.lesson', props);
		this.stop = onFrames(() => this.board.view && this.show(this.board.view));
	}

	/** Puts it together. @param {Child} task what to do, with a heading @param {Child} below the buttons */
	layOut(task, below) {
		fill(this.node, h('div.task', task), this.board.node, h('div.answer', this.seat.hand, this.said, this.buttons, below));
	}

	/** @param {View} view */
	show(view) {
		const { board } = this;

		board.show(view, this.flipped, false);
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

	/** @param {string} text @param {string} [style] */
	say(text, style = '') {
		this.said.className = `said ${style}`;
		this.said.textContent = text;
	}

	/** Shows what can be done now. The keyboard stays among them, or goes to the board where there is a move to make. @param {Child} buttons */
	setButtons(buttons) {
		const pressed = this.buttons.contains(document.activeElement);

		fill(this.buttons, buttons);
		if (!pressed) return;
		if (this.board.view?.legal) this.board.setFocus(this.board.focus, true);
		else /** @type {HTMLElement | null} */ (this.buttons.querySelector('.primary'))?.focus();
	}

	/** @param {string} move */
	play(move) {
		if (this.board.view?.legal?.includes(move)) {
			this.judge(move);
			return;
		}
		this.board.refuse();
		void this.explain(move);
	}

	/** @param {string} what a move, a square or a piece in hand that the rules forbid */
	async explain(what) {
		const { view } = this.board;

		if (!view?.legal) return;
		const why = await whyNot(this.app.session, this.game, view, what).catch(refusal => refusal.message);
		if (this.board.view === view) this.say(sentence(why), 'problem');
	}
}
