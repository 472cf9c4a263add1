// The list of moves, the steps through them, and a line to type a move.
import { fill, h, line, s } from './dom.js';
import { sideOf } from './grid.js';
import { isCommand } from './keys.js';
import { say } from './language.js';
import { Store } from './store.js';

const STEPS = /** @type {[string, string, string][]} */ ([
	['first', say('First position'), 'M7 5v14M18 5l-8 7 8 7z'], ['back', say('Back one move'), 'M16 5l-8 7 8 7z'],
	['forward', say('Forward one move'), 'M8 5l8 7-8 7z'], ['latest', say('Latest position'), 'M17 5v14M6 5l8 7-8 7z']]);

/** @type {{[key: string]: string}} */
const KEYS = { ArrowLeft: 'back', '<': 'back', ',': 'back', ArrowRight: 'forward', '>': 'forward', '.': 'forward', Home: 'first', End: 'latest' };

export class Moves {
	/** @param {MatchView} match @param {Pace} pace */
	constructor(match, pace) {
		this.match = match;
		this.pace = pace;
		this.list = h('ol.moves', { id: 'moves', tabindex: -1, 'aria-label': say('Moves') });
		this.curve = s('svg.curve', { preserveAspectRatio: 'none', viewBox: '0 0 99 100' });
		this.chances = h('figure.judged', { hidden: true, onclick: event => this.jumpTo(event) }, h('figcaption', say('White’s chances to win')), h('span.scale', { 'aria-hidden': 'true' }, '100 %'), this.curve, h('span.scale.low', { 'aria-hidden': 'true' }, '0 %'));
		this.mistake = h('button.quiet', { 'data-step': 'mistake', hidden: true, onclick: () => this.step('mistake') }, say('Next mistake'));
		this.legend = h('p.note', { id: 'legend', hidden: true }, say('? is a mistake, ?? a blunder.'));
		this.buttons = STEPS.map(([name, label, path]) => this.stepButton(name, label, path));
		this.input = line('move', say('Type a move'), { autocapitalize: 'none', maxlength: 12, enterkeyhint: 'go', oninput: () => this.preview() });
		this.form = h('form.type', { onsubmit: event => this.submit(event) }, this.input);
		this.node = h('section.played', { 'aria-label': say('Moves') }, h('div.steps', this.buttons, this.stepButton('turn', say('Turn the board'), 'M7 4v13m0 3-3.5-3.5M7 20l3.5-3.5M17 20V7m0-3 3.5 3.5M17 4l-3.5 3.5')), pace.node, this.chances, this.mistake, this.list, this.legend, this.form);
		this.list.addEventListener('click', event => this.jump(event));
		this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
		document.addEventListener('keydown', this.onKey);
		this.shown = '';
	}

	/** @param {string} name @param {string} label @param {string} path */
	stepButton(name, label, path) {
		return h('button.icon-button', { 'data-step': name, 'aria-label': label, title: label, onclick: () => this.step(name) },
			s('svg', { viewBox: '0 0 24 24' }, s('path', { d: path })));
	}

	/** @param {string} name */
	step(name) {
		const at = this.match.at ?? this.match.timeline.moves.length;

		if (this.match.coach?.stepsLine(name)) return;
		if (name === 'turn') this.match.turnBoard();
		else if (name === 'mistake') this.nextMistake(at);
		else this.match.step({ first: 0, back: at - 1, forward: at + 1 }[name] ?? null);
	}

	/** Goes to the next move that a review has marked, after the last one to the first. @param {number} at */
	nextMistake(at) {
		const marked = this.match.coach?.mistakes() ?? [];

		if (marked.length > 0) void this.match.coach?.toMistake(marked.find(ply => ply > at) ?? marked[0]);
	}

