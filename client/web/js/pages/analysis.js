// The analysis board: moves of both sides from any position, their variations, and on request what the server's bots think.
import { fill, h, line, s } from '../dom.js';
import { Editor } from '../editor.js';
import { Exercise } from '../exercise.js';
import { findGame, gameLabel, gameTabs, games } from '../games/index.js';
import { moveParts, sideOf, viewOf } from '../grid.js';
import { isCommand } from '../keys.js';
import { say } from '../language.js';
import { analysisOf, standingAfter, standingOf } from '../positions.js';
import { linkTo, linkToPosition, unpacked } from '../router.js';
import { branch, endOf, grow, isMain, movesTo, notation, promote, prune } from '../tree.js';
import { bestWords, moveLabel, moveNext, resultWords, sentence, verdictWords } from '../words.js';

const STEPS = /** @type {[string, string, string, string][]} */ ([
	['first', say('First position'), 'M7 5v14M18 5l-8 7 8 7z', 'Home'], ['back', say('Back one move'), 'M16 5l-8 7 8 7z', 'ArrowLeft'],
	['forward', say('Forward one move'), 'M8 5l8 7-8 7z', 'ArrowRight'], ['last', say('Last position of this line'), 'M17 5v14M6 5l8 7-8 7z', 'End'],
	['turn', say('Turn the board'), 'M7 4v13m0 3-3.5-3.5M7 20l3.5-3.5M17 20V7m0-3 3.5 3.5M17 4l-3.5 3.5', '']]);

class AnalysisView {
	/** @param {App} app @param {Game} game @param {Branch} at the position to begin with, at the end of its line */
	constructor(app, game, at) {
		this.app = app;
		this.game = game;
		this.at = at;
		this.root = at;
		while (this.root.parent) this.root = this.root.parent;
		this.asking = false;
		/** @type {Standing | null} what is set up, once the server has taken it */
		this.setUp = null;
		this.exercise = new Exercise(app, game, { id: 'analysis', 'data-game': game.name }, move => void this.play(move), square => this.press(square));
		this.node = this.exercise.node;
		this.exercise.flipped = sideOf(at.position) === 'black';
		this.editor = new Editor(game, position => void this.edit(position));
		this.title = h('p.note');
		this.turn = h('p', { id: 'task' });
		this.verdict = h('div.verdict', { id: 'verdict', role: 'status' });
		this.steps = STEPS.map(([name, label, path]) => h('button.icon-button', { 'data-step': name, 'aria-label': label, title: label, onclick: () => this.step(name) }, s('svg', { viewBox: '0 0 24 24' }, s('path', { d: path }))));
		this.list = h('div.moves', { id: 'variations', role: 'group', 'aria-label': say('Moves and variations') });
		this.list.addEventListener('click', event => this.jump(event));
		this.text = line('position', say('Position'), { maxlength: 159 });
		this.form = h('form.position', { id: 'position-form', onsubmit: event => this.paste(event) }, this.text, h('button', { type: 'submit' }, say('Set up')), h('button', { 'data-action': 'copy', onclick: () => this.copy() }, say('Copy')));
		this.exercise.layOut([this.title, h('h1', say('Analysis')), this.turn], [this.verdict, h('div.steps', this.steps), this.list, this.editor.node, this.form]);
		this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
		document.addEventListener('keydown', this.onKey);
		this.showEditor(false);
		this.show();
	}

	/** Shows where it stands. */
	show() {
		const { at, exercise } = this;
		const over = at.result !== '*' && resultWords(at.result, at.reason);

		this.node.dataset.ply = String(movesTo(at).length);
		this.title.textContent = gameLabel(this.game.name, at.variant);
		this.turn.textContent = over ? `${over.headline}. ${over.detail}` : moveNext(sideOf(at.position));
		exercise.show({ ...viewOf(at.position, at.variant), last: at.move, legal: over ? null : at.moves, better: at.told?.best });
		exercise.setButtons(this.makeButtons());
		this.text.value = at.position;
		this.showVerdict();
		this.showTree();
		this.tellAddress();
	}

	/** @returns {Child} */
	makeButtons() {
		const { at, game } = this;
		const button = (/** @type {string} */ action, /** @type {string} */ label, /** @type {() => void} */ act, style = '') => h(`button${style}`, { 'data-action': action, onclick: act }, label);

		return [
			at.moves.filter(move => moveParts(move) === null).map(move => button(move, moveLabel(move), () => void this.play(move), '.primary')), /* that no square shows */
			!at.told && at.result === '*' && button('engine', say('Ask the engine'), () => void this.ask(), '.primary'),
			h('a.button', { 'data-action': 'from', href: linkToPosition('from', game.name, at.variant, at.position) }, say('Play on from here')),
			button('edit', say('Edit the board'), () => this.showEditor(true)),
			button('download', say('Download'), () => void this.save()),
			at.parent && !isMain(at) && button('promote', say('Make this the main line'), () => {
				promote(this.at);
				this.show();
			}),
			at.parent && button('remove', say('Delete from here'), () => this.go(prune(this.at))),
		];
	}

	showVerdict() {
		const { told } = this.at;

		this.verdict.hidden = !told && !this.asking;
		fill(this.verdict, this.asking ? h('p', say('One moment…')) : told && [
			h('p', verdictWords(told), told.best && ` ${say('Best is {best}.', { best: bestWords(told) })}`),
			told.pv.length > 0 && h('div.moves', { id: 'line', role: 'group', 'aria-label': say('Best line') }, told.pv.map((move, i) => h('button.move', { 'data-pv': i, onclick: () => void this.follow(told.pv.slice(0, i + 1)) }, move)))]);
	}

	showTree() {
		const words = notation(this.root);

		/** @type {Branch[]} */
		this.shown = words.flatMap(({ at }) => at ?? []);
		fill(this.list, words.length === 0 ? h('span.none', say('No moves yet')) : words.map(({ text, at }) =>
			at ? h('button.move', { 'data-node': this.shown?.indexOf(at), 'aria-current': at === this.at ? 'step' : null }, text) : h('span.number', text)));
		for (const button of this.steps) {
			const name = button.dataset.step ?? '';
			button.toggleAttribute('disabled', name === 'turn' ? false : /first|back/.test(name) ? !this.at.parent : this.at.next.length === 0);
		}
	}

	/** @param {Event} event */
	jump(event) {
		const number = event.target instanceof HTMLElement ? event.target.dataset.node : undefined;

		if (number === undefined) return;
		this.go(this.shown?.[Number(number)] ?? this.at);
		/** @type {HTMLElement | null} */ (this.list.querySelector('[aria-current]'))?.focus(); /* it is another element by now */
	}

	/** @param {Branch} at */
	go(at) {
		if (at !== this.at) this.exercise.say('');
		this.at = at;
		this.show();
	}

	/** @param {string} name */
	step(name) {
		const { at } = this;

		if (name === 'turn') {
			this.exercise.flipped = !this.exercise.flipped;
			this.show();
		} else {
			this.go({ first: this.root, back: at.parent ?? at, forward: at.next[0] ?? at }[name] ?? endOf(at));
		}
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const step = STEPS.find(([, , , key]) => key === event.key);

		if (!step || !isCommand(event) || this.node.classList.contains('editing')) return;
		this.step(step[0]);
		event.preventDefault();
	}

	/** Plays a move, which is a variation where another one was played before. @param {string} move */
	async play(move) {
		const { at } = this;

		try {
			const standing = at.next.find(each => each.move === move) ?? await standingAfter(this.app.session, this.game, at, move);
			if (!standing || this.at !== at) return;
			this.app.sound.play('move');
			this.go(grow(at, move, standing));
			this.app.announce(`${move}. ${this.turn.textContent}`);
		} catch (refusal) {
			this.exercise.board.refuse();
			this.complain(refusal);
		}
	}

	/** Plays one move after the other. @param {string[]} moves */
	async follow(moves) {
		for (const move of moves) {
			const { at } = this;
			await this.play(move);
			if (this.at === at) return;
		}
	}

	/** Asks the server's bots. */
	async ask() {
		const { at } = this;

		if (this.asking) return;
		this.asking = true;
		this.showVerdict();
		try {
			at.told = await analysisOf(this.app.session, this.game, at);
		} catch (refusal) {
			this.complain(refusal);
		}
		this.asking = false;
		if (!this.setUp && !this.node.classList.contains('editing')) this.show();
	}

	/** @param {Refusal} refusal */
	complain(refusal) {
		this.exercise.say(sentence(refusal.message), 'problem');
	}

	/** Opens the board for pieces to be put and taken away, or closes it. @param {boolean} open */
	showEditor(open) {
		this.node.classList.toggle('editing', open);
		this.editor.node.hidden = !open;
		this.list.hidden = open;
		this.steps.forEach(button => { button.hidden = open; });
		if (!open) return;
		this.verdict.hidden = true;
		this.editor.open(this.at.position);
		this.exercise.say(say('Choose a piece, then press squares. Pressed again, they are cleared.'));
		void this.edit(this.at.position, true);
	}