	/** @param {State} state */
	show(state) {
		const { moves } = this.match.timeline;
		const at = this.match.at ?? moves.length;
		const [first, back, forward, latest] = /** @type {HTMLButtonElement[]} */ (this.buttons);

		first.disabled = back.disabled = at === 0;
		forward.disabled = latest.disabled = at === moves.length;
		this.form.hidden = !(state.status === 'playing' && state.you !== null);
		this.input.placeholder = Store.isMine(state) ? say('Type a move, such as {move}', { move: state.legal?.[0] ?? 'pass' }) : say('Type a premove');
		this.showList(moves, at);
	}

	/** @param {string[]} moves @param {number} at */
	showList(moves, at) {
		const { judged } = this.match.timeline;
		const key = `${at} ${moves.join()} ${judged.length}`;
		const first = sideOf(this.match.timeline.positions[0] ?? '') === 'black' ? 1 : 0;

		if (key === this.shown) return;
		this.shown = key;
		fill(this.list, moves.length === 0 ? h('li.none', say('No moves yet')) : moves.map((move, i) => h('li', {},
			(i + first) % 2 === 0 && h('span.number', { 'aria-hidden': 'true' }, `${(i + first) / 2 + 1}.`),
			h('button.move', { 'data-ply': i + 1, 'aria-current': i + 1 === at ? 'step' : null }, move + (judged[i]?.mark ?? '')))));
		this.chances.hidden = !judged[0];
		this.legend.hidden = this.mistake.hidden = !this.match.coach?.mistakes().length;
		if (judged[0]) fill(this.curve, s('path', { d: `M0 50H99M${at * 99 / moves.length} 0V99` }), s('path.chances', { d: `M${judged.map(({ chance }, i) => `${i * 99 / moves.length} ${100 - chance}`).join('L')}` }));
		requestAnimationFrame(() => {
			const current = this.list.querySelector('[aria-current]');
			if (current instanceof HTMLElement) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
		});
	}

	/** Shows the position below a press on the curve. @param {MouseEvent} event */
	jumpTo(event) {
		const { left, width } = this.curve.getBoundingClientRect();

		if (width > 0) void this.match.step(Math.round((event.clientX - left) / width * this.match.timeline.moves.length));
	}

	/** @param {Event} event */
	jump(event) {
		const ply = event.target instanceof HTMLElement ? event.target.dataset.ply : undefined;

		if (ply !== undefined) this.match.step(Number(ply));
	}

	/** Shows what is typed on the board: its first part picks up a piece. */
	preview() {
		const text = this.input.value.trim();
		const source = /^[a-j]\d+$/i.test(text) ? text.toLowerCase() : /^[KQRBN]@?$/.test(text) ? `${text[0]}@` : null;
		const board = this.match.board;

		if (source !== null && board && (source.endsWith('@') ? board.game.hand : board.isOwn(source))) board.choose(source);
	}

	/** @param {Event} event */
	submit(event) {
		const move = this.input.value.trim();

		event.preventDefault();
		if (move !== '') this.match.play(move.replace(/\s+/g, ''));
		this.input.value = '';
	}

	/** Letters and digits go to the line, wherever the keyboard is; arrows, Home and End step, Space, + and - are the pace's. @param {KeyboardEvent} event */
	key(event) {
		const step = KEYS[event.key];

		if (!isCommand(event) || this.pace.key(event)) return;
		if (event.key === 'Escape') {
			this.match.plan.drop();
		} else if (step && this.buttons[0].checkVisibility() && !this.scrolls(event)) {
			this.step(step);
			event.preventDefault();
		} else if (/^[a-z0-9@]$/i.test(event.key) && !this.form.hidden) {
			this.input.focus();
		} else if (event.key === 'm') {
			this.step('mistake');
		}
	}

	/** Whether a key belongs to a list that scrolls. @param {KeyboardEvent} event */
	scrolls(event) {
		return event.target instanceof Element && event.target.closest('.lines') !== null;
	}

	close() {
		document.removeEventListener('keydown', this.onKey);
	}
}