	/** @param {string} square is pressed, while no move can be made */
	press(square) {
		if (this.node.classList.contains('editing')) this.editor.put(square);
	}

	/** Shows what is set up, and what the server says of it. @param {string} position @param {boolean} [quiet] it is as it was */
	async edit(position, quiet = false) {
		const { exercise, at } = this;

		this.setUp = null;
		this.text.value = position;
		exercise.show(viewOf(position, at.variant));
		this.showEditButtons();
		const told = await standingOf(this.app.session, this.game, this.variantOf(), position).catch(refusal => refusal);
		if (this.text.value !== position || !this.node.classList.contains('editing')) return;
		if (told instanceof Error) {
			exercise.say(sentence(told.message), 'problem');
		} else {
			this.setUp = told;
			if (!quiet) exercise.say(say('This position is legal.'));
		}
		this.showEditButtons();
	}

	/** The variant that a position of this game has to be of: none where its size is that. */
	variantOf() {
		return /^\d+x\d+$/.test(this.at.variant) ? '' : this.at.variant;
	}

	showEditButtons() {
		this.exercise.setButtons([
			h('button.primary', { 'data-action': 'done', disabled: !this.setUp, onclick: () => this.setUp && this.begin(this.setUp) }, say('Analyse this position')),
			h('button', { 'data-action': 'cancel', onclick: () => this.begin(null) }, say('Cancel'))]);
	}

	/** Goes on with another position; null: with what was there. @param {Standing | null} standing */
	begin(standing) {
		this.setUp = null;
		this.showEditor(false);
		this.exercise.say('');
		if (standing) this.at = this.root = branch(standing);
		this.show();
	}

	/** Takes the position that is typed. @param {Event} event */
	async paste(event) {
		event.preventDefault();
		try {
			this.begin(await standingOf(this.app.session, this.game, this.variantOf(), this.text.value.trim()));
		} catch (refusal) {
			this.complain(refusal);
		}
	}

	copy() {
		const button = /** @type {HTMLElement} */ (this.form.querySelector('[data-action="copy"]'));

		this.text.select();
		button.textContent = document.execCommand('copy') ? say('Copied') : say('Selected');
	}

	/** Saves the moves with all variations. */
	async save() {
		const pgn = await import('../pgn.js').catch(() => null);

		if (pgn) pgn.download(`ludus-analysis-${this.game.name}.pgn`, pgn.analysisText(this.game, this.root, endOf(this.root).result));
		else this.exercise.say(say('The file did not load.'), 'problem');
	}

	/** Has the address lead to what is shown, for whoever gets it. */
	tellAddress() {
		const wanted = linkToPosition('analysis', this.game.name, this.root.variant, this.root.position, movesTo(this.at));

		if (location.hash !== wanted && location.hash.startsWith('#/analysis')) history.replaceState(null, '', wanted);
	}

	close() {
		document.removeEventListener('keydown', this.onKey);
		this.exercise.stop();
	}
}

/** The position of an address and the moves from there, as far as they are legal. @param {App} app @param {Game} game @param {string} variant @param {string} word @param {string} moves */
async function find(app, game, variant, word, moves) {
	let at = branch(await standingOf(app.session, game, variant, unpacked(word)));

	for (const move of unpacked(moves).split(' ').filter(each => each !== '')) {
		const standing = await standingAfter(app.session, game, at, move).catch(() => null);
		if (!standing) break;
		at = grow(at, move, standing);
	}
	return at;
}

/** @param {App} app @param {string} [which] the game, with its variant @param {string} [word] the position @param {string} [moves] */
export function page(app, which = '', word = '', moves = '') {
	const [name, variant = ''] = which.split(':');
	const game = findGame(name) ?? games[0];
	const place = h('div', h('p.loading', say('One moment…')));
	/** @type {AnalysisView | null} */
	let view = null;
	let closed = false;
	const begin = async () => {
		if (view) return;
		try {
			const at = await find(app, game, variant, word, moves);
			if (view || closed) return;
			view = new AnalysisView(app, game, at);
			fill(place, view.node);
		} catch (refusal) {
			if (refusal.code !== 'lost') fill(place, h('div.empty', h('h1', say('No such position')), h('p', sentence(refusal.message)), h('a.button', { href: linkTo('analysis', game.name) }, say('From the start'))));
		}
	};
	const stop = app.store.whenHere(() => void begin());

	return {
		node: h('div.learn', place, gameTabs('analysis', game)), title: say('Analysis of {game}', { game: game.title }),
		close: () => {
			closed = true;
			stop();
			view?.close();
		},
	};
}
